// Documents read and packed ahead of whoever writes them down.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/store/store.hpp"
#include "tracker/summary/packed_run.hpp"

namespace tracker {

// Reading and packing on all cores; next() gives what comes of each key, in order.
class PackAhead {
 public:
  using Parse = std::function<Run(const StoredKey& key, std::string_view text)>;

  // Few enough that little is done twice after an interruption.
  static constexpr std::size_t kAhead = 24;

  PackAhead(const Store& store, const std::vector<StoredKey>& keys, const Parse& parse);
  ~PackAhead();
  PackAhead(const PackAhead&) = delete;
  PackAhead& operator=(const PackAhead&) = delete;

  // As often as there are keys. Nothing for a document that is unusable, or that cannot be packed.
  std::optional<PackedRun> next();

 private:
  struct Slot {
    bool is_ready = false;
    std::optional<PackedRun> run;
    std::exception_ptr failure;
  };

  void work();
  void pack(const StoredKey& key, Slot& slot);

  const Store& store_;
  const std::vector<StoredKey>& keys_;
  const Parse& parse_;
  bool takes_turns_;  // reading, as not every store can be read by several at once
  std::mutex reading_;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::size_t started_ = 0;
  std::size_t taken_ = 0;
  std::deque<Slot> slots_;  // from taken_ to started_
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tracker
