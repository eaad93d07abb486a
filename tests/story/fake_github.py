"""A server in place of GitHub's API, which keeps comments, pull requests and artifacts, and every request."""
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

WRITER = "github-actions[bot]"


class Trouble:
    """An answer in place of the usual one; without a status the connection is closed without a word."""

    def __init__(self, status=None, message="", headers=None):
        self.status = status
        self.message = message
        self.headers = headers or {}


class FakeGitHub:
    """`calls` is all that was asked and sent: (method, path, query, body)."""

    def __init__(self):
        self.calls = []
        self.comments = []  # {"id", "user": {"login"}, "body"}
        self.pulls = {}
        self.comment_characters_max = 65536
        self.artifacts = {}  # name -> bytes of the archive, of the run with the id 5
        self.entrusted = []  # the paths that the token was sent to
        self.trouble = {}  # by method
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def writes(self):
        """Of what GitHub was told to change: "POST", "PATCH", with the path."""
        return [f"{method} {path}" for method, path, _, _ in self.calls if method != "GET"]

    def comment(self):
        """The text of the only comment that is ours."""
        (one,) = (comment for comment in self.comments if comment["user"]["login"] == WRITER)
        return one["body"]

    def answer(self, method, path, query, body):
        if method in self.trouble:
            return self.trouble[method]
        if found := re.fullmatch(r"/repos/o/r/pulls/(\d+)", path):
            return self.pulls[int(found[1])]
        if path == "/repos/o/r/pulls":
            (head,) = query["head"]
            return [pull for pull in self.pulls.values() if pull["head"]["label"] == head]
        if re.fullmatch(r"/repos/o/r/issues/\d+/comments", path):
            return self.comments if method == "GET" else self.write(body)
        if found := re.fullmatch(r"/repos/o/r/issues/comments/(\d+)", path):
            return self.write(body, int(found[1]))
        if path == "/repos/o/r/actions/runs/5/artifacts":
            return {"artifacts": [{"id": 900 + place, "name": name, "expired": False}
                                  for place, name in enumerate(self.artifacts)]}
        if found := re.fullmatch(r"/repos/o/r/actions/artifacts/9(\d+)/zip", path):  # it keeps them elsewhere
            return Trouble(302, "", {"Location": f"{self.url}/elsewhere/{int(found[1])}"})
        if found := re.fullmatch(r"/elsewhere/(\d+)", path):
            return list(self.artifacts.values())[int(found[1])]
        return Trouble(404, "Not Found")

    def write(self, body, number=None):
        if len(body["body"]) > self.comment_characters_max:
            return Trouble(422, "Validation Failed: body is too long")
        if number is None:
            self.comments.append({"id": 100 + len(self.comments), "user": {"login": WRITER}})
            number = self.comments[-1]["id"]
        (comment,) = (comment for comment in self.comments if comment["id"] == number)
        comment["body"] = body["body"]
        return comment

    def handler(self):
        github = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def attend(self):
                size = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(size)) if size else None
                where = urlsplit(self.path)
                github.calls.append((self.command, where.path, where.query, body))
                if "Authorization" in self.headers:
                    github.entrusted.append(where.path)
                answer = github.answer(self.command, where.path, parse_qs(where.query), body)
                trouble = answer if isinstance(answer, Trouble) else Trouble(200)
                if trouble.status is None:
                    return
                text = answer if isinstance(answer, bytes) else json.dumps(
                    {"message": trouble.message} if answer is trouble else answer).encode()
                self.send_response(trouble.status)
                for name, value in {**trouble.headers, "Content-Length": str(len(text))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PATCH = attend

        return Handler
