// Looks after what is recorded: every document checked, one dropped, all of them written to a file and read.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "tracker/model/store_stats.hpp"
#include "tracker/store/copy.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

enum class DocumentState { kGood, kBroken, kNewer, kDropped, kOther };

struct CheckedDocument {
  std::string path;  // in the store
  DocumentState state = DocumentState::kGood;
  std::string remark;  // why it cannot be used; empty where there is nothing to say
};

// Reads every document and tells each. The counts leave out tombstones. kEnvironment where the store cannot
// be reached.
std::map<DocumentState, std::size_t> check_documents(const Store& store,
                                                     const std::function<void(const CheckedDocument&)>& tell);

struct DroppedDocument {
  StoredKey key;
  bool is_new = false;  // it was not dropped before
};

// By its path in the store or its id. A run is dropped whole: its compact document as well, and one that
// another clone makes of it before it hears of this. kUsage where there is none, or several of that id.
DroppedDocument drop_document(Store& store, const std::string& path_or_id, const std::string& reason);

// Whether the run is left out of all answers, as it was dropped: then it stays so when it is recorded again.
// One that was compacted is there all the same.
bool is_dropped_run(const Store& store, const StoredKey& key);

// All documents as lines of JSON into a file, which is there wholly or not at all; "-": into `out`.
// kEnvironment where it cannot be written.
CopiedStore export_documents(const Store& store, const std::string& file, std::ostream& out);

// Adds what the store lacks of such a file; "-": of `in`. kUsage where it cannot be read or is none.
CopiedStore import_documents(Store& store, const std::string& file, std::istream& in);

}  // namespace tracker
