#include "tracker/repo/commit_range.hpp"

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_command.hpp"

namespace tracker {

std::vector<RangeCommit> commit_range(const Repository& repository, const std::string& first,
                                      const std::string& last) {
  const std::string from = repository.resolve(first).id;
  const std::string to = repository.resolve(last).id;
  const auto result = run_git(repository.root(), {"rev-list", "--first-parent", "--reverse",
                                                  "--no-commit-header", "--format=%H %P", from + ".." + to});
  if (!result.ok())
    throw Error(ExitCode::kEnvironment, "git rev-list " + describe_end(result) + ": " + last_lines(result, 5),
                repository.is_shallow() ? "the clone is shallow: git fetch --unshallow"
                                        : "git fsck says what is wrong");
  std::vector<RangeCommit> range;
  for (const auto& line : split(result.output, '\n')) {
    auto ids = split(line, ' ');
    std::erase(ids, "");
    if (ids.empty()) continue;
    range.push_back({repository.resolve(ids.front()), {ids.begin() + 1, ids.end()}});
  }
  return range;
}

std::optional<std::string> common_ancestor(const Repository& repository, const std::string& a,
                                           const std::string& b) {
  const auto result =
      run_git(repository.root(), {"merge-base", repository.resolve(a).id, repository.resolve(b).id});
  if (!result.ok()) return {};
  const auto ids = split(result.output, '\n');
  return ids.empty() || ids.front().empty() ? std::nullopt : std::optional(ids.front());
}

}  // namespace tracker
