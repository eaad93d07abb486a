// Keeps what the application says.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"

namespace tracker::test {

class RecordingObserver final : public app::Observer {
 public:
  using app::Observer::note;
  void note(const std::string& text, const std::vector<std::string>& lines) override {
    notes.push_back(text);
    for (const auto& line : lines) notes.back() += "\n" + line;
  }
  void error(const Error& error) override { errors.emplace_back(error.what()); }
  void summing_up(std::size_t done, std::size_t all) override { summed_up = {done, all}; }
  std::unique_ptr<measure::Progress> progress() override {
    return measure::make_line_progress(progress_lines);
  }

  std::vector<std::string> notes;
  std::vector<std::string> errors;
  std::pair<std::size_t, std::size_t> summed_up;
  std::ostringstream progress_lines;
};

}  // namespace tracker::test
