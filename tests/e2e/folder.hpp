// Recorded invocations in a folder outside of any repository, and the real `tracker` run in it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {

using Edit = std::function<void(nlohmann::json&)>;

// One of the ten invocations of identical code that one job measured on an H200, in the order they ran.
std::filesystem::path recorded(int round);

// The side that a recorded invocation stands for: of each pair one, and each side is first in every second
// pair.
std::string side_of(int round);

class Folder {
 public:
  std::filesystem::path path() const { return scratch_.folder() / "files"; }
  void write(const std::string& name, const std::string& text) const { write_file(path() / name, text); }
  void put(const std::string& name, int round, const Edit& edit = nullptr) const;
  // The ten invocations as side_of(N)/N.json.
  void put_sides(const Edit& of_candidate = nullptr, const Edit& of_base = nullptr) const;
  ProcessResult tracker(std::vector<std::string> arguments) const;
  const Scratch& repository() const { return scratch_; }  // beside the folder

 private:
  Scratch scratch_;
};

// The only report of `tracker compare --format json`.
nlohmann::json report_of(const ProcessResult& result);
// Of a report: the benchmarks with this verdict.
std::vector<std::string> benchmarks_with(const nlohmann::json& report, const std::string& verdict);

// All times of this benchmark longer by a factor, and its rates lower.
Edit slower(const std::string& name, double factor);
Edit measured_on(const std::string& kind, const std::string& model);

}  // namespace tracker::e2e
