#include "tracker/github/publish.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <random>
#include <string_view>
#include <thread>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/github/context.hpp"
#include "tracker/repo/git_command.hpp"
#include "tracker/repo/git_facts.hpp"

namespace tracker {
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
  throw Error(ExitCode::kUsage, "'" + printable(file.string()) + "' " + why,
              "give a folder that tracker drew charts into");
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
std::string publication_of(const Repository& repository, const std::string& tip,
                           const std::vector<TreeFile>& files) {
  const auto found = git_output(repository, {"log", "--format=%H", "-1", tip, "--", files.front().path});
  if (found.empty() || tree_with(repository, found, files) != tree_of(repository, found)) return "";
  return found;
}

}  // namespace

void require_own_branch(const Repository& repository, const std::string& tip, const std::string& branch) {
  if (run_git(repository.root(), {"merge-base", "--end-of-options", tip, "HEAD"}).ok())
    throw Error(ExitCode::kUsage, "the branch '" + branch + "' shares its history with what is checked out",
                "charts go to a branch of their own: --branch tracker-charts");
}

bool is_plain_path(const std::string& path) {
  const auto parts = split(path, '/');
  return path.size() <= kPathLengthMax &&
         std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
           return !part.empty() && part.front() != '.' && part.front() != '-' &&
                  std::all_of(part.begin(), part.end(), [](unsigned char c) {
                    return c < 0x80 && (std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_');
                  });
         });
}

std::vector<TreeFile> read_pictures(const fs::path& folder) {
  std::error_code missing;
  if (!fs::is_directory(folder, missing))
    throw Error(ExitCode::kUsage, "no folder '" + printable(folder.string()) + "'",
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
  std::sort(pictures.begin(), pictures.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return pictures;
}

PublishAnswer publish(const Repository& repository, const GitRemote& remote, const PublishRequest& request,
                      const std::vector<TreeFile>& pictures) {
  if (!is_branch_name(request.branch))
    throw Error(ExitCode::kUsage, "--branch '" + printable(request.branch) + "' is no name of a branch");
  if (!is_plain_path(request.path))
    throw Error(ExitCode::kUsage, "--path '" + printable(request.path) + "' is not a plain path",
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

}  // namespace tracker
