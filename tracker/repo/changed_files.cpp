#include "tracker/repo/changed_files.hpp"

#include "tracker/base/text.hpp"
#include "tracker/repo/git_command.hpp"

namespace tracker {

std::optional<std::vector<std::string>> changed_files(const Repository& repository, const std::string& base,
                                                      const std::string& candidate) {
  const auto result = run_git(repository.root(), {"diff-tree", "-r", "-z", "--name-only", "--no-renames",
                                                  "--end-of-options", base, candidate});
  if (!result.ok()) return {};
  std::vector<std::string> paths;
  for (auto& path : split(result.output, '\0'))
    if (!path.empty()) paths.push_back(std::move(path));
  return paths;
}

std::optional<std::vector<CommittedFile>> committed_files(const Repository& repository,
                                                          const std::string& commit) {
  const auto result =
      run_git(repository.root(), {"ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit});
  if (!result.ok()) return {};
  std::vector<CommittedFile> files;
  for (const auto& line : split(result.output, '\0')) {
    const auto tab = line.find('\t');
    if (tab != std::string::npos) files.push_back({line.substr(tab + 1), line.substr(0, tab)});
  }
  return files;
}

}  // namespace tracker
