// The one exception type for what a user can cause, caught once, in main; and secrets kept out of what it
// says.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

// What a process answers, the same for every command.
enum class ExitCode {
  kOk = 0,            // judged, and nothing regressed
  kRegressed = 1,     // at least one gate failed
  kUsage = 2,         // the command line, tracker.toml or an input file is wrong
  kCannotJudge = 3,   // nothing to compare with, or inconclusive under --strict
  kEnvironment = 4,   // git, GPU, gnuplot, the store or a benchmark binary failed
  kInterrupted = 130  // Ctrl-C, as shells expect it
};

// `message` names the thing, lower case, the value quoted; `hint` is the next step, and may be empty. Either
// is made one line, whatever the names in it hold (printable() of text.hpp); `lines` go below the message,
// each likewise one line, and what() has all of it.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message, const std::string& hint = {},
        const std::vector<std::string>& lines = {});

  // Those below the message: what a build printed last, say.
  const std::vector<std::string>& lines() const { return lines_; }
  // The same with another next step.
  Error with_hint(const std::string& hint) const;

  ExitCode code() const { return code_; }
  const std::string& hint() const { return hint_; }

 private:
  ExitCode code_;
  std::string hint_;
  std::vector<std::string> lines_;
};

// Secrets kept out of messages.

// The text with "***" for each piece of the secret of eight characters or more: what echoes a token may be
// cut within it. A secret shorter than that is replaced only whole.
std::string without_secret(std::string_view text, std::string_view secret);

// The text without what may be a secret in it, whoever made it: in URLs the login (all between "//" and the
// last '@', a port that is no number), the query and the fragment, percent-encoded or not; the values of
// "password=…", "api_key: …" and the like; what is sent with "Authorization:"; GitHub's and GitLab's tokens.
std::string without_secrets(std::string_view text);

}  // namespace tracker
