#!/usr/bin/env python3
"""Times questions to tracker on a repository that make_history.py made, with summaries and without."""

import argparse
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import time
import zlib

SERIES = "transpose_blocks/memcpy/f32/2048x2048/1x1"

# What is asked; whether it is asked without summaries as well, which reads every document.
QUESTIONS = [
    ("tracker: where things stand", [], False),
    ("compare HEAD~1", ["compare", "HEAD~1"], True),
    ("log of one benchmark", ["log", SERIES, "--commits", "100000"], True),
    ("plot --terminal of one benchmark", ["plot", SERIES, "--terminal", "--commits", "100000"], False),
    ("log", ["log"], False),
    ("log '*'", ["log", "*"], False),
    ("top", ["top"], False),
    ("check", ["check"], False),
    ("plot --terminal", ["plot", "--terminal"], False),
    ("site", ["site", "@folder@"], False),
]


def ask(tracker, repository, arguments, summaries):
    """Wall and processor seconds, peak memory in MiB, exit code, and what was printed."""
    environment = dict(os.environ, NO_COLOR="1", TRACKER_SUMMARY="on" if summaries else "off")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, \
            tempfile.TemporaryDirectory() as folder:
        arguments = [folder if one == "@folder@" else one for one in arguments]
        start = time.monotonic()
        child = subprocess.Popen([tracker, *arguments], cwd=repository, env=environment, stdout=output, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        wall_s = time.monotonic() - start
        output.seek(0)
        return {"wall": wall_s, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024,
                "code": os.waitstatus_to_exitcode(status), "output": output.read()}


def git(repository, *arguments):
    done = subprocess.run(["git", *arguments], cwd=repository, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def pack_bytes(repository):
    return sum(file.stat().st_size for file in (repository / "objects/pack").glob("*.pack"))


def with_other_digits(text, rng):
    """The document with times that no other one has, so that git cannot send what differs alone."""
    return re.sub(rb"(\d\.\d{2})(\d+)(?=[,\]])", lambda found: found[1] + b"%0*d" % (
        len(found[2]), rng.randrange(10**len(found[2]))), text)


def measure_recording(tracker, repository, rounds):
    """Records and syncs one run after the other, in a clone that borrows its objects."""
    ref = "refs/tracker/v1"
    newest = git(repository, "ls-tree", "-r", "--name-only", ref).splitlines()[-1]
    text = subprocess.run(["git", "show", f"{ref}:{newest}"], cwd=repository, check=True, capture_output=True).stdout
    run_id = newest.rsplit("/", 1)[1].removesuffix(".json")
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        origin, clone = pathlib.Path(folder, "origin.git"), pathlib.Path(folder, "clone")
        for target, kind in ((origin, ["--bare"]), (clone, [])):
            git(folder, "clone", "-q", "--shared", *kind, repository, target)
            git(target, "update-ref", ref, git(repository, "rev-parse", ref))
        git(origin, "config", "receive.unpackLimit", "1")  # what was sent stays one pack
        git(clone, "remote", "set-url", "origin", origin)
        git(clone, "config", "user.name", "scale")
        git(clone, "config", "user.email", "scale@localhost")
        recorded, synced, sent = [], [], []
        for number in range(rounds + 1):
            own = f"20300101T000000Z-{number:08x}"
            document = pathlib.Path(folder, own + ".run.json")
            document.write_bytes(with_other_digits(text.replace(run_id.encode(), own.encode()), rng))
            before = pack_bytes(origin)
            recorded.append(ask(tracker, clone, ["record", str(document)], True))
            synced.append(ask(tracker, clone, ["sync"], True))
            sent.append(pack_bytes(origin) - before)
        for one in recorded + synced:
            if one["code"] != 0:
                raise SystemExit(f"measure: recording or syncing ended with {one['code']}")
        loose = len(zlib.compress(text))
        row("`record` one run", recorded[1:])  # the first one makes folders and finds nothing in memory
        row("`sync` it with a remote on this disk", synced[1:])
        return f"sync sent {statistics.median(sent[1:]):.0f} bytes; the run alone, compressed, has {loose}"


def row(words, answers):
    wall = statistics.median(one["wall"] for one in answers)
    cpu = statistics.median(one["cpu"] for one in answers)
    memory = max(one["memory"] for one in answers)
    print(f"| {words} | {wall:.2f} | {cpu:.2f} | {memory:.0f} |", flush=True)


def measure(tracker, repository, rounds, without):
    size = int(subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=repository, check=True, capture_output=True,
                              text=True).stdout)
    for file in (repository / ".git/tracker").glob("summary-*"):
        file.unlink()
    print(f"\n{size} commits with a run on each device\n")
    print("| question | wall, s | processor, s | memory, MiB |\n|---|---|---|---|", flush=True)
    plain = {}
    for words, arguments, is_asked in QUESTIONS:
        if without and is_asked:
            answers = [ask(tracker, repository, arguments, False) for _ in range(rounds if "compare" in words else 1)]
            plain[words] = answers[0]["output"]
            row(f"`{words}`, without summaries", answers)
    first = next(arguments for words, arguments, _ in QUESTIONS if words == "log of one benchmark")
    row("the first `log` of one benchmark, which makes the summaries", [ask(tracker, repository, first, True)])
    for words, arguments, _ in QUESTIONS:
        answers = [ask(tracker, repository, arguments, True) for _ in range(rounds)]
        if words in plain and plain[words] != answers[0]["output"]:
            raise SystemExit(f"measure: {words} says something else without summaries")
        row(f"`{words}`", answers)
    sent = measure_recording(tracker, repository, rounds)
    summary = sum(file.stat().st_size for file in (repository / ".git/tracker").glob("summary-*"))
    objects = sum(file.stat().st_size for file in (repository / ".git/objects").rglob("*") if file.is_file())
    runs = int(subprocess.run(["git", "ls-tree", "-r", "--name-only", "refs/tracker/v1"], cwd=repository, check=True,
                              capture_output=True, text=True).stdout.count(".json"))
    print(f"\nsummaries: {summary / 2**20:.0f} MiB, {summary / runs / 1000:.0f} KB a run; "
          f"git's objects: {objects / 2**20:.0f} MiB, {objects / runs / 1000:.0f} KB a run; {sent}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tracker", type=pathlib.Path)
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only-summaries", action="store_true", help="leave out what reads every document")
    options = parser.parse_args()
    measure(options.tracker.resolve(), options.repository.resolve(), options.rounds, not options.only_summaries)


if __name__ == "__main__":
    main()
