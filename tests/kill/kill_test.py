#!/usr/bin/env python3
"""`tracker record`, `run`, `sync`, `store copy`, `compact` and `drop`, and `log` while it sums up the store, killed before
each call that changes a file, and on a disk that is full from that call on; the same of git while tracker syncs. Afterwards
what was recorded before is there, every command works, summaries say what the documents say, and the same call again gets
through; where git left a lock behind, the error names it, and removing that is enough.

usage: TRACKER=... FAKE_BENCH=... SHIM=... kill_test.py [--all] [record|run|sync|git|copy|compact|drop|summary|update...]
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
from typing import NamedTuple

TRACKER, FAKE_BENCH, SHIM = (os.environ[name] for name in ("TRACKER", "FAKE_BENCH", "SHIM"))
FEW = 14
VARYING = 3  # measuring takes a call or two more or less each time
REF = "refs/tracker/v1"
COPIED = "refs/tracker/copied"
REPETITIONS = 60  # enough that a compact document saves room
CONFIG = f'[measure]\ninvocations = 2\nrepetitions = 2\n[[binary]]\npath = "{FAKE_BENCH}"\n'


class Scratch:
    """A repository with one recorded run, its bare origin that has another, and a file to record."""

    def __init__(self, folder):
        self.folder = folder
        self.root = folder / "repository"
        self.home = folder / "home"
        self.home.mkdir(parents=True)
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
        runs = [{"name": "copy/b", "run_name": "copy/b", "run_type": "iteration", "iterations": 10 + i,
                 "real_time": 2.0 + i / 100, "cpu_time": 2.0 + i / 90, "time_unit": "us", "threads": 1,
                 "repetitions": REPETITIONS, "repetition_index": i} for i in range(REPETITIONS)]
        document = {"context": {"date": "2026-01-01T00:00:00+00:00", "host_name": "h", "num_cpus": 2},
                    "benchmarks": runs}
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
        if fault and "FAULT_IN" in fault:
            fault = {"LD_PRELOAD": SHIM, **fault}
        return subprocess.run([TRACKER, *arguments], cwd=self.root, env=self.environment(fault), check=False,
                              capture_output=True, text=True, timeout=120)

    def must(self, *arguments):
        done = self.tracker(*arguments)
        if done.returncode != 0:
            raise AssertionError(f"tracker {arguments} ended with {done.returncode}: {done.stderr}")
        return done

    def documents(self):
        return set(self.git("ls-tree", "-r", "--name-only", REF).split())

    def copy(self, folder):
        shutil.copytree(self.folder, folder, symlinks=True)
        copied = object.__new__(Scratch)
        copied.folder, copied.root, copied.home = folder, folder / "repository", folder / "home"
        return copied

    def prepare(self, row):
        """What comes before the call that is killed. Keeps what `log` says then, and no more summaries than were there."""
        for command in row.before:
            self.must(*self.with_names(command))
        self.answers = self.tracker(*LOG, fault={"TRACKER_SUMMARY": "off"}).stdout

    def with_names(self, command):
        """DOCUMENT is the run of ../measured.json."""
        return [next(path for path in self.documents() if path.split("/")[-1].startswith(OLD))
                if part == "DOCUMENT" else part for part in command]


class Row(NamedTuple):
    """What is killed, after which other commands, and which program of it."""
    command: list[str]
    before: list[list[str]] = []
    program: str = "tracker"
    keeps_answers: bool = False


LOG = ["log", "copy/*"]
RECORD = ["record", "../measured.json", "--cpu", "Test CPU"]
OLD = "20260101T000000Z"  # of the run that ../measured.json becomes

ROWS = {
    "record": Row(RECORD),
    "run": Row(["run"]),
    "sync": Row(["sync"]),
    "git": Row(["sync"], program="git"),
    "copy": Row(["store", "copy", REF, COPIED], keeps_answers=True),
    "compact": Row(["store", "compact", "--older-than", "1d", "--apply"], [RECORD], keeps_answers=True),
    "drop": Row(["store", "drop", "DOCUMENT", "--reason", "the wrong machine"], [RECORD]),
    "summary": Row(LOG, keeps_answers=True),
    "update": Row(LOG, [LOG, RECORD, ["store", "drop", "DOCUMENT", "--reason", "x"], ["run"]], keeps_answers=True),
}


def summaries_agree(scratch):
    """Histories are the same out of the summaries and out of the documents."""
    by_summaries = scratch.must("log", "copy/*").stdout
    by_documents = scratch.tracker("log", "copy/*", fault={"TRACKER_SUMMARY": "off"}).stdout
    if by_summaries != by_documents:
        raise AssertionError(f"summaries say {by_summaries!r}, documents {by_documents!r}")


def locks(scratch):
    """What a killed git leaves behind on both sides."""
    return [path for folder in (scratch.root / ".git", scratch.folder / "origin.git") for path in folder.rglob("*.lock")]


def is_right_after_all(scratch, row, command, before):
    """The call again, without a fault. Where git was killed, the lock that its error names is removed, once; it may be one
    at the remote, which no error can name. Locks of a killed tracker are taken over."""
    done = scratch.tracker(*command)
    lock = re.search(r"remove '([^']*\.lock)'|Unable to create '([^']*\.lock)'", done.stderr)
    if done.returncode == 4 and lock and row.program == "git":
        os.remove(lock[1] or lock[2])
        done = scratch.tracker(*command)
    elif done.returncode == 4 and row.program == "git" and "lock" in done.stderr:
        for path in locks(scratch):
            path.unlink()
        done = scratch.tracker(*command)
    if done.returncode != 0:
        raise AssertionError(f"the same again ends with {done.returncode}: {done.stderr}")
    if not before <= scratch.documents():
        raise AssertionError("what was recorded before is gone")
    if command[:2] == ["store", "copy"]:
        trees = {scratch.git("rev-parse", ref + "^{tree}") for ref in (REF, COPIED)}
        if len(trees) != 1:
            raise AssertionError("the copy is not what was copied")
    if command[:2] == ["store", "compact"] and not any(path.endswith("-compact.json") for path in scratch.documents()):
        raise AssertionError("nothing was compacted")
    if command == ["sync"]:
        theirs = set(scratch.git("-C", "../origin.git", "ls-tree", "-r", "--name-only", REF).split())
        if theirs != scratch.documents():
            raise AssertionError("the remote has not what is here")


def check_end(row, kind, done, is_last):
    """How the call with the fault ended."""
    if kind == "kill" and row.program == "tracker" and done.returncode != -9 and not (done.returncode == 0 and is_last):
        raise AssertionError(f"was not killed: {done.returncode}")
    if (kind == "full" or row.program != "tracker") and done.returncode not in (0, 4):
        raise AssertionError(f"ends with {done.returncode}: {done.stderr}")
    if done.returncode == 4 and "tracker: error: " not in done.stderr:
        raise AssertionError(f"it is not told: {done.stderr}")


def try_point(template, row, kind, call, count):
    """What went wrong, in words; None where all held. `count`: the calls of a run without a fault."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = template.copy(Path(folder) / "copy")
        command = scratch.with_names(row.command)
        before = scratch.documents()
        done = scratch.tracker(*command, fault={"FAULT_IN": row.program, "FAULT": kind, "FAULT_AT": str(call)})
        try:
            check_end(row, kind, done, call > count - VARYING)
            if not before <= scratch.documents():
                raise AssertionError("what was recorded before is gone")
            scratch.must("log")
            scratch.must("store", "verify")
            summaries_agree(scratch)
            is_right_after_all(scratch, row, command, before)
            summaries_agree(scratch)
            if row.keeps_answers and scratch.must(*LOG).stdout != template.answers:
                raise AssertionError("answers are not what they were")
            left = [path.name for path in (scratch.root / ".git" / "objects").rglob("*")
                    if path.name.startswith("tracker-new") or path.suffix == ".keep"]
            if left and row.program == "tracker":
                raise AssertionError(f"{left} are left among the objects")
            scratch.git("fsck", "--connectivity-only", "--no-dangling")
        except AssertionError as error:
            return f"{' '.join(row.command[:2])}, {kind} of {row.program} at call {call}: {error}"
    return None


def points(count, everything):
    if everything or count <= FEW:
        return range(1, count + 1)
    return sorted({1 + round(i * (count - 1) / (FEW - 1)) for i in range(FEW)})


def count_calls(template, row, kind):
    """The most that a process of the program makes."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = template.copy(Path(folder) / "copy")
        counted = Path(folder) / "count"
        fault = {"FAULT_IN": row.program, "FAULT": kind, "FAULT_COUNT": str(counted)}
        done = scratch.tracker(*scratch.with_names(row.command), fault=fault)
        if done.returncode != 0:
            sys.exit(f"{row.command} without a fault ends with {done.returncode}: {done.stderr}")
        return max(int(line) for line in counted.read_text(encoding="utf-8").split())


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--all"]
    tried, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        plain = Scratch(Path(folder) / "plain")
        for name in arguments or ROWS:
            row = ROWS[name]
            with tempfile.TemporaryDirectory() as own:
                template = plain.copy(Path(own) / "template")
                template.prepare(row)
                for kind in ("kill", "full"):
                    count = count_calls(template, row, kind)
                    chosen = points(count, "--all" in sys.argv)
                    found = [fault for call in chosen if (fault := try_point(template, row, kind, call, count))]
                    print(f"{name}, {kind}: {len(chosen)} of {count} calls, {len(found)} failed", flush=True)
                    tried += len(chosen)
                    failures += found
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{tried} points tried, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
