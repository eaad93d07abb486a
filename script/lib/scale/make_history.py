#!/usr/bin/env python3
"""Makes a repository with a long history: commits, and a run of each on every device in refs/tracker/v1.

The runs are made from one that an H200 has recorded: its names, code, conditions and times, with noise on every time, a
spread between jobs, and a step in one benchmark of twenty.
"""

import argparse
import json
import lzma
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
RECORDED = ROOT / "tests/data/h200_blocks.run.json.xz"
START = 1_600_000_000  # of the first commit: seconds since 1970
STEP_S = 3600  # from commit to commit
FLAT_LIST = re.compile(r"\[[^][{}]*\]")  # written on one line, as tracker does


def git(repository, *arguments, **options):
    return subprocess.run(["git", "-C", str(repository), *arguments], check=True, **options)


def make_commits(repository, count):
    """A first-parent line of so many commits on main; their ids, oldest first."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(repository)], check=True)
    stream = []
    for number in range(count):
        stream.append(f"commit refs/heads/main\nmark :{number + 1}\n"
                      f"committer A Developer <a@example.org> {START + number * STEP_S} +0000\n"
                      f"data <<END\nChange {number}\nEND\n")
        if number:
            stream.append(f"from :{number}\n")
        stream.append(f"M 100644 inline file.txt\ndata <<END\n{number}\nEND\n\n")
    git(repository, "fast-import", "--quiet", input="".join(stream).encode())
    git(repository, "reset", "-q", "--hard", "main")
    lines = git(repository, "rev-list", "--reverse", "main", capture_output=True, text=True).stdout
    return lines.split()


class Template:
    """One document as text with holes for what differs from run to run."""

    def __init__(self, benchmarks, invocations, repetitions):
        run = json.load(lzma.open(RECORDED))
        run["benchmarks"] = run["benchmarks"][:benchmarks]
        if len(run["benchmarks"]) < benchmarks:
            sys.exit(f"make_history: {RECORDED.name} has {len(run['benchmarks'])} benchmarks")
        names = [benchmark["name"] for benchmark in run["benchmarks"]]
        recorded = run["invocations"]
        run["invocations"] = []
        self.times = []
        for round_ in range(invocations):
            invocation = dict(recorded[round_ % len(recorded)], round=round_ + 1)
            invocation["samples"] = {}
            for place, name in enumerate(names):
                was = recorded[round_ % len(recorded)]["samples"][name]
                one = {"real_time_ns": [], "cpu_time_ns": [], "iterations": [], "counters": {}}
                for repetition in range(repetitions):
                    at = repetition % len(was["real_time_ns"])
                    for field in ("real_time_ns", "cpu_time_ns"):
                        one[field].append(f"@{len(self.times)}@")
                        self.times.append((place, was[field][at]))
                    one["iterations"].append(was["iterations"][at])
                for counter, values in was["counters"].items():
                    one["counters"][counter] = [values[i % len(values)] for i in range(repetitions)]
                invocation["samples"][name] = one
            run["invocations"].append(invocation)
        run["id"], run["job"], run["commit"], run["started_at"] = "@id@", "@id@", "@commit@", "@started@"
        run["device"]["power_limit_w"] = 123456.0
        text = FLAT_LIST.sub(lambda found: re.sub(r",\s+", ", ", re.sub(r"\s*([][])\s*", r"\1", found.group())),
                             json.dumps(run, indent=1)).replace("%", "%%").replace("123456.0", "%(watts)s")
        for field in ("id", "commit", "started"):
            text = text.replace(f"@{field}@", f"%({field})s")
        parts = text.split('"@')
        self.text = parts[0] + "".join("%(" + part.replace('@"', ")s", 1) for part in parts[1:])
        self.steps = {place for place in range(benchmarks) if place % 20 == 7}

    def document(self, rng, fields, progress):
        """The text of a run; `progress` from 0 to 1 is its place in the history."""
        job = rng.gauss(1, 0.004)
        values = dict(fields)
        for number, (place, time_ns) in enumerate(self.times):
            stepped = 1.05 if place in self.steps and progress > 0.4 + place / 1000 else 1
            values[str(number)] = repr(time_ns * job * stepped * rng.gauss(1, 0.003))
        return self.text % values


def make_runs(repository, commits, devices, template, seed):
    rng = random.Random(seed)
    importing = subprocess.Popen(["git", "-C", str(repository), "fast-import", "--quiet"], stdin=subprocess.PIPE)
    put = importing.stdin.write
    for number, commit in enumerate(commits):
        if number % 100 == 0:
            put(f"commit refs/tracker/v1\ncommitter A Developer <a@example.org> {START} +0000\n"
                "data <<END\nrecord runs\nEND\n".encode())
        for device in range(devices):
            when = written_time(START + number * STEP_S + 60 * device)
            watts = f"{700 - 10 * device}.0"
            fields = {"id": f"{when[0]}-{rng.getrandbits(32):08x}", "commit": commit, "started": when[1], "watts": watts}
            text = template.document(rng, fields, number / len(commits)).encode()
            key = f"nvidia-h200-140gib-{700 - 10 * device}w"
            put(f"M 100644 inline {key}/{commit[:2]}/{commit}/{fields['id']}.json\ndata {len(text)}\n".encode())
            put(text)
            put(b"\n")
        if (number + 1) % 500 == 0:
            print(f"  {number + 1} of {len(commits)} commits", file=sys.stderr)
    importing.stdin.close()
    if importing.wait() != 0:
        sys.exit("make_history: git fast-import failed")


def written_time(seconds):
    """As an id begins, and as documents write it."""
    moment = time.gmtime(seconds)
    return time.strftime("%Y%m%dT%H%M%SZ", moment), time.strftime("%Y-%m-%dT%H:%M:%SZ", moment)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--devices", type=int, default=1)
    parser.add_argument("--benchmarks", type=int, default=232)
    parser.add_argument("--invocations", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    template = Template(options.benchmarks, options.invocations, options.repetitions)
    commits = make_commits(options.folder, options.commits)
    git(options.folder, "config", "core.compression", "1")
    make_runs(options.folder, commits, options.devices, template, options.seed)


if __name__ == "__main__":
    main()
