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

}  // namespace tracker
