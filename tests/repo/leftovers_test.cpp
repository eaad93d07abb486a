#include "tracker/repo/leftovers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"

namespace tracker {
namespace {

using namespace testing_support;
using ::testing::ElementsAre;

// The files that git does not track.
std::vector<std::string> left_in(const fs::path& root) {
  std::vector<std::string> left;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
    if (at->path().filename() == ".git")
      at.disable_recursion_pending();
    else if (!at->is_directory() && at->path().filename() != ".gitignore" &&
             at->path().filename() != "source")
      left.push_back(at->path().lexically_relative(root).string());
  }
  std::sort(left.begin(), left.end());
  return left;
}

struct Built : ScratchRepository {
  Built() {
    commit(".gitignore", "*.o\nbuild/\nbench\nCMakeCache.txt\n");
    commit("source", "x");
    for (const char* file : {"a.o", "bench", "build/lib/b.o", "build/cmake/CMakeCache.txt", "build/cmake/c.o",
                             "build/cmake/Makefile", "build/cmake/build.ninja", "build/cmake/.ninja_log",
                             "build/cmake/CMakeFiles/3.25.1/CMakeCXXCompiler.cmake",
                             "build/cmake/CMakeFiles/x.dir/d.o", "build/cmake/sub/Makefile"})
      write_file(root() / file, "built");
  }
};

TEST(Leftovers, OfCMakeStayWithoutItsConfiguration) {
  const Built scratch;
  EXPECT_TRUE(remove_leftovers(scratch.root(), Leftovers::kCMakeFolders));
  EXPECT_THAT(left_in(scratch.root()),
              ElementsAre("build/cmake/.ninja_log", "build/cmake/CMakeFiles/x.dir/d.o", "build/cmake/c.o",
                          "build/cmake/sub/Makefile"));
  EXPECT_EQ(scratch.git({"status", "--porcelain"}), "");
}

TEST(Leftovers, ARootThatCMakeConfiguredIsNoFolderOfItsOwn) {
  const Built scratch;
  write_file(scratch.root() / "CMakeCache.txt", "");
  remove_leftovers(scratch.root(), Leftovers::kCMakeFolders);
  EXPECT_FALSE(fs::exists(scratch.root() / "a.o"));
}

TEST(Leftovers, AllGoOrAllStay) {
  const Built scratch;
  EXPECT_TRUE(remove_leftovers(scratch.root(), Leftovers::kAll));
  EXPECT_EQ(left_in(scratch.root()).size(), 11u);
  EXPECT_FALSE(remove_leftovers(scratch.root(), Leftovers::kRemoved));
  EXPECT_THAT(left_in(scratch.root()), ElementsAre());
  EXPECT_EQ(read_file(scratch.root() / "source"), "x");
}

TEST(Leftovers, LinksAreRemovedAndNotFollowed) {
  const Built scratch;
  const auto elsewhere = scratch.folder() / "elsewhere";
  write_file(elsewhere / "CMakeCache.txt", "mine");
  write_file(elsewhere / "Makefile", "mine");
  fs::create_directory_symlink(elsewhere, scratch.root() / "build" / "link");
  fs::create_directory_symlink(elsewhere, scratch.root() / "link.o");
  remove_leftovers(scratch.root(), Leftovers::kCMakeFolders);
  EXPECT_FALSE(fs::is_symlink(scratch.root() / "link.o"));
  EXPECT_FALSE(fs::is_symlink(scratch.root() / "build" / "link"));
  EXPECT_EQ(read_file(elsewhere / "CMakeCache.txt"), "mine");
  EXPECT_EQ(read_file(elsewhere / "Makefile"), "mine");
}

TEST(BuiltFile, IsRemovedBelowTheRoot) {
  const Built scratch;
  remove_built_file(scratch.root(), "bench");
  remove_built_file(scratch.root(), "./build/../build/lib/b.o");
  remove_built_file(scratch.root(), "build/none/there");
  EXPECT_FALSE(fs::exists(scratch.root() / "bench"));
  EXPECT_FALSE(fs::exists(scratch.root() / "build" / "lib" / "b.o"));
}

TEST(BuiltFile, IsNeitherTrackedNorElsewhereNorAFolder) {
  const Built scratch;
  const auto elsewhere = scratch.folder() / "elsewhere";
  write_file(elsewhere / "bench", "mine");
  fs::create_directory_symlink(elsewhere, scratch.root() / "build" / "link");
  fs::create_symlink(elsewhere / "bench", scratch.root() / "build" / "file");
  const auto absolute = (elsewhere / "bench").string();
  for (const std::string path :
       {"source", "../elsewhere/bench", "build/link/bench", "build/../../elsewhere/bench", "build", ".", "",
        ".git/HEAD", absolute.c_str()}) {
    remove_built_file(scratch.root(), path);
    EXPECT_TRUE(fs::exists(scratch.root() / path)) << path;
  }
  remove_built_file(scratch.root(), "build/file");
  EXPECT_FALSE(fs::is_symlink(scratch.root() / "build" / "file"));
  EXPECT_EQ(read_file(elsewhere / "bench"), "mine") << "a link goes, what it names stays";
}

}  // namespace
}  // namespace tracker
