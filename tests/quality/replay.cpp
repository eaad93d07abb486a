#include "tests/quality/replay.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "tests/quality/splits.hpp"

namespace tracker::quality {
namespace {

// A job with fewer rounds has too few to draw from with replacement: ten pairs.
constexpr std::size_t kRoundsForBlocks = 20;
// Between jobs it is their offsets that matter, and these do not depend on the rounds.
constexpr std::size_t kRoundsForPicks = 5;

// Where trials come from: one job twice, or two jobs.
struct Source {
  const RecordedJob* base;
  const RecordedJob* candidate;
  bool with_replacement;
};

std::vector<Source> sources_within(const Recording& recording, std::size_t n) {
  std::vector<Source> sources;
  for (const auto& job : recording.jobs) {
    const std::size_t rounds = job.rounds.size();
    if (rounds >= 2 * n || rounds >= kRoundsForBlocks) sources.push_back({&job, &job, rounds < 2 * n});
  }
  return sources;
}

std::vector<Source> sources_across(const Recording& recording, std::size_t n) {
  std::vector<Source> sources;
  for (const auto& base : recording.jobs)
    for (const auto& candidate : recording.jobs) {
      const std::size_t rounds = std::min(base.rounds.size(), candidate.rounds.size());
      if (base.job == candidate.job || !same_code(base, candidate)) continue;
      if (rounds >= std::min(n, kRoundsForPicks)) sources.push_back({&base, &candidate, rounds < n});
    }
  return sources;
}

Run run_of(const RecordedJob& job, const std::vector<std::size_t>& places, const char* side) {
  Run run = job.run;
  run.id += std::string("-") + side;
  int round = 0;
  for (const std::size_t place : places) {
    ++round;
    for (const auto& invocation : job.rounds[place]) {
      run.invocations.push_back(invocation);
      run.invocations.back().round = round;
    }
  }
  return run;
}

std::map<std::string, std::vector<double>> past_of(const RecordedJob& job,
                                                   const std::set<std::size_t>& without) {
  std::map<std::string, std::vector<double>> past;
  for (const auto& [name, typical] : job.typical_ns) {
    const auto medians = medians_ns(job, name);
    for (std::size_t i = 0; i < medians.size(); ++i)
      if (!without.contains(i)) past[name].push_back(medians[i]);
  }
  return past;
}

Trial draw(Scope scope, const Source& source, std::size_t n, test::Random& random) {
  Split split;
  const std::size_t base_rounds = source.base->rounds.size();
  const std::size_t candidate_rounds = source.candidate->rounds.size();
  if (scope == Scope::kWithinJob) {
    split = source.with_replacement ? split_in_blocks(base_rounds, n, random)
                                    : split_in_pairs(base_rounds, n, random);
  } else {
    const auto side = [&](std::size_t rounds) {
      return rounds < n ? pick_in_blocks(rounds, n, random) : pick(rounds, n, random);
    };
    split.base = side(base_rounds);
    split.candidate = side(candidate_rounds);
  }
  Trial trial;
  trial.base = run_of(*source.base, split.base, "base");
  trial.candidate = run_of(*source.candidate, split.candidate, "candidate");
  const bool same_job = scope == Scope::kWithinJob;
  trial.past_ns = past_of(*source.base, same_job ? std::set(split.candidate.begin(), split.candidate.end())
                                                 : std::set<std::size_t>{});
  return trial;
}

Run slower(Run run, double by) {
  for (auto& invocation : run.invocations)
    for (auto& [name, samples] : invocation.samples) {
      for (double& time : samples.real_time_ns) time *= 1 + by;
      for (double& time : samples.cpu_time_ns) time *= 1 + by;
    }
  return run;
}

bool is_long(const Source& source, const std::string& benchmark) {
  const auto found = source.base->typical_ns.find(benchmark);
  return found != source.base->typical_ns.end() && found->second >= kLongNs;
}

void count_identical(const Source& source, const Calls& calls, Tally& tally) {
  bool any = false;
  for (const auto& [name, call] : calls) {
    tally.regressed.add(call == Call::kRegressed);
    tally.improved.add(call == Call::kImproved);
    tally.unchanged.add(call == Call::kUnchanged);
    tally.open.add(call == Call::kOpen);
    if (is_long(source, name)) tally.unchanged_long.add(call == Call::kUnchanged);
    any = any || call == Call::kRegressed;
  }
  tally.reports.add(any);
}

void count_trial(const Source& source, const Trial& trial, std::vector<Tally>& tallies) {
  for (std::size_t r = 0; r < rules().size(); ++r)
    count_identical(source, rules()[r].calls(trial), tallies[r]);
  Trial slowed = trial;
  for (std::size_t s = 0; s < kSlowdownCount; ++s) {
    slowed.candidate = slower(trial.candidate, kSlowdowns[s]);
    for (std::size_t r = 0; r < rules().size(); ++r)
      for (const auto& [name, call] : rules()[r].calls(slowed))
        (is_long(source, name) ? tallies[r].found_long : tallies[r].found_short)[s].add(call ==
                                                                                        Call::kRegressed);
  }
}

std::vector<Source> sources_for(const Recording& recording, Scope scope, std::size_t n) {
  return scope == Scope::kWithinJob ? sources_within(recording, n) : sources_across(recording, n);
}

std::string why_none(const Recording& recording, Scope scope, std::size_t n) {
  std::size_t most = 0;
  for (const auto& job : recording.jobs) most = std::max(most, job.rounds.size());
  return scope == Scope::kAcrossJobs
             ? "no two jobs measured the same code"
             : "no job has " + std::to_string(std::min(2 * n, kRoundsForBlocks)) +
                   " invocations of one code: the longest has " + std::to_string(most);
}

// Every setting draws numbers of its own, so that one does not depend on which others are asked for.
test::Random random_for(const ReplayOptions& options, Scope scope, std::size_t n) {
  return test::Random(options.seed * 1000003 + n * 2 + (scope == Scope::kWithinJob ? 0 : 1));
}

Setting replay_setting(const Recording& recording, const ReplayOptions& options, Scope scope, std::size_t n) {
  Setting setting;
  setting.scope = scope;
  setting.invocations = n;
  const auto sources = sources_for(recording, scope, n);
  if (sources.empty()) {
    setting.why_none = why_none(recording, scope, n);
    return setting;
  }
  setting.sources = static_cast<int>(sources.size());
  setting.tallies.resize(rules().size());
  test::Random random = random_for(options, scope, n);
  const int splits_each = std::max(1, (options.splits + setting.sources - 1) / setting.sources);
  for (const auto& source : sources) {
    if (source.with_replacement) ++setting.drawn_with_replacement;
    for (int i = 0; i < splits_each; ++i)
      count_trial(source, draw(scope, source, n, random), setting.tallies);
  }
  return setting;
}

}  // namespace

void Tally::add(const Tally& other) {
  regressed.add(other.regressed);
  reports.add(other.reports);
  improved.add(other.improved);
  unchanged.add(other.unchanged);
  unchanged_long.add(other.unchanged_long);
  open.add(other.open);
  for (std::size_t s = 0; s < kSlowdownCount; ++s) {
    found_long[s].add(other.found_long[s]);
    found_short[s].add(other.found_short[s]);
  }
}

std::vector<Setting> replay(const Recording& recording, const ReplayOptions& options) {
  std::vector<Setting> settings;
  for (const Scope scope : {Scope::kWithinJob, Scope::kAcrossJobs})
    for (const std::size_t n : options.invocations)
      settings.push_back(replay_setting(recording, options, scope, n));
  return settings;
}

std::vector<Setting> pooled(const std::vector<std::vector<Setting>>& recordings) {
  std::vector<Setting> pool = recordings.front();
  for (std::size_t i = 1; i < recordings.size(); ++i)
    for (std::size_t s = 0; s < pool.size(); ++s) {
      const Setting& more = recordings[i][s];
      if (more.tallies.empty()) continue;
      pool[s].sources += more.sources;
      pool[s].drawn_with_replacement += more.drawn_with_replacement;
      pool[s].tallies.resize(rules().size());
      for (std::size_t r = 0; r < rules().size(); ++r) pool[s].tallies[r].add(more.tallies[r]);
    }
  return pool;
}

}  // namespace tracker::quality
