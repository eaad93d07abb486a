// The file of summaries: its tables, what is in them, and how they follow the store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tracker/store/store.hpp"
#include "tracker/summary/database.hpp"
#include "tracker/summary/packed_run.hpp"
#include "tracker/summary/run_summaries.hpp"

namespace tracker::summary {

// What comes of a document. Neither a run nor a reason where it has to be read whenever it is asked for.
struct NewSummary {
  store::Key key;
  std::optional<PackedRun> run;
  std::string why_refused;
};

struct Entry {
  // The device, counted from 0, times kDeviceNumbers, and the run's place among those of the device.
  std::int64_t number = 0;
  store::Key key;
  bool by_document = false;  // there is no summary of it
  std::string why_refused;   // what is wrong with it, where that is known: it is not read again
};

inline constexpr std::int64_t kDeviceNumbers = std::int64_t{1} << 32U;

struct Head {
  std::string format;
  std::string version;  // of the store; empty while a part is missing
  std::int64_t runs = 0;
  std::int64_t edition = 0;  // counts up
  std::int64_t file = 0;     // drawn when the file was made: no row of another one passes for its own
  bool operator==(const Head&) const = default;
};

// One process's view of the file. All functions may throw Unusable and Damaged.
class File {
 public:
  File(const store::Store& store, const std::filesystem::path& path, const Hooks& hooks);

  // False where more than a few documents are missing and only a few runs are asked for.
  bool refresh(bool many);

  Database& database() { return database_; }
  void load();
  // Of the store, as this view has it; empty while a part is missing.
  const std::string& version() const { return head_.version; }
  const std::vector<Entry>& entries() const { return entries_; }
  // Two lists of runs at once, in the order of time, each chunk of values read once: `some` without what
  // measured nothing; `whole` with it, with the machine code and with all counters that do not vary, whatever
  // is wanted.
  struct TwoLists {
    std::vector<Run> whole;
    NoiseHistory some;
  };
  TwoLists read(std::vector<const Entry*> whole, std::vector<const Entry*> some, const Wanted& wanted);
  // For RunColumns. Calls `visit` for each of these entries, in their order; all of them have summaries.
  // `environment`: a run with nothing else; `bytes`: the rest (unpack_frame); `layout`: its list of
  // benchmarks.
  using VisitFrame = std::function<void(std::size_t entry, const Run& environment, std::string_view bytes,
                                        std::int64_t layout)>;
  void for_frames(const std::vector<const Entry*>& entries, const VisitFrame& visit);
  std::vector<std::int64_t> series_in(std::int64_t layout);
  const std::string& name_of(std::int64_t series) const;
  // Of the runs from number `low` to number `high`, oldest first.
  std::vector<std::string> chunks_of(std::int64_t series, std::int64_t low, std::int64_t high);
  BenchmarkText text(std::int64_t id);

 private:
  struct Layout {
    std::vector<std::int64_t> series;  // of the run's benchmarks, in their order
    std::vector<std::int32_t> places;  // by series: in the order of those that are wanted; −1 for others
    std::int32_t wanted = 0;
  };
  struct Reading {  // of one run
    const Entry* entry = nullptr;
    bool is_whole = false;
    std::int64_t layout_id = 0;
    const Layout* layout = nullptr;  // of that
    std::int32_t filled = 0;
  };
  // A run for each reading.
  struct Filled {
    std::vector<Run> runs;
    std::vector<BenchmarkTimes> times;  // in the readings of these numbers
  };
  class Texts;
  // The runs that are read, by their numbers.
  struct RunPlaces {
    struct Place {
      std::int32_t some = -1;  // −1: not read
      std::int32_t whole = -1;
    };
    std::int64_t low = 0;
    std::vector<Place> runs;  // from `low` on

    Place of(std::int64_t number) const {
      const auto place = static_cast<std::size_t>(number - low);
      return number < low || place >= runs.size() ? Place{} : runs[place];
    }
  };
  struct ReadChunk {
    std::int64_t series = 0;
    std::string bytes;
    std::unique_ptr<UnpackedChunk> chunk;  // of them
  };
  // By series and chunk.
  using NewValues = std::map<std::int64_t, std::vector<ChunkRun>>;

  // What the checksum of a row is of, so that no row passes for another.
  enum class Kind : std::uint64_t { kHead = 1, kKeys, kRun, kPart, kSeries, kChunk };
  std::uint64_t place_of(Kind kind, std::int64_t number) const;
  std::optional<Head> read_head();
  void write_head(Head head);
  void write_keys(std::int64_t chunk);
  void load_series();
  std::int64_t series_of(const std::string& device, const std::string& name);
  std::int64_t part_of(const std::string& bytes);
  std::string_view part(std::int64_t id);
  void add(std::vector<NewSummary>& runs);
  void add_run(const Entry& entry, PackedRun& run, NewValues& values);
  std::vector<ChunkRun> runs_in_chunk(std::int64_t place);
  void write_chunk(std::int64_t place, const std::vector<ChunkRun>& runs);
  void drop(const std::vector<store::Key>& keys);
  NewSummary read_and_pack(const store::Key& key, std::mutex& reading) const;
  void add_missing(const std::vector<store::Key>& missing);
  std::optional<store::KeyChanges> changes_in_store(bool many) const;
  void for_chunks(std::int64_t series, std::int64_t low, std::int64_t high,
                  const std::function<void(std::string_view bytes)>& visit);
  Filled fill(std::vector<Reading>& readings, const Wanted& wanted);
  std::vector<Run> in_order_of(const std::vector<const Entry*>& entries, const std::vector<Reading>& readings,
                               std::vector<Run>& packed, bool with_empty, std::vector<std::uint32_t>& places);
  void fill_values(std::vector<Reading>& readings, Filled& filled, const Wanted& wanted);
  static void unpack(std::vector<ReadChunk>& chunks, const RunPlaces& places, const Wanted& wanted);
  void put_chunks(const std::vector<ReadChunk>& chunks, std::vector<Reading>& readings,
                  const RunPlaces& places, Filled& filled, const Wanted& wanted);
  Layout& layout(std::int64_t id, const Wanted& wanted);

  const store::Store& store_;
  const Hooks& hooks_;
  Database database_;
  Head head_;
  std::int64_t heads_written_ = 0;                        // by this object
  std::vector<Entry> entries_;                            // in order of their numbers
  std::unordered_map<std::string, std::int64_t> series_;  // by device and name
  std::vector<std::string> series_names_;                 // by id
  std::unordered_map<std::string, std::int64_t> known_parts_;
  std::size_t known_bytes_ = 0;
  std::unordered_map<std::int64_t, Layout> layouts_;  // of one question

  sqlite3* db_ = database_.handle();
  Statement begin_read_{db_, "SELECT bytes FROM head WHERE id = 1"};
  Statement put_head_{db_, "INSERT OR REPLACE INTO head VALUES (1, ?)"};
  Statement all_keys_{db_, "SELECT chunk, bytes FROM keys ORDER BY chunk"};
  Statement put_keys_{db_, "INSERT OR REPLACE INTO keys VALUES (?, ?)"};
  Statement get_runs_{db_, "SELECT number, bytes FROM run WHERE number >= ? AND number <= ? ORDER BY number"};
  Statement put_run_{db_, "INSERT OR REPLACE INTO run VALUES (?, ?)"};
  Statement drop_run_{db_, "DELETE FROM run WHERE number = ?"};
  Statement get_part_{db_, "SELECT bytes FROM part WHERE id = ?"};
  Statement find_part_{db_, "SELECT id, bytes FROM part WHERE sum = ?"};
  Statement last_part_{db_, "SELECT max(id) FROM part"};
  Statement put_part_{db_, "INSERT INTO part VALUES (?, ?, ?)"};
  Statement all_series_{db_, "SELECT id, bytes FROM series ORDER BY id"};
  Statement put_series_{db_, "INSERT INTO series VALUES (?, ?)"};
  Statement get_chunks_{db_, "SELECT place, bytes FROM chunk WHERE place >= ? AND place <= ? ORDER BY place"};
  Statement put_chunk_{db_, "INSERT OR REPLACE INTO chunk VALUES (?, ?)"};
  Statement drop_chunk_{db_, "DELETE FROM chunk WHERE place = ?"};
  std::string part_bytes_;
};

}  // namespace tracker::summary
