// Reports and samples that the chart tests share: recorded ones, and some made up.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/plot/fixtures.hpp"
#include "tests/source_tree.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/history/chart_data.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::plot {

inline Comparison make_comparison(const std::string& name, double change, Verdict verdict,
                                  const Metric& metric = kBandwidth) {
  Comparison comparison;
  comparison.benchmark = name;
  comparison.metric = metric;
  comparison.base = metric.better == Better::kHigher ? 3.48e12 : 2.5e-3;
  comparison.candidate = *comparison.base * (1 + change);
  comparison.change = change;
  comparison.interval = Interval{change - 0.004, change + 0.003};
  comparison.threshold = 0.02;
  comparison.base_invocations = comparison.candidate_invocations = 5;
  comparison.verdict = verdict;
  return comparison;
}

inline ComparisonReport make_report(const std::vector<Comparison>& comparisons) {
  ComparisonReport report;
  report.device = "nvidia-h200-140gib-700w";
  report.base = {"main", commit_of(1), "Pad the tile", {}, 1, false};
  report.candidate = {"HEAD", commit_of(2), "Do not pad it", {}, 1, false};
  report.confidence = 0.99;
  report.comparisons = comparisons;
  std::sort(report.comparisons.begin(), report.comparisons.end(), matters_more);
  return report;
}

// Of every verdict something.
inline ComparisonReport make_report_of_all() {
  Comparison missing = make_comparison("missing", 0, Verdict::kMissing);
  missing.candidate = missing.change = {};
  missing.interval = {};
  Comparison added = make_comparison("new", 0, Verdict::kNew);
  added.base = added.change = {};
  added.interval = {};
  Comparison waived = make_comparison("waived", -0.05, Verdict::kRegressed);
  waived.waiver = WaiverCheck{"accepted", "2026-12-31", true};
  Comparison unknown = make_comparison("unknown", -0.01, Verdict::kInconclusive);
  unknown.interval = Interval{-INFINITY, INFINITY};
  Comparison floor = make_comparison("floor", -0.012, Verdict::kBelowFloor);
  return make_report({make_comparison("slow", -0.11, Verdict::kRegressed), waived, floor,
                      make_comparison("same", -0.06, Verdict::kSameCode), unknown,
                      make_comparison("fast", 0.08, Verdict::kImproved),
                      make_comparison("calm", 0.001, Verdict::kUnchanged), missing, added});
}

inline InvocationSamples invocation_at(int round, std::vector<double> values) {
  InvocationSamples one;
  one.round = round;
  one.values = std::move(values);
  one.median = one.values[one.values.size() / 2];
  return one;
}

// Rounds measured side by side; the candidate runs at two speeds.
inline BenchmarkSamples make_samples_of(int rounds) {
  BenchmarkSamples samples;
  samples.device = "nvidia-h200-140gib-700w";
  samples.comparison = make_comparison("transpose/smem_padded/f32/2048x2048", -0.021, Verdict::kRegressed);
  samples.base_side = {"main", commit_of(1), "Pad the tile", {}, 1, false};
  samples.candidate_side = {"HEAD", commit_of(2), "Do not pad it", {}, 1, false};
  samples.paired = true;
  for (int round = 1; round <= rounds; ++round) {
    const double wave = 1 + 0.002 * ((round * 7) % 5 - 2);
    const double base = *samples.comparison.base * wave;
    const double candidate = base * (round % 2 == 0 ? 0.999 : 0.96);
    samples.base.push_back(invocation_at(round, {base * 0.998, base, base * 1.001}));
    samples.candidate.push_back(invocation_at(round, {candidate * 0.999, candidate, candidate * 1.002}));
  }
  return samples;
}

// What two sets of recorded files say of each other (tests/data/README.md).
struct Recorded {
  formats::FileSide base;
  formats::FileSide candidate;
  ComparisonReport report;

  BenchmarkSamples samples(const std::string& benchmark) const {
    for (const auto& one : report.comparisons)
      if (one.benchmark == benchmark)
        return history::make_samples(report, one, base.runs, candidate.runs, {});
    ADD_FAILURE() << "no benchmark " << benchmark;
    return {};
  }
};

inline Recorded recorded_comparison(const std::string& base, const std::string& candidate, bool in_turn) {
  const auto read = [](const std::string& path) {
    Device device;
    device.kind = DeviceKind::kGpu;
    device.model = "NVIDIA H200";
    return formats::read_file_side(std::filesystem::path(TRACKER_TEST_DATA) / path, device);
  };
  Recorded recorded{read(base), read(candidate), {}};
  if (in_turn) formats::put_in_one_job(recorded.base.runs.front(), recorded.candidate.runs.front());
  judge::SideRuns was;
  judge::SideRuns is;
  was.side.label = "main";
  was.side.commit = commit_of(1);
  is.side.label = "HEAD";
  is.side.commit = commit_of(2);
  was.runs = recorded.base.runs;
  is.runs = recorded.candidate.runs;
  recorded.report = judge::judge(was, is, {}, {});
  return recorded;
}

}  // namespace tracker::plot
