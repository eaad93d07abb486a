#include "tracker/summary/run_summaries.hpp"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "tracker/summary/packed.hpp"
#include "tracker/summary/summary_file.hpp"

namespace tracker::summary {
namespace {

std::vector<const Entry*> entries_on(const File& file, const std::string& device,
                                     const std::function<bool(const std::string& commit)>& fits) {
  std::vector<const Entry*> found;
  for (const auto& entry : file.entries())
    if (entry.key.device == device && fits(entry.key.commit)) found.push_back(&entry);
  return found;
}

std::vector<const Entry*> newest_entries(const File& file, const std::string& device, std::size_t count_max,
                                         const std::string& except_commit) {
  auto found = entries_on(file, device, [&](const std::string& commit) { return commit != except_commit; });
  const auto count = std::min(found.size(), count_max);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end(),
                    [](const Entry* a, const Entry* b) { return a->key.id > b->key.id; });
  found.resize(count);
  return found;
}

// The file's keys and what the store says has changed since.
std::optional<std::vector<store::Key>> with_changes(const File& file, const store::Store& store) {
  const auto changes = file.version().empty() ? std::nullopt : store.changes_since(file.version());
  if (!changes) return {};
  std::set<std::string> dropped;
  for (const auto& key : changes->dropped) dropped.insert(store::path_of(key));
  std::vector<store::Key> keys;
  for (const auto& entry : file.entries())
    if (dropped.empty() || !dropped.contains(store::path_of(entry.key))) keys.push_back(entry.key);
  for (const auto& key : changes->added)
    if (key.kind == store::DocumentKind::kRun) keys.push_back(key);
  return keys;
}

}  // namespace

std::filesystem::path summary_path(const store::Store& store, const std::filesystem::path& folder) {
  return folder / ("summary-" + std::to_string(checksum(store.describe(), 0)) + ".sqlite");
}

std::optional<std::uint64_t> summary_bytes(const std::filesystem::path& file) {
  std::error_code failure;
  std::uint64_t bytes = std::filesystem::file_size(file, failure);
  if (failure) return {};
  std::filesystem::path log = file;
  log += "-wal";
  const std::uint64_t more = std::filesystem::file_size(log, failure);
  return failure ? bytes : bytes + more;
}

RunColumns::RunColumns(File& file, std::vector<const Entry*> entries)
    : file_(file), entries_(std::move(entries)) {
  if (entries_.empty()) return;
  const auto [first, last] = std::minmax_element(
      entries_.begin(), entries_.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  low_ = (*first)->number;
  runs_.assign(static_cast<std::size_t>((*last)->number - low_ + 1), -1);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    runs_[static_cast<std::size_t>(entries_[i]->number - low_)] = static_cast<std::int32_t>(i);
}

void RunColumns::for_each_frame(const VisitFrame& visit) const {
  Run run;
  const Run* last = nullptr;
  file_.for_frames(entries_,
                   [&](std::size_t i, const Run& environment, std::string_view bytes, std::int64_t layout) {
                     if (last != &environment) run = environment;
                     last = &environment;
                     unpack_frame(bytes, run);
                     visit(i, run, layout);
                   });
}

Run RunColumns::frame_of(std::size_t run) const {
  Run frame;
  RunColumns(file_, {entries_.at(run)}).for_each_frame([&](std::size_t, const Run& one, std::int64_t) {
    frame = one;
  });
  return frame;
}

std::vector<std::int64_t> RunColumns::series_in(std::int64_t layout) const {
  return file_.series_in(layout);
}

const std::string& RunColumns::name_of(std::int64_t series) const {
  return file_.name_of(series);
}

std::vector<std::string> RunColumns::chunks_of(std::int64_t series) const {
  if (runs_.empty()) return {};
  const std::lock_guard lock(mutex_);
  return file_.chunks_of(series, low_, low_ + static_cast<std::int64_t>(runs_.size()) - 1);
}

std::int32_t RunColumns::run_of(const Chunk::Row& row) const {
  if (row.number < low_ || row.number >= low_ + static_cast<std::int64_t>(runs_.size())) return -1;
  return runs_[static_cast<std::size_t>(row.number - low_)];
}

std::shared_ptr<const BenchmarkText> RunColumns::text_of(const Chunk::Row& row) const {
  const std::lock_guard lock(mutex_);
  auto& text = texts_[row.text];
  if (!text) text = std::make_shared<const BenchmarkText>(file_.text(row.text));
  return text;
}

RunSummaries::RunSummaries(const store::Store& store, std::filesystem::path file, Hooks hooks)
    : store_(store), path_(std::move(file)), hooks_(std::move(hooks)) {}

RunSummaries::~RunSummaries() = default;

template <typename Answer>
std::optional<Answer> RunSummaries::ask(bool many, const std::function<Answer(File&)>& question) {
  constexpr int kTries = 2;  // damage is mended once
  for (int tries = 0; tries < kTries && !is_unusable_; ++tries) {
    try {
      if (!file_) file_ = std::make_unique<File>(store_, path_, hooks_);
      if (!file_->refresh(many)) return {};
      const Transaction transaction(file_->database(), false);
      file_->load();
      return question(*file_);
    } catch (const Damaged& damage) {
      file_.reset();
      remove_database(path_);
      if (*damage.what != '\0')
        hooks_.note("'" + path_.string() + "' was damaged (" + damage.what +
                    "); it is made again from the store");
    } catch (const Unusable& error) {
      is_unusable_ = true;
      file_.reset();
      hooks_.note("'" + path_.string() + "' cannot be used (" + error.why +
                  "): reading every document instead, which takes longer");
    }
  }
  return {};
}

std::optional<ComparedRuns> RunSummaries::compared(const std::string& device,
                                                   const std::vector<std::string>& commits,
                                                   std::size_t count_max, const std::string& except_commit,
                                                   const Wanted& wanted) {
  return ask<ComparedRuns>(false, [&](File& file) {
    auto whole = entries_on(file, device, [&](const std::string& commit) {
      return std::ranges::find(commits, commit) != commits.end();
    });
    auto read = file.read(std::move(whole), newest_entries(file, device, count_max, except_commit), wanted);
    ComparedRuns compared;
    compared.newest = std::move(read.some);
    for (auto commit = commits.begin(); commit != commits.end(); ++commit) {
      auto& own = compared.of_commits.emplace_back();
      const bool is_last = std::find(commit + 1, commits.end(), *commit) == commits.end();
      for (auto& run : read.whole)
        if (run.commit == *commit) own.push_back(is_last ? std::move(run) : run);
    }
    return compared;
  });
}

std::optional<std::vector<Run>> RunSummaries::runs_on(
    const std::string& device, const std::function<bool(const std::string& commit)>& fits,
    const Wanted& wanted) {
  return ask<std::vector<Run>>(
      true, [&](File& file) { return file.read({}, entries_on(file, device, fits), wanted).some.runs; });
}

bool RunSummaries::ask_columns(const std::string& device,
                               const std::function<bool(const std::string& commit)>& fits,
                               const std::function<void(const RunColumns& columns)>& act) {
  const auto answer = ask<bool>(true, [&](File& file) {
    std::vector<const Entry*> found;
    for (const Entry* entry : entries_on(file, device, fits))
      if (!entry->by_document)
        found.push_back(entry);
      else if (!entry->why_refused.empty())
        store_.leave_out(entry->key, entry->why_refused);
      else if (hooks_.read(entry->key))
        return false;
    std::ranges::sort(found, {}, [](const Entry* entry) -> const std::string& { return entry->key.id; });
    act(RunColumns(file, std::move(found)));
    return true;
  });
  return answer.value_or(false);
}

std::optional<std::vector<store::Key>> RunSummaries::keys() {
  return ask<std::vector<store::Key>>(true, [](File& file) {
    std::vector<store::Key> keys;
    for (const auto& entry : file.entries()) keys.push_back(entry.key);
    return keys;
  });
}

std::optional<std::vector<store::Key>> RunSummaries::known_keys() {
  std::error_code error;
  if (is_unusable_ || !std::filesystem::exists(path_, error)) return {};
  try {
    if (!file_) file_ = std::make_unique<File>(store_, path_, hooks_);
    const Transaction transaction(file_->database(), false);
    file_->load();
    return with_changes(*file_, store_);
  } catch (const Damaged&) {  // told by a question that mends it
  } catch (const Unusable&) {
  }
  file_.reset();
  return {};
}

}  // namespace tracker::summary
