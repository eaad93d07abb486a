#include "tracker/history/stored_document.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "tracker/base/error.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::history {
namespace {

Run parse(std::string_view text, const std::string& source, const Run*) {
  return formats::read_run(text, source);
}

Profile parse(std::string_view text, const std::string& source, const Profile*) {
  return formats::read_profile(text, source);
}

// Earlier versions wrote some keys with a part twice ("cpu-cpu-x") or without one ("cpu-x" for "cpu-x-2t"):
// what they recorded is read.
bool is_same_device(std::string_view a, std::string_view b) {
  constexpr std::string_view kCpu = "cpu-";
  if (a.starts_with(kCpu) != b.starts_with(kCpu)) return false;
  while (a.starts_with(kCpu)) a.remove_prefix(kCpu.size());
  while (b.starts_with(kCpu)) b.remove_prefix(kCpu.size());
  return a.starts_with(b) || b.starts_with(a);
}

std::string id_of(const Run& run) {
  return formats::document_id(run);
}

std::string id_of(const Profile& profile) {
  return profile.id;
}

template <class Document>
void require_at(const store::Key& key, const Document& document) {
  const std::string stated = device_key(document.device);
  const std::string& device = is_same_device(key.device, stated) ? key.device : stated;
  const std::string id = id_of(document);
  const struct {
    const char* part;
    const std::string& path;
    const std::string& within;
  } parts[] = {{"device", key.device, device}, {"commit", key.commit, document.commit}, {"id", key.id, id}};
  for (const auto& [part, path, within] : parts)
    if (path != within)
      throw Error(ExitCode::kEnvironment,
                  "it lies at " + std::string(part) + " '" + path + "', and is of " + in_quotes(within));
}

template <class Document>
Document read_at(const store::Key& key, std::string_view text) {
  if (text.empty()) throw Error(ExitCode::kEnvironment, "it is empty");
  auto document = parse(text, key.id + ".json", static_cast<const Document*>(nullptr));
  require_at(key, document);
  return document;
}

std::string remedy_of(const Error& error) {
  return dynamic_cast<const formats::NewerDocument*>(&error) != nullptr ? error.hint() : "";
}

template <class Document>
std::optional<Document> read_stored(const store::Store& store, const store::Key& key) {
  try {
    return read_at<Document>(key, store.read(key));
  } catch (const store::Unreachable&) {
    throw;
  } catch (const Error& error) {
    store.leave_out(key, error.what(), remedy_of(error));
    return {};
  }
}

}  // namespace

std::optional<UnusableDocument> why_unusable(const store::Key& key, std::string_view text) {
  try {
    if (key.kind == store::DocumentKind::kProfile)
      read_at<Profile>(key, text);
    else
      read_at<Run>(key, text);
  } catch (const formats::NewerDocument& error) {
    return UnusableDocument{error.what(), error.hint(), true};
  } catch (const Error& error) {
    return UnusableDocument{error.what(), "", false};
  }
  return {};
}

Run parse_stored_run(const store::Key& key, std::string_view text) {
  return read_at<Run>(key, text);
}

std::vector<ReadRun> read_at_once(const store::Store& store, const std::vector<store::Key>& keys) {
  std::vector<ReadRun> documents(keys.size());
  std::mutex reading;
  std::atomic<bool> is_given_up = false;  // what cannot be reached is asked once
  const bool takes_turns = keys.size() > 1 && !store.can_read_at_once();
  for_each_in_parallel(keys.size(), [&](std::size_t i) {
    if (is_given_up) return;
    ReadRun& document = documents[i];
    document.key = keys[i];
    try {
      std::unique_lock lock(reading, std::defer_lock);
      if (takes_turns) lock.lock();
      const std::string text = store.read(keys[i]);
      if (takes_turns) lock.unlock();
      document.run = read_at<Run>(keys[i], text);
    } catch (const store::Unreachable&) {
      is_given_up = true;
      throw;
    } catch (const Error& error) {
      document.why = error.what();
      document.remedy = remedy_of(error);
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
      store.leave_out(document.key, document.why, document.remedy);
  return runs;
}

std::optional<Run> read_stored_run(const store::Store& store, const store::Key& key) {
  return read_stored<Run>(store, key);
}

std::optional<Profile> read_stored_profile(const store::Store& store, const store::Key& key) {
  return read_stored<Profile>(store, key);
}

namespace {

// `newer` over what there is.
void lay_over(Profile& merged, const Profile& newer) {
  auto benchmarks = std::move(merged.benchmarks);
  merged = newer;
  merged.benchmarks.clear();
  for (auto& benchmark : benchmarks) {
    const auto* again = find_benchmark(newer, benchmark.name);
    if (again != nullptr) benchmark = *again;
    merged.benchmarks.push_back(std::move(benchmark));
  }
  for (const auto& benchmark : newer.benchmarks)
    if (find_benchmark(merged, benchmark.name) == nullptr) merged.benchmarks.push_back(benchmark);
}

}  // namespace

std::vector<Profile> profiles_of(const store::Store& store, const std::string& commit) {
  auto keys = store.profile_keys_of(commit);
  std::sort(keys.begin(), keys.end(), [](const store::Key& a, const store::Key& b) { return a.id > b.id; });
  std::vector<Profile> profiles;
  for (const auto& key : keys)
    if (auto profile = read_stored_profile(store, key)) profiles.push_back(std::move(*profile));
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
