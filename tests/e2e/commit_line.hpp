// A scratch repository whose commits are built, and measured by fake_bench: what bisect and backfill walk
// over.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {

class CommitLine : public testing::Test {
 protected:
  explicit CommitLine(const std::string& speeds) {
    scratch_.write("tracker.toml", building_config());
    commit("Begin", speeds);
    first_ = scratch_.git({"rev-parse", "HEAD"});
  }

  // With a file of its own: a commit that changes something that may be read.
  void commit(const std::string& subject, const std::string& speeds) {
    scratch_.write("speeds.txt", speeds);
    scratch_.write("number.txt", std::to_string(++number_));
    add(subject);
  }
  // One that changes nothing that a program is made of.
  void document(const std::string& text) {
    scratch_.write("README.md", text);
    add("Document " + text);
  }
  // The log of all starts of the benchmarks, and their number.
  std::string log() const { return (scratch_.folder() / "starts").string(); }
  std::size_t starts() const {
    return std::filesystem::exists(log()) ? split(read_file(log(), 1 << 20), '\n').size() - 1 : 0;
  }

  Scratch scratch_;
  std::string first_;  // the first commit
  int number_ = 0;     // that number.txt has

 private:
  void add(const std::string& subject) {
    scratch_.git({"add", "-A"});
    scratch_.git({"commit", "-q", "-m", subject});
  }
};

}  // namespace tracker::e2e
