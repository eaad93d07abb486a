// 200 nights on one machine whose driver is replaced, which runs hot for a while and gets another board, with
// changes of the code among them, some on the same day: what is blamed on commits, and which changes are
// found.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tracker/base/time.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/events/events.hpp"
#include "tracker/history/sentinel.hpp"
#include "tracker/history/series.hpp"

namespace tracker {
namespace {

constexpr int kNights = 200;
constexpr int kFamilies = 6;  // the first half is bound by memory
constexpr int kOfFamily = 4;
constexpr int kDriver = 60;
constexpr int kHot = 100;
constexpr int kCool = 112;
constexpr int kBoard = 150;
constexpr double kThreshold = 0.02;

// A change of the code: of a family, or of one benchmark of it.
struct Planted {
  int night = 0;
  int family = 0;
  int member = -1;  // −1: all
  double change = 0;
};
constexpr std::array<Planted, 7> kPlanted{{{30, 0, -1, 0.04},
                                           {kDriver, 1, -1, 0.05},
                                           {85, 3, 2, -0.05},
                                           {kHot + 5, 5, -1, 0.04},
                                           {kBoard, 4, -1, -0.05},
                                           {kBoard, 2, 1, 0.05},
                                           {175, 0, 3, 0.04}}};

struct Known {
  const char* name;
  bool any = true;
  bool all = false;  // benchmarks; else one of each family
};

// What one benchmark takes longer for on the machine of a night, as a logarithm.
double machine_at(int night, int family, double own) {
  const bool by_memory = family < kFamilies / 2;
  double log = 0;
  if (night >= kDriver) log += (by_memory ? 0.03 : -0.01) * own;
  if (night >= kHot && night < kCool) log += (by_memory ? 0.015 : 0.06) * own;
  if (night >= kBoard) log += (by_memory ? -0.022 : 0.025) * own;
  return log;
}

Run frame_of(int night) {
  Run run;
  run.device.kind = DeviceKind::kGpu;
  run.device.uuid = night < kBoard ? "GPU-11111111-a" : "GPU-22222222-b";
  run.software.driver = night < kDriver ? "570.1" : "580.2";
  run.started_at = format_utc(parse_time("2026-01-01T02:00:00Z").value() + std::chrono::hours(24 * night));
  return run;
}

std::string name_of(int family, int member) {
  return "family" + std::to_string(family) + "/variant" + std::to_string(member) + "/f32/4096x4096";
}

struct Simulated {
  std::vector<Series> series;
  std::vector<Run> sentinel;
};

Simulated simulate(unsigned seed, const Known& known) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> share(0.75, 1.25);
  Simulated made;
  for (int night = 0; night < kNights; ++night) {
    Run run = frame_of(night);
    run.sentinel = true;
    run.invocations.emplace_back();
    made.sentinel.push_back(std::move(run));
  }
  for (int family = 0; family < kFamilies; ++family)
    for (int member = 0; member < kOfFamily; ++member) {
      const double own = share(random);
      const double noise = 0.003 * share(random);
      Series series;
      series.device = "gpu";
      series.benchmark = name_of(family, member);
      series.metric = find_metric("real_time");
      series.threshold = kThreshold;
      double code = 0;
      for (int night = 0; night < kNights; ++night) {
        for (const auto& one : kPlanted)
          if (one.night == night && one.family == family && (one.member < 0 || one.member == member))
            code += std::log1p(one.change);
        const double machine = machine_at(night, family, own);
        SeriesPoint point;
        point.commit = std::string(40 - std::to_string(night).size(), '0') + std::to_string(night);
        point.date = frame_of(night).started_at;
        point.position = night;
        point.median = 1e-3 * std::exp(code + machine + noise * normal(random));
        point.spread = {point.median * (1 - noise), point.median * (1 + noise)};
        point.invocations = 10;
        series.points.push_back(point);
        const double of_sentinel = 1e6 * std::exp(machine + noise * normal(random));
        if (!known.any || (!known.all && member > 0)) continue;
        Run& run = made.sentinel[static_cast<std::size_t>(night)];
        Benchmark benchmark;
        benchmark.name = series.benchmark;
        benchmark.time_base = TimeBase::kManual;
        run.benchmarks.push_back(benchmark);
        run.invocations[0].samples[series.benchmark] = {{of_sentinel}, {of_sentinel}, {1}, {}, 0};
      }
      made.series.push_back(std::move(series));
    }
  return made;
}

struct Blamed {
  int of_code = 0;      // planted changes that are found
  int of_same_day = 0;  // of them, those on a day on which the machine changed
  int falsely = 0;      // changes of benchmarks that are blamed on a commit, and no code changed
  int alarms = 0;       // nights on which `check` would fail for such
};

bool is_planted(const EventChange& change, const ChangeEvent& event, std::set<std::size_t>& found) {
  bool is = false;
  for (std::size_t i = 0; i < kPlanted.size(); ++i) {
    const Planted& one = kPlanted[i];
    const bool of_it = change.benchmark.starts_with("family" + std::to_string(one.family) + "/") &&
                       (one.member < 0 || change.benchmark == name_of(one.family, one.member));
    const bool alike = (change.after > change.before) == (one.change > 0);
    if (!of_it || !alike || one.night < event.last_before.position ||
        one.night > event.last_possible.position + 1)
      continue;
    is = true;
    found.insert(i);
  }
  return is;
}

// Until this night.
std::vector<Series> until(const Simulated& made, const history::Sentinel& sentinel, int nights) {
  auto all = made.series;
  for (auto& series : all) {
    series.points.resize(static_cast<std::size_t>(nights));
    for (auto& point : series.points) point.era = sentinel.era_of(frame_of(point.position));
    history::find_changes(series, DeviceKind::kGpu, sentinel);
  }
  return all;
}

Blamed blame(const Simulated& made) {
  Blamed blamed;
  std::set<std::size_t> found;
  const auto at = [&](int nights) {
    std::vector<Run> known(made.sentinel.begin(), made.sentinel.begin() + nights);
    return history::Sentinel(known);
  };
  for (int nights = 20; nights < kNights; nights += 5) {
    const auto all = until(made, at(nights), nights);
    std::set<std::size_t> ignored;
    for (const auto& event : events::check_newest(events::all_events(all), all, 20).regressions)
      for (const auto& change : event.changes)
        if (change.worse && change.settled && change.other_conditions.empty() &&
            !is_planted(change, event, ignored)) {
          ++blamed.alarms;
          break;
        }
  }
  const auto all = until(made, at(kNights), kNights);
  for (const auto& event : events::lasting_events(events::all_events(all), ""))
    for (const auto& change : event.changes)
      if (change.settled && change.other_conditions.empty() && !is_planted(change, event, found))
        ++blamed.falsely;
  blamed.of_code = static_cast<int>(found.size());
  for (const std::size_t i : found)
    blamed.of_same_day += kPlanted[i].night == kDriver || kPlanted[i].night == kBoard ? 1 : 0;
  return blamed;
}

// TRACKER_NIGHTS_SEEDS sets how many lives of the machine; docs/lab/changepoints.md has those of 40.
TEST(MachineNights, BlameNoCommitAndStillFindWhatTheCodeDid) {
  const char* seeds_wanted = std::getenv("TRACKER_NIGHTS_SEEDS");
  const int seeds = seeds_wanted == nullptr ? 4 : std::atoi(seeds_wanted);
  constexpr int kSameDay = 3;
  std::printf(
      "| sentinel | planted, found | on the machine's days, found | falsely blamed | false alarms of check "
      "|\n");
  for (const auto& known :
       {Known{"none", false, false}, Known{"one of each family"}, Known{"all", true, true}}) {
    Blamed sum;
    for (int seed = 1; seed <= seeds; ++seed) {
      const Blamed one = blame(simulate(static_cast<unsigned>(seed), known));
      sum.of_code += one.of_code;
      sum.of_same_day += one.of_same_day;
      sum.falsely += one.falsely;
      sum.alarms += one.alarms;
    }
    const int planted = seeds * static_cast<int>(kPlanted.size());
    std::printf("| %s | %d of %d | %d of %d | %d | %d |\n", known.name, sum.of_code, planted, sum.of_same_day,
                seeds * kSameDay, sum.falsely, sum.alarms);
    if (!known.any) {
      EXPECT_GT(sum.falsely, 0) << "the simulation shows nothing";
      continue;
    }
    EXPECT_EQ(sum.falsely, 0) << known.name;
    EXPECT_EQ(sum.alarms, 0) << known.name;
    EXPECT_GE(sum.of_code, planted * (known.all ? 95 : 70) / 100) << known.name;
  }
}

}  // namespace
}  // namespace tracker
