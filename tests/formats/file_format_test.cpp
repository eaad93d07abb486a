#include "tracker/formats/file_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/baseline_document.hpp"

namespace tracker::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// One invocation of a binary on a host, at a date (which may be empty), with a time that tells it from
// others.
std::string invocation(const std::string& date, double time_us, const std::string& host = "vm",
                       const std::string& binary = "bench") {
  return R"({"context": {"date": ")" + date + R"(", "host_name": ")" + host + R"(", "executable": ")" +
         binary + R"("}, "benchmarks": [)" +
         row(binary + "/x", "",
             R"("real_time": )" + std::to_string(time_us) + R"(, "cpu_time": )" + std::to_string(time_us)) +
         "]}";
}

class FileSideTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    write_file(folder_.path() / name, text);
  }
  FileSide read(const std::string& name) const {
    return read_file_side(folder_.path() / name, test_device());
  }
  // Sides whose n-th files start at these seconds.
  bool in_turn(const std::vector<int>& base, const std::vector<int>& candidate,
               const std::string& host = "vm") {
    const auto write_side = [&](const std::string& side, const std::vector<int>& seconds,
                                const std::string& on) {
      std::filesystem::remove_all(folder_.path() / side);
      for (const int second : seconds) {
        const std::string number = std::to_string(++count_);
        write(side + "/" + number + ".json",
              invocation("2026-11-20T12:00:" + std::to_string(10 + second) + "Z", count_, on));
      }
    };
    write_side("a", base, "vm");
    write_side("b", candidate, host);
    return measured_in_turn(read("a"), read("b"));
  }

 private:
  TemporaryDirectory folder_;
  int count_ = 0;
};

std::vector<double> times_us(const Run& run) {
  std::vector<double> times;
  for (const auto& one : run.invocations)
    times.push_back(one.samples.begin()->second.real_time_ns.front() / 1000);
  return times;
}

TEST_F(FileSideTest, OrdersByDateAndThenByTheNumberInTheName) {
  write("s/r10.json", invocation("", 10));
  write("s/r9.json", invocation("", 9));
  write("s/r1.json", invocation("2026-11-20T12:00:02Z", 2));
  write("s/r2.json", invocation("2026-11-20T12:00:01Z", 1));
  write("s/notes.txt", "no JSON");
  const FileSide side = read("s");
  ASSERT_EQ(side.runs.size(), 1u);
  EXPECT_THAT(times_us(side.runs.front()), ElementsAre(9, 10, 1, 2));
  EXPECT_EQ(side.summary, "4 files from 2026-11-20");
}

TEST_F(FileSideTest, EachBoardIsAJobOfItsOwn) {
  write("s/1.json", invocation("2026-11-20T12:00:01Z", 1, "one"));
  write("s/2.json", invocation("2026-11-20T12:00:02Z", 2, "two"));
  write("s/3.json", invocation("2026-11-22T12:00:03Z", 3, "one"));
  const FileSide side = read("s");
  ASSERT_EQ(side.runs.size(), 2u);
  EXPECT_NE(side.runs[0].job, side.runs[1].job);
  EXPECT_THAT(times_us(side.runs[0]), ElementsAre(1, 3));
  EXPECT_THAT(times_us(side.runs[1]), ElementsAre(2));
  EXPECT_EQ(side.summary, "3 files from 2026-11-20 to 2026-11-22");
}

TEST_F(FileSideTest, TheSameFilesGiveTheSameIdsAndOthersDoNot) {
  write("a/1.json", invocation("2026-11-20T12:00:01Z", 1));
  write("b/x.json", invocation("2026-11-20T12:00:01Z", 1));
  write("c/1.json", invocation("2026-11-20T12:00:01Z", 1.5));
  EXPECT_EQ(read("a").runs.front().id, read("b").runs.front().id);
  EXPECT_NE(read("a").runs.front().id, read("c").runs.front().id);
}

TEST_F(FileSideTest, ABaselineDocumentBringsItsRuns) {
  auto other = whole_run();
  other.id = "20261121T000000Z-00000001";
  other.job = other.id;
  for (auto& one : other.invocations) one.started_at = "2026-11-21T00:00:00Z";
  write("baseline.json", write_baseline({device_key(other.device), other.commit, "", {whole_run(), other}}));
  const FileSide side = read("baseline.json");
  EXPECT_EQ(side.runs.size(), 2u);
  EXPECT_TRUE(side.has_documents);
  write("twice.json", write_baseline({device_key(other.device), other.commit, "", {other, other}}));
  EXPECT_THAT(error_of([&] { read("twice.json"); }), HasSubstr("twice.json' holds one invocation twice"));
}

TEST_F(FileSideTest, AlternatingDatesOnOneHostAreInTurn) {
  EXPECT_TRUE(in_turn({0, 2, 4}, {1, 3, 5}));
  EXPECT_TRUE(in_turn({0, 3, 4}, {1, 2, 5})) << "A B, B A, A B";
  EXPECT_TRUE(in_turn({0, 1, 2}, {0, 1, 2})) << "the pairs are apart, whichever of each came first";
  EXPECT_FALSE(in_turn({0, 2, 4}, {1, 3, 5}, "another host"));
  EXPECT_FALSE(in_turn({0, 2, 4}, {1, 3, 5}, "")) << "a host that is not known";
}

TEST_F(FileSideTest, OthersAreNot) {
  EXPECT_FALSE(in_turn({0, 1, 2}, {3, 4, 5}));
  EXPECT_FALSE(in_turn({0, 2, 4}, {1, 3})) << "one has no partner";
  EXPECT_FALSE(in_turn({0}, {1})) << "one pair says nothing of an order";
  EXPECT_FALSE(in_turn({0, 0, 1}, {0, 1, 2})) << "within a second the order is not known";
  EXPECT_FALSE(in_turn({0, 1, 4}, {2, 3, 5})) << "A A B B A B";
}

TEST_F(FileSideTest, EveryBinaryHasToAlternate) {
  for (int round = 0; round < 3; ++round) {
    const auto date = [&](int second) {
      return "2026-11-20T12:0" + std::to_string(round) + ":1" + std::to_string(second) + "Z";
    };
    const std::string file = "/" + std::to_string(round);
    write("a" + file + "p.json", invocation(date(0), round + 0.1, "vm", "p"));
    write("a" + file + "q.json", invocation(date(1), round + 0.2, "vm", "q"));
    write("b" + file + "p.json", invocation(date(2), round + 0.3, "vm", "p"));
    write("b" + file + "q.json", invocation(date(3), round + 0.4, "vm", "q"));
  }
  FileSide a = read("a");
  FileSide b = read("b");
  EXPECT_TRUE(measured_in_turn(a, b));
  put_in_one_job(a.runs.front(), b.runs.front());
  EXPECT_EQ(a.runs.front().job, b.runs.front().job);
  EXPECT_NE(a.runs.front().id, b.runs.front().id);
  std::vector<int> rounds;
  for (const auto& one : b.runs.front().invocations) rounds.push_back(one.round);
  EXPECT_THAT(rounds, ElementsAre(1, 1, 2, 2, 3, 3));
  write("b/0q.json", invocation("2026-11-20T12:01:12Z", 9, "vm", "q"));
  EXPECT_FALSE(measured_in_turn(a, read("b")));
}

TEST_F(FileSideTest, EqualTimesOfACoarseClockAreNoCopies) {
  const std::string date = "2026-11-20T12:00:01Z";
  write("coarse/1.json", invocation(date, 1.25));
  write("coarse/2.json", invocation(date, 1.25));
  const FileSide coarse = read("coarse");
  EXPECT_EQ(coarse.runs.front().invocations.size(), 2u);
  EXPECT_THAT(error_of([&] { refuse_shared_invocations(coarse, read("coarse")); }),
              HasSubstr("1.json' is on both sides"));
  write("fine/1.json", invocation(date, 1.251237));
  write("fine/2.json", invocation(date, 1.251237));
  EXPECT_THAT(error_of([&] { read("fine"); }), HasSubstr("hold one and the same invocation"));
}

TEST_F(FileSideTest, TheSideThatIsFirstInEveryPairIsKnown) {
  const auto first = [&](const std::vector<int>& base, const std::vector<int>& candidate) {
    in_turn(base, candidate);
    return always_first(read("a"), read("b"));
  };
  EXPECT_EQ(first({0, 2, 4}, {1, 3, 5}), FirstInPairs::kBase);
  EXPECT_EQ(first({1, 3, 5}, {0, 2, 4}), FirstInPairs::kCandidate);
  EXPECT_FALSE(first({0, 3, 4}, {1, 2, 5})) << "they took turns";
  EXPECT_FALSE(first({0, 2}, {1, 3})) << "two pairs say little";
  EXPECT_FALSE(first({0, 1, 2}, {0, 1, 2})) << "within a second the order is not known";
}

TEST_F(FileSideTest, TheFirstOfManyBadFilesIsNamed) {
  for (int i = 1; i <= 30; ++i)
    write("s/" + std::to_string(i) + ".json", i % 10 == 7 ? "{" : invocation("2026-11-20T12:00:01Z", i));
  EXPECT_THAT(error_of([&] { read("s"); }), HasSubstr("s/7.json': not valid JSON"));
}

}  // namespace
}  // namespace tracker::formats
