// Real programs, compiled here in two folders, as two worktrees would have them.
#include "tracker/measure/same_program.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"

namespace tracker {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

constexpr char kMain[] =
    "#include <stdio.h>\nint speed(void);\nint main(int argc, char** argv) {\n"
    "  if (argc > 9) puts(__FILE__);\n  printf(\"%d\\n\", speed());\n  return argv == 0;\n}\n";
constexpr char kSpeed[] = "int speed(void) { return 3; }\n";
constexpr char kFaster[] = "int speed(void) { return 4; }\n";
// The section and the pointer at its container that nvcc makes, here by the assembler.
constexpr char kDevice[] =
    "__asm__(\".section .nv_fatbin, \\\"a\\\"\\n.balign 8\\ncontainer: .incbin \\\"code.fatbin\\\"\\n\"\n"
    "        \".section .nvFatBinSegment, \\\"aw\\\"\\n.balign 8\\n.long 0x466243b1\\n.long 1\\n\"\n"
    "        \".quad container\\n.quad 0\\n.text\\n\");\n";

// Two folders of names of one length.
class SameProgram : public testing::Test {
 protected:
  fs::path root(char side) const { return folder_.path() / (std::string("tree-") + side); }

  void write(char side, const std::string& name, const std::string& text) const {
    fs::create_directories(root(side));
    write_file(root(side) / name, text);
  }
  void compile(char side, const std::vector<std::string>& arguments) const {
    ProcessSpec spec;
    spec.argv = {C_COMPILER};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.directory = root(side);
    const auto result = run_process(spec);
    ASSERT_TRUE(result.ok()) << result.errors;
  }
  // The sources by their whole paths, as CMake names them.
  void build(char side, const std::string& speed, const std::vector<std::string>& more = {}) const {
    write(side, "main.c", kMain);
    write(side, "speed.c", speed);
    std::vector<std::string> arguments{"-O1",
                                       "-g",
                                       (root(side) / "main.c").string(),
                                       (root(side) / "speed.c").string(),
                                       "-o",
                                       (root(side) / "bench").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    compile(side, arguments);
  }
  void build_with_library(char side, const std::string& speed) const {
    write(side, "main.c", kMain);
    write(side, "speed.c", speed);
    compile(side, {"-O1", "-shared", "-fPIC", (root(side) / "speed.c").string(), "-o", "libspeed.so"});
    compile(side, {"-O1", (root(side) / "main.c").string(), "-L.", "-lspeed", "-o", "bench",
                   "-Wl,-rpath," + root(side).string()});
  }
  void build_with_device_code(char side, const std::string& fatbin) const {
    write(side, "code.fatbin",
          read_file(std::string(TRACKER_TEST_DATA) + "/fatbins/" + fatbin + ".fatbin", 1 << 20));
    build(side, std::string(kDevice) + kSpeed);
  }
  std::string difference(std::optional<int> architecture = {}) const {
    Binary binary;
    binary.path = "bench";
    return why_not_same_program({root('a'), binary}, {root('b'), binary}, architecture);
  }

  TemporaryDirectory folder_;
};

TEST_F(SameProgram, OfOneSourceInTwoFoldersIsTheSame) {
  build('a', kSpeed);
  build('b', std::string("/* a comment moves the lines */\n\n") + kSpeed);
  ASSERT_NE(read_file(root('a') / "bench", 1 << 24), read_file(root('b') / "bench", 1 << 24));
  EXPECT_THAT(difference(), IsEmpty());
}

TEST_F(SameProgram, OneChangedInstructionIsSeen) {
  build('a', kSpeed);
  build('b', kFaster);
  EXPECT_EQ(difference(), "'.text' differs");
}

TEST_F(SameProgram, AChangedNumberInItsDataIsSeen) {
  build('a', "int table[2] = {1, 3};\nint speed(void) { return table[1]; }\n");
  build('b', "int table[2] = {1, 4};\nint speed(void) { return table[1]; }\n");
  EXPECT_EQ(difference(), "'.data' differs");
}

TEST_F(SameProgram, FoldersOfOtherLengthMoveWhatFollows) {
  build('a', kSpeed);
  fs::rename(root('a'), folder_.path() / "a-longer-name");
  build('b', kSpeed);
  Binary binary;
  binary.path = "bench";
  // Built below tree-a, and said to be of another folder: the path is no longer known.
  EXPECT_THAT(why_not_same_program({folder_.path() / "a-longer-name", binary}, {root('b'), binary}, {}),
              HasSubstr("differs"));
}

TEST_F(SameProgram, ALibraryOfTheTreeIsAPartOfIt) {
  build_with_library('a', kSpeed);
  build_with_library('b', kSpeed);
  EXPECT_THAT(difference(), IsEmpty());
  build_with_library('b', kFaster);
  EXPECT_EQ(difference(), "its library 'libspeed.so': '.text' differs");
}

TEST_F(SameProgram, ALibraryThatIsNotFoundLeavesItOpen) {
  build_with_library('a', kSpeed);
  build_with_library('b', kSpeed);
  fs::remove(root('b') / "libspeed.so");
  EXPECT_THAT(difference(), testing::AnyOf(HasSubstr("not found"), HasSubstr("does not tell")));
}

TEST_F(SameProgram, ALibraryOfTheOtherTreeIsNone) {
  build_with_library('a', kSpeed);
  build_with_library('b', kSpeed);
  compile('b', {"-O1", (root('b') / "main.c").string(), "-L.", "-lspeed", "-o", "bench",
                "-Wl,-rpath," + root('a').string()});
  EXPECT_THAT(difference(), Not(IsEmpty()));
}

TEST_F(SameProgram, OfDeviceCodeOnlyThatForTheGpuCounts) {
  build_with_device_code('a', "plain");
  build_with_device_code('b', "hopper");
  EXPECT_EQ(difference(90), "the device code for sm_90 differs");
  EXPECT_THAT(difference(80), IsEmpty());
  EXPECT_EQ(difference(), "'.nv_fatbin' differs") << "where no GPU is known, all of it counts";
}

TEST_F(SameProgram, CodeThatIsCompiledWhenLoadedCountsForEveryGpu) {
  build_with_device_code('a', "plain");
  build_with_device_code('b', "hopper");
  ::setenv("CUDA_FORCE_PTX_JIT", "1", 1);
  EXPECT_THAT(difference(80), HasSubstr("differs"));
  ::unsetenv("CUDA_FORCE_PTX_JIT");
}

TEST_F(SameProgram, AScriptIsNotKnown) {
  for (const char side : {'a', 'b'}) write(side, "bench", "#!/bin/sh\nexec ./other\n");
  EXPECT_THAT(difference(), HasSubstr("no ELF executable"));
}

TEST_F(SameProgram, AStaticProgramIsNotStarted) {
  build('a', kSpeed, {"-static"});
  build('b', kSpeed, {"-static"});
  EXPECT_THAT(difference(), IsEmpty());
}

TEST_F(SameProgram, WhatIsNotThereIsNotTheSame) {
  build('a', kSpeed);
  fs::create_directories(root('b'));
  EXPECT_THAT(difference(), Not(IsEmpty()));
}

// Of builds that are no longer there.
TEST_F(SameProgram, ItsHashTellsItFromOthers) {
  Binary binary;
  binary.path = "bench";
  const auto hash = [&](char side, std::optional<int> architecture = {}) {
    return hash_of_program({root(side), binary}, architecture);
  };
  build('a', kSpeed);
  build('b', std::string("/* a comment moves the lines */\n\n") + kSpeed);
  EXPECT_FALSE(hash('a').empty());
  EXPECT_EQ(hash('a'), hash('b'));
  build('b', kFaster);
  EXPECT_NE(hash('a'), hash('b'));
  binary.arguments = {"--benchmark_min_time=1"};
  const std::string with_arguments = hash('b');
  binary.arguments.clear();
  EXPECT_NE(with_arguments, hash('b'));
  build_with_library('a', kSpeed);
  build_with_library('b', kSpeed);
  EXPECT_EQ(hash('a'), hash('b'));
  build_with_library('b', kFaster);
  EXPECT_NE(hash('a'), hash('b'));
  build_with_device_code('a', "plain");
  build_with_device_code('b', "hopper");
  EXPECT_EQ(hash('a', 80), hash('b', 80));
  EXPECT_NE(hash('a', 90), hash('b', 90));
  write('b', "bench", "#!/bin/sh\nexec ./other\n");
  EXPECT_EQ(hash('b'), "");
  fs::remove(root('b') / "bench");
  EXPECT_EQ(hash('b'), "");
}

TEST(Architecture, IsReadFromAComputeCapability) {
  EXPECT_EQ(architecture_of("9.0"), 90);
  EXPECT_EQ(architecture_of("12.1"), 121);
  for (const char* text : {"", "9", "9.", "x.0", "9.0a", "9.12"})
    EXPECT_EQ(architecture_of(text), std::nullopt) << text;
}

}  // namespace
}  // namespace tracker
