// Documents of old runs replaced by compact ones, without their single repetitions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "tracker/app/workspace.hpp"

namespace tracker {

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
// where it was. The same run gives the same document in every clone.
CompactOutcome compact_store(const Workspace& workspace, const CompactRequest& request,
                             const std::function<void(std::size_t done, std::size_t all)>& progress);

}  // namespace tracker
