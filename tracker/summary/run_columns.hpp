// The stored runs of a device as columns: for questions about every run of a long history, which would take
// too long if each run were made into a Run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/summary/chunk.hpp"
#include "tracker/summary/packed_run.hpp"

namespace tracker {

class SummaryFile;
struct SummaryEntry;

// Valid while a question is answered (RunSummaries::ask_columns). All functions may throw SummaryDamaged.
class RunColumns {
 public:
  // Runs of one device that have summaries, in the order of time.
  RunColumns(SummaryFile& file, std::vector<const SummaryEntry*> entries);

  // Calls `visit` for each run, in the order of time, with all that it says of itself but its benchmarks and
  // samples, and with the id of its list of benchmarks, which many runs share. The run is valid until it
  // returns.
  using VisitFrame = std::function<void(std::size_t run, const Run& frame, std::int64_t layout)>;
  void for_each_frame(const VisitFrame& visit) const;

  // The same of one run.
  Run frame_of(std::size_t run) const;

  // The series of a list of benchmarks, in the order of the list; and the benchmark's name in the documents.
  std::vector<std::int64_t> series_in(std::int64_t layout) const;
  const std::string& name_of(std::int64_t series) const;

  // By any thread:

  // The chunks that have values of the series in these runs, and others. Oldest first.
  std::vector<std::string> chunks_of(std::int64_t series) const;
  // The run of a row; −1 where it is none of these.
  std::int32_t run_of(const Chunk::Row& row) const;
  // What the benchmark of a row is.
  std::shared_ptr<const BenchmarkText> text_of(const Chunk::Row& row) const;

 private:
  SummaryFile& file_;
  std::vector<const SummaryEntry*> entries_;
  std::int64_t low_ = 0;
  std::vector<std::int32_t> runs_;  // by number, from low_
  mutable std::mutex mutex_;        // of the file and of the texts
  mutable std::unordered_map<std::int64_t, std::shared_ptr<const BenchmarkText>> texts_;
};

}  // namespace tracker
