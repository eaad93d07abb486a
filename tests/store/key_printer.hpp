// How a failed expectation shows a key.
#pragma once

#include <ostream>

#include "tracker/store/store.hpp"

namespace tracker::store {

inline void PrintTo(const Key& key, std::ostream* out) {
  *out << key.device << '/' << key.commit << '/' << key.id;
}

}  // namespace tracker::store
