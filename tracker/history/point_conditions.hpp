// Under which conditions the value of a commit was measured, and whether two stretches of a series differ in
// them: then a change of level is no change of the code. Pure. docs/changepoints.md, "Steps in a series".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/model/series.hpp"

namespace tracker::history {

// What of a run tells the conditions of a point; of its invocations only those that count do.
struct InvocationConditions {
  bool counts = false;
  bool at_power_cap = false;
  std::optional<double> load_per_thread;
  std::optional<double> core_clock_mhz;
  std::optional<double> memory_clock_mhz;
};
struct RunConditions {
  int threads = 1;
  bool disturbed = false;
  Shared<PointMachine> machine;
  std::optional<double> cpu_mhz;
  std::vector<InvocationConditions> invocations;
  Shared<PointConditions> of_all;  // of a benchmark that all invocations have
};
RunConditions conditions_in(const Run& run);

// A run, and the places of its invocations that have a benchmark, in order.
struct SampledRun {
  const RunConditions* facts = nullptr;
  std::span<const std::uint32_t> invocations;
};

// Medians over the invocations that count.
Shared<PointConditions> conditions_of(std::span<const SampledRun> runs);

// Which of the runs, all of one commit, were measured under the best conditions: undisturbed ones where there
// are any, and of those the ones on the machine that has most of them, when it had not markedly more to do.
std::vector<std::size_t> calmest_of(std::span<const SampledRun> runs);

// Dirty, or any invocation that counts was throttled or shared its GPU.
bool is_disturbed(const Run& run);

// By point, a number for the machine that it was measured on: CPUs, processor and caches tell machines apart,
// and the clock where it has a few values that are far from one another. What is not known is not different,
// and a clock that wanders from boot to boot makes no other machine.
std::vector<std::size_t> machines_of(std::span<const SeriesPoint> points);

// "4 CPUs → 64 CPUs"; empty where nothing shows that they were measured on two machines.
std::string machines_apart(const PointConditions& before, const PointConditions& after);

// "load per thread 0.4 → 12" where no point of one stretch was measured under conditions like those of the
// other; empty where the conditions overlap, or are not known of every point.
std::string conditions_apart(std::span<const Shared<PointConditions>> before,
                             std::span<const Shared<PointConditions>> after);

}  // namespace tracker::history
