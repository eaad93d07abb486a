#include "tracker/app/store_compact.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "tracker/app/unmatched.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/tombstone.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/store/git_store.hpp"
#include "tracker/store/store.hpp"
#include "tracker/summary/packed_run.hpp"

namespace tracker {
namespace {

enum class Fate { kYoung, kReplaced, kCompacted, kNotWorth, kNotExact };

// What becomes of one document.
struct Thinned {
  Fate fate = Fate::kYoung;
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
  const auto of_whole = pack_run(whole);
  const auto of_compact = pack_run(compact);
  if (!of_whole || !of_compact || of_whole->environment != of_compact->environment ||
      of_whole->frame != of_compact->frame)
    return false;
  return std::equal(of_whole->benchmarks.begin(), of_whole->benchmarks.end(), of_compact->benchmarks.begin(),
                    of_compact->benchmarks.end(), [](const PackedBenchmark& a, const PackedBenchmark& b) {
                      return a.name == b.name && a.text == b.text &&
                             pack_chunk({a.values}) == pack_chunk({b.values});
                    });
}

Thinned thin(const StoredKey& key, const std::string& text, std::chrono::system_clock::time_point before) {
  Thinned thinned;
  std::optional<Run> run;
  try {
    run = parse_stored_run(key, text);
  } catch (const Error&) {
    thinned.fate = Fate::kNotExact;
    return thinned;
  }
  if (run->compacted) {
    thinned.fate = Fate::kCompacted;
    return thinned;
  }
  const auto started = parse_time(run->started_at);
  if (!started || *started >= before) return thinned;
  thinned.fate = Fate::kNotExact;
  if (!can_be_packed(*run)) return thinned;
  Run compact = *run;
  compact.compacted = CompactedFrom{count_samples_of(*run), static_cast<std::int64_t>(text.size())};
  if (!is_run_id(document_id(compact))) return thinned;  // too long for what is put behind it
  keep_summary(compact);
  thinned.text = write_run(compact);
  if (!gives_same_summary(*run, read_run(thinned.text, key.id))) return thinned;
  thinned.fate = Fate::kNotWorth;
  constexpr std::size_t kTenths = 10;
  if (thinned.text.size() * kTenths > text.size() * (kTenths - 1)) return thinned;
  thinned.fate = Fate::kReplaced;
  thinned.id = document_id(compact);
  thinned.text_before = text.size();
  thinned.compressed_before = compressed_bytes(text);
  thinned.compressed_after = compressed_bytes(thinned.text);
  return thinned;
}

void count(const Thinned& thinned, CompactOutcome& outcome) {
  switch (thinned.fate) {
    case Fate::kYoung:
      return;
    case Fate::kCompacted:
      ++outcome.compacted;
      return;
    case Fate::kNotWorth:
      ++outcome.not_worth;
      return;
    case Fate::kNotExact:
      ++outcome.not_exact;
      return;
    case Fate::kReplaced:
      break;
  }
  ++outcome.replaced;
  outcome.text_before += thinned.text_before;
  outcome.text_after += thinned.text.size();
  outcome.compressed_before += thinned.compressed_before;
  outcome.compressed_after += thinned.compressed_after;
}

}  // namespace

CompactOutcome compact_store(const Workspace& workspace, const CompactRequest& request,
                             const std::function<void(std::size_t done, std::size_t all)>& progress) {
  constexpr std::size_t kTogether = 64;
  Store& store = workspace.store();
  auto keys = store.keys();
  CompactOutcome outcome;
  outcome.runs = keys.size();
  require_known_device(workspace, request.device);
  if (!request.device.empty())
    std::erase_if(keys, [&](const StoredKey& key) { return !glob_match(request.device, key.device); });
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
      } catch (const StoreUnreachable&) {
        throw;
      } catch (const Error&) {
        some[i].fate = Fate::kNotExact;
        return;
      }
      if (lock.owns_lock()) lock.unlock();
      some[i] = thin(keys[from + i], text, request.before);
    });
    std::vector<Replacement> replacements;
    for (std::size_t i = 0; i < size; ++i) {
      count(some[i], outcome);
      if (some[i].fate != Fate::kReplaced) continue;
      StoredKey by = keys[from + i];
      by.id = some[i].id;
      replacements.push_back(
          {keys[from + i],
           write_tombstone("compacted: its times are in " + by.id + ".json", request.dropped_at), by,
           std::move(some[i].text)});
    }
    if (request.apply && !replacements.empty()) store.replace(replacements);
    progress(from + size, keys.size());
  }
  return outcome;
}

}  // namespace tracker
