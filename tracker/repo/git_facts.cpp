#include "tracker/repo/git_facts.hpp"

#include "tracker/base/text.hpp"
#include "tracker/repo/git_command.hpp"

namespace tracker {

std::string git_output(const Repository& repository, const std::vector<std::string>& arguments,
                       const std::string& input, const std::map<std::string, std::string>& environment) {
  auto result = run_git(
      {.directory = repository.root(), .arguments = arguments, .environment = environment, .input = input});
  if (!result.ok())
    throw Error(ExitCode::kEnvironment, "git " + arguments.front() + " " + describe_end(result) + " in '" +
                                            printable(repository.root().string()) +
                                            "': " + printable(last_lines(result, 3)));
  if (result.output.ends_with('\n')) result.output.pop_back();
  return result.output;
}

std::string short_name(const std::string& id) {
  return "'" + id.substr(0, 10) + "'";
}

Error shallow_failure(const std::string& missing) {
  return {ExitCode::kEnvironment, "this clone is shallow, and " + missing,
          "let actions/checkout take all of it (fetch-depth: 0), or type git fetch --unshallow"};
}

std::vector<std::string> parents_of(const Repository& repository, const std::string& commit) {
  auto ids = split(
      git_output(repository, {"rev-list", "--parents", "--max-count=1", "--end-of-options", commit}), ' ');
  ids.erase(ids.begin());
  if (ids.empty() && repository.is_shallow())
    throw shallow_failure("does not hold what was before commit '" + commit.substr(0, 10) + "'");
  return ids;
}

bool has_commit(const Repository& repository, const std::string& id) {
  return run_git(repository.root(), {"cat-file", "-e", id + "^{commit}"}).ok();
}

bool is_ancestor(const Repository& repository, const std::string& ancestor, const std::string& commit) {
  return run_git(repository.root(), {"merge-base", "--is-ancestor", "--end-of-options", ancestor, commit})
      .ok();
}

std::string merge_base(const Repository& repository, const std::string& a, const std::string& b) {
  auto result = run_git(repository.root(), {"merge-base", "--end-of-options", a, b});
  if (result.ok()) return result.output.substr(0, result.output.find('\n'));
  const std::string both = short_name(a) + " and " + short_name(b);
  if (repository.is_shallow()) throw shallow_failure("does not hold where " + both + " part");
  throw Error(ExitCode::kUsage, both + " have no commit in common");
}

}  // namespace tracker
