// What a killed process leaves beside the summaries, SQLite's log of changes (-wal) and its index (-shm), may
// be damaged, of another moment, or of another file: the answers are those of the documents all the same.
#include <array>
#include <map>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/history/run_source_fixture.hpp"
#include "tracker/summary/database.hpp"
#include "tracker/summary/packed.hpp"

namespace tracker::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::read_file;
using testing_support::write_file;

constexpr std::array<const char*, 3> kSuffixes{"", "-wal", "-shm"};

// A file of summaries as a killed process leaves it.
using Files = std::map<std::string, std::string>;  // what is behind the name → bytes

std::string random_bytes(std::size_t count, std::mt19937& random) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

class SummaryLogTest : public RunSourceTest {
 protected:
  // While `own` is open its log is not taken into the file.
  Files left_behind() const {
    Files files;
    for (const char* suffix : kSuffixes) files[suffix] = read_file(file().string() + suffix);
    return files;
  }
  void put(const Files& files) const {
    for (const char* suffix : kSuffixes) {
      std::filesystem::remove(file_ + suffix);
      if (const auto one = files.find(suffix); one != files.end()) write_file(file_ + suffix, one->second);
    }
  }
  // So many runs are in the file, the others in the log.
  void leave_behind(int in_file, int in_log) {
    record_line(in_file);
    line_of({*store, *open()});
    file_ = file().string();
    record({run_of(commit("c"), in_file)});
    {
      const auto own = open();
      line_of({*store, *own});
      earlier_ = left_behind();
    }
    std::vector<tracker::Run> runs;
    for (int i = 1; i < in_log; ++i) runs.push_back(run_of(commit("c"), in_file + i));
    record(runs);
    const auto own = open();
    line_of({*store, *own});
    left_ = left_behind();
    ASSERT_GT(left_.at("-wal").size(), 10'000u);
    truth_ = line_of(*store);
    newest_ = recent_of(*store, 5);
  }
  // The same of another store, with other runs of the same device and benchmarks.
  Files of_another_store(int in_file, int in_log) {
    const std::string name = "other" + std::to_string(in_file);
    const auto other = store::open_git(*repository, "refs/tracker/" + name);
    const std::string head = git(root(), {"rev-parse", "HEAD"});
    const auto record_other = [&](int from, int to) {
      std::vector<std::pair<store::Key, std::string>> documents;
      for (int i = from; i < to; ++i) {
        auto run = run_of(head, i);  // of the same size, so that pages lie at the same places
        run.id.back() = 'b';
        run.software.driver->back() = '?';
        for (auto& invocation : run.invocations)
          for (auto& [benchmark, samples] : invocation.samples)
            for (double& time_ns : samples.real_time_ns) time_ns *= 2;
        documents.emplace_back(key_of(run), formats::write_run(run));
      }
      other->add(documents);
    };
    record_other(0, in_file);
    line_of({*other, *open_summaries(*other, root() / name, {}, {})});
    record_other(in_file, in_file + in_log);
    const auto own = open_summaries(*other, root() / name, {}, {});
    line_of({*other, *own});
    Files files;
    for (const auto& entry : std::filesystem::directory_iterator(root() / name)) {
      const std::string of = entry.path().filename().string();
      files[of.substr(of.find(".sqlite") + 7)] = read_file(entry.path());
    }
    return files;
  }
  // Twice: what the first question finds and mends is right for the next one.
  void expect_truth(const Files& files, const std::string& what) {
    put(files);
    for (const char* time : {"first", "second"}) {
      notes.clear();
      const auto own = open();
      EXPECT_EQ(recent_of({*store, *own}, 5), newest_) << what << ", " << time;
      EXPECT_EQ(line_of({*store, *own}), truth_) << what << ", " << time;
    }
    EXPECT_THAT(notes, IsEmpty()) << what;
  }

  void TearDown() override { EXPECT_EQ(line_of(*store), truth_) << "nothing recorded is lost"; }

  std::string file_;
  Files earlier_;  // of the same file, before more was recorded
  Files left_;
  std::vector<std::string> truth_;
  std::vector<std::string> newest_;
};

TEST_F(SummaryLogTest, AsItIsLeftBehind) {
  leave_behind(20, 20);
  expect_truth(left_, "as left");
  for (const char* suffix : {"-wal", "-shm"}) {
    Files files = left_;
    files.erase(suffix);
    expect_truth(files, std::string("without ") + suffix);
  }
}

TEST_F(SummaryLogTest, CutZeroedAndRandomBytes) {
  leave_behind(20, 20);
  std::mt19937 random(1);
  for (const std::string suffix : {"-wal", "-shm"}) {
    const std::string sound = left_.at(suffix);
    for (int i = 0; i < 12; ++i) {
      const std::size_t from = i == 0 ? 0 : random() % sound.size();
      const std::size_t count = i % 2 == 0 ? sound.size() - from : 1 + random() % (sound.size() - from);
      Files files = left_;
      const std::string what = suffix + " from " + std::to_string(from) + ", " + std::to_string(count);
      files[suffix] = sound.substr(0, from);
      expect_truth(files, "cut " + what);
      files[suffix] = std::string(sound).replace(from, count, count, '\0');
      expect_truth(files, "zeroed " + what);
      files[suffix] = std::string(sound).replace(from, count, random_bytes(count, random));
      expect_truth(files, "random " + what);
    }
  }
}

TEST_F(SummaryLogTest, FlippedBits) {
  leave_behind(20, 20);
  std::mt19937 random(2);
  for (const std::string suffix : {"-wal", "-shm"})
    for (int i = 0; i < 20; ++i) {
      Files files = left_;
      const std::size_t at = random() % files[suffix].size();
      char& byte = files[suffix][at];
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ 1U << random() % 8);
      expect_truth(files, "flipped in " + suffix + " at " + std::to_string(at));
    }
}

// SQLite takes such a log for its own: its checksums are sound.
TEST_F(SummaryLogTest, OfAnotherFileAndOfAnotherMoment) {
  constexpr int kInFile = 100;
  constexpr int kInLog = 6;
  leave_behind(kInFile, kInLog);
  std::map<std::string, Files> others{{"an earlier file", earlier_}};
  for (const int in_file : {1, kInFile - 1, kInFile, kInFile + kInLog - 1})
    others["another store's, " + std::to_string(in_file)] =
        of_another_store(in_file, kInFile + kInLog - in_file);
  for (const auto& [name, other] : others)
    for (const std::string suffix : {"", "-wal", "-shm"}) {
      Files files = left_;
      files[suffix] = other.at(suffix);
      expect_truth(files, name + ": its file" + suffix);
      files = other;
      files[suffix] = left_.at(suffix);
      expect_truth(files, name + ": all but the file" + suffix);
    }
}

// As pages of such a log may have it: each row is sound, and belongs to other runs.
TEST_F(SummaryLogTest, RowsOfAnotherFileAreFound) {
  leave_behind(5, 2);
  of_another_store(5, 2);
  for (const std::string table : {"head", "keys", "run", "part", "series", "chunk"}) {
    put(left_);
    {
      summary::Database mixed(file_, "");
      mixed.run(("ATTACH '" + file_of(root() / "other5").string() + "' AS other").c_str());
      mixed.run(("INSERT OR REPLACE INTO " + table + " SELECT * FROM other." + table).c_str());
    }
    notes.clear();
    const auto own = open();
    EXPECT_EQ(line_of({*store, *own}), truth_) << table;
    EXPECT_THAT(notes, ElementsAre(HasSubstr("a checksum does not fit"))) << table;
  }
}

// Nothing is said of it: the next question makes them again.
TEST_F(SummaryLogTest, SummariesOfAnotherVersionAreMadeAgain) {
  leave_behind(5, 2);
  {
    summary::Database old(file_, "");
    summary::Packer head;
    for (const char* text : {"1,an older format", "a version"}) head.bytes(text);
    constexpr std::uint64_t kPlaceOfHead = std::uint64_t{1} << 60U ^ 1U;
    summary::Statement(old.handle(), "UPDATE head SET bytes = ?")
        .bind(1, summary::sealed(head.bytes(), kPlaceOfHead))
        .run();
  }
  EXPECT_EQ(line_of({*store, *open()}), truth_);
  EXPECT_THAT(notes, IsEmpty());
}

}  // namespace
}  // namespace tracker::history
