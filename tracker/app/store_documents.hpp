// Looks after what is recorded: every document checked, one dropped, all of them written to a file and read.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>

#include "tracker/app/workspace.hpp"
#include "tracker/model/run.hpp"
#include "tracker/store/copy.hpp"

namespace tracker::app {

// kNewer: of a newer tracker; kDropped: a note that a document was taken out; kOther: no document of ours.
enum class DocumentState { kGood, kBroken, kNewer, kDropped, kOther };

struct CheckedDocument {
  std::string path;  // in the store
  DocumentState state = DocumentState::kGood;
  std::string remark;  // why it cannot be used; empty where there is nothing to say
};

// Reads every document and tells each. The counts leave out tombstones. kEnvironment where the store cannot
// be reached.
std::map<DocumentState, std::size_t> check_documents(const store::Store& store,
                                                     const std::function<void(const CheckedDocument&)>& tell);

struct DroppedDocument {
  store::Key key;
  bool is_new = false;  // it was not dropped before
};

// By its path in the store or its id. A run is dropped whole: its compact document as well, and one that
// another clone makes of it before it hears of this. kUsage where there is none, or several of that id.
DroppedDocument drop_document(store::Store& store, const std::string& path_or_id, const std::string& reason);

// Whether the run is left out of all answers, as it was dropped: then it stays so when it is recorded again.
// One that was compacted is there all the same.
bool is_dropped_run(const store::Store& store, const store::Key& key);

// All documents as lines of JSON into a file, which is there wholly or not at all; "-": into `out`.
// kEnvironment where it cannot be written.
store::CopiedStore export_documents(const store::Store& store, const std::string& file, std::ostream& out);

// Adds what the store lacks of such a file; "-": of `in`. kUsage where it cannot be read or is none.
store::CopiedStore import_documents(store::Store& store, const std::string& file, std::istream& in);

// Documents of old runs replaced by compact ones, without their single repetitions.

struct CompactRequest {
  std::chrono::system_clock::time_point before;  // runs that started earlier are old
  std::string device;                            // only those that match this pattern; empty: all
  bool apply = false;                            // else nothing is written
  std::string dropped_at;                        // of the tombstones
};

// Old runs by what is done with them, and what their documents take.
struct CompactOutcome {
  std::size_t runs = 0;           // in the store
  std::size_t replaced = 0;       // or would be
  std::size_t compacted = 0;      // were so before
  std::size_t not_worth = 0;      // would not become a tenth smaller
  std::size_t not_exact = 0;      // a summary of them would not give the same answers, or they cannot be read
  std::uint64_t text_before = 0;  // bytes, of those that are replaced
  std::uint64_t text_after = 0;
  std::uint64_t compressed_before = 0;  // by zlib, each document by itself
  std::uint64_t compressed_after = 0;
};

// Of each old run, keeps what its summary has: of every benchmark's repetitions in an invocation the least
// time and the one or two in the middle, and of counters that vary the greatest value as well. Each compact
// document is read back, and used only if it gives the same summary, byte for byte. A document and its
// replacement change places in one step of the store, some at a time, so that what was interrupted goes on
// where it was. The same run gives the same document in every clone. Throws Unreachable (kEnvironment)
// where the store is no longer there.
CompactOutcome compact_store(const Workspace& workspace, const CompactRequest& request,
                             const std::function<void(std::size_t done, std::size_t all)>& progress);

// What the store of a repository holds, and what it takes.

// No more documents are read than this, however many there are.
inline constexpr std::size_t kSampledRunsMax = 20;

// Reads the newest runs' documents for what their samples come to; sizes of all others come from the store,
// unread. Nothing is fetched: what a partial clone has left out is counted. kEnvironment where the store
// cannot be read.
StoreStats store_stats(const Workspace& workspace);

}  // namespace tracker::app
