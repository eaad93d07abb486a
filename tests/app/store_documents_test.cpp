// Old runs without their single repetitions: the same answers out of fewer bytes, and nothing lost.

#include "tracker/app/store_documents.hpp"

#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/recording_observer.hpp"
#include "tests/support/make_run.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/app/compare.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/history/history.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/report/report.hpp"
#include "tracker/store/sync.hpp"

namespace tracker::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::ScratchRepository;

class AppStoreCompact : public testing::Test {
 protected:
  AppStoreCompact() {
    for (int i = 0; i < 4; ++i) commits_.push_back(scratch_.commit("a.txt", std::to_string(i)));
  }
  WorkspaceRequest request(bool summaries = true) {
    WorkspaceRequest wanted;
    wanted.directory = scratch_.root();
    wanted.observer = &observer_;
    wanted.summaries = summaries;
    return wanted;
  }
  static CompactRequest compacting(const std::string& before, bool apply) {
    CompactRequest wanted;
    wanted.before = parse_time(before).value();
    wanted.apply = apply;
    wanted.dropped_at = "2030-01-01T00:00:00Z";
    return wanted;
  }
  CompactOutcome compact(const std::string& before, bool apply) {
    return compact_store(Workspace(request()), compacting(before, apply), [](std::size_t, std::size_t) {});
  }

  // A run of each commit, one a day, with so many repetitions of everything.
  void record(std::size_t repetitions) {
    const Workspace workspace(request());
    for (std::size_t i = 0; i < commits_.size(); ++i) {
      const std::string day = "2026112" + std::to_string(i);
      auto run = test::make_run({.id = day + "T120000Z-00000001", .job = day, .commit = commits_[i]},
                                {{"k", test::around(1e5)}, {"still", test::around(2e5)}});
      run.started_at = "2026-11-2" + std::to_string(i) + "T12:00:00Z";
      int round = 0;
      for (auto& invocation : run.invocations) {
        invocation.round = ++round;
        for (auto& [name, samples] : invocation.samples) {
          const double time = samples.real_time_ns.front();
          samples.real_time_ns.clear();
          for (std::size_t k = 0; k < repetitions; ++k)
            samples.real_time_ns.push_back(time * (1 + 0.001 * static_cast<double>(k * 7 % repetitions)));
          samples.cpu_time_ns = samples.real_time_ns;
          samples.iterations.assign(repetitions, 100);
          samples.counters["share"] = samples.real_time_ns;
          samples.counters["gaps"].assign(repetitions, std::nan(""));
        }
      }
      workspace.store().add({{{device_key(run.device), run.commit, run.id}, formats::write_run(run)}});
    }
  }

  // All values of all runs, bit for bit, and what a comparison of the first with the last says.
  std::string answers(bool summaries) {
    const Workspace workspace(request(summaries));
    std::string words;
    const auto device = workspace.store().devices().at(0);
    for (const auto& commit : history::load(workspace.repository(), workspace.history(), device, "HEAD", 100))
      for (const auto& run : commit.runs) {
        words += run.id + " ";
        for (const auto& benchmark : run.benchmarks)
          for (const char* name : {"real_time", "cpu_time", "share", "gaps"})
            for (const auto statistic : {Statistic::kMedian, Statistic::kFastest}) {
              Metric metric = find_metric(name);
              metric.statistic = statistic;
              for (const double value : metric_values(metric, benchmark, run))
                words += std::to_string(std::bit_cast<std::uint64_t>(value)) + " ";
            }
        for (const auto& invocation : run.invocations)
          for (const auto& [name, samples] : invocation.samples)
            words += std::to_string(repetition_count(samples)) + " ";
      }
    CompareRequest asked;
    asked.base = commits_.front();
    asked.candidate = commits_.back();
    asked.candidate_named = true;
    auto outcome = compare(workspace, asked);
    return words + report::write_json(outcome.reports, {});
  }

  ScratchRepository scratch_;
  std::vector<std::string> commits_;
  test::RecordingObserver observer_;
};

TEST_F(AppStoreCompact, ATrialWritesNothing) {
  record(10);
  const auto version = Workspace(request()).store().version();
  const auto said = compact("2026-11-22T12:00:00Z", false);
  EXPECT_EQ(said.runs, 4u);
  EXPECT_EQ(said.replaced, 2u);
  EXPECT_LT(said.text_after * 3, said.text_before * 2);
  EXPECT_LT(said.compressed_after, said.compressed_before);
  EXPECT_EQ(Workspace(request()).store().version(), version);
}

TEST_F(AppStoreCompact, AnswersStayAsTheyWere) {
  for (const std::size_t repetitions : {5u, 6u, 7u, 10u}) {
    SCOPED_TRACE(repetitions);
    record(repetitions);
    const auto before = answers(false);
    EXPECT_EQ(answers(true), before);
    const auto done = compact("2026-11-23T12:00:00Z", true);
    EXPECT_EQ(done.replaced, 3u);
    EXPECT_EQ(answers(false), before) << "of documents";
    EXPECT_EQ(answers(true), before) << "of summaries that follow";
    std::filesystem::remove_all(scratch_.root() / ".git/tracker");
    EXPECT_EQ(answers(true), before) << "of summaries of compact documents";

    const Workspace workspace(request());
    auto keys = workspace.store().keys();
    EXPECT_EQ(keys.size(), 4u);
    for (const auto& file : workspace.store().files())
      if (file.is_dropped) {
        EXPECT_THAT(workspace.store().read(file.key), HasSubstr("\"iterations\"")) << "the whole one stays";
        EXPECT_THAT(workspace.store().read_file(store::tombstone_path_of(file.key)),
                    HasSubstr("compacted: "));
      }
    const auto again = compact("2026-11-23T12:00:00Z", true);
    EXPECT_EQ(again.replaced, 0u);
    EXPECT_EQ(again.compacted, 3u);
    scratch_.git({"update-ref", "-d", "refs/tracker/v1"});
  }
  EXPECT_THAT(observer_.notes, IsEmpty());
}

TEST_F(AppStoreCompact, TwoClonesMakeTheSame) {
  record(5);
  scratch_.git({"update-ref", "refs/tracker/other", "refs/tracker/v1"});
  compact("2030-01-01T00:00:00Z", true);
  const auto here = Workspace(request()).store().version();
  auto there = request();
  there.store = "refs/tracker/other";
  compact_store(Workspace(there), compacting("2030-01-01T00:00:00Z", true), [](std::size_t, std::size_t) {});
  EXPECT_EQ(Workspace(there).store().version(), here);
}

// A run is dropped in one clone and compacted in another before they sync: it stays dropped, whoever syncs
// first, and whichever of its documents was named.
TEST_F(AppStoreCompact, ADropWinsOverACompactionElsewhere) {
  record(10);
  const std::string compacted = "refs/tracker/compacted";
  for (const std::string ending : {"", "-compact"}) {
    for (const bool drop_first : {true, false}) {
      SCOPED_TRACE(ending + (drop_first ? " drop first" : " compaction first"));
      const auto folder = scratch_.folder() / ("origin" + ending + (drop_first ? "1" : "2"));
      scratch_.git({"update-ref", compacted, "refs/tracker/v1"});
      scratch_.git({"update-ref", "refs/tracker/dropped", "refs/tracker/v1"});
      auto there = request();
      there.store = compacted;
      auto here = request();
      here.store = "refs/tracker/dropped";
      const std::string id = Workspace(here).store().keys().at(0).id + ending;
      compact_store(Workspace(there), compacting("2030-01-01T00:00:00Z", true),
                    [](std::size_t, std::size_t) {});
      if (!ending.empty())
        compact_store(Workspace(here), compacting("2030-01-01T00:00:00Z", true),
                      [](std::size_t, std::size_t) {});
      EXPECT_TRUE(drop_document(Workspace(here).store(), id, "the wrong machine").is_new);
      EXPECT_FALSE(drop_document(Workspace(here).store(), id, "again").is_new);
      const auto unite = [&](const WorkspaceRequest& into, const std::string& other) {
        scratch_.git({"init", "--quiet", "--bare", folder.string()});
        scratch_.git({"push", "--quiet", folder.string(), "+" + other + ":" + into.store});
        const Workspace workspace(into);
        store::sync_with(workspace.repository(), into.store,
                         repo::GitRemote(workspace.repository(), folder.string()), {});
        EXPECT_EQ(workspace.store().run_count(), 3u);
      };
      drop_first ? unite(there, here.store) : unite(here, there.store);
    }
  }
}

// As it was before tombstones of both documents were written.
TEST_F(AppStoreCompact, DroppingOnceMoreDropsWhatCameBack) {
  record(10);
  const auto key = Workspace(request()).store().keys().at(0);
  compact("2030-01-01T00:00:00Z", true);
  EXPECT_TRUE(drop_document(Workspace(request()).store(), key.id, "the wrong machine").is_new);
  EXPECT_EQ(Workspace(request()).store().run_count(), 3u);
}

TEST_F(AppStoreCompact, LeavesWhatWouldSaveLittleAndWhatCannotBeRead) {
  record(1);
  Workspace(request()).store().add({{{"gpu", commits_[0], "20200101T000000Z-00000001"}, "{"}});
  const auto done = compact("2030-01-01T00:00:00Z", true);
  EXPECT_EQ(done.replaced, 0u);
  EXPECT_EQ(done.not_worth, 4u);
  EXPECT_EQ(done.not_exact, 1u);
}

}  // namespace

// What a store holds, counted in a repository of a few runs.

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
    const std::string text = formats::write_run(run);
    newest_ = {device_key(run.device), run.commit, run.id};
    Workspace(request()).store().add({{newest_, text}});
    return text.size();
  }

  ScratchRepository scratch_;
  test::RecordingObserver observer_;
  store::Key newest_;
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

}  // namespace tracker::app
