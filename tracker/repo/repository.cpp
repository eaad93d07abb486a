#include "tracker/repo/repository.hpp"

#include <array>
#include <chrono>
#include <fstream>
#include <span>
#include <string_view>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/repo/libgit2.hpp"

namespace tracker::repo {
namespace {

namespace fs = std::filesystem;

// What a refusal of libgit2 means to the user: the thing asked for, the reason, and the next step.

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

// The git folder that serves `path`; found without the checks that make opening it fail.
std::optional<fs::path> git_folder_of(const fs::path& path) {
  git_buf found{};
  const int code = git_repository_discover(&found, path.c_str(), 0, nullptr);
  const std::string folder = code == 0 ? found.ptr : "";
  git_buf_dispose(&found);
  if (folder.empty()) return std::nullopt;
  return fs::path(folder).parent_path();  // libgit2 ends folders with a slash
}

// Whether a repository was not opened as somebody else owns it.
// libgit2 1.5 gives "not found" instead of GIT_EOWNER where no configuration names any safe.directory.
bool is_ownership_failure(int code) {
  return code == GIT_EOWNER || git_reason().find("safe.directory") != std::string::npos;
}

// Why the repository that holds `path` could not be opened.
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

// Why `revision` names no commit of the repository, whose working tree or git folder is `where`.
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

// A commit may claim any time; beyond these bounds (1684 to 2255) the system clock overflows.
std::string date_of(const git_commit* commit) {
  constexpr git_time_t kFarthest = 9'000'000'000;
  const auto time_s = std::clamp(git_commit_time(commit), -kFarthest, kFarthest);
  return format_utc(std::chrono::system_clock::time_point(std::chrono::seconds(time_s)));
}

Commit describe(git_commit* commit) {
  const char* subject = git_commit_summary(commit);
  const git_signature* author = git_commit_author(commit);
  return {.id = hex_of(*git_commit_id(commit)),
          .subject = subject != nullptr ? subject : "",
          .author = author != nullptr && author->name != nullptr ? author->name : "",
          .date = date_of(commit)};
}

// What a repository may use beside what libgit2 knows, and that changes nothing of what is read here: a
// sparse checkout's and other worktrees' own configuration, relative paths between worktrees, a clone by a
// filter.
constexpr std::array<const char*, 4> kExtensions{"worktreeconfig", "relativeworktrees", "partialclone",
                                                 "preciousobjects"};

void make_ready() {
  static const int ready = [] {
    const int code = git_libgit2_init();
    // A walk looks at each commit once: kept, a hundred thousand of them take time and memory.
    if (code >= 0) git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_COMMIT, std::size_t{0});
    // A commit may have very many runs: its folder must not be parsed for each of them.
    constexpr std::size_t kTreeBytesMax = std::size_t{64} << 20U;
    if (code >= 0) git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, kTreeBytesMax);
    if (code >= 0) git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, kExtensions.data(), kExtensions.size());
    return code;
  }();
  if (ready < 0) throw git_failure("libgit2 cannot be used");
}

// git knows more ways to trust a repository than libgit2: safe.directory = *, and configuration by the
// environment.
bool is_trusted_by_git(const fs::path& path) {
  try {
    return run_git(path, {"rev-parse", "--git-dir"}).ok();
  } catch (const Error&) {
    return false;
  }
}

// Whether a shallow clone has this commit without its parents.
bool is_shallow_end(const fs::path& common_dir, const std::string& id) {
  std::ifstream file(common_dir / "shallow");
  for (std::string line; std::getline(file, line);)
    if (line == id) return true;
  return false;
}

// As it was written: where a shallow clone ends, libgit2 1.9 says that there is none.
bool has_parent(const git_commit* commit) {
  const char* const header = git_commit_raw_header(commit);
  return header != nullptr && std::string_view(header).find("\nparent ") != std::string_view::npos;
}

fs::path folder(const char* path) {
  return fs::path(path).parent_path();
}  // they end with a slash

GitCommit find_commit(const Repository& repository, const std::string& revision) {
  const auto failure = [&](int code) {
    return revision_failure(repository.handle(), repository.root(), repository.is_shallow(), revision, code);
  };
  // Nothing that git accepts has control characters, and libgit2 would read only up to a zero byte.
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (std::any_of(revision.begin(), revision.end(), is_control)) throw failure(GIT_EINVALIDSPEC);
  GitObject named;
  const int code = git_revparse_single(named.out(), repository.handle(), revision.c_str());
  if (code != 0) throw failure(code);
  GitObject commit;
  if (git_object_peel(commit.out(), named.get(), GIT_OBJECT_COMMIT) != 0) throw failure(GIT_EPEEL);
  return GitCommit(reinterpret_cast<git_commit*>(commit.release()));  // as libgit2 documents its objects
}

}  // namespace

std::string git_reason() {
  const git_error* last = git_error_last();
  std::string reason = last != nullptr && last->message != nullptr ? last->message : "no reason given";
  while (!reason.empty() && (reason.back() == ' ' || reason.back() == ':')) reason.pop_back();
  return reason;
}

Error git_failure(const std::string& asked, const std::string& hint) {
  return {ExitCode::kEnvironment, asked + ": " + git_reason(), hint};
}

std::string hex_of(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '\0');
  git_oid_fmt(text.data(), &id);
  return text;
}

Repository Repository::open(const fs::path& path) {
  make_ready();
  git_repository* handle = nullptr;
  int code = git_repository_open_ext(&handle, path.c_str(), 0, nullptr);
  if (code != 0 && is_ownership_failure(code) && is_trusted_by_git(path)) {
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    code = git_repository_open_ext(&handle, path.c_str(), 0, nullptr);
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
  }
  if (code != 0) throw open_failure(path, code);
  return Repository(handle);
}

bool Repository::holds(const fs::path& path) {
  make_ready();
  return git_folder_of(path).has_value();
}

void Repository::Free::operator()(git_repository* handle) const {
  git_repository_free(handle);
}

fs::path Repository::root() const {
  const char* working_tree = git_repository_workdir(handle());
  return folder(working_tree != nullptr ? working_tree : git_repository_path(handle()));
}

fs::path Repository::common_dir() const {
  return folder(git_repository_commondir(handle()));
}

bool Repository::is_bare() const {
  return git_repository_is_bare(handle()) == 1;
}

// libgit2 1.5 looks for this file in a worktree's own folder, where it never is.
bool Repository::is_shallow() const {
  std::error_code missing;
  const auto size = fs::file_size(common_dir() / "shallow", missing);
  return !missing && size > 0;
}

// By git itself: libgit2 takes files behind filters (LFS) for changed once their timestamps differ.
bool Repository::is_dirty() const {
  if (is_bare()) return false;
  const auto status = run_git(root(), {"--no-optional-locks", "status", "--porcelain", "--untracked-files=no",
                                       "--no-renames", "--ignore-submodules=untracked"});
  if (!status.ok())
    throw Error(ExitCode::kEnvironment, "git status " + describe_end(status) + " in '" + root().string() +
                                            "': " + last_lines(status, 5));
  return !status.output.empty();
}

Commit Repository::resolve(const std::string& revision) const {
  return describe(find_commit(*this, revision).get());
}

CommitLine Repository::first_parents(const std::string& from, int count_max) const {
  std::vector<Commit> line;
  auto commit = find_commit(*this, from);
  const bool is_whole = std::cmp_less(walked_.commits.size(), walked_.count_max);
  if ((is_whole || walked_.count_max >= count_max) && !walked_.commits.empty() &&
      walked_.commits.front().id == hex_of(*git_commit_id(commit.get())))
    return walked_.commits.newest(static_cast<std::size_t>(std::max(count_max, 0)));
  bool goes_on = false;
  while (commit && std::cmp_less(line.size(), count_max)) {
    line.push_back(describe(commit.get()));
    GitCommit parent;
    const int code = git_commit_parent(parent.out(), commit.get(), 0);
    goes_on = has_parent(commit.get());
    if (code != 0 && goes_on && !is_shallow_end(common_dir(), line.back().id))
      throw git_failure(
          "cannot read the parent of commit '" + line.back().id + "' in '" + root().string() + "'",
          "git fsck says what is missing");
    commit = std::move(parent);
  }
  walked_ = {count_max, CommitLine(std::move(line), goes_on)};
  return walked_.commits;
}

// Where a shallow clone ends, libgit2 1.5 cannot read the parent, and 1.9 says that there is none.
std::string Repository::first_commit() const {
  auto commit = find_commit(*this, "HEAD");
  bool is_first = false;
  while (!is_first) {
    GitCommit parent;
    is_first = git_commit_parentcount(commit.get()) == 0;
    const bool ends = is_first || git_commit_parent(parent.out(), commit.get(), 0) != 0;
    if (ends && is_shallow_end(common_dir(), hex_of(*git_commit_id(commit.get()))))
      throw Error(
          ExitCode::kUsage, "'" + root().string() + "' is a shallow clone, without the first commit",
          "git fetch --unshallow, or name the history in tracker.toml: [store] repository = \"NAME\"");
    if (ends && !is_first)
      throw git_failure("cannot read the first commit of '" + root().string() + "'",
                        "git fsck says what is missing");
    if (!is_first) commit = std::move(parent);
  }
  return describe(commit.get()).id;
}

bool Repository::has_file(const std::string& commit, const std::string& path) const {
  // libgit2 would read only up to a zero byte.
  if (path.find('\0') != std::string::npos ||
      commit.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  git_oid id;
  GitCommit found;
  GitTree tree;
  GitTreeEntry entry;
  if (git_oid_fromstr(&id, commit.c_str()) != 0 || git_commit_lookup(found.out(), handle(), &id) != 0)
    return false;
  if (git_commit_tree(tree.out(), found.get()) == 0) {
    if (git_tree_entry_bypath(entry.out(), tree.get(), path.c_str()) == 0)
      return git_tree_entry_type(entry.get()) == GIT_OBJECT_BLOB;
    const git_error* last = git_error_last();
    if (last == nullptr || last->klass != GIT_ERROR_ODB) return false;
  }
  // A clone made with a filter (tree:0) has not all folders: git itself fetches them.
  const auto listed = run_git(root(), {"ls-tree", "--full-tree", commit, "--", path});
  return listed.ok() && listed.output.find(" blob ") != std::string::npos;
}

std::optional<std::string> Repository::file_at(const std::string& commit, const std::string& path) const {
  if (!has_file(commit, path)) return {};
  const auto shown = run_git(root(), {"cat-file", "blob", commit + ":" + path});
  return shown.ok() ? std::optional(shown.output) : std::nullopt;
}

std::map<std::string, std::string> Repository::commits_of_quoted(const std::string& from,
                                                                 const std::string& path) const {
  constexpr std::string_view kCommit = "commit ";
  const auto log = run_git(
      root(), {"log", "--first-parent", "-m", "--no-renames", "--reverse", "--patch", "-U0", "--no-color",
               "--no-ext-diff", "--no-textconv", "--format=commit %H", from, "--", path});
  std::map<std::string, std::string> commits;
  if (!log.ok()) return commits;
  std::string commit;
  for (const auto& line : split(log.output, '\n')) {
    if (line.starts_with(kCommit)) commit = line.substr(kCommit.size());
    if (!line.starts_with('+')) continue;
    for (std::size_t open = 0; (open = line.find_first_of("\"'", open)) != std::string::npos;) {
      const std::size_t close = line.find(line[open], open + 1);
      if (close == std::string::npos) break;
      commits.try_emplace(line.substr(open + 1, close - open - 1), commit);
      open = close + 1;
    }
  }
  return commits;
}

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
                                                          const std::string& commit,
                                                          const std::vector<std::string>& paths) {
  std::vector<std::string> arguments =
      split("--literal-pathspecs ls-tree -r -z --full-tree --end-of-options " + commit, ' ');
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  const auto result = run_git(repository.root(), arguments);
  if (!result.ok()) return {};
  std::vector<CommittedFile> files;
  for (const auto& line : split(result.output, '\0')) {
    const auto tab = line.find('\t');
    if (tab != std::string::npos) files.push_back({line.substr(tab + 1), line.substr(0, tab)});
  }
  return files;
}

std::string git_output(const Repository& repository, const std::vector<std::string>& arguments,
                       const std::string& input, const std::map<std::string, std::string>& environment) {
  auto result = run_git(
      {.directory = repository.root(), .arguments = arguments, .environment = environment, .input = input});
  if (!result.ok())
    throw Error(ExitCode::kEnvironment, "git " + arguments.front() + " " + describe_end(result) + " in " +
                                            in_quotes(repository.root().string()) + ": " +
                                            last_lines(result, 3));
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

std::optional<std::string> tip_of(const Repository& repository, const std::string& ref) {
  git_oid id{};
  if (git_reference_name_to_id(&id, repository.handle(), ref.c_str()) != 0) return {};
  return hex_of(id);
}

std::string merge_base(const Repository& repository, const std::string& a, const std::string& b) {
  auto result = run_git(repository.root(), {"merge-base", "--end-of-options", a, b});
  if (result.ok()) return result.output.substr(0, result.output.find('\n'));
  const std::string both = short_name(a) + " and " + short_name(b);
  if (repository.is_shallow()) throw shallow_failure("does not hold where " + both + " part");
  throw Error(ExitCode::kUsage, both + " have no commit in common");
}

}  // namespace tracker::repo
