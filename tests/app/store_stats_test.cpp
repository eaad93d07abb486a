// What a store holds, counted in a repository of a few runs.
#include "tracker/app/store_stats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/recording_observer.hpp"
#include "tests/support/make_run.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
namespace {

using test::around;
using testing::IsEmpty;
using testing_support::ScratchRepository;

class AppStoreStats : public testing::Test {
 protected:
  WorkspaceRequest request() {
    WorkspaceRequest wanted;
    wanted.directory = scratch_.root();
    wanted.observer = &observer_;
    return wanted;
  }
  StoreStats stats() { return store_stats(Workspace(request())); }

  // A run of `commit`, a letter, at that second of the day; its document's size.
  std::size_t record(char commit, int second, DeviceKind kind = DeviceKind::kGpu) {
    const std::string id = "20261120T1200" + std::to_string(10 + second) + "Z-00000001";
    auto run = test::make_run({.id = id, .commit = std::string(40, commit), .kind = kind},
                              {{"k", around(1e5)}, {"still", around(2e5)}});
    for (auto& invocation : run.invocations)
      for (auto& [name, samples] : invocation.samples) {
        samples.cpu_time_ns = samples.real_time_ns;
        samples.iterations.assign(samples.real_time_ns.size(), 100);
        samples.counters["occupancy"] = samples.real_time_ns;
      }
    const std::string text = write_run(run);
    newest_ = {device_key(run.device), run.commit, run.id};
    Workspace(request()).store().add({{newest_, text}});
    return text.size();
  }

  ScratchRepository scratch_;
  test::RecordingObserver observer_;
  StoredKey newest_;
};

TEST_F(AppStoreStats, ANewRepositoryHasNothing) {
  const auto found = stats();
  EXPECT_EQ(found.store, "refs/tracker/v1");
  EXPECT_EQ(found.runs + found.commits + found.tombstones + found.documents.runs + found.sampled.runs, 0u);
  EXPECT_THAT(found.devices, IsEmpty());
  EXPECT_EQ(found.newest, "");
  EXPECT_TRUE(found.git.has_value());
  EXPECT_FALSE(found.summary_bytes.has_value());
}

TEST_F(AppStoreStats, CountsRunsByDeviceAndCommit) {
  std::uint64_t bytes = record('a', 1) + record('b', 2) + record('b', 3);
  bytes += record('a', 4, DeviceKind::kCpu);
  bytes += record('c', 5);
  Workspace(request()).store().drop(newest_, "unwanted");
  const auto found = stats();
  EXPECT_EQ(found.runs, 4u);
  EXPECT_EQ(found.commits, 2u);
  EXPECT_EQ(found.tombstones, 1u);
  EXPECT_EQ(found.oldest, "2026-11-20T12:00:11Z");
  EXPECT_EQ(found.newest, "2026-11-20T12:00:14Z");
  ASSERT_EQ(found.devices.size(), 2u);
  const auto& gpu = found.devices[1];
  EXPECT_EQ(gpu.runs, 3u);
  EXPECT_EQ(gpu.commits, 2u);
  EXPECT_EQ(gpu.newest, "2026-11-20T12:00:13Z");
  EXPECT_EQ(found.devices[0].runs, 1u);
  EXPECT_EQ(found.documents.runs, 5u) << "what was dropped takes its room";
  EXPECT_EQ(found.documents.run_bytes, bytes);
}

TEST_F(AppStoreStats, SamplesOfTheNewestRunsByThemselves) {
  for (int i = 0; i < 23; ++i) record('a', i);
  Workspace(request()).store().add({{{newest_.device, newest_.commit, "20991231T000000Z-1"}, "broken"}});
  const auto found = stats();
  EXPECT_EQ(found.runs, 24u);
  EXPECT_EQ(found.sampled.runs, kSampledRunsMax - 1) << "one of the newest cannot be used";
  EXPECT_EQ(found.sampled.samples, found.sampled.runs * 2 * 5) << "two benchmarks, five invocations";
  EXPECT_EQ(found.sampled.number_bytes, found.sampled.samples * 4 * 8) << "times, iterations, a counter";
  EXPECT_GT(found.sampled.compressed_bytes, 0u);
  EXPECT_LT(found.sampled.compressed_bytes, found.sampled.number_bytes);
  EXPECT_LT(found.sampled.number_bytes, found.sampled.text_bytes);
}

TEST_F(AppStoreStats, KnowsTheSummariesOnceTheyAreMade) {
  record('a', 1);
  const Workspace workspace(request());
  EXPECT_TRUE(workspace.history().summaries()->keys().has_value());
  const auto found = store_stats(workspace);
  ASSERT_TRUE(found.summary_bytes.has_value());
  EXPECT_GT(*found.summary_bytes, 0u);
}

}  // namespace
}  // namespace tracker
