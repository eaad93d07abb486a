#include "tracker/history/sentinel.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/judge/not_comparable.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/stats/change_points.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::history {
namespace {

// The sentinel's code never changes, so that what is likely a step of it is the machine's. Taking noise for
// one costs little: both levels are about the same.
constexpr double kStepSure = 0.95;
// A stretch that creeps is cut into eras in which it moves by no more.
constexpr double kCreepInEra = 0.005;
// A night that is off by so much, and by so many deviations of the others, is an era of its own.
constexpr double kOddNightMin = 0.01;
constexpr double kOddNightDeviations = 5;
// The default noise counts as so many nights.
constexpr double kDefaultNights = 4;

// As method_of() writes it, so that methods_apart() tells what differs.
std::string machine_facts(const Run& run) {
  std::string facts;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) facts += std::string(name) + "\t" + value + "\n";
  };
  if (run.device.kind == DeviceKind::kGpu) {
    add("driver", run.software.driver.value_or(""));
    std::vector<std::string> boards;
    for (const auto& board : boards_of(run)) boards.push_back(short_uuid(board));
    add("board", join(boards, " and "));
    return facts;
  }
  add("CPU", run.host.cpu.value_or(""));
  add("CPUs", run.host.cpu_count ? std::to_string(*run.host.cpu_count) : "");
  add("system", run.host.os.value_or(""));
  return facts;
}

std::map<std::string, double> log_times_of(const Run& run) {
  std::map<std::string, double> times;
  for (const auto& benchmark : run.benchmarks) {
    if (benchmark.error || benchmark.time_base == TimeBase::kNone) continue;
    const Metric metric = find_metric(benchmark.time_base == TimeBase::kCpu ? "cpu_time" : "real_time");
    const auto values = metric_values(metric, benchmark, run);
    const double typical = values.empty() ? 0 : stats::median(values);
    if (typical > 0) times.emplace(benchmark.name, std::log(typical));
  }
  return times;
}

// When the run was made: its id tells the part of the second, where it is of the same time.
std::optional<std::chrono::system_clock::time_point> time_of(const Run& run) {
  constexpr std::size_t kSecondsLength = 16;  // "20261120T124901Z"
  const auto time = parse_time(run.started_at);
  if (!time || run.id.size() < kSecondsLength + 5 || run.id[kSecondsLength] != '-') return time;
  const auto digits = [&](std::size_t from, std::size_t count) { return run.id.substr(from, count); };
  const auto of_id = parse_time(digits(0, 4) + "-" + digits(4, 2) + "-" + digits(6, 5) + ":" + digits(11, 2) +
                                ":" + digits(13, 3));
  std::uint16_t part = 0;
  const char* first = run.id.data() + kSecondsLength + 1;
  const bool has_part = std::from_chars(first, first + 4, part, 16).ptr == first + 4;
  if (!of_id || !has_part || std::chrono::abs(*time - *of_id) > std::chrono::minutes(1)) return time;
  return *of_id + std::chrono::microseconds(std::int64_t{part} * 1'000'000 / 65536);
}

double default_variance(DeviceKind kind) {
  return judge::default_job_variance(kind, judge::Distance::kSameBoard).value;
}

// Where the values' level changes: places of first values, with how much changes there.
void add_steps(const std::vector<double>& logs, DeviceKind kind, std::map<std::size_t, double>& votes) {
  std::vector<double> values;
  for (const double log : logs) values.push_back(std::exp(log));
  const double count = static_cast<double>(values.size());
  const double deviation = std::sqrt(default_variance(kind) * kDefaultNights / (kDefaultNights + count));
  std::vector<double> spreads;
  for (const double value : values) spreads.push_back(value * deviation);
  const auto changes = stats::find_changes(values, spreads);
  for (const auto* points : {&changes.points, &changes.wandered})
    for (const auto& point : *points)
      if (!point.bends && point.sure >= kStepSure && point.before > 0 && point.after > 0)
        votes[point.at] += std::abs(std::log(point.after / point.before));
  for (const auto& drift : changes.drifts) {
    if (!(drift.before > 0) || !(drift.after > 0)) continue;
    const double total = std::abs(std::log(drift.after / drift.before));
    const auto pieces = std::min(static_cast<std::size_t>(std::ceil(total / kCreepInEra)),
                                 (drift.to - drift.from) / stats::kSettledLength);
    for (std::size_t i = 1; i < pieces; ++i)
      votes[drift.from + i * (drift.to - drift.from) / pieces] += total / static_cast<double>(pieces);
  }
}

// Of places beside one another the one with most votes.
std::vector<std::size_t> boundaries_in(const std::map<std::size_t, double>& votes) {
  std::vector<std::pair<double, std::size_t>> by_votes;
  for (const auto& [place, vote] : votes)
    if (place > 0) by_votes.emplace_back(-vote, place);
  std::ranges::sort(by_votes);
  std::set<std::size_t> chosen;
  for (const auto& [vote, place] : by_votes)
    if (!chosen.contains(place - 1) && !chosen.contains(place + 1)) chosen.insert(place);
  return {chosen.begin(), chosen.end()};
}

// 1 for a time, −1 for a rate, 0 for what does not follow the time.
double sign_of(const Metric& metric) {
  static const std::map<std::string, double> signs{
      {"real_time", 1}, {"cpu_time", 1}, {"bytes_per_second", -1}, {"flops", -1}, {"items_per_second", -1}};
  const auto found = signs.find(metric.name);
  return found == signs.end() ? 0 : found->second;
}

}  // namespace

Sentinel::Sentinel(const std::vector<Run>& runs) {
  if (runs.empty()) return;
  for (const auto& run : runs) {
    const auto time = time_of(run);
    auto times = log_times_of(run);
    if (time && !times.empty())
      nights_.push_back({*time, run.started_at, machine_facts(run), kNoEra, std::move(times)});
  }
  std::ranges::stable_sort(nights_, {}, &Measured::time);
  const DeviceKind kind = runs.front().device.kind;
  std::vector<std::string> facts;  // in the order of their first nights
  for (const auto& night : nights_)
    if (std::ranges::find(facts, night.facts) == facts.end()) facts.push_back(night.facts);
  for (const auto& one : facts) {
    std::vector<Measured*> of_facts;
    for (auto& night : nights_)
      if (night.facts == one) of_facts.push_back(&night);
    find_eras(of_facts, kind);
    set_apart_odd_nights(of_facts);
  }
  for (auto& night : nights_) {
    MachineEra& era = eras_[night.era];
    if (era.nights++ == 0) era.first = night.started_at;
    era.facts = night.facts;
    era.last = night.started_at;
  }
  learn_noise(kind);
}

// The steps of any benchmark of the sentinel.
void Sentinel::find_eras(const std::vector<Measured*>& of_facts, DeviceKind kind) {
  std::set<std::string> names;
  for (const auto* night : of_facts)
    for (const auto& [name, time] : night->log_times) names.insert(name);
  std::map<std::size_t, double> votes;
  for (const auto& name : names) {
    std::vector<double> logs;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < of_facts.size(); ++i)
      if (const auto found = of_facts[i]->log_times.find(name); found != of_facts[i]->log_times.end()) {
        logs.push_back(found->second);
        places.push_back(i);
      }
    std::map<std::size_t, double> own;
    add_steps(logs, kind, own);
    for (const auto& [place, vote] : own) votes[places[place]] += vote;
  }
  const auto boundaries = boundaries_in(votes);
  auto next = boundaries.begin();
  eras_.emplace_back();
  for (std::size_t i = 0; i < of_facts.size(); ++i) {
    if (next != boundaries.end() && *next == i) {
      eras_.emplace_back();
      ++next;
    }
    of_facts[i]->era = static_cast<std::uint16_t>(eras_.size() - 1);
  }
}

// A night's move is what its benchmarks have in common against the other nights of its era.
void Sentinel::set_apart_odd_nights(const std::vector<Measured*>& of_facts) {
  std::map<std::pair<std::uint16_t, std::string>, std::vector<double>> values;
  for (const auto* night : of_facts)
    for (const auto& [name, time] : night->log_times) values[{night->era, name}].push_back(time);
  std::map<std::pair<std::uint16_t, std::string>, double> levels;
  for (const auto& [key, all] : values) levels[key] = stats::median(all);
  std::vector<double> moves;
  for (const auto* night : of_facts) {
    std::vector<double> own;
    for (const auto& [name, time] : night->log_times) own.push_back(time - levels.at({night->era, name}));
    moves.push_back(stats::median(own));
  }
  const double odd = std::max(kOddNightMin, kOddNightDeviations * stats::robust_deviation(moves));
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (std::abs(moves[i]) <= odd) continue;
    eras_.emplace_back();
    of_facts[i]->era = static_cast<std::uint16_t>(eras_.size() - 1);
  }
}

void Sentinel::learn_noise(DeviceKind kind) {
  std::map<std::string, std::pair<double, double>> sums;  // of squares, and of degrees
  for (std::size_t era = 0; era < eras_.size(); ++era) {
    std::map<std::string, std::vector<double>> values;
    for (const auto& night : nights_)
      if (night.era == era)
        for (const auto& [name, time] : night.log_times) values[name].push_back(time);
    for (const auto& [name, all] : values) {
      eras_[era].log_times[name] = stats::mean(all);
      auto& [squares, degrees] = sums[name];
      for (const double value : all) squares += std::pow(value - eras_[era].log_times[name], 2);
      degrees += static_cast<double>(all.size() - 1);
    }
  }
  for (const auto& [name, sum] : sums)
    deviations_[name] =
        std::sqrt((sum.first + kDefaultNights * default_variance(kind)) / (sum.second + kDefaultNights));
}

std::uint16_t Sentinel::era_of(const Run& run) const {
  if (nights_.empty()) return kNoEra;
  const auto time = time_of(run);
  if (!time) return kNoEra;
  const std::string facts = machine_facts(run);
  const Measured* nearest = nullptr;
  const auto distance = [&](const Measured& night) {
    return night.time < *time ? *time - night.time : night.time - *time;
  };
  const auto after = std::ranges::lower_bound(nights_, *time, {}, &Measured::time);
  for (auto night = after; night != nights_.end() && nearest == nullptr; ++night)
    if (night->facts == facts) nearest = &*night;
  for (auto night = std::make_reverse_iterator(after); night != nights_.rend(); ++night)
    if (night->facts == facts) {
      if (nearest == nullptr || distance(*night) <= distance(*nearest)) nearest = &*night;
      break;
    }
  if (nearest != nullptr) return nearest->era;
  return *time < nights_.front().time ? kNoEra : kUnknownEra;
}

std::optional<MachineShift> Sentinel::shift(std::uint16_t from, std::uint16_t to,
                                            const std::string& benchmark) const {
  if (from >= eras_.size() || to >= eras_.size()) return {};
  if (from == to) return MachineShift{};
  const double nights =
      1 / static_cast<double>(eras_[from].nights) + 1 / static_cast<double>(eras_[to].nights);
  std::vector<double> relatives;
  std::vector<double> others;
  double error = 0;
  for (const auto& [name, before] : eras_[from].log_times) {
    const auto after = eras_[to].log_times.find(name);
    if (after == eras_[to].log_times.end()) continue;
    const double moved = after->second - before;
    const double own_error = deviations_.at(name) * std::sqrt(nights);
    if (name == benchmark) return MachineShift{moved, own_error};
    error = std::max(error, own_error);
    (family_of(name) == family_of(benchmark) ? relatives : others).push_back(moved);
  }
  if (relatives.empty()) relatives = std::move(others);
  if (relatives.empty()) return {};
  // Another benchmark may move otherwise: as those of the sentinel do among themselves, or by half of it.
  const double middle = stats::median(relatives);
  double spread = std::abs(middle) / 2;
  if (relatives.size() > 2) {
    const auto [least, most] = std::ranges::minmax_element(relatives);
    spread = (*most - *least) / 2;
  }
  return MachineShift{middle, std::hypot(error, spread)};
}

std::string Sentinel::in_words(std::uint16_t from, std::uint16_t to, const std::string& benchmark) const {
  if (from >= eras_.size() || to >= eras_.size())
    return "another machine, which the sentinel was not measured on";
  std::string words = judge::methods_apart(eras_[from].facts, eras_[to].facts);
  if (words.empty())
    words = "the machine changed about " + eras_[to].first.substr(0, std::string("2026-11-20").size());
  const auto moved = shift(from, to, benchmark);
  if (!moved) return words + "; the sentinels have no benchmark in common";
  const double share = std::expm1(moved->log_time);
  return words + "; the sentinel takes " + format_share(std::abs(share)) + (share < 0 ? " less" : " longer");
}

std::vector<Sentinel::Night> Sentinel::drift() const {
  std::vector<Night> drift;
  if (nights_.empty()) return drift;
  const MachineEra& newest = eras_[nights_.back().era];
  for (const auto& night : nights_) {
    std::vector<double> moves;
    for (const auto& [name, time] : night.log_times)
      if (const auto level = newest.log_times.find(name); level != newest.log_times.end())
        moves.push_back(time - level->second);
    if (!moves.empty()) drift.push_back({night.started_at, night.era, std::expm1(stats::median(moves))});
  }
  return drift;
}

void place_on_machine(Series& series, const Sentinel& sentinel) {
  const double sign = sign_of(series.metric);
  const auto newest = std::find_if(series.points.rbegin(), series.points.rend(),
                                   [&](const SeriesPoint& point) { return point.era < kUnknownEra; });
  if (newest == series.points.rend()) return;
  std::map<std::uint16_t, double> machines;
  for (auto& point : series.points) {
    if (sign == 0) point.era = kNoEra;
    if (point.era >= kUnknownEra) continue;
    const auto [known, is_new] = machines.try_emplace(point.era);
    if (is_new)
      if (const auto moved = sentinel.shift(newest->era, point.era, series.benchmark))
        known->second = sign * moved->log_time;
    point.machine = known->second;
  }
}

}  // namespace tracker::history
