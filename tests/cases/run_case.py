#!/usr/bin/env python3
"""Runs the real tracker on one case: run_case.py FOLDER. $TRACKER is the binary, $FAKE_BENCH the stand-in benchmark.

FOLDER/case.toml says what happened to somebody (`situation`, `source`), what the right answer is (`right`), and the
`[[step]]`s: `run`, a bash command in a copy of the folder; its `exit` code (0 where none is named); and texts that its
output `has` and `lacks`. Blanks of any length count as one. A case with `not_yet` is known to be wrong: it fails here
once it is right, so that nothing stays listed that is done."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

KEYS = {"situation", "source", "right", "not_yet", "step"}
STEP_KEYS = {"run", "exit", "has", "lacks"}


def one_line(text):
    return re.sub(r"\s+", " ", text)


def environment(folder):
    """No setting of the machine, of git or of a workflow reaches a case."""
    kept = {name: os.environ[name] for name in ("LANG", "LSAN_OPTIONS", "ASAN_OPTIONS") if name in os.environ}
    tracker = pathlib.Path(os.environ["TRACKER"]).resolve()
    person = {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t",
              "GIT_COMMITTER_EMAIL": "t@example.com", "GIT_CONFIG_NOSYSTEM": "1"}
    return kept | person | {"PATH": f"{tracker.parent}:{os.environ['PATH']}", "HOME": str(folder),
                            "TRACKER_LEASES": str(folder), "COLUMNS": "400",
                            "FAKE_BENCH": os.environ.get("FAKE_BENCH", "")}


def faults_of(step, folder, env):
    unknown = set(step) - STEP_KEYS
    if unknown or not (set(step) - {"run"}):
        sys.exit(f"a step checks nothing, or has an unknown key: {step}")
    done = subprocess.run(["bash", "-c", step["run"]], cwd=folder, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=100)
    text = done.stdout.decode("utf-8", "replace")
    seen = one_line(text)
    faults = []
    if done.returncode != step.get("exit", 0):
        faults.append(f"exit code {done.returncode}, expected {step.get('exit', 0)}")
    faults += [f"the output lacks {one_line(words)!r}" for words in step.get("has", []) if one_line(words) not in seen]
    faults += [f"the output has {one_line(words)!r}" for words in step.get("lacks", []) if one_line(words) in seen]
    return [f"$ {step['run']}", text, *faults] if faults else []


def main():
    case_folder = pathlib.Path(sys.argv[1])
    case = tomllib.loads((case_folder / "case.toml").read_text())
    if set(case) - KEYS or not {"situation", "source", "right", "step"} <= set(case):
        sys.exit(f"{case_folder}/case.toml: expected situation, source, right and [[step]], and nothing unknown")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "case"
        shutil.copytree(case_folder, folder)
        env = environment(scratch)
        faults = []
        for step in case["step"]:
            faults += faults_of(step, folder, env)
    if "not_yet" in case:
        print(f"not right yet: {case['not_yet']}" if faults else "it is right by now: take `not_yet` out of case.toml")
        print(*faults, sep="\n")
        return 0 if faults else 1
    if faults:
        print(f"{case['situation']} ({case['source']})", f"right: {case['right']}", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
