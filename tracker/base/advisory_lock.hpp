// One process at a time, in the order in which they came.
#pragma once

#include <chrono>
#include <filesystem>

namespace tracker {

// Held from construction to destruction, by an advisory lock on a file that the system gives back when a
// process ends, however it ends. It keeps writers from working in vain, and protects nothing: whoever has
// waited for `wait` goes on without it, as does who cannot make the file.
class AdvisoryLock {
 public:
  AdvisoryLock(const std::filesystem::path& file, std::chrono::milliseconds wait);
  ~AdvisoryLock();
  AdvisoryLock(const AdvisoryLock&) = delete;
  AdvisoryLock& operator=(const AdvisoryLock&) = delete;

  bool is_held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

}  // namespace tracker
