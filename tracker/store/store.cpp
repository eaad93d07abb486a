#include "tracker/store/store.hpp"

namespace tracker {

void Store::leave_out(const StoredKey& key, const std::string& why, const std::string& remedy) const {
  if (!left_out_paths_.insert(path_of(key)).second) return;
  const std::string drop = "to be rid of it: tracker store drop " + key.id + " --reason TEXT";
  left_out_.push_back({key, why, remedy.empty() ? drop : remedy});
  if (notice_) notice_(left_out_.back());
}

KeyChanges run_changes_from(const Store& store, const std::vector<StoredKey>& known) {
  const auto without = [](std::vector<StoredKey> keys, const std::vector<StoredKey>& others) {
    std::set<std::string> paths;
    for (const auto& key : others) paths.insert(path_of(key));
    std::erase_if(keys, [&](const StoredKey& key) { return paths.contains(path_of(key)); });
    return keys;
  };
  const auto all = store.keys();
  return {.added = without(all, known), .dropped = without(known, all), .version = {}};
}

}  // namespace tracker
