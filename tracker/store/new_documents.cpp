#include "tracker/store/new_documents.hpp"

#include "tracker/base/error.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

std::string named(const StoredKey& key) {
  return word_for(key.kind) + " '" + path_of(key) + "'";
}

NewDocuments check_new(const std::vector<std::pair<StoredKey, std::string>>& documents) {
  NewDocuments result;
  for (const auto& [key, text] : documents) {
    require_valid(key);
    if (text.size() > kDocumentBytesMax)
      throw Error(ExitCode::kUsage,
                  "run '" + key.id + "' has " + std::to_string(text.size()) + " bytes, more than " +
                      std::to_string(kDocumentBytesMax),
                  "measure fewer benchmarks in one run");
    const auto [there, added] = result.try_emplace(path_of(key), key, text);
    if (!added && there->second.second != text)
      throw Error(ExitCode::kUsage, named(key) + " is given twice, with different contents",
                  "give each run an id of its own");
  }
  return result;
}

void refuse_other_text(const StoredKey& key) {
  throw Error(ExitCode::kUsage, named(key) + " is already recorded, with other contents",
              "what is recorded is never changed: record it under a new run id");
}

}  // namespace tracker
