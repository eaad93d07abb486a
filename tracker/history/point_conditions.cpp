#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/history/line_runs.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::history {
namespace {

// More load per thread than that is another machine's worth of work. A benchmark's own process is part of the
// load, so at least one whole process is allowed for.
constexpr double kLoadMargin = 0.5;
// A clock that is lower by less than that explains no step.
constexpr double kClockMargin = 0.03;

int threads_of(const Run& run) {
  if (run.host.cpu_count.value_or(0) > 0) return *run.host.cpu_count;
  return run.device.kind == DeviceKind::kCpu ? std::max(run.device.core_count.value_or(1), 1) : 1;
}

double load_margin(int threads) {
  return std::max(kLoadMargin, 1.0 / threads);
}

// Dirty, or any invocation that counts was throttled or shared its GPU.
bool is_disturbed(const Run& run) {
  return run.dirty || std::ranges::any_of(run.invocations, [](const Invocation& one) {
           return !one.excluded && one.conditions.disturbed();
         });
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double median = 0;
};

// Empty where any point does not tell.
std::optional<Range> range_of(std::span<const Shared<PointConditions>> points,
                              const std::optional<double> PointConditions::*value) {
  Range range;
  std::vector<double> values;
  for (const auto& point : points) {
    const auto& seen = (*point).*value;
    if (!seen) return {};
    values.push_back(*seen);
    range.low = std::min(range.low, values.back());
    range.high = std::max(range.high, values.back());
  }
  if (values.empty()) return {};
  range.median = stats::median(values);
  return range;
}

bool any_at_power_cap(std::span<const Shared<PointConditions>> points) {
  return std::ranges::any_of(points, [](const auto& point) { return point->at_power_cap; });
}

std::string load_apart(std::span<const Shared<PointConditions>> before,
                       std::span<const Shared<PointConditions>> after) {
  const auto first = range_of(before, &PointConditions::load_per_thread);
  const auto last = range_of(after, &PointConditions::load_per_thread);
  if (!first || !last) return "";
  int threads = std::numeric_limits<int>::max();
  for (const auto& points : {before, after})
    for (const auto& point : points) threads = std::min(threads, point->threads);
  const double margin = load_margin(std::max(threads, 1));
  if (last->low - first->high < margin && first->low - last->high < margin) return "";
  return "load per thread " + format_plain(first->median) + " → " + format_plain(last->median);
}

std::string clock_apart(const char* name, const std::optional<double> PointConditions::*clock,
                        std::span<const Shared<PointConditions>> before,
                        std::span<const Shared<PointConditions>> after) {
  const auto first = range_of(before, clock);
  const auto last = range_of(after, clock);
  if (!first || !last) return "";
  if (last->low < first->high * (1 + kClockMargin) && first->low < last->high * (1 + kClockMargin)) return "";
  return std::string(name) + " " + format_plain(std::round(first->median)) + " → " +
         format_plain(std::round(last->median)) + " MHz";
}

PointConditions pooled_conditions(std::span<const SampledRun> runs) {
  PointConditions found;
  std::vector<const InvocationConditions*> counted;
  for (const auto& run : runs) {
    found.threads = found.threads == 0 ? run.facts->threads : std::min(found.threads, run.facts->threads);
    for (const std::uint32_t place : run.invocations)
      if (run.facts->invocations[place].counts) counted.push_back(&run.facts->invocations[place]);
  }
  const auto median_of = [&](std::optional<double> InvocationConditions::*reading) {
    std::vector<double> values;
    for (const auto* one : counted)
      if (one->*reading) values.push_back(*(one->*reading));
    return values.empty() ? std::nullopt : std::optional(stats::median(std::move(values)));
  };
  if (!runs.empty()) {
    found.machine = runs.back().facts->machine;
    found.cpu_mhz = runs.back().facts->cpu_mhz;
  }
  found.at_power_cap = std::ranges::any_of(counted, &InvocationConditions::at_power_cap);
  found.load_per_thread = median_of(&InvocationConditions::load_per_thread);
  found.core_clock_mhz = median_of(&InvocationConditions::core_clock_mhz);
  found.memory_clock_mhz = median_of(&InvocationConditions::memory_clock_mhz);
  return found;
}

Host host_of(const PointMachine& machine) {
  Host host;
  host.cpu_count = machine.cpu_count;
  if (!machine.cpu.empty()) host.cpu = machine.cpu;
  if (!machine.caches.empty()) host.caches = machine.caches;
  return host;
}

// Where the clocks of one machine's points lie in a few narrow bands far from one another, the bands are
// those of several processors: returns the lower ends of all but the first. A clock that wanders fills a wide
// band.
std::vector<double> clock_bands(std::vector<double> clocks) {
  constexpr double kApart = 0.1;
  constexpr double kWidthMax = 0.01;
  constexpr std::size_t kValuesMin = 2;
  std::ranges::sort(clocks);
  std::vector<double> starts;
  std::size_t first = 0;
  for (std::size_t i = 1; i <= clocks.size(); ++i) {
    if (i < clocks.size() && clocks[i] - clocks[i - 1] <= kApart * clocks[i]) continue;
    if (i - first < kValuesMin || clocks[i - 1] > clocks[first] * (1 + kWidthMax)) return {};
    if (i < clocks.size()) starts.push_back(clocks[i]);
    first = i;
  }
  return starts;
}

// Of several runs, those on the machine that has most of them.
void keep_one_machine(std::vector<std::size_t>& chosen, std::span<const SampledRun> runs) {
  std::map<Shared<PointMachine>, std::size_t> counts;
  for (const std::size_t i : chosen) ++counts[runs[i].facts->machine];
  if (counts.size() < 2) return;
  const auto most = std::ranges::max_element(counts, {}, &decltype(counts)::value_type::second);
  std::erase_if(chosen, [&](std::size_t i) {
    return !machines_apart(host_of(runs[i].facts->machine), host_of(most->first)).empty();
  });
}

}  // namespace

RunConditions conditions_in(const Run& run) {
  RunConditions facts;
  facts.threads = threads_of(run);
  facts.disturbed = is_disturbed(run);
  const auto finite = [](const std::optional<double>& value, double divisor = 1) {
    return value && std::isfinite(*value) ? std::optional(*value / divisor) : std::nullopt;
  };
  if (run.device.kind == DeviceKind::kCpu) {
    const Host& host = run.host;
    facts.machine = PointMachine{host.cpu_count, host.cpu.value_or(""), host.caches.value_or("")};
    if (!host.cpu_scaling.value_or(false)) facts.cpu_mhz = finite(host.cpu_mhz);
  }
  std::vector<std::uint32_t> all;
  for (const auto& invocation : run.invocations) {
    const Conditions& seen = invocation.conditions;
    InvocationConditions one;
    one.counts = !invocation.excluded;
    one.at_power_cap = std::ranges::find(seen.throttle_reasons, "power_cap") != seen.throttle_reasons.end();
    one.load_per_thread = finite(seen.load_average, facts.threads);
    one.core_clock_mhz = finite(seen.core_clock_mhz_min);
    one.memory_clock_mhz = finite(seen.memory_clock_mhz);
    all.push_back(static_cast<std::uint32_t>(facts.invocations.size()));
    facts.invocations.push_back(one);
  }
  const SampledRun whole{&facts, all};
  facts.of_all = pooled_conditions({&whole, 1});
  return facts;
}

Shared<PointConditions> conditions_of(std::span<const SampledRun> runs) {
  if (runs.size() == 1 && runs.front().invocations.size() == runs.front().facts->invocations.size())
    return runs.front().facts->of_all;
  return pooled_conditions(runs);
}

std::vector<std::size_t> calmest_of(std::span<const SampledRun> runs) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < runs.size(); ++i) chosen.push_back(i);
  const auto is_calm = [&](std::size_t i) { return !runs[i].facts->disturbed; };
  if (std::ranges::any_of(chosen, is_calm)) std::erase_if(chosen, [&](std::size_t i) { return !is_calm(i); });
  keep_one_machine(chosen, runs);
  if (chosen.size() < 2) return chosen;
  const auto load_of = [&](std::size_t i) {
    return conditions_of({&runs[i], 1})->load_per_thread.value_or(0);
  };
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : chosen) least = std::min(least, load_of(i));
  std::erase_if(chosen,
                [&](std::size_t i) { return load_of(i) - least >= load_margin(runs[i].facts->threads); });
  return chosen;
}

std::vector<std::size_t> machines_of(std::span<const SeriesPoint> points) {
  std::vector<Host> machines;
  std::map<const PointMachine*, std::size_t> known;
  std::vector<std::size_t> places;
  for (const auto& point : points) {
    const PointMachine& own = point.conditions->machine;
    const auto [found, is_new] = known.try_emplace(&own, machines.size());
    if (is_new) {
      const Host host = host_of(own);
      const auto same =
          std::ranges::find_if(machines, [&](const Host& one) { return machines_apart(one, host).empty(); });
      found->second = static_cast<std::size_t>(same - machines.begin());
      if (same == machines.end()) {
        machines.push_back(host);
      } else {  // what is known of it so far
        if (!same->cpu_count) same->cpu_count = host.cpu_count;
        if (!same->cpu) same->cpu = host.cpu;
        if (!same->caches) same->caches = host.caches;
      }
    }
    places.push_back(found->second);
  }
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;  // by machine and band of its clock
  std::vector<std::vector<double>> clocks(machines.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const auto& mhz = points[i].conditions->cpu_mhz) clocks[places[i]].push_back(*mhz);
  std::vector<std::vector<double>> bands;
  for (auto& one : clocks) bands.push_back(clock_bands(std::move(one)));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& starts = bands[places[i]];
    const double mhz = points[i].conditions->cpu_mhz.value_or(0);
    const auto band = static_cast<std::size_t>(std::ranges::upper_bound(starts, mhz) - starts.begin());
    places[i] = numbers.try_emplace({places[i], band}, numbers.size()).first->second;
  }
  return places;
}

std::string machines_apart(const PointConditions& before, const PointConditions& after) {
  Host base = host_of(before.machine);
  Host candidate = host_of(after.machine);
  base.cpu_mhz = before.cpu_mhz;
  candidate.cpu_mhz = after.cpu_mhz;
  return machines_apart(base, candidate);
}

std::string conditions_apart(std::span<const Shared<PointConditions>> before,
                             std::span<const Shared<PointConditions>> after) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) words.push_back(text);
  };
  add(load_apart(before, after));
  add(clock_apart("memory clock", &PointConditions::memory_clock_mhz, before, after));
  // At the power cap it is the kernels themselves that set the clock.
  if (!any_at_power_cap(before) && !any_at_power_cap(after))
    add(clock_apart("SM clock", &PointConditions::core_clock_mhz, before, after));
  return join(words, ", ");
}

}  // namespace tracker::history
