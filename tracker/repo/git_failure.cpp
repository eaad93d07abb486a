#include "tracker/repo/git_failure.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "tracker/base/text.hpp"

namespace tracker::repo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWholeHistory =
    "fetch the whole history: git fetch --unshallow, or fetch-depth: 0 for actions/checkout";

// The path that git wants trusted: the working tree, or the git folder of a bare repository.
fs::path trusted_path(const fs::path& path, const fs::path& git_folder) {
  std::error_code ignored;
  for (auto at = fs::weakly_canonical(path, ignored); at.has_relative_path() && at != git_folder;
       at = at.parent_path())
    if (fs::exists(at / ".git", ignored)) return at;
  return git_folder.filename() == ".git" ? git_folder.parent_path() : git_folder;
}

bool is_sha256(const fs::path& git_folder) {
  GitConfig config;
  const auto file = git_folder / "config";
  if (git_config_open_ondisk(config.out(), file.c_str()) != 0) return false;
  git_buf value{};
  const int code = git_config_get_string_buf(&value, config.get(), "extensions.objectformat");
  const bool found = code == 0 && std::string_view(value.ptr) == "sha256";
  git_buf_dispose(&value);
  return found;
}

// Branches and tags as people write them.
std::vector<std::string> short_names(git_repository* repository) {
  std::vector<std::string> names;
  git_strarray list{};
  if (git_reference_list(&list, repository) != 0) return names;
  for (const std::string_view name : std::span(list.strings, list.count))
    for (const std::string_view prefix : {"refs/heads/", "refs/tags/", "refs/remotes/"})
      if (name.starts_with(prefix)) names.emplace_back(name.substr(prefix.size()));
  git_strarray_dispose(&list);
  return names;
}

// "main~2" is the name "main" and the steps "~2".
std::size_t steps_at(const std::string& revision) {
  return std::min({revision.find_first_of("~^:"), revision.find("@{"), revision.size()});
}

std::optional<std::string> suggestion(git_repository* repository, const std::string& name) {
  const auto names = short_names(repository);
  // A clone of one branch has the others only as those of the remote.
  for (const auto& known : names)
    if (known.ends_with("/" + name)) return known;
  return nearest(name, names);
}

}  // namespace

std::optional<fs::path> git_folder_of(const fs::path& path) {
  git_buf found{};
  const int code = git_repository_discover(&found, path.c_str(), 0, nullptr);
  const std::string folder = code == 0 ? found.ptr : "";
  git_buf_dispose(&found);
  if (folder.empty()) return std::nullopt;
  return fs::path(folder).parent_path();  // libgit2 ends folders with a slash
}

std::string hex_of(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '\0');
  git_oid_fmt(text.data(), &id);
  return text;
}

std::string git_reason() {
  const git_error* last = git_error_last();
  std::string reason = last != nullptr && last->message != nullptr ? last->message : "no reason given";
  while (!reason.empty() && (reason.back() == ' ' || reason.back() == ':')) reason.pop_back();
  return reason;
}

Error git_failure(const std::string& asked, const std::string& hint) {
  return {ExitCode::kEnvironment, asked + ": " + git_reason(), hint};
}

// libgit2 1.5 gives "not found" instead of GIT_EOWNER where no configuration names any safe.directory.
bool is_ownership_failure(int code) {
  return code == GIT_EOWNER || git_reason().find("safe.directory") != std::string::npos;
}

Error open_failure(const fs::path& path, int code) {
  const std::string reason = git_reason();
  const bool is_of_another = is_ownership_failure(code);
  const auto git_folder = git_folder_of(path);
  if (!git_folder)
    return {ExitCode::kEnvironment, "no git repository holds '" + fs::absolute(path).string() + "'",
            "run this inside a git repository, or make one: git init"};
  const auto where = trusted_path(path, *git_folder);
  if (is_of_another)
    return {ExitCode::kEnvironment, "repository '" + where.string() + "' is owned by someone else",
            "trust it: git config --global --add safe.directory " + shell_word(where.string())};
  if (is_sha256(*git_folder))
    return {ExitCode::kEnvironment,
            "repository '" + where.string() + "' names its objects by SHA-256, which cannot be read",
            "use a repository in git's default object format, SHA-1"};
  return {ExitCode::kEnvironment, "cannot open repository '" + where.string() + "': " + reason,
          "git -C " + shell_word(where.string()) + " status may say more"};
}

Error revision_failure(git_repository* repository, const fs::path& where, bool shallow,
                       const std::string& revision, int code) {
  const std::string quoted = "'" + revision + "'";
  if (code == GIT_EAMBIGUOUS)
    return {ExitCode::kUsage, "revision " + quoted + " is ambiguous", "give more digits of the commit id"};
  if (code == GIT_EINVALIDSPEC)
    return {ExitCode::kUsage, "revision " + quoted + " is not one that git understands",
            "name one commit, such as HEAD~1, main, a tag or a commit id"};
  if (code == GIT_EPEEL)
    return {ExitCode::kUsage, "revision " + quoted + " names a folder or a file, not a commit",
            "name one commit, such as HEAD~1, main, a tag or a commit id"};
  // In a whole clone, an object that is named by another and not there is damage, not a wrong name.
  const git_error* last = git_error_last();
  const bool missing_object = last != nullptr && last->klass == GIT_ERROR_ODB && !shallow;
  if (code != GIT_ENOTFOUND || missing_object)
    return git_failure("cannot look up revision " + quoted, "git fsck says what is missing");

  const std::string name = revision.substr(0, steps_at(revision));
  const std::string steps = revision.substr(name.size());
  if (git_repository_head_unborn(repository) == 1) {
    if (short_names(repository).empty())
      return {ExitCode::kEnvironment, "repository '" + where.string() + "' has no commits yet",
              "commit first, then measure"};
    if (name == "HEAD" || name == "@")
      return {ExitCode::kEnvironment, "the current branch of '" + where.string() + "' has no commits yet",
              "commit first, or name another branch"};
  }
  GitObject object;
  const bool known = git_revparse_single(object.out(), repository, name.c_str()) == 0;
  std::string hint;
  if (const auto near = known ? std::nullopt : suggestion(repository, name))
    hint = "did you mean '" + *near + steps + "'?";
  if (shallow)
    return {ExitCode::kEnvironment, "revision " + quoted + " is not in this shallow clone",
            hint + (hint.empty() ? "" : " Else ") + std::string(kWholeHistory)};
  if (known && !steps.empty())
    return {ExitCode::kUsage,
            "revision " + quoted + " names no commit: '" + name + "' has no '" + steps + "'",
            "git log --oneline --graph shows the commits there are"};
  if (hint.empty())
    hint = "git branch --all, git tag and git log show what there is; git fetch gets what is new";
  return {ExitCode::kUsage, "revision " + quoted + " is unknown", hint};
}

}  // namespace tracker::repo
