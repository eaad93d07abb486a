"""Reads the Google Benchmark reports of script/kernel-limits: shares of the limit, as Markdown. The goals are the floors
of tracker.toml that are a share of another benchmark.

usage: summarise_limits.py DIR        (DIR/<binary>.<invocation>.json)
exit codes: 0 every goal is met, 1 not
"""
import collections
import fnmatch
import glob
import json
import os
import re
import statistics
import sys
import tomllib

CONFIG = os.path.join(os.path.dirname(__file__), "..", "..", "tracker.toml")

RESOURCES = {
    "registers": "registers",
    "local_bytes": "local bytes",
    "shared_dynamic_bytes": "dynamic shared",
    "shared_static_bytes": "static shared",
    "threads_per_block": "threads",
    "blocks_per_sm": "blocks per SM",
}


def is_limit(name):
    family, variant = name.split("/")[:2]
    if family == "transpose":
        return variant == "memcpy" or variant.startswith("copy_")
    return variant == "cublas"


def kind_of(name):
    """What shares one limit: family, type and shape."""
    family, _, *rest = name.split("/")
    return (family, *rest)


def read(path):
    """Time of each benchmark's fastest repetition in one invocation, and one row of each.

    Products on tensor cores draw as much power as the board may have. How much of a repetition runs at lower
    clocks depends on what ran before it: between processes, medians of 15 scatter by 1 to 2 %, the fastest of
    15 by 0.2 to 0.5 %.
    """
    times, rows = collections.defaultdict(list), {}
    with open(path) as file:
        for row in json.load(file)["benchmarks"]:
            if row["run_type"] != "iteration":
                continue
            if row.get("error_occurred"):
                sys.exit(f"{path}: {row['run_name']}: {row.get('error_message', 'failed')}")
            name = "/".join(row["run_name"].split("/")[:4])
            times[name].append(row["real_time"])
            rows[name] = row
    return {name: min(values) for name, values in times.items()}, rows


def shares_of(times):
    """The limit's time over each benchmark's, in one invocation."""
    limits = {}
    for name, time in times.items():
        if is_limit(name):
            limits[kind_of(name)] = min(time, limits.get(kind_of(name), time))
    return {name: limits[kind_of(name)] / time for name, time in times.items() if kind_of(name) in limits}


def goals_of(path, names):
    """By benchmark, in per cent of the limit. Of several floors the last one counts; a floor that no benchmark has
    stands under its pattern."""
    with open(path, "rb") as file:
        policies = tomllib.load(file)["policy"]
    goals = {}
    for policy in policies:
        share = re.match(r"([0-9.]+)% of (?!peak)", str(policy.get("floor", "")))
        if share:
            matched = [name for name in names if fnmatch.fnmatchcase(name, policy["match"])]
            goals.update({name: float(share[1]) for name in matched or [policy["match"]]})
    return goals


def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def print_family(family, data_type, shares, rows):
    names = [name for name in rows if name.split("/")[0] == family and name.split("/")[2] == data_type]
    shapes = list(dict.fromkeys(name.split("/")[3] for name in names))
    variants = list(dict.fromkeys(name.split("/")[1] for name in names))

    def cell(variant, shape):
        values = shares.get(f"{family}/{variant}/{data_type}/{shape}")
        return f"{100 * statistics.median(values):.1f} %" if values else ""

    print(f"### {family}, {data_type}: share of the limit\n")
    print_table(["variant", *shapes], [[v, *(cell(v, s) for s in shapes)] for v in variants])

    def resource(variant, key):
        seen = dict.fromkeys(int(rows[name][key]) for name in names if name.split("/")[1] == variant and key in rows[name])
        return " / ".join(str(value) for value in seen)

    print(f"### {family}, {data_type}: what they take\n")
    print_table(["variant", *RESOURCES.values()], [[v, *(resource(v, key) for key in RESOURCES)] for v in variants])


def main(folder):
    shares, rows = collections.defaultdict(list), {}
    for path in sorted(glob.glob(os.path.join(folder, "*.[0-9]*.json"))):
        times, some = read(path)
        rows.update(some)
        for name, share in shares_of(times).items():
            shares[name].append(share)
    kinds = dict.fromkeys((name.split("/")[0], name.split("/")[2]) for name in rows)
    for family, data_type in kinds:
        print_family(family, data_type, shares, rows)
    missed = 0
    lines = []
    for name, goal in goals_of(CONFIG, shares).items():
        values = [100 * share for share in shares.get(name, [])]
        reached = statistics.median(values) if values else None
        met = reached is not None and reached >= goal
        missed += not met
        seen = f"{reached:.1f} %" if values else "not measured"
        spread = f"{min(values):.1f} to {max(values):.1f}" if values else ""
        lines.append([name, f"{goal:g} %", seen, spread, "met" if met else "missed"])
    print("### Goals\n")
    print_table(["benchmark", "goal", "seen", "invocations", ""], lines)
    return 1 if missed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
