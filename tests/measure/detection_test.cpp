#include "tracker/measure/detection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"

namespace tracker {
namespace {

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

}  // namespace
}  // namespace tracker
