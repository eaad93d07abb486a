// One side of a comparison that is no commit: a file, or a folder of files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/noise_history.hpp"
#include "tracker/model/run.hpp"

namespace tracker::formats {

struct FileSide {
  std::string path;       // as the user wrote it
  std::vector<Run> runs;  // of one device; invocations of one board are one run, in the order of their dates
  std::optional<NoiseModel> noise;  // that a baseline document was promoted with
  std::string summary;              // "22 files from 2026-11-20"
  std::vector<std::string> notes;   // about how its files could be read
  bool device_known = true;
  bool has_documents = false;                    // runs that state their job themselves
  std::map<std::uint64_t, std::string> sources;  // a fingerprint of each invocation → its file
};

// The device of files that name none, where nobody else says it either.
Device unknown_device();

// What a person calls the device of a file, completed by what the file says: a CPU's threads. One that is
// called by a key ("cpu-…") is that device as it stands.
Device named_device(Device named, const Host& host);

// One Google Benchmark file is one invocation; run and baseline documents are taken as they are. `otherwise`
// is the device of files that do not name theirs, `better` the direction ("lower", "higher") of values that
// do not state it. kUsage for what cannot be read, for files of different devices, and for one invocation
// that is there twice.
FileSide read_file_side(const std::filesystem::path& path, const std::optional<Device>& otherwise,
                        const std::string& better = "");

// kUsage where both sides hold one and the same invocation: what is compared with itself shows no change.
void refuse_shared_invocations(const FileSide& base, const FileSide& candidate);

// Whether the dates show that both sides were measured side by side on one board: of each binary the
// invocations of both, sorted by their start, are pairs of one of each, and each pair starts after the one
// before it.
bool measured_in_turn(const FileSide& base, const FileSide& candidate);
bool measured_in_turn(const Run& base, const Run& candidate);

// The side whose invocation started first in every pair, at least three, of two sides with one run each;
// empty where they took turns or the dates do not tell.
enum class FirstInPairs { kBase, kCandidate };
std::optional<FirstInPairs> always_first(const FileSide& base, const FileSide& candidate);

// Of a side whose files name several hosts, as each execution in a container of its own does: makes them one
// run, in the order of their dates. Sides with documents, or of several boards that are named, stay as they
// are.
void join_hosts(FileSide& side);

// Makes both sides' runs those of one job, whose n-th invocations of a binary are a pair (unless they know
// their round themselves). Each has one run.
void put_in_one_job(FileSide& base, FileSide& candidate);
void put_in_one_job(Run& base, Run& candidate);

// Adds another run's benchmarks and invocations to this one. Counters go into the samples, as they need not
// be the same in both.
void add_run(Run& run, Run other);

}  // namespace tracker::formats
