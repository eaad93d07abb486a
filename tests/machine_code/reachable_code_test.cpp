// What differs between builds of a program, and which of its benchmarks it may reach.
#include "tracker/machine_code/reachable_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kAll{"BM_copy/8", "BM_other", "Warm/read/8"};

// -fcf-protection and the like are the distribution's. g++ 14 aligns loops to more than functions: what pads
// one would depend on where its function lies.
std::string built(const std::vector<std::string>& options) {
  const TemporaryDirectory folder;
  ProcessSpec spec;
  spec.argv = {CXX_COMPILER,
               "-O2",
               "-g",
               "-falign-functions=64",
               TRACKER_SOURCE_DIR "/tests/machine_code/reachable_program.cpp",
               "-o",
               "out"};
  spec.argv.insert(spec.argv.end(), options.begin(), options.end());
  spec.directory = folder.path();
  const auto result = run_process(spec);
  EXPECT_TRUE(result.ok()) << result.errors;
  return read_file(folder.path() / "out", 1 << 26);
}

ReachableCode code_of(const std::string& file) {
  return reachable_code({file, ""}, kAll);
}

const ReachableCode& plain() {
  static const ReachableCode code = code_of(built({}));
  return code;
}

// The benchmarks that may run something else than in the plain build.
std::vector<std::string> changed_by(const std::vector<std::string>& options) {
  const ReachableCode code = code_of(built(options));
  std::vector<std::string> changed;
  for (const auto& name : kAll)
    if (code.around != plain().around || code.benchmarks.at(name) != plain().benchmarks.at(name))
      changed.push_back(name);
  return changed;
}

class ReachableCodeOfPrograms : public testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "only instructions of x86-64 are read";
#endif
  }
};

TEST_F(ReachableCodeOfPrograms, IsTheSameWhereverItLies) {
  ASSERT_EQ(plain().benchmarks.size(), 3u);
  EXPECT_FALSE(plain().around.empty());
  EXPECT_THAT(changed_by({}), IsEmpty());
  EXPECT_NE(built({}), built({"-DMOVED"}));
  EXPECT_THAT(changed_by({"-DMOVED"}), IsEmpty());
}

TEST_F(ReachableCodeOfPrograms, AChangedFunctionCountsForThoseThatReachIt) {
  EXPECT_THAT(changed_by({"-DHELPER=5"}), ElementsAre("BM_copy/8", "Warm/read/8"));
  EXPECT_THAT(changed_by({"-DHELPER=5", "-DMOVED"}), ElementsAre("BM_copy/8", "Warm/read/8"));
  EXPECT_THAT(changed_by({"-DOTHER=5"}), ElementsAre("BM_other"));
}

TEST_F(ReachableCodeOfPrograms, WhatItReadsCountsAsWell) {
  for (const char* option :
       {"-DFACTOR=0.25", "-DTEXT=\"a text that is Printed\"", "-DENTRY=12", "-DCASE=24", "-DLARGE=48"})
    for (const bool moved : {false, true}) {
      std::vector<std::string> options{option};
      if (moved) options.emplace_back("-DMOVED");
      EXPECT_THAT(changed_by(options), ElementsAre("BM_copy/8")) << option << " " << moved;
    }
}

// By a pointer anything may be called that the program has the address of: what is reached is followed.
TEST_F(ReachableCodeOfPrograms, WhatIsCalledByPointersCounts) {
  EXPECT_THAT(changed_by({"-DPOINTED=32"}), ElementsAre("BM_copy/8"));
  EXPECT_THAT(changed_by({"-DMETHOD=32"}), ElementsAre("BM_copy/8"));
}

TEST_F(ReachableCodeOfPrograms, WhatRunsAroundBenchmarksCountsForAll) {
  EXPECT_THAT(changed_by({"-DAROUND=44"}), ElementsAre("BM_copy/8", "BM_other", "Warm/read/8"));
  EXPECT_THAT(changed_by({"-DSET_UP=44"}), ElementsAre("BM_copy/8", "BM_other", "Warm/read/8"));
}

TEST_F(ReachableCodeOfPrograms, IsNotKnownWithoutSymbolsOrAtAFixedPlace) {
  EXPECT_THAT(code_of(built({"-s"})).benchmarks, IsEmpty());
  EXPECT_THAT(code_of(built({"-no-pie", "-fno-pie"})).benchmarks, IsEmpty());
  EXPECT_THAT(code_of("no program").benchmarks, IsEmpty());
  const std::string program = built({});
  EXPECT_THAT(reachable_code({program, ""}, {"copy", "BM_cop", "BM_copy2/8", "helper"}).benchmarks,
              IsEmpty());
}

TEST_F(ReachableCodeOfPrograms, ADamagedFileIsNoHarm) {
  const std::string program = built({});
  for (std::size_t at = 0; at < program.size(); at += program.size() / 97 + 1) {
    std::string damaged = program;
    for (std::size_t i = at; i < std::min(at + 8, damaged.size()); ++i) damaged[i] = '\xff';
    code_of(damaged);
    code_of(program.substr(0, at));
  }
}

}  // namespace
}  // namespace tracker
