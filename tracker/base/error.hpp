// The one exception type for what a user can cause; caught once, in main.
#pragma once

#include <stdexcept>
#include <string>
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

}  // namespace tracker
