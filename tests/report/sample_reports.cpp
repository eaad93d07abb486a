#include "tests/report/sample_reports.hpp"

#include <algorithm>
#include <limits>

#include "tests/support/said.hpp"

namespace tracker::test {
namespace {

struct Measured {
  double base;
  double candidate;
  double half;  // of the interval; 0: none is known
};

// What judging says first of such a comparison.
Reasons usual_reasons(const Comparison& c) {
  switch (c.verdict) {
    case Verdict::kRegressed:
    case Verdict::kSameCode:
    case Verdict::kImproved:
      return {{ReasonCode::kPastThreshold, {{"change", *c.change}, {"threshold", c.threshold}}}};
    case Verdict::kUnchanged:
      return {{ReasonCode::kWithinThreshold, {{"threshold", c.threshold}}}};
    case Verdict::kMissing:
      return {{ReasonCode::kMissingInCandidate}};
    case Verdict::kNew:
      return {{ReasonCode::kMissingInBase}};
    case Verdict::kNotComparable:
      return {{ReasonCode::kMeasuredOtherwise, {{"text", "iterations 10 → 1"}}}};
    case Verdict::kInconclusive:
      if (!c.resolvable) return {{ReasonCode::kOneInvocation}};
      if (noise_hides_everything(c)) return {{ReasonCode::kNoiseHidesAll}};
      return {{ReasonCode::kNoiseHides, {{"resolvable", *c.resolvable}}}};
    case Verdict::kBelowFloor:
    case Verdict::kFailed:
      break;
  }
  return {};
}

Reason more_needed(int invocations) {
  return {ReasonCode::kMoreNeeded, {{"invocations", invocations}}};
}

// "82.1 % of transpose/copy_row/f32/8192x8192, below its floor of 90 %".
Reason below_copy() {
  return {ReasonCode::kBelowReference,
          {{"reached", 0.821}, {"limit", 0.9}, {"of", "transpose/copy_row/f32/8192x8192"}}};
}

Reason own_verdict(Verdict verdict) {
  return {ReasonCode::kOwnVerdict, {{"verdict", verdict_name(verdict)}}};
}

Comparison compared(const std::string& benchmark, const std::string& metric, const Measured& measured,
                    Verdict verdict, const Reasons& more = {}) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Comparison comparison;
  comparison.benchmark = benchmark;
  comparison.metric = find_metric(metric);
  comparison.base = measured.base;
  comparison.candidate = measured.candidate;
  const double change = measured.candidate / measured.base - 1;
  const bool known = measured.half > 0;
  comparison.change = change;
  comparison.interval = {known ? change - measured.half : -1, known ? change + measured.half : kInfinite};
  if (known) comparison.resolvable = measured.half;
  comparison.threshold = 0.02;
  comparison.base_invocations = known ? 5 : 1;
  comparison.candidate_invocations = known ? 5 : 1;
  comparison.verdict = verdict;
  comparison.reasons = usual_reasons(comparison);
  comparison.reasons.insert(comparison.reasons.end(), more.begin(), more.end());
  return comparison;
}

Comparison one_sided(const std::string& benchmark, std::optional<double> base,
                     std::optional<double> candidate, Verdict verdict, const Reasons& more = {}) {
  Comparison comparison;
  comparison.benchmark = benchmark;
  comparison.metric = find_metric("bytes_per_second");
  comparison.base = base;
  comparison.candidate = candidate;
  comparison.threshold = 0.02;
  comparison.base_invocations = base ? 5 : 0;
  comparison.candidate_invocations = candidate ? 5 : 0;
  comparison.verdict = verdict;
  comparison.reasons = usual_reasons(comparison);
  comparison.reasons.insert(comparison.reasons.end(), more.begin(), more.end());
  return comparison;
}

ComparisonReport empty_report() {
  ComparisonReport report;
  report.device = "nvidia-h200-140gib-700w";
  report.details.kind = DeviceKind::kGpu;
  report.details.model = "NVIDIA H200";
  report.base = {"HEAD~1",
                 "3f9a0c1e5b7d2f4a6c8e0b1d3f5a7c9e1b3d5f70",
                 "Pad the tile by one column",
                 {"20261120T124901Z-3f9a0c1e"},
                 1,
                 false};
  report.candidate = {"HEAD",
                      "77ab01c92e4d6f8a0c1b3d5f7a9c1e3b5d7f9a02",
                      "Use one tile for all shapes",
                      {"20261120T125501Z-77ab01c9"},
                      1,
                      true};
  report.software.driver = "580.159.04";
  report.software.cuda_runtime = "13.0";
  report.details.power_limit_w = 700;
  report.base.clocks = report.candidate.clocks = {Interval{1980, 1980}, Interval{3201, 3201}};
  report.interleaved = true;
  report.confidence = 0.99;
  return report;
}

}  // namespace

ComparisonReport sample_report() {
  ComparisonReport report = empty_report();
  report.notes = {"the candidate was measured from a working tree with uncommitted changes",
                  "the base's clocks were held down (thermal) in 1 of 5 invocations",
                  "different compiler flags: -O3 -lineinfo → -O3 -lineinfo --maxrregcount=64"};
  auto& rows = report.comparisons;
  rows.push_back(compared("transpose/smem_padded/f32/8192x8192", "bytes_per_second",
                          {3.482e12, 2.459e12, 0.0055}, Verdict::kRegressed));
  rows.back().source = "kernels/transpose/smem_padded.cu";
  rows.push_back(compared("gemm/tile_2d/f32/2048x2048x2048", "real_time", {351.2e-6, 362.9e-6, 0.0021},
                          Verdict::kRegressed));
  rows.back().source = "kernels/gemm/tile_2d.cu";
  rows.back().rate = Rate{"FLOP/s", 48.92e12, 47.34e12};
  auto reported = compared("transpose/smem_unroll_padded/f32/8191x4097", "bytes_per_second",
                           {3.011e12, 2.846e12, 0.011}, Verdict::kRegressed);
  reported.report_only = true;
  rows.push_back(reported);
  rows.push_back(one_sided("transpose/diagonal_row/f32/4000x4000", 1.204e12, {}, Verdict::kFailed,
                           said("the kernel failed: an illegal memory access was encountered")));
  rows.push_back(one_sided("transpose/unroll8_col/f32/2048x1024", 1.882e12, {}, Verdict::kMissing));
  auto noisy = compared("transpose/smem_padded/f32/2048x1024", "bytes_per_second",
                        {2.391e12, 2.344e12, 0.044}, Verdict::kInconclusive, {more_needed(21)});
  noisy.more_invocations = 21;
  rows.push_back(noisy);
  rows.push_back(compared("gemm/cublas/f32/1024x1024x1024", "real_time", {63.25e-6, 63.31e-6, 0},
                          Verdict::kInconclusive));
  rows.push_back(
      compared("gemm/smem/f32/1024x1024x1024", "flops", {8.904e12, 9.331e12, 0.004}, Verdict::kImproved));
  rows.push_back(one_sided("transpose/naive_row_bypass_l1/f32/8192x8192", {}, 1.082e12, Verdict::kNew));
  rows.push_back(compared("transpose/copy_row/f32/8192x8192", "bytes_per_second",
                          {3.903e12, 3.901e12, 0.0021}, Verdict::kUnchanged));
  rows.push_back(compared("transpose/naive_row/f32/8192x8192", "bytes_per_second",
                          {1.08e12, 1.0805e12, 0.0013}, Verdict::kUnchanged));
  return report;
}

ComparisonReport quiet_report() {
  ComparisonReport report = empty_report();
  report.device = "cpu-intel-xeon-6960p-2t";
  report.details.kind = DeviceKind::kCpu;
  report.details.model = "Intel(R) Xeon(R) 6960P";
  report.details.power_limit_w.reset();
  report.software = {};
  report.base.clocks = report.candidate.clocks = {};
  report.base = {"baseline", "", "", {"20261118T101500Z-00000001", "20261119T101500Z-00000002"}, 2, false};
  report.candidate.dirty = false;
  report.interleaved = false;
  report.notes = {
      "measured in different jobs; the spread between jobs is learned from the history. --measure "
      "detects smaller changes"};
  auto row = compared("cpu/transpose/blocked/f32/2048x2048", "bytes_per_second", {9.41e9, 9.47e9, 0.013},
                      Verdict::kUnchanged);
  row.base_invocations = 10;
  report.comparisons.push_back(row);
  return report;
}

ComparisonReport policy_report() {
  ComparisonReport report = empty_report();
  report.effort = Effort{48.3, 310, 7, 12, true};
  report.notes = {"the waiver for 'gemm/old_*' matches no benchmark"};
  auto& rows = report.comparisons;
  rows.push_back(compared(
      "transpose/naive_row/f32/8192x8192", "bytes_per_second", {1.08e12, 0.972e12, 0.004},
      Verdict::kRegressed,
      {{ReasonCode::kWaiverExceeded, {{"text", "bounds are checked"}, {"worse", 0.1}, {"ceiling", 0.05}}}}));
  rows.back().waiver = WaiverCheck{"bounds are checked", "2026-12-31", false};
  rows.push_back(
      compared("gemm/naive/f32/1024x1024x1024", "real_time", {1.204e-3, 1.264e-3, 0.003}, Verdict::kRegressed,
               {{ReasonCode::kWaived, {{"text", "bounds are checked since #41"}, {"until", "2026-12-31"}}}}));
  rows.back().waiver = WaiverCheck{"bounds are checked since #41", "2026-12-31", true};
  rows.push_back(compared("transpose/smem/f32/8192x8192", "bytes_per_second", {3.21e12, 3.2e12, 0.002},
                          Verdict::kBelowFloor, {below_copy(), own_verdict(Verdict::kUnchanged)}));
  rows.back().floor = FloorCheck{"90% of transpose/copy_row/{3}/{4}", 0.9122, {0.909, 0.915}, true, false};
  rows.back().confirmed = true;
  rows.push_back(
      one_sided("transpose/smem_swizzled/f32/8192x8192", {}, 2.9e12, Verdict::kBelowFloor,
                {{ReasonCode::kBelowFloor, {{"short_by", 0.09375}, {"higher", 1}, {"floor", "3.2 TB/s"}}},
                 {ReasonCode::kMissingInBase}}));
  rows.back().floor = FloorCheck{"3.2 TB/s", 0.90625, {0.9, 0.91}, true, false};
  rows.back().report_only = true;
  rows.push_back(one_sided("transpose/unroll8_col/f32/2048x1024", 1.882e12, {}, Verdict::kMissing,
                           {{ReasonCode::kWaived, {{"text", "it comes back"}, {"until", "2027-01-31"}}}}));
  rows.back().waiver = WaiverCheck{"it comes back", "2027-01-31", true};
  rows.push_back(compared("gemm/tile_2d/f32/1024x1024x1024", "real_time", {63.25e-6, 63.31e-6, 0.002},
                          Verdict::kUnchanged));
  rows.back().confirmed = true;
  rows.back().floor = FloorCheck{"95% of gemm/cublas/{3}/{4}", 1.02, {1.01, 1.03}, false, false};
  rows.push_back(
      compared("transpose/diagonal_row/f32/8192x8192", "bytes_per_second", {2.8e12, 2.81e12, 0.004},
               Verdict::kUnchanged,
               {{ReasonCode::kFloorUnclear,
                 {{"floor", "72 % of transpose/copy_row/f32/8192x8192"}, {"low", 0.718}, {"high", 0.723}}}}));
  rows.back().floor = FloorCheck{"72% of transpose/copy_row/{3}/{4}", 1.001, {0.997, 1.004}, false, true};
  return report;
}

ComparisonReport reasons_report() {
  ComparisonReport report = empty_report();
  report.interleaved = false;
  report.notes = {"different driver: 580.159.04 → 590.12.01"};
  auto& rows = report.comparisons;
  const auto add = [&](const std::string& benchmark, const std::string& metric, const Measured& measured,
                       Verdict verdict, const Reasons& more, const std::string& cause) -> Comparison& {
    rows.push_back(compared(benchmark, metric, measured, verdict, more));
    rows.back().cause = cause;
    return rows.back();
  };
  add("transpose/smem_padded/f32/8192x8192", "bytes_per_second", {3.482e12, 2.459e12, 0.0055},
      Verdict::kRegressed, {},
      "spills 0 → 96 bytes: registers 64 → 32; machine code changed: LDL 0 → 24, STL 0 → 24, IMAD 40 → 46 "
      "and "
      "11 more; driver 580.159.04 → 590.12.01")
      .same_code = false;
  add("gemm/tile_2d/f32/2048x2048x2048", "real_time", {351.2e-6, 362.9e-6, 0.0021}, Verdict::kRegressed,
      {{ReasonCode::kWaiverExpired, {{"text", "known"}, {"until", "2026-11-01"}}}}, "")
      .waiver = WaiverCheck{"known", "2026-11-01", false};
  add("transpose/smem/f32/8192x8192", "bytes_per_second", {3.21e12, 3.2e12, 0.002}, Verdict::kBelowFloor,
      {below_copy(), own_verdict(Verdict::kUnchanged)}, "blocks per SM 8 → 4: registers 32 → 64");
  auto& fails =
      add("gemm/cublas/f32/2048x2048x2048", "real_time", {348e-6, 371e-6, 0.002}, Verdict::kSameCode,
          {{ReasonCode::kSameCodeButSlower}}, "cuBLAS 13.0.1 → 13.1.0; driver 580.159.04 → 590.12.01");
  fails.same_code = fails.same_code_fails = true;
  add("transpose/naive_row/f32/8192x8192", "bytes_per_second", {1.08e12, 0.957e12, 0.004}, Verdict::kSameCode,
      {{ReasonCode::kSameCodeButSlower}},
      "SM clock 1980 → 1755 MHz, power cap; driver 580.159.04 → 590.12.01")
      .same_code = true;
  add("transpose/naive_col/f32/8192x8192", "bytes_per_second", {1.4e12, 1.33e12, 0.004}, Verdict::kSameCode,
      {{ReasonCode::kSameCodeButSlower}, {ReasonCode::kNothingElseDiffers}}, "")
      .same_code = true;
  rows.back().report_only = true;
  add("gemm/smem/f32/1024x1024x1024", "flops", {8.904e12, 9.331e12, 0.004}, Verdict::kImproved, {},
      "block 32x8 → 16x16; machine code changed: LDS 64 → 32")
      .same_code = false;
  auto absurd = compared("transpose/naive_row/f32/64x64", "real_time", {1e-6, 2e-6, 1.8e8},
                         Verdict::kInconclusive, {more_needed(3)});
  absurd.interval->low = -1;
  rows.push_back(absurd);
  return report;
}

ComparisonReport long_report() {
  ComparisonReport report = empty_report();
  report.interleaved = false;
  auto& rows = report.comparisons;
  rows.push_back(compared("gemm/tile_2d/f32/2048x2048x2048", "real_time", {351.2e-6, 362.9e-6, 0.0021},
                          Verdict::kRegressed));
  for (const char* name : {"a", "b", "c", "d"})
    rows.push_back(one_sided(std::string("transpose/") + name + "/f32/64x64", 1e12, {}, Verdict::kMissing));
  for (int i = 0; i < 12; ++i) {
    const std::string name = "transpose/variant_" + std::to_string(i) + "/f32/8192x8192";
    const double resolvable = 0.055 + 0.001 * (i % 5);
    const Reason more = i % 3 == 0 ? more_needed(3 + 4 * i) : Reason{ReasonCode::kJobsDiffer};
    rows.push_back(compared(name, "bytes_per_second", {3e12 + 1e10 * i, 2.99e12 + 1e10 * i, resolvable},
                            Verdict::kInconclusive, {more}));
  }
  rows.push_back(compared("gemm/cublas/f32/1024x1024x1024", "real_time", {63.25e-6, 63.31e-6, 0},
                          Verdict::kInconclusive));
  for (int i = 0; i < 3; ++i)
    rows.push_back(compared("gemm/unchanged_" + std::to_string(i), "real_time", {1e-3, 1e-3, 0.001},
                            Verdict::kUnchanged));
  return report;
}

ComparisonReport broken_report() {
  ComparisonReport report = empty_report();
  auto& rows = report.comparisons;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "transpose/variant_" + std::to_string(i) + "/f32/8192x8192";
    rows.push_back(
        compared(name, "bytes_per_second", {3e12, 2.1e12 + 2e10 * i, 0.0055}, Verdict::kRegressed));
    rows.back().cause = "compiler flags: -O3 → -O1";
    rows.back().source = "kernels/transpose/variant_" + std::to_string(i) + ".cu";
  }
  for (int i = 0; i < 5; ++i)
    rows.push_back(compared("gemm/unchanged_" + std::to_string(i), "real_time", {1e-3, 1e-3, 0.001},
                            Verdict::kUnchanged));
  return report;
}

ComparisonReport open_report() {
  ComparisonReport report = long_report();
  auto& rows = report.comparisons;
  std::erase_if(rows, [](const Comparison& row) { return row.verdict != Verdict::kInconclusive; });
  rows.erase(rows.begin() + 3, rows.end());
  report.notes = {"measured in different jobs; --measure detects smaller changes"};
  return report;
}

ComparisonReport same_code_report() {
  ComparisonReport report = reasons_report();
  std::erase_if(report.comparisons, [](const Comparison& row) {
    return row.verdict != Verdict::kSameCode && row.verdict != Verdict::kImproved;
  });
  for (auto& row : report.comparisons) row.same_code_fails = false;
  report.candidate.clocks.core_mhz = Interval{1755, 1980};
  return report;
}

ComparisonReport excused_report() {
  ComparisonReport report = policy_report();
  auto& rows = report.comparisons;
  rows.erase(rows.begin());
  std::erase_if(rows, [](const Comparison& row) { return fails_gate(row); });
  rows.push_back(one_sided("transpose/old/f32/64x64", 1e12, {}, Verdict::kMissing));
  rows.back().report_only = true;
  std::sort(rows.begin(), rows.end(), matters_more);
  return report;
}

ComparisonReport hostile_report() {
  ComparisonReport report = empty_report();
  report.candidate.subject =
      "Fix #1 @everyone\x1b[2J [click](https://evil.example) <img src=x onerror=alert(1)>";
  report.candidate.label = "- *x*";
  report.notes = {"different driver: 1 → 2\n\n# A heading\n<script>alert(1)</script>"};
  report.comparisons.push_back(compared("a|b`c`\n| d | <b>@team/name</b> **bold** _em_ ~~gone~~ $x$ \\|",
                                        "real_time", {1e-3, 2e-3, 0.01}, Verdict::kRegressed));
  report.comparisons.back().reasons =
      said("see www.evil.example, GH-12, mailto:a@b.example and owner/repo#3");
  report.comparisons.back().reasons.push_back(
      {ReasonCode::kWaiverExpired, {{"text", "</td> | #1 @everyone \x1b[31m"}, {"until", "2026-12-31"}}});
  report.comparisons.back().waiver = WaiverCheck{"</td> | #1 @everyone \x1b[31m", "2026-12-31", false};
  report.comparisons.back().floor = FloorCheck{"90% of <b>\x1b]0;x\x07", 0.5, {0.4, 0.6}, true, false};
  report.comparisons.push_back(one_sided("bad\xff\xc0utf8\x1b]0;title\x07", {}, {}, Verdict::kFailed,
                                         said("</td></table></details>&lt;")));
  return report;
}

}  // namespace tracker::test
