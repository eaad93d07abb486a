#include "tracker/measure/invoke.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker::measure {
namespace {

formats::BenchmarkFile execution(const std::string& name, double time_ns,
                                 std::map<std::string, std::vector<double>> counters = {}) {
  formats::BenchmarkFile file;
  Benchmark benchmark;
  benchmark.name = name;
  file.benchmarks.push_back(benchmark);
  file.invocation.samples[name] = {{time_ns}, {time_ns}, {10}, std::move(counters)};
  return file;
}

TEST(Executions, RepetitionsFollowOneAnother) {
  auto file = execution("a", 1, {{"lost", {3}}});
  file.invocation.conditions.temperature_c_max = 50;
  auto next = execution("a", 2);
  next.invocation.conditions.temperature_c_max = 60;
  append_execution(file, next);
  append_execution(file, execution("a", 3, {{"lost", {4}}, {"new", {5}}}));
  EXPECT_EQ(file.invocation.executions, 3);
  const Samples& samples = file.invocation.samples.at("a");
  EXPECT_EQ(samples.real_time_ns, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(samples.iterations, (std::vector<std::int64_t>{10, 10, 10}));
  EXPECT_EQ(samples.counters.at("lost")[0], 3);
  EXPECT_TRUE(std::isnan(samples.counters.at("lost")[1])) << "a repetition without it";
  EXPECT_EQ(samples.counters.at("lost")[2], 4);
  EXPECT_TRUE(std::isnan(samples.counters.at("new")[1]));
  EXPECT_EQ(samples.counters.at("new")[2], 5);
  EXPECT_EQ(file.invocation.conditions.temperature_c_max, 60);
}

TEST(Executions, OneErrorIsAnErrorOfTheBenchmark) {
  auto file = execution("a", 1);
  auto failed = execution("a", 2);
  failed.benchmarks[0].error = "no device";
  failed.invocation.samples.clear();
  append_execution(file, failed);
  EXPECT_EQ(file.benchmarks.at(0).error, "no device");
  EXPECT_TRUE(file.invocation.samples.empty());
}

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string recorded(const std::string& release, const std::string& what) {
  return read_file(TRACKER_TEST_DATA "/google_benchmark/" + release + "/" + what, 1 << 20);
}

LibraryFlags flags_of(const std::string& release) {
  return flags_in_help(recorded(release, "help.txt")).value();
}

TEST(LibraryFlags, AreReadFromTheHelpOfEachRelease) {
  const LibraryFlags oldest = flags_of("1.5.0");
  for (const auto& row : library_flag_table()) EXPECT_FALSE(oldest.knows(row.flag)) << row.flag;
  EXPECT_FALSE(oldest.min_time_has_unit);
  const LibraryFlags middle = flags_of("1.6.1");
  EXPECT_TRUE(middle.knows(kInterleaving));
  EXPECT_FALSE(middle.knows("benchmark_min_warmup_time"));
  EXPECT_TRUE(flags_of("1.7.1").knows("benchmark_min_warmup_time"));
  EXPECT_FALSE(flags_of("1.7.1").min_time_has_unit);
  EXPECT_TRUE(flags_of("1.8.3").min_time_has_unit);
  EXPECT_TRUE(flags_of("1.9.5").knows("benchmark_dry_run"));
  EXPECT_FALSE(flags_in_help("usage: bench [FILE]\n"));
}

TEST(LibraryFlags, NvbenchIsKnownByItsHelpAndTakesArgumentsAsTheyAre) {
  const auto flags = flags_in_help(
      "NVBench v0.1.0 (main:0000000)\n\n* `--benchmark <benchmark name/index>`, `-b <benchmark "
      "name/index>`\n");
  ASSERT_TRUE(flags);
  EXPECT_EQ(flags->harness, Harness::kNvbench);
  const std::vector<std::string> arguments{"--axis", "Elements=2^20", "--benchmark_min_time=1s"};
  EXPECT_EQ(fit_arguments(arguments, *flags).arguments, arguments);
  EXPECT_EQ(flags_in_help(recorded("1.8.3", "help.txt"))->harness, Harness::kGoogleBenchmark);
}

TEST(LibraryFlags, EveryReleaseListsAlike) {
  for (const auto* release : {"1.5.0", "1.6.1", "1.7.1", "1.8.3", "1.9.5"})
    EXPECT_THAT(parse_list(recorded(release, "list.txt")).value(),
                ElementsAre("sum/1024", "sum/8192", "threads/threads:2", "by_hand", "not_a_number",
                            "aggregates_only", "fails"))
        << release;
}

TEST(LibraryFlags, ArgumentsAreFittedToTheRelease) {
  const std::vector<std::string> arguments{"--benchmark_min_time=0.5s", "--benchmark_min_warmup_time=1",
                                           "--own=0.5s"};
  const auto old = fit_arguments(arguments, flags_of("1.5.0"));
  EXPECT_THAT(old.arguments, ElementsAre("--benchmark_min_time=0.5", "--own=0.5s"));
  ASSERT_THAT(old.notes, SizeIs(1));
  EXPECT_THAT(old.notes[0],
              HasSubstr("does not know --benchmark_min_warmup_time, which is there since 1.6.2"));
  const auto now = fit_arguments(arguments, flags_of("1.8.3"));
  EXPECT_EQ(now.arguments, arguments);
  EXPECT_THAT(now.notes, IsEmpty());
  const auto iterations = fit_arguments({"--benchmark_min_time=10x"}, flags_of("1.7.1"));
  EXPECT_THAT(iterations.arguments, IsEmpty());
  EXPECT_THAT(iterations.notes, SizeIs(1));
}

TEST(LibraryFlags, TwoSidesAreAskedForWhatBothKnow) {
  const auto common = common_flags(flags_of("1.7.1"), flags_of("1.5.0"));
  EXPECT_EQ(common.missing, flags_of("1.5.0").missing);
  EXPECT_FALSE(common.min_time_has_unit);
}

TEST(ChooseAPart, ArgumentsOfEitherLibraryThatLeaveBenchmarksOut) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"--benchmark_filter=a"},
                                                                     {"-b", "copy"},
                                                                     {"--benchmark", "copy"},
                                                                     {"-a", "N=1"},
                                                                     {"--axis", "N=1"}})
    EXPECT_TRUE(choose_a_part(arguments)) << arguments.front();
  EXPECT_FALSE(choose_a_part({"--benchmark_min_time=1s", "--json", "out.json", "-d", "0"}));
}

}  // namespace

}  // namespace tracker::measure
