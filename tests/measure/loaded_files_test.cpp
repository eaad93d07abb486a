// Real programs, compiled here in the folders of a worktree and of a checkout.
#include "tracker/measure/loaded_files.hpp"

#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/measure/same_program.hpp"

namespace tracker {
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

}  // namespace
}  // namespace tracker
