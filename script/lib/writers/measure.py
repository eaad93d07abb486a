"""Lets processes record and share runs at once, and prints one row of a table: what each of them waited for.

usage: measure.py path|daemon|clone|postgres TRACKER WRITERS RUNS FOLDER FOLDER_OF_RUNS [ADDRESS]

A writer waits from the moment it has measured until its run is where all can see it: recorded, and synced where there is a
remote. Each run has twelve of the benchmarks of a recorded one, so that sixteen clones fit on a disk.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

REF = "refs/tracker/v1"
BENCHMARKS = 12
DEVICES = 4
COMMITS = 100


def run(*words, cwd, text=None):
    done = subprocess.run(words, cwd=cwd, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.returncode}: {done.stderr}{done.stdout}")
    return done.stdout


def small_run(folder):
    document = json.loads(sorted(pathlib.Path(folder).glob("*.run.json"))[0].read_text())
    document["benchmarks"] = document["benchmarks"][:BENCHMARKS]
    names = {benchmark["name"] for benchmark in document["benchmarks"]}
    for invocation in document["invocations"]:
        invocation["samples"] = {name: samples for name, samples in invocation["samples"].items() if name in names}
    document["invocations"] = [invocation for invocation in document["invocations"] if invocation["samples"]]
    return document


def history_of(document, run_id, commit, watts):
    document = json.loads(json.dumps(document))
    document |= {"id": run_id, "job": run_id, "commit": commit}
    text = json.dumps(document, indent=1) + "\n"
    text = re.sub(r'^(  "power_limit_w": )[0-9.]+', rf"\g<1>{watts}", text, count=1, flags=re.M)
    path = f"nvidia-h200-140gib-{watts}w/{commit[:2]}/{commit}/{run_id}.json"
    lines = [{"schema": "tracker.history/1"}, {"path": path, "text": text}, {"end": 1}]
    return "".join(json.dumps(line) + "\n" for line in lines)


def writer(way, tracker, number, runs, folder, document, commits, address):
    """The seconds that each run waited."""
    clone = folder / (f"clone-{number}" if way in ("path", "daemon") else "seed")
    store = ["--store", address] if way == "postgres" else []
    waits = []
    for i in range(runs):
        run_id = f"20250101T000000Z-{number * 100000 + i:08x}"
        file = folder / f"part-{number}"
        file.write_text(history_of(document, run_id, commits[(i * 7 + number) % len(commits)], 700 + number % DEVICES))
        begin = time.monotonic()
        run(tracker, *store, "store", "import", file, cwd=clone)
        while way in ("path", "daemon"):
            try:
                run(tracker, "sync", cwd=clone)
                break
            except RuntimeError as error:
                print(f"{way}: writer {number}, run {i}: {error}", file=sys.stderr)
        waits.append(time.monotonic() - begin)
    return waits


def bytes_of(path):
    return sum(os.lstat(os.path.join(at, name)).st_size for at, _, names in os.walk(path) for name in names)


def left_behind(folder):
    """Objects that nothing reaches, in words: what retries wrote in vain."""
    count = size = 0
    for path in sorted(folder.glob("clone-*")) + [folder / "seed", folder / "origin.git"]:
        if not path.exists():
            continue
        lost = run("git", "fsck", "--unreachable", "--no-reflogs", "--no-progress", cwd=path)
        ids = "".join(line.split()[2] + "\n" for line in lost.splitlines() if line.startswith("unreachable"))
        sizes = run("git", "cat-file", "--batch-check=%(objectsize:disk)", cwd=path, text=ids)
        count += len(ids.splitlines())
        size += sum(int(line) for line in sizes.split())
    return "nothing" if count == 0 else f"{count} objects, {size / 1e6:.1f} MB"


def main():
    way, tracker, writers, runs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    folder, document = pathlib.Path(sys.argv[5]), small_run(sys.argv[6])
    address = sys.argv[7] if len(sys.argv) > 7 else ""
    for name, value in (("NAME", "writer"), ("EMAIL", "writer@localhost")):
        os.environ["GIT_AUTHOR_" + name] = os.environ["GIT_COMMITTER_" + name] = value
    seed = folder / "seed"
    run("git", "init", "--quiet", "-b", "main", seed, cwd=folder)
    for number in range(COMMITS):
        run("git", "commit", "--quiet", "--allow-empty", "-m", f"Change {number}", cwd=seed)
    commits = run("git", "rev-list", "HEAD", cwd=seed).split()
    if way in ("path", "daemon"):
        origin = folder / "origin.git"
        if way == "daemon":
            origin = folder.parent / "daemon" / "origin.git"
        run("git", "clone", "--quiet", "--bare", seed, origin, cwd=folder)
        for number in range(writers):
            run("git", "clone", "--quiet", address or origin, folder / f"clone-{number}", cwd=folder)
    begin = time.monotonic()
    processor = os.times()
    with concurrent.futures.ThreadPoolExecutor(writers) as pool:
        asked = [pool.submit(writer, way, tracker, number, runs, folder, document, commits, address)
                 for number in range(writers)]
        waits = sorted(wait for one in asked for wait in one.result())
    took = time.monotonic() - begin
    after = os.times()
    if way in ("path", "daemon"):
        run(tracker, "sync", "--fetch", origin, cwd=seed)
    store = ["--store", address] if way == "postgres" else []
    there = [json.loads(line).get("path") for line in run(tracker, *store, "store", "export", cwd=seed).splitlines()]
    there = [path for path in there if path]
    median = statistics.median(waits)
    left = "" if way == "postgres" else left_behind(folder)
    print(f"| {way} | {took:.0f} s | {median:.2f} s | {waits[len(waits) * 95 // 100]:.2f} s | {waits[-1]:.2f} s |"
          f" {waits[-1] / median:.1f} | {left} |", flush=True)
    busy = after.children_user + after.children_system - processor.children_user - processor.children_system
    print(f"{way}: {busy / len(waits):.3f} s of processor time a run", file=sys.stderr)
    if way in ("path", "daemon"):
        count = run("git", "rev-list", "--count", REF, cwd=origin).strip()
        print(f"{way}: {count} commits, {bytes_of(origin) / len(waits):.0f} bytes a run at the remote", file=sys.stderr)
    if len(there) != writers * runs or len(set(there)) != len(there):
        print(f"{len(there)} runs are there, {len(set(there))} different ones, of {writers * runs}", file=sys.stderr)
        sys.exit(1)


main()
