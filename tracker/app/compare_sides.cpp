// Both sides of `tracker compare`: revisions, the baseline, or files, whichever the user's words mean.
#include <algorithm>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/compare.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/measure/selection.hpp"
#include "tracker/model/run.hpp"

namespace tracker::app {

Policy policy_at_threshold(Policy policy, const std::string& threshold) {
  if (threshold.empty()) return policy;
  PolicyRule rule;
  rule.match = "*";
  if (!formats::parse_threshold(threshold, rule))
    throw Error(ExitCode::kUsage,
                "--threshold " + in_quotes(threshold) + " must be above 0 %, or an amount above 0",
                "write it in per cent, or in the metric's unit: --threshold 1%, --threshold 5ns");
  policy.rules.push_back(rule);  // of all that match, the last one counts
  return policy;
}

namespace {

constexpr int kLookedBackMax = 1000;  // commits

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool is_path_like(const std::string& text) {
  return text.starts_with(".") || text.starts_with("/") || is_there(text);
}

std::string measure_hint(const CompareRequest& request) {
  return "measure both side by side: tracker compare " + request.base +
         (request.candidate == "HEAD" ? "" : " " + request.candidate) + " --measure";
}

bool is_revision(const Workspace& workspace, const std::string& text) {
  return workspace.has_repository() && find_commit(workspace.repository(), text).has_value();
}

// The newest commit at or before this one, on its first-parent line, with a run on any of the devices.
std::optional<Commit> newest_with_run(const Workspace& workspace, const std::string& revision,
                                      const std::vector<std::string>& devices) {
  for (const auto& commit : workspace.repository().first_parents(revision, kLookedBackMax))
    for (const auto& key : workspace.store().keys_of(commit.id))
      if (std::ranges::find(devices, key.device) != devices.end()) return commit;
  return {};
}

void take_patterns(CompareRequest& request) {
  const bool is_pattern =
      request.candidate.find_first_of("*?") != std::string::npos && !is_there(request.candidate);
  if (request.candidate_named && is_pattern) {
    request.globs.insert(request.globs.begin(), request.candidate);
    request.candidate = "HEAD";
    request.candidate_named = false;
  }
  if (request.globs.empty()) return;
  if (!request.measuring.filter.empty())
    throw Error(ExitCode::kUsage,
                "--filter and the pattern " + in_quotes(request.globs.front()) +
                    " both say which benchmarks are meant",
                "leave one of them out");
  if (request.measures()) request.measuring.filter = measure::filter_for_globs(request.globs);
}

// git diff takes A..B for the two commits, and git log for those between them.
void refuse_two_dots(const std::string& base) {
  const auto dots = base.find("..");
  if (dots == std::string::npos || base.find("...") != std::string::npos || is_path_like(base)) return;
  const std::string from = base.substr(0, dots);
  const std::string to = base.size() > dots + 2 ? base.substr(dots + 2) : "HEAD";
  throw Error(ExitCode::kUsage, in_quotes(base) + " is a range, and compare takes two commits",
              "tracker compare " + from + " " + to + "; or " + from + "..." + to + " for what " + to +
                  " changed since it left " + from);
}

void take_merge_base(const Workspace& workspace, CompareRequest& request) {
  refuse_two_dots(request.base);
  const auto dots = request.base.find("...");
  if (dots == std::string::npos || is_path_like(request.base)) return;
  if (request.candidate_named)
    throw Error(
        ExitCode::kUsage,
        in_quotes(request.base) + " names both sides, and " + in_quotes(request.candidate) + " is one more",
        "write A...B alone, or two commits");
  const std::string from = request.base.substr(0, dots);
  const std::string to = request.base.substr(dots + 3);
  if (!to.empty()) request.candidate = to;
  request.candidate_named = true;
  const repo::Repository& repository = workspace.repository();
  const Commit base = repository.resolve(
      repo::merge_base(repository, repository.resolve(from).id, repository.resolve(request.candidate).id));
  workspace.note("the base is " + describe(base) + ", where " + request.candidate + " left " + from);
  request.base = base.id;
}

void take_newest_of_branch(const Workspace& workspace, CompareRequest& request) {
  const bool measures =
      request.measures() || request.confirm.wanted || (workspace.in_ci() && !request.confirm.unwanted);
  if (measures || request.base == kBaselineWord || is_path_like(request.base)) return;
  const bool is_branch = is_revision(workspace, "refs/heads/" + request.base) ||
                         is_revision(workspace, "refs/remotes/" + request.base);
  if (!is_branch || !is_revision(workspace, request.candidate)) return;
  const auto devices = matching_devices(devices_of(workspace, request.candidate), request.device);
  if (devices.empty()) return;
  const auto base = newest_with_run(workspace, request.base, devices);
  if (!base || base->id == workspace.repository().resolve(request.base).id) return;
  workspace.note("no run is stored for the newest commit of " + request.base + ": the base is " +
                 describe(*base) + ", the newest one before it that has one");
  request.base = base->id;
}

// No revision starts with '.' or '/', and hardly any ends in .json.
bool is_written_as_path(const std::string& text) {
  return text.starts_with(".") || text.starts_with("/") || formats::is_result_file(text) ||
         (text.find('/') != std::string::npos && is_there(text));
}

// Where both would fit, what was taken is said.
SideKind kind_of(const Workspace& workspace, const std::string& text) {
  const std::string quoted = in_quotes(text);
  const std::string file_hint = is_there(text) ? "; the file or folder of that name is './" + text + "'" : "";
  if (text == kBaselineWord) {
    if (!file_hint.empty()) workspace.note(quoted + " is taken as the promoted baseline" + file_hint);
    return SideKind::kBaseline;
  }
  const bool revision = is_revision(workspace, text);
  if (is_written_as_path(text)) {
    if (revision)
      workspace.note(quoted + " is taken as a path; the revision of that name is meant by its commit id");
    return SideKind::kFiles;
  }
  if (revision && !file_hint.empty()) workspace.note(quoted + " is taken as the revision" + file_hint);
  if (revision || file_hint.empty()) return SideKind::kRevision;
  return SideKind::kFiles;
}

// The option that gives files this very key.
std::string device_option(const std::string& key) {
  return key.starts_with("cpu-") ? "--cpu " + key.substr(4) : "--gpu " + key;
}

std::string option_for(const std::vector<std::string>& keys) {
  return keys.empty() ? "say it: --gpu \"NVIDIA H200\" or --cpu \"AMD EPYC 9654\""
                      : "say it, if it was this one: " + device_option(keys.front());
}

CompareSide open_side(const Workspace& workspace, const std::string& text) {
  CompareSide side{text, kind_of(workspace, text), {}, {}};
  if (!workspace.has_repository() && side.kind == SideKind::kRevision) {
    try {
      workspace.repository();
    } catch (const Error& error) {
      throw Error(ExitCode::kUsage, in_quotes(text) + " is no file or folder, and " + error.what(),
                  "name two files or folders: tracker compare BASE CANDIDATE");
    }
  } else if (side.kind == SideKind::kRevision) {
    workspace.repository().resolve(text);  // a slip is said first
  }
  return side;
}

// The device of files that name none, where it was said.
std::optional<Device> stated_device(const CompareRequest& request) {
  if (request.gpu.empty() && request.cpu.empty()) return {};
  Device stated;
  stated.kind = request.gpu.empty() ? DeviceKind::kCpu : DeviceKind::kGpu;
  stated.model = request.gpu.empty() ? request.cpu : request.gpu;
  return stated;
}

// Of both sides at a time: files of many benchmarks take a while.
void read_files(CompareSides& sides, const std::optional<Device>& stated, const std::string& better) {
  CompareSide* const both[] = {&sides.base, &sides.candidate};
  for_each_in_parallel(std::size(both), [&](std::size_t i) {
    if (both[i]->kind == SideKind::kFiles)
      both[i]->files = formats::read_file_side(both[i]->text, stated, better);
  });
}

// A device that only one side names would be a guess for the other.
void require_device(const Workspace& workspace, const CompareSide& side, const CompareSide& other) {
  if (!side.files || side.files->device_known) return;
  if (other.files && !other.files->device_known) return;
  throw Error(ExitCode::kUsage,
              in_quotes(side.text) + " does not say which device it was measured on, and " +
                  (other.files ? in_quotes(other.text) + " does" : other.text + " needs it"),
              option_for(other.devices(workspace)));
}

// One execution a side, as many people know it from Google Benchmark's own scripts, however many repetitions
// it has: the best that can be said of it is what would tell more.
void note_single_invocation(const formats::FileSide& base, const formats::FileSide& candidate,
                            std::vector<std::string>& notes) {
  const auto is_single = [](const formats::FileSide& side) {
    return side.runs.size() == 1 && side.runs.front().invocations.size() == 1;
  };
  if (!is_single(base) || !is_single(candidate)) return;
  const std::string& recorded = base.runs.front().invocations.front().binary;
  const std::string binary = recorded.empty() ? "BENCHMARK" : recorded;
  notes.push_back(
      "each side is one execution, whose repetitions share one process: the ratio is shown, but no verdict "
      "can "
      "rest on it. Several executions side by side, each side first in every second pair, decide: mkdir base "
      "new; run() { $1/" +
      binary +
      " --benchmark_out=$2.json --benchmark_out_format=json; }; for i in 1 2 3 4 5; do run OLD base/$i-1; "
      "run "
      "NEW new/$i-1; run NEW new/$i-2; run OLD base/$i-2; done; tracker compare base new. In a git "
      "repository "
      "with a tracker.toml, tracker compare BASE --measure does all of it");
}

// Two sides out of files: whether they are pairs, and what to know about that.
void settle_pairing(formats::FileSide& base, formats::FileSide& candidate, judge::Pairing pairing,
                    std::vector<std::string>& notes) {
  if (!base.device_known)
    notes.emplace_back(
        "the files do not say which device they were measured on: judged with the caution that CPUs need; "
        "--gpu or --cpu names it");
  if (pairing == judge::Pairing::kNone) return;
  const bool shown = formats::measured_in_turn(base, candidate);
  if (pairing == judge::Pairing::kFromRuns && !shown) {
    if (!base.has_documents && !candidate.has_documents)
      notes.emplace_back(
          "the files' dates and hosts do not show that the sides were measured side by side; if they were: "
          "--pairing interleaved");
    return;
  }
  if (pairing == judge::Pairing::kFromRuns)
    notes.emplace_back("the files' dates alternate: compared pair by pair");
  if (pairing == judge::Pairing::kInterleaved) {
    formats::join_hosts(base);
    formats::join_hosts(candidate);
  }
  if (base.runs.size() != 1 || candidate.runs.size() != 1)
    throw Error(ExitCode::kUsage,
                "--pairing interleaved means one job on one board, and " +
                    in_quotes(base.runs.size() != 1 ? base.path : candidate.path) + " has several",
                "leave the option out, or put the files of one job into a folder of their own");
  if (const auto first = formats::always_first(base, candidate))
    notes.push_back(std::string("in every pair the ") +
                    (*first == formats::FirstInPairs::kBase ? "base ran first, then the candidate"
                                                            : "candidate ran first, then the base") +
                    ": what one execution leaves behind for the next looks like a change; let the other side "
                    "run first in every second pair");
  const auto of_base = base.runs.front().invocations.size();
  const auto of_candidate = candidate.runs.front().invocations.size();
  if (of_base != of_candidate)
    notes.push_back("the base has " + std::to_string(of_base) + " invocations and the candidate " +
                    std::to_string(of_candidate) + ": those that have a partner are compared");
  formats::put_in_one_job(base.runs.front(), candidate.runs.front());
}

Error no_candidate(const Workspace& workspace, const CompareRequest& request, const CompareSide& candidate) {
  const std::string on = request.device.empty() ? "" : " on a device like " + in_quotes(request.device);
  if (candidate.kind == SideKind::kBaseline)
    return {ExitCode::kCannotJudge,
            "no baseline" + on + " in '" + workspace.config().baselines_directory + "'",
            "promote one from a commit that is measured: tracker baseline promote"};
  if (candidate.kind == SideKind::kFiles)
    return {ExitCode::kCannotJudge,
            in_quotes(candidate.text) + " was measured on " + candidate.devices(workspace).front() +
                ", and not" + on,
            "leave --device out"};
  if (const auto known = candidate.devices(workspace); !request.device.empty() && !known.empty())
    return {ExitCode::kCannotJudge, "no run is stored for the candidate " + candidate.text + on,
            "it has runs on: " + join(known, ", ")};
  const Commit commit = workspace.repository().resolve(candidate.text);
  const bool is_head = commit.id == workspace.repository().resolve("HEAD").id;
  return {ExitCode::kCannotJudge,
          "no run is stored for the candidate " + candidate.text + " (" + short_id(commit.id) + ")" + on,
          is_head ? "measure it: tracker run" : measure_hint(request)};
}

std::optional<judge::SideRuns> measured_side(const Workspace& workspace, const CompareSide& side,
                                             const std::string& device) {
  std::vector<Run> runs = side.measured;
  std::erase_if(runs, [&](const Run& run) { return device_key(run.device) != device; });
  if (runs.empty()) return {};
  Commit commit = workspace.repository().resolve(runs.front().commit);
  if (side.kind == SideKind::kWorkingTree) commit.subject.insert(0, "uncommitted changes to: ");
  return make_side(side.text, commit, std::move(runs));
}

}  // namespace

CompareRequest with_meant_commits(const Workspace& workspace, CompareRequest request) {
  take_patterns(request);
  if (!workspace.has_repository()) return request;
  take_merge_base(workspace, request);
  take_newest_of_branch(workspace, request);
  return request;
}

std::vector<std::string> CompareSide::devices(const Workspace& workspace) const {
  if (files) return {device_key(files->runs.front().device)};
  if (measured.empty()) return devices_of(workspace, text);
  std::set<std::string> keys;
  for (const auto& run : measured) keys.insert(device_key(run.device));
  return {keys.begin(), keys.end()};
}

std::optional<judge::SideRuns> CompareSide::runs_on(const Workspace& workspace,
                                                    const std::string& device) const {
  if (!measured.empty()) return measured_side(workspace, *this, device);
  if (!files) return load_side(workspace, text, device);
  if (device != device_key(files->runs.front().device)) return {};
  judge::SideRuns side;
  side.side.label = text;
  side.side.subject = files->summary;
  side.side.commit = files->runs.front().commit;
  for (const auto& run : files->runs)
    if (run.commit != side.side.commit) side.side.commit.clear();
  side.runs = files->runs;
  side.noise = files->noise;
  return side;
}

CompareSides open_sides(const Workspace& workspace, const CompareRequest& request) {
  const auto stated = stated_device(request);
  CompareSides sides{open_side(workspace, request.base),
                     request.worktree ? CompareSide{kWorkingTreeWords, SideKind::kWorkingTree, {}, {}}
                                      : open_side(workspace, request.candidate),
                     {}};
  read_files(sides, stated, request.better);
  for (const auto* side : {&sides.base, &sides.candidate})
    if (side->files)
      sides.notes.insert(sides.notes.end(), side->files->notes.begin(), side->files->notes.end());
  require_device(workspace, sides.base, sides.candidate);
  require_device(workspace, sides.candidate, sides.base);
  if (sides.base.files && sides.candidate.files) {
    formats::refuse_shared_invocations(*sides.base.files, *sides.candidate.files);
    settle_pairing(*sides.base.files, *sides.candidate.files, request.pairing, sides.notes);
    note_single_invocation(*sides.base.files, *sides.candidate.files, sides.notes);
  }
  if (!sides.base.files && !sides.candidate.files && stated)
    throw Error(ExitCode::kUsage,
                "--gpu and --cpu are for files that do not name their device, and " + request.base + " and " +
                    request.candidate + " are none",
                "--device chooses among the devices that were measured");
  return sides;
}

std::vector<std::string> devices_to_judge(const Workspace& workspace, const CompareRequest& request,
                                          const CompareSides& sides) {
  auto devices = matching_devices(sides.candidate.devices(workspace), request.device);
  if (devices.empty() && !sides.candidate.files) require_known_device(workspace, request.device);
  if (devices.empty()) throw no_candidate(workspace, request, sides.candidate);
  if (!sides.base.files) return devices;
  // Files are of one device, and say nothing about the others that a commit has.
  const std::string of_files = sides.base.devices(workspace).front();
  if (std::ranges::find(devices, of_files) != devices.end()) return {of_files};
  return {devices.front()};
}

Error why_unjudged(const Workspace& workspace, const CompareRequest& request, const CompareSides& sides,
                   const std::string& device) {
  if (!sides.candidate.runs_on(workspace, device))
    return no_runs_of(workspace, sides.candidate.text, device,
                      "the candidate " + sides.candidate.text + " on " + device, measure_hint(request));
  const CompareSide& base = sides.base;
  if (base.kind == SideKind::kBaseline)
    return {ExitCode::kCannotJudge,
            "no baseline for " + device + " in '" + workspace.config().baselines_directory + "'",
            "promote one from a commit that is measured: tracker baseline promote"};
  const auto others = base.devices(workspace);
  if (base.kind == SideKind::kFiles)
    return {ExitCode::kCannotJudge,
            "the base " + in_quotes(base.text) + " was measured on " + others.front() +
                ", and the candidate on " + device,
            "only measurements of one device can be compared"};
  const Commit commit = workspace.repository().resolve(base.text);
  const auto nearest = newest_with_run(workspace, base.text, {device});
  return {ExitCode::kCannotJudge,
          "no run is stored for the base " + base.text + " (" + short_id(commit.id) + ") on " + device +
              (others.empty() ? "" : "; it has runs on " + join(others, ", ")) +
              (nearest ? "; the newest commit before it that has one is " + describe(*nearest) : ""),
          measure_hint(request)};
}

namespace {

// A commit by its id, as "HEAD" is another one tomorrow.
std::string side_word(const CompareSide& side, const Side& judged) {
  if (side.kind == SideKind::kWorkingTree) return "--worktree";
  const bool is_commit = side.kind == SideKind::kRevision && !judged.commit.empty();
  return is_commit ? lasting_id(judged.commit) : side.text;
}

// The options that have a job measure the same again as the one that a report rests on.
std::vector<std::string> measuring_words(const Workspace& workspace, const CompareOutcome& outcome,
                                         const ComparisonReport& report) {
  const CompareRequest& request = outcome.request;
  std::vector<std::string> words;
  if (!request.worktree) words.emplace_back("--measure");
  const auto add = [&](const std::string& name, const std::string& value) {
    words.insert(words.end(), {name, value});
  };
  if (request.measuring.repetitions > 0) add("--repetitions", std::to_string(request.measuring.repetitions));
  const auto candidate = outcome.sides.candidate.runs_on(workspace, report.device);
  if (!candidate) return words;
  const auto& ids = report.candidate.runs;
  const auto run = std::ranges::find_if(
      candidate->runs, [&](const Run& one) { return std::ranges::find(ids, one.id) != ids.end(); });
  if (run == candidate->runs.end()) return words;
  const int invocations = invocation_count(*run);
  if (invocations != workspace.config().measure.invocations) add("-n", std::to_string(invocations));
  if (!run->selection.expression.empty()) add("--filter", run->selection.expression);
  if (run->isolated) words.emplace_back("--isolate");
  return words;
}

std::string command_line(std::vector<std::string> words, const CompareRequest& request, bool strict) {
  const std::pair<const char*, const std::string*> others[] = {{"--threshold", &request.threshold},
                                                               {"--device", &request.device},
                                                               {"--gpu", &request.gpu},
                                                               {"--cpu", &request.cpu}};
  for (const auto& [name, value] : others)
    if (!value->empty()) words.insert(words.end(), {name, *value});
  if (strict) words.emplace_back("--strict");
  words.insert(words.begin(), {"tracker", "compare"});
  for (auto& word : words) word = shell_word(word);
  return join(words, " ");
}

}  // namespace

std::string reproducing_as_typed(const CompareRequest& request, bool strict) {
  return command_line({request.base, request.worktree ? "--worktree" : request.candidate}, request, strict);
}

std::string reproducing(const Workspace& workspace, const CompareOutcome& outcome, bool strict) {
  const CompareRequest& request = outcome.request;
  const CompareSides& sides = outcome.sides;
  const auto& reports = outcome.reports;
  if (reports.empty()) return reproducing_as_typed(request, strict);
  std::vector<std::string> words{side_word(sides.base, reports.front().base),
                                 side_word(sides.candidate, reports.front().candidate)};
  const auto in_turn = std::ranges::find_if(reports, [](const auto& report) { return report.interleaved; });
  const auto confirmed = [](const auto& report) { return report.effort.has_value(); };
  const auto can_be_built = [](const CompareSide& side) {
    return side.kind == SideKind::kRevision || side.kind == SideKind::kWorkingTree;
  };
  const bool are_commits = can_be_built(sides.base) && can_be_built(sides.candidate);
  if (are_commits && (request.measure || in_turn != reports.end())) {
    const auto& report = in_turn != reports.end() ? *in_turn : reports.front();
    const auto how = measuring_words(workspace, outcome, report);
    words.insert(words.end(), how.begin(), how.end());
  } else {
    words.insert(words.end(), request.globs.begin(), request.globs.end());
    if (!request.measuring.filter.empty()) words.insert(words.end(), {"--filter", request.measuring.filter});
    if (are_commits && std::ranges::any_of(reports, confirmed)) words.emplace_back("--confirm");
  }
  return command_line(words, request, strict);
}

std::string explaining(const CompareOutcome& outcome) {
  const Comparison* worst = nullptr;
  const ComparisonReport* of_worst = nullptr;
  for (const auto& report : outcome.reports)
    for (const auto& comparison : report.comparisons) {
      const bool can_be_explained = fails_gate(comparison) && comparison.change;
      if (!can_be_explained || (worst != nullptr && !matters_more(comparison, *worst))) continue;
      worst = &comparison;
      of_worst = &report;
    }
  const auto& [base, candidate, notes] = outcome.sides;
  if (worst == nullptr || candidate.kind == SideKind::kWorkingTree) return "";
  return "tracker explain " + shell_word(worst->benchmark) + " " +
         shell_word(side_word(base, of_worst->base)) + " " +
         shell_word(side_word(candidate, of_worst->candidate));
}

}  // namespace tracker::app
