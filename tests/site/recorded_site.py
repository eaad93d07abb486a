#!/usr/bin/env python3
"""A site of runs that four H200s recorded (tests/data/h200_verdicts.tar.xz), a commit a run: those of unchanged code,
board after board in the order of time, and last the two of smem_padded without its padding. The pictures in docs/site.md
and the README are of `recorded_site.py DIR`.

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

# The commits of script/prove-verdicts that change something begin with these. What two of them change was measured on
# one board each and taken back: they are left out.
PADDING = "b80b024"
LEFT_OUT = ("d55e5e3", "ec7bed2")
CONFIG = '[[policy]]\nmatch = "*"\nthreshold = "1%"\n'


def recorded_runs():
    with tarfile.open(ROOT / "data/h200_verdicts.tar.xz") as archive:
        texts = [(member.name[:4], archive.extractfile(member).read().decode()) for member in archive]
    kept = [one for one in texts if not value_of(one[1], "commit").startswith(LEFT_OUT)]
    boards = ["gpu3", "gpu1", "gpu2", "gpu0"]
    kept.sort(key=lambda one: (boards.index(one[0]), is_changed(one[1]), value_of(one[1], "started_at")))
    return [text for _, text in kept]


def is_changed(text):
    return value_of(text, "commit").startswith(PADDING)


def write_site(tracker, folder):
    with tempfile.TemporaryDirectory() as scratch:
        repository = Repository(Path(scratch) / "h200-kernels")
        repository.folder.mkdir()
        repository.run("git", "init", "-q")
        (repository.folder / "tracker.toml").write_text(CONFIG, encoding="utf-8")
        files = Path(scratch) / "files"
        for text in recorded_runs():
            repository.record("Remove smem_padded's padding" if is_changed(text) else "Change nothing", [text], files)
        repository.run(tracker, "import", files)
        print(repository.run(tracker, "site", Path(folder).resolve()).stdout, end="")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    write_site(os.environ["TRACKER"], sys.argv[1])
