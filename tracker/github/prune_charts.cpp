#include "tracker/github/prune_charts.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/github/branch_commit.hpp"
#include "tracker/github/context.hpp"
#include "tracker/github/publish.hpp"
#include "tracker/repo/git_facts.hpp"

namespace tracker {
namespace {

constexpr int kPruneAttemptsMax = 5;
constexpr std::size_t kParentsMax = 16;  // of a commit: more are united in several
constexpr std::int64_t kDayS = 86'400;

// What was published together: "pull/12/1a2b3c4d5e", "commit/1a2b3c4d5e".
struct ChartFolder {
  std::int64_t pull_request = 0;  // 0: of none
  bool is_ours = false;           // a name that publish gives
  std::int64_t newest_s = 0;      // when it was published last
  std::int64_t bytes = 0;
  std::vector<std::string> files;  // whole paths
  std::vector<std::string> commits;
};

std::int64_t digits_value(const std::string& text) {
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() ? number : 0;
}

std::string folder_name(const std::string& path) {
  const auto parts = split(path, '/');
  if (parts.size() == 4 && parts[0] == "pull") return parts[0] + "/" + parts[1] + "/" + parts[2];
  return path.substr(0, path.rfind('/'));
}

std::map<std::string, ChartFolder> folders_of(const Repository& repository, const std::string& tip) {
  std::map<std::string, ChartFolder> folders;
  for (const auto& line : split(git_output(repository, {"ls-tree", "-r", "-l", "-z", tip}), '\0')) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string path = line.substr(tab + 1);
    const auto parts = split(path, '/');
    auto& folder = folders[folder_name(path)];
    folder.files.push_back(path);
    folder.bytes += digits_value(line.substr(line.rfind(' ', tab) + 1, tab - line.rfind(' ', tab) - 1));
    folder.pull_request = parts.size() == 4 && parts[0] == "pull" ? digits_value(parts[1]) : 0;
    folder.is_ours = folder.pull_request > 0 || (parts.size() == 3 && parts[0] == "commit");
  }
  // Of commits that unite others git names no files.
  std::string commit;
  std::int64_t time_s = 0;
  for (const auto& line :
       split(git_output(repository, {"log", "--root", "--format=:%H %ct", "--name-only", tip}), '\n')) {
    if (line.empty()) continue;
    if (line[0] == ':') {
      const std::size_t space = line.find(' ');
      commit = line.substr(1, space - 1);
      time_s = digits_value(line.substr(space + 1));
      continue;
    }
    const auto found = folders.find(folder_name(line));
    if (found == folders.end()) continue;
    auto& [name, folder] = *found;
    folder.newest_s = std::max(folder.newest_s, time_s);
    if (folder.commits.empty() || folder.commits.back() != commit) folder.commits.push_back(commit);
  }
  return folders;
}

bool is_kept(const ChartFolder& folder, const PruneRequest& request) {
  return !folder.is_ours || (folder.pull_request > 0 && request.open.count(folder.pull_request) > 0) ||
         folder.newest_s >= request.now_s - request.keep_days * kDayS;
}

// A commit of that tree that all of `parents` can be reached from.
std::string unite(const Repository& repository, const std::string& tree, std::vector<std::string> parents) {
  std::sort(parents.begin(), parents.end());
  parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
  const std::string words = "Take off old charts\n";
  while (parents.size() > kParentsMax) {
    std::vector<std::string> united;
    for (std::size_t from = 0; from < parents.size(); from += kParentsMax) {
      const auto begin = parents.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end =
          parents.begin() + static_cast<std::ptrdiff_t>(std::min(from + kParentsMax, parents.size()));
      united.push_back(write_commit(repository, tree, {begin, end}, words));
    }
    parents = std::move(united);
  }
  return write_commit(repository, tree, parents, words);
}

}  // namespace

PruneAnswer prune_charts(const Repository& repository, const GitRemote& remote, const PruneRequest& request) {
  if (!is_branch_name(request.branch))
    throw Error(ExitCode::kUsage, "--branch '" + printable(request.branch) + "' is no name of a branch");
  const std::string ref = "refs/heads/" + request.branch;
  PassingRefs refs(repository);
  const std::string here = refs.add("charts");
  for (int attempt = 0; attempt < kPruneAttemptsMax; ++attempt) {
    PruneAnswer answer;
    const auto tip = remote.fetch(ref, here);
    if (!tip) return {.was_branch = false};
    require_own_branch(repository, *tip, request.branch);
    std::vector<std::string> files;
    std::vector<std::string> parents;
    for (const auto& [name, folder] : folders_of(repository, *tip)) {
      if (is_kept(folder, request)) {
        ++answer.kept;
        parents.insert(parents.end(), folder.commits.begin(), folder.commits.end());
        continue;
      }
      answer.removed.push_back(name);
      answer.removed_bytes += folder.bytes;
      files.insert(files.end(), folder.files.begin(), folder.files.end());
    }
    if (answer.removed.empty() || request.dry_run) return answer;
    const std::string commit = unite(repository, tree_without(repository, *tip, files), std::move(parents));
    if (remote.replace(commit, ref, *tip)) return answer;
  }
  throw Error(ExitCode::kEnvironment,
              "cannot replace '" + request.branch + "': others were first " +
                  std::to_string(kPruneAttemptsMax) + " times",
              "try again when nothing is published");
}

std::set<std::int64_t> open_pull_requests(ServiceApi& api, const std::string& repository) {
  std::set<std::int64_t> open;
  api.find("/repos/" + repository + "/pulls", {{"state", "open"}}, [&](const nlohmann::json& item) {
    if (!item.is_object() || !item.contains("number") || !item["number"].is_number_integer())
      throw ApiError(ApiFailure::kRefused, 0, "GitHub's list of pull requests has an entry without a number");
    open.insert(item["number"].get<std::int64_t>());
    return false;
  });
  return open;
}

}  // namespace tracker
