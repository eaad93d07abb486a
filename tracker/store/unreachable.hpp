// What is recorded cannot be had now.
#pragma once

#include "tracker/base/error.hpp"

namespace tracker {

// A reader must not go on with the documents that it has: the answer would be of a part of them.
class StoreUnreachable : public Error {
 public:
  explicit StoreUnreachable(const Error& error) : Error(error) {}
};

}  // namespace tracker
