// Documents read and packed ahead of whoever writes them down.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tracker/store/store.hpp"
#include "tracker/summary/packed_run.hpp"
#include "tracker/summary/run_summaries.hpp"

namespace tracker {

// What comes of a document. Neither a run nor a reason where it has to be read whenever it is asked for.
struct NewSummary {
  StoredKey key;
  std::optional<PackedRun> run;
  std::string why_refused;
};

// Reading and packing on all cores; next() gives what comes of each key, in order.
class PackAhead {
 public:
  // Few enough that little is done twice after an interruption.
  static constexpr std::size_t kAhead = 24;

  PackAhead(const Store& store, const std::vector<StoredKey>& keys, const SummaryHooks& hooks);
  ~PackAhead();
  PackAhead(const PackAhead&) = delete;
  PackAhead& operator=(const PackAhead&) = delete;

  // As often as there are keys.
  NewSummary next();

 private:
  struct Slot {
    bool is_ready = false;
    NewSummary summary;
    std::exception_ptr failure;
  };

  void work();
  void pack(const StoredKey& key, Slot& slot);

  const Store& store_;
  const std::vector<StoredKey>& keys_;
  const SummaryHooks& hooks_;
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
