#include "tracker/summary/run_summaries.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tracker/summary/packed.hpp"
#include "tracker/summary/summary_file.hpp"

namespace tracker {

RunSummaries::RunSummaries(const Store& store, std::filesystem::path file, SummaryHooks hooks)
    : store_(store), path_(std::move(file)), hooks_(std::move(hooks)) {}

RunSummaries::~RunSummaries() = default;

template <typename Answer>
std::optional<Answer> RunSummaries::ask(bool many, const std::function<Answer(SummaryFile&)>& question) {
  constexpr int kTries = 2;  // damage is mended once
  for (int tries = 0; tries < kTries && !is_unusable_; ++tries) {
    try {
      if (!file_) file_ = std::make_unique<SummaryFile>(store_, path_, hooks_);
      if (!file_->refresh(many)) return {};
      const Transaction transaction(file_->database(), false);
      file_->load();
      return question(*file_);
    } catch (const SummaryDamaged& damage) {
      file_.reset();
      remove_database(path_);
      if (*damage.what != '\0')
        hooks_.note("'" + path_.string() + "' was damaged (" + damage.what +
                    "); it is made again from the store");
    } catch (const SummaryUnusable& error) {
      is_unusable_ = true;
      file_.reset();
      hooks_.note("'" + path_.string() + "' cannot be used (" + error.why +
                  "): reading every document instead, which takes longer");
    }
  }
  return {};
}

std::optional<std::vector<Run>> RunSummaries::newest(const std::string& device, std::size_t count_max,
                                                     const std::string& except_commit,
                                                     const WantedCounters& counters) {
  return ask<std::vector<Run>>(false, [&](SummaryFile& file) {
    std::vector<const SummaryEntry*> found;
    for (const auto& entry : file.entries())
      if (entry.key.device == device && entry.key.commit != except_commit) found.push_back(&entry);
    std::sort(found.begin(), found.end(),
              [](const SummaryEntry* a, const SummaryEntry* b) { return a->key.id > b->key.id; });
    if (found.size() > count_max) found.resize(count_max);
    return file.read(std::move(found), {{}, counters});
  });
}

std::optional<std::vector<Run>> RunSummaries::runs_on(
    const std::string& device, const std::function<bool(const std::string& commit)>& fits,
    const Wanted& wanted) {
  return ask<std::vector<Run>>(true, [&](SummaryFile& file) {
    std::vector<const SummaryEntry*> found;
    for (const auto& entry : file.entries())
      if (entry.key.device == device && fits(entry.key.commit)) found.push_back(&entry);
    return file.read(std::move(found), wanted);
  });
}

std::optional<std::vector<std::string>> RunSummaries::names_in(const std::string& device,
                                                               const std::vector<std::string>& run_ids) {
  return ask<std::vector<std::string>>(true, [&](SummaryFile& file) {
    std::unordered_map<std::string_view, const SummaryEntry*> by_id;
    for (const auto& entry : file.entries())
      if (entry.key.device == device) by_id.emplace(entry.key.id, &entry);
    std::vector<const SummaryEntry*> entries;
    for (const auto& id : run_ids)
      if (const auto found = by_id.find(id); found != by_id.end()) entries.push_back(found->second);
    return file.names_in(entries);
  });
}

std::optional<std::vector<StoredKey>> RunSummaries::keys() {
  return ask<std::vector<StoredKey>>(true, [](SummaryFile& file) {
    std::vector<StoredKey> keys;
    for (const auto& entry : file.entries()) keys.push_back(entry.key);
    return keys;
  });
}

}  // namespace tracker
