// A store in which one job records apart from the store that it shares with others and only reads.
#pragma once

#include <memory>

#include "tracker/store/store.hpp"

namespace tracker::store {

// Reads answer from both; what is added goes to `own` alone, and nothing is dropped. A document of the shared
// store stands: the same text again adds nothing, another one is refused (kUsage). One that was dropped there
// stays dropped. `shared` must outlive the store.
std::unique_ptr<Store> open_job(const Store& shared, std::unique_ptr<Store> own);

}  // namespace tracker::store
