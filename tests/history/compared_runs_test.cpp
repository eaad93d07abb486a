// What a comparison reads of a device: the same out of summaries as out of documents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/history/run_source_fixture.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::history {
namespace {

using testing::IsEmpty;

TEST_F(RunSourceTest, ComparedRunsSayWhatDocumentsSay) {
  for (const std::size_t repetitions : {1u, 2u, 3u, 4u, 7u, 10u})
    record({run_of(commit("c"), static_cast<int>(repetitions), repetitions)});
  auto dirty = run_of(commit("c"), 20);
  dirty.dirty = true;
  dirty.binary_software["bench"].compiler = "g++ 12.2";
  record({dirty});
  const auto line = repository->first_parents("HEAD", kWholeLine);
  const std::vector<std::string> commits{line[2].id, line[0].id, std::string(40, 'a')};
  const auto own = open();
  const summary::WantedCounters all;
  const summary::WantedCounters constant = std::set<std::string>{"registers"};
  const summary::WantedCounters none = std::set<std::string>{};
  for (const auto& [counters, times_apart] :
       {std::pair(all, true), std::pair(constant, true), std::pair(none, true), std::pair(none, false)}) {
    const auto compared =
        compared_runs(RunSource(*store, *own, counters), kDevice, commits, line[1].id, 30, times_apart)
            .value();
    ASSERT_EQ(compared.of_commits.size(), commits.size());
    EXPECT_THAT(compared.of_commits.back(), IsEmpty());
    for (std::size_t i : {0u, 1u}) {
      auto of_documents = read_all_runs(*store, store->keys_of(commits[i]));
      ASSERT_EQ(compared.of_commits[i].size(), 1u);
      if (!counters) {
        EXPECT_EQ(words_of(compared.of_commits[i].front()), words_of(of_documents.front()));
      }
      EXPECT_EQ(compared.of_commits[i].front().binary_software.contains("bench"), i == 1);
      EXPECT_EQ(compared.of_commits[i].front().benchmarks.front().code->hash,
                of_documents.front().benchmarks.front().code->hash);
    }
    const auto recent = recent_runs(*store, kDevice, line[1].id, 30);
    ASSERT_EQ(compared.newest.runs.size(), recent.size());
    for (std::size_t i = 0; i < recent.size(); ++i) EXPECT_EQ(compared.newest.runs[i].id, recent[i].id);
    EXPECT_EQ(compared.newest.times.empty(), counters != none || !times_apart) << "counters need all samples";
    std::vector<std::string> metrics{"real_time", "cpu_time", "bytes_per_second", "flops"};
    if (counters != none) metrics.emplace_back("registers");
    EXPECT_EQ(rounds_of(compared.newest, metrics), rounds_of(recent, metrics));
  }
}

TEST_F(RunSourceTest, ComparedRunsTakeNewNamesAsDocumentsDo) {
  for (int number = 0; number < 6; ++number) {
    auto run = run_of(commit("c"), number);
    for (auto& benchmark : run.benchmarks) benchmark.counters.clear();
    const auto rename = [&](const std::string& from, const std::string& to) {
      rename_benchmarks(run, {{from, to}});
    };
    if (number > 2) rename("gemm/c/*", "gemm/new/*");
    if (number == 4) rename("copy/b/8", "gemm/c/16");  // both names in one run
    record({run});
  }
  const auto own = open();
  const auto newest = compared_runs(RunSource(*store, *own, std::set<std::string>{}), kDevice,
                                    {std::string(40, 'a')}, "", 30, true)
                          .value()
                          .newest;
  ASSERT_FALSE(newest.times.empty());
  for (const auto& run : newest.runs) ASSERT_THAT(run.benchmarks, IsEmpty());
  const std::vector<std::string> metrics{"real_time", "cpu_time", "bytes_per_second"};
  const auto of_documents = recent_runs(*store, kDevice, "", 30);
  const auto expect_same_after = [&](const std::vector<Rename>& renames) {
    ASSERT_TRUE(keeps_names_apart(newest, renames));
    ASSERT_TRUE(keeps_names_apart(of_documents, renames));
    NoiseHistory renamed = newest;
    rename_benchmarks(renamed, renames);
    auto runs = of_documents;
    for (auto& run : runs) rename_benchmarks(run, renames);
    EXPECT_EQ(rounds_of(renamed, metrics), rounds_of(runs, metrics));
  };
  expect_same_after({});
  expect_same_after({{"copy/*", "tile/*"}});
  expect_same_after({{"gemm/new/*", "gemm/newer/*"}, {"copy/a/*", "gemm/new/*"}});
  for (const auto& renames : {std::vector<Rename>{{"gemm/c/*", "gemm/new/*"}}, {{"copy/*/8", "tile"}}}) {
    EXPECT_FALSE(keeps_names_apart(newest, renames)) << renames.front().from;
    EXPECT_FALSE(keeps_names_apart(of_documents, renames)) << renames.front().from;
  }
}

}  // namespace
}  // namespace tracker::history
