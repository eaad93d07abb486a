#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/project/project.hpp"

namespace tracker::project {
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

// A project with the cache that CMake 3.25 left of it in build/, as far as it is read.
struct CmakeFolder {
  testing_support::ScratchFolder root;
  std::string cache;

  explicit CmakeFolder(const std::string& lists = "") {
    testing_support::write_file(root.path() / "CMakeLists.txt", lists);
    add("For build in directory", "CMAKE_HOME_DIRECTORY:INTERNAL", root.path().generic_string());
    add("Choose the type of build", "CMAKE_BUILD_TYPE:STRING", "Release");
  }

  CmakeFolder& add(const std::string& help, const std::string& name, const std::string& value) {
    cache += "//" + help + "\n" + name + "=" + value + "\n\n";
    return *this;
  }

  CmakeFolder& by_hand(const std::string& name, const std::string& value) {
    return add("No help, variable specified on the command line.", name, value);
  }

  DetectedBuild build_of(const std::string& binary) const {
    testing_support::write_file(root.path() / "build" / "CMakeCache.txt", cache);
    return detect_build(root.path(), {{.path = binary, .build_file = "build/CMakeCache.txt"}});
  }

  // What stands behind the build type.
  std::vector<std::string> options() const {
    const auto configure = build_of("build/bench").commands.at(0);
    EXPECT_THAT(configure, ::testing::Contains("-DCMAKE_BUILD_TYPE=Release"));
    return {configure.begin() + 4, configure.end()};
  }
};

TEST(DetectBuild, StatesTheOptionsThatDifferFromTheDefaultsOfTheProject) {
  CmakeFolder project(
      "option(WITH_BENCH \"benchmarks\" OFF)\n"
      "option(WITH_TESTS \"tests\" ON)\n"
      "option(QUOTED \"the \\\"quoted\\\" one\" OFF)\n"
      "set(LEVEL low CACHE STRING \"low or high\")\n"
      "set(CHOICE off CACHE STRING \"a choice\")\n"
      "set(SWITCH OFF CACHE BOOL \"a switch\")\n");
  project.add("benchmarks", "WITH_BENCH:BOOL", "ON")
      .add("tests", "WITH_TESTS:BOOL", "ON")
      .add("the \"quoted\" one", "QUOTED:BOOL", "ON")
      .add("low or high", "LEVEL:STRING", "high")
      .add("a choice", "CHOICE:STRING", "off")
      .add("a switch", "SWITCH:BOOL", "ON")
      .by_hand("ANYTHING:UNINITIALIZED", "1");
  EXPECT_THAT(project.options(),
              ElementsAre("-DANYTHING=1", "-DLEVEL=high", "-DQUOTED=ON", "-DSWITCH=ON", "-DWITH_BENCH=ON"));
}

TEST(DetectBuild, StatesAnOptionWhoseDefaultIsAnotherVariable) {
  CmakeFolder project(
      "option(SYSTEM_LIBS \"all of the system's\" OFF)\n"
      "option(SYSTEM_BENCHMARK \"the system's\" ${SYSTEM_LIBS})\n"
      "option(SYSTEM_TESTS \"the system's\" ${SYSTEM_LIBS})\n"
      "option(STANDALONE_TESTS \"tests\" ${IS_TOP})\n"
      "option(FROM_ENVIRONMENT \"as the environment says\" $ENV{FROM_ENVIRONMENT})\n"
      "set(DATA \"${CMAKE_CURRENT_SOURCE_DIR}/data\" CACHE PATH \"data of this checkout\")\n");
  project.add("all of the system's", "SYSTEM_LIBS:BOOL", "OFF")
      .add("the system's", "SYSTEM_BENCHMARK:BOOL", "ON")
      .add("the system's", "SYSTEM_TESTS:BOOL", "OFF")
      .add("tests", "STANDALONE_TESTS:BOOL", "OFF")
      .add("as the environment says", "FROM_ENVIRONMENT:BOOL", "OFF")
      .add("data of this checkout", "DATA:PATH", project.root.path() / "data");
  EXPECT_THAT(project.options(), ElementsAre("-DSTANDALONE_TESTS=OFF", "-DSYSTEM_BENCHMARK=ON"));
}

TEST(DetectBuild, StatesAChoiceWhoseDefaultTheProjectSets) {
  CmakeFolder project(
      "set(OF_CUDA \"CUDA\")\nset(OF_THREADS THREADS)\nset(TWICE a)\nset(TWICE b)\nset(COMPUTED "
      "${WHATEVER})\n"
      "set(BACKEND ${OF_CUDA} CACHE STRING \"a backend\")\n"
      "set(OTHER ${OF_THREADS} CACHE STRING \"another\")\n"
      "set(UNKNOWN ${TWICE} CACHE STRING \"one of two\")\n"
      "set(FOLDER ${COMPUTED} CACHE STRING \"computed\")\n");
  project.add("a backend", "BACKEND:STRING", "THREADS")
      .add("another", "OTHER:STRING", "THREADS")
      .add("one of two", "UNKNOWN:STRING", "c")
      .add("computed", "FOLDER:STRING", "d");
  EXPECT_THAT(project.options(), ElementsAre("-DBACKEND=THREADS"));
}

TEST(DetectBuild, StatesADependentOptionAndOneWithTwoDefaults) {
  CmakeFolder project(
      "include(CMakeDependentOption)\n"
      "CMAKE_DEPENDENT_OPTION(TESTS\n  \"tests\"  # of all\n  ON \"${standalone}\" OFF)\n"
      "cmake_dependent_option(DOCS \"documents\" ON \"standalone\" OFF)\n"
      "if(WIN32)\n  option(FAST \"fast\" ON)\nelse()\n  option(FAST \"fast\" OFF)\nendif()\n");
  project.add("tests", "TESTS:BOOL", "OFF")
      .add("documents", "DOCS:INTERNAL", "OFF")
      .add("fast", "FAST:BOOL", "ON");
  EXPECT_THAT(project.options(), ElementsAre("-DFAST=ON", "-DTESTS=OFF"));
}

TEST(DetectBuild, StatesTheCompilerAndItsFlags) {
  CmakeFolder project;
  project.add("CXX compiler", "CMAKE_CXX_COMPILER:STRING", "/usr/bin/clang++")
      .add("C compiler", "CMAKE_C_COMPILER:FILEPATH", "/usr/bin/gcc-11")
      .add("Flags used by the CXX compiler during all build types.", "CMAKE_CXX_FLAGS:STRING",
           "-march=haswell -O2")
      .add("Flags used by the CXX compiler during RELEASE builds.", "CMAKE_CXX_FLAGS_RELEASE:STRING", "-O1")
      .add("Flags used by the C compiler during RELEASE builds.", "CMAKE_C_FLAGS_RELEASE:STRING",
           "-O3 -DNDEBUG")
      .add("Flags used by the CXX compiler during DEBUG builds.", "CMAKE_CXX_FLAGS_DEBUG:STRING", "-Og")
      .add("Flags used by the linker during all build types.", "CMAKE_EXE_LINKER_FLAGS:STRING",
           "-fuse-ld=lld");
  EXPECT_THAT(project.options(),
              ElementsAre("-DCMAKE_CXX_COMPILER=/usr/bin/clang++", "-DCMAKE_CXX_FLAGS=-march=haswell -O2",
                          "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DCMAKE_C_COMPILER=/usr/bin/gcc-11",
                          "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"));
}

TEST(DetectBuild, StatesNoCompilerThatCMakeFindsByItself) {
  CmakeFolder project;
  project.add("CXX compiler", "CMAKE_CXX_COMPILER:FILEPATH", "/usr/bin/c++")
      .add("C compiler", "CMAKE_C_COMPILER:FILEPATH", "/usr/bin/cc")
      .add("CUDA compiler", "CMAKE_CUDA_COMPILER:FILEPATH", "/usr/local/cuda/bin/nvcc")
      .add("Flags used by the CXX compiler during RELEASE builds.", "CMAKE_CXX_FLAGS_RELEASE:STRING",
           "-O3 -DNDEBUG");
  EXPECT_THAT(project.options(), ElementsAre());
}

TEST(DetectBuild, StatesPackagesThatCMakeDoesNotFindByItself) {
  const std::string help = "The directory containing a CMake configuration file for ";
  CmakeFolder project;
  project.add(help + "a.", "a_DIR:PATH", "/srv/a/lib/cmake/a")
      .add(help + "b.", "b_DIR:PATH", "/usr/lib/cmake/b")
      .add(help + "c.", "c_DIR:PATH", "c_DIR-NOTFOUND")
      .add(help + "d.", "d_DIR:PATH", project.root.path() / "build" / "d")
      .add("When not empty, overrides where to find pre-populated content for e",
           "FETCHCONTENT_SOURCE_DIR_E:PATH", "/srv/e");
  EXPECT_THAT(project.options(),
              ElementsAre("-DFETCHCONTENT_SOURCE_DIR_E=/srv/e", "-Da_DIR=/srv/a/lib/cmake/a"));
}

TEST(DetectBuild, NamesTheBuildTypeOfAGeneratorThatMakesSeveral) {
  CmakeFolder project;
  project.add("Name of generator.", "CMAKE_GENERATOR:INTERNAL", "Ninja Multi-Config")
      .add("Semicolon separated list of supported configuration types", "CMAKE_CONFIGURATION_TYPES:STRING",
           "Debug;Release;RelWithDebInfo");
  const auto commands = project.build_of("build/perf/RelWithDebInfo/bench").commands;
  EXPECT_THAT(commands[0], ElementsAre("cmake", "-B", "build", "-G", "Ninja Multi-Config"));
  EXPECT_THAT(commands[1], ::testing::IsSupersetOf({"--config", "RelWithDebInfo"}));
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
  EXPECT_FALSE(binaries[0].names.empty());
}

// The default target of a library makes no benchmarks.
TEST(DetectBuild, NamesTheTargetsOfAMakefile) {
  const testing_support::ScratchFolder root;
  const auto make = [&](const std::vector<std::string>& paths) {
    std::vector<DetectedBinary> binaries;
    for (const auto& path : paths) binaries.push_back({.path = path});
    auto command = detect_build(root.path(), binaries).commands.at(0);
    command.erase(command.begin() + 1);  // how many jobs
    return command;
  };
  testing_support::write_file(
      root.path() / "Makefile",
      "all: lib.a\nobj/bench-map.o: map.cc\nobj/bench-map: lib.a map.o\n\tc++ -o $@\nobj/bench-set : lib.a\n"
      "obj/other:=x\n");
  EXPECT_THAT(make({"obj/bench-map"}), ElementsAre("make", "obj/bench-map"));
  EXPECT_THAT(make({"obj/bench-map", "obj/bench-set"}),
              ElementsAre("make", "obj/bench-map", "obj/bench-set"));
  EXPECT_THAT(make({"obj/bench-map", "obj/made-by-a-pattern"}), ElementsAre("make"));
  EXPECT_THAT(make({"obj/other"}), ElementsAre("make")) << "that is a variable";
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
}  // namespace tracker::project
