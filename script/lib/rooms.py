#!/usr/bin/env python3
"""The size of the rooms below tracker/, and of the subjects in them.

usage: rooms.py small LIST     headers that few need and that say little, and that LIST gives no reason for
       rooms.py figures PAGE   where the table of rooms in PAGE is not true any more
       rooms.py write PAGE     writes that table anew
"""
import collections
import os
import re
import subprocess
import sys

HEADER_LINES = 60     # a header below that,
SUBJECT_LINES = 150   # that has fewer with its source, and one user, needs a reason
OFF_SHARE = 0.05      # by so much the stated lines of a room may be wrong


def listed(*folders):
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders],
                           check=True, capture_output=True, text=True).stdout.split("\n")
    return [name for name in names if name and os.path.isfile(name)]


def text_of(name):
    if not os.path.exists(name):
        return ""
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read()


def line_count(name):
    return text_of(name).count("\n")


def small(reasons_file):
    reasons = {}
    for number, line in enumerate(text_of(reasons_file).split("\n"), 1):
        if line and not line.startswith("#"):
            header, _, reason = line.partition("\t")
            reasons[header] = (number, reason.strip())
    sources = [name for name in listed("tracker", "bench") if re.search(r"\.(cpp|hpp|cu|cuh)$", name)]
    users = collections.defaultdict(set)
    for name in sources:
        for header in re.findall(r'^#include "([^"]+)"', text_of(name), re.M):
            users[header].add(name)
    for header in (name for name in sources if re.match(r"tracker/.*\.hpp$", name)):
        source = header[:-4] + ".cpp"
        lines = line_count(header)
        whole = lines + (line_count(source) if os.path.exists(source) else 0)
        others = sorted(users[header] - {source})
        if lines >= HEADER_LINES or whole >= SUBJECT_LINES or len(others) != 1:
            continue
        number, reason = reasons.pop(header, (0, ""))
        if not reason:
            print(f"{header}:1: {whole} lines with its source, and only {others[0]} uses it: put it there, or give the "
                  f"reason in {reasons_file}")
    for header, (number, _) in reasons.items():
        print(f"{reasons_file}:{number}: {header} needs no reason (any more)")


def rooms():
    sizes = {}
    for name in listed("tracker"):
        room = name.split("/")[1] if name.count("/") > 1 else ""
        if room:
            files, lines = sizes.get(room, (0, 0))
            sizes[room] = (files + 1, lines + line_count(name))
    return sizes


ROW = re.compile(r"^\| `(\w+)/` \| (\d+) \| ([\d,]+) \|$", re.M)
SUM = re.compile(r"^\| all of `tracker/` \| (\d+) \| ([\d,]+) \|$", re.M)


def rounded(lines):
    return f"{max(100, round(lines, -2)):,}"


def figures(page):
    text = text_of(page)
    sizes = rooms()
    stated = {}
    for match in ROW.finditer(text):
        room, files, lines = match.group(1), int(match.group(2)), int(match.group(3).replace(",", ""))
        stated[room] = True
        line = text.count("\n", 0, match.start()) + 1
        now = sizes.get(room, (0, 0))
        if files != now[0] or abs(lines - now[1]) > max(100, OFF_SHARE * now[1]):
            print(f"{page}:{line}: {room}/ has {now[0]} files and {rounded(now[1])} lines: "
                  f"python3 script/lib/rooms.py write {page}")
    for room in sorted(set(sizes) - set(stated)):
        print(f"{page}:1: the table of rooms has no row for {room}/")


def write(page):
    text = text_of(page)
    sizes = rooms()
    text = ROW.sub(lambda row: f"| `{row.group(1)}/` | {sizes.get(row.group(1), (0, 0))[0]} | "
                               f"{rounded(sizes.get(row.group(1), (0, 0))[1])} |", text)
    files = sum(size[0] for size in sizes.values()) + 1  # with tracker/CMakeLists.txt
    lines = sum(size[1] for size in sizes.values())
    text = SUM.sub(f"| all of `tracker/` | {files} | {rounded(lines)} |", text)
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("small", "figures", "write"):
        sys.exit(__doc__)
    {"small": small, "figures": figures, "write": write}[sys.argv[1]](sys.argv[2])
