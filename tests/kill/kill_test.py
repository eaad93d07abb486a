#!/usr/bin/env python3
"""`tracker record`, `run`, `sync`, `store copy`, and `log` while it sums up the store, killed before each call that changes
a file, and on a disk that is full from that call on. Afterwards what was recorded before is there, every command works,
summaries say what the documents say, and the same call again gets through; where a lock was left behind, the error names
it, and removing that is enough.

usage: TRACKER=... FAKE_BENCH=... SHIM=... kill_test.py [--all] [record|run|sync|copy|summary...]
Without --all, a few calls of each: the first and last ones, and some between. Prints how many points were tried.
exit codes: 0 all held, 1 one did not
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TRACKER, FAKE_BENCH, SHIM = (os.environ[name] for name in ("TRACKER", "FAKE_BENCH", "SHIM"))
FEW = 14
VARYING = 3  # measuring takes a call or two more or less each time
REF = "refs/tracker/v1"
COPIED = "refs/tracker/copied"
CONFIG = f'[measure]\ninvocations = 2\nrepetitions = 2\n[[binary]]\npath = "{FAKE_BENCH}"\n'


class Scratch:
    """A repository with one recorded run, its bare origin that has another, and a file to record."""

    def __init__(self, folder):
        self.folder = folder
        self.root = folder / "repository"
        self.home = folder / "home"
        self.home.mkdir()
        (self.home / ".gitconfig").write_text("[user]\nname = a\nemail = a@example.org\n", encoding="utf-8")
        self.root.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.root / "tracker.toml").write_text(CONFIG, encoding="utf-8")
        (self.root / "speeds.txt").write_text("anonymous\ncopy/a 10000 0.001\n", encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Begin")
        self.must("run")
        self.git("clone", "-q", "--bare", ".", "../origin.git")
        self.git("remote", "add", "origin", "../origin.git")
        self.must("sync")
        self.git("clone", "-q", "../origin.git", "../other")
        self.must("-C", "../other", "sync", "--fetch")
        self.must("-C", "../other", "run")
        self.must("-C", "../other", "sync")
        self.must("run")
        run = {"name": "copy/b", "run_name": "copy/b", "run_type": "iteration", "iterations": 10, "real_time": 2.0,
               "cpu_time": 2.0, "time_unit": "us", "threads": 1, "repetitions": 1, "repetition_index": 0}
        document = {"context": {"date": "2026-01-01T00:00:00+00:00", "host_name": "h", "num_cpus": 2},
                    "benchmarks": [run]}
        (folder / "measured.json").write_text(json.dumps(document), encoding="utf-8")

    def environment(self, fault=None):
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return {**kept, "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1", **(fault or {})}

    def git(self, *arguments):
        done = subprocess.run(["git", *arguments], cwd=self.root, env=self.environment(), check=False,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"git {arguments}: {done.stderr}")
        return done.stdout

    def tracker(self, *arguments, fault=None):
        if fault and "TRACKER_SUMMARY" not in fault:
            fault = {"LD_PRELOAD": SHIM, "FAULT_IN": "tracker", **fault}
        return subprocess.run([TRACKER, *arguments], cwd=self.root, env=self.environment(fault), check=False,
                              capture_output=True, text=True, timeout=120)

    def must(self, *arguments):
        done = self.tracker(*arguments)
        if done.returncode != 0:
            raise AssertionError(f"tracker {arguments} ended with {done.returncode}: {done.stderr}")
        return done

    def documents(self):
        return set(self.git("ls-tree", "-r", "--name-only", REF).split())


COMMANDS = {
    "record": ["record", "../measured.json", "--cpu", "Test CPU"],
    "run": ["run"],
    "sync": ["sync"],
    "copy": ["store", "copy", REF, COPIED],
    "summary": ["log", "copy/*"],
}


def summaries_agree(scratch):
    """Histories are the same out of the summaries and out of the documents."""
    by_summaries = scratch.must("log", "copy/*").stdout
    by_documents = scratch.tracker("log", "copy/*", fault={"TRACKER_SUMMARY": "off"}).stdout
    if by_summaries != by_documents:
        raise AssertionError(f"summaries say {by_summaries!r}, documents {by_documents!r}")


def is_right_after_all(scratch, command, before):
    """The call again, without a fault; the lock that its error names is removed, once."""
    done = scratch.tracker(*command)
    lock = re.search(r"remove '([^']*\.lock)'|Unable to create '([^']*\.lock)'", done.stderr)
    if done.returncode == 4 and lock:
        os.remove(lock[1] or lock[2])
        done = scratch.tracker(*command)
    if done.returncode != 0:
        raise AssertionError(f"the same again ends with {done.returncode}: {done.stderr}")
    if not before <= scratch.documents():
        raise AssertionError("what was recorded before is gone")
    if command[:2] == ["store", "copy"]:
        trees = {scratch.git("rev-parse", ref + "^{tree}") for ref in (REF, COPIED)}
        if len(trees) != 1:
            raise AssertionError("the copy is not what was copied")


def try_point(template, command, kind, call, count):
    """What went wrong, in words; None where all held. `count`: the calls of a run without a fault."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(template.folder, copy, symlinks=True)
        scratch = object.__new__(Scratch)
        scratch.folder, scratch.root, scratch.home = copy, copy / "repository", copy / "home"
        before = scratch.documents()
        done = scratch.tracker(*command, fault={"FAULT": kind, "FAULT_AT": str(call)})
        try:
            came_to_its_end = done.returncode == 0 and call > count - VARYING
            if kind == "kill" and done.returncode != -9 and not came_to_its_end:
                raise AssertionError(f"was not killed: {done.returncode}")
            if kind == "full" and done.returncode not in (0, 4):
                raise AssertionError(f"a full disk ends with {done.returncode}: {done.stderr}")
            if kind == "full" and done.returncode == 4 and "tracker: error: " not in done.stderr:
                raise AssertionError(f"a full disk is not told: {done.stderr}")
            if not before <= scratch.documents():
                raise AssertionError("what was recorded before is gone")
            scratch.must("log")
            scratch.must("store", "verify")
            summaries_agree(scratch)
            is_right_after_all(scratch, command, before)
            scratch.git("fsck", "--connectivity-only", "--no-dangling")
        except AssertionError as error:
            return f"{command[0]}, {kind} at call {call}: {error}"
    return None


def points(count, everything):
    if everything or count <= FEW:
        return range(1, count + 1)
    return sorted({1 + round(i * (count - 1) / (FEW - 1)) for i in range(FEW)})


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--all"]
    tried, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        template = Scratch(Path(folder))
        for name in arguments or COMMANDS:
            command = COMMANDS[name]
            for kind in ("kill", "full"):
                with tempfile.TemporaryDirectory() as other:
                    scratch = object.__new__(Scratch)
                    scratch.folder = Path(other) / "copy"
                    shutil.copytree(template.folder, scratch.folder, symlinks=True)
                    scratch.root, scratch.home = scratch.folder / "repository", scratch.folder / "home"
                    counted = Path(other) / "count"
                    done = scratch.tracker(*command, fault={"FAULT": kind, "FAULT_COUNT": str(counted)})
                    if done.returncode != 0:
                        sys.exit(f"{name} without a fault ends with {done.returncode}: {done.stderr}")
                    count = int(counted.read_text(encoding="utf-8"))
                chosen = points(count, "--all" in sys.argv)
                found = [fault for call in chosen if (fault := try_point(template, command, kind, call, count))]
                print(f"{name}, {kind}: {len(chosen)} of {count} calls, {len(found)} failed", flush=True)
                tried += len(chosen)
                failures += found
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{tried} points tried, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
