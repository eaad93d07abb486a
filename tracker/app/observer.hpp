// What the application says while it works on a request. The command line prints it; a test records it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tracker/base/error.hpp"
#include "tracker/measure/progress.hpp"

namespace tracker {

class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // For people: what is being done, what was left out, what to know. One line, or several.
  virtual void note(const std::string& text) = 0;
  // What failed of a request whose other parts go on: one device of several, say.
  virtual void error(const Error& error) = 0;
  // Of stored runs, so many are summed up for all later questions.
  virtual void summing_up(std::size_t done, std::size_t all) = 0;
  // The progress of one job.
  virtual std::unique_ptr<Progress> progress() = 0;
};

}  // namespace tracker
