#include "tracker/base/file.hpp"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tracker/base/error.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

template <typename Call>
void expect_error(Call&& call, ExitCode code, const std::string& part) {
  try {
    call();
    ADD_FAILURE() << "no error, where one should say: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

class Files : public testing::Test {
 protected:
  fs::path at(const std::string& name) const { return folder_.path() / name; }
  void put(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {}));
  }

  TemporaryDirectory folder_;
};

TEST_F(Files, ReadsTheWholeOfAFile) {
  const std::string text("a\0b\r\n\xFF", 6);
  put("x", text);
  EXPECT_EQ(read_file(at("x"), 6), text);
  const std::string large(300'000, 'x');
  put("large", large);
  EXPECT_EQ(read_file(at("large"), large.size()), large);
}

TEST_F(Files, RefusesWhatIsTooLarge) {
  put("x", "1234567");
  expect_error([&] { read_file(at("x"), 6); }, ExitCode::kUsage,
               "is larger than 6 bytes, and refused: it has 7 bytes");
  std::ofstream(at("sparse")).put('x');
  fs::resize_file(at("sparse"), (1 << 20) + 1);
  expect_error([&] { read_file(at("sparse"), 1 << 20); }, ExitCode::kUsage,
               "is larger than 1 MiB, and refused: it has 2 MiB");
  fs::resize_file(at("sparse"), std::uintmax_t{1} << 30);
  expect_error([&] { read_file(at("sparse"), 256 << 20); }, ExitCode::kUsage,
               "sparse' is larger than 256 MiB, and refused: it has 1024 MiB");
}

TEST_F(Files, AnEndlessStreamEnds) {
  expect_error([] { read_file("/dev/zero", 100'000); }, ExitCode::kUsage, "'/dev/zero' is larger than");
}

TEST_F(Files, NamesWhatCannotBeRead) {
  put("file", "x");
  put("empty", "");
  expect_error([&] { read_file(at("none"), 10); }, ExitCode::kUsage, "no file '" + at("none").string() + "'");
  expect_error([&] { read_file(at("file") / "below", 10); }, ExitCode::kUsage, "no file");
  expect_error([&] { read_file(folder_.path(), 10); }, ExitCode::kUsage, "is a folder, not a file");
  expect_error([&] { read_file(at("empty"), 10); }, ExitCode::kUsage, "empty' is empty");
  expect_error([&] { read_file("/proc/self/mem", 10); }, ExitCode::kUsage,
               "cannot read '/proc/self/mem': Input/output");
  fs::create_symlink(at("loop"), at("loop"));
  expect_error([&] { read_file(at("loop"), 10); }, ExitCode::kUsage, "loop");
}

TEST_F(Files, NamesAreFitForATerminal) {
  expect_error([&] { read_file(at("a\x1b[31m"), 10); }, ExitCode::kUsage, "a [31m'");
}

TEST_F(Files, WritesAndReplaces) {
  write_file(at("x"), "first");
  EXPECT_EQ(read_file(at("x"), 10), "first");
  write_file(at("x"), "2");
  EXPECT_EQ(read_file(at("x"), 10), "2");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, AReaderThatHasItOpenKeepsTheOldText) {
  write_file(at("x"), "old text");
  std::ifstream reader(at("x"));
  write_file(at("x"), "new");
  std::string seen;
  std::getline(reader, seen);
  EXPECT_EQ(seen, "old text");
}

TEST_F(Files, MakesTheFoldersOnTheWay) {
  write_file(at("a/b/c/x"), "text");
  EXPECT_EQ(read_file(at("a/b/c/x"), 10), "text");
}

TEST_F(Files, AFileInTheWayIsAnErrorAndNothingIsLeft) {
  put("file", "x");
  expect_error([&] { write_file(at("file/y"), "text"); }, ExitCode::kEnvironment, "file/y'");
  fs::create_directory(at("folder"));
  expect_error([&] { write_file(at("folder"), "text"); }, ExitCode::kEnvironment, "cannot write");
  EXPECT_EQ(entries(), 2u);
  EXPECT_EQ(read_file(at("file"), 10), "x");
}

TEST_F(Files, AFolderThatCannotBeWrittenIsAnError) {
  expect_error([] { write_file("/proc/self/x", "text"); }, ExitCode::kEnvironment,
               "cannot write '/proc/self/x'");
  expect_error([] { write_file("/proc/x/y", "text"); }, ExitCode::kEnvironment, "'/proc/x/y'");
}

// A full disk shows itself when the text is written, not when the file is opened: the draft is a link to
// a device that is always full.
TEST_F(Files, AFullDiskLosesNothing) {
  write_file(at("x"), "old");
  fs::create_symlink("/dev/full", at("x." + std::to_string(::getpid()) + ".tmp"));
  expect_error([&] { write_file(at("x"), std::string(100'000, 'x')); }, ExitCode::kEnvironment,
               "No space left on device");
  EXPECT_EQ(read_file(at("x"), 10), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST(TemporaryDirectories, AreOfTheirOwnAndGoAway) {
  fs::path first;
  {
    TemporaryDirectory a;
    TemporaryDirectory b;
    first = a.path();
    EXPECT_NE(a.path(), b.path());
    write_file(a.path() / "deep/er/x", "text");
    EXPECT_EQ(fs::status(a.path()).permissions() & fs::perms::mask, fs::perms::owner_all);
  }
  EXPECT_FALSE(fs::exists(first));
}

TEST(TemporaryDirectories, StayWhereTheyAreToBeKept) {
  fs::path kept;
  {
    TemporaryDirectory a;
    a.keep();
    kept = a.path();
  }
  EXPECT_TRUE(fs::remove(kept));
}

TEST(TemporaryDirectories, NowhereToBeMadeIsAnError) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", "/nonexistent/folder", 1);
  expect_error([] { TemporaryDirectory a; }, ExitCode::kEnvironment, "cannot make a temporary folder");
  if (before != nullptr)
    ::setenv("TMPDIR", kept.c_str(), 1);
  else
    ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace tracker
