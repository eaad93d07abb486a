// The summaries of a store's runs, in a database of their own: what histories and trends need, without
// reading the documents. It is derived from the store and never the truth: brought up to date by what changed
// there, made again where it is missing, damaged or of another format, and done without where it cannot be
// written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tracker/model/run.hpp"
#include "tracker/store/store.hpp"
#include "tracker/summary/chunk.hpp"
#include "tracker/summary/packed_run.hpp"

namespace tracker::summary {

// The stored runs of a device as columns: for questions about every run of a long history, which would take
// too long if each run were made into a Run.

class File;
struct Entry;

// Valid while a question is answered (RunSummaries::ask_columns). All functions may throw Damaged.
class RunColumns {
 public:
  // Runs of one device that have summaries, in the order of time.
  RunColumns(File& file, std::vector<const Entry*> entries);

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
  File& file_;
  std::vector<const Entry*> entries_;
  std::int64_t low_ = 0;
  std::vector<std::int32_t> runs_;  // by number, from low_
  mutable std::mutex mutex_;        // of the file and of the texts
  mutable std::unordered_map<std::int64_t, std::shared_ptr<const BenchmarkText>> texts_;
};

// Which benchmarks a question is about, by their names in the documents; all where it is empty.
using WantedNames = std::function<bool(const std::string& name)>;

struct Wanted {
  WantedNames names;
  WantedCounters counters;
  bool code = true;  // the benchmarks' machine code
  // For what noise is learned from: as BenchmarkTimes where that can be, and benchmarks without their binary,
  // attributes and the hash of their own code.
  bool times_apart = false;
};

// How the documents are read, and who is told.
struct Hooks {
  // The document as a run, from its text; an Error where it cannot be used.
  std::function<Run(const store::Key& key, std::string_view text)> parse;
  // Why a document is of no use, whatever tracker reads it; empty where that is not said.
  std::function<std::string(const store::Key& key, std::string_view text)> why_refused;
  // The run of a document of which there is no summary; none where it is left out.
  std::function<std::optional<Run>(const store::Key& key)> read;
  // How many documents were read of how many, while many are. By any thread, one at a time.
  std::function<void(std::size_t done, std::size_t all)> progress;
  // What a person should know, in words.
  std::function<void(const std::string& text)> note;
};

// What comparing stored commits needs of one device.
struct ComparedRuns {
  // Of each commit that was asked for, in the order of time: all that a run says but for single repetitions,
  // and for counters that vary and are not wanted.
  std::vector<std::vector<Run>> of_commits;
  NoiseHistory newest;  // runs that measured something, in the order of time
};

class File;

class RunSummaries {
 public:
  // Nothing is opened before the first question. The store must outlive it.
  RunSummaries(const store::Store& store, std::filesystem::path file, Hooks hooks);
  ~RunSummaries();

  // Each question first looks whether the store has changed. Its answer is what the documents would give, but
  // for the samples: see packed_run.hpp. Nothing where the documents have to be asked.

  // All runs of these commits, and the newest runs that measured something, as Store::newest() has them, in
  // the order of time. Few documents are read for it: where many are not summed up yet, there is no answer.
  std::optional<ComparedRuns> compared(const std::string& device, const std::vector<std::string>& commits,
                                       std::size_t count_max, const std::string& except_commit,
                                       const Wanted& wanted);
  // The device's runs that measured something, of commits that fit, in the order of time.
  std::optional<std::vector<Run>> runs_on(const std::string& device,
                                          const std::function<bool(const std::string& commit)>& fits,
                                          const Wanted& wanted);
  // Lets `act` read the device's runs of commits that fit, as columns; those that measured nothing are among
  // them. False where the documents have to be asked. It may be called a second time, and begins anew then:
  // what it read the first time was damaged.
  bool ask_columns(const std::string& device, const std::function<bool(const std::string& commit)>& fits,
                   const std::function<void(const RunColumns& columns)>& act);
  // Every run's key, in no order.
  std::optional<std::vector<store::Key>> keys();
  // The same where nothing has to be summed up or written for it: of a file that is there already, and what
  // the store says has changed since.
  std::optional<std::vector<store::Key>> known_keys();

 private:
  template <typename Answer>
  std::optional<Answer> ask(bool many, const std::function<Answer(File&)>& question);

  const store::Store& store_;
  std::filesystem::path path_;
  Hooks hooks_;
  std::unique_ptr<File> file_;
  bool is_unusable_ = false;
};

// Where the summaries of a store lie.

// `folder`: of the clone, for all stores.
std::filesystem::path summary_path(const store::Store& store, const std::filesystem::path& folder);

// What the file takes on disk, with what is being written to it; none where there is no file.
std::optional<std::uint64_t> summary_bytes(const std::filesystem::path& file);

}  // namespace tracker::summary
