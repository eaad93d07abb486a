#include "tracker/app/workspace.hpp"

#include <set>

#include "tracker/base/text.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/postgres/postgres_store.hpp"
#include "tracker/repo/git_remote.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker::app {

bool StorePlace::is_git() const {
  return !postgres::is_url(where);
}

StorePlace place_named(const std::string& argument) {
  if (postgres::is_url(argument)) {
    if (postgres::has_password(argument))
      throw Error(ExitCode::kUsage, "a password on the command line can be read by everyone on this machine",
                  "put it into ~/.pgpass, or the whole URL into the variable TRACKER_STORE_URL");
  } else if (!argument.starts_with("refs/")) {
    const auto scheme = argument.find("://");  // what follows may hold a password
    const std::string shown = scheme == std::string::npos ? argument : argument.substr(0, scheme + 3) + "…";
    throw Error(ExitCode::kUsage, "no store " + in_quotes(shown),
                "name a ref, such as refs/tracker/v1, or postgresql://HOST/DATABASE");
  }
  return {argument};
}

StorePlace choose_store(const std::string& option, const std::string& variable, const Config& config) {
  if (!option.empty()) return place_named(option);
  if (!variable.empty()) {
    if (!postgres::is_url(variable) && !variable.starts_with("refs/"))
      throw Error(ExitCode::kUsage, "the variable TRACKER_STORE_URL names no store",
                  "set it to a ref, such as refs/tracker/v1, or to postgresql://HOST/DATABASE");
    return {variable};
  }
  if (config.store_url.empty()) return {config.store_ref};
  return {postgres::is_available() ? postgres::url_from_repository(config.store_url) : config.store_url};
}

std::unique_ptr<store::Store> open_store(const repo::Repository& repository, const StorePlace& place,
                                         const Config& config) {
  if (place.is_git()) return store::open_git(repository, place.where);
  return postgres::open_store(place.where, [&repository, &config] {
    return config.store_repository.empty() ? repository.first_commit() : config.store_repository;
  });
}

namespace {

Config load_config(const std::filesystem::path& root, const WorkspaceRequest& request) {
  if (request.config.empty()) return formats::read_config(root / "tracker.toml");
  if (!std::filesystem::exists(request.config))
    throw Error(ExitCode::kUsage, "no configuration file " + in_quotes(request.config.string()));
  return formats::read_config(request.config);
}

// A project of a larger repository may have one of its own, which the root's place does not show.
void tell_unread_config(const std::filesystem::path& root, const WorkspaceRequest& request) {
  if (!request.config.empty() || std::filesystem::exists(root / "tracker.toml")) return;
  std::error_code failed;
  for (auto at = std::filesystem::weakly_canonical(request.directory, failed);
       !failed && at != root && at.has_relative_path(); at = at.parent_path()) {
    if (!std::filesystem::exists(at / "tracker.toml")) continue;
    const auto path = (at / "tracker.toml").lexically_relative(root).string();
    request.observer->note(
        in_quotes(path) + " is not read: tracker.toml belongs to the root of the repository; --config " +
        shell_word((at / "tracker.toml").string()) + " names it, and its paths start at the root");
    return;
  }
}

std::optional<repo::Repository> open_repository(const WorkspaceRequest& request, Without repository) {
  if (repository == Without::kAllowed && !repo::Repository::holds(request.directory)) return {};
  return repo::Repository::open(request.directory);
}

// Whatever else is wrong is told by who reads it.
void tell_lost_step(const store::Store& store, Observer& observer) {
  try {
    if (const auto lost = store.lost_step())
      observer.note("warning: " + lost->what + "; next: " + lost->remedy);
  } catch (const Error&) {
    return;
  }
}

// A clone made with a filter may have the ref without its folders, by a git fetch of its own.
void complete_store(const repo::Repository& repository, const std::string& ref, Observer& observer) {
  const auto remote = repo::promisor_remote(repository);
  if (!remote) return;
  try {
    if (const auto tip = repo::tip_of(repository, ref))
      repo::GitRemote(repository, *remote).fetch_missing_folders(*tip);
  } catch (const Error& error) {
    observer.note("warning: " + std::string(error.what()));
  }
}

}  // namespace

Workspace::Workspace(const WorkspaceRequest& request, Without repository)
    : observer_(request.observer),
      in_ci_(request.in_ci),
      directory_(request.directory),
      repository_(open_repository(request, repository)),
      root_(repository_ ? repository_->root() : directory_),
      config_(load_config(root_, request)),
      has_named_config_(!request.config.empty()),
      store_place_(choose_store(request.store, request.store_variable, config_)) {
  if (!repository_) return;
  tell_unread_config(root_, request);
  if (store_place_.is_git()) complete_store(*repository_, store_place_.where, *observer_);
  store_ = open_store(*repository_, store_place_, config_);
  if (store_place_.is_git()) tell_lost_step(*store_, *observer_);
  if (!request.record_into.empty()) {
    if (request.record_into == store_place_.where)
      throw Error(ExitCode::kUsage,
                  "TRACKER_RECORD_INTO names the store itself, " + in_quotes(request.record_into),
                  "name a ref of this job alone, such as refs/tracker/job");
    job_store_ = store::open_job(*store_, store::open_git(*repository_, request.record_into));
  }
  store().on_left_out([observer = observer_, told = 0](const store::LeftOut& document) mutable {
    constexpr int kToldMax = 20;
    if (++told > kToldMax + 1) return;
    if (told > kToldMax)
      return observer->note("warning: more documents are left out: tracker store verify names all");
    observer->note("warning: " + store::word_for(document.key.kind) + " '" + store::path_of(document.key) +
                   "' is left out: " + document.why + "; " + document.remedy);
  });
  if (request.summaries)
    summaries_ = history::open_summaries(
        store(), repository_->common_dir() / "tracker",
        [observer = observer_](std::size_t done, std::size_t all) { observer->summing_up(done, all); },
        [observer = observer_](const std::string& text) { observer->note(text); });
}

std::function<void(const std::string&)> Workspace::note_function() const {
  return [observer = observer_](const std::string& text) { observer->note(text); };
}

history::RunSource Workspace::history() const {
  return summaries_ && !needs_repetitions(config_.policy) ? history::RunSource(store(), *summaries_)
                                                          : history::RunSource(store());
}

// Opening says again, and better, why there is none.
const repo::Repository& Workspace::repository() const {
  if (!repository_) repo::Repository::open(directory_);
  return repository_.value();
}

store::Store& Workspace::store() const {
  repository();
  return job_store_ ? *job_store_ : *store_;
}

const store::Store& Workspace::shared_store() const {
  repository();
  return *store_;
}

const measure::LocalEnvironment& Workspace::machine() const {
  if (!machine_) machine_.emplace();
  return *machine_;
}

std::filesystem::path Workspace::baseline_path(const std::string& device) const {
  return root() / config_.baselines_directory / (device + ".json");
}

history::RunSource Workspace::history(const Policy& policy) const {
  const store::Store& opened = store();
  return summaries_ && !needs_repetitions(policy)
             ? history::RunSource(opened, *summaries_, history::judged_counters(policy))
             : history::RunSource(opened);
}

std::optional<Commit> find_commit(const repo::Repository& repository, const std::string& revision) {
  try {
    return repository.resolve(revision);
  } catch (const Error&) {
    return {};
  }
}

std::vector<std::string> matching_devices(std::vector<std::string> devices, const std::string& pattern) {
  if (!pattern.empty())
    std::erase_if(devices, [&](const std::string& device) { return !glob_match(pattern, device); });
  return devices;
}

namespace {

constexpr int kCommitsOfNames = 20;

std::vector<std::string> recorded_names(const Workspace& workspace, const std::vector<std::string>& devices,
                                        const std::string& from) {
  std::set<std::string> names;
  for (const auto& device : devices)
    for (auto& commit :
         history::load(workspace.repository(), workspace.history(), device, from, kCommitsOfNames))
      for (auto& run : commit.runs) {
        rename_benchmarks(run, workspace.config().policy.renames);
        for (const auto& benchmark : run.benchmarks) names.insert(benchmark.name);
      }
  return {names.begin(), names.end()};
}

}  // namespace

std::vector<std::string> chosen_devices(const std::vector<std::string>& known, const std::string& pattern) {
  auto chosen = matching_devices(known, pattern);
  if (!chosen.empty() || known.empty()) return chosen;
  throw Error(ExitCode::kUsage, "no device matches " + in_quotes(pattern),
              "recorded are: " + join(known, ", "));
}

void require_known_device(const Workspace& workspace, const std::string& pattern) {
  if (!pattern.empty() && workspace.has_repository()) chosen_devices(workspace.store().devices(), pattern);
}

Error no_benchmark_matches(const Workspace& workspace, const std::vector<std::string>& globs,
                           const std::vector<std::string>& devices, const std::string& from) {
  const std::string hint = near_names_hint(globs, recorded_names(workspace, devices, from));
  return Error(ExitCode::kUsage, "no benchmark matches " + in_quotes(join(globs, "' or '")),
               hint.empty() ? "tracker log '*' lists what is recorded" : hint);
}

}  // namespace tracker::app
