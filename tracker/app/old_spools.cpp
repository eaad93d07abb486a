#include "tracker/app/old_spools.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "lock";

bool is_in_use(const fs::path& folder) {
  const int lock = ::open((folder / kLockName).c_str(), O_RDONLY | O_CLOEXEC);
  if (lock < 0) return errno != ENOENT;
  const bool in_use = ::flock(lock, LOCK_EX | LOCK_NB) != 0;
  ::close(lock);
  return in_use;
}

bool is_result(const fs::directory_entry& entry) {
  std::error_code gone;
  return entry.path().extension() == ".json" && entry.file_size(gone) > 0 && !gone;
}

bool holds_results(const fs::path& folder) {
  std::error_code failure;
  const fs::directory_iterator files(folder, failure);
  return failure || std::any_of(begin(files), end(files), is_result);
}

// A folder is made before it is locked: one that has no lock yet is left alone while it is as young as that.
bool is_young(const fs::path& folder) {
  std::error_code gone;
  const auto changed = fs::last_write_time(folder, gone);
  return gone || fs::file_time_type::clock::now() - changed < std::chrono::minutes(1);
}

}  // namespace

int lock_spool(const fs::path& folder) {
  const int lock = ::open((folder / kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock >= 0) ::flock(lock, LOCK_EX);  // whoever looks after old ones holds it for a moment
  return lock;
}

void unlock_spool(int lock) {
  if (lock >= 0) ::close(lock);
}

std::string look_after_old_spools(const fs::path& spools) {
  std::vector<std::string> left;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(spools, failure)) {
    const auto& folder = entry.path();
    if (!entry.is_directory(failure) || is_in_use(folder)) continue;
    if (holds_results(folder)) {
      left.push_back(folder.string());
      continue;
    }
    const bool is_new = !fs::exists(folder / kLockName, failure) && is_young(folder);
    if (!is_new) fs::remove_all(folder, failure);
  }
  if (left.empty()) return {};
  std::sort(left.begin(), left.end());
  return "results of " + count_of(left.size(), "job") + " that ended before they were recorded lie in '" +
         printable(spools.string()) + "': tracker record " + printable(left.back()) +
         "/*.json --commit COMMIT records the newest; rm -r removes what is not wanted";
}

}  // namespace tracker
