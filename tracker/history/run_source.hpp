// Where a history's runs come from: the store's documents, or the summaries of them where there are any.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tracker/model/policy.hpp"
#include "tracker/store/store.hpp"
#include "tracker/summary/run_summaries.hpp"

namespace tracker {

// A store by itself is a source that reads documents: what looks at single repetitions needs that.
class RunSource {
 public:
  RunSource(const Store& store) : store_(&store) {}  // NOLINT(google-explicit-constructor)
  // With samples of those counters only, and then without machine code: for questions about values.
  RunSource(const Store& store, RunSummaries& summaries, WantedCounters counters = {})
      : store_(&store), summaries_(&summaries), counters_(std::move(counters)) {}

  const Store& store() const { return *store_; }
  RunSummaries* summaries() const { return summaries_; }  // null without any
  // Of these benchmarks; all where it is empty.
  Wanted wanted(WantedNames names = {}) const {
    return {std::move(names), counters_, !counters_.has_value()};
  }

 private:
  const Store* store_;
  RunSummaries* summaries_ = nullptr;
  WantedCounters counters_;
};

// Summaries of the store's runs in that folder, each store's in a file of its own.
std::unique_ptr<RunSummaries> open_summaries(const Store& store, const std::filesystem::path& folder,
                                             std::function<void(std::size_t done, std::size_t all)> progress,
                                             std::function<void(const std::string& text)> note);

// The counters that the policy may judge by.
WantedCounters judged_counters(const Policy& policy);

// The names that a question about these benchmarks needs: what matches any of the globs, by its new name or
// by its own, what it may be renamed to, and the policy's bounds. Empty, which is all, without globs.
WantedNames wanted_names(const std::vector<std::string>& globs, const Policy& policy);

}  // namespace tracker
