#include "tracker/app/promote.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tracker/app/sides.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/history/series.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::app {
namespace {

// So many commits before the promoted one are looked at for earlier values.
constexpr int kEarlierCommitsMax = 50;
// So many other runs of the device tell the noise that is kept with the baseline.
constexpr int kNoiseRunsMax = 100;
// So many benchmarks are named in a refusal.
constexpr std::size_t kNamedMax = 10;

// A baseline that is ready to be written, or the reason why none is.
struct Promotion {
  formats::Baseline baseline;
  std::vector<std::string> refusal;  // lines, the first of which says what it is
  bool limits_exceeded = false;
  bool has_changes = false;
  std::vector<judge::Doubt> accepted;
};

std::size_t job_count(const std::vector<Run>& runs) {
  std::set<std::string> jobs;
  for (const auto& run : runs) jobs.insert(job_or_id(run));
  return jobs.size();
}

std::vector<Run> take_fit(std::vector<Run> runs) {
  std::erase_if(runs, [](const Run& run) { return !judge::why_unfit(run).empty(); });
  return runs;
}

// What stood until now is part of the check, so a file that cannot be read is not passed over.
std::optional<judge::SideRuns> baseline_until_now(const Workspace& workspace, const std::string& device) {
  try {
    auto side = load_side(workspace, kBaselineWord, device);
    if (side) side->side.label = "the baseline until now (" + short_id(side->side.commit) + ")";
    return side;
  } catch (const Error& error) {
    throw error.with_hint(
        "restore it (git checkout), or remove it to promote without a look at what was expected");
  }
}

judge::Past past_of(const Workspace& workspace, const std::string& device, const std::string& commit) {
  judge::Past past;
  past.noise = history::recent_runs(workspace.history(), device, commit, history::kRunsMax);
  const auto history =
      history::load(workspace.repository(), workspace.store(), device, commit, kEarlierCommitsMax);
  for (auto earlier = history.rbegin(); earlier != history.rend(); ++earlier) {
    if (earlier->commit.id == commit) continue;
    judge::SideRuns side;
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
  return judge::learn_noise(metrics, of_machine ? *of_machine : history);
}

// One line a benchmark, with all that is wrong with it, below a first one.
std::vector<std::string> describe_doubts(const std::string& where, const std::vector<judge::Doubt>& doubts) {
  std::map<std::string, std::string> lines;
  for (const auto& doubt : doubts) {
    std::string& line = lines[doubt.benchmark];
    line += (line.empty() ? "" : "; ") + doubt_in_words(doubt);
  }
  std::vector<std::string> text{"of " + where + ", " + count_of(lines.size(), "benchmark") +
                                (lines.size() == 1 ? " has a value that is" : " have values that are") +
                                " not to be believed:"};
  for (const auto& [name, line] : lines)
    if (text.size() <= kNamedMax) text.push_back("  " + name + ": " + line);
  if (lines.size() > kNamedMax) text.push_back(" " + and_more(lines.size() - kNamedMax));
  return text;
}

Promotion prepare(const Workspace& workspace, const std::string& device, const judge::SideRuns& side,
                  const std::vector<std::string>& accept) {
  Promotion promotion;
  promotion.baseline = {device, side.side.commit, format_utc(std::chrono::system_clock::now()), {}, {}};
  auto& runs = promotion.baseline.runs;
  const std::string where = short_id(side.side.commit) + " on " + device;
  std::map<std::string, std::size_t> reasons;  // how many are left out for it
  for (const auto& run : side.runs)
    if (const std::string why = judge::why_unfit(run); !why.empty()) ++reasons[why];
  runs = take_fit(side.runs);
  if (runs.empty()) {
    std::vector<std::string> all;
    for (const auto& [why, count] : reasons) all.push_back(why);
    promotion.refusal = {"no run of " + where + " is fit to be a baseline: " + join(all, "; ")};
    return promotion;
  }
  for (const auto& [why, count] : reasons)
    workspace.note(count_of(count, "run") + " of " + where + (count == 1 ? " is" : " are") +
                   " left out: " + why);
  const Policy& policy = workspace.config().policy;
  const judge::Past past = past_of(workspace, device, side.side.commit);
  judge::SideRuns promoted = side;
  promoted.runs = runs;
  std::vector<judge::Doubt> refused = judge::doubts_about_limits(runs, policy);
  promotion.limits_exceeded = !refused.empty();
  for (const auto& doubt : judge::doubts_about_changes(promoted, past, policy)) {
    const bool accepted = !accept.empty() && means_any(accept, doubt.benchmark);
    promotion.has_changes = promotion.has_changes || !accepted;
    (accepted ? promotion.accepted : refused).push_back(doubt);
  }
  if (!refused.empty()) promotion.refusal = describe_doubts(where, refused);
  promotion.baseline.noise = noise_of(
      runs, take_fit(history::recent_runs(workspace.history(), device, side.side.commit, kNoiseRunsMax)),
      policy);
  return promotion;
}

Promoted write(const Workspace& workspace, const Promotion& promotion) {
  const formats::Baseline& baseline = promotion.baseline;
  const auto path = workspace.baseline_path(baseline.device);
  // A link in the repository may lead anywhere.
  const auto root = std::filesystem::weakly_canonical(workspace.root());
  const auto within = std::filesystem::weakly_canonical(path).lexically_relative(root);
  if (within.empty() || *within.begin() == "..")
    throw Error(ExitCode::kUsage, in_quotes(path.string()) + " leads out of the repository",
                "[baselines] directory in tracker.toml names a folder in it");
  write_file(path, formats::write_baseline(baseline));
  return {baseline.commit, path, baseline.runs.size(), job_count(baseline.runs), promotion.accepted};
}

Error refusal_of(const std::vector<Promotion>& promotions) {
  std::vector<std::string> lines;
  std::vector<std::string> steps;
  bool limits = false;
  bool changes = false;
  for (const auto& promotion : promotions) {
    lines.insert(lines.end(), promotion.refusal.begin(), promotion.refusal.end());
    limits = limits || promotion.limits_exceeded;
    changes = changes || promotion.has_changes;
  }
  steps.emplace_back("measure it again: tracker doctor, then tracker run");
  if (changes) steps.emplace_back("a change that is meant is accepted with --accept GLOB");
  if (limits) steps.emplace_back("a benchmark in cache takes 'may_exceed_peak = true' in its [[policy]]");
  const std::string first = lines.front();
  lines.erase(lines.begin());
  return {ExitCode::kCannotJudge, "nothing was promoted: " + first, join(steps, "; "), lines};
}

void note_unused(const Workspace& workspace, const std::vector<std::string>& accept,
                 const std::vector<Promotion>& promotions) {
  for (const auto& pattern : accept) {
    const bool is_used = std::ranges::any_of(promotions, [&](const Promotion& promotion) {
      return std::ranges::any_of(promotion.accepted, [&](const judge::Doubt& doubt) {
        return means_benchmark(pattern, doubt.benchmark);
      });
    });
    if (!is_used) workspace.note("nothing that changed matches --accept " + in_quotes(pattern));
  }
}

}  // namespace

std::string doubt_in_words(const judge::Doubt& doubt) {
  return doubt.change ? report::change_against_in_words(*doubt.change, doubt.against) : doubt.what;
}

std::vector<Promoted> promote(const Workspace& workspace, const PromoteRequest& request) {
  const Commit commit = workspace.repository().resolve(request.revision);
  const auto devices = matching_devices(devices_of(workspace, request.revision), request.device);
  if (devices.empty()) require_known_device(workspace, request.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run is stored for " + request.revision + " (" + short_id(commit.id) + ")",
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
                     request.revision + " (" + short_id(commit.id) + ")",
                     "promote that commit, or measure this one: tracker run");
  note_unused(workspace, request.accept, promotions);
  if (refused) throw refusal_of(promotions);
  std::vector<Promoted> promoted;
  for (const auto& promotion : promotions) promoted.push_back(write(workspace, promotion));
  return promoted;
}

namespace {

// The commits that made accepted changes, as the history up to `from` has them. There may be thousands: the
// history of tracker.toml is read once, and the first of those that it has not are told.
class AcceptedCommits {
 public:
  AcceptedCommits(const Workspace& workspace, std::string from)
      : workspace_(workspace), from_(std::move(from)) {}

  // The one named or, where a squash, a rebase or a cherry-pick left that behind, the one that the entry
  // itself came in with. Empty, with a note, where neither is part of it.
  std::string of(const Waiver& accepted) {
    const repo::Repository& repository = workspace_.repository();
    const auto named = find_commit(repository, accepted.granted);
    if (named && repo::is_ancestor(repository, named->id, from_)) return named->id;
    if (!entries_) entries_ = repository.commits_of_quoted(from_, "tracker.toml");
    if (const auto entry = entries_->find(accepted.granted); entry != entries_->end()) return entry->second;
    if (!named) note(accepted);
    return "";
  }

 private:
  void note(const Waiver& accepted) {
    constexpr int kToldMax = 10;
    if (++told_ == kToldMax + 1)
      workspace_.note("more [[accepted]] are of commits that are not in this history");
    if (told_ > kToldMax) return;
    workspace_.note("[[accepted]] " + in_quotes(accepted.match) + " is of commit " + accepted.granted +
                    ", which is not in this history: it accepts nothing (tracker accept names another)");
  }

  const Workspace& workspace_;
  std::string from_;
  std::optional<std::map<std::string, std::string>> entries_;
  int told_ = 0;
};

// The commits that a side may stand for: of the baseline one a device.
std::vector<std::string> commits_of_side(const Workspace& workspace, const std::string& side) {
  std::vector<std::string> commits;
  if (side == kBaselineWord) {
    for (const auto& device : devices_of(workspace, side))
      if (const auto baseline = load_side(workspace, side, device)) commits.push_back(baseline->side.commit);
  } else {
    commits.push_back(side);
  }
  std::vector<std::string> known;
  for (const auto& name : commits)
    if (const auto commit = find_commit(workspace.repository(), name)) known.push_back(commit->id);
  return known;
}

}  // namespace

Policy policy_between(const Workspace& workspace, Policy policy, const std::string& base,
                      const std::string& candidate) {
  if (policy.accepted.empty() || !workspace.has_repository()) return policy;
  const repo::Repository& repository = workspace.repository();
  const auto bases = commits_of_side(workspace, base);
  const auto candidates = commits_of_side(workspace, candidate);
  if (bases.empty() || candidates.empty()) return policy;
  AcceptedCommits commits(workspace, candidates.front());
  for (const auto& accepted : policy.accepted) {
    const std::string commit = commits.of(accepted);
    const auto has_it = [&](const std::string& side) { return repo::is_ancestor(repository, commit, side); };
    if (commit.empty() || !std::ranges::any_of(candidates, has_it) || std::ranges::any_of(bases, has_it))
      continue;
    (accepted.machine ? policy.machine_changes : policy.waivers).push_back(accepted);
  }
  return policy;
}

std::vector<Waiver> machine_moved(const Workspace& workspace, const std::string& device, const Policy& policy,
                                  const std::vector<Run>& base, const std::vector<Run>& candidate) {
  constexpr double kLeast = 0.002;  // a smaller move changes no verdict
  constexpr double kDeviations = 3;
  if (!workspace.has_repository() || base.empty() || candidate.empty()) return {};
  if (const auto why = history::why_no_sentinel(workspace.repository(), policy)) {
    workspace.note(why->what() +
                   std::string(": nothing is known of what the machine did between both sides' jobs"));
    return {};
  }
  const history::Sentinel sentinel =
      history::load_sentinel(workspace.repository(), workspace.history(), device, policy);
  const auto from = sentinel.era_of(base.back());
  const auto to = sentinel.era_of(candidate.back());
  std::vector<Waiver> moved;
  for (const auto& benchmark : candidate.back().benchmarks) {
    const std::string name = renamed(benchmark.name, policy.renames);
    const auto shift = sentinel.shift(from, to, name);
    if (!shift || std::abs(shift->log_time) < std::max(kLeast, kDeviations * shift->error)) continue;
    Waiver& change = moved.emplace_back();
    change.match = name;
    change.reason = sentinel.in_words(from, to, name);
    change.machine = true;
  }
  return moved;
}

std::optional<int> position_on_line(const repo::Repository& repository, const repo::CommitLine& line,
                                    const std::string& commit) {
  const auto known = find_commit(repository, commit);
  if (!known || line.empty() || !repo::is_ancestor(repository, known->id, line.front().id)) return {};
  // Newest first: the last that has it.
  const auto first_without = std::ranges::partition_point(
      line, [&](const Commit& one) { return repo::is_ancestor(repository, known->id, one.id); });
  return static_cast<int>(line.end() - first_without);
}

std::vector<events::Acceptance> acceptances_on(const Workspace& workspace, const std::string& from,
                                               const std::set<std::string>& report_only) {
  constexpr double kAnySize = 1e9;
  const std::string today = utc_date(std::chrono::system_clock::now());
  const Policy& policy = workspace.config().policy;
  std::vector<events::Acceptance> all;
  for (const auto& waiver : policy.waivers)
    if (today <= waiver.expires) all.push_back({waiver.match, waiver.reason, waiver.ceiling, {}});
  if (!policy.accepted.empty()) {
    const auto line = workspace.repository().first_parents(from, history::kWholeLine);
    AcceptedCommits commits(workspace, line.empty() ? "" : line.front().id);
    for (const auto& accepted : policy.accepted) {
      if (line.empty()) break;
      if (const auto position = position_on_line(workspace.repository(), line, commits.of(accepted)))
        all.push_back({accepted.match, accepted.reason, accepted.ceiling, position, accepted.machine});
    }
  }
  for (const auto& benchmark : report_only)
    all.push_back({benchmark, "only reported, by tracker.toml", kAnySize, {}});
  return all;
}

}  // namespace tracker::app
