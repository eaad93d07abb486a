// A scratch repository with a tracker.toml and a fake benchmark binary, and the real `tracker` run in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"

namespace tracker::e2e {

class Scratch {
 public:
  Scratch();

  std::filesystem::path root() const { return folder_.path() / "repository"; }
  std::filesystem::path folder() const { return folder_.path(); }  // outside the repository
  void write(const std::string& path, const std::string& text) const;
  std::string git(const std::vector<std::string>& arguments) const;  // its output without the last line end
  // Commits speeds.txt with this text (see fake_bench.cpp).
  void commit_speeds(const std::string& speeds) const;
  ProcessResult tracker(const std::vector<std::string>& arguments) const;
  ProcessResult tracker_with(const std::map<std::string, std::string>& environment,
                             const std::vector<std::string>& arguments) const;

 private:
  TemporaryDirectory folder_;
};

// tracker.toml for a binary beside the repository, without a build.
std::string plain_config();
// tracker.toml whose build copies fake_bench into the tree, for --measure.
std::string building_config();

}  // namespace tracker::e2e
