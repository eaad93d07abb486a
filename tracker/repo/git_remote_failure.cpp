// git's words about a remote → one message and the next step.
#include <string_view>
#include <vector>

#include "tracker/base/secret.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker {
namespace {

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

}  // namespace

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  for (const auto& secret : secrets) text = without_secret(text, secret);
  return without_secrets(text);
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

}  // namespace tracker
