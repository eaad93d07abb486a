// What a comparison reads of a device: the same out of summaries as out of documents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/history/run_source_fixture.hpp"

namespace tracker {
namespace {

using testing::IsEmpty;

TEST_F(RunSourceTest, ComparedRunsSayWhatDocumentsSay) {
  for (const std::size_t repetitions : {1u, 2u, 3u, 4u, 7u, 10u})
    record({run_of(commit("c"), static_cast<int>(repetitions), repetitions)});
  auto dirty = run_of(commit("c"), 20);
  dirty.dirty = true;
  record({dirty});
  const auto line = repository->first_parents("HEAD", kWholeLine);
  const std::vector<std::string> commits{line[2].id, line[0].id, std::string(40, 'a')};
  const auto own = open();
  const WantedCounters all;
  const WantedCounters constant = std::set<std::string>{"registers"};
  const WantedCounters none = std::set<std::string>{};
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

}  // namespace
}  // namespace tracker
