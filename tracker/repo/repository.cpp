#include "tracker/repo/repository.hpp"

#include <array>
#include <chrono>
#include <fstream>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/repo/git_failure.hpp"

namespace tracker::repo {
namespace {

namespace fs = std::filesystem;

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

std::map<std::string, std::string> Repository::blobs_at(const std::string& commit,
                                                        const std::vector<std::string>& paths) const {
  std::vector<std::string> arguments{"--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  const auto listed = run_git(root(), arguments);
  std::map<std::string, std::string> blobs;
  if (!listed.ok()) return blobs;
  // "100644 blob <id>\t<path>"
  for (const auto& row : split(listed.output, '\0')) {
    const auto tab = row.find('\t');
    const auto id = row.rfind(' ', tab);
    if (tab != std::string::npos && row.find(" blob ") < tab)
      blobs[row.substr(tab + 1)] = row.substr(id + 1, tab - id - 1);
  }
  return blobs;
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
