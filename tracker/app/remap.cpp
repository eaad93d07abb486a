#include "tracker/app/remap.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/stored_document.hpp"

namespace tracker::app {
namespace {

constexpr std::uintmax_t kMapBytesMax = 1u << 30;
constexpr std::uintmax_t kTextFileBytesMax = 64u << 20;
// Of so many rewritten commits the patches are compared; commit maps and dates have no limit.
constexpr std::size_t kPatchesMax = 2000;

using Ids = std::vector<std::string>;

std::vector<std::string> lines_of(const std::string& text) {
  return text.empty() ? std::vector<std::string>() : split(text, '\n');
}

// What leads to the commits of this history. What filter-branch keeps of the old one does not count, and
// neither does the branch's own remote where a forced push is still to come.
std::vector<std::string> history_refs(const repo::Repository& repository) {
  std::vector<std::string> refs{"--exclude=refs/tracker/*", "--exclude=refs/original/*"};
  std::string branch;
  try {
    branch = repo::git_output(repository, {"symbolic-ref", "-q", "--short", "HEAD"});
  } catch (const Error&) {
    branch.clear();  // a detached HEAD
  }
  for (const auto& ref : lines_of(
           repo::git_output(repository, {"for-each-ref", "--format=%(refname)", "refs/remotes/*/" + branch})))
    if (!branch.empty() && !repo::is_ancestor(repository, "HEAD", ref) &&
        !repo::is_ancestor(repository, ref, "HEAD"))
      refs.push_back("--exclude=" + ref);
  refs.insert(refs.end(), {"--all", "HEAD"});
  return refs;
}

// Without those that `except` lead to.
std::vector<std::string> rev_list(const repo::Repository& repository, const std::vector<std::string>& refs,
                                  const Ids& except = {}) {
  std::vector<std::string> words{"rev-list", "--stdin"};
  words.insert(words.end(), refs.begin(), refs.end());
  std::string input;
  for (const auto& id : except) input += "^" + id + "\n";
  return lines_of(repo::git_output(repository, words, input));
}

std::unordered_set<std::string> commits_of(const repo::Repository& repository,
                                           const std::vector<std::string>& refs) {
  std::unordered_set<std::string> commits;
  for (auto& id : rev_list(repository, refs)) commits.insert(std::move(id));
  return commits;
}

struct CommitFacts {
  std::string tree;
  std::string date_and_subject;
};
using Facts = std::map<std::string, CommitFacts>;  // by id

// Of these, which this clone has.
Facts facts_of(const repo::Repository& repository, const Ids& ids) {
  Facts facts;
  if (ids.empty()) return facts;
  for (const auto& line : lines_of(
           repo::git_output(repository, {"log", "--no-walk=unsorted", "--stdin", "--format=%H %T %at %s"},
                            join(ids, "\n") + "\n"))) {
    constexpr std::size_t kId = 40;
    if (line.size() >= 2 * kId + 2)
      facts[line.substr(0, kId)] = {line.substr(kId + 1, kId), line.substr(2 * kId + 2)};
  }
  return facts;
}

Ids present_of(const repo::Repository& repository, const Ids& ids) {
  Ids present;
  if (ids.empty()) return present;
  for (const auto& line :
       lines_of(repo::git_output(repository, {"cat-file", "--batch-check"}, join(ids, "\n") + "\n")))
    if (const auto words = split(line, ' '); words.size() > 1 && words[1] == "commit")
      present.push_back(words[0]);
  return present;
}

std::map<std::string, std::string> patches_of(const repo::Repository& repository, const Facts& commits) {
  std::map<std::string, std::string> patches;
  if (commits.empty() || commits.size() > kPatchesMax) return patches;
  std::string ids;
  for (const auto& [id, facts] : commits) ids += id + "\n";
  const std::string diffs = repo::git_output(
      repository, {"diff-tree", "--stdin", "-p", "--root", "--no-textconv", "--no-ext-diff"}, ids);
  if (diffs.empty()) return patches;
  for (const auto& line : lines_of(repo::git_output(repository, {"patch-id", "--stable"}, diffs + "\n")))
    if (const auto words = split(line, ' '); words.size() == 2) patches[words[1]] = words[0];
  return patches;
}

// Lines "OLD NEW"; git filter-repo's begins with a line of words, and has zeros for a commit that it removed.
std::map<std::string, std::string> read_map(const Workspace& workspace, const std::filesystem::path& named) {
  const auto path =
      named.empty() ? workspace.repository().common_dir() / "filter-repo" / "commit-map" : named;
  std::map<std::string, std::string> map;
  if (named.empty() && !std::filesystem::exists(path)) return map;
  for (const auto& line : split(read_file(path, kMapBytesMax), '\n')) {
    std::vector<std::string> words;
    for (auto& word : split(line, ' '))
      if (!word.empty()) words.push_back(word.substr(0, word.find_last_not_of("\r\t") + 1));
    if (words.size() == 2 && store::is_commit_id(words[0]) && store::is_commit_id(words[1]))
      map[words[0]] = words[1];
  }
  if (map.empty())
    throw Error(
        ExitCode::kUsage, in_quotes(path.string()) + " is no commit map",
        "each line has the old id and the new one, as git filter-repo writes .git/filter-repo/commit-map");
  return map;
}

template <class Value, class Fits>
std::vector<std::string> keys_of(const std::map<std::string, Value>& all, const Fits& fits) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : all)
    if (fits(value)) keys.push_back(key);
  return keys;
}

std::string several(const std::vector<std::string>& ids, const std::string& what) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> named;
  for (const auto& id : ids)
    if (named.size() < kNamed) named.push_back(short_id(id));
  return "ambiguous: " + count_of(ids.size(), "commit") + " with its " + what + ": " + join(named, ", ") +
         (ids.size() > kNamed ? ", …" : "");
}

// Finds what became of commits.
class Matching {
 public:
  Matching(const Workspace& workspace, const std::set<std::string>& lost,
           std::map<std::string, std::string> map)
      : repository_(workspace.repository()), map_(std::move(map)) {
    const auto refs = history_refs(repository_);
    history_ = commits_of(repository_, refs);
    const Ids present = present_of(repository_, {lost.begin(), lost.end()});
    old_ = facts_of(repository_, present);
    if (!present.empty()) new_ = facts_of(repository_, rev_list(repository_, refs, present));
  }

  RemappedCommit match(const std::string& from) {
    RemappedCommit found{.from = from};
    if (const auto mapped = map_.find(from); mapped != map_.end()) {
      found.how = "commit map";
      if (history_.contains(mapped->second))
        found.to = mapped->second;
      else
        found.how = mapped->second.find_first_not_of('0') == std::string::npos
                        ? "the commit map says that it was removed"
                        : "the commit map's " + short_id(mapped->second) + " is not in this history either";
    } else if (const auto own = old_.find(from); own == old_.end()) {
      found.how = "this clone does not have it, and no commit map names it";
    } else {
      match_facts(own->first, own->second, found);
    }
    if (found.to.empty()) return found;
    found.commit = repository_.resolve(found.to);
    const auto own = old_.find(from);
    const auto now = new_.find(found.to);
    if (own != old_.end() && now != new_.end()) found.same_tree = own->second.tree == now->second.tree;
    return found;
  }

 private:
  void match_facts(const std::string& id, const CommitFacts& own, RemappedCommit& found) {
    const auto alike = [&](const CommitFacts& other) {
      return other.date_and_subject == own.date_and_subject;
    };
    const auto candidates = keys_of(new_, alike);
    if (candidates.size() == 1 && keys_of(old_, alike).size() == 1) {
      found.to = candidates.front();
      found.how = "author date and subject";
      return;
    }
    if (!old_patches_) old_patches_ = patches_of(repository_, old_);
    if (!new_patches_) new_patches_ = patches_of(repository_, new_);
    std::vector<std::string> same_patch;
    if (const auto patch = old_patches_->find(id); patch != old_patches_->end())
      same_patch = keys_of(*new_patches_, [&](const std::string& other) { return other == patch->second; });
    if (!candidates.empty())
      std::erase_if(same_patch, [&](const std::string& one) {
        return std::ranges::find(candidates, one) == candidates.end();
      });
    if (same_patch.size() == 1) {
      found.to = same_patch.front();
      found.how = "patch";
    } else if (same_patch.size() > 1) {
      found.how = several(same_patch, "patch");
    } else if (!candidates.empty()) {
      found.how = candidates.size() > 1 ? several(candidates, "author date and subject")
                                        : "ambiguous: other lost commits have its author date and subject";
    } else {
      found.how = "no commit has its author date and subject, or its patch";
    }
  }

  const repo::Repository& repository_;
  std::map<std::string, std::string> map_;
  std::unordered_set<std::string> history_;
  Facts old_;
  Facts new_;  // that the old history does not have
  std::optional<std::map<std::string, std::string>> old_patches_;
  std::optional<std::map<std::string, std::string>> new_patches_;
};

using Moves = std::map<std::string, std::string>;

// Every id in full, wherever it stands. Abbreviated ids in quotes too, where `abbreviated`.
std::string with_new_ids(std::string text, const Moves& moves, bool abbreviated) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  constexpr std::size_t kShortest = 7;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_hex(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && is_hex(text[end])) ++end;
    const std::string id = text.substr(at, end - at);
    const bool is_quoted = at > 0 && text[at - 1] == '"' && end < text.size() && text[end] == '"';
    const auto found = moves.lower_bound(id);
    const bool is_it = found != moves.end() &&
                       (found->first == id ||
                        (abbreviated && is_quoted && id.size() >= kShortest && found->first.starts_with(id)));
    if (is_it) text.replace(at, id.size(), found->second);
    at += is_it ? found->second.size() : id.size();
  }
  return text;
}

void add_documents(const Workspace& workspace, const Moves& moves, bool apply, RemapOutcome& outcome) {
  constexpr std::size_t kTogether = 64;
  store::Store& store = workspace.store();
  std::vector<std::pair<store::Key, std::string>> waiting;
  const auto flush = [&] {
    if (apply && !waiting.empty()) store.add(waiting);
    waiting.clear();
  };
  for (const auto& [from, to] : moves)
    for (const auto kind : {store::DocumentKind::kRun, store::DocumentKind::kProfile}) {
      const auto there = store.document_keys_of(to, kind);
      for (const auto& key : store.document_keys_of(from, kind)) {
        store::Key moved = key;
        moved.commit = to;
        if (std::ranges::find(there, moved) != there.end()) {
          ++outcome.there;
          continue;
        }
        std::string text = with_new_ids(store.read(key), moves, false);
        if (history::why_unusable(moved, text)) {
          ++outcome.unusable;
          continue;
        }
        ++outcome.added;
        waiting.emplace_back(std::move(moved), std::move(text));
        if (waiting.size() == kTogether) flush();
      }
    }
  flush();
}

void rewrite_files(const Workspace& workspace, const Moves& moves, bool apply, RemapOutcome& outcome) {
  std::vector<std::filesystem::path> paths{workspace.root() / "tracker.toml"};
  std::error_code none;
  for (const auto& entry :
       std::filesystem::directory_iterator(workspace.root() / workspace.config().baselines_directory, none))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::sort(paths.begin() + 1, paths.end());
  for (const auto& path : paths) {
    if (!std::filesystem::is_regular_file(path, none)) continue;
    const std::string before = read_file(path, kTextFileBytesMax);
    const std::string after = with_new_ids(before, moves, true);
    if (after == before) continue;
    outcome.files.push_back(path.lexically_relative(workspace.root()).string());
    if (apply) write_file(path, after);
  }
}

}  // namespace

LostRuns lost_runs(const Workspace& workspace) {
  LostRuns lost;
  const auto keys = history::recorded_keys(workspace.history());
  if (keys.empty()) return lost;
  const auto history = commits_of(workspace.repository(), history_refs(workspace.repository()));
  for (const auto& key : keys) {
    if (history.contains(key.commit)) continue;
    ++lost.runs;
    lost.commits.insert(key.commit);
    lost.newest = std::max(lost.newest, key.id);
  }
  return lost;
}

std::string in_words(const LostRuns& lost) {
  return count_of(lost.runs, "run") + " of " + count_of(lost.commits.size(), "commit") +
         (lost.runs == 1 ? " belongs" : " belong") + " to no commit of this history";
}

RemapOutcome remap_store(const Workspace& workspace, const RemapRequest& request) {
  if (workspace.repository().is_shallow())
    throw repo::shallow_failure(
        "does not hold the whole history, so that no commit of it can be said to be gone");
  RemapOutcome outcome;
  auto map = read_map(workspace, request.map);
  outcome.lost = lost_runs(workspace);
  if (outcome.lost.commits.empty()) return outcome;
  Matching matching(workspace, outcome.lost.commits, std::move(map));
  Moves moves;
  for (const auto& from : outcome.lost.commits) {
    auto found = matching.match(from);
    found.runs = workspace.store().keys_of(from).size();
    if (!found.to.empty()) moves[from] = found.to;
    outcome.commits.push_back(std::move(found));
  }
  add_documents(workspace, moves, request.apply, outcome);
  rewrite_files(workspace, moves, request.apply, outcome);
  return outcome;
}

}  // namespace tracker::app
