"""Reads the reports that script/prove-verdicts made, and says what was seen.

usage: summarise_verdicts.py DIR NAME=VARIANT...   (each slow-down, and the kernel that it slows)
exit codes: 0 as it should be, 1 not
"""
import collections
import glob
import json
import os
import sys


def comparisons(path):
    with open(path) as file:
        document = json.load(file)
    return [c for report in document["reports"] for c in report["comparisons"]], document["reports"]


def main(folder, slow_downs):
    seconds = {}
    with open(os.path.join(folder, "seconds")) as file:
        for line in file:
            name, task, length = line.split()
            seconds.setdefault(name, []).append(int(length))
    well = True
    counts = collections.Counter()
    false_reports = 0
    paths = sorted(glob.glob(os.path.join(folder, "same-*.json")))
    for path in paths:
        here = collections.Counter(c["verdict"] for c in comparisons(path)[0])
        counts += here
        false_reports += here["regressed"] > 0
    print(f"identical commits side by side: {len(paths)} reports, {sum(counts.values())} comparisons")
    print("  " + ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common()))
    print(f"  reports with a regression: {false_reports}")
    if paths:
        print(f"  time of one: {min(seconds['same'])} to {max(seconds['same'])} s")
    well = well and bool(paths) and false_reports == 0
    for name, variant in slow_downs:
        rows, reports = comparisons(os.path.join(folder, name + ".json"))
        found = [c for c in rows if c["verdict"] == "regressed"]
        others = [c["benchmark"] for c in found if not c["benchmark"].startswith(variant + "/")]
        print(f"{name}: {len(found)} regressed, {seconds[name][0]} s with both stored runs")
        for report in reports:
            effort = report.get("effort")
            if effort:
                print(f"  confirmed {effort['benchmarks']} benchmarks in {effort['rounds']} rounds, "
                      f"{effort['measured_s']:.0f} s of measuring")
        for c in rows:
            if c["benchmark"].startswith(variant + "/"):
                print(f"  {c['benchmark']:44} {c['verdict']:13} {100 * c['change']:+7.2f} % "
                      f"[{100 * c['low']:+.2f}, {100 * c['high']:+.2f}], {c['invocations'][1]} invocations")
        if others:
            print("  NOT EXPECTED: " + ", ".join(others))
        well = well and bool(found) and not others
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [word.split("=", 1) for word in sys.argv[2:]]))
