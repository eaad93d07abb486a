// With the real Google Benchmark: what it runs, and what it reports.
#include <fstream>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/kit/contexts.hpp"
#include "tracker/base/file.hpp"

namespace tracker::kit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Seconds = std::vector<int>;

// The rows that are reported: "NAME REPETITION SECONDS", or "NAME STATISTIC SECONDS".
class Collected : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      std::ostringstream row;
      row << run.run_name.function_name << " "
          << (run.run_type == Run::RT_Aggregate ? run.aggregate_name : std::to_string(run.repetition_index))
          << " " << run.GetAdjustedRealTime() / 1e6;
      rows.push_back(row.str());
    }
  }

  std::vector<std::string> rows;
};

// Two benchmarks, "one" and "other". The n-th measurement of all takes n seconds, and a repetition the sum of
// its passes: 100 s more for each further one. All outcomes suffice but the given ones.
class PassesTest : public ::testing::Test {
 protected:
  ~PassesTest() override {
    benchmark::ClearRegisteredBenchmarks();
    set_options({"--benchmark_repetitions=1", "--benchmark_enable_random_interleaving=false",
                 "--benchmark_out=", "--benchmark_filter=", "--benchmark_list_tests=false"});
  }

  void add(Passes<int>& passes, const std::string& name) {
    passes.add(
        name, 1,
        [this, name] {
          done_.push_back(name);
          return ++measured_;
        },
        [](benchmark::State& state, const Seconds& seconds, int further) {
          while (state.KeepRunningBatch(1))
            state.SetIterationTime(std::accumulate(seconds.begin(), seconds.end(), 100.0 * further));
        });
  }

  static void set_options(std::vector<std::string> options) {
    static std::string program = "passes_test";  // Google Benchmark keeps the pointer
    std::vector<char*> arguments{program.data()};
    for (std::string& option : options) arguments.push_back(option.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
  }

  void run(std::vector<std::string> options, int per_repetition = 1, int further_max = 2) {
    set_options(std::move(options));
    passes_ = std::make_unique<Passes<int>>(
        per_repetition, further_max,
        [this](const Passes<int>::Pass& pass) {
          done_.push_back("pass " + std::to_string(pass.number) + " of " + std::to_string(pass.planned) +
                          ": " + std::to_string(pass.repetitions));
        },
        [this](const Seconds& seconds) { return scattering_.count(seconds) == 0; });
    add(*passes_, "one");
    add(*passes_, "other");
    passes_->run(&reporter_, &asking_);
  }

  std::set<Seconds> scattering_;
  std::vector<std::string> done_;
  int measured_ = 0;
  bool asking_ = false;
  Collected reporter_;
  std::unique_ptr<Passes<int>> passes_;
};

TEST_F(PassesTest, MeasuresAllFirstRepetitionsThenAllSecondOnes) {
  run({"--benchmark_repetitions=3"});
  EXPECT_THAT(
      done_, ElementsAre("one", "other", "pass 2 of 3: 2", "one", "other", "pass 3 of 3: 2", "one", "other"));
}

// The statistics are Google Benchmark's own.
TEST_F(PassesTest, ReportsEachRepetitionWhereItBelongs) {
  run({"--benchmark_repetitions=2"});
  EXPECT_THAT(reporter_.rows,
              IsSupersetOf({"one 0 1", "one 1 3", "other 0 2", "other 1 4", "one mean 2", "other mean 3"}));
}

TEST_F(PassesTest, ARepetitionMayBeSeveralPasses) {
  run({"--benchmark_repetitions=2"}, 2);
  EXPECT_THAT(done_, ElementsAre("one", "other", "pass 2 of 4: 2", "one", "other", "pass 3 of 4: 2", "one",
                                 "other", "pass 4 of 4: 2", "one", "other"));
  EXPECT_THAT(reporter_.rows, IsSupersetOf({"one 0 4", "one 1 12", "other 0 6", "other 1 14"}));
}

TEST_F(PassesTest, OneRepetitionOfSeveralPassesIsMeasuredByPassesToo) {
  run({}, 3);
  EXPECT_THAT(
      done_, ElementsAre("one", "other", "pass 2 of 3: 2", "one", "other", "pass 3 of 3: 2", "one", "other"));
  EXPECT_THAT(reporter_.rows, ElementsAre("one 0 9", "other 0 12"));
}

TEST_F(PassesTest, KeepsPassesWhereRepetitionsAreMixed) {
  run({"--benchmark_repetitions=2", "--benchmark_enable_random_interleaving=true"});
  ASSERT_EQ(done_.size(), 5u);
  EXPECT_EQ(done_[2], "pass 2 of 2: 2");
  EXPECT_THAT(std::vector(done_.begin(), done_.begin() + 2), UnorderedElementsAre("one", "other"));
  EXPECT_THAT(std::vector(done_.begin() + 3, done_.end()), UnorderedElementsAre("one", "other"));
}

TEST_F(PassesTest, MeasuresARepetitionAgainUntilItsOutcomesSuffice) {
  scattering_ = {{2, 4, 6}, {2, 4, 6, 7}};
  run({}, 3, 9);
  EXPECT_THAT(done_, ElementsAre("one", "other", "pass 2 of 3: 2", "one", "other", "pass 3 of 3: 2", "one",
                                 "other", "pass 4 of 3: 1", "other", "pass 5 of 3: 1", "other"));
  EXPECT_THAT(reporter_.rows, ElementsAre("one 0 9", "other 0 227"));  // 2 + 4 + 6 + 7 + 8, and 200
}

// Each repetition by itself, in the passes that all of them share, and never in more of them than there may
// be.
TEST_F(PassesTest, MeasuresRepetitionsAgainInNoMorePassesThanThereMayBe) {
  scattering_ = {{1, 3}, {1, 3, 9}, {2, 4}, {6, 8}, {6, 8, 11}, {6, 8, 11, 13}};
  run({"--benchmark_repetitions=2"}, 2, 2);
  EXPECT_THAT(done_, ElementsAre("one", "other", "pass 2 of 4: 2", "one", "other", "pass 3 of 4: 2", "one",
                                 "other", "pass 4 of 4: 2", "one", "other", "pass 5 of 4: 3", "one", "other",
                                 "other", "pass 6 of 4: 2", "one", "other"));
  EXPECT_THAT(reporter_.rows, IsSupersetOf({"one 0 225", "one 1 12", "other 0 116", "other 1 238"}));
}

TEST_F(PassesTest, MeasuresNothingAgainWhereNoFurtherPassIsAllowed) {
  scattering_ = {{1, 3}, {2, 4}};
  run({}, 2, 0);
  EXPECT_THAT(done_, ElementsAre("one", "other", "pass 2 of 2: 2", "one", "other"));
  EXPECT_THAT(reporter_.rows, ElementsAre("one 0 4", "other 0 6"));
}

TEST_F(PassesTest, MeasuresAgainOnlyWhatTheFilterLeft) {
  scattering_ = {{1, 2, 3}};
  run({"--benchmark_filter=other"}, 3);
  EXPECT_THAT(done_, ElementsAre("other", "pass 2 of 3: 1", "other", "pass 3 of 3: 1", "other",
                                 "pass 4 of 3: 1", "other"));
  EXPECT_THAT(reporter_.rows, ElementsAre("other 0 110"));
}

// Whichever comes first.
TEST_F(PassesTest, MeasuresAgainWhereRepetitionsAreMixed) {
  scattering_ = {{1, 3}};
  run({"--benchmark_repetitions=2", "--benchmark_enable_random_interleaving=true"}, 2);
  ASSERT_EQ(done_.size(), 13u);
  EXPECT_EQ(done_[11], "pass 5 of 4: 1");
  EXPECT_EQ(done_[12], done_[0]);
  EXPECT_THAT(reporter_.rows, ::testing::Contains(done_[0] + " 0 113"));
}

TEST_F(PassesTest, MeasuresNothingAgainThatIsMeasuredWhenItIsReported) {
  scattering_ = {{1}, {2}};
  run({});
  EXPECT_THAT(done_, ElementsAre("one", "other"));
}

TEST_F(PassesTest, MeasuresWhatIsNotRepeatedWhenItIsReported) {
  run({"--benchmark_filter=other"});
  EXPECT_THAT(done_, ElementsAre("other"));
  EXPECT_THAT(reporter_.rows, ElementsAre("other 0 1"));
}

TEST_F(PassesTest, RunsOtherBenchmarksToo) {
  std::vector<bool> asked;
  benchmark::RegisterBenchmark("plain", [&](benchmark::State& state) {
    asked.push_back(asking_);
    for (auto _ : state) benchmark::ClobberMemory();
  })->Iterations(1);
  run({"--benchmark_filter=plain"});
  EXPECT_THAT(asked, ElementsAre(true, false));
  EXPECT_THAT(done_, IsEmpty());
  EXPECT_FALSE(asking_);
}

TEST_F(PassesTest, MeasuresNothingThatIsOnlyListed) {
  ::testing::internal::CaptureStdout();
  run({"--benchmark_list_tests=true", "--benchmark_repetitions=3"});
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "one/iterations:1/manual_time\nother/iterations:1/manual_time\n");
  EXPECT_THAT(done_, IsEmpty());
}

TEST_F(PassesTest, MeasuresNothingThatTheFilterLeavesOut) {
  ::testing::internal::CaptureStderr();
  run({"--benchmark_filter=^none$", "--benchmark_repetitions=3"});
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("Failed to match any benchmarks"));
  EXPECT_THAT(done_, IsEmpty());
}

TEST_F(PassesTest, WritesAFileOfMeasuredResultsOnly) {
  const tracker::TemporaryDirectory folder;
  const std::string path = folder.path() / "out.json";
  run({"--benchmark_repetitions=2", "--benchmark_out=" + path});
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("\"real_time\": 4.0000000000000000e+06"));
  EXPECT_THAT(text.str(), Not(HasSubstr("not measured")));
}

}  // namespace
}  // namespace tracker::kit
