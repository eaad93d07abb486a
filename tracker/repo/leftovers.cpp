#include "tracker/repo/leftovers.hpp"

#include <cctype>
#include <string>
#include <system_error>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_command.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr char kCMakeCache[] = "CMakeCache.txt";

void remove_path(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (failed)
    throw Error(ExitCode::kEnvironment,
                "cannot remove '" + printable(path.string()) + "', which a build left: " + failed.message(),
                "remove it by hand");
}

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(fs::symlink_status(path, failed));
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    entries.push_back(at->path());
  return entries;
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
                "git cannot tell what a build left in '" + printable(root.string()) + "': it " +
                    describe_end(result) + ": " + last_lines(result, 5),
                "remove that folder by hand");
}

}  // namespace

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

}  // namespace tracker
