// What a store holds. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracker {

struct DeviceStats {
  std::string device;  // its key
  std::size_t runs = 0;
  std::size_t commits = 0;  // with runs
  std::string newest;       // run: "2026-11-20T12:49:01Z"; its id where that states no time
};

// Of all documents, dropped ones as well.
struct DocumentSizes {
  std::size_t runs = 0;
  std::size_t others = 0;
  std::uint64_t run_bytes = 0;  // as text
  std::uint64_t other_bytes = 0;
  std::size_t not_here = 0;                   // left out by a partial clone; not counted above
  std::optional<std::uint64_t> packed_bytes;  // their bodies in a database
};

// What git keeps for a whole repository: code and store.
struct GitDisk {
  std::size_t loose_objects = 0;
  std::size_t packed_objects = 0;
  std::size_t packs = 0;
  std::uint64_t loose_bytes = 0;
  std::uint64_t packed_bytes = 0;
};

// The samples of some runs without all that is stored around them: eight bytes a number.
struct SampledRuns {
  std::size_t runs = 0;
  std::size_t samples = 0;
  std::uint64_t text_bytes = 0;  // of these runs' documents
  std::uint64_t number_bytes = 0;
  std::uint64_t compressed_bytes = 0;  // of the numbers, by zlib, each run by itself
};

// What readers see, unless something else is said: what was dropped is counted apart.
struct StoreStats {
  std::string store;  // in words
  std::size_t runs = 0;
  std::size_t profiles = 0;
  std::size_t tombstones = 0;
  std::size_t others = 0;            // files that are not of tracker
  std::size_t commits = 0;           // with runs
  std::string oldest;                // run, as DeviceStats::newest; empty where there is none
  std::string newest;                // likewise
  std::vector<DeviceStats> devices;  // in the order of their keys
  DocumentSizes documents;
  SampledRuns sampled;
  std::optional<GitDisk> git;                  // none for a database
  std::optional<std::uint64_t> summary_bytes;  // the file that histories are read from; none: not made yet
};

}  // namespace tracker
