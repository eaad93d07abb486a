// The one exception type for what a user can cause; caught once, in main.
#pragma once

#include <stdexcept>
#include <string>

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

// `message` names the thing, lower case, the value quoted; `hint` is the next step, and may be empty.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message, std::string hint = {})
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}

  ExitCode code() const { return code_; }
  const std::string& hint() const { return hint_; }

 private:
  ExitCode code_;
  std::string hint_;
};

}  // namespace tracker
