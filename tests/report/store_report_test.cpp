#include "tracker/report/data_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/base/text.hpp"

namespace tracker::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t kMiB = 1u << 20;

StoreStats large_store() {
  StoreStats stats;
  stats.store = "refs/tracker/v1";
  stats.runs = 312;
  stats.commits = 104;
  stats.oldest = "2024-01-02T08:00:00Z";
  stats.newest = "2026-11-20T12:49:01Z";
  stats.profiles = 4;
  stats.tombstones = 1;
  stats.devices = {{"cpu-intel-xeon-6960p-2t", 12, 12, "2026-11-19T12:00:00Z"},
                   {"nvidia-h200-140gib-700w-with-a-long-name-of-its-own", 300, 104, "2026-11-20T12:49:01Z"}};
  stats.documents = {.runs = 312, .others = 4, .run_bytes = 273 * kMiB, .other_bytes = kMiB};
  stats.sampled = {.runs = 20,
                   .samples = 69600,
                   .text_bytes = 17 * kMiB,
                   .number_bytes = 2 * kMiB,
                   .compressed_bytes = kMiB};
  stats.git = GitDisk{.loose_objects = 1204,
                      .packed_objects = 3000,
                      .packs = 2,
                      .loose_bytes = 12 * kMiB,
                      .packed_bytes = 40 * kMiB};
  return stats;
}

TEST(StoreReport, IsAFewLines) {
  EXPECT_EQ(store_stats_text(large_store(), 80),
            "store      refs/tracker/v1\n"
            "runs       312 runs of 104 commits on 2 devices\n"
            "recorded   2024-01-02T08:00:00Z to 2026-11-20T12:49:01Z\n"
            "profiles   4\n"
            "dropped    1 document (tombstones)\n"
            "documents  274 MiB as text, 896 KiB a run\n"
            "samples    51.2 KiB a run, compressed alone; 870 KiB as text (newest 20 runs)\n"
            "git        12 MiB loose, 40 MiB in 2 packs, for the whole repository\n"
            "summaries  none yet\n"
            "\n"
            "device                                       runs  commits  newest\n"
            "cpu-intel-xeon-6960p-2t                        12       12  2026-11-19T12:00:00Z\n"
            "nvidia-h200-140gib-7…long-name-of-its-own     300      104  2026-11-20T12:49:01Z\n");
}

TEST(StoreReport, FitsAnyTerminalAndNamesAllInAPipe) {
  for (const std::size_t columns : {60, 80, 200})
    for (const auto& line : split(store_stats_text(large_store(), columns), '\n'))
      EXPECT_LE(display_width(line), columns) << line;
  EXPECT_THAT(store_stats_text(large_store(), 0), HasSubstr(large_store().devices[1].device + "  "));
}

TEST(StoreReport, SaysWhatIsNotThere) {
  StoreStats empty;
  empty.store = "postgresql://db.example/perf";
  empty.documents.packed_bytes = 0;
  EXPECT_EQ(store_stats_text(empty, 80),
            "store      postgresql://db.example/perf\n"
            "runs       none\n"
            "documents  0 bytes as text; 0 bytes compressed in the database\n"
            "summaries  none yet\n");
  EXPECT_THAT(store_stats_json(empty), AllOf(HasSubstr("\"git\": null"), HasSubstr("\"newest\": null"),
                                             HasSubstr("\"summary_bytes\": null")));
  auto shallow = large_store();
  shallow.documents = {.not_here = 316};
  shallow.sampled = {};
  EXPECT_THAT(store_stats_text(shallow, 80),
              HasSubstr("documents  0 bytes as text; without 316 documents not fetched yet\n"));
}

}  // namespace
}  // namespace tracker::report
