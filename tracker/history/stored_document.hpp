// Documents out of the store, taken for what their keys say only after a look. One that cannot be used costs
// itself and nothing else: it is left out, and whoever opened the store is told.
#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/store/copy.hpp"
#include "tracker/store/store.hpp"

namespace tracker::history {

struct UnusableDocument {
  std::string why;
  std::string remedy;     // as Store::leave_out() takes it
  bool is_newer = false;  // a newer tracker wrote it: nothing is wrong with it, and this one cannot read it
};
// Why the text is not the document that lies at the key; none where it is. Unusable are empty text, no such
// document, another commit, device or id within.
std::optional<UnusableDocument> why_unusable(const store::Key& key, std::string_view text);

// The text as the document that lies at the key; an Error that says why it cannot be used.
Run parse_stored_run(const store::Key& key, std::string_view text);

// A run as it was read, or why it is left out.
struct ReadRun {
  store::Key key;
  std::optional<Run> run;
  std::optional<UnusableDocument> unusable;
};

// The documents at these keys, in their order, by all cores. Nobody is told yet what is left out. Throws
// Unreachable (kEnvironment) where the store is no longer there.
std::vector<ReadRun> read_at_once(const store::Store& store, const std::vector<store::Key>& keys);

// Tells it, and gives the others, in their order.
std::vector<Run> take_usable(const store::Store& store, std::vector<ReadRun> documents);

// None for what is left out.
std::optional<Run> read_stored_run(const store::Store& store, const store::Key& key);

// What was counted of a commit, out of the store.

// All profiles of the commit, of all devices, newest first.
std::vector<Profile> profiles_of(const store::Store& store, const std::string& commit);

// One profile a device, in order of its key, with every benchmark that any of them has: one profiled twice as
// the newest has it, all else from the newest. Those of a dirty tree count only where a device has no other.
// `profiles`: of one commit, newest first.
std::vector<Profile> merge_profiles(const std::vector<Profile>& profiles);

// A whole store as one file, and back: docs/documents.md.

// Every document and tombstone of the store, in order of their paths. kEnvironment where it cannot be
// written.
store::CopiedStore write_history(const store::Store& store, std::ostream& out);

// Adds what the store lacks. The same file again adds nothing. kUsage, naming line and path, for what is no
// history and for a text other than the one that is recorded; what came before it stays recorded.
store::CopiedStore read_history(std::istream& in, const std::string& source, store::Store& store);

}  // namespace tracker::history
