// What people with write access ask for in a pull request's comments: "/tracker measure", "/tracker accept
// GLOB REASON". A comment is anybody's text: nothing of it reaches a shell, a path, or what is written back.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/github/api.hpp"
#include "tracker/github/context.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker {

enum class Asked { kNothing, kMeasure, kAccept, kUnclear };

struct CommentCommand {
  Asked asked = Asked::kNothing;
  std::string commit;             // measure: that is meant, 7 digits or more; may be empty
  std::string glob;               // accept: the benchmarks,
  std::optional<double> ceiling;  // how much slower; none: as much as was reported,
  std::string reason;             // and why
  std::string why;                // it is unclear
};

// The first line of the body: "/tracker measure [COMMIT]", "/tracker accept GLOB [PERCENT] REASON", with GLOB
// in quotes or backticks where people like to. Any other first line asks for nothing.
CommentCommand parse_comment_command(const std::string& body);

struct WrittenComment {
  int pull_request = 0;
  std::string author;
  std::string body;
};

// The comment of an event `issue_comment`: nothing where it was not just created, or is of no open pull
// request. kUsage for another event.
std::optional<WrittenComment> read_written_comment(const GitHubContext& context);

struct CommandRequest {
  std::string repository;
  WrittenComment comment;
  std::string workflow = "perf.yml";  // the file of the one that measures pull requests
  std::string report_key = "report";  // of the comment that says what is slower
  double room = 1.1;                  // a ceiling is so many times what was reported
};

// Does what is asked, answers in the pull request, and says in one sentence what was done. Nothing is done,
// and nothing answered, for who has no right to write. A measurement is the workflow's own run for the pull
// request's last commit, started again, or approved: of a fork only where the comment names that commit. What
// is accepted is a commit on the pull request's branch that adds an [[accepted]] table to tracker.toml; of a
// fork the answer holds the table.
std::string answer_command(ServiceApi& api, const Repository& repository, const GitRemote& remote,
                           const CommandRequest& request);

// Hidden lines of the report's comment: what is slower, and by how much (a share).
using Losses = std::vector<std::pair<std::string, double>>;
std::string loss_lines(const Losses& losses);
Losses losses_in(const std::string& comment);

}  // namespace tracker
