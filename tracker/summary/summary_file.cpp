#include "tracker/summary/summary_file.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <random>
#include <set>
#include <tuple>

#include "tracker/base/error.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/summary/packed.hpp"

namespace tracker::summary {
namespace {

// So many documents are read for a question about few runs.
constexpr std::size_t kFewDocuments = 64;
// So many runs are written at once: what an interruption costs.
constexpr std::size_t kBatchRuns = 64;
// Each batch looks through all entries: very many documents may be of no use, and then there is little to
// keep.
constexpr std::size_t kBatchDocuments = 20'000;
constexpr std::int64_t kKeysTogether = 256;                     // in one row
constexpr std::int64_t kChunkRuns = 64;                         // of a series, in one row
constexpr std::int64_t kSeriesChunks = std::int64_t{1} << 26U;  // that a series may have

std::int64_t draw_file() {
  std::random_device random;
  return static_cast<std::int64_t>(std::uint64_t{random()} << 32U | random());
}

// The row that has the values of a series in this run.
std::int64_t chunk_of(std::int64_t series, std::int64_t number) {
  return series * kSeriesChunks + number % kDeviceNumbers / kChunkRuns;
}

template <typename AnyEntry, typename Visit>
void entry_fields(AnyEntry& entry, Visit& visit) {
  visit("number", entry.number);
  visit("by_document", entry.by_document);
  visit("device", entry.key.device);
  visit("commit", entry.key.commit);
  visit("id", entry.key.id);
  visit("why_refused", entry.why_refused);
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
    "CREATE TABLE IF NOT EXISTS chunk (place INTEGER PRIMARY KEY, bytes BLOB);";

}  // namespace

File::File(const store::Store& store, const std::filesystem::path& path, const Hooks& hooks)
    : store_(store), hooks_(hooks), database_(path, kTables) {
  const Transaction transaction(database_, false);
  load();
}

// The head's own is that of every file: the others' follow from what it says.
std::uint64_t File::place_of(Kind kind, std::int64_t number) const {
  const std::uint64_t place = static_cast<std::uint64_t>(kind) << 60U ^ static_cast<std::uint64_t>(number);
  return kind == Kind::kHead ? place : place ^ static_cast<std::uint64_t>(head_.file);
}

std::optional<Head> File::read_head() {
  if (!begin_read_.step()) return {};
  Head head;
  Unpacker unpacker(unsealed(begin_read_.bytes(0), place_of(Kind::kHead, 1)));
  unpacker("format", head.format);
  if (head.format != packed_format()) throw Damaged{""};  // of another version of the program
  unpacker("version", head.version);
  unpacker("runs", head.runs);
  unpacker("edition", head.edition);
  unpacker("file", head.file);
  begin_read_.reset();
  return head;
}

void File::write_head(Head head) {
  ++head.edition;
  ++heads_written_;
  Packer packer;
  packer("format", head.format);
  packer("version", head.version);
  packer("runs", head.runs);
  packer("edition", head.edition);
  packer("file", head.file);
  put_head_.bind(1, sealed(packer.bytes(), place_of(Kind::kHead, 1))).run();
  head_ = head;
}

// Reads what another process may have written; cheap where none has. Within a transaction, so that all of it
// is of one moment.
void File::load() {
  const auto head = read_head();
  if (head && *head == head_) return;
  entries_.clear();
  series_.clear();
  series_names_.clear();
  known_parts_.clear();
  head_ = head.value_or(Head{packed_format(), "", 0, 0, draw_file()});
  while (all_keys_.step()) {
    const std::int64_t chunk = all_keys_.whole(0);
    Unpacker unpacker(unsealed(all_keys_.bytes(1), place_of(Kind::kKeys, chunk)));
    while (!unpacker.at_end()) entry_fields(entries_.emplace_back(), unpacker);
  }
  if (static_cast<std::int64_t>(entries_.size()) != head_.runs) throw Damaged{"keys are missing"};
  load_series();
}

void File::load_series() {
  while (all_series_.step()) {
    const std::int64_t id = all_series_.whole(0);
    if (id != static_cast<std::int64_t>(series_names_.size())) throw Damaged{"a series is missing"};
    Unpacker unpacker(unsealed(all_series_.bytes(1), place_of(Kind::kSeries, id)));
    const std::string device(unpacker.bytes());
    const std::string name(unpacker.bytes());
    series_.emplace(device + '\n' + name, id);
    series_names_.push_back(name);
  }
}

void File::write_keys(std::int64_t chunk) {
  Packer packer;
  auto entry = std::partition_point(entries_.begin(), entries_.end(),
                                    [&](const Entry& one) { return one.number < chunk * kKeysTogether; });
  for (; entry != entries_.end() && entry->number < (chunk + 1) * kKeysTogether; ++entry)
    entry_fields(*entry, packer);
  put_keys_.bind(1, chunk).bind(2, sealed(packer.bytes(), place_of(Kind::kKeys, chunk))).run();
}

std::int64_t File::series_of(const std::string& device, const std::string& name) {
  const auto id = static_cast<std::int64_t>(series_names_.size());
  const auto [place, is_new] = series_.try_emplace(device + '\n' + name, id);
  if (!is_new) return place->second;
  series_names_.push_back(name);
  Packer packer;
  packer.bytes(device);
  packer.bytes(name);
  put_series_.bind(1, id).bind(2, sealed(packer.bytes(), place_of(Kind::kSeries, id))).run();
  return id;
}

std::int64_t File::part_of(const std::string& bytes) {
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
    put_part_.bind(1, *found).bind(2, sum).bind(3, sealed(bytes, place_of(Kind::kPart, *found))).run();
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
std::string_view File::part(std::int64_t id) {
  if (!get_part_.bind(1, id).step()) throw Damaged{"a part is missing"};
  part_bytes_ = get_part_.bytes(0);
  get_part_.reset();
  return unsealed(part_bytes_, place_of(Kind::kPart, id));
}

void File::add_run(const Entry& entry, PackedRun& run, NewValues& values) {
  Packer layout;
  for (auto& benchmark : run.benchmarks) {
    const std::int64_t series = series_of(entry.key.device, benchmark.name);
    layout.whole(static_cast<std::uint64_t>(series));
    benchmark.values.number = entry.number;
    benchmark.values.text = part_of(benchmark.text);
    values[chunk_of(series, entry.number)].push_back(std::move(benchmark.values));
  }
  Packer frame;
  frame.whole(static_cast<std::uint64_t>(part_of(run.environment)));
  frame.whole(static_cast<std::uint64_t>(part_of(layout.bytes())));
  frame.bytes(run.frame);
  put_run_.bind(1, entry.number).bind(2, sealed(frame.bytes(), place_of(Kind::kRun, entry.number))).run();
}

std::vector<ChunkRun> File::runs_in_chunk(std::int64_t place) {
  std::vector<ChunkRun> runs;
  get_chunks_.bind(1, place).bind(2, place);
  while (get_chunks_.step())
    runs = unpack_chunk(unsealed(get_chunks_.bytes(1), place_of(Kind::kChunk, place)));
  return runs;
}

void File::write_chunk(std::int64_t place, const std::vector<ChunkRun>& runs) {
  if (runs.empty()) return drop_chunk_.bind(1, place).run();
  put_chunk_.bind(1, place).bind(2, sealed(pack_chunk(runs), place_of(Kind::kChunk, place))).run();
}

// In one transaction; the runs' values are moved out. What another process has added meanwhile is passed
// over.
void File::add(std::vector<NewSummary>& runs) {
  Transaction transaction(database_, true);
  load();
  std::set<std::string> ids;
  for (const auto& one : runs) ids.insert(one.key.id);
  std::set<std::string> known;
  for (const auto& entry : entries_)
    if (ids.contains(entry.key.id)) known.insert(store::path_of(entry.key));
  Head head = head_;
  head.version.clear();
  NewValues values;
  std::set<std::int64_t> chunks;
  std::map<std::string, std::int64_t> next;  // number of each device: behind its newest run
  for (const auto& entry : entries_) next[entry.key.device] = entry.number + 1;
  // With those between that have no run any more.
  std::int64_t devices = entries_.empty() ? 0 : entries_.back().number / kDeviceNumbers + 1;
  std::vector<Entry> added;
  for (auto& [key, run, why_refused] : runs) {
    if (!known.insert(store::path_of(key)).second) continue;
    const auto [number, is_first] = next.try_emplace(key.device, devices * kDeviceNumbers);
    if (is_first) ++devices;
    Entry& entry = added.emplace_back();
    entry.number = number->second++;
    entry.key = key;
    entry.by_document = !run;
    entry.why_refused = std::move(why_refused);
    if (run) add_run(entry, *run, values);
    chunks.insert(entry.number / kKeysTogether);
    ++head.runs;
  }
  std::ranges::sort(added, {}, &Entry::number);
  const auto middle = static_cast<std::ptrdiff_t>(entries_.size());
  entries_.insert(entries_.end(), added.begin(), added.end());
  std::ranges::inplace_merge(entries_, entries_.begin() + middle, {}, &Entry::number);
  for (auto& [place, rows] : values) {
    std::ranges::sort(rows, {}, &ChunkRun::number);
    auto all = runs_in_chunk(place);
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
    write_chunk(place, all);
  }
  for (const std::int64_t chunk : chunks) write_keys(chunk);
  write_head(head);
  transaction.commit();
}

void File::drop(const std::vector<store::Key>& keys) {
  if (keys.empty()) return;
  Transaction transaction(database_, true);
  load();
  std::set<std::string> paths;
  for (const auto& key : keys) paths.insert(store::path_of(key));
  std::set<std::int64_t> chunks;
  std::map<std::int64_t, std::set<std::int64_t>> numbers;  // by the chunk that has them
  for (const auto& entry : entries_)
    if (paths.contains(store::path_of(entry.key))) {
      drop_run_.bind(1, entry.number).run();
      chunks.insert(entry.number / kKeysTogether);
      for (const auto& [device_and_name, series] : series_)
        if (device_and_name.starts_with(entry.key.device + '\n'))
          numbers[chunk_of(series, entry.number)].insert(entry.number);
    }
  for (const auto& [place, dropped] : numbers) {
    auto rows = runs_in_chunk(place);
    const auto gone = [&own = dropped](const ChunkRun& row) { return own.contains(row.number); };
    if (std::erase_if(rows, gone) > 0) write_chunk(place, rows);
  }
  std::erase_if(entries_, [&](const Entry& entry) { return paths.contains(store::path_of(entry.key)); });
  for (const std::int64_t chunk : chunks) write_keys(chunk);
  Head head = head_;
  head.version.clear();
  head.runs = static_cast<std::int64_t>(entries_.size());
  write_head(head);
  transaction.commit();
}

NewSummary File::read_and_pack(const store::Key& key, std::mutex& reading) const {
  NewSummary packed{key, {}, ""};
  std::string text;
  try {
    {
      std::unique_lock lock(reading, std::defer_lock);
      if (!store_.can_read_at_once()) lock.lock();
      text = store_.read(key);
    }
    packed.run = pack_run(hooks_.parse(key, text));
  } catch (const store::Unreachable&) {
    throw;
  } catch (const Error&) {
    // Whoever asks for it is told; where it is not known for good, after reading it again.
    if (!text.empty() && hooks_.why_refused) packed.why_refused = hooks_.why_refused(key, text);
  }
  return packed;
}

// All cores read and pack. Whoever completes a batch writes it, in order, while the others go on; nobody
// begins a third batch before the first is written.
void File::add_missing(const std::vector<store::Key>& missing) {
  std::mutex reading;
  std::mutex writing;
  std::mutex collecting;  // of all below
  std::map<std::size_t, NewSummary> packed;
  std::vector<NewSummary> batch;
  std::size_t runs = 0;
  std::size_t done = 0;
  std::atomic<bool> is_given_up = false;
  const auto add_one = [&](std::size_t i) {
    auto one = read_and_pack(missing[i], reading);
    std::unique_lock lock(collecting);
    packed.emplace(i, std::move(one));
    for (auto next = packed.begin(); next != packed.end() && next->first == done; ++done) {
      runs += next->second.run ? 1 : 0;
      batch.push_back(std::move(next->second));
      next = packed.erase(next);
    }
    if (batch.empty() || (runs < kBatchRuns && batch.size() < kBatchDocuments && done < missing.size()))
      return;
    const std::lock_guard turn(writing);
    auto complete = std::exchange(batch, {});
    const std::size_t until = done;
    runs = 0;
    lock.unlock();
    add(complete);
    if (missing.size() > kFewDocuments && hooks_.progress) hooks_.progress(until, missing.size());
  };
  for_each_in_parallel(missing.size(), [&](std::size_t i) {
    if (is_given_up) return;
    try {
      add_one(i);
    } catch (...) {
      is_given_up = true;
      throw;
    }
  });
}

// What the store has and the file has not, and the other way round. None where that is too much for a
// question about few runs.
std::optional<store::KeyChanges> File::changes_in_store(bool many) const {
  if (!head_.version.empty())
    if (auto changes = store_.changes_since(head_.version)) return changes;
  if (!many && store_.run_count() > entries_.size() + kFewDocuments) return {};
  std::vector<store::Key> known;
  for (const auto& entry : entries_) known.push_back(entry.key);
  return store::run_changes_from(store_, known);
}

// Whoever writes takes the version away first. It comes back only where nobody else has written meanwhile:
// two who follow different versions may undo what the other one did, and one may be killed halfway. Without a
// version, the next one compares all keys.
bool File::refresh(bool many) {
  constexpr int kTriesMax = 20;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    const std::string version = store_.version();
    const auto is_there = [&] { return head_.version == version && (!version.empty() || entries_.empty()); };
    if (!version.empty() && is_there()) return true;
    {
      const Transaction transaction(database_, false);
      load();
    }
    if (is_there()) return true;
    const std::int64_t edition = head_.edition - heads_written_;
    auto changes = changes_in_store(many);
    if (!changes) return false;
    const auto is_profile = [](const store::Key& key) { return key.kind != store::DocumentKind::kRun; };
    std::erase_if(changes->added, is_profile);
    std::erase_if(changes->dropped, is_profile);
    if (!many && changes->added.size() > kFewDocuments) return false;
    drop(changes->dropped);
    // One device after the other, so that chunks are written once.
    std::ranges::sort(changes->added, {}, [](const store::Key& key) { return std::tie(key.device, key.id); });
    if (!changes->added.empty()) add_missing(changes->added);
    Transaction transaction(database_, true);
    load();
    if (head_.edition - heads_written_ != edition) continue;
    Head head = head_;
    head.version = version;
    write_head(head);
    transaction.commit();
    return true;
  }
  return true;
}

void File::for_frames(const std::vector<const Entry*>& entries, const VisitFrame& visit) {
  std::unordered_map<std::int64_t, Run> environments;
  // Runs are mostly numbered in the order of time: rows are read one after the other for as long as that
  // holds.
  for (std::size_t from = 0; from < entries.size();) {
    std::size_t to = from + 1;
    while (to < entries.size() && entries[to]->number > entries[to - 1]->number) ++to;
    get_runs_.bind(1, entries[from]->number).bind(2, entries[to - 1]->number);
    while (get_runs_.step()) {
      const std::int64_t number = get_runs_.whole(0);
      if (from == to || number < entries[from]->number) continue;
      if (number != entries[from]->number) throw Damaged{"a run is missing"};
      Unpacker unpacker(unsealed(get_runs_.bytes(1), place_of(Kind::kRun, number)));
      const auto environment = static_cast<std::int64_t>(unpacker.whole());
      const auto layout = static_cast<std::int64_t>(unpacker.whole());
      const auto [known, is_new] = environments.try_emplace(environment);
      if (is_new) unpack_environment(part(environment), known->second);
      visit(from++, known->second, unpacker.bytes(), layout);
    }
    if (from != to) throw Damaged{"a run is missing"};
  }
}

std::vector<std::int64_t> File::series_in(std::int64_t layout) {
  std::vector<std::int64_t> all;
  Unpacker unpacker(part(layout));
  while (!unpacker.at_end()) {
    all.push_back(static_cast<std::int64_t>(unpacker.whole()));
    if (std::cmp_greater_equal(all.back(), series_names_.size())) throw Damaged{"a series is missing"};
  }
  return all;
}

const std::string& File::name_of(std::int64_t series) const {
  return series_names_.at(static_cast<std::size_t>(series));
}

void File::for_chunks(std::int64_t series, std::int64_t low, std::int64_t high,
                      const std::function<void(std::string_view bytes)>& visit) {
  get_chunks_.bind(1, chunk_of(series, low)).bind(2, chunk_of(series, high));
  while (get_chunks_.step())
    visit(unsealed(get_chunks_.bytes(1), place_of(Kind::kChunk, get_chunks_.whole(0))));
}

std::vector<std::string> File::chunks_of(std::int64_t series, std::int64_t low, std::int64_t high) {
  std::vector<std::string> chunks;
  for_chunks(series, low, high, [&](std::string_view bytes) { chunks.emplace_back(bytes); });
  return chunks;
}

BenchmarkText File::text(std::int64_t id) {
  return unpack_text(part(id));
}

}  // namespace tracker::summary
