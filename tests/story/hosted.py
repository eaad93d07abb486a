"""A repository "o/r" at a pretended GitHub, its clones, and the jobs of its workflows."""
import functools
import hashlib
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from fake_github import FakeGitHub

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
TRACKER = os.environ["TRACKER"]
FAKE_BENCH = os.environ["FAKE_BENCH"]

FAST = {"copy/a": 10000, "copy/b": 20000, "gemm/c": 30000}
NUMBER = 7  # of the pull request
NOBODY = 65534
# What a runner has without being a machine for building. Its shell's own commands are not among them.
TOOLS = ("awk basename bash cat chmod cmp cp curl cut date dirname env find git grep gzip head hostname id ln ls mkdir mktemp mv "
         "od readlink realpath rm rmdir sed sh sha256sum sleep sort stat tail tar tee timeout touch tr uname uniq wc xargs").split()


class SilentHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def speeds_of(times, noise=0.002):
    """What fake_bench reads: of each benchmark the time in ns, and its noise. It states no device, so that it is this
    machine's own, where doubts can be settled."""
    return "anonymous\n" + "".join(f"{name} {time} {noise}\n" for name, time in times.items())


def config(marker=None, threshold="3%", build=True):
    """tracker.toml. The build copies the binary, and leaves a file where it is told to."""
    steps = [["mkdir", "-p", "out"], ["cp", FAKE_BENCH, "out/bench"]]
    if marker:
        steps.append(["touch", str(marker)])
    lines = ["[measure]", "invocations = 5", "repetitions = 3", "timeout_s = 20"]
    if build:
        lines.append(f"build = {json.dumps(steps)}")
    lines += ["[[binary]]", f'path = "{"out/bench" if build else FAKE_BENCH}"']
    lines += ["[[policy]]", 'match = "*"', f'threshold = "{threshold}"', 'source = "kernels/{1}.cu"']
    return "\n".join(lines) + "\n"


class Job:
    """What a job said and left."""

    def __init__(self, done, folder):
        self.code = done.returncode
        self.log = done.stdout
        self.lines = done.stdout.splitlines()
        self.outputs = dict(line.split("=", 1) for line in self.lines if "=" in line and line[0].isalpha())
        self.state = folder / "temp" / "tracker"
        summary = folder / "summary"
        self.summary = summary.read_text(encoding="utf-8") if summary.exists() else ""

    def commands(self, name):
        """The workflow commands that the runner would obey."""
        heard, stopped = [], None
        for line in self.lines:
            if stopped:
                stopped = None if line == f"::{stopped}::" else stopped
            elif line.startswith("::stop-commands::"):
                stopped = line.split("::", 2)[2]
            elif line.startswith(f"::{name}"):
                heard.append(line)
        return heard


class Hosted:
    """`origin` is what GitHub holds; `desk` is a developer's clone of it."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tracker-story-"))
        self.jobs = 0
        self.github = FakeGitHub()
        self.server = None  # of releases
        self.database = None
        self.origin = self.folder / "origin.git"
        self.desk = self.folder / "desk"
        self.git(self.folder, "init", "-q", "--bare", "-b", "main", self.origin)
        self.git(self.origin, "config", "uploadpack.allowReachableSHA1InWant", "true")
        self.git(self.folder, "clone", "-q", f"file://{self.origin}", self.desk)
        self.git(self.desk, "checkout", "-q", "-b", "main")

    def close(self):
        self.github.close()
        if self.server:
            self.server.shutdown()
            self.server.server_close()
        if self.database:
            self.database.communicate("")
        shutil.rmtree(self.folder)

    def start_database(self):
        """A PostgreSQL server of this test's own; a function from a user's name to the URL of its database."""
        work = self.folder / "postgres"
        work.mkdir()
        self.folder.chmod(0o755)
        script = ('source "$1/lib/common.sh"; source "$1/lib/postgres.sh"; start_postgres "$2"; '
                  '"$postgres_bin/createdb" -h "$postgres_socket" -U owner perf; echo "$postgres_bin"; cat; stop_postgres')
        self.database = subprocess.Popen(["bash", "-c", script, "postgres", SOURCE / "script", work], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        programs = self.database.stdout.readline().strip()
        url = f"@/perf?host={work}/socket"

        def ask(statements):
            subprocess.run([f"{programs}/psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", statements, f"postgresql://owner{url}"],
                           check=True)
        return ask, lambda user: f"postgresql://{user}{url}"

    def environment(self):
        """Nobody's own settings may change what a test sees."""
        who = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER")
               for part, value in (("NAME", "Tester"), ("EMAIL", "tester@example.org"))}
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8", **who}

    def git(self, where, *arguments):
        done = subprocess.run(["git", *map(str, arguments)], cwd=where, env=self.environment(), text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"git {arguments}: {done.stderr}")
        return done.stdout.strip()

    def commit(self, message, files):
        for path, text in files.items():
            (self.desk / path).parent.mkdir(parents=True, exist_ok=True)
            (self.desk / path).write_text(text, encoding="utf-8")
        self.git(self.desk, "add", "-A")
        self.git(self.desk, "commit", "-q", "--allow-empty", "-m", message)
        return self.git(self.desk, "rev-parse", "HEAD")

    def push_main(self, message, files):
        """The event's file of a push to main; its `before` is all zeros for the first one."""
        before = self.refs("refs/heads/main").get("refs/heads/main")
        if before:
            self.git(self.desk, "checkout", "-q", "main")
        after = self.commit(message, files)
        self.git(self.desk, "push", "-q", "origin", "main")
        return {"ref": "refs/heads/main", "before": before or "0" * 40, "after": after, "repository": REPOSITORY}

    def push_pull_request(self, message, files, owner="o", anew=True):
        """The event's file of a pull request that has been opened, or got another commit; as GitHub does, its refs
        are in origin, wherever the commits come from."""
        if anew:
            self.git(self.desk, "checkout", "-q", "-B", "topic", "main")
        else:
            self.git(self.desk, "checkout", "-q", "topic")
        head = self.commit(message, files)
        self.git(self.desk, "checkout", "-q", "--detach", "main")
        self.git(self.desk, "merge", "-q", "--no-ff", "-m", "Merge topic", "topic")
        refs = [f"+topic:refs/pull/{NUMBER}/head", f"+HEAD:refs/pull/{NUMBER}/merge"]
        self.git(self.desk, "push", "-q", "origin", *refs, *(["+topic"] if owner == "o" else []))
        pull = {"number": NUMBER, "state": "open", "base": {"ref": "main", "repo": REPOSITORY},
                "head": {"ref": "topic", "sha": head, "label": f"{owner}:topic",
                         "repo": {"full_name": f"{owner}/r", "fork": owner != "o"}}}
        self.github.pulls[NUMBER] = pull
        return {"action": "synchronize", "number": NUMBER, "pull_request": pull, "repository": REPOSITORY}

    def ended(self, event):
        """The event's file of `workflow_run`, after a workflow for the given pull request."""
        head = event["pull_request"]["head"]
        own = head["label"].startswith("o:")
        return {"action": "completed", "repository": REPOSITORY, "workflow_run": {
            "id": 5, "event": "pull_request", "conclusion": "failure", "head_sha": head["sha"],
            "head_branch": head["ref"], "head_repository": head["repo"],
            "pull_requests": [{"number": NUMBER}] if own else []}}  # GitHub names none of a fork's

    def checkout(self, folder, name):
        """As actions/checkout does with `fetch-depth: 0`."""
        ref = f"refs/pull/{NUMBER}/merge" if name == "pull_request" else "refs/heads/main"
        self.git(self.folder, "init", "-q", "-b", "main", folder)
        self.git(folder, "remote", "add", "origin", f"file://{self.origin}")
        self.git(folder, "fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", f"+{ref}:refs/remotes/it")
        self.git(folder, "checkout", "-q", "--detach", "refs/remotes/it")

    def bare_runner(self, release):
        """What a job gets, as keywords of job(), on a runner of somebody else: the actions name a release, which a server has in
        `release`. There are git, curl and the system's small tools, an empty home and nobody's rights; neither a compiler,
        sudo, apt, Python nor gnuplot."""
        actions = self.folder / "actions"
        shutil.copytree(SOURCE / ".github/actions", actions)
        archive, = release.glob("tracker-*.tar.gz")
        version = archive.name.split("-")[1]
        lines = [f"version={version}", f"sha256_{os.uname().machine}={hashlib.sha256(archive.read_bytes()).hexdigest()}"]
        (actions / "tracker/release").write_text("\n".join(lines) + "\n", encoding="utf-8")
        served = self.folder / "served" / f"v{version}"
        served.mkdir(parents=True)
        shutil.copy(archive, served)
        handler = functools.partial(SilentHandler, directory=served.parent)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        tools = self.folder / "tools"
        tools.mkdir()
        for tool in TOOLS:
            (tools / tool).symlink_to(shutil.which(tool))
        home = self.folder / "home"
        home.mkdir()
        return {"actions": actions, "tracker": "", "environment": {
            "PATH": str(tools), "HOME": str(home), "TRACKER_RELEASES": f"http://127.0.0.1:{self.server.server_address[1]}"}}

    def job(self, name, event, action="tracker", tracker=TRACKER, actions=SOURCE / ".github/actions", environment=None, temp=None,
            **inputs):
        """Runs an action for an event in a fresh job: a checkout, and a temp folder of its own. With an `environment` of a
        runner of its own: as nobody, where this is root."""
        runner = environment or {}
        self.jobs += 1
        folder = self.folder / f"job-{self.jobs}"
        (folder / "temp").mkdir(parents=True)
        self.checkout(folder / "checkout", name)
        (folder / "event.json").write_text(json.dumps(event), encoding="utf-8")
        environment = {**self.environment(), "CI": "true", "TOKEN": "secret", "RUNNER_TEMP": temp or str(folder / "temp"),
                       "GITHUB_ACTIONS": "true", "GITHUB_API_URL": self.github.url, "GITHUB_ACTOR": "someone",
                       "GITHUB_SERVER_URL": "https://github.example", "GITHUB_REPOSITORY": "o/r",
                       "GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(folder / "event.json"),
                       "GITHUB_RUN_ID": str(self.jobs), "GITHUB_STEP_SUMMARY": str(folder / "summary"),
                       "GITHUB_SHA": self.git(folder / "checkout", "rev-parse", "HEAD"), **runner}
        given = [f"{key.replace('_', '-')}={value}" for key, value in {"tracker": tracker, **inputs}.items()]
        if runner and os.getuid() == 0:
            environment["RUN_AS"] = str(NOBODY)
            subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", self.folder], check=True)
        done = subprocess.run([sys.executable, SOURCE / "tests/script/run_action.py", actions / action, *given],
                              cwd=folder / "checkout", env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if "RUN_AS" in environment:
            subprocess.run(["chown", "-R", "0:0", self.folder], check=True)
        return Job(done, folder)

    def refs(self, pattern):
        """Of origin: what each ref points at."""
        lines = self.git(self.origin, "for-each-ref", "--format=%(refname) %(objectname)", pattern).splitlines()
        return dict(line.split() for line in lines)


REPOSITORY = {"full_name": "o/r", "default_branch": "main"}
