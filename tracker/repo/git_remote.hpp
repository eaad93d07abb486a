// Another repository that this one fetches from and pushes to, by the git executable: what its user set up
// for it (credentials, proxies, ssh, the header that actions/checkout leaves) is used, which libgit2 does
// not.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::repo {

// All refs in a folder there, and where they are here; both end with a slash.
struct MirroredFolder {
  std::string there;
  std::string here;
};

struct FetchDetails {
  std::optional<MirroredFolder> mirrored;  // is made the same here as well
  // Only the newest commit and its folders: without its past, and without the texts of files, which come when
  // they are read. The clone is a shallow one with a filter then. Where the server can leave nothing out, all
  // comes.
  bool is_shallow = false;
};

struct PushDetails {
  // With objects that are not in the repository: a folder that names the repository's own as alternates.
  std::filesystem::path objects;
  // Refs that go in the same step, each where it still is the commit: a ref and 40 digits.
  std::vector<std::pair<std::string, std::string>> removed;
  // Asks first what is there. git itself takes for granted only that the commits are there that refs stand
  // at: where it knows none of these, as others have pushed, it sends all history to a ref that is new.
  bool asks_first = false;
};

// Nobody is there to type a passphrase.
inline constexpr const char* kSshCommand =
    "ssh -o BatchMode=yes -o ConnectTimeout=30 -o ServerAliveInterval=15";

// What git gets in its environment towards a remote.
struct RemoteEnvironment {
  std::map<std::string, std::string> variables;
  bool with_tokens = false;  // the remote is reached over http, where a credential helper may need them
  std::string upload_pack;   // the program that the remote runs; empty: what git takes
  std::string receive_pack;  // the same
  std::set<std::string>
      not_followed;  // settings of the clone that name programs: the user's own count instead
};

// Of a remote of this name at these addresses, with what `url.*.insteadOf` makes of them. GITHUB_TOKEN is in
// it, for GITHUB_SERVER_URL alone, where all of them are of http, the token is set, and git is not set up to
// reach the server by itself (a header as of actions/checkout, a credential helper of the user's). What the
// clone's own configuration names as programs is not run (docs/security.md). kUsage, without the token, where
// one of the two variables cannot be what it should be.
RemoteEnvironment environment_towards(const Repository& repository, const std::string& remote,
                                      const std::vector<std::string>& urls);

class GitRemote {
 public:
  // `name`: a configured remote, a URL, or the path of a repository. kUsage for what is none of them. The
  // repository must outlive this.
  GitRemote(const Repository& repository, const std::string& name);

  const std::string& name() const { return name_; }  // "origin"; a URL without the password in it

  // Makes `local_ref` here what `ref` is there, with all that belongs to it, and says what that is; none,
  // with `local_ref` as it was, where there is no such ref. `ref` may be a commit's id: servers hand out what
  // their refs reach, and GitHub what any of the forks has. Nothing else here changes. kEnvironment, with
  // git's words, where the remote cannot be reached.
  std::optional<std::string> fetch(const std::string& ref, const std::string& local_ref,
                                   const FetchDetails& details = {}) const;

  // The names of the refs in a folder there, which ends with a slash, in order. kEnvironment where they
  // cannot be listed.
  std::vector<std::string> refs_in(const std::string& folder) const;

  // In a clone that was made with a filter: fetches the folders that the commit, and all it descends from,
  // need and that are not here. kEnvironment where the remote does not give them.
  void fetch_missing_folders(const std::string& commit) const;

  // In such a clone: fetches these objects (40 digits each), all at once. kEnvironment, naming `what` they
  // are, where the remote cannot be reached or does not give them.
  void fetch_objects(const std::vector<std::string>& ids, const std::string& what) const;

  // Makes `ref` there the commit (40 digits), never by force. False where `ref` there has become what is no
  // ancestor of it: somebody else pushed; fetch, merge, push again. Where the remote does not let refs be
  // removed, or not in one step with others, `removed` stay. kEnvironment, with git's words, for any other
  // refusal.
  bool push(const std::string& commit, const std::string& ref, const PushDetails& details = {}) const;

  // Makes `ref` there the commit in place of `expected` (empty: in place of nothing), whether or not it
  // descends from it. False where `ref` there is something else: somebody else pushed. kEnvironment as above.
  bool replace(const std::string& commit, const std::string& ref, const std::string& expected) const;

 private:
  ProcessResult git(const std::vector<std::string>& arguments, const std::string& input = {}) const;
  ProcessResult call(const RemoteEnvironment& environment, const std::vector<std::string>& arguments,
                     const std::string& input, const std::filesystem::path& objects) const;
  ProcessResult call_push(const std::vector<std::string>& options, const std::vector<std::string>& refspecs,
                          const PushDetails& details = {}) const;
  bool is_configured() const;
  bool is_pushed(const std::string& ref, const ProcessResult& result) const;  // else somebody else was there
  Error failure(const std::string& asked, const ProcessResult& result) const;

  const Repository& repository_;
  std::string address_;  // what git is told
  std::string name_;
  RemoteEnvironment fetching_;
  RemoteEnvironment pushing_;
};

// The remote that gives, on demand, what a clone with a filter (--filter=blob:none, tree:0) has left out;
// none for a whole clone.
std::optional<std::string> promisor_remote(const Repository& repository);

// What git said when it could not fetch or push: one message, and the next step. `asked`: "cannot fetch 'x'
// from 'origin'". kEnvironment.
Error remote_failure(const std::string& asked, const std::string& words);

// `text` without the passwords of URLs and without `secrets`.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

}  // namespace tracker::repo
