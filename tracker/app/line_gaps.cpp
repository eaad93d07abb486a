#include "tracker/app/line_gaps.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "tracker/app/remap.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/history.hpp"
#include "tracker/repo/git_command.hpp"
#include "tracker/store/sync.hpp"

namespace tracker {
namespace {

constexpr const char* kRemap = "tracker remap --dry-run says what became of their commits";
constexpr const char* kDeepen = "git fetch --unshallow (fetch-depth: 0 in actions/checkout)";

// "3 runs of HEAD's line, such as 'PATH'"
template <class Keys, class KeyOf>
std::string runs_in_words(const Keys& found, const std::string& from, const KeyOf& key_of) {
  return count_of(found.size(), "run") + " of " + printable(from) + "'s line, such as '" +
         printable(path_of(key_of(found.front()))) + "'";
}

std::unordered_set<std::string_view> ids_of(const CommitLine& line) {
  std::unordered_set<std::string_view> ids;
  for (const auto& commit : line) ids.insert(commit.id);
  return ids;
}

// Where the newest runs of all are of commits that this history does not have, as after a rebase.
std::optional<LineGap> rewritten(const Workspace& workspace, const std::string& from,
                                 const CommitLine& line) {
  if (line.goes_on()) return {};
  const auto ids = ids_of(line);
  std::string newest;
  std::string newest_here;
  for (const auto& key : recorded_keys(workspace.history()))
    for (auto* one : {&newest, ids.contains(key.commit) ? &newest_here : nullptr})
      if (one != nullptr) *one = std::max(*one, key.id);
  if (newest == newest_here) return {};
  const LostRuns lost = lost_runs(workspace);
  if (lost.newest <= newest_here) return {};
  return LineGap{in_words(lost) + ", and the newest of them is newer than all of " + printable(from) +
                     "'s line: was it rewritten?",
                 kRemap, ExitCode::kOk};
}

}  // namespace

std::vector<LineGap> line_gaps(const Workspace& workspace, const std::string& from) {
  std::vector<LineGap> gaps;
  const auto line = workspace.repository().first_parents(from, kWholeLine);
  if (line.goes_on())
    gaps.push_back({"this clone is shallow: it has only the newest " + count_of(line.size(), "commit") +
                        " of " + printable(from),
                    kDeepen});
  if (auto gap = rewritten(workspace, from, line)) gaps.push_back(std::move(*gap));
  if (const auto lost = workspace.shared_store().lost_step())
    gaps.push_back({lost->what, lost->remedy, ExitCode::kCannotJudge});
  if (!workspace.store_place().is_git()) return gaps;
  for (auto& [remote, keys] : not_taken_from(workspace.repository(), workspace.store_place().where)) {
    const auto ids = ids_of(line);
    std::erase_if(keys, [&](const StoredKey& key) { return !ids.contains(key.commit); });
    if (keys.empty()) continue;
    gaps.push_back({"'" + printable(remote) + "' has " +
                        runs_in_words(keys, from, [](const StoredKey& key) { return key; }) +
                        ", that the store here does not have",
                    "tracker sync --fetch " + printable(remote) + " takes them, or says why it cannot",
                    ExitCode::kCannotJudge});
  }
  return gaps;
}

std::vector<LineGap> unread_runs(const Workspace& workspace, const std::string& from,
                                 const std::vector<std::string>& devices) {
  auto left_out = workspace.store().left_out();
  const auto line = workspace.repository().first_parents(from, kWholeLine);
  const auto ids = ids_of(line);
  std::erase_if(left_out, [&](const LeftOut& one) {
    return one.key.kind != DocumentKind::kRun || !ids.contains(one.key.commit) ||
           std::find(devices.begin(), devices.end(), one.key.device) == devices.end();
  });
  if (left_out.empty()) return {};
  return {{runs_in_words(left_out, from, [](const LeftOut& one) { return one.key; }) +
               ", cannot be read: " + left_out.front().why,
           left_out.front().remedy, ExitCode::kCannotJudge}};
}

std::vector<LineGap> older_commits(const Workspace& workspace, const std::string& from, int commits_max) {
  const auto line = workspace.repository().first_parents(from, commits_max + 1);
  if (std::cmp_less_equal(line.size(), commits_max)) return {};
  return {{"only the newest " + count_of(static_cast<std::size_t>(commits_max), "commit") + " of " +
               printable(from) + " are looked at",
           "--commits N for more", ExitCode::kOk}};
}

std::string in_words(const LineGap& gap) {
  return gap.what + "; next: " + gap.remedy;
}

bool is_cut_off(const std::vector<LineGap>& gaps) {
  return std::any_of(gaps.begin(), gaps.end(),
                     [](const LineGap& gap) { return gap.code == ExitCode::kEnvironment; });
}

void require_whole(const std::vector<LineGap>& gaps) {
  for (const auto& gap : gaps)
    if (gap.code != ExitCode::kOk) throw Error(gap.code, gap.what, gap.remedy);
}

bool has_origin(const Workspace& workspace) {
  return run_git(workspace.root(), {"config", "--get", "remote.origin.url"}).ok();
}

Error no_run_on_line(const Workspace& workspace, const std::string& from, int commits_max) {
  std::unordered_set<std::string> commits;
  for (const auto& key : recorded_keys(workspace.history())) commits.insert(key.commit);
  const auto line = workspace.repository().first_parents(from, commits_max);
  const bool is_all = std::cmp_less(line.size(), commits_max);  // that this clone has of it
  const std::string nothing =
      "no run is stored for any " +
      (is_all ? "commit" : "of the newest " + count_of(static_cast<std::size_t>(commits_max), "commit")) +
      " of " + printable(from);
  if (commits.empty() || !is_all)
    return {ExitCode::kCannotJudge, nothing,
            commits.empty() && has_origin(workspace)
                ? "fetch what is recorded elsewhere: tracker sync --fetch; or measure this one: tracker run"
                : "measure this one: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch"};
  const std::string others =
      count_of(commits.size(), "commit") + (commits.size() == 1 ? " has" : " have") + " runs";
  if (line.goes_on())
    return {ExitCode::kEnvironment, nothing + ": " + others + ", and this clone is shallow", kDeepen};
  if (const LostRuns lost = lost_runs(workspace); lost.runs > 0)
    return {ExitCode::kCannotJudge,
            nothing + ": " + in_words(lost) + " (a rewritten history, or branches that are gone)", kRemap};
  return {ExitCode::kCannotJudge, nothing + ": " + others + ", none of them on its first-parent line",
          "name a commit of the line that was measured: --from REVISION; or measure this one: tracker run"};
}

}  // namespace tracker
