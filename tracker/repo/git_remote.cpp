#include "tracker/repo/git_remote.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/libgit2.hpp"

namespace tracker::repo {
namespace {

namespace fs = std::filesystem;

// Processes that fetch into the same ref at once meet at its lock.
constexpr int kLockAttemptsMax = 20;
constexpr int kLockPauseMsMax = 100;

// By git: libgit2 1.5 finds them by regular expressions, which it never frees.
std::vector<std::string> configured_remotes(const Repository& repository) {
  const auto listed = run_git(repository.root(), {"remote"});
  if (!listed.ok())
    throw Error(ExitCode::kEnvironment, "cannot read the list of remotes: git remote " +
                                            describe_end(listed) + ": " + last_lines(listed, 3));
  auto names = split(listed.output, '\n');
  std::erase(names, "");
  return names;
}

Error no_such_remote(const std::string& name, const std::vector<std::string>& known) {
  const std::string quoted = in_quotes(without_secrets(name, {}));
  const auto near = nearest(name, known);
  if (near) return {ExitCode::kUsage, "no remote " + quoted, "did you mean " + in_quotes(*near) + "?"};
  if (!known.empty()) return {ExitCode::kUsage, "no remote " + quoted, "remotes: " + join(known, ", ")};
  return {ExitCode::kUsage, "no remote " + quoted + ": this repository has none",
          "name one: git remote add origin URL"};
}

// What git is to be told for `name`.
std::string address_of(const Repository& repository, const std::string& name) {
  const auto known = configured_remotes(repository);
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  const bool hostile =
      name.empty() || name.front() == '-' || std::any_of(name.begin(), name.end(), is_control);
  if (!hostile && std::find(known.begin(), known.end(), name) != known.end()) return name;
  if (hostile || name.find_first_of("/:") == std::string::npos) throw no_such_remote(name, known);
  // git would take a path from the repository's root, not from where the user stands.
  std::error_code none;
  return fs::exists(name, none) ? fs::absolute(name).string() : name;
}

// Where git reaches it, to fetch or to push, with all that url.*.insteadOf changes.
std::vector<std::string> urls_of(const Repository& repository, const std::string& address, bool is_configured,
                                 bool to_push) {
  const std::string name = is_configured ? address : "tracker-asks";
  std::vector<std::string> call = {"remote", "get-url", "--all"};
  if (to_push) call.emplace_back("--push");
  call.push_back(name);
  if (!is_configured) call.insert(call.begin(), {"-c", "remote." + name + ".url=" + address});
  const auto listed = run_git(repository.root(), call);
  auto urls = split(listed.output, '\n');
  std::erase(urls, "");
  if (!listed.ok() || urls.empty()) return {address};  // git will say what is wrong with it
  return {urls.begin(), urls.end()};
}

// Nobody is there to type a passphrase; where the user has chosen how ssh is called, that stays.
void keep_ssh_from_asking(const Repository& repository, std::map<std::string, std::string>& environment) {
  for (const char* chosen : {"GIT_SSH_COMMAND", "GIT_SSH"})
    if (std::getenv(chosen) != nullptr) return;
  if (run_git(repository.root(), {"config", "--get", "core.sshCommand"}).ok()) return;
  environment["GIT_SSH_COMMAND"] = kSshCommand;
}

bool says(const ProcessResult& result, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return result.output.find(word) != std::string::npos || result.errors.find(word) != std::string::npos;
  });
}

// Whether a push was too late. The first three are git's before it sends anything, the others the remote's
// when it locks the ref.
bool is_overtaken(const ProcessResult& result) {
  return says(result, {"(fetch first)", "(non-fast-forward)", "(stale info)", "cannot lock ref",
                       "failed to update ref", "(failed to lock)", "incorrect old value provided",
                       "reference already exists", "atomic transaction failed"});
}

// git's words about a remote → one message and the next step.

struct Cause {
  std::vector<std::string_view> words;  // any of them, in what git prints under LC_ALL=C
  const char* what;
  const char* hint;
};

constexpr const char* kSignInHint =
    "give git a login for it: a credential helper, an ssh key, or GITHUB_TOKEN with "
    "'contents: write' to push and 'contents: read' to fetch";

// The first row that fits counts: what is told of causes before what is told of their consequences.
const std::vector<Cause>& causes() {
  static const std::vector<Cause> table{
      {{"Host key verification failed"},
       "ssh does not know the host's key",
       "connect once by hand: ssh -T git@HOST; in CI, put the key into known_hosts"},
      {{"transport '"},
       "its address is of a kind that tracker lets git use only where your own configuration allows it",
       "git config --global protocol.NAME.allow always, where the address begins with NAME:"},
      {{"error in object", "fsck error", "fsck-objects"},
       "what it holds is damaged or was made to harm; nothing of it was taken over",
       "git fsck in that repository says which object it is"},
      {{"No space left on device"}, "the disk is full", "make room, here or there, and try again"},
      {{"could not read Username", "could not read Password", "terminal prompts disabled",
        "Authentication failed", "Invalid username or", "Permission denied (", "returned error: 401",
        "returned error: 403", "duplicate header"},
       "it refuses access",
       kSignInHint},
      {{"shallow update not allowed"},
       "the runs' own history was cut off here by a shallow fetch",
       "fetch all of it: git fetch --unshallow"},
      {{"returned error: 301", "returned error: 302", "returned error: 307", "returned error: 308",
        "update url base from redirection"},
       "it redirects to another address, which is not followed: that server would get the login",
       "was the repository renamed? git remote set-url says where it is now"},
      {{"Repository not found", "does not appear to be a git repository", "returned error: 404",
        "repository '", "' does not exist"},
       "there is no repository, or none that may be seen without a login",
       "git remote -v shows the address"},
      {{"Could not resolve host", "Temporary failure in name resolution", "Failed to connect",
        "Couldn't connect", "Connection refused", "Connection timed out", "Network is unreachable",
        "No route to host", "Operation timed out", "Operation too slow", "unable to connect to",
        "Connection reset"},
       "it cannot be reached",
       "check the network and the address (git remote -v), then try again"},
      {{"hook declined", "remote rejected", "GH006", "GH013"},
       "it does not let this ref be written",
       "its hooks or rules decide: allow refs/tracker/* to be pushed there"},
      {{".lock': File exists"},
       "a ref here is locked, by a git that runs or by one that was killed",
       "try again; if no git and no tracker is running, remove the .lock file that is named"},
      {{"insufficient permission", "Permission denied", "Read-only file system", "unable to create"},
       "a file cannot be written",
       "see that this user may write to the git folder"},
      {{"dubious ownership"},
       "its folder is owned by someone else",
       "git config --global --add safe.directory"},
      {{"returned error: 5", "early EOF", "hung up unexpectedly", "unexpected disconnect", "RPC failed"},
       "the connection broke off",
       "try again; nothing recorded here was lost"},
  };
  return table;
}

// The lines that say something, as one: git's prefixes and remarks on what to do are ours to word.
std::string essence(const std::string& words) {
  constexpr std::size_t kBytesMax = 400;
  std::vector<std::string> kept;
  for (std::string_view line : split(words, '\n')) {
    for (const std::string_view prefix : {"fatal: ", "error: ", "remote: ", "fatal: ", "error: "})
      if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    const bool says_nothing = line.empty() || line.starts_with("hint:") || line.starts_with("To ") ||
                              line.starts_with("Could not read from remote repository") ||
                              line.starts_with("Please make sure you have") ||
                              line.starts_with("and the repository exists") || line == "Done";
    if (!says_nothing) kept.push_back(printable(line));
  }
  std::string text = join(kept, "; ");
  if (text.size() > kBytesMax) text = printable(text.substr(0, kBytesMax)) + "…";
  return text;
}

void pause(std::minstd_rand& random) {
  std::this_thread::sleep_for(
      std::chrono::milliseconds(std::uniform_int_distribution<>(1, kLockPauseMsMax)(random)));
}

}  // namespace

std::optional<std::string> promisor_remote(const Repository& repository) {
  using GitConfigEntries = GitHandle<git_config_iterator, git_config_iterator_free>;
  constexpr std::string_view kBefore = "remote.";
  constexpr std::string_view kAfter = ".promisor";
  GitConfig config;  // as it is now: a fetch of git may just have changed it
  GitConfigEntries entries;
  if (git_repository_config_snapshot(config.out(), repository.handle()) != 0 ||
      git_config_iterator_new(entries.out(), config.get()) != 0)
    return {};
  git_config_entry* entry = nullptr;
  while (git_config_next(&entry, entries.get()) == 0) {
    const std::string_view name = entry->name;
    if (name.size() <= kBefore.size() + kAfter.size() || !name.starts_with(kBefore) ||
        !name.ends_with(kAfter))
      continue;
    int is_promisor = 0;
    if (git_config_parse_bool(&is_promisor, entry->value) != 0 || is_promisor == 0) continue;
    return std::string(name.substr(kBefore.size(), name.size() - kBefore.size() - kAfter.size()));
  }
  return {};
}

GitRemote::GitRemote(const Repository& repository, const std::string& name)
    : repository_(repository),
      address_(address_of(repository, name)),
      name_(without_secrets(name, {})),
      fetching_(
          environment_towards(repository, address_, urls_of(repository, address_, is_configured(), false))),
      pushing_(
          environment_towards(repository, address_, urls_of(repository, address_, is_configured(), true))) {
  for (auto* environment : {&fetching_, &pushing_}) {
    environment->variables["LC_ALL"] = "C";  // its words are read
    environment->variables["LANGUAGE"] = "";
    keep_ssh_from_asking(repository, environment->variables);
  }
}

ProcessResult GitRemote::git(const std::vector<std::string>& arguments, const std::string& input) const {
  return call(fetching_, arguments, input, {});
}

// A connection on which nothing moves for a minute is given up. A redirect is not followed: git would send
// what it signs in with along, to whatever server it names.
ProcessResult GitRemote::call(const RemoteEnvironment& towards, const std::vector<std::string>& arguments,
                              const std::string& input, const fs::path& objects) const {
  auto environment = towards.variables;
  if (!objects.empty()) environment["GIT_OBJECT_DIRECTORY"] = objects.string();
  auto all = split("-c http.lowSpeedLimit=1 -c http.lowSpeedTime=60 -c http.followRedirects=false", ' ');
  all.insert(all.end(), arguments.begin(), arguments.end());
  auto result = run_git({.directory = repository_.root(),
                         .arguments = all,
                         .environment = environment,
                         .input = input,
                         .keep_going = [] { return !interrupted(); },
                         .with_tokens = towards.with_tokens});
  if (result.stopped) throw Error(ExitCode::kInterrupted, "interrupted; what is recorded here is as it was");
  return result;
}

Error GitRemote::failure(const std::string& asked, const ProcessResult& result) const {
  std::vector<std::string> secrets;
  if (const char* token = std::getenv("GITHUB_TOKEN")) secrets.emplace_back(token);
  std::vector<std::string> left_out;
  for (const auto* environment : {&fetching_, &pushing_}) {
    for (const auto& [name, value] : environment->variables)
      if (name.starts_with("GIT_CONFIG_VALUE_") && value.starts_with("Authorization: "))
        secrets.push_back(value.substr(value.rfind(' ') + 1));
    left_out.insert(left_out.end(), environment->not_followed.begin(), environment->not_followed.end());
  }
  const std::string words = without_secrets(result.errors + "\n" + result.output, secrets);
  const Error error = remote_failure(asked, result.timed_out ? "Operation timed out" : words);
  if (left_out.empty()) return error;
  std::sort(left_out.begin(), left_out.end());
  left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  return {error.code(),
          std::string(error.what()) + "; this clone's own configuration was not followed in: " +
              without_secrets(join(left_out, ", "), secrets),
          error.hint() + "; what git config --global sets is followed (docs/security.md)"};
}

std::optional<std::string> GitRemote::fetch(const std::string& ref, const std::string& local_ref,
                                            const FetchDetails& details) const {
  std::minstd_rand random(std::random_device{}());
  // Objects of strangers are looked at before they are taken over; nothing but the one ref is written.
  // What comes lies in a pack until a ref has it: loose, `git gc` beside this might remove it.
  auto call = split(
      "-c fetch.fsckObjects=true -c fetch.unpackLimit=1 fetch --quiet --no-tags --no-write-fetch-head "
      "--no-auto-maintenance --no-recurse-submodules --refmap=",
      ' ');
  call.emplace_back(details.mirrored ? "--prune" : "--no-prune");  // of what is named below
  // Without a filter, all of it comes, whatever this clone was made with.
  call.emplace_back(details.is_shallow && is_configured() ? "--filter=blob:none" : "--no-filter");
  if (details.is_shallow) call.emplace_back("--depth=1");
  if (!fetching_.upload_pack.empty()) call.push_back("--upload-pack=" + fetching_.upload_pack);
  call.insert(call.end(), {"--end-of-options", address_, "+" + ref + ":" + local_ref});
  if (details.mirrored) call.push_back("+" + details.mirrored->there + "*:" + details.mirrored->here + "*");
  ProcessResult result;
  for (int attempt = 0; attempt < kLockAttemptsMax; ++attempt) {
    result = git(call);
    if (result.ok()) {
      const auto id = tip_of(repository_, local_ref);
      if (id && promisor_remote(repository_) == address_) fetch_missing_folders(*id);
      return id;
    }
    if (says(result, {"couldn't find remote ref", "not our ref"})) return {};
    if (!says(result,
              {"cannot lock ref", ".lock': File exists", "could not delete ref", "could not remove ref",
               // git gc beside this removed what was being written
               "unable to rename temporary", "invalid index-pack output"}))
      break;
    pause(random);
  }
  throw failure("cannot fetch '" + ref + "' from " + in_quotes(name_), result);
}

std::vector<std::string> GitRemote::refs_in(const std::string& folder) const {
  const auto listed = git({"ls-remote", "--refs", "--quiet", "--end-of-options", address_, folder + "*"});
  if (!listed.ok()) throw failure("cannot list '" + folder + "' of " + in_quotes(name_), listed);
  std::vector<std::string> names;
  for (const auto& line : split(listed.output, '\n'))  // "<id>\t<name>"
    if (const auto tab = line.find('\t'); tab != std::string::npos) names.push_back(line.substr(tab + 1));
  std::erase_if(names, [&](const std::string& name) { return !name.starts_with(folder); });
  std::sort(names.begin(), names.end());
  return names;
}

// The texts of files stay away until they are read.
void GitRemote::fetch_missing_folders(const std::string& commit) const {
  constexpr int kRoundsMax = 10;  // a tree comes with all below it: two do
  for (int round = 0; round < kRoundsMax; ++round) {
    const auto listed =
        git(split("rev-list --objects --filter=blob:none --missing=print --no-object-names " + commit, ' '));
    if (!listed.ok()) throw failure("cannot list what '" + commit + "' needs", listed);
    std::vector<std::string> missing;
    for (const auto& line : split(listed.output, '\n'))
      if (line.starts_with('?')) missing.emplace_back(line.substr(1));
    if (missing.empty()) return;
    fetch_objects(missing, "what this clone, made with a filter, left out");
  }
  throw Error(
      ExitCode::kEnvironment,
      "objects that '" + commit + "' needs are missing, and " + in_quotes(name_) + " does not give them",
      "fetch all of it: git fetch --refetch --no-filter " + name_);
}

// A server leaves out what belongs to commits that this clone says it has: so nothing is said ("noop").
void GitRemote::fetch_objects(const std::vector<std::string>& ids, const std::string& what) const {
  auto call = split(
      "-c fetch.negotiationAlgorithm=noop fetch --quiet --no-tags --no-write-fetch-head "
      "--no-auto-maintenance "
      "--no-recurse-submodules --no-filter --stdin",
      ' ');
  if (!fetching_.upload_pack.empty()) call.push_back("--upload-pack=" + fetching_.upload_pack);
  call.insert(call.end(), {"--end-of-options", address_});
  const auto result = git(call, join(ids, "\n") + "\n");
  if (!result.ok()) throw failure("cannot fetch " + what + " from " + in_quotes(name_), result);
}

// git takes a filter only of a remote that it can ask again, by its name.
bool GitRemote::is_configured() const {
  return address_.find_first_of("/:=") == std::string::npos;
}

bool GitRemote::push(const std::string& commit, const std::string& ref, const PushDetails& details) const {
  if (!details.removed.empty()) {
    std::vector<std::string> options = {"--no-force", "--atomic"};
    std::vector<std::string> refspecs = {commit + ":" + ref};
    for (const auto& [removed, expected] : details.removed) {
      options.push_back("--force-with-lease=" + removed + ":" + expected);
      refspecs.push_back(":" + removed);
    }
    const auto result = call_push(options, refspecs, details);
    // Another one may have made the same commit of the same refs.
    if (result.ok() || says(result, {commit + ":" + ref + "\t[up to date]"})) return true;
    if (is_overtaken(result)) return false;
  }
  return is_pushed(ref, call_push({"--no-force"}, {commit + ":" + ref}, details));
}

bool GitRemote::replace(const std::string& commit, const std::string& ref,
                        const std::string& expected) const {
  return is_pushed(ref, call_push({"--force-with-lease=" + ref + ":" + expected}, {commit + ":" + ref}));
}

ProcessResult GitRemote::call_push(const std::vector<std::string>& options,
                                   const std::vector<std::string>& refspecs,
                                   const PushDetails& details) const {
  std::vector<std::string> call;
  // A mirror's own setting would push every ref, and git refuses it beside the name of one.
  if (is_configured()) call = {"-c", "remote." + address_ + ".mirror=false"};
  // Asking is a fetch, which would run the clone's own program there.
  if (details.asks_first && pushing_.upload_pack.empty())
    call.insert(call.end(), {"-c", "push.negotiate=true"});
  call.emplace_back("push");
  call.insert(call.end(), options.begin(), options.end());
  if (!pushing_.receive_pack.empty()) call.push_back("--receive-pack=" + pushing_.receive_pack);
  call.insert(call.end(), {"--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no",
                           "--end-of-options", address_});
  call.insert(call.end(), refspecs.begin(), refspecs.end());
  return this->call(pushing_, call, {}, details.objects);
}

bool GitRemote::is_pushed(const std::string& ref, const ProcessResult& result) const {
  if (!result.ok() && !is_overtaken(result))
    throw failure("cannot push '" + ref + "' to " + in_quotes(name_), result);
  return result.ok();
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  for (const auto& secret : secrets) text = without_secret(text, secret);
  return tracker::without_secrets(text);
}

Error remote_failure(const std::string& asked, const std::string& words) {
  const std::string said = essence(words);
  const std::string quoted = said.empty() ? "" : " (" + said + ")";
  for (const auto& cause : causes())
    for (const auto word : cause.words)
      if (words.find(word) != std::string::npos)
        return {ExitCode::kEnvironment, asked + ": " + cause.what + quoted, cause.hint};
  return {ExitCode::kEnvironment, asked + ": " + (said.empty() ? "git says nothing of why" : said),
          "the same by hand may say more: git ls-remote"};
}

}  // namespace tracker::repo
