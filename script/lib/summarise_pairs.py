"""Holds the reports that script/try-repository made against what was expected, and prints a table in Markdown.

usage: summarise_pairs.py DIR   (with results.tsv and reports/ID.json)
exit codes: 0 every answer is as expected, 1 one is not, 4 one could not be made
"""
import collections
import csv
import fnmatch
import json
import os
import sys


def comparisons(path):
    with open(path) as file:
        return [row for report in json.load(file)["reports"] for row in report["comparisons"]]


def was_skipped(row):
    return row["verdict"] == "unchanged" and row["change"] is None


# What each word of the file of pairs asks of the comparisons that match.
EXPECTED = {
    "improved": lambda n, rows: n["improved"] > 0 and n["regressed"] == 0,
    "regressed": lambda n, rows: n["regressed"] > 0,
    "unchanged": lambda n, rows: n["regressed"] == 0 and n["improved"] == 0,
    "skipped": lambda n, rows: all(was_skipped(row) for row in rows),
}


def told(rows):
    """What the comparisons came to, in a few words."""
    counts = collections.Counter("same code" if was_skipped(row) else row["verdict"] for row in rows)
    text = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
    moved = [row for row in rows if row["verdict"] in ("improved", "regressed")]
    if moved:
        most = max(moved, key=lambda row: abs(row["change"]))
        text += f"; most: `{most['benchmark']}` {100 * most['change']:+.3g} %"
    return text


def main(folder):
    worst = 0
    print("| commit | subject | expected | answer | time | as expected |")
    print("|---|---|---|---|---|---|")
    with open(os.path.join(folder, "results.tsv"), newline="") as file:
        for ident, expected, glob, status, seconds, subject in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            rows = []
            if int(status) <= 1 or int(status) == 3:
                rows = [row for row in comparisons(os.path.join(folder, "reports", ident + ".json"))
                        if fnmatch.fnmatchcase(row["benchmark"], glob)]
            if rows:
                counts = collections.Counter(row["verdict"] for row in rows)
                well = EXPECTED[expected](counts, rows)
                worst = max(worst, 0 if well else 1)
                answer = told(rows)
            else:
                well, answer, worst = False, f"none: exit code {status}", 4
            text = subject.replace("|", "\\|")
            print(f"| {ident} | {text} | {expected} | {answer} | {seconds} s | {'yes' if well else '**no**'} |")
    return worst


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
