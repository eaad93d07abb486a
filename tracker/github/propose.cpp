#include "tracker/github/propose.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/github/comment.hpp"
#include "tracker/github/context.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::github {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kFilesMax = 1000;
constexpr std::uintmax_t kFileBytesMax = 32u << 20;
constexpr std::size_t kTitleLengthMax = 200;
constexpr int kProposeTriesMax = 3;
constexpr std::chrono::seconds kProposePause{2};
// By this line a branch is known to be rewritten without loss.
constexpr const char* kMark = "Proposed-by: tracker";

class ProposalReader {
 public:
  explicit ProposalReader(const repo::Repository& repository) : root_(fs::canonical(repository.root())) {}

  void add(const std::string& named) {
    std::error_code missing;
    const fs::path path = fs::weakly_canonical(named, missing);
    const fs::path inside = path.lexically_relative(root_);
    if (missing || inside.empty() || inside == "." || *inside.begin() == ".." || *inside.begin() == ".git")
      refuse(named, "is not in the working tree");
    if (fs::is_symlink(fs::symlink_status(named, missing))) refuse(named, "is a link");
    if (!fs::is_directory(path, missing)) return add_file(path, named);
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (*entry.path().lexically_relative(root_).begin() == ".git" || entry.is_directory()) continue;
      if (entry.is_symlink()) refuse(entry.path().string(), "is a link");
      add_file(entry.path(), entry.path().string());
    }
  }

  std::vector<TreeFile> files() const {
    std::vector<TreeFile> files;
    for (const auto& [path, file] : files_) files.push_back(file);
    return files;
  }

 private:
  [[noreturn]] static void refuse(const std::string& named, const std::string& why) {
    throw Error(ExitCode::kUsage, in_quotes(named) + " " + why, "name files and folders of the working tree");
  }

  void add_file(const fs::path& path, const std::string& named) {
    const std::string inside = path.lexically_relative(root_).generic_string();
    TreeFile file{.path = inside, .bytes = read_file(named, kFileBytesMax)};
    file.executable = (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
    files_[inside] = std::move(file);
    if (files_.size() > kFilesMax)
      refuse(named, "is one of more than " + std::to_string(kFilesMax) + " files");
  }

  fs::path root_;
  std::map<std::string, TreeFile> files_;
};

void require_sound(const ProposeRequest& request) {
  if (!is_branch_name(request.branch))
    throw Error(ExitCode::kUsage, "--branch " + in_quotes(request.branch) + " is no name of a branch");
  if (!request.base.empty() && !is_branch_name(request.base))
    throw Error(ExitCode::kUsage, "--base " + in_quotes(request.base) + " is no name of a branch");
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
    if (std::find(lines.begin(), lines.end(), kMark) == lines.end())
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
  ProposeAnswer answer{.outcome = outcome, .url = text_at(item, "html_url"), .base = request.base};
  if (item.is_object() && item.contains("number") && item["number"].is_number_integer())
    answer.pull_request = item["number"].get<int>();
  return answer;
}

ProposeAnswer open_request(ServiceApi& api, const ProposeRequest& request) {
  const std::string path = "/repos/" + request.repository + "/pulls";
  for (int tries = 1;; ++tries) {
    if (const auto open = find_open(api, request)) {
      const auto answer = answer_of(ProposeOutcome::kUpdated, *open, request);
      if (text_at(*open, "title") == request.title && text_at(*open, "body") == request.body)
        return answer_of(tries == 1 ? ProposeOutcome::kUnchanged : ProposeOutcome::kCreated, *open, request);
      api.patch(path + "/" + std::to_string(answer.pull_request),
                {{"title", request.title}, {"body", request.body}});
      return answer;
    }
    try {
      return answer_of(ProposeOutcome::kCreated,
                       api.post(path, {{"title", request.title},
                                       {"body", request.body},
                                       {"head", request.branch},
                                       {"base", request.base}}),
                       request);
    } catch (const ApiError& error) {
      if (error.status() == 403 && error.failure() == ApiFailure::kRefused)
        throw ApiError(
            error.failure(), 403, error.what(),
            "the branch is pushed; allow Actions to create pull requests in the repository's settings, and "
            "give the job pull-requests: write");
      if (error.failure() != ApiFailure::kUnknown || tries == kProposeTriesMax) throw;
      if (!api.wait(kProposePause, error.what())) throw;
    }
  }
}

}  // namespace

std::vector<TreeFile> read_proposal(const repo::Repository& repository,
                                    const std::vector<std::string>& paths) {
  ProposalReader reader(repository);
  for (const auto& path : paths) reader.add(path);
  return reader.files();
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
