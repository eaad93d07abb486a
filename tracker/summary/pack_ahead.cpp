#include "tracker/summary/pack_ahead.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

PackAhead::PackAhead(const Store& store, const std::vector<StoredKey>& keys, const SummaryHooks& hooks)
    : store_(store), keys_(keys), hooks_(hooks), takes_turns_(!store.can_read_at_once()) {
  constexpr std::size_t kThreadsMax = 16;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  // One more than there are cores: whoever reads waits for the disk.
  const std::size_t threads = std::min({cores + 1, keys.size(), kThreadsMax});
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

PackAhead::~PackAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void PackAhead::pack(const StoredKey& key, Slot& slot) {
  slot.summary.key = key;
  std::string text;
  try {
    {
      std::unique_lock lock(reading_, std::defer_lock);
      if (takes_turns_) lock.lock();
      text = store_.read(key);
    }
    slot.summary.run = pack_run(hooks_.parse(key, text));
  } catch (const StoreUnreachable&) {
    slot.failure = std::current_exception();
  } catch (const Error&) {
    // Whoever asks for it is told; where it is not known for good, after reading it again.
    if (!text.empty() && hooks_.why_refused) slot.summary.why_refused = hooks_.why_refused(key, text);
  } catch (...) {
    slot.failure = std::current_exception();
  }
}

void PackAhead::work() {
  for (;;) {
    std::size_t place = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || started_ == keys_.size() || started_ < taken_ + kAhead; });
      if (stopped_ || started_ == keys_.size()) return;
      place = started_++;
      slots_.emplace_back();
    }
    Slot done;
    pack(keys_[place], done);
    done.is_ready = true;
    const std::lock_guard lock(mutex_);
    slots_[place - taken_] = std::move(done);
    changed_.notify_all();
  }
}

NewSummary PackAhead::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !slots_.empty() && slots_.front().is_ready; });
  Slot slot = std::move(slots_.front());
  slots_.pop_front();
  ++taken_;
  changed_.notify_all();
  if (slot.failure) std::rethrow_exception(slot.failure);
  return std::move(slot.summary);
}

}  // namespace tracker
