#!/usr/bin/env python3
"""The story of pull requests, end to end: the actions' own steps, the real tracker, a bare repository as origin, and a
server in place of GitHub's API. What is asserted is what was sent, and what it left.

usage: TRACKER=... FAKE_BENCH=... story_test.py [Story.test_NAME...]
"""
import io
import json
import os
import re
import shutil
import subprocess
import time
import unittest
import zipfile
from pathlib import Path

from fake_github import Trouble
import recorded_comment
from hosted import FAKE_BENCH, FAST, NUMBER, TRACKER, Hosted, config, speeds_of

RELEASE = os.environ.get("RELEASE", "")  # the folder that script/release made, where this build makes one
COARSE = "40%"  # what stored runs of two jobs can tell on a CPU
SLOW_B = {**FAST, "copy/b": 40000}
SLOW_C = {**FAST, "gemm/c": 60000}
CREATE = f"POST /repos/o/r/issues/{NUMBER}/comments"
UPDATE = "PATCH /repos/o/r/issues/comments/100"


def files_of(times, **options):
    return {"speeds.txt": speeds_of(times), "tracker.toml": config(**options), ".gitignore": "/out/\n",
            "kernels/copy.cu": "// copies\n", "kernels/gemm.cu": "// multiplies\n"}


def headline(comment):
    return next(line for line in comment.splitlines() if line.startswith("###"))


def plain(comment):
    """With names as they are."""
    return comment.replace("&#95;", "_").replace("<wbr>", "")


def in_sight(comment):
    """What a reader sees without opening a fold. Folds may lie in folds."""
    folds = 1
    while folds:
        comment, folds = re.subn(r"<details>(?:(?!<details>).)*?</details>", "", comment, flags=re.DOTALL)
    return comment


class Story(unittest.TestCase):
    def setUp(self):
        self.hosted = Hosted()
        self.addCleanup(self.hosted.close)
        self.github = self.hosted.github

    def expect(self, job, code, verdict=None):
        self.assertEqual(job.code, code, job.log)
        if verdict:
            self.assertEqual(job.outputs["verdict"], verdict, job.log)

    def record_main(self, times=None, **options):
        event = self.hosted.push_main("Set speeds", files_of(times or FAST, **options))
        job = self.hosted.job("push", event, store="push")
        self.expect(job, 0, "recorded")
        return event

    def pull(self, times, anew=True, **inputs):
        """A pull request that sets these speeds, in the workflow of one step."""
        event = self.hosted.push_pull_request("Set other speeds", {"speeds.txt": speeds_of(times)}, anew=anew)
        return self.hosted.job("pull_request", event, charts_branch="tracker-charts", **inputs)

    def measured_by_fork(self, files, owner="friend", **inputs):
        """The read-only job of a fork's pull request: its event, itself, and the folder of artifacts it leaves."""
        event = self.hosted.push_pull_request("Change things", files, owner=owner)
        job = self.hosted.job("pull_request", event, comment="never", confirm="always", **inputs)
        self.assertTrue(job.outputs["artifact"], job.log)
        self.assertEqual(self.github.calls, [], "a job that may not write spoke to GitHub")
        artifacts = self.hosted.folder / "artifacts"
        shutil.copytree(job.outputs["artifact"], artifacts / "tracker-gpu")
        return event, job, artifacts

    def report(self, event, artifacts, **inputs):
        return self.hosted.job("workflow_run", self.hosted.ended(event), action="tracker-report", artifacts=artifacts,
                               charts_branch="tracker-charts", **inputs)

    def check_charts(self, comment):
        """All pictures are linked by a commit of the charts' branch that holds them."""
        links = re.findall(r'(?:src|srcset)="([^"]+)"', comment)
        self.assertTrue(links, comment)
        tip = self.hosted.refs("refs/heads/tracker-charts")["refs/heads/tracker-charts"]
        for link in links:
            found = re.fullmatch(r"https://github\.example/o/r/blob/([0-9a-f]{40})/(.*\.png)\?raw=true", link)
            self.assertTrue(found, link)
            self.hosted.git(self.hosted.origin, "merge-base", "--is-ancestor", found[1], tip)
            self.hosted.git(self.hosted.origin, "cat-file", "-e", f"{found[1]}:{found[2]}")
        return links

    def test_push_to_main_records(self):
        first = self.record_main()
        store = self.hosted.refs("refs/tracker")
        self.assertEqual(len(store), 1, store)
        second = self.hosted.push_main("Change nothing", {"README": "text\n"})
        job = self.hosted.job("push", second, store="push")
        self.expect(job, 0, "passed")
        self.assertEqual(self.github.calls, [], "a push has no comment")
        (ref,) = store
        names = self.hosted.git(self.hosted.origin, "ls-tree", "-r", "--name-only", ref)
        for event in (first, second):
            self.assertIn(event["after"], names.replace("/", ""), "the store has no run of it")
        self.hosted.git(self.hosted.origin, "merge-base", "--is-ancestor", store[ref], ref)
        third = self.hosted.push_main("Go slower", {"speeds.txt": speeds_of(SLOW_B)})
        job = self.hosted.job("push", third, store="push")
        self.expect(job, 1, "failed")
        names = self.hosted.git(self.hosted.origin, "ls-tree", "-r", "--name-only", ref)
        self.assertIn(third["after"], names.replace("/", ""), "what regressed is recorded as well")

    @unittest.skipUnless(RELEASE, "this build makes no release")
    def test_release_on_a_bare_runner(self):
        runner = self.hosted.bare_runner(Path(RELEASE))
        event = self.hosted.push_main("Set speeds", files_of(FAST))
        began = time.monotonic()
        job = self.hosted.job("push", event, store="push", **runner)
        print(f"an action with a release, from its begin to the recorded run: {time.monotonic() - began:.1f} s")
        self.expect(job, 0, "recorded")
        self.assertIn("static libraries", job.log)
        self.assertTrue((job.state / "bin/tracker").exists())
        event = self.hosted.push_pull_request("Go slower", {"speeds.txt": speeds_of(SLOW_B)})
        job = self.hosted.job("pull_request", event, charts_branch="tracker-charts", **runner)
        self.expect(job, 1, "failed")
        self.assertRegex(headline(self.github.comment()), r"### ❌ <code>copy/<wbr>b</code> is [\d.]+(×| %) slower$")
        self.assertIn("gnuplot", job.log, "charts need it, and it is not there")

    @unittest.skipUnless(RELEASE, "this build makes no release")
    def test_release_of_another_sum_is_not_used(self):
        runner = self.hosted.bare_runner(Path(RELEASE))
        archive, = (self.hosted.folder / "served").glob("*/*.tar.gz")
        archive.write_bytes(archive.read_bytes() + b"x")
        event = self.hosted.push_main("Set speeds", files_of(FAST))
        job = self.hosted.job("push", event, store="push", **runner)
        self.expect(job, 4)
        self.assertRegex(job.log, "the SHA-256 sum of http.*tar.gz is not the one that the action states: it is not used")
        self.assertFalse((job.state / "bin/tracker").exists())

    def test_regression_then_another_then_fixed(self):
        self.record_main()
        store = self.hosted.refs("refs/tracker")
        job = self.pull(SLOW_B)
        self.expect(job, 1, "failed")
        self.assertEqual(self.github.writes(), [CREATE])
        comment = self.github.comment()
        self.assertRegex(headline(comment), r"### ❌ <code>copy/<wbr>b</code> is [\d.]+(×| %) slower$")
        self.assertIn("\n1 regressed · 2 unchanged\n", comment)
        for text in (in_sight(comment), in_sight(job.summary)):
            self.assertRegex(text, r"\| <code>copy/<wbr>b</code>.* \| ❌")
            self.assertNotIn("copy/a", re.sub(r"<img[^>]*>", "", text))
        errors = job.commands("error")
        self.assertEqual(len(errors), 1, errors)
        self.assertTrue(errors[0].startswith("::error file=kernels/copy.cu,title=copy/b%3A regressed +"), errors)
        links = self.check_charts(comment)
        self.assertTrue(any("/pull/7/" in link for link in links), links)
        self.assertEqual(self.hosted.refs("refs/tracker"), store, "pull requests only compare")

        job = self.pull(SLOW_C, anew=False)
        self.expect(job, 1, "failed")
        self.assertEqual(self.github.writes(), [CREATE, UPDATE])
        self.assertRegex(in_sight(self.github.comment()), r"\| <code>gemm/<wbr>c</code>.* \| ❌")
        self.assertNotIn("<code>copy/<wbr>b</code>", in_sight(self.github.comment()))
        self.check_charts(self.github.comment())
        for link in links:  # of the first comment: they stay
            commit, path = re.search(r"/blob/(\w+)/(.*)\?", link).groups()
            self.hosted.git(self.hosted.origin, "cat-file", "-e", f"{commit}:{path}")

        job = self.pull(FAST, anew=False)
        self.expect(job, 0, "passed")
        self.assertEqual(self.github.writes(), [CREATE, UPDATE, UPDATE])
        self.assertEqual(headline(self.github.comment()), "### ✅ Nothing changed: both sides are the same program")
        before_footer = in_sight(self.github.comment()).split("\n---\n")[0]
        seen = [line for line in before_footer.splitlines() if line and not line.startswith("<!--")]
        self.assertEqual(len(seen), 1, seen)
        self.assertEqual(job.commands("error"), [])

    def test_noise_only_is_green(self):
        many = {**FAST, **{f"copy/more_{i}": 10000 for i in range(12)}}
        noisy = {"speeds.txt": speeds_of(many, noise=0.02)}
        event = self.hosted.push_main("Set speeds", {**files_of(FAST, threshold=COARSE), **noisy})
        self.expect(self.hosted.job("push", event, store="push"), 0, "recorded")
        event = self.hosted.push_pull_request("Change a comment", {"kernels/copy.cu": "// copies well\n"})
        job = self.hosted.job("pull_request", event)
        self.expect(job, 0, "passed")
        self.assertEqual(self.github.writes(), [CREATE])
        self.assertTrue(headline(self.github.comment()).startswith("### ✅ Nothing regressed"), self.github.comment())
        self.assertEqual(job.commands("error"), [])
        # Half of them are slower by more than this threshold, and none by more than the noise.
        job = self.hosted.job("pull_request", event, confirm="never", threshold="0.1%")
        self.expect(job, 0, "undecided")
        self.assertEqual(headline(self.github.comment()), "### ❓ Undecided: all 15 benchmarks are inconclusive")
        self.assertEqual(job.commands("error"), [])

    def test_texts_alone_are_not_measured(self):
        self.record_main()
        event = self.hosted.push_pull_request("Explain", {"docs/guide.md": "text\n",
                                                              ".github/workflows/a.yml": "on: push\n"})
        job = self.hosted.job("pull_request", event)
        self.expect(job, 0, "passed")
        self.assertIn("measured nothing: the programs of HEAD are those of", job.log)
        self.assertNotIn("interim analysis", job.log, "nothing is left to confirm")
        self.assertEqual(headline(self.github.comment()),
                         "### ✅ Nothing changed: both sides are the same program")

    def test_missing_base_is_neither_green_nor_red(self):
        self.hosted.push_main("Set speeds, and measure nothing", files_of(FAST, build=False))
        job = self.pull(SLOW_B)
        self.expect(job, 3, "cannot-judge")
        comment = self.github.comment()
        self.assertTrue(headline(comment).startswith("### ❓ Could not judge"), comment)
        self.assertIn("no run is stored for the base", comment)
        for text in (comment, job.summary):
            for claim in ("✅", "❌", "unchanged", "regressed"):
                self.assertNotIn(claim, text)

    def test_failed_binary_is_no_verdict(self):
        self.record_main()
        event, measured, artifacts = self.measured_by_fork({"kernels/copy.cu": "// copies well\n"}, owner="o",
                                                           binaries="out/bench /bin/false")
        self.expect(measured, 4, "cannot-judge")
        self.expect(self.report(event, artifacts), 0, "cannot-judge")
        rest = "Of the rest: Nothing changed: both sides are the same program"
        self.assertEqual(headline(measured.summary), f"### ❓ Could not judge: a benchmark binary failed. {rest}")
        self.assertEqual(headline(self.github.comment()),
                         f"### ❓ Could not judge: a benchmark binary failed in tracker-gpu. {rest}")

    def test_fork_is_reported_by_the_trusted_side(self):
        self.record_main(threshold=COARSE)
        trap = self.hosted.folder / "built-by-the-fork"
        files = {**files_of(SLOW_B, marker=trap, threshold="300%"), "kernels/copy.cu": "// slower\n"}
        event, measured, artifacts = self.measured_by_fork(files)
        self.expect(measured, 0, "passed")  # by its own policy
        self.assertTrue(trap.exists(), "the trap does not work")
        trap.unlink()
        job = self.report(event, artifacts)
        self.expect(job, 0, "failed")
        self.assertFalse(trap.exists(), "code of the pull request ran beside a token that writes")
        self.assertEqual(self.github.writes(), [CREATE])
        comment = self.github.comment()
        self.assertRegex(headline(comment), r"### ❌ <code>copy/<wbr>b</code> is ")
        self.assertRegex(in_sight(comment), r"\| <code>copy/<wbr>b</code>.* \| ❌")
        self.check_charts(comment)

    def test_own_branch_is_reported_as_its_check_says(self):
        self.record_main()
        event, measured, artifacts = self.measured_by_fork({"speeds.txt": speeds_of(SLOW_C)}, owner="o")
        self.expect(measured, 1, "failed")
        self.expect(self.report(event, artifacts), 0, "failed")
        self.assertRegex(headline(self.github.comment()), r"### ❌ <code>gemm/<wbr>c</code> is ")
        self.assertEqual(re.findall(r"(?:−|\+)[\d.]+", in_sight(measured.summary)),
                         re.findall(r"(?:−|\+)[\d.]+", in_sight(self.github.comment())), "judged differently")
        self.assertIn("confirmed side by side", self.github.comment())

    def check_refused(self, event, artifacts, because):
        store = self.hosted.refs("refs/tracker")
        job = self.report(event, artifacts)
        self.expect(job, 2, "cannot-judge")
        self.assertIn(because, job.log)
        self.assertEqual(self.hosted.refs("refs/tracker"), store)
        self.assertEqual(self.hosted.refs("refs/heads/tracker-charts"), {}, "pictures of it were published")
        comment = self.github.comment()
        self.assertTrue(headline(comment).startswith("### ❓ Could not judge"), comment)
        self.assertNotIn("copy/b", comment, "what it claims was sent")

    def test_artifact_of_foreign_commits_is_refused(self):
        first = self.record_main()
        self.hosted.push_main("Go on", {"README": "text\n"})
        event, _, artifacts = self.measured_by_fork({"speeds.txt": speeds_of(SLOW_B)})
        claim = artifacts / "tracker-gpu/candidate"
        true_claim = claim.read_text(encoding="utf-8")
        for foreign in (first["after"], "0123456789" * 4):
            claim.write_text(foreign + "\n", encoding="utf-8")
            self.check_refused(event, artifacts, "is not part of pull request 7")
        claim.write_text(true_claim, encoding="utf-8")
        for run in sorted((artifacts / "tracker-gpu/runs").rglob("*.json")):
            foreign = first["after"]  # a commit that the trusted side has
            moved = run.parent.parent.parent / foreign[:2] / foreign / run.name
            moved.parent.mkdir(parents=True, exist_ok=True)
            moved.write_text(run.read_text(encoding="utf-8").replace(run.parent.name, foreign), encoding="utf-8")
            run.unlink()
        self.check_refused(event, artifacts, foreign)

    def test_hostile_names_are_inert(self):
        self.record_main()
        names = ["<img/src=x/onerror=alert(1)>", "::error::pwned", "@everyone|`x`", "[a](https://evil.example)"]
        slow = {name: 10000 for name in names}
        event = self.hosted.push_main("Add strange names", {"speeds.txt": speeds_of({**FAST, **slow})})
        self.expect(self.hosted.job("push", event, store="push"), 0)
        times = {**FAST, **{name: 20000 for name in names}}
        event, measured, artifacts = self.measured_by_fork({"speeds.txt": speeds_of(times)})
        self.expect(measured, 1, "failed")
        job = self.report(event, artifacts)
        self.expect(job, 0, "failed")
        self.assertRegex(headline(self.github.comment()), r"### ❌ 4 benchmarks of .* are .* slower")
        for text in (self.github.comment(), measured.summary, job.summary):
            outside_code = re.sub(r"Explain: (`+).*?\1(?!`)", "", text)  # GitHub makes nothing of what is in code
            for raw in ("<img/", "@everyone", "`x`", "[a]("):
                self.assertNotIn(raw, outside_code)
        for one in (measured, job):
            errors = [line.split("::", 2) for line in one.commands("error")]
            self.assertEqual(len(errors), len(names), one.log)
            self.assertFalse([message for _, _, message in errors if "pwned" in message], one.log)
            self.assertEqual([line for line in one.lines if line.startswith("::error::pwned")], [])

    def forge(self, artifacts, name, change):
        """A copy of what was measured, in which `change` made of each run, as (path, document), what it answers:
        documents by their paths, in place of those that are there and beside them."""
        forged = self.hosted.folder / name
        shutil.copytree(artifacts, forged)
        runs = forged / "tracker-gpu/runs"
        for path in sorted(runs.rglob("*.json")):
            for other, document in change(path.relative_to(runs), json.loads(path.read_text(encoding="utf-8"))).items():
                (runs / other).parent.mkdir(parents=True, exist_ok=True)
                text = document if isinstance(document, str) else json.dumps(document)
                (runs / other).write_text(text, encoding="utf-8")
        return forged

    def forgeries(self, base, older):
        """Of a pull request's artifact, by name: how it ends, and what makes it."""
        def again(identity, commit=None, **changes):
            def change(path, run):
                where = path.parent if commit is None else Path(path.parts[0]) / commit[:2] / commit
                return {where / f"{identity}.json": {**run, "id": identity, "commit": where.name, **changes}}
            return change

        def on_another_device(path, run):
            model = "NVIDIA H300"
            return {Path("nvidia-h300", *path.parts[1:]): {**run, "device": {**run["device"], "kind": "gpu", "model": model}}}

        future = "20891231T000000Z-00000001"
        return {
            "more runs of the base": (0, again("20200101T000000Z-00000001", base, started_at="2020-01-01T00:00:00Z")),
            "runs of the base in the future": (0, again(future, base, started_at="2089-12-31T00:00:00Z")),
            "runs of another commit of main": (2, again(future, older)),
            "another device": (0, on_another_device),
            "a tombstone": (2, lambda path, _: {path.with_suffix(".dropped.json"): '{"reason": "none"}'}),
            "a huge document": (2, lambda path, run: {path: json.dumps(run) + " " * (70 << 20)}),
            "another repository's folder": (2, lambda path, run: {Path("kernels") / path: run}),
        }

    def check_forgeries(self, forgeries, event, artifacts, state, **inputs):
        before = state()
        for place, (name, (code, change)) in enumerate(forgeries.items()):
            with self.subTest(name):
                job = self.report(event, self.forge(artifacts, f"forged-{place}", change), **inputs)
                self.expect(job, code)
                self.assertEqual(state(), before, name)
            shutil.rmtree(self.hosted.folder / f"forged-{place}")

    def test_pull_requests_write_no_runs_of_main_into_a_database(self):
        """Neither with the login that reads, which is theirs, nor with the one that records."""
        ask, url = self.hosted.start_database()
        self.assertEqual(subprocess.run([TRACKER, "--store", url("owner"), "store", "prepare", "--roles"], check=False,
                                        cwd=self.hosted.desk, stdout=subprocess.DEVNULL).returncode, 0)
        ask("CREATE ROLE main LOGIN; GRANT tracker_recorder TO main; CREATE ROLE pulls LOGIN; GRANT tracker_reader TO pulls")
        here = self.hosted.environment

        def as_user(user):
            self.hosted.environment = lambda: {**here(), "TRACKER_STORE_URL": url(user)}

        def state():
            return subprocess.run([TRACKER, "--store", url("owner"), "store", "export"], cwd=self.hosted.desk, check=True,
                                  env=here(), capture_output=True).stdout, self.hosted.refs("refs/tracker")

        as_user("main")
        older = self.record_main(threshold=COARSE)["after"]
        push = self.hosted.push_main("Go on", {"README": "text\n"})
        self.expect(self.hosted.job("push", push), 0)
        recorded = state()
        self.assertEqual(recorded[0].count(b'"path":'), 2)
        as_user("pulls")
        event, _, artifacts = self.measured_by_fork({"speeds.txt": speeds_of(SLOW_B)})
        self.assertEqual(state(), recorded, "a pull request's measuring job")
        for user in ("pulls", "main"):
            as_user(user)
            self.check_forgeries(self.forgeries(push["after"], older), event, artifacts, state, store="push")
            self.expect(self.report(event, artifacts), 0, "failed")
            self.assertRegex(headline(self.github.comment()), r"### ❌ <code>copy/<wbr>b</code> is ")
        self.assertEqual(state(), recorded)

    def test_pull_requests_write_no_runs_of_main_into_the_ref(self):
        older = self.record_main(threshold=COARSE)["after"]
        push = self.hosted.push_main("Go on", {"README": "text\n"})
        self.expect(self.hosted.job("push", push, store="push"), 0)
        event, _, artifacts = self.measured_by_fork({"speeds.txt": speeds_of(SLOW_B)}, store="push")
        self.check_forgeries(self.forgeries(push["after"], older), event, artifacts,
                             lambda: self.hosted.refs("refs/tracker"), store="push")

    def archive(self, folder, more=()):
        """As GitHub hands out an artifact, with more files of these names."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(folder))
            for name, text in more:
                archive.writestr(name, text)
        return stream.getvalue()

    def test_artifacts_are_fetched_within_limits(self):
        self.record_main(threshold=COARSE)
        event, _, artifacts = self.measured_by_fork({**files_of(SLOW_B, threshold=COARSE)})
        self.github.artifacts = {"tracker-gpu": self.archive(artifacts / "tracker-gpu"), "other": b"of no concern"}
        self.expect(self.report(event, ""), 0, "failed")
        self.assertRegex(headline(self.github.comment()), r"### ❌ <code>copy/<wbr>b</code> is ")
        self.assertNotIn("/elsewhere/0", self.github.entrusted, "the token went to another server")
        bomb = [(f"runs/{place}", bytes(100 << 20)) for place in range(6)]
        for code, archive in {
                2: [self.archive(artifacts / "tracker-gpu", bomb),
                    self.archive(artifacts / "tracker-gpu", [("../../../checkout/tracker.toml", "x")]),
                    self.archive(artifacts / "tracker-gpu", [("/etc/x", "x")]),
                    self.archive(artifacts / "tracker-gpu", [(f"{place}", "") for place in range(5001)]),
                    b"not an archive"],
                4: [Trouble(), Trouble(500, "Server Error")]}.items():
            for one in archive:
                self.github.artifacts = {"tracker-gpu": one}
                job = self.report(event, "")
                self.expect(job, code, "cannot-judge")
                self.assertTrue(headline(self.github.comment()).startswith("### ❓ Could not judge"), job.log)
                self.assertFalse((job.state / "measured").exists(), "it was left on the disk")

    def test_no_verdict_stays_where_the_action_cannot_work(self):
        """There is no tracker; there is no room for a file: what an earlier push said is taken back all the same."""
        self.record_main(threshold=COARSE)
        for broken in ({"tracker": "/nowhere/tracker"}, {"temp": "/proc/nowhere"}):
            self.github.comments.clear()
            self.expect(self.pull(FAST), 0, "passed")
            self.assertTrue(headline(self.github.comment()).startswith("### ✅"), self.github.comment())
            event = self.hosted.push_pull_request("Go slower", {"speeds.txt": speeds_of(SLOW_B)})
            job = self.hosted.job("pull_request", event, **broken)
            self.assertIn(job.code, (1, 2, 4), job.log)
            self.assertTrue(headline(self.github.comment()).startswith("### ❓ Could not judge"), job.log)
            self.assertEqual(len(self.github.comments), 1, "the old one stays")
            artifacts = self.hosted.folder / "nothing"
            artifacts.mkdir(exist_ok=True)
            self.github.comments[0]["body"] = self.github.comment().replace("❓", "✅")
            self.hosted.job("workflow_run", self.hosted.ended(event), action="tracker-report", artifacts=artifacts, **broken)
            self.assertTrue(headline(self.github.comment()).startswith("### ❓ Could not judge"), self.github.comment())

    def test_pull_request_that_moved_on_gets_no_comment(self):
        self.record_main()
        event, _, artifacts = self.measured_by_fork({"speeds.txt": speeds_of(SLOW_B)})
        self.hosted.push_pull_request("Change once more", {"speeds.txt": speeds_of(FAST)}, owner="friend", anew=False)
        job = self.report(event, artifacts)
        self.expect(job, 0)
        self.assertTrue(self.github.calls, "GitHub was not asked")
        self.assertEqual(self.github.writes(), [])
        self.assertEqual(self.hosted.refs("refs/heads/tracker-charts"), {})
        self.github.pulls[NUMBER]["state"] = "closed"
        self.expect(self.report(event, artifacts), 0)
        self.assertEqual(self.github.writes(), [])

    def test_trouble_with_github_changes_no_answer(self):
        self.record_main(threshold=COARSE)
        event = self.hosted.push_pull_request("Go slower", {"speeds.txt": speeds_of(SLOW_B)})
        impatient = self.hosted.folder / "impatient"  # one try, so that this test need not wait
        impatient.write_text(f'#!/bin/sh\n[ "$1 $2" != "github comment" ] || set -- "$@" --patience 0\n'
                             f'exec "{TRACKER}" "$@"\n', encoding="utf-8")
        impatient.chmod(0o755)
        later = str(int(time.time()) + 3000)
        troubles = {
            "may only read": Trouble(403, "Resource not accessible by integration"),
            "body is too long": Trouble(422, "Validation Failed: body is too long (maximum is 65536 characters)"),
            "rate limit is used up": Trouble(403, "API rate limit exceeded",
                                             {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": later}),
            "no answer to 'POST": Trouble(),
        }
        for words, trouble in troubles.items():
            with self.subTest(words):
                self.github.calls.clear()
                self.github.trouble = {"POST": trouble}
                job = self.hosted.job("pull_request", event, tracker=impatient, confirm="never")
                self.check_unheard(job, words)
                self.assertEqual(set(self.github.writes()), {CREATE})
        self.github.url = "http://127.0.0.1:1"  # nobody listens
        job = self.hosted.job("pull_request", event, tracker=impatient, confirm="never")
        self.check_unheard(job, "no answer to 'GET")
        event = self.hosted.push_pull_request("Change nothing", {}, anew=True)
        job = self.hosted.job("pull_request", event, tracker=impatient)
        self.expect(job, 0, "passed")
        self.assertIn("the comment is not written", "".join(job.commands("warning")))

    def test_long_report_is_cut_and_the_summary_whole(self):
        self.record_main(threshold=COARSE)
        self.github.comment_characters_max = 20000  # GitHub counts otherwise than we, or has changed its mind
        many = {f"copy/many_more_of_them_with_a_rather_long_name/{i}": 10000 for i in range(300)}
        job = self.pull({**SLOW_B, **many}, confirm="never")
        self.expect(job, 1, "failed")
        self.assertEqual(self.github.writes(), [CREATE, CREATE])
        self.assertRegex(headline(self.github.comment()), r"### ❌ <code>copy/<wbr>b</code> is ")
        self.assertNotIn("long_name/299", plain(self.github.comment()))
        self.assertIn("long_name/299", plain(job.summary))
        self.assertTrue([line for line in job.commands("warning") if "is cut" in line], job.log)

    def test_recorded_runs_are_reported_with_their_cause(self):
        out = self.hosted.folder / "report"
        answer = recorded_comment.write_comment(Path(TRACKER).resolve(), out)
        self.assertEqual(answer.returncode, 1, answer.stdout)
        self.assertTrue(answer.stdout.startswith("::error file=kernels/gemm/tile_2d.cu,"), answer.stdout)
        self.assertIn("%0Alikely cause: spills 0 → 456 bytes", answer.stdout.splitlines()[0])
        comment = (out / "comment.md").read_text(encoding="utf-8")
        self.assertRegex(headline(comment), r"### ❌ <code>gemm/<wbr>tile.*</code> is [\d.]+(×| %) slower$")
        self.assertIn("Likely cause: **spills 0 → 456 bytes", in_sight(comment))
        self.assertIn("**NVIDIA H200 (nvidia-h200-140gib-700w)**, driver 580.159.04, CUDA 13.0", comment)
        pictures = re.findall(r'(?:src|srcset)="([^"]+)"', comment)
        self.assertEqual(len(pictures), 6, "a trend, all changes, and samples, for light and for dark pages")
        for picture in pictures:
            self.assertTrue((out / picture).read_bytes().startswith(b"\x89PNG"), picture)

    def test_instructions_that_changed_are_shown(self):
        """This machine has built both commits, and cuobjdump is installed: here one that prints recorded listings."""
        tools = self.hosted.folder / "tools"
        tools.mkdir()
        (tools / "cuobjdump").write_text(f"""#!/bin/sh
for file; do :; done
case $(git -C "$(dirname "$file")" log -1 --format=%s) in *square*) sass=bare ;; *) sass=padded ;; esac
sed s/_Z18smem_padded_kernelPKfPfi/_Z14tile_2d_kernelPKfPfi/ "{recorded_comment.DATA.parent}/sass/$sass.txt"
""", encoding="utf-8")
        (tools / "cuobjdump").chmod(0o755)

        def build_both(repository):
            repository.environment["PATH"] = f"{tools}:{repository.environment['PATH']}"
            repository.run(TRACKER, "compare", "HEAD~1", "HEAD", "--measure", "-n", "1", "--identical-code", "measure",
                           codes=(0, 1, 3))

        out = self.hosted.folder / "report"
        config_text = recorded_comment.CONFIG.replace('[["cmake", "--workflow", "--preset", "release"]]',
                                                      f'[["install", "-D", "{FAKE_BENCH}", "out/bench"]]')
        answer = recorded_comment.write_comment(
            Path(TRACKER).resolve(), out, config_text + '[[binary]]\npath = "out/bench"\n',
            speeds_of({"copy/a": 10000}), build_both)
        self.assertEqual(answer.returncode, 1, answer.stdout)
        comment = (out / "comment.md").read_text(encoding="utf-8")
        self.assertRegex(plain(comment), r"<summary>machine code of <code>tile.*</code> \(sm_90\): \d+ instructions removed")
        diff = re.search(r"```diff\n(.*?)```", comment, flags=re.DOTALL)[1]
        self.assertIn("\n+", diff)
        self.assertIn("\n-", diff)
        self.assertNotIn("machine code of", in_sight(comment))

    def check_unheard(self, job, words):
        """Red, with the report where GitHub itself shows it, and a warning."""
        self.expect(job, 1, "failed")
        self.assertIn(words, job.log)
        self.assertTrue(job.commands("warning"), job.log)
        self.assertRegex(headline(job.summary), r"### ❌ <code>copy/<wbr>b</code> is ")
        self.assertEqual(self.github.comments, [])


if __name__ == "__main__":
    assert Path(TRACKER).exists(), TRACKER
    unittest.main(verbosity=2)
