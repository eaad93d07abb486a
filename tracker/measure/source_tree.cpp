#include "tracker/measure/source_tree.hpp"

#include <fstream>
#include <iterator>
#include <set>

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEntriesMax = 300'000;  // of a tree that is looked through
constexpr std::uintmax_t kTextBytesMax = 4u << 20;

// Folders that hold what others wrote, or what build systems try out.
const std::set<std::string>& folders_left_out() {
  static const std::set<std::string> names{
      ".git",  ".hg",    "node_modules", "_deps",           "CMakeFiles", "venv",
      ".venv", ".cache", ".tox",         "vcpkg_installed", ".terraform", "__pycache__"};
  return names;
}

}  // namespace

void for_each_file_below(const fs::path& root, const std::function<bool(const fs::path&)>& act) {
  std::error_code failure;
  fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, failure);
  for (std::size_t count = 0; !failure && entry != fs::recursive_directory_iterator() && count < kEntriesMax;
       ++count, entry.increment(failure)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      if (folders_left_out().count(entry->path().filename().string()) != 0) entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored) && !act(entry->path())) {
      return;
    }
  }
}

std::string text_of_file(const fs::path& path) {
  std::error_code failure;
  const auto size = fs::file_size(path, failure);
  if (failure || size > kTextBytesMax) return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tracker
