#!/usr/bin/env python3
"""A site of runs that four H200s recorded (tests/data/h200_verdicts.tar.xz), a commit a run, board after board in the
order of time: the pictures of it in docs/images are of `recorded_site.py DIR`.

usage: TRACKER=... recorded_site.py DIR    writes the site there
"""
import os
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "story"))
from recorded_comment import Repository, value_of  # noqa: E402

# What the commits of script/prove-verdicts change; all others change nothing.
SUBJECTS = {"b80b024": "Remove smem_padded's padding", "d55e5e3": "Load one value more in smem_padded",
            "ec7bed2": "Give unroll8_row fewer registers"}
CONFIG = '[[policy]]\nmatch = "*"\nthreshold = "1%"\n'


def recorded_runs():
    with tarfile.open(ROOT / "data/h200_verdicts.tar.xz") as archive:
        texts = [(member.name[:4], archive.extractfile(member).read().decode()) for member in archive]
    return [text for _, text in sorted(texts, key=lambda one: (one[0], value_of(one[1], "started_at")))]


def write_site(tracker, folder):
    with tempfile.TemporaryDirectory() as scratch:
        repository = Repository(Path(scratch) / "h200-kernels")
        repository.folder.mkdir()
        repository.run("git", "init", "-q")
        (repository.folder / "tracker.toml").write_text(CONFIG, encoding="utf-8")
        files = Path(scratch) / "files"
        for text in recorded_runs():
            repository.record(SUBJECTS.get(value_of(text, "commit")[:7], "Change nothing"), [text], files)
        repository.run(tracker, "import", files)
        print(repository.run(tracker, "site", Path(folder).resolve()).stdout, end="")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    write_site(os.environ["TRACKER"], sys.argv[1])
