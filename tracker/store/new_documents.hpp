// What a store is asked to add, checked before it is touched.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracker/store/stored_key.hpp"

namespace tracker {

using NewDocuments = std::map<std::string, std::pair<StoredKey, std::string_view>>;  // by path

// kUsage for a key that is not valid, a text larger than any document, and two texts for one key. The texts
// are those of `documents`.
NewDocuments check_new(const std::vector<std::pair<StoredKey, std::string>>& documents);

// kUsage: what is recorded is never changed.
[[noreturn]] void refuse_other_text(const StoredKey& key);

// "run 'gpu/aa/aa…/1.json'"
std::string named(const StoredKey& key);

}  // namespace tracker
