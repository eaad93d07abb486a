// The one comment of a pull request or merge request: written once, and from then on updated in place.
#pragma once

#include <cstddef>
#include <string>

#include "tracker/github/api.hpp"

namespace tracker {

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

// The text of the comment of that key and author; empty where there is none.
std::string body_of_comment(ServiceApi& api, const CommentRequest& request);

// Whom the token writes as: a workflow's is always the same, and GitLab is asked.
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

}  // namespace tracker
