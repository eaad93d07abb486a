// tracker export and import: documents as files, and what hostile files may not do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// A repository with a run of its HEAD, exported; and a clone without any runs.
class Import : public testing::Test {
 protected:
  Import() {
    scratch_.commit_speeds("copy/a/8 9000 0.001 1000000\n");
    scratch_.commit_speeds("copy/a/8 10000 0.001 1000000\ncopy/b/8 9000 0.001 1000000\n");
    EXPECT_EQ(scratch_.tracker({"run", "-n", "3"}).exit_code, 0);
    exported_ = scratch_.tracker({"export", "--out", folder().string()});
    EXPECT_EQ(exported_.exit_code, 0) << exported_.errors;
    scratch_.git({"clone", "-q", ".", clone().string()});
    head_ = scratch_.git({"rev-parse", "HEAD"});
    for (const auto& entry : fs::recursive_directory_iterator(folder()))
      if (entry.is_regular_file()) file_ = entry.path();
  }
  fs::path folder() const { return scratch_.folder() / "exported"; }
  fs::path clone() const { return scratch_.folder() / "clone"; }
  ProcessResult in_clone(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-C", clone().string()});
    return scratch_.tracker(arguments);
  }
  ProcessResult import(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"import", folder().string()});
    return in_clone(more);
  }
  std::string text() const { return read_file(file_, 1 << 24); }
  std::string refs_of_clone() const {
    return scratch_.git({"-C", clone().string(), "for-each-ref", "refs/tracker"});
  }
  // The document with a value put at a JSON pointer, in place of the exported one.
  void change(const std::string& pointer, const json& value) const {
    json document = json::parse(text());
    document[json::json_pointer(pointer)] = value;
    write_file(file_, document.dump());
  }
  // Of the exported files: beside or below them, or elsewhere in the layout.
  fs::path beside(const std::string& name) const { return file_.parent_path() / name; }

  Scratch scratch_;
  ProcessResult exported_;
  std::string head_;
  fs::path file_;
};

TEST_F(Import, TakesInWhatWasExportedByteForByte) {
  const auto place = "test-gpu/" + head_.substr(0, 2) + "/" + head_ + "/" + file_.filename().string();
  EXPECT_EQ(exported_.output, "exported to " + folder().string() + "\n  run      " + place + "\n");
  EXPECT_EQ(file_, folder() / place);
  EXPECT_EQ(text(), scratch_.git({"show", "refs/tracker/v1:" + place}) + "\n");
  const auto id = file_.stem().string();
  const auto line = "  run      " + head_.substr(0, 7) + "  test-gpu  " + id + "\n";
  const auto first = import({"--commit", "HEAD"});
  EXPECT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_EQ(first.output, "imported 1 run into refs/tracker/v1\n" + line);
  EXPECT_EQ(in_clone({"log"}).output, scratch_.tracker({"log"}).output);
  const auto refs = refs_of_clone();
  EXPECT_EQ(import().output, "imported 1 run into refs/tracker/v1, of which 1 was there already\n" + line);
  EXPECT_EQ(refs_of_clone(), refs);
  EXPECT_EQ(scratch_.git({"-C", clone().string(), "show", "refs/tracker/v1:" + place}) + "\n", text());
}

TEST_F(Import, ExportSaysWhereNothingIsRecorded) {
  const auto before = scratch_.tracker({"export", "HEAD", "HEAD~1", "--out", "elsewhere"});
  EXPECT_EQ(before.exit_code, 3);
  EXPECT_THAT(before.errors, AllOf(HasSubstr("nothing is recorded for " +
                                             scratch_.git({"rev-parse", "--short=7", "HEAD~1"})),
                                   HasSubstr("tracker sync --fetch")));
  EXPECT_FALSE(fs::exists(scratch_.root() / "elsewhere")) << "all or nothing";
  const auto device = scratch_.tracker({"export", "--device", "other-*", "--out", "elsewhere"});
  EXPECT_EQ(device.exit_code, 3);
  EXPECT_THAT(device.errors, HasSubstr("on a device that matches 'other-*'"));
  EXPECT_EQ(scratch_.tracker({"export", "--device", "test-*", "--out", "elsewhere"}).exit_code, 0);
  EXPECT_EQ(scratch_.tracker({"export", "nonsense", "--out", "elsewhere"}).exit_code, 2);
  EXPECT_EQ(scratch_.tracker({"export"}).exit_code, 2);
}

TEST_F(Import, TakesProfilesInTheSameWay) {
  json run = json::parse(text());
  const json profile = {{"schema", "tracker.profile/1"},
                        {"id", run["id"]},
                        {"commit", head_},
                        {"dirty", false},
                        {"started_at", "2026-11-20T12:00:00Z"},
                        {"profiler", "ncu 2025.3.1"},
                        {"device", run["device"]},
                        {"software", run["software"]},
                        {"benchmarks", json::array()}};
  write_file(beside(file_.stem().string() + ".profile.json"), profile.dump());
  const auto result = import();
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, StartsWith("imported 1 run and 1 profile into refs/tracker/v1\n"));
  EXPECT_EQ(scratch_.git({"-C", clone().string(), "rev-list", "--count", "refs/tracker/v1"}), "1");
  EXPECT_THAT(in_clone({"export", "--out", "again"}).output, HasSubstr("  profile  test-gpu/"));
}

TEST_F(Import, TakesNoOtherCommits) {
  const auto refused = import({"--commit", "HEAD~1"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr(file_.string()),
                                    HasSubstr("is of commit " + head_ + ", which is none of those asked for"),
                                    HasSubstr("nothing was imported")));
  EXPECT_EQ(import({"--commit", "HEAD~9"}).exit_code, 2);
  EXPECT_EQ(refs_of_clone(), "");
  EXPECT_EQ(import({"--commit", "HEAD~1", "--commit", "HEAD"}).exit_code, 0);
}

TEST_F(Import, TakesNoCommitThatIsNotHere) {
  scratch_.commit_speeds("copy/a/8 20000 0.001 1000000\n");
  EXPECT_EQ(scratch_.tracker({"run", "-n", "1"}).exit_code, 0);
  EXPECT_EQ(scratch_.tracker({"export", "--out", folder().string()}).exit_code, 0);
  const auto refused = import();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("which is not in this repository"));
  EXPECT_EQ(refs_of_clone(), "") << "nor the run that is fine";
}

TEST_F(Import, ChangesNothingThatIsRecorded) {
  EXPECT_EQ(import().exit_code, 0);
  const auto refs = refs_of_clone();
  change("/dirty", true);
  fs::copy(file_, beside("20990101T000000Z-00000001.json"));
  change("/length_s", 12345);
  json second = json::parse(text());
  second["id"] = "20990101T000000Z-00000001";
  write_file(beside("20990101T000000Z-00000001.json"), second.dump());
  const auto refused = import();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("is already recorded, with other contents"));
  EXPECT_EQ(refs_of_clone(), refs) << "all or nothing";
}

// Each row puts one thing into the exported folder; what import says of it.
struct Attack {
  const char* name;
  std::string message;
  std::function<void()> put;
};

class Attacks : public Import {
 protected:
  std::vector<Attack> of_files() const {
    const fs::path commit_folder = file_.parent_path();
    return {
        {"a link to a file", "is a symbolic link",
         [=, this] { fs::create_symlink("/etc/passwd", beside("a.json")); }},
        {"a link to a folder", "is a symbolic link",
         [=, this] { fs::create_directory_symlink("/etc", folder() / "other-gpu"); }},
        {"a link in place of the run", "is a symbolic link",
         [=, this] {
           fs::rename(file_, scratch_.folder() / "run.json");
           fs::create_symlink(scratch_.folder() / "run.json", file_);
         }},
        {"a pipe", "is no regular file",
         [=, this] { EXPECT_EQ(::mkfifo(beside("a.json").c_str(), 0600), 0); }},
        {"a file of another kind", "is no name of a run or profile",
         [=, this] { write_file(beside("a.sh"), "x"); }},
        {"a file elsewhere", "is no name of a run or profile",
         [=, this] { write_file(folder() / "a.json", "{}"); }},
        {"names that climb", "is no name of a run or profile",
         [=, this] { write_file(folder() / "..." / "aa" / head_ / "a.json", "{}"); }},
        {"a name of git's", "is no name of a run or profile",
         [=, this] { write_file(folder() / ".git/config", "x"); }},
        {"an option as a name", "is no name of a run or profile",
         [=, this] { fs::copy(file_, beside("-a.json")); }},
        {"escape codes in a name", "is no name of a run or profile",
         [=, this] { fs::copy(file_, beside("\x1b[31m.json")); }},
        {"folders without end", "is a folder where files are expected",
         [=] { fs::create_directories(commit_folder / "a" / "b"); }},
        {"200 MB", "is larger than 64 MiB", [=, this] { fs::resize_file(file_, 200u << 20); }},
        {"more files than anyone records", "holds more than 1000 files",
         [=, this] {
           for (int i = 0; i <= 1000; ++i) write_file(beside(std::to_string(i) + ".json"), "{}");
         }},
        {"nothing in a file", "is empty", [=, this] { write_file(file_, ""); }},
        {"nothing at all", "holds no run and no profile", [=] { fs::remove_all(commit_folder); }},
        {"another commit's folder", "lies at commit",
         [=, this] {
           const auto other = scratch_.git({"rev-parse", "HEAD~1"});
           fs::create_directories(folder() / "test-gpu" / other.substr(0, 2) / other);
           fs::rename(file_, folder() / "test-gpu" / other.substr(0, 2) / other / file_.filename());
         }},
        {"another device's folder", "lies at device 'better-gpu', and is of 'test-gpu'",
         [=, this] { fs::rename(folder() / "test-gpu", folder() / "better-gpu"); }},
        {"the same run under another id", "lies at id 'a'",
         [=, this] { fs::rename(file_, beside("a.json")); }},
        {"a run as a profile", "schema 'tracker.run/1'",
         [=, this] { fs::rename(file_, beside(file_.stem().string() + ".profile.json")); }},
    };
  }

  std::vector<Attack> of_contents() const {
    const auto replace = [=, this](const std::string& from, const std::string& to) {
      auto changed = text();
      const auto at = changed.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      write_file(file_, changed.replace(at, from.size(), to));
    };
    const std::string long_name(10000, 'a');
    return {
        {"half a document", "it ends in the middle",
         [=, this] { write_file(file_, text().substr(0, text().size() / 2)); }},
        {"NaN", "a value is NaN", [=] { replace("\"length_s\": ", "\"length_s\": NaN, \"x\": "); }},
        {"a number beyond all", "out of range",
         [=] { replace("\"length_s\": ", "\"length_s\": 1e999, \"x\": "); }},
        {"nesting", "nested more than 100 levels",
         [=, this] { write_file(file_, std::string(1000000, '[')); }},
        {"no UTF-8", "not UTF-8", [=] { replace("\"dirty\"", "\"d\xffrty\""); }},
        {"two ids", "'id' stands twice", [=] { replace("\"id\": ", "\"id\": \"other\", \"id\": "); }},
        {"a long name", "is a name of 10000 bytes",
         [=, this] {
           change("/benchmarks/1/name", long_name);
           change("/invocations", json::array());
         }},
        {"a long key", "is a name of 10000 bytes",
         [=, this] { change("/benchmarks/0/counters/" + long_name, 1); }},
        {"control characters", "is a name with control characters",
         [=, this] { change("/benchmarks/0/counters/a\x1b[31m", 1); }},
        {"a field of its own", "payload is not known", [=, this] { change("/payload", "x"); }},
        {"time below zero", "real_time_ns[0] is below zero",
         [=, this] {
           change("/invocations/0/samples/copy~1a~18/real_time_ns", {-1, -1, -1});
         }},
        {"a count below zero", "core_count is below zero", [=, this] { change("/device/core_count", -1); }},
        {"the same benchmark twice", "stands twice", [=, this] { change("/benchmarks/1/name", "copy/a/8"); }},
        {"another commit", "lies at commit", [=, this] { change("/commit", std::string(40, 'a')); }},
        {"no commit", "lies at commit", [=, this] { change("/commit", ""); }},
        {"an id that climbs", "id: expected letters", [=, this] { change("/id", "../../x"); }},
        {"another device", "lies at device", [=, this] { change("/device/model", "NVIDIA H200"); }},
        {"another schema", "its schema is 'tracker.run/3'",
         [=, this] { change("/schema", "tracker.run/3"); }},
    };
  }

  void refuse_all(const std::vector<Attack>& attacks) const {
    const auto good = scratch_.folder() / "good";
    fs::copy(folder(), good, fs::copy_options::recursive);
    for (const auto& attack : attacks) {
      attack.put();
      const auto result = import();
      EXPECT_EQ(result.exit_code, 2) << attack.name;
      EXPECT_EQ(result.output, "") << attack.name;
      EXPECT_THAT(result.errors, AllOf(StartsWith("tracker: error: "), HasSubstr(attack.message)))
          << attack.name;
      EXPECT_EQ(result.errors.find('\x1b'), std::string::npos) << attack.name;
      EXPECT_LT(result.errors.size(), 2000u) << attack.name;
      EXPECT_EQ(refs_of_clone(), "") << attack.name;
      fs::remove_all(folder());
      fs::copy(good, folder(), fs::copy_options::recursive);
    }
    EXPECT_EQ(import().exit_code, 0) << "and the folder itself is fine";
  }
};

TEST_F(Attacks, ByFilesAreNamedAndRefused) {
  refuse_all(of_files());
}

TEST_F(Attacks, ByContentsAreNamedAndRefused) {
  refuse_all(of_contents());
}

TEST_F(Attacks, ByTheCommandLineAreRefused) {
  for (const std::string& path : {file_.string(), (folder() / "nowhere").string()})
    EXPECT_EQ(in_clone({"import", path}).exit_code, 2) << path;
  EXPECT_EQ(in_clone({"import"}).exit_code, 2);
  EXPECT_EQ(import({"--commit", "--all"}).exit_code, 2);
}

}  // namespace
}  // namespace tracker::e2e
