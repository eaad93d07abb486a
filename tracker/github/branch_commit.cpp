#include "tracker/github/branch_commit.hpp"

#include <cstdlib>
#include <map>

#include <unistd.h>

#include "tracker/base/file.hpp"
#include "tracker/repo/git_command.hpp"
#include "tracker/repo/git_facts.hpp"

namespace tracker {
namespace {

// The account that a workflow's token belongs to.
constexpr const char* kBotName = "github-actions[bot]";
constexpr const char* kBotEmail = "41898282+github-actions[bot]@users.noreply.github.com";

std::map<std::string, std::string> author_environment(const Repository& repository) {
  if (std::getenv("GIT_COMMITTER_EMAIL") != nullptr || std::getenv("EMAIL") != nullptr ||
      run_git(repository.root(), {"config", "--get", "user.email"}).ok())
    return {};
  return {{"GIT_AUTHOR_NAME", kBotName},
          {"GIT_AUTHOR_EMAIL", kBotEmail},
          {"GIT_COMMITTER_NAME", kBotName},
          {"GIT_COMMITTER_EMAIL", kBotEmail}};
}

}  // namespace

PassingRefs::PassingRefs(const Repository& repository)
    : repository_(repository), prefix_("refs/tracker-remotes/github-" + std::to_string(::getpid()) + "/") {}

PassingRefs::~PassingRefs() {
  for (const auto& name : names_) run_git(repository_.root(), {"update-ref", "-d", name});
}

std::string PassingRefs::add(const std::string& name) {
  return names_.emplace_back(prefix_ + name);
}

void write_blobs(const Repository& repository, std::vector<TreeFile>& files, bool filtered) {
  for (auto& file : files)
    file.blob = git_output(
        repository, {"hash-object", "-w", "--stdin", filtered ? "--path=" + file.path : "--no-filters"},
        file.bytes);
}

std::string tree_with(const Repository& repository, const std::string& commit,
                      const std::vector<TreeFile>& files) {
  const TemporaryDirectory folder;
  const std::map<std::string, std::string> index = {{"GIT_INDEX_FILE", (folder.path() / "index").string()}};
  git_output(repository, {"read-tree", commit.empty() ? "--empty" : commit}, {}, index);
  std::string lines;
  for (const auto& file : files)
    lines += (file.executable ? "100755 " : "100644 ") + file.blob + "\t" + file.path + '\0';
  git_output(repository, {"update-index", "-z", "--index-info"}, lines, index);
  return git_output(repository, {"write-tree"}, {}, index);
}

std::string tree_without(const Repository& repository, const std::string& commit,
                         const std::vector<std::string>& paths) {
  const TemporaryDirectory folder;
  const std::map<std::string, std::string> index = {{"GIT_INDEX_FILE", (folder.path() / "index").string()}};
  git_output(repository, {"read-tree", commit}, {}, index);
  std::string lines;
  const std::string no_blob(40, '0');
  for (const auto& path : paths) lines += "0 " + no_blob + "\t" + path + '\0';
  git_output(repository, {"update-index", "-z", "--index-info"}, lines, index);
  return git_output(repository, {"write-tree"}, {}, index);
}

std::string tree_of(const Repository& repository, const std::string& commit) {
  return git_output(repository, {"rev-parse", "--verify", commit + "^{tree}"});
}

std::string write_commit(const Repository& repository, const std::string& tree,
                         const std::vector<std::string>& parents, const std::string& message) {
  std::vector<std::string> arguments = {"commit-tree", "-F", "-"};
  for (const auto& parent : parents) arguments.insert(arguments.end(), {"-p", parent});
  arguments.push_back(tree);
  return git_output(repository, arguments, message, author_environment(repository));
}

}  // namespace tracker
