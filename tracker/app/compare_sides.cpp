#include "tracker/app/compare_sides.hpp"

#include <algorithm>
#include <set>

#include "tracker/app/compare_range.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/measured_file.hpp"

namespace tracker {
namespace {

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool is_revision(const Workspace& workspace, const std::string& text) {
  if (!workspace.has_repository()) return false;
  try {
    workspace.repository().resolve(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// No revision starts with '.' or '/', and hardly any ends in .json.
bool is_written_as_path(const std::string& text) {
  return text.starts_with(".") || text.starts_with("/") || is_result_file(text) ||
         (text.find('/') != std::string::npos && is_there(text));
}

// Where both would fit, what was taken is said.
SideKind kind_of(const Workspace& workspace, const std::string& text) {
  const std::string quoted = "'" + printable(text) + "'";
  const std::string file_hint =
      is_there(text) ? "; the file or folder of that name is './" + printable(text) + "'" : "";
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
      throw Error(ExitCode::kUsage, "'" + printable(text) + "' is no file or folder, and " + error.what(),
                  "name two files or folders: tracker compare BASE CANDIDATE");
    }
  } else if (side.kind == SideKind::kRevision) {
    workspace.repository().resolve(text);  // a slip is said first
  }
  return side;
}

// Of both sides at a time: files of many benchmarks take a while.
void read_files(CompareSides& sides, const std::optional<Device>& stated, const std::string& better) {
  CompareSide* const both[] = {&sides.base, &sides.candidate};
  in_parts(std::size(both), 1, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (both[i]->kind == SideKind::kFiles) both[i]->files = read_file_side(both[i]->text, stated, better);
  });
}

// A device that only one side names would be a guess for the other.
void require_device(const Workspace& workspace, const CompareSide& side, const CompareSide& other) {
  if (!side.files || side.files->device_known) return;
  if (other.files && !other.files->device_known) return;
  throw Error(
      ExitCode::kUsage,
      "'" + printable(side.text) + "' does not say which device it was measured on, and " +
          (other.files ? "'" + printable(other.text) + "' does" : printable(other.text) + " needs it"),
      option_for(other.devices(workspace)));
}

// One execution a side, as many people know it from Google Benchmark's own scripts, however many repetitions
// it has: the best that can be said of it is what would tell more.
void note_single_invocation(const FileSide& base, const FileSide& candidate,
                            std::vector<std::string>& notes) {
  const auto is_single = [](const FileSide& side) {
    return side.runs.size() == 1 && side.runs.front().invocations.size() == 1;
  };
  if (!is_single(base) || !is_single(candidate)) return;
  const std::string& recorded = base.runs.front().invocations.front().binary;
  const std::string binary = recorded.empty() ? "BENCHMARK" : printable(recorded);
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
void settle_pairing(FileSide& base, FileSide& candidate, Pairing pairing, std::vector<std::string>& notes) {
  if (!base.device_known)
    notes.emplace_back(
        "the files do not say which device they were measured on: judged with the caution that CPUs need; "
        "--gpu or --cpu names it");
  if (pairing == Pairing::kNone) return;
  const bool shown = measured_in_turn(base, candidate);
  if (pairing == Pairing::kFromRuns && !shown) {
    if (!base.has_documents && !candidate.has_documents)
      notes.emplace_back(
          "the files' dates and hosts do not show that the sides were measured side by side; if they were: "
          "--pairing interleaved");
    return;
  }
  if (pairing == Pairing::kFromRuns) notes.emplace_back("the files' dates alternate: compared pair by pair");
  if (pairing == Pairing::kInterleaved) {
    join_hosts(base);
    join_hosts(candidate);
  }
  if (base.runs.size() != 1 || candidate.runs.size() != 1)
    throw Error(ExitCode::kUsage,
                "--pairing interleaved means one job on one board, and '" +
                    printable(base.runs.size() != 1 ? base.path : candidate.path) + "' has several",
                "leave the option out, or put the files of one job into a folder of their own");
  if (const auto first = always_first(base, candidate))
    notes.push_back(std::string("in every pair the ") +
                    (*first == FirstInPairs::kBase ? "base ran first, then the candidate"
                                                   : "candidate ran first, then the base") +
                    ": what one execution leaves behind for the next looks like a change; let the other side "
                    "run first in every second pair");
  const auto of_base = base.runs.front().invocations.size();
  const auto of_candidate = candidate.runs.front().invocations.size();
  if (of_base != of_candidate)
    notes.push_back("the base has " + std::to_string(of_base) + " invocations and the candidate " +
                    std::to_string(of_candidate) + ": those that have a partner are compared");
  put_in_one_job(base, candidate);
}

Error no_candidate(const Workspace& workspace, const CompareRequest& request, const CompareSide& candidate) {
  const std::string on =
      request.device.empty() ? "" : " on a device like '" + printable(request.device) + "'";
  if (candidate.kind == SideKind::kBaseline)
    return {ExitCode::kCannotJudge,
            "no baseline" + on + " in '" + workspace.config().baselines_directory + "'",
            "promote one from a commit that is measured: tracker baseline promote"};
  if (candidate.kind == SideKind::kFiles)
    return {ExitCode::kCannotJudge,
            "'" + printable(candidate.text) + "' was measured on " + candidate.devices(workspace).front() +
                ", and not" + on,
            "leave --device out"};
  if (const auto known = candidate.devices(workspace); !request.device.empty() && !known.empty())
    return {ExitCode::kCannotJudge, "no run is stored for the candidate " + printable(candidate.text) + on,
            "it has runs on: " + printable(join(known, ", "))};
  const Commit commit = workspace.repository().resolve(candidate.text);
  const bool is_head = commit.id == workspace.repository().resolve("HEAD").id;
  return {ExitCode::kCannotJudge,
          "no run is stored for the candidate " + printable(candidate.text) + " (" + short_id(commit.id) +
              ")" + on,
          is_head ? "measure it: tracker run" : measure_hint(request)};
}

}  // namespace

std::vector<std::string> CompareSide::devices(const Workspace& workspace) const {
  if (files) return {device_key(files->runs.front().device)};
  if (measured.empty()) return devices_of(workspace, text);
  std::set<std::string> keys;
  for (const auto& run : measured) keys.insert(device_key(run.device));
  return {keys.begin(), keys.end()};
}

namespace {

std::optional<SideRuns> measured_side(const Workspace& workspace, const CompareSide& side,
                                      const std::string& device) {
  std::vector<Run> runs = side.measured;
  std::erase_if(runs, [&](const Run& run) { return device_key(run.device) != device; });
  if (runs.empty()) return {};
  const Commit commit = workspace.repository().resolve(runs.front().commit);
  const std::string on_top = side.kind == SideKind::kWorkingTree ? "uncommitted changes to: " : "";
  return make_side(side.text, commit.id, on_top + commit.subject, runs);
}

}  // namespace

std::optional<SideRuns> CompareSide::runs_on(const Workspace& workspace, const std::string& device) const {
  if (!measured.empty()) return measured_side(workspace, *this, device);
  if (!files) return load_side(workspace, text, device);
  if (device != device_key(files->runs.front().device)) return {};
  SideRuns side;
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
  CompareSides sides{open_side(workspace, request.base),
                     request.worktree ? CompareSide{kWorkingTreeWords, SideKind::kWorkingTree, {}, {}}
                                      : open_side(workspace, request.candidate),
                     {}};
  read_files(sides, request.stated_device(), request.better);
  for (const auto* side : {&sides.base, &sides.candidate})
    if (side->files)
      sides.notes.insert(sides.notes.end(), side->files->notes.begin(), side->files->notes.end());
  require_device(workspace, sides.base, sides.candidate);
  require_device(workspace, sides.candidate, sides.base);
  if (sides.base.files && sides.candidate.files) {
    refuse_shared_invocations(*sides.base.files, *sides.candidate.files);
    settle_pairing(*sides.base.files, *sides.candidate.files, request.pairing, sides.notes);
    note_single_invocation(*sides.base.files, *sides.candidate.files, sides.notes);
  }
  if (!sides.has_files() && request.stated_device())
    throw Error(ExitCode::kUsage,
                "--gpu and --cpu are for files that do not name their device, and " +
                    printable(request.base) + " and " + printable(request.candidate) + " are none",
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
  if (std::find(devices.begin(), devices.end(), of_files) != devices.end()) return {of_files};
  return {devices.front()};
}

Error why_unjudged(const Workspace& workspace, const CompareRequest& request, const CompareSides& sides,
                   const std::string& device) {
  if (!sides.candidate.runs_on(workspace, device))
    return no_runs_of(workspace, sides.candidate.text, device,
                      "the candidate " + printable(sides.candidate.text) + " on " + device,
                      measure_hint(request));
  const CompareSide& base = sides.base;
  if (base.kind == SideKind::kBaseline)
    return {ExitCode::kCannotJudge,
            "no baseline for " + device + " in '" + workspace.config().baselines_directory + "'",
            "promote one from a commit that is measured: tracker baseline promote"};
  const auto others = base.devices(workspace);
  if (base.kind == SideKind::kFiles)
    return {ExitCode::kCannotJudge,
            "the base '" + printable(base.text) + "' was measured on " + others.front() +
                ", and the candidate on " + device,
            "only measurements of one device can be compared"};
  const Commit commit = workspace.repository().resolve(base.text);
  const auto nearest = newest_with_run(workspace, base.text, {device});
  return {ExitCode::kCannotJudge,
          "no run is stored for the base " + printable(base.text) + " (" + short_id(commit.id) + ") on " +
              device + (others.empty() ? "" : "; it has runs on " + join(others, ", ")) +
              (nearest ? "; the newest commit before it that has one is " + describe(*nearest) : ""),
          measure_hint(request)};
}

}  // namespace tracker
