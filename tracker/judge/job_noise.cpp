#include "tracker/judge/job_noise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

struct DefaultDeviation {
  DeviceKind kind;
  Distance distance;
  double deviation;  // of one job, relative
};

// On six jobs of an H200 model: within 0.1–0.3 % on boards that agree, 1.0–2.8 % between boards that do not,
// and up to several per cent for kernels of a few µs. CPUs in virtual machines move far more.
constexpr DefaultDeviation kDefaults[] = {
    {DeviceKind::kGpu, Distance::kSameBoard, 0.01},
    {DeviceKind::kGpu, Distance::kOtherBoard, 0.025},
    {DeviceKind::kCpu, Distance::kSameBoard, 0.03},
    {DeviceKind::kCpu, Distance::kOtherBoard, 0.10},
};
// The defaults are meant as bounds, so they count as well known.
constexpr double kDefaultDegrees = 30;
// Where too few benchmarks have a history to learn from one another, the default weighs as much as so many
// neighbours: a short history moves it, a long one replaces it.
constexpr double kDefaultPriorDegrees = 4;
// However quiet a short history looks, the next job may differ by this share of the default.
constexpr double kFloorShare = 0.2;

// Boards that have no name are taken to differ.
bool on_same_board(const Run& a, const Run& b) {
  return board_of(a) == board_of(b) && !board_of(a).empty();
}

std::optional<double> log_mean(const Run& run, const std::string& name, const Metric& metric) {
  const Benchmark* benchmark = find_benchmark(run, name);
  if (benchmark == nullptr) return {};
  std::vector<double> logs;
  for (const double value : metric_values(metric, *benchmark, run))
    if (value > 0) logs.push_back(std::log(value));
  if (logs.empty()) return {};
  return stats::mean(logs);
}

// Differences between one run and the next at this distance, in the order of time.
std::vector<double> neighbour_differences(const std::vector<Run>& ordered, const std::string& name,
                                          const Metric& metric, Distance distance) {
  std::vector<double> differences;
  std::optional<double> last;
  const Run* last_run = nullptr;
  for (const auto& run : ordered) {
    const auto value = log_mean(run, name, metric);
    if (!value) continue;
    const bool same_board = last_run != nullptr && on_same_board(*last_run, run);
    const bool same_job = last_run != nullptr && last_run->job == run.job;
    if (last && !same_job && same_board == (distance == Distance::kSameBoard))
      differences.push_back(*value - *last);
    last = value;
    last_run = &run;
  }
  return differences;
}

}  // namespace

std::string board_of(const Run& run) {
  return run.device.uuid.value_or(run.host.name);
}

Distance distance_between(const std::vector<Run>& base, const std::vector<Run>& candidate) {
  for (const auto& b : base)
    for (const auto& c : candidate)
      if (!on_same_board(b, c)) return Distance::kOtherBoard;
  return Distance::kSameBoard;
}

stats::Variance default_job_variance(DeviceKind kind, Distance distance) {
  for (const auto& row : kDefaults)
    if (row.kind == kind && row.distance == distance) return {row.deviation * row.deviation, kDefaultDegrees};
  return {};  // within one job there is none
}

JobNoise job_noise(const std::map<std::string, Gate>& gates, const std::vector<Run>& history, DeviceKind kind,
                   Distance distance) {
  JobNoise noise;
  const stats::Variance fallback = default_job_variance(kind, distance);
  if (distance == Distance::kSameJob) {
    for (const auto& [name, gate] : gates) noise.variance[name] = {};
    return noise;
  }
  std::vector<Run> ordered = history;
  std::sort(ordered.begin(), ordered.end(), [](const Run& a, const Run& b) { return a.id < b.id; });
  std::vector<stats::Variance> all;
  for (const auto& [name, gate] : gates) {
    noise.variance[name] =
        stats::job_variance_from_history(neighbour_differences(ordered, name, gate.metric, distance));
    all.push_back(noise.variance[name]);
  }
  stats::Variance usual = stats::fit_usual_variance(all);
  if (!(usual.degrees > 0)) usual = {fallback.value, kDefaultPriorDegrees};
  const double floor = fallback.value * kFloorShare * kFloorShare;
  noise.learned = !gates.empty();
  for (auto& [name, variance] : noise.variance) {
    const bool known = variance.degrees > 0;
    variance = known ? stats::moderate(variance, usual) : fallback;
    variance.value = std::max(variance.value, floor);
    noise.learned = noise.learned && known;
  }
  return noise;
}

}  // namespace tracker
