#include "tracker/commands/workspace.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <unistd.h>

#include "tracker/base/text.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/repo/git_remote.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker {
namespace {

Config load_config(const std::filesystem::path& root, const Globals& globals) {
  if (globals.config.empty()) return read_config(root / "tracker.toml");
  if (!std::filesystem::exists(globals.config))
    throw Error(ExitCode::kUsage, "no configuration file '" + printable(globals.config.string()) + "'");
  return read_config(globals.config);
}

std::optional<Repository> open_repository(const Globals& globals, Without repository) {
  if (repository == Without::kAllowed && !Repository::holds(globals.directory)) return {};
  return Repository::open(globals.directory);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// A clone made with a filter may have the ref without what it holds, by a git fetch of its own.
void complete_store(const Repository& repository, const std::string& ref) {
  const auto remote = promisor_remote(repository);
  if (!remote) return;
  try {
    if (const auto tip = tip_of_store(repository, ref)) GitRemote(repository, *remote).fetch_missing(*tip);
  } catch (const Error& error) {
    print_note("warning: " + std::string(error.what()));
  }
}

bool wants_summaries() {
  const char* value = std::getenv("TRACKER_SUMMARY");
  return value == nullptr || std::string_view(value) != "off";
}

// Once for many runs: later questions read what is new. One line that counts up in a terminal, else the last
// one alone.
void print_summing_up(std::size_t done, std::size_t all) {
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  if (!is_terminal && done < all) return;
  std::cerr << (is_terminal ? "\r" : "") << "tracker: summed up " << done << " of " << all
            << " stored runs, once for all questions" << (done == all ? "\n" : "") << std::flush;
}

}  // namespace

Workspace::Workspace(const Globals& globals, Without repository)
    : directory_(globals.directory),
      repository_(open_repository(globals, repository)),
      root_(repository_ ? repository_->root() : directory_),
      config_(load_config(root_, globals)),
      store_place_(choose_store(globals.store, variable("TRACKER_STORE_URL"), config_)) {
  if (!repository_) return;
  if (store_place_.is_git()) complete_store(*repository_, store_place_.where);
  store_ = open_store(*repository_, store_place_, config_);
  store_->on_left_out([](const StoredKey& key, const std::string& why) {
    print_note("warning: " + word_for(key.kind) + " '" + path_of(key) + "' is left out: " + why +
               "; to be rid of it: tracker store drop " + key.id + " --reason TEXT");
  });
  if (wants_summaries())
    summaries_ = open_summaries(*store_, repository_->common_dir() / "tracker", print_summing_up, print_note);
}

RunSource Workspace::history() const {
  store();
  return summaries_ ? RunSource(*store_, *summaries_) : RunSource(*store_);
}

// Opening says again, and better, why there is none.
const Repository& Workspace::repository() const {
  if (!repository_) Repository::open(directory_);
  return repository_.value();
}

Store& Workspace::store() const {
  repository();
  return *store_;
}

std::filesystem::path Workspace::baseline_path(const std::string& device) const {
  return root() / config_.baselines_directory / (device + ".json");
}

RunSource Workspace::history(const Policy& policy) const {
  store();
  return summaries_ ? RunSource(*store_, *summaries_, judged_counters(policy)) : RunSource(*store_);
}

bool in_ci() {
  const auto is_true = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && std::string_view(value) == "true";
  };
  return is_true("CI") || is_true("GITHUB_ACTIONS");
}

std::string short_id(const std::string& commit) {
  return commit.substr(0, 7);
}

std::string describe(const Commit& commit) {
  return short_id(commit.id) + " " + printable(commit.subject);
}

std::vector<std::string> matching_devices(std::vector<std::string> devices, const std::string& pattern) {
  if (!pattern.empty())
    std::erase_if(devices, [&](const std::string& device) { return !glob_match(pattern, device); });
  return devices;
}

}  // namespace tracker
