// A store in which one job records apart from the store that it shares with others and only reads.
#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/store/store.hpp"

namespace tracker::store {
namespace {

constexpr char kBetweenVersions = '+';

bool is_before(const Key& a, const Key& b) {
  return std::tie(a.device, a.commit, a.id) < std::tie(b.device, b.commit, b.id);
}

// Each once, in this order.
template <class Before>
std::vector<Key> merged(std::vector<Key> keys, const std::vector<Key>& more, Before before) {
  keys.insert(keys.end(), more.begin(), more.end());
  std::sort(keys.begin(), keys.end(), before);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

class JobStore final : public Store {
 public:
  JobStore(const Store& shared, std::unique_ptr<Store> own) : shared_(shared), own_(std::move(own)) {}

  void add(const std::vector<std::pair<Key, std::string>>& documents) override {
    check_new(documents);
    std::map<std::pair<std::string, DocumentKind>, std::set<std::string>> known;  // paths, by commit and kind
    std::vector<std::pair<Key, std::string>> missing;
    for (const auto& [key, text] : documents) {
      const auto [of_commit, is_new] = known.try_emplace({key.commit, key.kind});
      if (is_new)
        for (const auto& one : shared_.document_keys_of(key.commit, key.kind))
          of_commit->second.insert(path_of(one));
      const bool is_known = of_commit->second.contains(path_of(key));
      if (is_known && shared_.read(key) != text) refuse_other_text(key);
      if (!is_known && !is_dropped_in_shared(key)) missing.emplace_back(key, text);
    }
    own_->add(missing);
  }

  void require_writable() override { own_->require_writable(); }
  std::vector<Key> find(const KeyFilter& which) const override {
    return merged(shared_.find(which), own_->find(which), is_before);
  }
  std::vector<Key> newest(const std::string& device, std::size_t count_max,
                          const std::string& except_commit) const override {
    auto keys = merged(shared_.newest(device, count_max, except_commit),
                       own_->newest(device, count_max, except_commit), is_newer);
    if (keys.size() > count_max) keys.resize(count_max);
    return keys;
  }

  std::vector<std::string> devices() const override {
    std::set<std::string> all;
    for (const Store* store : {&shared_, static_cast<const Store*>(own_.get())})
      for (auto& device : store->devices()) all.insert(std::move(device));
    return {all.begin(), all.end()};
  }

  std::string read(const Key& key) const override { return holder_of(path_of(key)).read(key); }
  bool can_read_at_once() const override { return shared_.can_read_at_once() && own_->can_read_at_once(); }
  std::vector<StoredFile> files() const override {
    std::map<std::string, StoredFile> by_path;
    for (const Store* store : {&shared_, static_cast<const Store*>(own_.get())})
      for (auto& file : store->files()) by_path.try_emplace(file.path, file);
    std::vector<StoredFile> files;
    for (auto& [path, file] : by_path) files.push_back(std::move(file));
    return files;
  }

  std::string read_file(const std::string& path) const override { return holder_of(path).read_file(path); }
  bool replace(const std::vector<Replacement>&) override {
    throw Error(ExitCode::kUsage, "nothing is dropped or replaced in " + describe(),
                "what one job records apart goes with it; unset TRACKER_RECORD_INTO to drop in " +
                    shared_.describe());
  }
  std::string version() const override {
    const auto of_shared = shared_.version();
    const auto of_own = own_->version();
    return of_shared.empty() && of_own.empty() ? "" : of_shared + kBetweenVersions + of_own;
  }

  std::optional<KeyChanges> changes_since(const std::string& version) const override {
    const auto sign = version.rfind(kBetweenVersions);
    if (sign == std::string::npos && !version.empty()) return {};
    auto changes = shared_.changes_since(version.substr(0, sign));
    const auto own = own_->changes_since(sign == std::string::npos ? "" : version.substr(sign + 1));
    if (!changes || !own) return {};
    const auto by_path = [](const Key& a, const Key& b) { return path_of(a) < path_of(b); };
    changes->added = merged(std::move(changes->added), own->added, by_path);
    changes->dropped = merged(std::move(changes->dropped), own->dropped, by_path);
    if (!changes->version.empty() || !own->version.empty())
      changes->version += kBetweenVersions + own->version;
    return changes;
  }

  std::string describe() const override { return own_->describe() + " over " + shared_.describe(); }

 private:
  // Which of both has the file.
  const Store& holder_of(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    if (std::string now = own_->version(); now != own_version_) {
      own_paths_.clear();
      for (const auto& file : own_->files()) own_paths_.insert(file.path);
      own_version_ = std::move(now);
    }
    return own_paths_.contains(path) ? *own_ : shared_;
  }

  bool is_dropped_in_shared(const Key& key) const {
    try {
      shared_.read_file(tombstone_path_of(key));
      return true;
    } catch (const Unreachable&) {
      throw;
    } catch (const Error&) {
      return false;
    }
  }

  const Store& shared_;
  std::unique_ptr<Store> own_;
  mutable std::mutex mutex_;  // of what follows: several threads may read
  mutable std::string own_version_;
  mutable std::set<std::string> own_paths_;  // at that version
};

}  // namespace

std::unique_ptr<Store> open_job(const Store& shared, std::unique_ptr<Store> own) {
  return std::make_unique<JobStore>(shared, std::move(own));
}

}  // namespace tracker::store
