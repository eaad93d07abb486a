#include "tracker/github/publish.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <string_view>
#include <thread>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/context.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::github {
namespace {

// The account that a workflow's token belongs to.
constexpr const char* kBotName = "github-actions[bot]";
constexpr const char* kBotEmail = "41898282+github-actions[bot]@users.noreply.github.com";

std::map<std::string, std::string> author_environment(const repo::Repository& repository) {
  if (std::getenv("GIT_COMMITTER_EMAIL") != nullptr || std::getenv("EMAIL") != nullptr ||
      repo::run_git(repository.root(), {"config", "--get", "user.email"}).ok())
    return {};
  return {{"GIT_AUTHOR_NAME", kBotName},
          {"GIT_AUTHOR_EMAIL", kBotEmail},
          {"GIT_COMMITTER_NAME", kBotName},
          {"GIT_COMMITTER_EMAIL", kBotEmail}};
}

}  // namespace

PassingRefs::PassingRefs(const repo::Repository& repository)
    : repository_(repository), prefix_("refs/tracker-remotes/github-" + std::to_string(::getpid()) + "/") {}

PassingRefs::~PassingRefs() {
  for (const auto& name : names_) repo::run_git(repository_.root(), {"update-ref", "-d", name});
}

std::string PassingRefs::add(const std::string& name) {
  return names_.emplace_back(prefix_ + name);
}

void write_blobs(const repo::Repository& repository, std::vector<TreeFile>& files, bool filtered) {
  for (auto& file : files)
    file.blob = repo::git_output(
        repository, {"hash-object", "-w", "--stdin", filtered ? "--path=" + file.path : "--no-filters"},
        file.bytes);
}

namespace {

// The tree of `commit` (empty: an empty one), changed by such lines of git update-index --index-info.
std::string changed_tree(const repo::Repository& repository, const std::string& commit,
                         const std::string& lines) {
  const TemporaryDirectory folder;
  const std::map<std::string, std::string> index = {{"GIT_INDEX_FILE", (folder.path() / "index").string()}};
  repo::git_output(repository, {"read-tree", commit.empty() ? "--empty" : commit}, {}, index);
  repo::git_output(repository, {"update-index", "-z", "--index-info"}, lines, index);
  return repo::git_output(repository, {"write-tree"}, {}, index);
}

std::string tree_without(const repo::Repository& repository, const std::string& commit,
                         const std::vector<std::string>& paths) {
  std::string lines;
  for (const auto& path : paths) lines += "0 " + std::string(40, '0') + "\t" + path + '\0';
  return changed_tree(repository, commit, lines);
}

}  // namespace

std::string tree_with(const repo::Repository& repository, const std::string& commit,
                      const std::vector<TreeFile>& files) {
  std::string lines;
  for (const auto& file : files)
    lines += (file.executable ? "100755 " : "100644 ") + file.blob + "\t" + file.path + '\0';
  return changed_tree(repository, commit, lines);
}

std::string tree_of(const repo::Repository& repository, const std::string& commit) {
  return repo::git_output(repository, {"rev-parse", "--verify", commit + "^{tree}"});
}

std::string write_commit(const repo::Repository& repository, const std::string& tree,
                         const std::vector<std::string>& parents, const std::string& message) {
  std::vector<std::string> arguments = {"commit-tree", "-F", "-"};
  for (const auto& parent : parents) arguments.insert(arguments.end(), {"-p", parent});
  arguments.push_back(tree);
  return repo::git_output(repository, arguments, message, author_environment(repository));
}

namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::size_t kPicturesMax = 200;
constexpr std::uintmax_t kPictureBytesMax = 4u << 20;
constexpr std::uintmax_t kAllBytesMax = 32u << 20;
constexpr std::size_t kPathLengthMax = 200;
constexpr int kAttemptsMax = 20;
constexpr int kPauseMsMax = 300;

// From the signature and the header's chunk to the chunk at the end.
bool is_png(std::string_view bytes) {
  return bytes.starts_with("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv) &&
         bytes.ends_with("\0\0\0\0IEND\xae\x42\x60\x82"sv);
}

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(ExitCode::kUsage, in_quotes(file.string()) + " " + why,
              "give a folder that tracker drew charts into");
}

// Of plain parts between single '/', none of them hidden.
bool is_plain_path(const std::string& path) {
  return path.size() <= kPathLengthMax && std::ranges::all_of(split(path, '/'), [](const std::string& part) {
           return is_plain_name(part) && part.front() != '.' && part.front() != '-';
         });
}

TreeFile read_picture(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!is_plain_path(name)) refuse(file, "has a name that is not plain");
  if (!fs::is_regular_file(fs::symlink_status(file))) refuse(file, "is not a plain file");
  TreeFile picture{.path = name, .bytes = read_file(file, kPictureBytesMax)};
  if (!is_png(picture.bytes)) refuse(file, "is not a whole PNG");
  return picture;
}

// The commit that published the files as the branch has them now; empty where several did.
std::string publication_of(const repo::Repository& repository, const std::string& tip,
                           const std::vector<TreeFile>& files) {
  const auto found =
      repo::git_output(repository, {"log", "--format=%H", "-1", tip, "--", files.front().path});
  if (found.empty() || tree_with(repository, found, files) != tree_of(repository, found)) return "";
  return found;
}

// A branch of code is none of charts, whatever it is called.
void require_own_branch(const repo::Repository& repository, const std::string& tip,
                        const std::string& branch) {
  if (repo::run_git(repository.root(), {"merge-base", "--end-of-options", tip, "HEAD"}).ok())
    throw Error(ExitCode::kUsage, "the branch '" + branch + "' shares its history with what is checked out",
                "charts go to a branch of their own: --branch tracker-charts");
}

void require_branch_name(const std::string& option, const std::string& branch) {
  if (!is_branch_name(branch))
    throw Error(ExitCode::kUsage, option + " " + in_quotes(branch) + " is no name of a branch");
}

}  // namespace

std::vector<TreeFile> read_pictures(const fs::path& folder) {
  std::error_code missing;
  if (!fs::is_directory(folder, missing))
    throw Error(ExitCode::kUsage, "no folder " + in_quotes(folder.string()),
                "tracker compare --charts DIR draws into one");
  std::vector<TreeFile> pictures;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".png") continue;
    pictures.push_back(read_picture(entry.path()));
    bytes += pictures.back().bytes.size();
    if (pictures.size() > kPicturesMax)
      refuse(folder, "holds more than " + std::to_string(kPicturesMax) + " pictures");
    if (bytes > kAllBytesMax)
      refuse(folder, "holds more than " + format_bytes(static_cast<double>(kAllBytesMax)) + " of pictures");
  }
  std::ranges::sort(pictures, {}, &TreeFile::path);
  return pictures;
}

PublishAnswer publish(const repo::Repository& repository, const repo::GitRemote& remote,
                      const PublishRequest& request, const std::vector<TreeFile>& pictures) {
  require_branch_name("--branch", request.branch);
  if (!is_plain_path(request.path))
    throw Error(ExitCode::kUsage, "--path " + in_quotes(request.path) + " is not a plain path",
                "use letters, digits, '.', '-' and '_' between slashes");
  auto files = pictures;
  for (auto& file : files) file.path = request.path + "/" + file.path;
  write_blobs(repository, files, false);
  std::string published;
  const std::string ref = "refs/heads/" + request.branch;
  PassingRefs refs(repository);
  const std::string here = refs.add("charts");
  std::minstd_rand random(std::random_device{}());
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const auto tip = remote.fetch(ref, here);
    if (tip) require_own_branch(repository, *tip, request.branch);
    const std::string tree = tree_with(repository, tip.value_or(""), files);
    if (tip && tree == tree_of(repository, *tip))
      if (const auto before = publication_of(repository, *tip, files); !before.empty())
        return {.commit = before, .was_there = true};
    if (published.empty())
      published =
          write_commit(repository, tree_with(repository, "", files), {}, "Charts of " + request.path + "\n");
    const std::string commit =
        tip ? write_commit(repository, tree, {*tip, published}, "Add charts of " + request.path + "\n")
            : published;
    if (remote.push(commit, ref)) return {.commit = published};
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution<>(1, kPauseMsMax)(random)));
  }
  throw Error(
      ExitCode::kEnvironment,
      "cannot push to '" + request.branch + "': others were first " + std::to_string(kAttemptsMax) + " times",
      "try again");
}

std::string picture_url(const std::string& server_url, const std::string& repository,
                        const std::string& commit, const std::string& path) {
  return server_url + "/" + repository + "/blob/" + commit + "/" + path + "/{file}?raw=true";
}

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

std::string folder_name(const std::string& path) {
  const auto parts = split(path, '/');
  if (parts.size() == 4 && parts[0] == "pull") return parts[0] + "/" + parts[1] + "/" + parts[2];
  return path.substr(0, path.rfind('/'));
}

std::map<std::string, ChartFolder> folders_of(const repo::Repository& repository, const std::string& tip) {
  std::map<std::string, ChartFolder> folders;
  for (const auto& line : split(repo::git_output(repository, {"ls-tree", "-r", "-l", "-z", tip}), '\0')) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string path = line.substr(tab + 1);
    const auto parts = split(path, '/');
    auto& folder = folders[folder_name(path)];
    folder.files.push_back(path);
    const std::size_t size_at = line.rfind(' ', tab) + 1;
    folder.bytes += whole_number(line.substr(size_at, tab - size_at)).value_or(0);
    folder.pull_request = parts.size() == 4 && parts[0] == "pull" ? whole_number(parts[1]).value_or(0) : 0;
    folder.is_ours = folder.pull_request > 0 || (parts.size() == 3 && parts[0] == "commit");
  }
  // Of commits that unite others git names no files.
  std::string commit;
  std::int64_t time_s = 0;
  for (const auto& line :
       split(repo::git_output(repository, {"log", "--root", "--format=:%H %ct", "--name-only", tip}), '\n')) {
    if (line.empty()) continue;
    if (line[0] == ':') {
      const std::size_t space = line.find(' ');
      commit = line.substr(1, space - 1);
      time_s = whole_number(line.substr(space + 1)).value_or(0);
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
  return !folder.is_ours || (folder.pull_request > 0 && request.open.contains(folder.pull_request)) ||
         folder.newest_s >= request.now_s - request.keep_days * kDayS;
}

// A commit of that tree that all of `parents` can be reached from.
std::string unite(const repo::Repository& repository, const std::string& tree,
                  std::vector<std::string> parents) {
  std::ranges::sort(parents);
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

PruneAnswer prune_charts(const repo::Repository& repository, const repo::GitRemote& remote,
                         const PruneRequest& request) {
  require_branch_name("--branch", request.branch);
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
    const auto number = number_at(item, "number");
    if (!number)
      throw ApiError(ApiFailure::kRefused, 0, "GitHub's list of pull requests has an entry without a number");
    open.insert(*number);
    return false;
  });
  return open;
}

namespace {

using nlohmann::json;

constexpr std::size_t kProposedFilesMax = 1000;
constexpr std::uintmax_t kProposedBytesMax = 32u << 20;
constexpr std::size_t kTitleLengthMax = 200;
// By this line a branch is known to be rewritten without loss.
constexpr const char* kMark = "Proposed-by: tracker";

using ProposedFiles = std::map<std::string, TreeFile>;  // by their paths from the root

[[noreturn]] void refuse_proposed(const std::string& named, const std::string& why) {
  throw Error(ExitCode::kUsage, in_quotes(named) + " " + why, "name files and folders of the working tree");
}

void add_proposed_file(const fs::path& root, const fs::path& path, const std::string& named,
                       ProposedFiles& files) {
  const std::string inside = path.lexically_relative(root).generic_string();
  const auto owner_may = fs::status(path).permissions() & fs::perms::owner_exec;
  files[inside] = {.path = inside,
                   .bytes = read_file(named, kProposedBytesMax),
                   .executable = owner_may != fs::perms::none};
  if (files.size() > kProposedFilesMax)
    refuse_proposed(named, "is one of more than " + std::to_string(kProposedFilesMax) + " files");
}

// The file, or all files in the folder.
void add_proposed(const fs::path& root, const std::string& named, ProposedFiles& files) {
  std::error_code missing;
  const fs::path path = fs::weakly_canonical(named, missing);
  const fs::path inside = path.lexically_relative(root);
  if (missing || inside.empty() || inside == "." || *inside.begin() == ".." || *inside.begin() == ".git")
    refuse_proposed(named, "is not in the working tree");
  if (fs::is_symlink(fs::symlink_status(named, missing))) refuse_proposed(named, "is a link");
  if (!fs::is_directory(path, missing)) return add_proposed_file(root, path, named, files);
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (*entry.path().lexically_relative(root).begin() == ".git" || entry.is_directory()) continue;
    if (entry.is_symlink()) refuse_proposed(entry.path().string(), "is a link");
    add_proposed_file(root, entry.path(), entry.path().string(), files);
  }
}

void require_sound(const ProposeRequest& request) {
  require_branch_name("--branch", request.branch);
  if (!request.base.empty()) require_branch_name("--base", request.base);
  if (request.title.empty() || character_count(request.title) > kTitleLengthMax ||
      request.title.find_first_of("\r\n") != std::string::npos)
    throw Error(ExitCode::kUsage,
                "--title is one line of at most " + std::to_string(kTitleLengthMax) + " characters");
  if (character_count(request.body) > kCommentLengthMax)
    throw Error(ExitCode::kUsage, "the body has more than the " + std::to_string(kCommentLengthMax) +
                                      " characters that GitHub takes");
}

std::string default_branch(ServiceApi& api, const std::string& repository) {
  const std::string branch = text_at(api.get("/repos/" + repository), "default_branch");
  if (!is_branch_name(branch))
    throw ApiError(ApiFailure::kRefused, 200,
                   "GitHub does not say which branch of '" + repository + "' is the default",
                   "name it: --base main");
  return branch;
}

// Puts the files' commit there; false where there is nothing to propose.
bool push_proposal(const repo::Repository& repository, const repo::GitRemote& remote,
                   const ProposeRequest& request, const std::vector<TreeFile>& files) {
  PassingRefs refs(repository);
  const auto base = remote.fetch("refs/heads/" + request.base, refs.add("base"));
  if (!base)
    throw Error(ExitCode::kUsage, in_quotes(remote.name()) + " has no branch '" + request.base + "'");
  const std::string tree = tree_with(repository, *base, files);
  if (tree == tree_of(repository, *base)) return false;
  const std::string ref = "refs/heads/" + request.branch;
  const auto there = remote.fetch(ref, refs.add("proposal"));
  if (there) {
    const auto lines = split(repo::git_output(repository, {"log", "-1", "--format=%B", *there, "--"}), '\n');
    if (std::ranges::find(lines, kMark) == lines.end())
      throw Error(ExitCode::kUsage,
                  "the branch '" + request.branch + "' ends in " + repo::short_name(*there) +
                      ", which is no proposal of tracker",
                  "merge or remove it, or propose on another branch");
    if (tree_of(repository, *there) == tree &&
        repo::parents_of(repository, *there) == std::vector<std::string>{*base})
      return true;
  }
  const std::string commit = write_commit(repository, tree, {*base}, request.title + "\n\n" + kMark + "\n");
  if (!remote.replace(commit, ref, there.value_or("")))
    throw Error(ExitCode::kEnvironment, "somebody else has just pushed to '" + request.branch + "'",
                "try again");
  return true;
}

std::optional<json> find_open(ServiceApi& api, const ProposeRequest& request) {
  const std::string owner = request.repository.substr(0, request.repository.find('/'));
  return api.find("/repos/" + request.repository + "/pulls",
                  {{"state", "open"}, {"head", owner + ":" + request.branch}, {"base", request.base}},
                  [&](const json& item) {
                    return item.is_object() && item.contains("head") &&
                           text_at(item["head"], "ref") == request.branch;
                  });
}

ProposeAnswer answer_of(ProposeOutcome outcome, const json& item, const ProposeRequest& request) {
  return {.outcome = outcome,
          .pull_request = static_cast<int>(number_at(item, "number").value_or(0)),
          .url = text_at(item, "html_url"),
          .base = request.base};
}

ProposeAnswer open_request(ServiceApi& api, const ProposeRequest& request) {
  const std::string path = "/repos/" + request.repository + "/pulls";
  json content{{"title", request.title}, {"body", request.body}};
  for (int tries = 1;; ++tries) {
    if (const auto open = find_open(api, request)) {
      if (text_at(*open, "title") == request.title && text_at(*open, "body") == request.body)
        return answer_of(tries == 1 ? ProposeOutcome::kUnchanged : ProposeOutcome::kCreated, *open, request);
      auto answer = answer_of(ProposeOutcome::kUpdated, *open, request);
      api.send("PATCH", path + "/" + std::to_string(answer.pull_request), content);
      return answer;
    }
    try {
      json opened = content;
      opened.update({{"head", request.branch}, {"base", request.base}});
      return answer_of(ProposeOutcome::kCreated, api.post(path, opened), request);
    } catch (const ApiError& error) {
      if (error.is_forbidden())
        throw ApiError(
            error.failure(), 403, error.what(),
            "the branch is pushed; allow Actions to create pull requests in the repository's settings, and "
            "give the job pull-requests: write");
      if (!api.may_look_again(error, tries)) throw;
    }
  }
}

}  // namespace

std::vector<TreeFile> read_proposal(const repo::Repository& repository,
                                    const std::vector<std::string>& paths) {
  const fs::path root = fs::canonical(repository.root());
  ProposedFiles files;
  for (const auto& path : paths) add_proposed(root, path, files);
  std::vector<TreeFile> proposed;
  for (auto& [path, file] : files) proposed.push_back(std::move(file));
  return proposed;
}

ProposeAnswer propose(ServiceApi& api, const repo::Repository& repository, const repo::GitRemote& remote,
                      const ProposeRequest& asked, std::vector<TreeFile> files) {
  require_sound(asked);
  ProposeRequest request = asked;
  if (request.base.empty()) request.base = default_branch(api, request.repository);
  if (request.branch == request.base)
    throw Error(ExitCode::kUsage, "--branch '" + request.branch + "' is the branch that the proposal goes to",
                "a proposal has a branch of its own");
  write_blobs(repository, files, true);
  if (!push_proposal(repository, remote, request, files)) return {.base = request.base};
  return open_request(api, request);
}

}  // namespace tracker::github
