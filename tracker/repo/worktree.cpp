#include "tracker/repo/worktree.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/repo/git_command.hpp"
#include "tracker/repo/submodules.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr int kErrorLinesMax = 5;  // of what git says, in a message

[[noreturn]] void fail(const std::string& name, const std::string& reason, std::string hint) {
  throw Error(ExitCode::kEnvironment, "worktree '" + name + "': " + reason, std::move(hint));
}

// A name is a part of a path, and an argument of git.
void require_name(const std::string& name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  const bool fine = !name.empty() && name.find_first_not_of(kAllowed) == std::string::npos &&
                    name.front() != '.' && name.front() != '-' && !name.ends_with(".lock");
  if (!fine)
    throw Error(ExitCode::kUsage, "worktree name '" + name + "' is not allowed",
                "use letters, digits, '.', '_' and '-'");
}

// Closes itself on an exception; `release` hands the lock on.
class Lock {
 public:
  Lock(const fs::path& file, const std::string& name) {
    end_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (end_ < 0)
      fail(name, "cannot write '" + file.string() + "': " + std::strerror(errno),
           "see that the git folder can be written to and that the disk has room");
    if (::flock(end_, LOCK_EX | LOCK_NB) == 0) return;
    const int reason = errno;
    ::close(end_);
    if (reason == EWOULDBLOCK)
      fail(name, "is in use by another process", "wait for the other measurement to end, then try again");
    fail(name, "cannot lock '" + file.string() + "': " + std::strerror(reason), "");
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (end_ >= 0) ::close(end_);
  }
  int release() { return std::exchange(end_, -1); }

 private:
  int end_ = -1;
};

// Whether git's file in the folder leads back to this repository. (In a copied repository it leads to
// the first one, whose worktree is not ours to change.)
bool belongs_to(const Repository& repository, const fs::path& root) {
  constexpr std::string_view kKey = "gitdir: ";
  std::string line;
  std::getline(std::ifstream(root / ".git"), line);
  if (!line.starts_with(kKey)) return false;
  const auto folder = (root / line.substr(kKey.size())).parent_path();  // an absolute path stays itself
  std::error_code missing;
  return fs::equivalent(folder, repository.common_dir() / "worktrees", missing);
}

// Runs them in turn, up to the first that fails. Nothing above `root` is taken for the repository, so
// that a damaged worktree never makes git reset the user's own files.
ProcessResult run_all(const fs::path& root, const std::vector<std::vector<std::string>>& commands) {
  ProcessResult result;
  for (const auto& arguments : commands)
    if (result = run_git(root, arguments, true); !result.ok()) break;
  return result;
}

// Tracked files become those of the commit, others go, ignored ones stay.
ProcessResult check_out(const fs::path& root, const std::string& commit) {
  return run_all(root, {{"checkout", "--quiet", "--force", "--detach", commit},
                        {"clean", "--quiet", "-d", "--force", "--force"}});
}

// Forced twice: what git still knows of a folder that was here, even if locked, gives way. Only that:
// `git worktree prune` would also drop worktrees of the user on disks that are not mounted now.
ProcessResult add(const Repository& repository, const fs::path& root, const std::string& commit) {
  return run_git(repository.root(), {"worktree", "add", "--quiet", "--force", "--force", "--detach",
                                     "--no-checkout", root.string(), commit});
}

// What git said tells a filter that is missing from a folder that cannot be written to.
std::string next_step(const ProcessResult& result, const fs::path& home) {
  const std::string all = result.output + result.errors;
  const auto says = [&](std::string_view words) { return all.find(words) != std::string::npos; };
  if (says("git-lfs"))
    return "install git-lfs, and fetch what it keeps: git lfs install; git lfs fetch --all";
  if (says("filter"))
    return "install the program of that filter, which .gitattributes and git config filter.NAME.smudge name";
  if (says("No space left") || says("ermission denied") || says("Read-only"))
    return "see that '" + home.string() + "' can be written to and that its disk has room";
  return "the commit has to be one that git can check out: git worktree add /tmp/try COMMIT says the same";
}

fs::path home_of(const Repository& repository) {
  return repository.common_dir() / "tracker" / "worktrees";
}

// Empty where there is no such file.
std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

Worktree::Worktree(const Repository& repository, const std::string& name, const std::string& commit,
                   Kept kept)
    : commit_(repository.resolve(commit).id) {
  require_name(name);
  const auto home = home_of(repository);
  std::error_code failed;
  fs::create_directories(home, failed);
  if (failed)
    fail(name, "cannot make folder '" + home.string() + "': " + failed.message(),
         "see that the git folder can be written to and that the disk has room");
  Lock lock(home / (name + ".lock"), name);

  root_ = home / name;
  const bool is_kept = kept == Kept::kYes && belongs_to(repository, root_) && check_out(root_, commit_).ok();
  if (!is_kept) {
    begin_build();
    fs::remove_all(root_, failed);
    if (failed)
      fail(name, "cannot remove '" + root_.string() + "': " + failed.message(), "remove that folder by hand");
    auto result = add(repository, root_, commit_);
    if (result.ok()) result = check_out(root_, commit_);
    if (!result.ok())
      fail(name, "git " + describe_end(result) + ": " + last_lines(result, kErrorLinesMax),
           next_step(result, home));
  }
  empty_submodules_ = bring_submodules(repository, root_);
  lock_ = lock.release();
}

Worktree::~Worktree() {
  ::close(lock_);
}

fs::path Worktree::built_file() const {
  return root_.parent_path() / (root_.filename().string() + ".built");
}

bool Worktree::is_built(const std::string& recipe) const {
  return text_of(built_file()) == commit_ + "\n" + recipe;
}

void Worktree::begin_build() {
  std::error_code failed;
  fs::remove(built_file(), failed);
  if (failed)
    fail(root_.filename().string(), "cannot remove '" + built_file().string() + "': " + failed.message(),
         "remove that file by hand");
}

void Worktree::end_build(const std::string& recipe) {
  write_file(built_file(), commit_ + "\n" + recipe);
}

std::vector<std::string> worktree_names(const Repository& repository, const std::vector<WantedBuild>& wanted,
                                        int count) {
  struct Slot {
    std::string name;
    std::string built;
    fs::file_time_type time;  // the least where nothing is built
    bool is_there = false;
  };
  std::vector<Slot> slots;
  for (int i = 0; i < count; ++i) {
    Slot slot{std::string(1, static_cast<char>('a' + i)), {}, fs::file_time_type::min()};
    const auto home = home_of(repository);
    std::error_code missing;
    slot.is_there = fs::exists(home / slot.name, missing);
    const auto file = home / (slot.name + ".built");
    slot.built = text_of(file);
    if (const auto time = fs::last_write_time(file, missing); !missing) slot.time = time;
    slots.push_back(slot);
  }
  std::vector<std::string> names(wanted.size());
  const auto take = [&](std::size_t side, auto slot) {
    names[side] = slot->name;
    slots.erase(slot);
  };
  for (std::size_t side = 0; side < wanted.size(); ++side)
    if (const auto slot = std::find_if(slots.begin(), slots.end(),
                                       [&](const Slot& one) {
                                         return one.is_there &&
                                                one.built == wanted[side].commit + "\n" + wanted[side].recipe;
                                       });
        slot != slots.end())
      take(side, slot);
  for (std::size_t side = 0; side < wanted.size(); ++side)
    if (names[side].empty())
      take(side, std::min_element(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) {
             return std::tie(a.is_there, a.time) < std::tie(b.is_there, b.time);
           }));
  return names;
}

std::optional<fs::path> built_worktree(const Repository& repository, const std::string& commit,
                                       const std::string& recipe, int count) {
  for (int i = 0; i < count; ++i) {
    const auto root = home_of(repository) / std::string(1, static_cast<char>('a' + i));
    if (text_of(root.string() + ".built") == commit + "\n" + recipe && belongs_to(repository, root))
      return root;
  }
  return {};
}

}  // namespace tracker
