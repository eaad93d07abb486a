#include "tracker/base/advisory_lock.hpp"

#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tracker {
namespace {

struct Waiting {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_over = false;
  bool has_lock = false;
  bool is_given_up = false;
};

bool lock_waiting(int file) {
  int code = 0;
  do code = ::flock(file, LOCK_EX);
  while (code != 0 && errno == EINTR);
  return code == 0;
}

// The system hands the lock on in the order of those who wait in flock(), which knows no time-out: a thread
// does.
bool lock_within(int file, std::chrono::milliseconds wait) {
  const auto waiting = std::make_shared<Waiting>();
  try {
    std::thread([file, waiting] {
      const bool locked = lock_waiting(file);
      const std::lock_guard guard(waiting->mutex);
      waiting->is_over = true;
      waiting->has_lock = locked;
      if (waiting->is_given_up) ::close(file);
      waiting->changed.notify_one();
    }).detach();
  } catch (const std::system_error&) {
    ::close(file);
    return false;
  }
  std::unique_lock guard(waiting->mutex);
  waiting->changed.wait_for(guard, wait, [&] { return waiting->is_over; });
  if (waiting->has_lock) return true;
  if (waiting->is_over)
    ::close(file);
  else
    waiting->is_given_up = true;  // from here on, the file is the thread's
  return false;
}

}  // namespace

AdvisoryLock::AdvisoryLock(const std::filesystem::path& file, std::chrono::milliseconds wait) {
  constexpr mode_t kMode = 0666;  // less what the user's umask takes
  const int opened = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode);
  if (opened < 0) return;
  const bool is_locked = ::flock(opened, LOCK_EX | LOCK_NB) == 0;
  if (!is_locked && errno != EWOULDBLOCK) {
    ::close(opened);  // a file system without such locks
    return;
  }
  if (is_locked || lock_within(opened, wait)) file_ = opened;
}

AdvisoryLock::~AdvisoryLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace tracker
