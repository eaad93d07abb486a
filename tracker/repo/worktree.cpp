#include "tracker/repo/worktree.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"

namespace tracker::repo {
namespace {

namespace fs = std::filesystem;

constexpr int kErrorLinesMax = 5;  // of what git says, in a message
constexpr const char* kNoRoomHint = "see that the git folder can be written to and that the disk has room";
constexpr const char* kCMakeCache = "CMakeCache.txt";

[[noreturn]] void fail(const std::string& name, const std::string& reason, const std::string& hint) {
  throw Error(ExitCode::kEnvironment, "worktree '" + name + "': " + reason, hint);
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

// Where the git folder of a checkout is, by its .git. None where there is no checkout.
std::optional<fs::path> git_folder_in(const fs::path& checkout) {
  constexpr std::string_view kKey = "gitdir: ";
  std::error_code failed;
  if (fs::is_directory(checkout / ".git", failed)) return checkout / ".git";
  std::string line;
  std::getline(std::ifstream(checkout / ".git"), line);
  if (!line.starts_with(kKey)) return {};
  return checkout / line.substr(kKey.size());  // an absolute path stays itself
}

// Whether git's file in the folder leads back to this repository. (In a copied repository it leads to
// the first one, whose worktree is not ours to change.)
bool belongs_to(const Repository& repository, const fs::path& root) {
  const auto folder = git_folder_in(root);
  std::error_code missing;
  return folder && fs::equivalent(folder->parent_path(), repository.common_dir() / "worktrees", missing);
}

// Tracked files become those of the commit, others go, ignored ones stay. Nothing above `root` is taken for
// the repository, so that a damaged worktree never makes git reset the user's own files.
ProcessResult check_out(const fs::path& root, const std::string& commit) {
  auto result = run_git(root, {"checkout", "--quiet", "--force", "--detach", commit}, true);
  if (result.ok()) result = run_git(root, {"clean", "--quiet", "-d", "--force", "--force"}, true);
  return result;
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

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    entries.push_back(at->path());
  return entries;
}

struct Submodule {
  std::string name;
  std::string path;
};

// A checkout, which need not be there, and the git folder that knows its submodules.
struct Owner {
  fs::path checkout;
  fs::path git_folder;
};

// What .gitmodules names in a checkout. Git refuses names that lead out of its folder; so they are left out.
std::vector<Submodule> submodules_in(const fs::path& checkout) {
  constexpr std::string_view kBefore = "submodule.";
  constexpr std::string_view kAfter = ".path";
  const auto listed = run_git(
      checkout, {"config", "--file", ".gitmodules", "--null", "--get-regexp", R"(^submodule\..*\.path$)"},
      true);
  std::vector<Submodule> submodules;
  for (const auto& entry : split(listed.output, '\0')) {
    const auto line_end = entry.find('\n');
    if (line_end == std::string::npos) continue;
    const std::string key = entry.substr(0, line_end);
    const std::string name = key.substr(kBefore.size(), key.size() - kBefore.size() - kAfter.size());
    const auto parts = split(name, '/');
    if (!name.empty() && std::find(parts.begin(), parts.end(), "..") == parts.end())
      submodules.push_back({name, entry.substr(line_end + 1)});
  }
  return submodules;
}

// The submodule as the owner has it; none where it is not initialised there. One that the checkout had, and
// that the commit which is checked out now has no more, is kept by git below `modules`.
std::optional<Owner> initialised(const Owner& owner, const Submodule& submodule) {
  const auto url = run_git(owner.checkout, {"config", "--file", (owner.git_folder / "config").string(),
                                            "--get", "submodule." + submodule.name + ".url"});
  if (!url.ok()) return {};
  const auto checkout = owner.checkout / submodule.path;
  if (const auto folder = git_folder_in(checkout)) return Owner{checkout, *folder};
  const auto kept = owner.git_folder / "modules" / submodule.name;
  std::error_code failed;
  if (fs::is_directory(kept, failed)) return Owner{owner.checkout, kept};
  return {};
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto way = fs::weakly_canonical(path).lexically_relative(fs::weakly_canonical(folder));
  return !way.empty() && way != "." && *way.begin() != "..";
}

// Removes what is there of a submodule. False where nothing is, or where its git folder is another's.
bool forget(const fs::path& checkout, const fs::path& root) {
  const auto own = git_folder_in(root);
  const auto of_checkout = git_folder_in(checkout);
  if (!own || !of_checkout || !is_below(*own, *of_checkout)) return false;
  std::error_code failed;
  fs::remove_all(*own, failed);
  for (const auto& entry : entries_of(root)) fs::remove_all(entry, failed);
  return true;
}

// Once more from nothing where it fails, as a kept one may be damaged or have moved to another address.
void update(const fs::path& checkout, const Submodule& submodule) {
  const auto call = [&] {
    return run_git(checkout, {"submodule", "--quiet", "update", "--init", "--force", "--", submodule.path},
                   true);
  };
  auto result = call();
  const auto root = checkout / submodule.path;
  if (!result.ok() && forget(checkout, root)) result = call();
  if (!result.ok())
    throw Error(
        ExitCode::kEnvironment,
        "submodule " + in_quotes(submodule.path) + " cannot be checked out beside yours: git " +
            describe_end(result) + ": " + last_lines(result, kErrorLinesMax),
        "see that its address can be reached from here; if the benchmarks do not need it: git submodule "
        "deinit " +
            submodule.path);
  run_git(root, {"clean", "--quiet", "-d", "--force", "--force"}, true);
}

// Brings those submodules of the checkout along that the owner has initialised, and within them likewise;
// files that a build left in them stay, if git ignores them. The paths of the others, which stay empty, are
// added to `left_out`. No configuration of the repository is changed.
void bring(const Owner& owner, const fs::path& checkout, const fs::path& shown,
           std::vector<std::string>& left_out) {
  for (const auto& submodule : submodules_in(checkout)) {
    const auto path = shown / submodule.path;
    const auto inner = initialised(owner, submodule);
    if (!inner) {
      forget(checkout, checkout / submodule.path);
      left_out.push_back(path.string());
      continue;
    }
    update(checkout, submodule);
    bring(*inner, checkout / submodule.path, path, left_out);
  }
}

void remove_path(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (failed)
    throw Error(ExitCode::kEnvironment,
                "cannot remove " + in_quotes(path.string()) + ", which a build left: " + failed.message(),
                "remove it by hand");
}

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(fs::symlink_status(path, failed));
}

// The cache has the options' values, the folder named for CMake's version the compiler that was found. The
// files for make and ninja go as well: without the cache they would configure anew, but without the options
// that the build commands give. So a build that does not configure fails instead.
void forget_configuration(const fs::path& folder) {
  for (const auto& entry : entries_of(folder))
    if (entry.filename() == kCMakeCache || entry.filename() == "Makefile" || entry.extension() == ".ninja")
      remove_path(entry);
  for (const auto& entry : entries_of(folder / "CMakeFiles"))
    if (std::isdigit(static_cast<unsigned char>(entry.filename().string().front())) != 0) remove_path(entry);
}

// Removes it, but for CMake's folders in it. Whether some of it stays.
bool remove_but_cmake(const fs::path& path) {
  bool stays = false;
  if (is_folder(path)) {
    if (fs::exists(path / kCMakeCache)) {
      forget_configuration(path);
      return true;
    }
    for (const auto& entry : entries_of(path)) stays = remove_but_cmake(entry) || stays;
  }
  if (!stays) remove_path(path);
  return stays;
}

void require_success(const ProcessResult& result, const fs::path& root) {
  if (!result.ok())
    throw Error(ExitCode::kEnvironment,
                "git cannot tell what a build left in " + in_quotes(root.string()) + ": it " +
                    describe_end(result) + ": " + last_lines(result, kErrorLinesMax),
                "remove that folder by hand");
}

}  // namespace

struct Worktree::Lock {
  Lock(const fs::path& path, const std::string& name)
      : file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file < 0) fail(name, "cannot write '" + path.string() + "': " + std::strerror(errno), kNoRoomHint);
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return;
    const int reason = errno;
    ::close(file);
    if (reason == EWOULDBLOCK)
      fail(name, "is in use by another process", "wait for the other measurement to end, then try again");
    fail(name, "cannot lock '" + path.string() + "': " + std::strerror(reason), "");
  }
  ~Lock() { ::close(file); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  int file;
};

Worktree::Worktree(const Repository& repository, const std::string& name, const std::string& commit,
                   Kept kept)
    : commit_(repository.resolve(commit).id) {
  require_name(name);
  const auto home = home_of(repository);
  std::error_code failed;
  fs::create_directories(home, failed);
  if (failed) fail(name, "cannot make folder '" + home.string() + "': " + failed.message(), kNoRoomHint);
  lock_ = std::make_unique<Lock>(home / (name + ".lock"), name);

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
  if (fs::exists(root_ / ".gitmodules"))
    bring({repository.root(), repository.common_dir()}, root_, {}, empty_submodules_);
}

Worktree::~Worktree() = default;

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

bool remove_leftovers(const fs::path& root, Leftovers leftovers) {
  if (leftovers == Leftovers::kAll) return true;
  const auto ignored =
      run_git(root, {"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"}, true);
  require_success(ignored, root);
  bool stays = false;
  for (const auto& entry : split(ignored.output, '\0')) {
    if (entry.empty()) continue;
    fs::path path = root / entry;
    if (!path.has_filename()) path = path.parent_path();  // folders end in a slash
    if (leftovers == Leftovers::kCMakeFolders)
      stays = remove_but_cmake(path) || stays;
    else
      remove_path(path);
  }
  if (fs::exists(root / ".gitmodules"))
    require_success(run_git(root,
                            {"submodule", "--quiet", "foreach", "--recursive", "git", "clean", "--quiet",
                             "-x", "-d", "--force", "--force"},
                            true),
                    root);
  return stays;
}

void remove_built_file(const fs::path& root, const fs::path& path) {
  const auto file = (root / path).lexically_normal();
  std::error_code failed;
  const auto folder = fs::canonical(file.parent_path(), failed);
  if (failed || !file.has_filename()) return;  // nothing is there
  const auto from_root = folder.lexically_relative(fs::canonical(root, failed));
  if (failed || from_root.empty() || *from_root.begin() == "..") return;
  if (*from_root.begin() == ".git") return;
  const auto type = fs::symlink_status(file, failed).type();
  if (type != fs::file_type::regular && type != fs::file_type::symlink) return;
  const auto tracked =
      run_git(folder, {"--literal-pathspecs", "ls-files", "--error-unmatch", "--", file.filename().string()});
  if (!tracked.ok()) remove_path(file);
}

}  // namespace tracker::repo
