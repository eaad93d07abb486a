#!/usr/bin/env python3
"""The comment on a pull request of which an H200 has measured every commit (tests/data/h200_reasons): the picture of it
in the README is `recorded_comment.py DIR`, then `script/render-comment DIR/comment.md docs/images/comment.png`.

usage: TRACKER=... recorded_comment.py DIR    writes comment.md and its pictures there
exit codes: compare's: 1, as something regressed
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data/h200_reasons"
DEVICE = "nvidia-h200-140gib-700w"
# The commits in their order: what they say, and their runs.
COMMITS = [
    ("Show on a GPU how near every variant comes to its limit", ["comment-base"]),
    ("Say in smem_padded why its tile has one more column", ["comment-candidate", "block-base"]),
    ("Give smem_padded square blocks", ["block-candidate", "spills-base"]),
    ("Fit four blocks of tile_2d on a multiprocessor", ["spills-candidate"]),
]
CONFIG = """[measure]
build = [["cmake", "--workflow", "--preset", "release"]]
[[policy]]
match = "*"
threshold = "1%"
source = "kernels/{1}/{2}.cu"
"""


def value_of(text, key):
    """Of the first such key in a run document."""
    return re.search(rf'"{key}": ?"([^"]+)"', text)[1]


class Repository:
    def __init__(self, folder):
        self.folder = folder
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"}
        for role in ("AUTHOR", "COMMITTER"):
            self.environment |= {f"GIT_{role}_NAME": "Tester", f"GIT_{role}_EMAIL": "tester@example.org"}

    def run(self, *command, codes=(0,)):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, check=False)
        if done.returncode not in codes:
            raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
        return done

    def commit(self, words, date):
        """The id of a new commit of this date."""
        self.environment |= {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        self.run("git", "add", "-A")
        self.run("git", "commit", "-q", "--allow-empty", "-m", words)
        return self.run("git", "rev-parse", "HEAD").stdout.strip()

    def record(self, words, texts, artifact):
        """A commit, and its runs laid out as `tracker export` does, told of the commit that they are of here."""
        commit = self.commit(words, value_of(texts[0], "started_at"))
        for text in texts:
            path = artifact / DEVICE / commit[:2] / commit / f"{value_of(text, 'id')}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace(value_of(text, "commit"), commit), encoding="utf-8")


def write_comment(tracker, out, config=CONFIG, speeds="", before_compare=lambda repository: None):
    with tempfile.TemporaryDirectory(prefix="tracker-comment-") as temp:
        artifact = Path(temp) / "artifact"
        (Path(temp) / "repository").mkdir()
        repository = Repository(Path(temp) / "repository")
        repository.run("git", "init", "-q", "-b", "main")
        (repository.folder / "tracker.toml").write_text(config, encoding="utf-8")
        (repository.folder / "speeds.txt").write_text(speeds, encoding="utf-8")
        for kernel in ("gemm/tile_2d", "transpose/smem_padded"):
            (repository.folder / f"kernels/{kernel}.cu").parent.mkdir(parents=True)
            (repository.folder / f"kernels/{kernel}.cu").write_text("// as it was then\n", encoding="utf-8")
        for words, names in COMMITS:
            texts = [(DATA / f"{name}.run.json").read_text(encoding="utf-8") for name in names]
            repository.record(words, texts, artifact)
        repository.run(tracker, "import", artifact)
        before_compare(repository)
        return repository.run(tracker, "compare", "HEAD~1", "HEAD", "--no-confirm", "--device", "nvidia-*", "--format", "github", "--out", out,
                              "--charts", Path(out) / "charts", codes=(0, 1))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    answer = write_comment(Path(os.environ["TRACKER"]).resolve(), Path(sys.argv[1]).resolve())
    print(answer.stdout, end="")
    sys.exit(answer.returncode)
