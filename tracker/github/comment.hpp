// The one comment of a pull request or merge request: written once, and from then on updated in place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/github/api.hpp"
#include "tracker/github/context.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker::github {

// GitHub takes no more characters in the text of a pull request.
constexpr std::size_t kCommentLengthMax = 65'536;

struct CommentRequest {
  std::string repository;  // "owner/name", as the service names it
  int pull_request = 0;
  std::string key = "report";  // keeps the comments of several trackers in one pull request apart
  std::string author = "github-actions[bot]";  // whose comments are ours: others may quote the marker
  std::string body;
  std::string run_url;  // where the whole report is, should the comment have to be cut; may be empty
};

// kForbidden: the token may only read, as of a pull request from a fork.
enum class CommentOutcome { kCreated, kUpdated, kUnchanged, kForbidden };

struct CommentAnswer {
  CommentOutcome outcome = CommentOutcome::kUnchanged;
  std::string reason;  // why GitHub forbids it
  bool was_cut = false;
  std::string author;  // who GitHub says has written it, where that is not `author`
};

// ApiError where the service cannot be reached, or refuses for another reason than a token that may only
// read.
CommentAnswer write_comment(ServiceApi& api, const CommentRequest& request);

// Whom the token writes as: a workflow's is always the same, and GitLab is asked. ApiError where it does not
// say.
std::string token_author(ServiceApi& api);

// "<!-- tracker-report -->": the first line of the comment, which readers do not see. kUsage for a key that
// is not of letters, digits, '-', '_' and '.'.
std::string comment_marker(const std::string& key);

// `body` with the marker as its first line, cut to so many characters at the end of a line, with what was
// open closed and a line that says so.
std::string comment_text(const CommentRequest& request, std::size_t length_max, bool& was_cut,
                         const std::string& service = "GitHub");

// Characters as GitHub counts them: code points.
std::size_t character_count(const std::string& text);

// Whether GitHub, which keeps neither the kind of line ends nor space at the end, would keep both alike.
bool is_kept_alike(std::string a, std::string b);

// What people with write access ask for in a pull request's comments: "/tracker measure", "/tracker accept
// GLOB REASON". A comment is anybody's text: nothing of it reaches a shell, a path, or what is written back.

// kUnclear: it begins with /tracker, and is not understood.
enum class Asked { kNothing, kMeasure, kAccept, kUnclear };

struct CommentCommand {
  Asked asked = Asked::kNothing;
  std::string commit;             // measure: that is meant, 7 digits or more; may be empty
  std::string glob;               // accept: the benchmarks,
  std::optional<double> ceiling;  // how much slower, a share; none: as much as was reported,
  std::string reason;             // and why
  std::string why;                // it is unclear
};

// The first line of the body: "/tracker measure [COMMIT]", "/tracker accept GLOB [PERCENT] REASON", with GLOB
// in quotes or backticks where people like to. Any other first line asks for nothing.
CommentCommand parse_comment_command(const std::string& body);

// A comment that somebody wrote. Its text may be a stranger's.
struct WrittenComment {
  int pull_request = 0;
  std::string author;
  std::string body;
};

// The comment of an event `issue_comment`: nothing where it was not just created, or is of no open pull
// request. kUsage for another event.
std::optional<WrittenComment> read_written_comment(const Context& context);

struct CommandRequest {
  std::string repository;
  WrittenComment comment;
  std::string workflow = "perf.yml";  // the file of the one that measures pull requests
  std::string report_key = "report";  // of the comment that says what is slower
  double room = 1.1;                  // a factor: the ceiling is so many times what was reported
};

// Does what is asked, answers in the pull request, and says in one sentence what was done. Nothing is done,
// and nothing answered, for who has no right to write. A measurement is the workflow's own run for the pull
// request's last commit, started again, or approved: of a fork only where the comment names that commit. What
// is accepted is a commit on the pull request's branch that adds an [[accepted]] table to tracker.toml; of a
// fork the answer holds the table. ApiError where the service cannot be reached or refuses.
std::string answer_command(ServiceApi& api, const repo::Repository& repository, const repo::GitRemote& remote,
                           const CommandRequest& request);

// Hidden lines of the report's comment: what is slower, and by how much (a share).
using Losses = std::vector<std::pair<std::string, double>>;
std::string loss_lines(const Losses& losses);
Losses losses_in(const std::string& comment);

}  // namespace tracker::github
