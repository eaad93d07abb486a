#include "tracker/app/promote.hpp"

#include <chrono>
#include <map>
#include <set>

#include "tracker/app/sides.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/noise/fitness.hpp"
#include "tracker/judge/noise/noise_model.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/rename.hpp"
#include "tracker/report/reason_words.hpp"

namespace tracker {
namespace {

// So many commits before the promoted one are looked at for earlier values.
constexpr int kEarlierCommitsMax = 50;
// So many other runs of the device tell the noise that is kept with the baseline.
constexpr int kNoiseRunsMax = 100;
// So many benchmarks are named in a refusal.
constexpr std::size_t kNamedMax = 10;

// A baseline that is ready to be written, or the reason why none is.
struct Promotion {
  Baseline baseline;
  std::string refusal;
  bool limits_exceeded = false;
  bool has_changes = false;
  std::vector<Doubt> accepted;
};

std::size_t job_count(const std::vector<Run>& runs) {
  std::set<std::string> jobs;
  for (const auto& run : runs) jobs.insert(run.job.empty() ? run.id : run.job);
  return jobs.size();
}

// The fit runs, and how many are left out for which reasons.
std::vector<Run> take_fit(const std::vector<Run>& runs, std::map<std::string, std::size_t>& reasons) {
  std::vector<Run> fit;
  for (const auto& run : runs) {
    const std::string why = why_unfit(run);
    if (why.empty())
      fit.push_back(run);
    else
      ++reasons[why];
  }
  return fit;
}

std::vector<Run> take_fit(const std::vector<Run>& runs) {
  std::map<std::string, std::size_t> unused;
  return take_fit(runs, unused);
}

// What stood until now is part of the check, so a file that cannot be read is not passed over.
std::optional<SideRuns> baseline_until_now(const Workspace& workspace, const std::string& device) {
  try {
    auto side = load_side(workspace, kBaselineWord, device);
    if (side) side->side.label = "the baseline until now (" + short_id(side->side.commit) + ")";
    return side;
  } catch (const Error& error) {
    throw Error(error.code(), error.what(),
                "restore it (git checkout), or remove it to promote without a look at what was expected");
  }
}

Past past_of(const Workspace& workspace, const std::string& device, const std::string& commit) {
  Past past;
  past.noise = recent_runs(workspace.history(), device, commit, kHistoryRunsMax);
  const auto history =
      load_history(workspace.repository(), workspace.store(), device, commit, kEarlierCommitsMax);
  for (auto earlier = history.rbegin(); earlier != history.rend(); ++earlier) {
    if (earlier->commit.id == commit) continue;
    SideRuns side;
    side.side.label = describe(earlier->commit);
    side.runs = take_fit(earlier->runs);
    if (!side.runs.empty()) past.commits.push_back(side);
  }
  past.baseline = baseline_until_now(workspace, device);
  return past;
}

// By the names that the benchmarks have now, whatever they were when a run was recorded.
NoiseModel noise_of(const std::vector<Run>& promoted, const std::vector<Run>& others, const Policy& policy) {
  std::vector<Run> all = promoted;
  all.insert(all.end(), others.begin(), others.end());
  for (auto& run : all) rename_benchmarks(run, policy.renames);
  std::map<std::string, Metric> metrics;
  for (std::size_t i = 0; i < promoted.size(); ++i)
    for (const auto& benchmark : all[i].benchmarks)
      metrics[benchmark.name] = gate_for(policy, benchmark).metric;
  const NoiseHistory history(std::move(all));
  const auto of_machine = of_one_machine(history, history.runs[promoted.size() - 1]);
  return learn_noise(metrics, of_machine ? *of_machine : history);
}

// One line a benchmark, with all that is wrong with it.
std::string describe_doubts(const std::vector<Doubt>& doubts) {
  std::map<std::string, std::string> lines;
  for (const auto& doubt : doubts) {
    std::string& line = lines[doubt.benchmark];
    line += (line.empty() ? "" : "; ") + printable(doubt_in_words(doubt));
  }
  std::string text;
  std::size_t named = 0;
  for (const auto& [name, line] : lines)
    if (++named <= kNamedMax) text += "\n  " + printable(name) + ": " + line;
  if (named > kNamedMax) text += "\n " + and_more(named - kNamedMax);
  return count_of(named, "benchmark") + (named == 1 ? " has a value that is" : " have values that are") +
         " not to be believed:" + text;
}

Promotion prepare(const Workspace& workspace, const std::string& device, const SideRuns& side,
                  const std::vector<std::string>& accept) {
  Promotion promotion;
  promotion.baseline = {device, side.side.commit, format_utc(std::chrono::system_clock::now()), {}, {}};
  auto& runs = promotion.baseline.runs;
  const std::string where = short_id(side.side.commit) + " on " + device;
  std::map<std::string, std::size_t> reasons;
  runs = take_fit(side.runs, reasons);
  if (runs.empty()) {
    std::vector<std::string> all;
    for (const auto& [why, count] : reasons) all.push_back(why);
    promotion.refusal = "no run of " + where + " is fit to be a baseline: " + join(all, "; ");
    return promotion;
  }
  for (const auto& [why, count] : reasons)
    workspace.note(count_of(count, "run") + " of " + where + (count == 1 ? " is" : " are") +
                   " left out: " + why);
  const Policy& policy = workspace.config().policy;
  const Past past = past_of(workspace, device, side.side.commit);
  SideRuns promoted = side;
  promoted.runs = runs;
  std::vector<Doubt> refused = doubts_about_limits(runs, policy);
  promotion.limits_exceeded = !refused.empty();
  for (const auto& doubt : doubts_about_changes(promoted, past, policy)) {
    const bool accepted = !accept.empty() && means_any(accept, doubt.benchmark);
    promotion.has_changes = promotion.has_changes || !accepted;
    (accepted ? promotion.accepted : refused).push_back(doubt);
  }
  if (!refused.empty()) promotion.refusal = "of " + where + ", " + describe_doubts(refused);
  promotion.baseline.noise = noise_of(
      runs, take_fit(recent_runs(workspace.history(), device, side.side.commit, kNoiseRunsMax)), policy);
  return promotion;
}

Promoted write(const Workspace& workspace, const Promotion& promotion) {
  const Baseline& baseline = promotion.baseline;
  const auto path = workspace.baseline_path(baseline.device);
  // A link in the repository may lead anywhere.
  const auto root = std::filesystem::weakly_canonical(workspace.root());
  const auto within = std::filesystem::weakly_canonical(path).lexically_relative(root);
  if (within.empty() || *within.begin() == "..")
    throw Error(ExitCode::kUsage, "'" + printable(path.string()) + "' leads out of the repository",
                "[baselines] directory in tracker.toml names a folder in it");
  write_file(path, write_baseline(baseline));
  return {baseline.commit, path, baseline.runs.size(), job_count(baseline.runs), promotion.accepted};
}

Error refusal_of(const std::vector<Promotion>& promotions) {
  std::vector<std::string> messages;
  std::vector<std::string> steps;
  bool limits = false;
  bool changes = false;
  for (const auto& promotion : promotions) {
    if (!promotion.refusal.empty()) messages.push_back(promotion.refusal);
    limits = limits || promotion.limits_exceeded;
    changes = changes || promotion.has_changes;
  }
  steps.emplace_back("measure it again: tracker doctor, then tracker run");
  if (changes) steps.emplace_back("a change that is meant is accepted with --accept GLOB");
  if (limits) steps.emplace_back("a benchmark in cache takes 'may_exceed_peak = true' in its [[policy]]");
  return {ExitCode::kCannotJudge, "nothing was promoted: " + join(messages, "\n"), join(steps, "; ")};
}

void note_unused(const Workspace& workspace, const std::vector<std::string>& accept,
                 const std::vector<Promotion>& promotions) {
  for (const auto& pattern : accept) {
    bool used = false;
    for (const auto& promotion : promotions)
      for (const auto& doubt : promotion.accepted) used = used || means_benchmark(pattern, doubt.benchmark);
    if (!used) workspace.note("nothing that changed matches --accept '" + printable(pattern) + "'");
  }
}

}  // namespace

std::string doubt_in_words(const Doubt& doubt) {
  return doubt.change ? change_against_in_words(*doubt.change, doubt.against) : doubt.what;
}

std::vector<Promoted> promote(const Workspace& workspace, const PromoteRequest& request) {
  const Commit commit = workspace.repository().resolve(request.revision);
  const auto devices = matching_devices(devices_of(workspace, request.revision), request.device);
  if (devices.empty()) require_known_device(workspace, request.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run is stored for " + printable(request.revision) + " (" + short_id(commit.id) + ")",
                "measure it first: tracker run");
  std::vector<Promotion> promotions;
  bool refused = false;
  for (const auto& device : devices) {
    const auto side = load_side(workspace, request.revision, device);
    if (!side) continue;  // jobs only noted that its programs are another commit's
    promotions.push_back(prepare(workspace, device, *side, request.accept));
    refused = refused || !promotions.back().refusal.empty();
  }
  if (promotions.empty())
    throw no_runs_of(workspace, request.revision, devices.front(),
                     printable(request.revision) + " (" + short_id(commit.id) + ")",
                     "promote that commit, or measure this one: tracker run");
  note_unused(workspace, request.accept, promotions);
  if (refused) throw refusal_of(promotions);
  std::vector<Promoted> promoted;
  for (const auto& promotion : promotions) promoted.push_back(write(workspace, promotion));
  return promoted;
}

}  // namespace tracker
