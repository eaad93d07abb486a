#include "tracker/summary/summary_file.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/summary/fetcher.hpp"
#include "tracker/summary/packed.hpp"

namespace tracker {
namespace {

// So many documents are read for a question about few runs.
constexpr std::size_t kFewDocuments = 64;
// So many runs are written at once: what an interruption costs.
constexpr std::size_t kBatchRuns = 32;
constexpr std::int64_t kChunkRuns = 256;  // that one row of keys holds

// What a checksum is of, so that no row passes for another.
enum class Kind : std::uint64_t { kHead = 1, kKeys, kRun, kPart, kSeries, kValues };

std::uint64_t place_of(Kind kind, std::int64_t number, std::int64_t second = 0) {
  return static_cast<std::uint64_t>(kind) << 60U ^ static_cast<std::uint64_t>(second) << 30U ^
         static_cast<std::uint64_t>(number);
}

constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY, bytes BLOB);"
    "CREATE TABLE IF NOT EXISTS keys (chunk INTEGER PRIMARY KEY, bytes BLOB);"
    "CREATE TABLE IF NOT EXISTS run (number INTEGER PRIMARY KEY, bytes BLOB);"
    "CREATE TABLE IF NOT EXISTS part (id INTEGER PRIMARY KEY, sum INTEGER, bytes BLOB);"
    "CREATE INDEX IF NOT EXISTS part_by_sum ON part (sum);"
    "CREATE TABLE IF NOT EXISTS series (id INTEGER PRIMARY KEY, bytes BLOB);"
    // A series lies in one place, in the order of its runs: both one trend and the newest runs of all are
    // near.
    "CREATE TABLE IF NOT EXISTS value (series INTEGER, run INTEGER, bytes BLOB, PRIMARY KEY (series, run)) "
    "WITHOUT ROWID;";

}  // namespace

SummaryFile::SummaryFile(const Store& store, const std::filesystem::path& path, const SummaryHooks& hooks)
    : store_(store), hooks_(hooks), database_(path, kTables) {
  load();
}

std::optional<SummaryHead> SummaryFile::read_head() {
  if (!begin_read_.step()) return {};
  SummaryHead head;
  auto unpacker = Unpacker::unseal(begin_read_.bytes(0), place_of(Kind::kHead, 1));
  unpacker("format", head.format);
  unpacker("version", head.version);
  unpacker("runs", head.runs);
  unpacker("next", head.next_number);
  begin_read_.reset();
  return head;
}

void SummaryFile::write_head(const SummaryHead& head) {
  Packer packer;
  packer("format", head.format);
  packer("version", head.version);
  packer("runs", head.runs);
  packer("next", head.next_number);
  put_head_.bind(1, packer.sealed(place_of(Kind::kHead, 1))).run();
  head_ = head;
}

// Reads what another process may have written; cheap where none has.
void SummaryFile::load() {
  const auto head = read_head();
  if (head && *head == head_) return;
  entries_.clear();
  series_.clear();
  series_names_.clear();
  known_parts_.clear();
  head_ = head.value_or(SummaryHead{packed_format(), "", 0, 0});
  if (head_.format != packed_format()) throw SummaryDamaged{""};
  while (all_keys_.step()) {
    const std::int64_t chunk = all_keys_.whole(0);
    auto unpacker = Unpacker::unseal(all_keys_.bytes(1), place_of(Kind::kKeys, chunk));
    std::string device;
    while (!unpacker.at_end()) {
      SummaryEntry& entry = entries_.emplace_back();
      entry.number = static_cast<std::int64_t>(unpacker.whole());
      entry.by_document = unpacker.whole() != 0;
      entry.key.device = unpacker.bytes();
      entry.key.commit = unpacker.bytes();
      entry.key.id = unpacker.bytes();
    }
  }
  if (static_cast<std::int64_t>(entries_.size()) != head_.runs) throw SummaryDamaged{"keys are missing"};
  load_series();
}

void SummaryFile::load_series() {
  while (all_series_.step()) {
    const std::int64_t id = all_series_.whole(0);
    if (id != static_cast<std::int64_t>(series_names_.size())) throw SummaryDamaged{"a series is missing"};
    auto unpacker = Unpacker::unseal(all_series_.bytes(1), place_of(Kind::kSeries, id));
    const std::string device(unpacker.bytes());
    const std::string name(unpacker.bytes());
    series_.emplace(device + '\n' + name, id);
    series_names_.push_back(name);
  }
}

void SummaryFile::write_keys(std::int64_t chunk) {
  Packer packer;
  auto entry = std::partition_point(entries_.begin(), entries_.end(),
                                    [&](const SummaryEntry& one) { return one.number < chunk * kChunkRuns; });
  for (; entry != entries_.end() && entry->number < (chunk + 1) * kChunkRuns; ++entry) {
    packer.whole(static_cast<std::uint64_t>(entry->number));
    packer.whole(entry->by_document ? 1 : 0);
    packer.bytes(entry->key.device);
    packer.bytes(entry->key.commit);
    packer.bytes(entry->key.id);
  }
  put_keys_.bind(1, chunk).bind(2, packer.sealed(place_of(Kind::kKeys, chunk))).run();
}

std::int64_t SummaryFile::series_of(const std::string& device, const std::string& name) {
  const auto id = static_cast<std::int64_t>(series_names_.size());
  const auto [place, is_new] = series_.try_emplace(device + '\n' + name, id);
  if (!is_new) return place->second;
  series_names_.push_back(name);
  Packer packer;
  packer.bytes(device);
  packer.bytes(name);
  put_series_.bind(1, id).bind(2, packer.sealed(place_of(Kind::kSeries, id))).run();
  return id;
}

std::int64_t SummaryFile::part_of(const std::string& bytes) {
  constexpr std::size_t kKnownBytesMax = std::size_t{32} << 20U;
  if (const auto known = known_parts_.find(bytes); known != known_parts_.end()) return known->second;
  const std::int64_t sum = checksum(bytes, 0);
  std::optional<std::int64_t> found;
  find_part_.bind(1, sum);
  while (find_part_.step())
    if (find_part_.bytes(1).substr(std::min<std::size_t>(4, find_part_.bytes(1).size())) == bytes)
      found = find_part_.whole(0);
  if (!found) {
    last_part_.step();
    found = last_part_.whole(0) + 1;
    last_part_.reset();
    Packer packer;
    put_part_.bind(1, *found).bind(2, sum);
    std::uint32_t seal = checksum(bytes, place_of(Kind::kPart, *found));
    std::string sealed(sizeof seal, '\0');
    std::memcpy(sealed.data(), &seal, sizeof seal);
    put_part_.bind(3, sealed + bytes).run();
  }
  known_bytes_ += bytes.size();
  if (known_bytes_ > kKnownBytesMax) {
    known_parts_.clear();
    known_bytes_ = bytes.size();
  }
  known_parts_.emplace(bytes, *found);
  return *found;
}

// Until the next part is asked for.
std::string_view SummaryFile::part(std::int64_t id) {
  if (!get_part_.bind(1, id).step()) throw SummaryDamaged{"a part is missing"};
  part_bytes_ = get_part_.bytes(0);
  get_part_.reset();
  Unpacker::unseal(part_bytes_, place_of(Kind::kPart, id));
  return std::string_view(part_bytes_).substr(sizeof(std::uint32_t));
}

void SummaryFile::add_run(const SummaryEntry& entry, const Run& run, std::vector<Values>& values) {
  Packer layout;
  for (const auto& benchmark : run.benchmarks) {
    const std::int64_t series = series_of(entry.key.device, benchmark.name);
    layout.whole(static_cast<std::uint64_t>(series));
    const BenchmarkText text = benchmark_text(run, benchmark);
    Packer row;
    row.whole(static_cast<std::uint64_t>(part_of(pack_text(text))));
    row.bytes(pack_values(run, benchmark, text));
    values.push_back({series, entry.number, row.sealed(place_of(Kind::kValues, entry.number, series))});
  }
  Packer frame;
  frame.whole(static_cast<std::uint64_t>(part_of(pack_environment(run))));
  frame.whole(static_cast<std::uint64_t>(part_of(layout.bytes())));
  frame.bytes(pack_frame(run));
  put_run_.bind(1, entry.number).bind(2, frame.sealed(place_of(Kind::kRun, entry.number))).run();
}

// In one transaction. What another process has added meanwhile is passed over.
void SummaryFile::add(const std::vector<std::pair<StoredKey, std::optional<Run>>>& runs) {
  Transaction transaction(database_, true);
  load();
  std::set<std::string> known;
  for (const auto& entry : entries_) known.insert(path_of(entry.key));
  SummaryHead head = head_;
  std::vector<Values> values;
  std::set<std::int64_t> chunks;
  for (const auto& [key, run] : runs) {
    if (!known.insert(path_of(key)).second) continue;
    SummaryEntry& entry = entries_.emplace_back();
    entry.number = head.next_number++;
    entry.key = key;
    entry.by_document = !run || !can_be_packed(*run);
    if (!entry.by_document) add_run(entry, *run, values);
    chunks.insert(entry.number / kChunkRuns);
    ++head.runs;
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const Values& a, const Values& b) { return a.series < b.series; });
  for (const auto& row : values) put_values_.bind(1, row.series).bind(2, row.number).bind(3, row.bytes).run();
  for (const std::int64_t chunk : chunks) write_keys(chunk);
  write_head(head);
  transaction.commit();
}

void SummaryFile::drop(const std::vector<StoredKey>& keys) {
  if (keys.empty()) return;
  Transaction transaction(database_, true);
  load();
  std::set<std::string> paths;
  for (const auto& key : keys) paths.insert(path_of(key));
  std::set<std::int64_t> chunks;
  for (const auto& entry : entries_)
    if (paths.contains(path_of(entry.key))) {
      drop_run_.bind(1, entry.number).run();
      for (std::size_t series = 0; series < series_names_.size(); ++series)
        drop_values_.bind(1, static_cast<std::int64_t>(series)).bind(2, entry.number).run();
      chunks.insert(entry.number / kChunkRuns);
    }
  std::erase_if(entries_, [&](const SummaryEntry& entry) { return paths.contains(path_of(entry.key)); });
  for (const std::int64_t chunk : chunks) write_keys(chunk);
  SummaryHead head = head_;
  head.runs = static_cast<std::int64_t>(entries_.size());
  write_head(head);
  transaction.commit();
}

void SummaryFile::add_missing(const std::vector<StoredKey>& missing) {
  Fetcher fetcher(store_, missing);
  std::vector<std::pair<StoredKey, std::optional<Run>>> batch;
  for (std::size_t done = 1; done <= missing.size(); ++done) {
    const Fetched fetched = fetcher.next();
    std::optional<Run> run;
    try {
      if (fetched.text) run = hooks_.parse(fetched.key, *fetched.text);
    } catch (const Error&) {
      run.reset();  // whoever asks for it reads the document, and is told
    }
    batch.emplace_back(fetched.key, std::move(run));
    if (batch.size() < kBatchRuns && done < missing.size()) continue;
    add(batch);
    batch.clear();
    if (missing.size() > kFewDocuments && hooks_.progress) hooks_.progress(done, missing.size());
  }
}

bool SummaryFile::refresh(bool many) {
  const std::string version = store_.version();
  if (head_.version == version && !version.empty()) return true;
  {
    const Transaction transaction(database_, false);
    load();
  }
  if (head_.version == version) return true;
  auto changes = head_.version.empty() ? std::nullopt : store_.changes_since(head_.version);
  if (!changes) {
    if (!many && store_.run_count() > entries_.size() + kFewDocuments) return false;
    changes.emplace();
    changes->added = store_.keys();
    for (const auto& entry : entries_) changes->dropped.push_back(entry.key);
    const auto take_common = [](std::vector<StoredKey>& from, const std::vector<StoredKey>& other) {
      std::set<std::string> paths;
      for (const auto& key : other) paths.insert(path_of(key));
      std::erase_if(from, [&](const StoredKey& key) { return paths.contains(path_of(key)); });
    };
    const auto all = changes->added;
    take_common(changes->added, changes->dropped);
    take_common(changes->dropped, all);
  }
  const auto is_profile = [](const StoredKey& key) { return key.kind != DocumentKind::kRun; };
  std::erase_if(changes->added, is_profile);
  std::erase_if(changes->dropped, is_profile);
  if (!many && changes->added.size() > kFewDocuments) return false;
  drop(changes->dropped);
  std::sort(changes->added.begin(), changes->added.end(),
            [](const StoredKey& a, const StoredKey& b) { return a.id < b.id; });
  if (!changes->added.empty()) add_missing(changes->added);
  Transaction transaction(database_, true);
  load();
  SummaryHead head = head_;
  head.version = version;
  write_head(head);
  transaction.commit();
  return true;
}

SummaryFile::Layout& SummaryFile::layout(std::int64_t id, const Wanted& wanted) {
  const auto [place, is_new] = layouts_.try_emplace(id);
  Layout& layout = place->second;
  if (!is_new) return layout;
  layout.places.assign(series_names_.size(), -1);
  Unpacker unpacker(part(id));
  while (!unpacker.at_end()) {
    const std::uint64_t series = unpacker.whole();
    if (series >= series_names_.size()) throw SummaryDamaged{"a series is missing"};
    layout.series.push_back(static_cast<std::int64_t>(series));
    if (!wanted.names || wanted.names(series_names_[series])) layout.places[series] = layout.wanted++;
  }
  return layout;
}

void SummaryFile::fill_frames(std::vector<Reading>& readings, std::vector<Run>& runs) {
  std::unordered_map<std::int64_t, Run> environments;
  const auto fill = [&](Reading& reading, Run& run, std::string_view bytes) {
    auto unpacker = Unpacker::unseal(bytes, place_of(Kind::kRun, reading.entry->number));
    reading.environment = static_cast<std::int64_t>(unpacker.whole());
    reading.layout = static_cast<std::int64_t>(unpacker.whole());
    unpack_frame(unpacker.bytes(), run);
  };
  std::vector<std::size_t> by_number(readings.size());
  for (std::size_t i = 0; i < by_number.size(); ++i) by_number[i] = i;
  std::sort(by_number.begin(), by_number.end(), [&](std::size_t a, std::size_t b) {
    return readings[a].entry->number < readings[b].entry->number;
  });
  get_runs_.bind(1, readings[by_number.front()].entry->number)
      .bind(2, readings[by_number.back()].entry->number);
  std::size_t at = 0;
  while (get_runs_.step()) {
    if (at == by_number.size() || get_runs_.whole(0) < readings[by_number[at]].entry->number) continue;
    if (get_runs_.whole(0) != readings[by_number[at]].entry->number) throw SummaryDamaged{"a run is missing"};
    fill(readings[by_number[at]], runs[by_number[at]], get_runs_.bytes(1));
    ++at;
  }
  if (at != by_number.size()) throw SummaryDamaged{"a run is missing"};
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const auto [place, is_new] = environments.try_emplace(readings[i].environment);
    if (is_new) unpack_environment(part(readings[i].environment), place->second);
    runs[i].device = place->second.device;
    runs[i].software = place->second.software;
    runs[i].host = place->second.host;
  }
}

void SummaryFile::fill_values(std::vector<Reading>& readings, std::vector<Run>& runs, const Wanted& wanted) {
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = 0;
  for (const auto& reading : readings) {
    low = std::min(low, reading.entry->number);
    high = std::max(high, reading.entry->number);
  }
  std::vector<std::int32_t> at(static_cast<std::size_t>(high - low + 1), -1);  // by number
  std::set<std::pair<std::string, std::int64_t>> series;                       // samples lie by name
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const Layout& own = layout(readings[i].layout, wanted);
    at[static_cast<std::size_t>(readings[i].entry->number - low)] = static_cast<std::int32_t>(i);
    runs[i].benchmarks.resize(static_cast<std::size_t>(own.wanted));
    if (!seen.insert(readings[i].layout).second) continue;
    for (const std::int64_t id : own.series)
      if (own.places[static_cast<std::size_t>(id)] >= 0)
        series.emplace(series_names_[static_cast<std::size_t>(id)], id);
  }
  std::unordered_map<std::int64_t, BenchmarkText> texts;
  for (const auto& [name, id] : series) {
    texts.clear();
    get_values_.bind(1, id).bind(2, low).bind(3, high);
    while (get_values_.step()) {
      const std::int64_t number = get_values_.whole(0);
      const std::int32_t index = at[static_cast<std::size_t>(number - low)];
      if (index < 0) continue;
      Reading& reading = readings[static_cast<std::size_t>(index)];
      Run& run = runs[static_cast<std::size_t>(index)];
      const std::int32_t place = layouts_.at(reading.layout).places[static_cast<std::size_t>(id)];
      if (place < 0) throw SummaryDamaged{"values of no benchmark"};
      auto unpacker = Unpacker::unseal(get_values_.bytes(1), place_of(Kind::kValues, number, id));
      const auto text_id = static_cast<std::int64_t>(unpacker.whole());
      const auto [text, is_new] = texts.try_emplace(text_id);
      if (is_new) text->second = unpack_text(part(text_id));
      Benchmark& benchmark = run.benchmarks[static_cast<std::size_t>(place)];
      benchmark = text->second.benchmark;
      unpack_values(unpacker.bytes(), text->second, wanted.counters, benchmark, run);
      ++reading.filled;
    }
  }
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (readings[i].filled != layouts_.at(readings[i].layout).wanted)
      throw SummaryDamaged{"values are missing"};
    index_benchmarks(runs[i]);
  }
}

std::vector<std::string> SummaryFile::names_in(const std::vector<const SummaryEntry*>& entries) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  std::set<std::int64_t> seen_layouts;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  layouts_.clear();
  for (const auto* entry : entries) {
    if (entry->by_document) {
      if (const auto run = hooks_.read(entry->key))
        for (const auto& benchmark : run->benchmarks) add(benchmark.name);
      continue;
    }
    if (!get_runs_.bind(1, entry->number).bind(2, entry->number).step())
      throw SummaryDamaged{"a run is missing"};
    auto unpacker = Unpacker::unseal(get_runs_.bytes(1), place_of(Kind::kRun, entry->number));
    unpacker.whole();  // its environment
    const auto layout_id = static_cast<std::int64_t>(unpacker.whole());
    get_runs_.reset();
    if (!seen_layouts.insert(layout_id).second) continue;
    for (const std::int64_t series : layout(layout_id, {}).series)
      add(series_names_[static_cast<std::size_t>(series)]);
  }
  return names;
}

// In the order of time; without what measured nothing.
std::vector<Run> SummaryFile::read(std::vector<const SummaryEntry*> entries, const Wanted& wanted) {
  std::sort(entries.begin(), entries.end(),
            [](const SummaryEntry* a, const SummaryEntry* b) { return a->key.id < b->key.id; });
  layouts_.clear();
  std::vector<Reading> readings;
  for (const SummaryEntry* entry : entries)
    if (!entry->by_document) readings.push_back({entry, 0, 0, 0});
  std::vector<Run> packed(readings.size());
  if (!readings.empty()) {
    fill_frames(readings, packed);
    fill_values(readings, packed, wanted);
  }
  std::vector<Run> runs;
  runs.reserve(entries.size());
  std::size_t next = 0;
  for (const SummaryEntry* entry : entries) {
    if (entry->by_document) {
      if (auto run = hooks_.read(entry->key); run && !(run->benchmarks.empty() && run->same_program))
        runs.push_back(std::move(*run));
      continue;
    }
    Run& run = packed[next];
    const bool is_empty = layouts_.at(readings[next].layout).series.empty();
    ++next;
    if (!is_empty || !run.same_program) runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace tracker
