#include "tracker/judge/policy_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/decision.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker::judge {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// The logarithm of the speed reached, as a share of the floor's.
struct Reached {
  stats::Difference share;
  bool noise_known = false;
  std::optional<ReasonCode> why_not;  // there is no share to speak of
};

double speed_sign(const Metric& metric) {
  return metric.better == Better::kHigher ? 1 : -1;
}

Reached from_side(const std::vector<std::vector<double>>& logs_by_job, double sign, double limit,
                  const stats::Variance& job) {
  const auto side = stats::side_noise(logs_by_job);
  Reached reached{{sign * side.mean - limit, side.per_invocation, job}, side.per_invocation.degrees > 0, {}};
  reached.share.sampling.value *= side.sampling_factor;
  return reached;
}

Reached against_limit(const SideEvidence& side, const Gate& gate, const stats::Variance& job) {
  const SideValues own = side_values(side, gate.metric);
  const double sign = speed_sign(gate.metric);
  if (own.only_zeros()) {  // nothing of what should be much, or of what should be little
    Reached reached;
    reached.share.estimate = sign * -kUnknown;
    reached.noise_known = own.zeros > 1;
    return reached;
  }
  if (own.zeros > 0) return {{}, false, ReasonCode::kFloorZeros};
  return from_side(own.logs_by_job, sign, sign * std::log(gate.floor->limit), job);
}

// Both were measured in every round of the run, so what a round shares cancels in their ratio; so does the
// job's offset, as far as it is the same for both. `reference` is null where there is none.
Reached against_other(const SideEvidence& side, const SideEvidence* reference, const Gate& gate) {
  if (reference == nullptr || reference->newest() == nullptr)
    return {{}, false, ReasonCode::kFloorNoReference};
  std::vector<std::vector<double>> logs_by_job;
  std::map<std::string, std::size_t> places;
  for (const auto& own : side.seen) {
    const auto other = std::ranges::find(reference->seen, own.run, &RunEvidence::run);
    if (own.benchmark->error || other == reference->seen.end() || other->benchmark->error) continue;
    std::map<int, double> others;
    for (const auto& [round, value, build] :
         metric_rounds(gate.metric, *other->benchmark, *own.run, other->samples))
      others.emplace(round, value);
    std::vector<double> logs;
    for (const auto& [round, value, build] :
         metric_rounds(gate.metric, *own.benchmark, *own.run, own.samples)) {
      const auto found = others.find(round);
      if (found == others.end() || !(value > 0) || !(found->second > 0)) continue;
      const double log = std::log(value) - std::log(found->second);
      if (std::isfinite(log)) logs.push_back(log);
    }
    if (logs.empty()) continue;
    const auto place = places.try_emplace(job_or_id(*own.run), logs_by_job.size());
    if (place.second) logs_by_job.emplace_back();
    auto& job = logs_by_job[place.first->second];
    job.insert(job.end(), logs.begin(), logs.end());
  }
  if (!logs_by_job.empty())
    return from_side(logs_by_job, speed_sign(gate.metric), std::log(gate.floor->limit), {});
  if (reference->newest()->error) return {{}, false, ReasonCode::kFloorReferenceFailed};
  return {{}, false, ReasonCode::kFloorNoSharedRounds};
}

// The rate that the device bounds: the metric's own, or of the work that a time is for.
Metric bounded_metric(const Metric& metric, const Benchmark& benchmark) {
  if (metric.name == "bytes_per_second" || metric.name == "flops") return metric;
  return find_metric(benchmark.flops_per_iteration ? "flops" : "bytes_per_second");
}

Reached against_peak(const SideEvidence& side, const Gate& gate, const stats::Variance& job) {
  const Metric metric = bounded_metric(gate.metric, *side.newest());
  const auto peak = metric_peak(metric, side.runs.back().device, side.newest());
  const SideValues own = side_values(side, metric);
  if (!peak || !(*peak > 0)) return {{}, false, ReasonCode::kFloorPeakUnknown};
  if (own.logs_by_job.empty()) return {{}, false, ReasonCode::kFloorNoWork};
  return from_side(own.logs_by_job, speed_sign(metric), std::log(gate.floor->limit * *peak), job);
}

Reason why_broken(const Comparison& c, const Floor& floor, double reached) {
  if (floor.of)
    return {ReasonCode::kBelowReference,
            {{"reached", reached * floor.limit}, {"limit", floor.limit}, {"of", *floor.of}}};
  const bool higher = c.metric.better == Better::kHigher;
  return {ReasonCode::kBelowFloor,
          {{"short_by", higher ? 1 - reached : 1 / reached - 1},
           {"higher", higher ? 1.0 : 0.0},
           {"floor", floor.text}}};
}

Reason why_unclear(const Comparison& c, const Floor& floor, const Reached& reached,
                   const Interval& interval) {
  constexpr double kFactorMax = 10;
  Reason reason;
  reason.arguments.push_back(
      {"floor", floor.of ? format_share(floor.limit) + " of " + *floor.of : floor.text});
  if (reached.why_not) {
    reason.code = *reached.why_not;
    if (floor.of) reason.arguments.push_back({"of", *floor.of});
    if (reason.code == ReasonCode::kFloorNoSharedRounds)
      reason.arguments.push_back({"metric", c.metric.name});
  } else if (!reached.noise_known) {
    reason.code = ReasonCode::kFloorOneInvocation;
  } else if (!std::isfinite(interval.high)) {
    reason.code = ReasonCode::kFloorNoiseUnknown;
  } else if (interval.high > kFactorMax) {
    reason.code = ReasonCode::kFloorNoiseHides;
  } else {
    const double whole = floor.of ? floor.limit : 1;
    reason.code = ReasonCode::kFloorUnclear;
    reason.arguments.push_back({"low", interval.low * whole});
    reason.arguments.push_back({"high", interval.high * whole});
    reason.arguments.push_back({"of_floor", floor.of ? 0.0 : 1.0});
  }
  return reason;
}

FloorCheck check_of(const Floor& floor, const Reached& reached, double confidence) {
  FloorCheck check;
  check.text = floor.text;
  const double half =
      !reached.why_not && reached.noise_known ? stats::half_width(reached.share, confidence) : kUnknown;
  check.reached = !reached.why_not ? std::exp(reached.share.estimate) : std::nan("");
  check.interval = {0, kUnknown};
  if (std::isfinite(half))
    check.interval = {std::exp(reached.share.estimate - half), std::exp(reached.share.estimate + half)};
  check.broken = check.interval.high < 1;
  check.unclear = !check.broken && check.interval.low < 1;
  return check;
}

void add_verdict(Comparison& c, const Floor& floor, const Reached& reached) {
  if (c.floor->unclear) c.reasons.push_back(why_unclear(c, floor, reached, c.floor->interval));
  if (!c.floor->broken) return;
  const Reason broken = why_broken(c, floor, c.floor->reached);
  if (c.verdict == Verdict::kRegressed) {
    c.reasons.push_back(broken);
    return;
  }
  const bool has_reason = c.verdict == Verdict::kNew || c.verdict == Verdict::kSameCode;
  if (!has_reason) c.reasons = {{ReasonCode::kOwnVerdict, {{"verdict", verdict_name(c.verdict)}}}};
  c.reasons.insert(c.reasons.begin(), broken);
  c.verdict = Verdict::kBelowFloor;
  c.more_invocations = {};
}

// A share fits any metric; and no benchmark is compared with itself.
bool has_floor(const Gate& gate, const std::string& name) {
  if (!gate.floor || gate.floor->of == name) return false;
  if (gate.floor->of || gate.floor->unit == gate.metric.unit) return true;
  throw Error(ExitCode::kUsage,
              "the floor " + in_quotes(gate.floor->text) + " of benchmark " + in_quotes(name) +
                  " does not fit its metric " + in_quotes(gate.metric.name),
              gate.metric.unit.empty() ? "a counter's floor is a plain number"
                                       : "write it in " + gate.metric.unit + ", or name another metric");
}

}  // namespace

void check_floor(Comparison& comparison, const BenchmarkEvidence& evidence,
                 const std::vector<BenchmarkEvidence>& all, const stats::Variance& job, double confidence) {
  const SideEvidence& side = evidence.candidate;
  const Gate& gate = evidence.gate;
  if (side.newest() == nullptr || comparison.verdict == Verdict::kFailed || !has_floor(gate, evidence.name))
    return;
  const auto against_named = [&](const std::string& name) {
    const auto found = std::ranges::lower_bound(all, name, {}, &BenchmarkEvidence::name);
    const bool is_there = found != all.end() && found->name == name;
    return against_other(side, is_there ? &found->candidate : nullptr, gate);
  };
  const Reached reached = gate.floor->of == kPeakWord ? against_peak(side, gate, job)
                          : gate.floor->of            ? against_named(*gate.floor->of)
                                                      : against_limit(side, gate, job);
  comparison.floor = check_of(*gate.floor, reached, confidence);
  add_verdict(comparison, *gate.floor, reached);
}

Policy of_changes(Policy policy) {
  for (auto& rule : policy.rules) rule.floor.reset();
  policy.waivers.clear();
  return policy;
}

namespace {

bool can_be_waived(const Comparison& c) {
  return fails_gate(c) || (c.failed_before && !c.report_only);
}

// How much worse than the base, or than a floor that is broken; what is missing or failed has no size.
double worse_by(const Comparison& c) {
  double worse = 0;
  if (is_slower(c) && c.change) worse = c.metric.better == Better::kHigher ? -*c.change : *c.change;
  if (c.floor && c.floor->broken) worse = std::max(worse, 1 - c.floor->reached);
  return worse;
}

// An accepted change of speed says nothing of a benchmark that is missing or failed.
bool is_meant(const Waiver& waiver, const Comparison& c) {
  return !waiver.expires.empty() || is_slower(c);
}

// What it comes to, and why.
std::pair<WaiverCheck, Reason> check_of(const Waiver& waiver, const Comparison& c, const std::string& today) {
  WaiverCheck check{waiver.reason, waiver.expires, true};
  Reason reason{waiver.expires.empty() ? ReasonCode::kAccepted : ReasonCode::kWaived,
                {{"text", waiver.reason}}};
  if (!waiver.expires.empty()) reason.arguments.push_back({"until", waiver.expires});
  const double worse = worse_by(c);
  if (!today.empty() && !waiver.expires.empty() && today > waiver.expires) {
    reason.code = ReasonCode::kWaiverExpired;
    check.holds = false;
  } else if (worse > waiver.ceiling) {
    reason.code = ReasonCode::kWaiverExceeded;
    reason.arguments.push_back({"worse", worse});
    reason.arguments.push_back({"ceiling", waiver.ceiling});
    check.holds = false;
  }
  return {check, reason};
}

}  // namespace

void apply_waivers(ComparisonReport& report, const std::vector<Waiver>& waivers, const std::string& today) {
  for (auto& comparison : report.comparisons) {
    if (!can_be_waived(comparison)) continue;
    std::optional<std::pair<WaiverCheck, Reason>> best;
    for (const auto& waiver : waivers) {
      if (!means_benchmark(waiver.match, comparison.benchmark, comparison.printed_name) ||
          !is_meant(waiver, comparison))
        continue;
      auto check = check_of(waiver, comparison, today);
      if (check.first.holds || !best || !best->first.holds) best = std::move(check);
    }
    if (!best) continue;
    comparison.waiver = std::move(best->first);
    comparison.reasons.push_back(std::move(best->second));
  }
}

namespace {

// Without what people write between words: "Real-Time" and "realtime" are "real_time".
std::string bare(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const auto& metric : builtin_metrics()) names.push_back(metric.name);
  return names;
}

std::optional<std::string> meant_by(const std::string& name) {
  for (const auto& builtin : builtin_names())
    if (bare(builtin) == bare(name)) return builtin;
  return nearest(name, builtin_names());
}

// The counters of the benchmarks that a rule is for, and whether it is for any that was measured.
void add_counters_of(const Run& run, const PolicyRule& rule, const Policy& policy, bool& matches,
                     std::set<std::string>& counters) {
  std::set<std::string> names;
  for (const auto& benchmark : run.benchmarks) {
    if (benchmark.error) continue;
    Benchmark now = benchmark;
    now.name = renamed(benchmark.name, policy.renames);
    if (!means_benchmark(rule.match, benchmark) && !means_benchmark(rule.match, now)) continue;
    names.insert(benchmark.name);
    for (const auto& [counter, value] : benchmark.counters) counters.insert(counter);
  }
  matches = matches || !names.empty();
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples)
      if (names.count(name) > 0)
        for (const auto& [counter, values] : samples.counters) counters.insert(counter);
}

}  // namespace

std::vector<std::string> unused_rules(const Policy& policy, const std::vector<const std::vector<Run>*>& runs,
                                      const std::vector<BenchmarkTimes>& times) {
  std::vector<std::string> sentences;
  if (policy.waivers.empty() && policy.renames.empty() && policy.rules.empty()) return sentences;
  std::set<std::string> names;
  const auto add = [&](const Benchmark& benchmark) {
    names.insert(benchmark.name);
    names.insert(renamed(benchmark.name, policy.renames));
  };
  for (const auto* some : runs)
    for (const auto& run : *some)
      for (const auto& benchmark : run.benchmarks) add(benchmark);
  for (const auto& one : times) add(one.benchmark);
  const auto any_matches = [&](const std::string& pattern) {
    return std::ranges::any_of(names,
                               [&](const std::string& name) { return means_benchmark(pattern, name); });
  };
  std::set<std::string> unused;
  for (const auto& rule : policy.rules)
    if (!any_matches(rule.match)) unused.insert(in_quotes(rule.match));
  if (!unused.empty())
    sentences.push_back("no benchmark matches the policy for " + join({unused.begin(), unused.end()}, ", "));
  for (const auto& waiver : policy.waivers)
    if (!any_matches(waiver.match))
      sentences.push_back("the waiver for " + in_quotes(waiver.match) + " matches no benchmark");
  for (const auto& rename : policy.renames)
    if (!any_matches(rename.from) && !any_matches(rename.to))
      sentences.push_back("the rename of " + in_quotes(rename.from) + " matches no benchmark");
  return sentences;
}

namespace {

struct LikelyPair {
  const Comparison* from = nullptr;
  const Comparison* to = nullptr;
  std::size_t distance = 0;  // of the names
};

bool is_only_missing(const Comparison& row) {
  return row.verdict == Verdict::kMissing && row.base && *row.base > 0 && !row.reasons.empty() &&
         row.reasons.front().code == ReasonCode::kMissingInCandidate;
}

bool is_only_new(const Comparison& row) {
  return row.verdict == Verdict::kNew && row.candidate && *row.candidate > 0 && !row.reasons.empty() &&
         row.reasons.front().code == ReasonCode::kMissingInBase;
}

// The nearest names first; each in one pair.
std::vector<LikelyPair> likely_pairs(const std::vector<Comparison>& rows) {
  constexpr double kNearMin = 0.1;  // a share: jobs of one commit differ by less
  std::vector<LikelyPair> all;
  for (const auto& from : rows) {
    if (!is_only_missing(from)) continue;
    for (const auto& to : rows) {
      if (!is_only_new(to) || to.metric.name != from.metric.name) continue;
      const double near = std::log1p(std::max(kNearMin, 2 * from.threshold));
      const std::size_t distance = edit_distance(from.benchmark, to.benchmark);
      const std::size_t longer = std::max(from.benchmark.size(), to.benchmark.size());
      if (std::abs(std::log(*to.candidate / *from.base)) <= near && 3 * distance <= 2 * longer)
        all.push_back({&from, &to, distance});
    }
  }
  std::ranges::stable_sort(all, {}, &LikelyPair::distance);
  std::set<const Comparison*> taken;
  std::erase_if(all, [&](const LikelyPair& pair) {
    if (taken.count(pair.from) > 0 || taken.count(pair.to) > 0) return true;
    taken.insert({pair.from, pair.to});
    return false;
  });
  return all;
}

// Where the last '/' stands from which on both names are the same; both sizes where there is none.
std::pair<std::string, std::string> heads_of(const std::string& from, const std::string& to) {
  const auto same = std::mismatch(from.rbegin(), from.rend(), to.rbegin(), to.rend());
  const std::string tail(same.first.base(), from.end());
  const std::size_t slash = tail.find('/');
  if (slash == std::string::npos) return {from, to};
  const std::size_t length = tail.size() - slash;
  return {from.substr(0, from.size() - length), to.substr(0, to.size() - length)};
}

}  // namespace

std::vector<Rename> likely_renames(const std::vector<Comparison>& rows) {
  std::map<std::pair<std::string, std::string>, std::vector<LikelyPair>> folders;
  for (const auto& pair : likely_pairs(rows))
    folders[heads_of(pair.from->benchmark, pair.to->benchmark)].push_back(pair);
  std::vector<Rename> renames;
  for (const auto& [heads, pairs] : folders) {
    const std::string folder = heads.first + "/";
    const auto below =
        std::ranges::count_if(rows, [&](const Comparison& row) { return row.benchmark.starts_with(folder); });
    if (pairs.size() > 1 && static_cast<std::size_t>(below) == pairs.size()) {
      renames.push_back({folder + "*", heads.second + "/*"});
      continue;
    }
    for (const auto& pair : pairs) renames.push_back({pair.from->benchmark, pair.to->benchmark});
  }
  return renames;
}

void require_metric_names(const Policy& policy, const std::vector<const std::vector<Run>*>& runs) {
  const auto builtins = builtin_names();
  for (const auto& rule : policy.rules) {
    if (!rule.metric || std::ranges::find(builtins, *rule.metric) != builtins.end()) continue;
    bool matches = false;
    std::set<std::string> counters;
    for (const auto* side : runs)
      for (const auto& run : *side) add_counters_of(run, rule, policy, matches, counters);
    const auto meant = meant_by(*rule.metric);
    if (counters.count(*rule.metric) > 0 || (!matches && !meant)) continue;
    const auto near = nearest(*rule.metric, {counters.begin(), counters.end()});
    if (!meant && !near) continue;  // it may not have been measured here
    throw Error(
        ExitCode::kUsage,
        "tracker.toml: the [[policy]] of " + in_quotes(rule.match) + " names the metric " +
            in_quotes(*rule.metric) + ", which is not built in, and no benchmark has a counter of that name",
        "did you mean " + in_quotes(meant ? *meant : *near) + "? built in are " + join(builtins, ", "));
  }
}

}  // namespace tracker::judge
