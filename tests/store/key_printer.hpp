// How a failed expectation shows a key.
#pragma once

#include <ostream>

#include "tracker/store/store.hpp"

namespace tracker {

inline void PrintTo(const StoredKey& key, std::ostream* out) {
  *out << key.device << '/' << key.commit << '/' << key.id;
}

}  // namespace tracker
