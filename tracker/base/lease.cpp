#include "tracker/base/lease.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker {
namespace {

namespace fs = std::filesystem;

constexpr auto kPause = std::chrono::milliseconds(100);
constexpr int kFreshSeconds = 10;  // who waits says so in every round; later it has ended

// Everybody has to choose the same folder, whatever its own rights are.
fs::path lease_folder() {
  if (const char* named = std::getenv(kLeaseFolderVariable); named != nullptr && *named != '\0') return named;
  struct stat facts {};
  struct statvfs system {};
  const fs::path common = "/run/lock";
  constexpr mode_t kForAll = S_ISVTX | S_IWOTH;
  const bool is_for_all =
      ::stat(common.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && (facts.st_mode & kForAll) == kForAll;
  const bool is_writable = ::statvfs(common.c_str(), &system) == 0 && (system.f_flag & ST_RDONLY) == 0;
  if (is_for_all && is_writable) return common;
  return "/tmp";
}

// A file that users share. It is not created where it is there: in a folder with the sticky bit the kernel
// refuses that for another user's file (fs.protected_regular).
int open_shared(const fs::path& path) {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  constexpr mode_t kMode = 0666;
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    int file = ::open(path.c_str(), kFlags);
    if (file < 0 && errno == ENOENT) {
      file = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, kMode);
      if (file >= 0) ::fchmod(file, kMode);  // whatever the umask is
    }
    struct stat facts {};
    if (file >= 0 && ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) return file;
    if (file >= 0) ::close(file);
    if (file >= 0 || errno != EEXIST) break;
  }
  throw Error(ExitCode::kEnvironment,
              "cannot open the lock " + in_quotes(path.string()) + ": " + std::strerror(errno),
              "set " + std::string(kLeaseFolderVariable) +
                  " to a folder that every user who measures here can write to");
}

// Its first 64 KiB: everybody may write to it.
std::string read_shared(int file) {
  constexpr std::size_t kBytesMax = 64 << 10;
  std::string text(kBytesMax, '\0');
  const auto got = ::pread(file, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

// What is lost of it costs those who wait their place, and nothing else.
void write_shared(int file, const std::string& text) {
  if (::ftruncate(file, 0) != 0) return;
  [[maybe_unused]] const auto written = ::pwrite(file, text.data(), text.size(), 0);
}

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Who waits: a line of the queue's file.
struct QueuedLease {
  std::string ticket;
  std::int64_t seen_s = 0;
  std::string names;  // separated by commas
};

bool share_a_name(const std::string& one, const std::string& other) {
  const auto mine = split(one, ',');
  const auto theirs = split(other, ',');
  return std::ranges::any_of(
      mine, [&](const auto& name) { return std::ranges::find(theirs, name) != theirs.end(); });
}

// The order of those who wait, in a file that is locked while it is read and written.
class Queue {
 public:
  Queue(const fs::path& folder, std::string names) : file_(open_shared(folder / "tracker-leases.queue")) {
    me_.names = std::move(names);
    std::random_device random;
    me_.ticket = std::to_string(::getpid()) + "-" + std::to_string(random());
  }
  ~Queue() {
    enter();
    std::erase_if(all_, [&](const QueuedLease& one) { return one.ticket == me_.ticket; });
    leave();
    ::close(file_);
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // Locks it, and takes a place at its end where it has none. Returns how many are before it that need the
  // same.
  std::size_t enter() {
    while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
    std::istringstream lines(read_shared(file_));
    all_.clear();
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      QueuedLease one;
      if (!(words >> one.ticket >> one.seen_s >> one.names)) continue;
      if (one.ticket == me_.ticket || seconds_now() - one.seen_s <= kFreshSeconds) all_.push_back(one);
    }
    me_.seen_s = seconds_now();
    const auto mine = std::ranges::find(all_, me_.ticket, &QueuedLease::ticket);
    const std::size_t before = static_cast<std::size_t>(mine - all_.begin());
    if (mine == all_.end())
      all_.push_back(me_);
    else
      mine->seen_s = me_.seen_s;
    return static_cast<std::size_t>(
        std::count_if(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(before),
                      [&](const QueuedLease& one) { return share_a_name(one.names, me_.names); }));
  }
  void leave() {
    std::string text;
    for (const auto& one : all_)
      text += one.ticket + " " + std::to_string(one.seen_s) + " " + one.names + "\n";
    write_shared(file_, text);
    ::flock(file_, LOCK_UN);
  }

 private:
  int file_;
  QueuedLease me_;
  std::vector<QueuedLease> all_;
};

fs::path lock_of(const fs::path& folder, const std::string& name) {
  return folder / ("tracker-" + slug(name) + ".lease");
}

bool try_lock(int file) {
  return ::flock(file, LOCK_EX | LOCK_NB) == 0;
}

// What the holders of these say of themselves.
std::string holders_of(const fs::path& folder, const std::vector<std::string>& names) {
  std::vector<std::string> holders;
  for (const auto& name : names) {
    const int file = open_shared(lock_of(folder, name));
    std::string who = try_lock(file) ? "" : read_shared(file);
    ::close(file);
    constexpr std::size_t kShownBytesMax = 100;
    who = who.substr(0, std::min(who.find('\n'), kShownBytesMax));
    if (!who.empty() && std::ranges::find(holders, who) == holders.end()) holders.push_back(who);
  }
  return join(holders, "; ");
}

// Names that a parent process holds, as it says; whether it does is asked of the system.
std::vector<std::string> inherited(const fs::path& folder) {
  const char* said = std::getenv(kLeasedVariable);
  if (said == nullptr) return {};
  auto names = split(said, ',');
  std::erase_if(names, [&](const std::string& name) {
    if (name.empty()) return true;
    const int file = open_shared(lock_of(folder, name));
    const bool is_free = try_lock(file);
    ::close(file);
    return is_free;
  });
  return names;
}

}  // namespace

bool Lease::try_take(const LeaseRequest& request, const fs::path& folder) {
  const auto mine = inherited(folder);
  const std::size_t least = request.least == 0 ? request.names.size() : request.least;
  const std::size_t most = std::max(request.most, least);
  for (const auto& name : request.names) {
    if (files_.size() >= most) break;
    if (std::ranges::find(mine, name) != mine.end()) {
      files_[name] = -1;
      continue;
    }
    const int file = open_shared(lock_of(folder, name));
    if (!try_lock(file)) {
      ::close(file);
      continue;
    }
    files_[name] = file;
    write_shared(file, request.holder + ", process " + std::to_string(::getpid()) + ", since " +
                           format_utc(std::chrono::system_clock::now()) + "\n");
  }
  if (files_.size() >= least) return true;
  release();
  return false;
}

Lease::Lease(const LeaseRequest& request) {
  if (request.names.empty()) return;
  const fs::path folder = lease_folder();
  Queue queue(folder, join(request.names, ","));
  const auto start = std::chrono::steady_clock::now();
  for (std::string told; true; std::this_thread::sleep_for(kPause)) {
    const std::size_t before = queue.enter();
    const bool is_taken = before == 0 && try_take(request, folder);
    const std::string holders = is_taken ? "" : holders_of(folder, request.names);
    queue.leave();
    if (is_taken) return;
    if (interrupted()) throw Error(ExitCode::kInterrupted, "interrupted while waiting; nothing was measured");
    const std::string what = join(request.names, ", ") + (holders.empty() ? "" : ", held by " + holders);
    if (std::chrono::steady_clock::now() - start >= request.wait_max)
      throw Error(ExitCode::kEnvironment,
                  "waited " + format_duration(std::chrono::duration<double>(request.wait_max).count()) +
                      " for " + what,
                  "wait for that to end, or wait longer: lease_wait_s in [measure] of tracker.toml, or "
                  "--wait of tracker lease");
    const std::string place = std::to_string(before + 1);
    if (const std::string now = place + what; now != told && request.tell) {
      request.tell("waiting for " + what + "; place " + place + " in the queue");
      told = now;
    }
  }
}

Lease::~Lease() {
  release();
}

void Lease::release() {
  for (const auto& [name, file] : files_)
    if (file >= 0) ::close(file);
  files_.clear();
}

std::vector<std::string> Lease::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

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

std::string read_beside_locks(const std::string& name) {
  const int file = ::open((lease_folder() / ("tracker-" + name)).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return "";
  std::string text = read_shared(file);
  ::close(file);
  return text;
}

void write_beside_locks(const std::string& name, const std::string& text) {
  const int file = open_shared(lease_folder() / ("tracker-" + name));
  write_shared(file, text);
  ::close(file);
}

}  // namespace tracker
