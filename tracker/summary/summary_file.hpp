// The file of summaries: its tables, what is in them, and how they follow the store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tracker/summary/database.hpp"
#include "tracker/summary/packed_run.hpp"
#include "tracker/summary/run_summaries.hpp"

namespace tracker {

struct SummaryEntry {
  std::int64_t number = 0;
  StoredKey key;
  bool by_document = false;  // there is no summary of it
};

struct SummaryHead {
  std::string format;
  std::string version;  // of the store; empty while a part is missing
  std::int64_t runs = 0;
  std::int64_t next_number = 0;
  bool operator==(const SummaryHead&) const = default;
};

// One process's view of the file. All functions may throw SummaryUnusable and SummaryDamaged.
class SummaryFile {
 public:
  SummaryFile(const Store& store, const std::filesystem::path& path, const SummaryHooks& hooks);

  // False where more than a few documents are missing and only a few runs are asked for.
  bool refresh(bool many);

  Database& database() { return database_; }
  void load();
  const std::vector<SummaryEntry>& entries() const { return entries_; }
  std::vector<Run> read(std::vector<const SummaryEntry*> entries, const Wanted& wanted);
  // In the order of the first entry that has a name.
  std::vector<std::string> names_in(const std::vector<const SummaryEntry*>& entries);

 private:
  struct Layout {
    std::vector<std::int64_t> series;  // of the run's benchmarks, in their order
    std::vector<std::int32_t> places;  // by series: in the order of those that are wanted; −1 for others
    std::int32_t wanted = 0;
  };
  struct Reading {  // of one run
    const SummaryEntry* entry = nullptr;
    std::int64_t environment = 0;
    std::int64_t layout = 0;
    std::int32_t filled = 0;
  };
  struct Values {
    std::int64_t series = 0;
    std::int64_t number = 0;
    std::string bytes;
  };

  std::optional<SummaryHead> read_head();
  void write_head(const SummaryHead& head);
  void write_keys(std::int64_t chunk);
  void load_series();
  std::int64_t series_of(const std::string& device, const std::string& name);
  std::int64_t part_of(const std::string& bytes);
  std::string_view part(std::int64_t id);
  void add(const std::vector<std::pair<StoredKey, std::optional<Run>>>& runs);
  void add_run(const SummaryEntry& entry, const Run& run, std::vector<Values>& values);
  void drop(const std::vector<StoredKey>& keys);
  void add_missing(const std::vector<StoredKey>& missing);
  void fill_frames(std::vector<Reading>& readings, std::vector<Run>& runs);
  void fill_values(std::vector<Reading>& readings, std::vector<Run>& runs, const Wanted& wanted);
  Layout& layout(std::int64_t id, const Wanted& wanted);

  const Store& store_;
  const SummaryHooks& hooks_;
  Database database_;
  SummaryHead head_;
  std::vector<SummaryEntry> entries_;                     // in order of their numbers
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
  Statement get_values_{db_, "SELECT run, bytes FROM value WHERE series = ? AND run >= ? AND run <= ?"};
  Statement put_values_{db_, "INSERT OR REPLACE INTO value VALUES (?, ?, ?)"};
  Statement drop_values_{db_, "DELETE FROM value WHERE series = ? AND run = ?"};
  std::string part_bytes_;
};

}  // namespace tracker
