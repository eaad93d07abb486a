#include "tracker/app/store_documents.hpp"

#include <algorithm>
#include <fstream>
#include <mutex>
#include <set>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/postgres/postgres_store.hpp"
#include "tracker/store/git_store.hpp"
#include "tracker/summary/packed_run.hpp"
#include "tracker/summary/run_summaries.hpp"

namespace tracker::app {
namespace {

CheckedDocument check_document(const store::Store& store, const store::StoredFile& file) {
  using State = DocumentState;
  try {
    if (file.what == store::StoredFile::What::kTombstone)
      return {file.path, State::kDropped, formats::reason_of_tombstone(store.read_file(file.path))};
    if (file.what == store::StoredFile::What::kOther) return {file.path, State::kOther, "ignored"};
    if (file.is_dropped) return {file.path, State::kDropped, "see the reason beside it"};
    if (!file.is_file) return {file.path, State::kBroken, "no regular file"};
    const std::string text = store.read(file.key);
    const auto unusable = history::why_unusable(file.key, text);
    if (!unusable) return {file.path, State::kGood, ""};
    if (unusable->is_newer) return {file.path, State::kNewer, "update tracker to read it"};
    return {file.path, State::kBroken, unusable->why};
  } catch (const store::Unreachable&) {
    throw;
  } catch (const Error& error) {
    return {file.path, State::kBroken, error.what()};
  }
}

store::Key find_document(const store::Store& store, const std::string& path_or_id) {
  if (const auto key = store::key_at(path_or_id)) return *key;
  std::vector<store::Key> found;
  for (const auto& file : store.files())
    if (file.what == store::StoredFile::What::kDocument && file.key.id == path_or_id)
      found.push_back(file.key);
  const std::string quoted = in_quotes(path_or_id);
  if (found.empty())
    throw Error(ExitCode::kUsage, "no document " + quoted + " in " + store.describe(),
                "tracker store verify lists their paths");
  if (found.size() > 1)
    throw Error(ExitCode::kUsage, std::to_string(found.size()) + " documents have the id " + quoted,
                "name one by its path: " + store::path_of(found.front()));
  return found.front();
}

}  // namespace

std::map<DocumentState, std::size_t> check_documents(
    const store::Store& store, const std::function<void(const CheckedDocument&)>& tell) {
  const store::HashedReads hashed;
  std::map<DocumentState, std::size_t> counts;
  for (const auto& file : store.files()) {
    const CheckedDocument checked = check_document(store, file);
    if (file.what != store::StoredFile::What::kTombstone) ++counts[checked.state];
    tell(checked);
  }
  return counts;
}

DroppedDocument drop_document(store::Store& store, const std::string& path_or_id, const std::string& reason) {
  const store::Key key = find_document(store, path_or_id);
  const std::string now = format_utc(std::chrono::system_clock::now());
  std::vector<store::Key> keys{key};
  if (key.kind == store::DocumentKind::kRun)
    for (const auto& id : formats::document_ids_beside(key.id))
      if (id != key.id) keys.push_back({key.device, key.commit, id, key.kind});
  return {key, store.drop_all(keys, formats::write_tombstone(reason, now))};
}

bool is_dropped_run(const store::Store& store, const store::Key& key) {
  const auto there = store.keys_of(key.commit);
  const auto beside = formats::document_ids_beside(key.id);
  return std::ranges::none_of(there, [&](const store::Key& one) {
    return one.device == key.device && std::ranges::find(beside, one.id) != beside.end();
  });
}

store::CopiedStore export_documents(const store::Store& store, const std::string& file, std::ostream& out) {
  if (file == "-") return history::write_history(store, out);
  const std::filesystem::path part = file + ".part";
  std::ofstream written(part, std::ios::binary);
  if (!written)
    throw Error(ExitCode::kEnvironment, "cannot write " + in_quotes(part.string()),
                "name a file in a folder that is there");
  const store::CopiedStore copied = history::write_history(store, written);
  written.close();
  std::error_code failure;
  std::filesystem::rename(part, file, failure);
  if (failure)
    throw Error(ExitCode::kEnvironment, "cannot write " + in_quotes(file) + ": " + failure.message());
  return copied;
}

store::CopiedStore import_documents(store::Store& store, const std::string& file, std::istream& in) {
  if (file == "-") return history::read_history(in, file, store);
  std::ifstream read(file, std::ios::binary);
  if (!read || std::filesystem::is_directory(file))
    throw Error(ExitCode::kUsage, "cannot read " + in_quotes(file),
                "name a file that tracker store export wrote, or - for standard input");
  return history::read_history(read, file, store);
}

namespace {

// What becomes of one document.
struct Thinned {
  std::size_t CompactOutcome::*fate = nullptr;  // where it is counted; null: it is too young
  std::size_t text_before = 0;
  std::size_t compressed_before = 0;
  std::size_t compressed_after = 0;
  std::string text;
  std::string id;
};

std::int64_t count_samples_of(const Run& run) {
  std::size_t count = 0;
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples) count += repetition_count(samples);
  return static_cast<std::int64_t>(count);
}

bool gives_same_summary(const Run& whole, const Run& compact) {
  const auto of_whole = summary::pack_run(whole);
  const auto of_compact = summary::pack_run(compact);
  if (!of_whole || !of_compact || of_whole->environment != of_compact->environment ||
      of_whole->frame != of_compact->frame)
    return false;
  return std::equal(of_whole->benchmarks.begin(), of_whole->benchmarks.end(), of_compact->benchmarks.begin(),
                    of_compact->benchmarks.end(),
                    [](const summary::PackedBenchmark& a, const summary::PackedBenchmark& b) {
                      return a.name == b.name && a.text == b.text &&
                             summary::pack_chunk({a.values}) == summary::pack_chunk({b.values});
                    });
}

Thinned thin(const store::Key& key, const std::string& text, std::chrono::system_clock::time_point before) {
  const Thinned not_exact{.fate = &CompactOutcome::not_exact};
  std::optional<Run> run;
  try {
    run = history::parse_stored_run(key, text);
  } catch (const Error&) {
    return not_exact;
  }
  if (run->compacted) return {.fate = &CompactOutcome::compacted};
  const auto started = parse_time(run->started_at);
  if (!started || *started >= before) return {};
  if (!summary::can_be_packed(*run)) return not_exact;
  Run compact = *run;
  compact.compacted = CompactedFrom{count_samples_of(*run), static_cast<std::int64_t>(text.size())};
  Thinned thinned{.fate = &CompactOutcome::replaced, .text_before = text.size()};
  thinned.id = formats::document_id(compact);
  if (!is_run_id(thinned.id)) return not_exact;  // too long for what is put behind it
  summary::keep_summary(compact);
  thinned.text = formats::write_run(compact);
  if (!gives_same_summary(*run, formats::read_run(thinned.text, key.id))) return not_exact;
  constexpr std::size_t kTenths = 10;
  if (thinned.text.size() * kTenths > text.size() * (kTenths - 1))
    return {.fate = &CompactOutcome::not_worth};
  thinned.compressed_before = store::compressed_bytes(text);
  thinned.compressed_after = store::compressed_bytes(thinned.text);
  return thinned;
}

void count(const Thinned& thinned, CompactOutcome& outcome) {
  if (thinned.fate == nullptr) return;
  ++(outcome.*thinned.fate);
  if (thinned.fate != &CompactOutcome::replaced) return;
  outcome.text_before += thinned.text_before;
  outcome.text_after += thinned.text.size();
  outcome.compressed_before += thinned.compressed_before;
  outcome.compressed_after += thinned.compressed_after;
}

}  // namespace

CompactOutcome compact_store(const Workspace& workspace, const CompactRequest& request,
                             const std::function<void(std::size_t done, std::size_t all)>& progress) {
  constexpr std::size_t kTogether = 64;
  store::Store& store = workspace.store();
  auto keys = store.keys();
  CompactOutcome outcome;
  outcome.runs = keys.size();
  require_known_device(workspace, request.device);
  if (!request.device.empty())
    std::erase_if(keys, [&](const store::Key& key) { return !glob_match(request.device, key.device); });
  std::mutex reading;
  for (std::size_t from = 0; from < keys.size(); from += kTogether) {
    const std::size_t size = std::min(kTogether, keys.size() - from);
    std::vector<Thinned> some(size);
    for_each_in_parallel(size, [&](std::size_t i) {
      std::unique_lock lock(reading, std::defer_lock);
      if (!store.can_read_at_once()) lock.lock();
      std::string text;
      try {
        text = store.read(keys[from + i]);
      } catch (const store::Unreachable&) {
        throw;
      } catch (const Error&) {
        some[i].fate = &CompactOutcome::not_exact;
        return;
      }
      if (lock.owns_lock()) lock.unlock();
      some[i] = thin(keys[from + i], text, request.before);
    });
    std::vector<store::Replacement> replacements;
    for (std::size_t i = 0; i < size; ++i) {
      count(some[i], outcome);
      if (some[i].fate != &CompactOutcome::replaced) continue;
      store::Key by = keys[from + i];
      by.id = some[i].id;
      replacements.push_back(
          {keys[from + i],
           formats::write_tombstone("compacted: its times are in " + by.id + ".json", request.dropped_at), by,
           std::move(some[i].text)});
    }
    if (request.apply && !replacements.empty()) store.replace(replacements);
    progress(from + size, keys.size());
  }
  return outcome;
}

namespace {

// "20261120T124901Z-3f9a0c1e" → "2026-11-20T12:49:01Z"
std::string time_of_run_id(const std::string& id) {
  constexpr std::size_t kTimeLength = 16;
  if (id.size() < kTimeLength) return id;
  const std::string time = id.substr(0, 4) + "-" + id.substr(4, 2) + "-" + id.substr(6, 5) + ":" +
                           id.substr(11, 2) + ":" + id.substr(13, 3);
  return time.ends_with('Z') && parse_time(time) ? time : id;
}

template <class Number>
void append_bytes(std::string& bytes, const std::vector<Number>& values) {
  const void* const data = values.data();
  bytes.append(static_cast<const char*>(data), values.size() * sizeof(Number));
}

// All numbers that a run's samples have, those of one kind in a row.
struct SampleNumbers {
  std::string bytes;
  std::size_t samples = 0;
};

SampleNumbers sample_numbers(const Run& run) {
  SampleNumbers numbers;
  std::map<std::string, std::vector<const Samples*>> by_benchmark;
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples) by_benchmark[name].push_back(&samples);
  for (const auto& [name, all] : by_benchmark) {
    std::map<std::string, std::string> counters;
    for (const auto* one : all) append_bytes(numbers.bytes, one->real_time_ns);
    for (const auto* one : all) append_bytes(numbers.bytes, one->cpu_time_ns);
    for (const auto* one : all) append_bytes(numbers.bytes, one->iterations);
    for (const auto* one : all)
      for (const auto& [counter, values] : one->counters) append_bytes(counters[counter], values);
    for (const auto& [counter, bytes] : counters) numbers.bytes += bytes;
    for (const auto* one : all) numbers.samples += one->real_time_ns.size();
  }
  return numbers;
}

SampledRuns sample_runs(const store::Store& store, std::vector<store::Key> keys,
                        const std::set<std::string>& not_here) {
  std::erase_if(keys, [&](const store::Key& key) { return not_here.contains(store::path_of(key)); });
  const auto count = std::min(kSampledRunsMax, keys.size());
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end(),
                    store::is_newer);
  keys.resize(count);
  SampledRuns sampled;
  for (const auto& key : keys) {
    const std::string text = store.read(key);
    if (history::why_unusable(key, text)) continue;
    const auto numbers = sample_numbers(history::parse_stored_run(key, text));
    ++sampled.runs;
    sampled.samples += numbers.samples;
    sampled.text_bytes += text.size();
    sampled.number_bytes += numbers.bytes.size();
    sampled.compressed_bytes += store::compressed_bytes(numbers.bytes);
  }
  return sampled;
}

// Keys are in order of devices, then commits.
std::vector<DeviceStats> stats_of_devices(const std::vector<store::Key>& keys) {
  std::vector<DeviceStats> devices;
  const store::Key* before = nullptr;
  const store::Key* newest = nullptr;
  for (const auto& key : keys) {
    const bool is_other_device = before == nullptr || before->device != key.device;
    if (is_other_device) devices.push_back({.device = key.device});
    auto& device = devices.back();
    ++device.runs;
    if (is_other_device || before->commit != key.commit) ++device.commits;
    if (is_other_device || store::is_newer(key, *newest)) {
      newest = &key;
      device.newest = time_of_run_id(key.id);
    }
    before = &key;
  }
  return devices;
}

void count_files(const store::Store& store, StoreStats& stats) {
  for (const auto& file : store.files()) {
    if (file.what == store::StoredFile::What::kTombstone)
      ++stats.tombstones;
    else if (file.what == store::StoredFile::What::kOther)
      ++stats.others;
    else if (!file.is_dropped && file.key.kind == store::DocumentKind::kProfile)
      ++stats.profiles;
  }
}

}  // namespace

StoreStats store_stats(const Workspace& workspace) {
  const store::Store& store = workspace.shared_store();
  const repo::Repository& repository = workspace.repository();
  StoreStats stats;
  stats.store = store.describe();
  const auto keys = store.keys();
  stats.runs = keys.size();
  stats.devices = stats_of_devices(keys);
  std::set<std::string> commits;
  for (const auto& key : keys) commits.insert(key.commit);
  stats.commits = commits.size();
  if (!keys.empty()) {
    const auto [newest, oldest] = std::ranges::minmax_element(keys, store::is_newer);
    stats.newest = time_of_run_id(newest->id);
    stats.oldest = time_of_run_id(oldest->id);
  }
  count_files(store, stats);
  store::GitDocumentSizes in_git;
  if (workspace.store_place().is_git()) {
    in_git = store::git_document_sizes(repository, workspace.store_place().where);
    stats.documents = in_git.sizes;
    stats.git = store::git_disk(repository);
  } else {
    stats.documents = postgres::document_sizes(store);
  }
  stats.sampled = sample_runs(store, keys, in_git.not_here);
  stats.summary_bytes =
      summary::summary_bytes(summary::summary_path(store, repository.common_dir() / "tracker"));
  return stats;
}

}  // namespace tracker::app
