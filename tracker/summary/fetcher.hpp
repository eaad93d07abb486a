// Documents read ahead of whoever works on them.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

// One document's text, or why there is none.
struct Fetched {
  StoredKey key;
  std::optional<std::string> text;
};

// Reads documents ahead, in a thread of its own: unpacking the store's objects takes as long as reading them.
class Fetcher {
 public:
  Fetcher(const Store& store, const std::vector<StoredKey>& keys) : store_(store), keys_(keys) {
    thread_ = std::thread([this] { work(); });
  }
  ~Fetcher() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;

  Fetched next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !ready_.empty(); });
    Fetched one = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
    return one;
  }

 private:
  void work() {
    constexpr std::size_t kAhead = 8;
    for (const auto& key : keys_) {
      Fetched one{key, {}};
      try {
        one.text = store_.read(key);
      } catch (const Error&) {
        one.text.reset();
      }
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || ready_.size() < kAhead; });
      if (stopped_) return;
      ready_.push_back(std::move(one));
      changed_.notify_all();
    }
  }

  const Store& store_;
  const std::vector<StoredKey>& keys_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Fetched> ready_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace tracker
