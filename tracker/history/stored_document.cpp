#include "tracker/history/stored_document.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <type_traits>

#include "tracker/base/error.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::history {
namespace {

// Earlier versions wrote some keys with a part twice ("cpu-cpu-x") or without one ("cpu-x" for "cpu-x-2t"):
// what they recorded is read.
bool is_same_device(std::string_view a, std::string_view b) {
  constexpr std::string_view kCpu = "cpu-";
  if (a.starts_with(kCpu) != b.starts_with(kCpu)) return false;
  while (a.starts_with(kCpu)) a.remove_prefix(kCpu.size());
  while (b.starts_with(kCpu)) b.remove_prefix(kCpu.size());
  return a.starts_with(b) || b.starts_with(a);
}

void require_equal(const char* part, const std::string& path, const std::string& within) {
  if (path != within)
    throw Error(ExitCode::kEnvironment,
                "it lies at " + std::string(part) + " '" + path + "', and is of " + in_quotes(within));
}

template <class Document>
Document read_at(const store::Key& key, std::string_view text) {
  if (text.empty()) throw Error(ExitCode::kEnvironment, "it is empty");
  Document document;
  std::string id;
  if constexpr (std::is_same_v<Document, Run>) {
    document = formats::read_run(text, key.id + ".json");
    id = formats::document_id(document);
  } else {
    document = formats::read_profile(text, key.id + ".json");
    id = document.id;
  }
  const std::string device = device_key(document.device);
  if (!is_same_device(key.device, device)) require_equal("device", key.device, device);
  require_equal("commit", key.commit, document.commit);
  require_equal("id", key.id, id);
  return document;
}

// Why the text is not the document at the key; or else sets the document.
template <class Document, class TextOf>
std::optional<UnusableDocument> try_reading(const store::Key& key, const TextOf& text_of,
                                            std::optional<Document>& document) {
  try {
    document = read_at<Document>(key, text_of());
    return {};
  } catch (const store::Unreachable&) {
    throw;
  } catch (const formats::NewerDocument& error) {
    return UnusableDocument{error.what(), error.hint(), true};
  } catch (const Error& error) {
    return UnusableDocument{error.what(), "", false};
  }
}

template <class Document>
std::optional<Document> read_stored(const store::Store& store, const store::Key& key) {
  std::optional<Document> document;
  if (const auto unusable = try_reading(
          key, [&] { return store.read(key); }, document))
    store.leave_out(key, unusable->why, unusable->remedy);
  return document;
}

// `newer` over what there is.
void lay_over(Profile& merged, const Profile& newer) {
  auto benchmarks = std::move(merged.benchmarks);
  merged = newer;
  merged.benchmarks.clear();
  for (auto& benchmark : benchmarks) {
    const auto* again = find_benchmark(newer, benchmark.name);
    if (again == nullptr)
      merged.benchmarks.push_back(std::move(benchmark));
    else
      merged.benchmarks.push_back(*again);
  }
  for (const auto& benchmark : newer.benchmarks)
    if (find_benchmark(merged, benchmark.name) == nullptr) merged.benchmarks.push_back(benchmark);
}

}  // namespace

std::optional<UnusableDocument> why_unusable(const store::Key& key, std::string_view text) {
  const auto text_of = [&] { return text; };
  std::optional<Run> run;
  std::optional<Profile> profile;
  return key.kind == store::DocumentKind::kProfile ? try_reading(key, text_of, profile)
                                                   : try_reading(key, text_of, run);
}

Run parse_stored_run(const store::Key& key, std::string_view text) {
  return read_at<Run>(key, text);
}

std::vector<ReadRun> read_at_once(const store::Store& store, const std::vector<store::Key>& keys) {
  std::vector<ReadRun> documents(keys.size());
  std::mutex reading;
  std::atomic<bool> is_given_up = false;  // what cannot be reached is asked once
  const bool takes_turns = keys.size() > 1 && !store.can_read_at_once();
  const auto text_of = [&](const store::Key& key) {
    std::unique_lock lock(reading, std::defer_lock);
    if (takes_turns) lock.lock();
    return store.read(key);
  };
  for_each_in_parallel(keys.size(), [&](std::size_t i) {
    if (is_given_up) return;
    ReadRun& document = documents[i];
    document.key = keys[i];
    try {
      document.unusable = try_reading(
          keys[i], [&] { return text_of(keys[i]); }, document.run);
    } catch (const store::Unreachable&) {
      is_given_up = true;
      throw;
    }
  });
  return documents;
}

std::vector<Run> take_usable(const store::Store& store, std::vector<ReadRun> documents) {
  std::vector<Run> runs;
  runs.reserve(documents.size());
  for (auto& document : documents)
    if (document.run)
      runs.push_back(std::move(*document.run));
    else
      store.leave_out(document.key, document.unusable->why, document.unusable->remedy);
  return runs;
}

std::optional<Run> read_stored_run(const store::Store& store, const store::Key& key) {
  return read_stored<Run>(store, key);
}

std::vector<Profile> profiles_of(const store::Store& store, const std::string& commit) {
  auto keys = store.profile_keys_of(commit);
  std::ranges::sort(keys, std::greater(), &store::Key::id);
  std::vector<Profile> profiles;
  for (const auto& key : keys)
    if (auto profile = read_stored<Profile>(store, key)) profiles.push_back(std::move(*profile));
  return profiles;
}

std::vector<Profile> merge_profiles(const std::vector<Profile>& profiles) {
  std::map<std::string, Profile> clean;
  std::map<std::string, Profile> dirty;
  for (auto profile = profiles.rbegin(); profile != profiles.rend(); ++profile) {
    auto& by_device = profile->dirty ? dirty : clean;
    const auto [there, is_first] = by_device.try_emplace(device_key(profile->device), *profile);
    if (!is_first) lay_over(there->second, *profile);
  }
  clean.merge(dirty);  // takes over devices that have no clean one
  std::vector<Profile> merged;
  for (auto& [device, profile] : clean) merged.push_back(std::move(profile));
  return merged;
}

store::CopiedStore write_history(const store::Store& store, std::ostream& out) {
  store::CopiedStore written;
  std::size_t lines = 0;
  out << formats::history_head();
  for (const auto& file : store.files()) {
    if (!file.is_file || file.what == store::StoredFile::What::kOther) {
      ++written.not_ours;
      continue;
    }
    const std::string text = store.read_file(file.path);
    out << formats::history_line({file.path, text});
    ++lines;
    written.bytes += text.size();
    if (file.what == store::StoredFile::What::kTombstone)
      ++written.tombstones;
    else
      written.copied.add(file.key.kind);
    if (!out) break;
  }
  out << formats::history_end(lines) << std::flush;
  if (!out) throw Error(ExitCode::kEnvironment, "cannot write the history", "see that the disk has room");
  return written;
}

store::CopiedStore read_history(std::istream& in, const std::string& source, store::Store& store) {
  store::CopiedStore read;
  formats::HistoryLines lines(source);
  store::Steps steps(store);
  std::string line;
  while (std::getline(in, line)) {
    const auto document = lines.read(line);
    if (!document) continue;
    read.bytes += document->text.size();
    if (const auto key = store::key_at(document->path)) {
      steps.add(*key, document->text);
    } else if (const auto dropped = store::dropped_at(document->path)) {
      if (store.drop(*dropped, document->text)) ++read.tombstones;
    } else {
      throw Error(ExitCode::kUsage,
                  in_quotes(source) + ": " + in_quotes(document->path) + " is no path of a document",
                  "name a file that tracker store export wrote");
    }
  }
  steps.flush();
  lines.require_end();
  read.copied = steps.added();
  read.already_there = steps.already_there();
  return read;
}

}  // namespace tracker::history
