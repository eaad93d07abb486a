// The right to measure on something that only one job of the machine may use at a time: a GPU, or the CPUs.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tracker {

// The name under which the CPUs of the machine are leased; a GPU's is its UUID.
inline constexpr char kCpuLease[] = "cpu";
// What a program that `tracker lease` starts has already: names, separated by commas.
inline constexpr char kLeasedVariable[] = "TRACKER_LEASED";
// The folder of the locks, where another one is wanted; the same for every process that shares a board.
inline constexpr char kLeaseFolderVariable[] = "TRACKER_LEASES";

struct LeaseRequest {
  std::vector<std::string> names;
  std::size_t least = 0;  // of them that are needed; 0: all of them
  std::size_t most = 0;   // of them that are taken where they are free; 0: `least`
  std::string holder;     // who asks, for those who wait: "tracker run"
  std::chrono::milliseconds wait_max = std::chrono::hours(1);  // then it is given up
  std::function<void(const std::string&)> tell;                // what it waits for, whenever that changes
};

// Held until it is destroyed, by flock() on a file for each name, so that the system gives it back when the
// process ends, however it ends. Files lie in a folder that everybody can write to: TRACKER_LEASES,
// /run/lock, or /tmp. Those who wait are served in the order in which they came, unless they need different
// things; no one holds a part of what it needs while it waits.
class Lease {
 public:
  Lease() = default;  // of nothing
  // kEnvironment after `wait_max`, and where the folder cannot be written; kInterrupted after Ctrl-C.
  explicit Lease(const LeaseRequest& request);
  ~Lease();
  Lease(Lease&& other) noexcept : files_(std::move(other.files_)) { other.files_.clear(); }
  Lease& operator=(Lease&& other) noexcept {
    files_.swap(other.files_);
    return *this;
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  // The names of everything that it holds, sorted.
  std::vector<std::string> names() const;

 private:
  bool try_take(const LeaseRequest& request, const std::filesystem::path& folder);
  void release();

  std::map<std::string, int> files_;  // by name: the locked file; -1 where the parent process holds it
};

// One process at a time, in the order in which they came.

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

// What a job left beside the locks for all later ones of this machine, under this name; empty where none did.
// It stays until the machine is started again. kEnvironment where it cannot be written.
std::string read_beside_locks(const std::string& name);
void write_beside_locks(const std::string& name, const std::string& text);

}  // namespace tracker
