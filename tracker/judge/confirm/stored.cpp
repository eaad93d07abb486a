#include "tracker/judge/confirm/stored.hpp"

#include <algorithm>
#include <set>

#include "tracker/judge/confirm/confirm.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

// What one job measured of both sides side by side.
struct SharedJob {
  const Run* base = nullptr;
  const Run* candidate = nullptr;

  bool is_whole() const { return base->selection.is_all() && candidate->selection.is_all(); }
};

struct Judging {
  const SideRuns& base;
  const SideRuns& candidate;
  const NoiseHistory& history;
  const Policy& policy;
  const JudgeOptions& options;
};

// In the order of time.
std::vector<SharedJob> shared_jobs(const SideRuns& base, const SideRuns& candidate) {
  std::vector<SharedJob> jobs;
  for (const auto& of_candidate : candidate.runs)
    for (const auto& of_base : base.runs) {
      if (of_base.job.empty() || of_base.job != of_candidate.job || of_base.id == of_candidate.id) continue;
      // A commit compared with itself has both of a job's runs on both sides.
      if (!jobs.empty() && jobs.back().candidate->job == of_candidate.job) jobs.pop_back();
      jobs.push_back({&of_base, &of_candidate});
    }
  return jobs;
}

NoiseHistory without(const NoiseHistory& history, const std::vector<SharedJob>& jobs) {
  return keep_runs(history, [&](const Run& run) {
    return std::none_of(jobs.begin(), jobs.end(),
                        [&](const SharedJob& job) { return job.base->job == run.job; });
  });
}

std::vector<Run> without(const std::vector<Run>& runs, const std::vector<SharedJob>& jobs) {
  return without(NoiseHistory(runs), jobs).runs;
}

// What was known when the job was judged.
NoiseHistory before(const NoiseHistory& history, const SharedJob& job) {
  return keep_runs(history, [&](const Run& run) {
    return run.job != job.base->job && run.started_at <= job.base->started_at;
  });
}

ComparisonReport judge_pair(const Judging& judging, Run base, Run candidate, const NoiseHistory& history,
                            const JudgeOptions& options) {
  SideRuns of_base{judging.base.side, {}, judging.base.noise};
  SideRuns of_candidate{judging.candidate.side, {}, judging.candidate.noise};
  of_base.runs.push_back(std::move(base));
  of_candidate.runs.push_back(std::move(candidate));
  return judge(of_base, of_candidate, history, judging.policy, options);
}

// One that was judged once was so at its end.
std::vector<int> looks_of(const Run& run) {
  if (!run.interim_analyses.empty()) return run.interim_analyses;
  int rounds = invocation_count(run);
  for (const auto& invocation : run.invocations) rounds = std::max(rounds, invocation.round);
  return {rounds};
}

void repeat_analyses(const Judging& judging, const SharedJob& job, Confirmation& confirmation) {
  const auto history = before(judging.history, job);
  InterimAnalysis analysis{0, 0, 0};
  for (const int rounds : looks_of(*job.candidate)) {
    analysis = {analysis.number + 1, rounds, analysis.rounds};
    Run base = *job.base;
    Run candidate = *job.candidate;
    keep_for_analysis(analysis, judging.policy.renames, base, candidate);
    const double measured_s = length_of(base) + length_of(candidate);
    confirmation.analyse(analysis,
                         judge_pair(judging, std::move(base), std::move(candidate), history,
                                    confirmation.judging(analysis, judging.options)),
                         measured_s);
  }
}

// Of both sides, as the policy calls them now.
std::set<std::string> names_of(const SharedJob& job, const Policy& policy) {
  std::set<std::string> names;
  for (const auto* run : {job.base, job.candidate})
    for (const auto& benchmark : run->benchmarks) names.insert(renamed(benchmark.name, policy.renames));
  return names;
}

// A job that measured some benchmarks, over what is known without it.
ComparisonReport with_partial(const Judging& judging, ComparisonReport report, const SharedJob& job) {
  const auto measured = names_of(job, judging.policy);
  auto doubtful = doubtful_in(report, true);
  std::erase_if(doubtful, [&](const std::string& name) { return measured.count(name) == 0; });
  if (doubtful.empty()) return report;
  Confirmation confirmation(std::move(report), doubtful, static_cast<int>(measured.size()));
  confirmation.learn_time(judging.candidate.runs);
  repeat_analyses(judging, job, confirmation);
  return confirmation.report();
}

}  // namespace

ComparisonReport judge_stored(const SideRuns& base, const SideRuns& candidate, const NoiseHistory& history,
                              const Policy& policy, const JudgeOptions& options) {
  if (options.pairing == Pairing::kNone) return judge(base, candidate, history, policy, options);
  auto jobs = shared_jobs(base, candidate);
  const auto newest_whole =
      std::find_if(jobs.rbegin(), jobs.rend(), [](const SharedJob& job) { return job.is_whole(); });
  std::optional<SharedJob> whole;
  if (newest_whole != jobs.rend()) whole = *newest_whole;
  auto partial = jobs;
  std::erase_if(partial, [](const SharedJob& job) { return job.is_whole(); });
  jobs.erase(jobs.begin(), newest_whole.base());  // what is older, and itself
  const bool has_analyses = whole && !whole->candidate->interim_analyses.empty();
  if (partial.empty() && !has_analyses) return judge(base, candidate, history, policy, options);
  const SideRuns of_base{base.side, without(base.runs, partial), base.noise};
  const SideRuns of_candidate{candidate.side, without(candidate.runs, partial), candidate.noise};
  const auto others = without(history, partial);
  if (of_base.runs.empty() || of_candidate.runs.empty())
    return judge(base, candidate, history, policy, options);

  JudgeOptions first_options = options;
  if (!jobs.empty()) first_options.error_share = std::min(options.error_share, kFirstCheckShare);
  const Judging judging{of_base, of_candidate, others, policy, first_options};
  ComparisonReport report;
  if (has_analyses) {
    Confirmation confirmation;
    repeat_analyses(judging, *whole, confirmation);
    report = confirmation.report();
  } else {
    report = judge(of_base, of_candidate, others, policy, first_options);
  }
  for (const auto& job : jobs) report = with_partial(judging, std::move(report), job);
  return report;
}

}  // namespace tracker
