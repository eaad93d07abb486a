// The first sentence of a comment, for everything that a comparison can come to.
#include "tracker/report/sentence.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/report/sample_reports.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::report {
namespace {

Comparison result(const std::string& benchmark, Verdict verdict, double change,
                  const std::string& metric = "real_time") {
  Comparison comparison;
  comparison.benchmark = benchmark;
  comparison.metric = find_metric(metric);
  comparison.verdict = verdict;
  comparison.threshold = 0.02;
  if (verdict == Verdict::kFailed || verdict == Verdict::kMissing || verdict == Verdict::kNew)
    return comparison;
  comparison.base = 1e-3;
  comparison.candidate = 1e-3 * (1 + change);
  comparison.change = change;
  comparison.interval = {change - 0.001, change + 0.001};
  comparison.resolvable = 0.001;
  return comparison;
}

ComparisonReport on(const std::string& model, std::vector<Comparison> comparisons) {
  ComparisonReport report;
  report.device = model;
  report.details.kind = DeviceKind::kGpu;
  report.details.model = model;
  report.comparisons = std::move(comparisons);
  return report;
}

constexpr Verdict kWorse = Verdict::kRegressed;
constexpr Verdict kSame = Verdict::kUnchanged;

struct Told {
  const char* name;
  std::vector<ComparisonReport> reports;
  const char* sentence;
  Options options = {};

  friend void PrintTo(const Told& told, std::ostream* out) { *out << told.name; }
};

std::vector<Told> told() {
  const Comparison slow = result("gemm/a/f32/64", kWorse, 0.08);
  const Comparison slower = result("gemm/b/f32/64", kWorse, 0.5);
  const Comparison narrow = result("transpose/a/f32/64", kWorse, -0.294, "bytes_per_second");
  const Comparison quiet = result("gemm/a/f32/64", kSame, 0);
  const Comparison fast = result("gemm/a/f32/64", Verdict::kImproved, -0.048);
  Comparison skipped = quiet;
  skipped.not_measured = true;
  Comparison waived = slow;
  waived.waiver = WaiverCheck{"known", "2026-12-31", true};
  Comparison same_code = result("gemm/a/f32/64", Verdict::kSameCode, 0.08);
  Comparison open = result("gemm/a/f32/64", Verdict::kInconclusive, 0.01);
  return {
      {"one benchmark", {on("A", {slow})}, "gemm/a/f32/64 is 8 % slower"},
      {"bandwidth", {on("A", {narrow})}, "transpose/a/f32/64 has 29.4 % less bandwidth"},
      {"a rate", {on("A", {result("x", kWorse, -0.1, "flops")})}, "x has 10 % less throughput"},
      {"a counter", {on("A", {result("x", kWorse, -0.1, "hits")})}, "x is 10 % lower in hits"},
      {"a factor", {on("A", {result("x", kWorse, 8.17)})}, "x is 9.2× slower"},
      {"both devices", {on("A", {slow}), on("B", {slow})}, "gemm/a/f32/64 is 8 % slower on both GPUs"},
      {"both devices, differently",
       {on("A", {slow}), on("B", {result("gemm/a/f32/64", kWorse, 0.075)})},
       "gemm/a/f32/64 is 7.5–8 % slower on both GPUs"},
      {"three devices",
       {on("A", {slow}), on("B", {slow}), on("C", {slow})},
       "gemm/a/f32/64 is 8 % slower on all 3 GPUs"},
      {"one of two", {on("A", {slow}), on("B", {quiet})}, "gemm/a/f32/64 is 8 % slower on 1 of 2 GPUs (A)"},
      {"several of one family",
       {on("A", {slower, slow})},
       "2 benchmarks of gemm f32 are 8–50 % slower, worst gemm/b/f32/64"},
      {"several of one family on both",
       {on("A", {slower, slow}), on("B", {slower, slow})},
       "2 benchmarks of gemm f32 are 8–50 % slower on both GPUs, worst gemm/b/f32/64"},
      {"several, each on another device",
       {on("A", {slower}), on("B", {slow})},
       "2 benchmarks of gemm f32 are 8–50 % slower across both GPUs, worst gemm/b/f32/64"},
      {"several families",
       {on("A", {slower, narrow})},
       "2 benchmarks of gemm f32 and transpose f32 are slower, worst gemm/b/f32/64: 50 % slower"},
      {"many families",
       {on("A", {result("a/x", kWorse, 0.1), result("b/x", kWorse, 0.1), result("c/x", kWorse, 0.1),
                 result("d/x", kWorse, 0.2)})},
       "4 benchmarks of 4 families are 10–20 % slower, worst d/x"},
      {"failed", {on("A", {result("x", Verdict::kFailed, 0)})}, "x failed"},
      {"failed on one of two",
       {on("A", {result("x", Verdict::kFailed, 0)}), on("B", {quiet})},
       "x failed on 1 of 2 GPUs (A)"},
      {"missing",
       {on("A", {result("a/x", Verdict::kMissing, 0), result("a/y", Verdict::kMissing, 0)})},
       "2 benchmarks of a are missing"},
      {"below its floor", {on("A", {result("x", Verdict::kBelowFloor, 0)})}, "x is below its floor"},
      {"several kinds",
       {on("A", {slow, result("x", Verdict::kFailed, 0), result("y", Verdict::kMissing, 0)})},
       "gemm/a/f32/64 is 8 % slower; also 1 failed and 1 is missing"},
      {"not judged on another",
       {on("A", {slow})},
       "gemm/a/f32/64 is 8 % slower; not judged on nvidia-a100-80gib-400w",
       {.unjudged = {test::unjudged_device()}}},
      {"improved only", {on("A", {fast})}, "nothing regressed, and gemm/a/f32/64 is 4.8 % faster"},
      {"improved on both",
       {on("A", {fast}), on("B", {fast})},
       "nothing regressed, and gemm/a/f32/64 is 4.8 % faster on both GPUs"},
      {"several improved",
       {on("A", {result("gemm/a/f32/64", Verdict::kImproved, -0.05),
                 result("gemm/b/f32/64", Verdict::kImproved, -0.1)})},
       "nothing regressed, and 2 benchmarks of gemm f32 are 5–10 % faster, best gemm/b/f32/64"},
      {"nothing to tell", {on("A", {quiet})}, "nothing regressed · 1 unchanged"},
      {"waived", {on("A", {waived})}, "nothing regressed · 1 waived"},
      {"same code", {on("A", {same_code})}, "nothing regressed · 1 slower with the same code"},
      {"same program", {on("A", {skipped})}, "nothing changed: both sides are the same program"},
      {"inconclusive", {on("A", {open})}, "undecided: the one benchmark is inconclusive"},
      {"could not judge",
       {},
       "could not judge: no run is stored for the base HEAD~1 (3f9a0c1) on nvidia-h200-140gib-700w",
       test::unjudged_options()},
  };
}

class Sentence : public testing::TestWithParam<Told> {};

TEST_P(Sentence, IsPlainWords) {
  EXPECT_EQ(plain_text(sentence_of(GetParam().reports, GetParam().options)), GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(OfAll, Sentence, testing::ValuesIn(told()), [](const auto& one) {
  std::string name = one.param.name;
  std::erase_if(name, [](char c) { return c == ' ' || c == ','; });
  return name;
});

TEST(LeadingCause, IsThatOfTheWorst) {
  Comparison slow = result("a", kWorse, 0.08);
  Comparison slower = result("b", kWorse, 0.5);
  slow.cause = slower.cause = "registers 32 → 64";
  EXPECT_EQ(leading_cause({on("A", {slow, slower})}).cause, "registers 32 → 64");
  EXPECT_FALSE(leading_cause({on("A", {slow, slower})}).of_worst);
  slow.cause = "driver 580 → 590";
  EXPECT_EQ(leading_cause({on("A", {slow, slower})}).cause, "registers 32 → 64");
  EXPECT_TRUE(leading_cause({on("A", {slow, slower})}).of_worst);
  EXPECT_FALSE(leading_cause({on("A", {result("a", kSame, 0)})}).is_wanted);
}

TEST(RowsAcross, ABenchmarkIsOneRowByItsWorstDevice) {
  const std::vector<ComparisonReport> reports{
      on("A", {result("a", kSame, 0), result("b", Verdict::kInconclusive, 0.01)}),
      on("B", {result("c", Verdict::kNew, 0), result("a", kWorse, 0.1)})};
  const auto rows = rows_across(reports);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].benchmark, "a");
  EXPECT_EQ(rows[0].kind, RowKind::kFails);
  EXPECT_EQ(rows[0].cells[0], &reports[0].comparisons[0]);
  EXPECT_EQ(&rows[0].worst(), &reports[1].comparisons[1]);
  EXPECT_EQ(rows[1].benchmark, "b");
  EXPECT_EQ(rows[1].cells[1], nullptr);
  EXPECT_EQ(rows[2].kind, RowKind::kNew);
}

TEST(FamilyMeans, AreGeometric) {
  const auto rows = family_means({on("A", {result("gemm/a/64", kWorse, 1.0), result("gemm/b/64", kSame, -0.5),
                                           result("copy/a/64", kSame, 0.01)})});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].family, "copy");  // twice and half as long come to no change
  ASSERT_TRUE(rows[1].means.front());
  EXPECT_NEAR(rows[1].means.front()->change, 0, 1e-12);
  EXPECT_EQ(rows[1].means.front()->benchmarks, 2);
  EXPECT_DOUBLE_EQ(rows[1].means.front()->range.low, -0.5);
  EXPECT_DOUBLE_EQ(rows[1].means.front()->range.high, 1.0);
}

TEST(FamilyMeans, LeaveOutWhatSaysNothingAndKeepMetricsApart) {
  Comparison skipped = result("gemm/a/64", kSame, 0);
  skipped.not_measured = true;
  Comparison hidden = result("gemm/b/64", Verdict::kInconclusive, 3);
  hidden.resolvable = 100;
  EXPECT_TRUE(family_means({on("A", {skipped, hidden})}).empty());
  const auto rows = family_means(
      {on("A", {result("gemm/a/64", kSame, 0.1)}), on("B", {result("gemm/b/64", kSame, -0.2, "flops")})});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].has_other_metrics);
  EXPECT_EQ(rows[0].metric.name, "flops");
  EXPECT_FALSE(rows[0].means[0]);
}

TEST(Undecided, IsOneLineWithTheMostSuspiciousFirst) {
  std::vector<Comparison> all;
  for (int i = 0; i < 216; ++i) {
    all.push_back(result("gemm/" + std::to_string(i) + "/64", Verdict::kInconclusive, -0.01));
    all.back().resolvable = i == 0 ? 0.15 : 0.017;
    all.back().reasons = {{ReasonCode::kNoiseHides, {{"resolvable", i == 0 ? 0.15 : 0.017}}}};
  }
  all[100].change = 0.015;
  all[7].change = 0.01;
  const std::vector<ComparisonReport> reports{on("A", all)};
  const auto rows = rows_across(reports);
  std::vector<const BenchmarkRow*> open;
  for (const auto& row : rows) open.push_back(&row);
  const Undecided undecided = undecided_of(reports, open);
  EXPECT_EQ(undecided.summary, "216 undecided; smallest detectable change 1.7–15 %");
  ASSERT_EQ(undecided.suspicious.size(), 10u);
  EXPECT_EQ(undecided.suspicious[0]->benchmark, "gemm/100/64");
  EXPECT_EQ(undecided.suspicious[1]->benchmark, "gemm/7/64");
  EXPECT_EQ(undecided.other_benchmarks, 206u);
  EXPECT_EQ(undecided.reasons, std::vector<std::string>{"216: the noise hides changes below 1.7–15 %"});
}

}  // namespace
}  // namespace tracker::report
