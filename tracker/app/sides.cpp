#include "tracker/app/sides.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tracker/base/file.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/file_format.hpp"

namespace tracker::app {
namespace {

constexpr std::uintmax_t kBaselineBytesMax = std::uintmax_t{256} << 20;

// "cpu-x" for "cpu-x-2t": what a CPU was recorded under while a file's number of threads was not read.
// Empty where the key names no threads.
std::string key_without_threads(const std::string& device) {
  const std::size_t dash = device.rfind('-');
  const bool has_threads = device.starts_with("cpu-") && device.ends_with('t') && dash + 2 < device.size() &&
                           device.find_first_not_of("0123456789", dash + 1) == device.size() - 1;
  return has_threads ? device.substr(0, dash) : "";
}

bool is_of_as_many_threads(const Run& run, const std::string& device, const std::string& key) {
  return device == key + "-" + std::to_string(run.host.cpu_count.value_or(0)) + "t";
}

}  // namespace

judge::SideRuns make_side(const std::string& label, const Commit& commit, std::vector<Run> runs) {
  judge::SideRuns side;
  side.runs = std::move(runs);
  side.side.label = label;
  side.side.commit = commit.id;
  side.side.subject = commit.subject;
  std::set<std::string> jobs;
  for (const auto& run : side.runs) {
    side.side.runs.push_back(run.id);
    side.side.dirty = side.side.dirty || run.dirty;
    jobs.insert(run.job);
  }
  side.side.jobs = static_cast<int>(jobs.size());
  return side;
}

std::vector<Profile> profiles_at(const Workspace& workspace, const std::string& commit) {
  if (!workspace.has_repository() || !store::is_commit_id(commit)) return {};
  auto profiles = history::merge_profiles(history::profiles_of(workspace.store(), commit));
  for (auto& profile : profiles)
    for (auto& benchmark : profile.benchmarks)
      benchmark.name = renamed(benchmark.name, workspace.config().policy.renames);
  return profiles;
}

const Profile* find_profile(const std::vector<Profile>& profiles, const std::string& device) {
  const auto found = std::ranges::find_if(
      profiles, [&](const Profile& profile) { return device_key(profile.device) == device; });
  return found == profiles.end() ? nullptr : &*found;
}

namespace {

// With the keys that they had while a file's number of threads was not read.
std::set<std::string> with_earlier_keys(const std::vector<std::string>& devices) {
  std::set<std::string> keys(devices.begin(), devices.end());
  for (const auto& device : devices)
    if (const auto before = key_without_threads(device); !before.empty()) keys.insert(before);
  return keys;
}

std::vector<StoredSide> sides_of(const Workspace& workspace, const std::vector<std::string>& revisions) {
  std::vector<StoredSide> sides;
  for (const auto& revision : revisions) sides.emplace_back(workspace, revision);
  return sides;
}

// All of them at once.
std::vector<StoredSide> read_documents(const Workspace& workspace, const std::vector<std::string>& revisions,
                                       const std::vector<std::string>& devices) {
  const auto wanted = with_earlier_keys(devices);
  auto sides = sides_of(workspace, revisions);
  std::vector<store::Key> all;
  std::vector<std::size_t> ends;
  for (const auto& side : sides) {
    auto keys = workspace.store().keys_of(side.commit().id);
    std::erase_if(keys, [&](const store::Key& key) { return !wanted.contains(key.device); });
    std::ranges::sort(keys, {}, &store::Key::id);
    all.insert(all.end(), keys.begin(), keys.end());
    ends.push_back(all.size());
  }
  auto documents = history::read_at_once(workspace.store(), all);
  std::size_t next = 0;
  for (std::size_t i = 0; i < sides.size(); ++i)
    while (next < ends[i]) sides[i].add(std::move(documents[next++]));
  return sides;
}

// Whether a benchmark has a single invocation that counts. Then a reason says how far its repetitions
// scatter, and summaries keep only a few of these.
bool has_single_invocation(const Run& run) {
  std::unordered_map<std::string_view, int> counts;
  for (const auto& invocation : run.invocations)
    if (!invocation.excluded)
      for (const auto& [name, samples] : invocation.samples) ++counts[name];
  return std::ranges::any_of(counts, [](const auto& one) { return one.second == 1; });
}

// Nothing where these do not suffice.
std::optional<ComparedSides> read_summaries(const Workspace& workspace,
                                            const std::vector<std::string>& revisions,
                                            const std::vector<std::string>& devices, const Policy& policy) {
  const history::RunSource source = workspace.history(policy);
  ComparedSides compared{sides_of(workspace, revisions), {}};
  std::vector<std::string> commits;
  for (const auto& side : compared.sides) commits.push_back(side.commit().id);
  for (const auto& device : with_earlier_keys(devices)) {
    const auto read = [&](bool times_apart) {
      return history::compared_runs(source, device, commits, commits.back(), history::kRunsMax, times_apart);
    };
    auto runs = read(true);
    if (runs && !keeps_names_apart(runs->newest, policy.renames)) runs = read(false);
    if (!runs) return {};
    compared.history[device] = std::move(runs->newest);
    for (std::size_t i = 0; i < compared.sides.size(); ++i)
      for (auto& run : runs->of_commits[i]) {
        if (has_single_invocation(run)) return {};
        const store::Key key{.device = device, .commit = run.commit, .id = run.id};
        compared.sides[i].add({key, std::move(run), {}});
      }
  }
  return compared;
}

}  // namespace

std::optional<judge::SideRuns> load_side(const Workspace& workspace, const std::string& what,
                                         const std::string& device) {
  if (what != kBaselineWord) return read_documents(workspace, {what}, {device}).front().take(device);
  const auto path = workspace.baseline_path(device);
  if (!std::filesystem::exists(path)) return {};
  const formats::Baseline baseline =
      formats::read_baseline(read_file(path, kBaselineBytesMax), path.string());
  judge::SideRuns side =
      make_side(what, {.id = baseline.commit, .subject = "promoted " + baseline.promoted_at}, baseline.runs);
  side.noise = baseline.noise;
  return side;
}

ComparedSides read_compared_sides(const Workspace& workspace, const std::vector<std::string>& revisions,
                                  const std::vector<std::string>& devices, const Policy& policy) {
  if (auto compared = read_summaries(workspace, revisions, devices, policy)) return std::move(*compared);
  ComparedSides compared{read_documents(workspace, revisions, devices), {}};
  const history::RunSource source = workspace.history(policy);
  for (const auto& device : devices)
    compared.history[device] =
        history::recent_runs(source, device, compared.sides.back().commit().id, history::kRunsMax);
  return compared;
}

Error no_runs_of(const Workspace& workspace, const std::string& what, const std::string& device,
                 const std::string& words, const std::string& measure) {
  if (read_documents(workspace, {what}, {device}).front().notes(device))
    return {
        ExitCode::kCannotJudge,
        "nothing was measured of " + words + ": a job found that its programs are those of another commit",
        measure};
  return {ExitCode::kCannotJudge, "no document that is stored for " + words + " can be used",
          "tracker store verify --problems says why"};
}

std::vector<Run> runs_at(const Workspace& workspace, const std::string& commit, const std::string& device) {
  auto keys = workspace.store().keys_of(commit);
  if (!device.empty()) std::erase_if(keys, [&](const store::Key& key) { return key.device != device; });
  return history::read_runs(workspace.store(), keys);
}

StoredSide::StoredSide(const Workspace& workspace, const std::string& revision)
    : store_(workspace.store()), label_(revision), commit_(workspace.repository().resolve(revision)) {}

std::vector<Run> StoredSide::take_documents(const std::string& device) {
  std::vector<history::ReadRun> own;
  for (auto& document : documents_)
    if (document.key.device == device) own.push_back(std::move(document));
  std::erase_if(documents_, [&](const history::ReadRun& document) { return document.key.device == device; });
  return history::measured_runs(history::take_usable(store_, std::move(own)));
}

std::optional<judge::SideRuns> StoredSide::take(const std::string& device) {
  auto runs = take_documents(device);
  if (const std::string before = key_without_threads(device); runs.empty() && !before.empty()) {
    // Those of other numbers of threads stay for other devices.
    std::vector<history::ReadRun> others;
    for (const auto& document : documents_)
      if (document.key.device == before && document.run &&
          !is_of_as_many_threads(*document.run, device, before))
        others.push_back(document);
    runs = take_documents(before);
    std::erase_if(runs, [&](const Run& run) { return !is_of_as_many_threads(run, device, before); });
    std::ranges::move(others, std::back_inserter(documents_));
  }
  if (runs.empty()) return {};
  return make_side(label_, commit_, std::move(runs));
}

std::optional<NotedSide> StoredSide::notes(const std::string& device) const {
  std::optional<NotedSide> side;
  for (const auto& [key, run, unusable] : documents_) {
    if (key.device != device || !run || !run->same_program) continue;
    if (!side) side = NotedSide{run->device, {}};
    side->same_programs.push_back({run->id, *run->same_program});
  }
  return side;
}

namespace {

// A workflow run can be run again for so long.
constexpr std::chrono::days kAttemptsApartMax{30};

bool is_whole(const Run& run) {
  return run.selection.is_all() && run.interim_analyses.empty() && !run.same_program &&
         std::ranges::none_of(run.invocations,
                              [](const Invocation& invocation) { return invocation.build > 0; });
}

// Runs that were recorded apart have a job of their own each.
void pair_recorded_runs(std::vector<Run>& base, std::vector<Run>& candidate) {
  const auto is_apart = [](const Run& run) { return run.job == run.id && is_whole(run); };
  for (auto& of_candidate : candidate)
    for (auto& of_base : base)
      if (is_apart(of_base) && is_apart(of_candidate) && of_base.id != of_candidate.id &&
          formats::measured_in_turn(of_base, of_candidate)) {
        formats::put_in_one_job(of_base, of_candidate);
        break;
      }
}

bool is_attempt_of(const Run& older, const Run& newest) {
  const auto then = parse_time(older.started_at);
  const auto now = parse_time(newest.started_at);
  // What states no time was put into its job by whoever recorded it.
  const bool is_near = older.started_at.empty() || newest.started_at.empty() ||
                       (then && now && *now - *then < kAttemptsApartMax);
  return older.software == newest.software && older.isolated == newest.isolated && is_near;
}

int last_round(const Run& run) {
  int last = 0;
  for (const auto& invocation : run.invocations) last = std::max(last, invocation.round);
  return last;
}

}  // namespace

int join_attempts(judge::SideRuns& base, judge::SideRuns& candidate, NoiseHistory& history) {
  if (base.side.commit == candidate.side.commit) return 1;
  pair_recorded_runs(base.runs, candidate.runs);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // the newest first; no run is in two
  std::set<std::size_t> taken;
  for (std::size_t c = candidate.runs.size(); c-- > 0;)
    for (std::size_t b = base.runs.size(); b-- > 0;)
      if (!base.runs[b].job.empty() && base.runs[b].job == candidate.runs[c].job && taken.insert(b).second) {
        pairs.emplace_back(b, c);
        break;
      }
  // What is newer than the newest whole job, and what is no attempt like it, is judged as it was measured.
  if (pairs.size() < 2) return 1;
  const auto [b, c] = pairs.front();
  if (!is_whole(base.runs[b]) || !is_whole(candidate.runs[c])) return 1;
  std::set<std::string> joined;
  int rounds = std::max(last_round(base.runs[b]), last_round(candidate.runs[c]));
  for (auto pair = std::next(pairs.begin()); pair != pairs.end(); ++pair) {
    Run of_base = base.runs[pair->first];
    Run of_candidate = candidate.runs[pair->second];
    if (!is_whole(of_base) || !is_whole(of_candidate) || !is_attempt_of(of_base, base.runs[b]) ||
        !is_attempt_of(of_candidate, candidate.runs[c]))
      continue;
    joined.insert(of_base.job);
    const int more = std::max(last_round(of_base), last_round(of_candidate));
    for (auto* run : {&of_base, &of_candidate})
      for (auto& invocation : run->invocations) invocation.round += rounds;
    rounds += more;
    formats::add_run(base.runs[b], std::move(of_base));
    formats::add_run(candidate.runs[c], std::move(of_candidate));
  }
  if (joined.empty()) return 1;
  for (auto* side : {&base, &candidate})
    std::erase_if(side->runs, [&](const Run& run) { return joined.contains(run.job); });
  history = keep_runs(std::move(history), [&](const Run& run) { return !joined.contains(run.job); });
  return static_cast<int>(joined.size()) + 1;
}

std::vector<std::string> devices_of(const Workspace& workspace, const std::string& what) {
  std::set<std::string> devices;
  if (what == kBaselineWord) {
    std::error_code failure;
    const auto folder = workspace.root() / workspace.config().baselines_directory;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
      if (entry.path().extension() == ".json") devices.insert(entry.path().stem().string());
  } else {
    for (const auto& key : workspace.store().keys_of(workspace.repository().resolve(what).id))
      devices.insert(key.device);
  }
  return {devices.begin(), devices.end()};
}

}  // namespace tracker::app
