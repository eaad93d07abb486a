#include "tracker/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>

namespace tracker {
namespace {

// Calls of one function, which threads take one after the other.
class Calls {
 public:
  Calls(std::size_t count, const std::function<void(std::size_t)>& work)
      : count_(count), work_(work), failures_(count) {}

  // True where it was the last of all to end.
  bool take_turns() {
    bool was_last = false;
    for (std::size_t i = next_++; i < count_; i = next_++) {
      try {
        work_(i);
      } catch (...) {
        failures_[i] = std::current_exception();
      }
      was_last = ++ended_ == count_;
    }
    return was_last;
  }
  bool have_ended() const { return ended_ == count_; }
  void throw_first() const {
    for (const auto& failure : failures_)
      if (failure) std::rethrow_exception(failure);
  }

 private:
  const std::size_t count_;
  const std::function<void(std::size_t)>& work_;  // not called once all have ended
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> ended_ = 0;
  std::vector<std::exception_ptr> failures_;
};

// Threads that wait for calls, one less than there are cores: starting one takes as long as a small part of
// the work, and its memory has to be got anew. They are never joined: what waits at the end of the program
// ends with it.
class Helpers {
 public:
  static Helpers& of_process() {
    // A process that was forked has no such threads: it makes its own.
    [[maybe_unused]] static const int known = ::pthread_atfork(nullptr, nullptr, [] { current = nullptr; });
    Helpers* helpers = current;
    if (helpers != nullptr) return *helpers;
    auto own = std::make_unique<Helpers>();
    return current.compare_exchange_strong(helpers, own.get()) ? *own.release() : *helpers;
  }

  // Lets as many of them take part, where they have nothing else to do. Ends when all calls have; until then
  // the thread helps with other calls.
  void share(const std::shared_ptr<Calls>& calls, std::size_t helpers) {
    {
      const std::lock_guard lock(mutex_);
      while (threads_ < std::min(helpers, cores() - 1)) {
        std::thread([this] { help(); }).detach();
        ++threads_;
      }
      waiting_.insert(waiting_.end(), helpers, calls);
    }
    changed_.notify_all();
    if (calls->take_turns()) return;
    std::unique_lock lock(mutex_);
    while (!calls->have_ended()) {
      if (!take_one(lock)) changed_.wait(lock);
    }
  }

 private:
  [[noreturn]] void help() {
    std::unique_lock lock(mutex_);
    while (true)
      if (!take_one(lock)) changed_.wait(lock);
  }

  bool take_one(std::unique_lock<std::mutex>& lock) {
    if (waiting_.empty()) return false;
    const std::shared_ptr<Calls> calls = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const bool was_last = calls->take_turns();
    lock.lock();
    if (was_last) changed_.notify_all();
    return true;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Calls>> waiting_;
  std::size_t threads_ = 0;

  static std::atomic<Helpers*> current;
};

std::atomic<Helpers*> Helpers::current = nullptr;

void call_in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work) {
  const auto calls = std::make_shared<Calls>(count, work);
  if (threads <= 1)
    calls->take_turns();
  else
    Helpers::of_process().share(calls, threads - 1);
  calls->throw_first();
}

}  // namespace

std::size_t cores() {
  // The system reads a file for it each time.
  static const std::size_t count = std::max(1U, std::thread::hardware_concurrency());
  return count;
}

void in_parts(std::size_t count, std::size_t least,
              const std::function<void(std::size_t from, std::size_t to)>& work) {
  constexpr std::size_t kPartsMax = 8;
  const std::size_t parts =
      std::clamp<std::size_t>(count / std::max<std::size_t>(least, 1), 1, std::min(cores(), kPartsMax));
  call_in_parallel(parts, parts,
                   [&](std::size_t part) { work(count * part / parts, count * (part + 1) / parts); });
}

void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                          std::size_t threads_max) {
  call_in_parallel(count, std::min({count, cores(), threads_max}), work);
}

}  // namespace tracker
