// A whole store as one file, and back: docs/formats.md.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "tracker/store/copy.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

// Every document and tombstone of the store, in order of their paths. kEnvironment where it cannot be
// written.
CopiedStore write_history(const Store& store, std::ostream& out);

// Adds what the store lacks. The same file again adds nothing. kUsage, naming line and path, for what is no
// history and for a text other than the one that is recorded; what came before it stays recorded.
CopiedStore read_history(std::istream& in, const std::string& source, Store& store);

}  // namespace tracker
