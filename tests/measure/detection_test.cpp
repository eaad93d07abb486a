#include "tracker/measure/detection.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"

namespace tracker {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

// What Meson 1.0 leaves in a build folder, as far as it is read.
struct MesonFolder {
  testing_support::ScratchFolder root;

  MesonFolder(const std::string& source, const std::string& options) {
    write("build/meson-info/meson-info.json", R"({"directories": {"source": ")" +
                                                  (root.path() / source).lexically_normal().generic_string() +
                                                  R"("}})");
    write("build/meson-private/cmd_line.txt", "[options]\n" + options + "\n[properties]\ncross_file = []\n");
    write("build/build.ninja", "# rules\n\nbuild perf/bench-map: cpp_LINKER perf/bench-map.p/map.cc.o\n");
  }

  void write(const std::string& name, const std::string& text) {
    testing_support::write_file(root.path() / name, text);
  }

  DetectedBuild build_of(const std::string& binary) const {
    return detect_build(root.path(), {{.path = binary, .build_file = "build/meson-info/meson-info.json"}});
  }
};

TEST(DetectBuild, TakesTheOptionsThatMesonWasGivenAndTheTargets) {
  const MesonFolder folder(".", "benchmark = enabled\nfreetype:png = disabled\nbuildtype = release\n");
  const auto build = folder.build_of("build/perf/bench-map");
  EXPECT_EQ(build.from, "build/meson-info/meson-info.json");
  EXPECT_THAT(build.commands, ElementsAre(ElementsAre("meson", "setup", "build", "--buildtype=release",
                                                      "-Dbenchmark=enabled", "-Dfreetype:png=disabled"),
                                          ElementsAre("meson", "compile", "-C", "build", "perf/bench-map")));
}

TEST(DetectBuild, MeasuresNoDebugBuildOfMeson) {
  EXPECT_THAT(MesonFolder(".", "buildtype = debug\n").build_of("build/perf/bench-map").commands[0],
              ElementsAre("meson", "setup", "build", "--buildtype=release"));
  EXPECT_THAT(MesonFolder(".", "buildtype = debugoptimized\n").build_of("build/perf/bench-map").commands[0],
              ElementsAre("meson", "setup", "build", "--buildtype=debugoptimized"));
}

TEST(DetectBuild, NamesMesonsSourcesWhereTheyAreNotTheRoot) {
  EXPECT_THAT(MesonFolder("library", "").build_of("build/perf/bench-map").commands[0],
              ElementsAre("meson", "setup", "build", "library", "--buildtype=release"));
}

TEST(DetectBuild, BuildsAllWhereMesonHasNoTargetOfTheBinary) {
  EXPECT_THAT(MesonFolder(".", "").build_of("build/perf/copied").commands[1],
              ElementsAre("meson", "compile", "-C", "build"));
}

// A workspace whose bazel-bin leads out of it, as Bazel makes it.
struct BazelWorkspace {
  testing_support::ScratchFolder root;
  testing_support::ScratchFolder outputs;

  BazelWorkspace() {
    testing_support::write_file(root.path() / "WORKSPACE", "");
    testing_support::write_file(root.path() / "perf" / "BUILD", "");
    std::filesystem::create_directory_symlink(outputs.path(), root.path() / "bazel-bin");
    copy_benchmark("perf/sets/bench");
    copy_benchmark("external/library/bench");
  }

  void copy_benchmark(const std::string& name) const {
    std::filesystem::create_directories((outputs.path() / name).parent_path());
    std::filesystem::copy_file(CPU_BENCH, outputs.path() / name);
  }
};

TEST(DetectBinaries, FindsWhatBazelBuiltAndNotWhatItBuiltOfOthers) {
  const BazelWorkspace workspace;
  const auto binaries = detect_binaries(workspace.root.path());
  ASSERT_EQ(binaries.size(), 1);
  EXPECT_EQ(binaries[0].path, "bazel-bin/perf/sets/bench");
  EXPECT_EQ(binaries[0].build_file, "WORKSPACE");
  EXPECT_GT(binaries[0].benchmarks, 0);
}

TEST(DetectBuild, NamesTheLabelsOfBazelsTargets) {
  const BazelWorkspace workspace;
  const auto commands_of = [&](const std::string& binary) {
    return detect_build(workspace.root.path(), {{.path = binary, .build_file = "WORKSPACE"}}).commands;
  };
  EXPECT_THAT(commands_of("bazel-bin/perf/sets/bench"),
              ElementsAre(ElementsAre("bazel", "build", "--compilation_mode=opt", "//perf:sets/bench"),
                          ElementsAre("bazel", "shutdown")));
  EXPECT_THAT(commands_of("bazel-bin/bench"),
              Contains(ElementsAre("bazel", "build", "--compilation_mode=opt", "//:bench")));
}

}  // namespace
}  // namespace tracker
