#!/usr/bin/env python3
"""Whether the links of Markdown pages to files and headings of the repository lead somewhere.

usage: markdown_links.py FILE...
Prints findings as `file:line: what`, or nothing. Links to other sites are not followed.
"""
import collections
import functools
import os
import re
import sys

FENCE = re.compile(r"\s*(```|~~~)")
HEADING = re.compile(r" {0,3}#{1,6} +(.*?)(?: +#+)? *$")
LINK = re.compile(r"\]\(\s*([^)\s]+)[^)]*\)|\b(?:href|src|srcset)=\"([^\"]+)\"")
CODE = re.compile(r"`[^`]*`")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")


def text_of(path):
    """The page without its code, line by line."""
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    in_code = False
    for place, line in enumerate(lines):
        is_fence = FENCE.match(line) is not None
        in_code = in_code != is_fence
        if in_code or is_fence:
            lines[place] = ""
    return lines


def anchor_of(heading):
    """As GitHub makes it: words of lower case, joined by hyphens."""
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")


@functools.lru_cache(maxsize=None)
def anchors_in(path):
    """Of a page's headings; the second of a name ends in -1."""
    seen = collections.Counter()
    anchors = set()
    for line in text_of(path):
        if heading := HEADING.match(line):
            anchor = anchor_of(heading.group(1))
            anchors.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
            seen[anchor] += 1
    return anchors


def links_in(path):
    """(line, target) of each link; one may go over the end of a line."""
    text = "\n".join(text_of(path))
    without_code = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), text)
    for link in LINK.finditer(without_code):
        yield without_code.count("\n", 0, link.start()) + 1, link.group(1) or link.group(2)


def what_is_wrong(page, target):
    """Nothing where the target is there."""
    path, _, anchor = target.partition("#")
    full = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(full):
        return f"there is no '{full}'"
    if anchor and full.endswith(".md") and anchor not in anchors_in(full):
        return f"'{full}' has no heading '#{anchor}'"
    return ""


def main(pages):
    for page in pages:
        for line, target in links_in(page):
            finding = "" if ELSEWHERE.match(target) else what_is_wrong(page, target)
            if finding:
                print(f"{page}:{line}: {finding}")


main(sys.argv[1:])
