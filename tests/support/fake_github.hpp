// A server in place of GitHub's API, in the test's own process: it answers what the test tells it to, and
// keeps every request.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tracker::testing_support {

struct FakeRequest {
  std::string method;
  std::string path;                            // without the query, as it came
  std::string query;                           // without '?', as it came
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

struct FakeAnswer {
  enum class Way { kWhole, kCutOff, kNone, kNever };  // kNone: closes without a word; kNever: hangs

  int status = 200;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  Way way = Way::kWhole;
};

class FakeGitHub {
 public:
  using Handler = std::function<FakeAnswer(const FakeRequest&)>;

  FakeGitHub();  // listens on 127.0.0.1, at a free port
  FakeGitHub(const FakeGitHub&) = delete;
  FakeGitHub& operator=(const FakeGitHub&) = delete;
  ~FakeGitHub();

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // `what` is a method and a path: "GET /repos/o/r/pulls/12". Answers are used up in their order, before the
  // handler is asked; what has neither gets GitHub's 404.
  void answer(const std::string& what, FakeAnswer answer);
  void handle(const std::string& what, Handler handler);

  std::vector<FakeRequest> requests() const;
  // "POST /repos/o/r/issues/12/comments", one a request, in order.
  std::vector<std::string> calls() const;

 private:
  void serve();
  void attend(int connection);
  FakeAnswer answer_to(const FakeRequest& request);

  int listener_ = -1;
  int wake_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, std::deque<FakeAnswer>> answers_;
  std::map<std::string, Handler> handlers_;
  std::vector<FakeRequest> requests_;
  std::vector<int> held_;  // connections that never get an answer
  std::thread thread_;
};

// The comments of one pull request, kept as GitHub keeps them: listed in pages, created, updated.
class FakeComments {
 public:
  struct Comment {
    std::int64_t id;
    std::string author;
    std::string body;
  };

  enum class Of { kGitHub, kGitLab };

  // What is written is written as `author`.
  FakeComments(FakeGitHub& server, const std::string& repository, int pull_request,
               std::string author = "github-actions[bot]", Of service = Of::kGitHub);
  void put(const std::string& author, const std::string& body);  // one that is there already
  std::vector<Comment> all() const;

 private:
  FakeAnswer list(const FakeRequest& request) const;
  FakeAnswer create(const FakeRequest& request);
  FakeAnswer update(const FakeRequest& request, std::int64_t id);
  std::int64_t add(const std::string& author, const std::string& body);

  FakeGitHub& server_;
  bool gitlab_;
  std::string list_path_;
  std::string change_;  // method and path before a comment's number
  std::string author_;
  mutable std::mutex mutex_;
  std::vector<Comment> comments_;
};

}  // namespace tracker::testing_support
