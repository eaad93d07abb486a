#include "tracker/store/store.hpp"

namespace tracker {

void Store::leave_out(const StoredKey& key, const std::string& why) const {
  if (left_out_.insert(path_of(key)).second && notice_) notice_(key, why);
}

}  // namespace tracker
