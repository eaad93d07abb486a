// Real programs, compiled here in two folders, as two worktrees would have them.

#include "tracker/measure/same_program.hpp"

#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"

namespace tracker::measure {
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

// Which libraries are loaded, whatever those of the tree contain: another version of one of the machine's is
// another library.
TEST_F(SameProgram, LoadsTheSameLibrariesOrOthers) {
  Binary binary;
  binary.path = "bench";
  const auto alike = [&] { return load_alike({root('a'), binary}, {root('b'), binary}); };
  build_with_library('a', kSpeed);
  build_with_library('b', kFaster);
  EXPECT_TRUE(alike());
  EXPECT_THAT(difference(), HasSubstr("its library 'libspeed.so'"));
  // As a package of the machine has them: two versions, beside one another.
  write('m', "speed.c", kSpeed);
  for (const char* version : {"1", "2"}) {
    const std::string name = std::string("libspeed.so.") + version;
    compile('m', {"-shared", "-fPIC", "speed.c", "-o", name, "-Wl,-soname," + name});
  }
  const auto link = [&](char side, const std::string& version) {
    compile(side, {"main.c", (root('m') / ("libspeed.so." + version)).string(), "-o", "bench",
                   "-Wl,-rpath," + root('m').string()});
  };
  link('a', "1");
  EXPECT_FALSE(alike()) << "one is the machine's, the other the tree's";
  link('b', "2");
  EXPECT_FALSE(alike());
  link('b', "1");
  EXPECT_TRUE(alike());
  fs::remove(root('m') / "libspeed.so.1");
  EXPECT_FALSE(alike()) << "it is not found";
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

// Real programs, compiled here in the folders of a worktree and of a checkout.

namespace {

using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

constexpr char kCallsWork[] = "int work(void); int main(void) { return work(); }\n";
constexpr char kWork[] = "int work(void) { return 0; }\n";

class LoadedFiles : public testing::Test {
 protected:
  fs::path checkout() const { return folder_.path() / "project"; }
  fs::path git_folder() const { return checkout() / ".git"; }
  fs::path tree(const std::string& name = "a") const { return git_folder() / "tracker" / "worktrees" / name; }

  static void compile(const fs::path& root, const std::string& source, std::vector<std::string> arguments) {
    fs::create_directories(root);
    write_file(root / "source.c", source);
    arguments.insert(arguments.begin(), {C_COMPILER, "-x", "c", "source.c", "-x", "none"});
    ProcessSpec spec;
    spec.argv = arguments;
    spec.directory = root;
    const auto result = run_process(spec);
    ASSERT_TRUE(result.ok()) << result.errors;
  }
  static void library(const fs::path& root, const std::string& source = kWork) {
    compile(root, source, {"-shared", "-fPIC", "-o", "libwork.so"});
  }
  SharedPlaces places() const { return {{checkout()}, git_folder(), git_folder() / "tracker" / "worktrees"}; }
  std::string found(const std::vector<std::string>& arguments = {}) const {
    BuiltBinary built{tree(), {}};
    built.binary.path = "bench";
    built.binary.arguments = arguments;
    const auto shared = shared_file_of(built, places());
    return shared ? (shared->is_folder ? "folder: " : "") + describe(*shared) : "";
  }
  std::string loads_it() const {
    return "loads '" + (checkout() / "libwork.so").string() + "', outside of its worktree";
  }

  TemporaryDirectory folder_;
};

TEST_F(LoadedFiles, ALibraryOfItsOwnTreeIsItsOwn) {
  library(tree());
  compile(tree(), kCallsWork, {"-L.", "-lwork", "-Wl,-rpath,$ORIGIN", "-o", "bench"});
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(LoadedFiles, AnRpathIntoTheCheckoutIsSeen) {
  library(tree());
  library(checkout());
  compile(tree(), kCallsWork, {"-L.", "-lwork", "-Wl,-rpath," + checkout().string(), "-o", "bench"});
  EXPECT_EQ(found(), loads_it());
}

TEST_F(LoadedFiles, SoIsAnotherWorktree) {
  library(tree());
  library(tree("b"));
  compile(tree(), kCallsWork, {"-L.", "-lwork", "-Wl,-rpath," + tree("b").string(), "-o", "bench"});
  EXPECT_THAT(found(), HasSubstr((tree("b") / "libwork.so").string()));
}

TEST_F(LoadedFiles, ALibraryOfALibraryIsSeen) {
  library(checkout());
  compile(tree(), "int work(void); int more(void) { return work(); }\n",
          {"-shared", "-fPIC", "-L" + checkout().string(), "-lwork", "-Wl,-rpath," + checkout().string(),
           "-o", "libmore.so"});
  compile(tree(), "int more(void); int main(void) { return more(); }\n",
          {"-L.", "-lmore", "-Wl,-rpath,$ORIGIN", "-Wl,--allow-shlib-undefined", "-o", "bench"});
  EXPECT_EQ(found(), loads_it());
}

TEST_F(LoadedFiles, ALibraryByLinkIsWhereTheLinkLeads) {
  library(checkout());
  fs::create_directories(tree());
  fs::create_symlink(checkout() / "libwork.so", tree() / "libwork.so");
  compile(tree(), kCallsWork, {"-L.", "-lwork", "-Wl,-rpath,$ORIGIN", "-o", "bench"});
  EXPECT_EQ(found(), loads_it());
}

TEST_F(LoadedFiles, AFileThatItsDataNamesIsSeen) {
  library(checkout());
  write_file(checkout() / "kernel.cubin", "code");
  for (const auto* file : {"libwork.so", "kernel.cubin"}) {
    compile(tree(),
            "const char* opened = \"" + (checkout() / file).string() + "\"; int main(void) { return 0; }\n",
            {"-o", "bench"});
    EXPECT_THAT(found(), HasSubstr("'" + (checkout() / file).string() + "'"));
  }
}

TEST_F(LoadedFiles, AVariableThatItKnowsIsSeen) {
  fs::create_directories(checkout());
  write_file(checkout() / "plugin.bin", "code");
  ::setenv("LOADED_FILES_PLUGIN", (checkout() / "plugin.bin").c_str(), 1);
  compile(tree(), "#include <stdlib.h>\nint main(void) { return getenv(\"LOADED_FILES_PLUGIN\") == NULL; }\n",
          {"-o", "bench"});
  EXPECT_THAT(found(), HasSubstr("gets by LOADED_FILES_PLUGIN"));
  compile(tree(), "int main(void) { return 0; }\n", {"-o", "bench"});
  EXPECT_THAT(found(), IsEmpty()) << "it does not read that";
  ::unsetenv("LOADED_FILES_PLUGIN");
}

TEST_F(LoadedFiles, SoAreItsArgumentsAndAScript) {
  compile(tree(), "int main(void) { return 0; }\n", {"-o", "bench"});
  library(checkout());
  EXPECT_THAT(found({"--plugin=" + (checkout() / "libwork.so").string()}), HasSubstr("gets '"));
  write_file(tree() / "bench", "#!/bin/sh\nexec \"" + (checkout() / "libwork.so").string() + "\" \"$@\"\n");
  EXPECT_THAT(found(), HasSubstr("names '"));
}

TEST_F(LoadedFiles, AFolderOfTheCheckoutIsToldApart) {
  fs::create_directories(checkout() / "data");
  compile(tree(),
          "const char* read = \"" + (checkout() / "data").string() + "\"; int main(void) { return 0; }\n",
          {"-o", "bench"});
  EXPECT_THAT(found(), HasSubstr("folder: names '"));
}

TEST_F(LoadedFiles, AFileThatABuildInstalledIsSeen) {
  library(folder_.path() / "installed");
  compile(tree(), kCallsWork,
          {"-L" + (folder_.path() / "installed").string(), "-lwork",
           "-Wl,-rpath," + (folder_.path() / "installed").string(), "-o", "bench"});
  EXPECT_THAT(found(), IsEmpty()) << "it was there before";
  BuiltBinary built{tree(), {}};
  built.binary.path = "bench";
  SharedPlaces all = places();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  all.began = std::chrono::system_clock::now();
  EXPECT_FALSE(shared_file_of(built, all));
  library(folder_.path() / "installed");
  EXPECT_TRUE(shared_file_of(built, all));
  // What is made while it is measured comes from compilers that run in the benchmarks, as Triton's does.
  all.ended = all.began;
  EXPECT_FALSE(shared_file_of(built, all));
}

// What dlopen() would load is a part of the program.
TEST_F(LoadedFiles, APluginOfTheTreeIsComparedToo) {
  for (const auto* side : {"a", "b"}) {
    library(tree(side), side == std::string("a") ? kWork : "int work(void) { return 7; }\n");
    compile(tree(side), "const char* opened = \"./libwork.so\"; int main(void) { return 0; }\n",
            {"-o", "bench"});
  }
  Binary binary;
  binary.path = "bench";
  EXPECT_THAT(why_not_same_program({tree("a"), binary}, {tree("b"), binary}, {}),
              HasSubstr("its library 'libwork.so': "));
}

TEST_F(LoadedFiles, AMappedFileOfTheCheckoutIsSeen) {
  library(checkout());
  compile(tree(),
          "#include <dlfcn.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(int n, char** all) {\n"
          "  char path[4096];\n  snprintf(path, sizeof path, \"%s/%s\", all[n - 1], \"libwork\" \".so\");\n"
          "  if (dlopen(path, RTLD_NOW) == NULL) return 1;\n  puts(\"ready\");\n  fflush(stdout);\n  "
          "pause();\n}\n",
          {"-o", "bench"});
  ProcessSpec spec;
  spec.argv = {(tree() / "bench").string(), checkout().string()};
  spec.timeout = std::chrono::seconds(20);
  int process = 0;
  bool is_ready = false;
  std::optional<SharedFile> seen;
  spec.on_start = [&](int id) { process = id; };
  spec.on_output = [&](std::string_view) { is_ready = true; };
  spec.keep_going = [&] {
    if (is_ready) seen = shared_mapping(process, tree(), places());
    return !seen;
  };
  run_process(spec);
  ASSERT_TRUE(seen);
  EXPECT_EQ(describe(*seen), loads_it());
}

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> inputs(const std::vector<std::string>& changed, const Binary& binary = {}) {
  return possible_inputs(changed, binary, "baselines");
}

TEST(BenchmarkInputs, WhatIsCompiledBuildsOrDocumentsIsNone) {
  EXPECT_THAT(
      inputs({".github/workflows/ci.yml", "README.md", "docs/images/a.png", "LICENSE", "src/a.cpp",
              "src/kernels/b.cu", "include/c.h", "CMakeLists.txt", "src/CMakeLists.txt", "cmake/d.cmake",
              "tools/run.sh", "tracker.toml", "baselines/nvidia-h200.json", ".clang-format"}),
      IsEmpty());
}

TEST(BenchmarkInputs, WhateverElseMayBeRead) {
  EXPECT_THAT(inputs({"data/words.txt", "bench/input.json", "scripts/make_data.py", "third_party/lib",
                      "docs.bin", "src/a.cpp"}),
              ElementsAre("data/words.txt", "bench/input.json", "scripts/make_data.py", "third_party/lib",
                          "docs.bin"));
}

TEST(BenchmarkInputs, ABinaryThatSaysWhatItReadsIsBelieved) {
  Binary binary;
  binary.reads = {{"data/*", "kernels/*.cu"}};
  EXPECT_THAT(inputs({"data/words.txt", "other.txt", "kernels/a.cu", "README.md"}, binary),
              ElementsAre("data/words.txt", "kernels/a.cu"));
  binary.reads = std::vector<std::string>{};
  EXPECT_THAT(inputs({"data/words.txt", "other.txt"}, binary), IsEmpty());
}

}  // namespace

}  // namespace tracker::measure
