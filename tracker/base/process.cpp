#include "tracker/base/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kGrace = std::chrono::seconds(2);
constexpr int kTickMs = 100;

constexpr std::string_view kTokenVariables[] = {
    // GitHub's API, for Actions, the gh program, and GitHub Enterprise
    "GITHUB_TOKEN", "GH_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_PAT",
    // an identity of the job for cloud services
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL",
    // caches and artifacts of the job
    "ACTIONS_RUNTIME_TOKEN", "ACTIONS_RUNTIME_URL", "ACTIONS_CACHE_URL", "ACTIONS_RESULTS_URL",
    // an action's input of that name
    "INPUT_TOKEN", "INPUT_GITHUB-TOKEN", "INPUT_GITHUB_TOKEN",
    // whoever has it can write to the chat
    "TRACKER_NOTIFY_URL",
    // databases: a store's password
    "PGPASSWORD", "TRACKER_STORE_URL",
    // other services
    "CI_JOB_TOKEN", "CI_REGISTRY_PASSWORD", "GITLAB_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN",
    "SYSTEM_ACCESSTOKEN", "BITBUCKET_STEP_OIDC_TOKEN", "BUILDKITE_AGENT_ACCESS_TOKEN"};

struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
      read = ends[0];
      write = ends[1];
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_read();
    close_write();
  }
  void close_read() { close_end(read); }
  void close_write() { close_end(write); }

 private:
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// Texts as execve() takes them: pointers to each, and a null at the end.
class TextArray {
 public:
  explicit TextArray(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (auto& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  TextArray(const TextArray&) = delete;
  TextArray& operator=(const TextArray&) = delete;

  char** data() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

// "NAME=value", as the child gets them.
std::vector<std::string> environment_of(const ProcessSpec& spec) {
  const auto is_left_out = [&](std::string_view name) {
    const auto is_named = [&](const auto& other) { return name == other; };
    return (!spec.with_tokens && std::ranges::any_of(kTokenVariables, is_named)) ||
           std::ranges::any_of(spec.without_environment, is_named) ||
           spec.environment.find(std::string(name)) != spec.environment.end();
  };
  std::vector<std::string> texts;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!is_left_out(text.substr(0, text.find('=')))) texts.emplace_back(text);
  }
  for (const auto& [name, value] : spec.environment) texts.push_back(name + "=" + value);
  return texts;
}

// In a child that could not become the program. Nothing can be done where even this fails: the parent then
// sees exit code 127 alone.
void say_why(int status) {
  const int reason = errno;
  [[maybe_unused]] const auto written = ::write(status, &reason, sizeof reason);
}

// Between fork and exec of a process with several threads nothing may be allocated and no lock be taken:
// another thread may have held it.
[[noreturn]] void run_child(const ProcessSpec& spec, char** argv, char** environment, int in, int out,
                            int err, int status) {
  ::setpgid(0, 0);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(spec.errors_into_output ? out : err, STDERR_FILENO);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGPIPE, SIG_DFL);
  if (!spec.cpus.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : spec.cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
    ::sched_setaffinity(0, sizeof set, &set);
  }
  if (spec.nice != 0) ::setpriority(PRIO_PROCESS, 0, spec.nice);
  environ = environment;  // where execvp looks for PATH
  if (spec.directory.empty() || ::chdir(spec.directory.c_str()) == 0) ::execvp(argv[0], argv);
  say_why(status);
  ::_exit(127);
}

// The same number tells of a folder and of a program that are not there.
std::string why_not_started(const ProcessSpec& spec, int reason) {
  std::error_code ignored;
  if (reason == ENOENT && !spec.directory.empty() && !std::filesystem::exists(spec.directory, ignored))
    return "there is no folder " + in_quotes(spec.directory.string()) + " to run in";
  return std::strerror(reason);
}

// How it ended, by what wait() said, and by what the child wrote where it could not become the program.
void put_end(const ProcessSpec& spec, int status, const Pipe& start, ProcessResult& result) {
  int reason = 0;
  if (::read(start.read, &reason, sizeof reason) == static_cast<ssize_t>(sizeof reason))
    result.start_error = why_not_started(spec, reason);
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.exit_code = result.signal != 0 ? 128 + result.signal : WEXITSTATUS(status);
}

void append_tail(std::string& text, const char* data, std::size_t size, std::size_t bytes_max) {
  text.append(data, size);
  if (text.size() > 2 * bytes_max) text.erase(0, text.size() - bytes_max);
}

// Reads what is there; closes the end and returns false at its end.
bool drain(int end, std::string& text, std::size_t bytes_max,
           const std::function<void(std::string_view)>& on_output = {}) {
  std::array<char, 65536> buffer;
  const auto got = ::read(end, buffer.data(), buffer.size());
  if (got > 0) {
    append_tail(text, buffer.data(), static_cast<std::size_t>(got), bytes_max);
    if (on_output) on_output({buffer.data(), static_cast<std::size_t>(got)});
    return true;
  }
  return got < 0 && (errno == EINTR || errno == EAGAIN);
}

// Ends the process group, politely first.
class Ending {
 public:
  explicit Ending(pid_t group) : group_(group) {}
  void begin() {
    if (since_ != Clock::time_point{}) return;
    since_ = Clock::now();
    ::kill(-group_, SIGTERM);
  }
  void press() {
    if (since_ == Clock::time_point{} || killed_ || Clock::now() - since_ < kGrace) return;
    ::kill(-group_, SIGKILL);
    killed_ = true;
  }
  bool killed() const { return killed_; }

 private:
  pid_t group_;
  Clock::time_point since_{};
  bool killed_ = false;
};

void feed(Pipe& in, const std::string& text, std::size_t& fed) {
  const auto put = ::write(in.write, text.data() + fed, text.size() - fed);
  if (put > 0) fed += static_cast<std::size_t>(put);
  if (fed == text.size() || (put < 0 && errno != EAGAIN && errno != EINTR)) in.close_write();
}

// Whether it has ended, or does so in the next tick. Nothing wakes a poll for that.
bool ends_within_a_tick(pid_t child, int& status) {
  for (int waited_ms = 0; waited_ms < kTickMs; ++waited_ms) {
    if (::waitpid(child, &status, WNOHANG) == child) return true;
    ::poll(nullptr, 0, 1);
  }
  return false;
}

// Moves bytes until the child has exited and its streams are closed (or it was killed, when a
// grandchild may still hold them).
int attend(const ProcessSpec& spec, pid_t child, Pipe& in, Pipe& out, Pipe& err, ProcessResult& result) {
  const auto started = Clock::now();
  Ending ending(child);
  std::size_t fed = 0;
  int status = 0;
  bool exited = false;
  if (spec.input.empty()) in.close_write();
  while (!exited || ((out.read >= 0 || err.read >= 0) && !ending.killed())) {
    std::array<pollfd, 3> ends{{{out.read, POLLIN, 0}, {err.read, POLLIN, 0}, {in.write, POLLOUT, 0}}};
    const bool all_closed = out.read < 0 && err.read < 0 && in.write < 0;
    if (all_closed && !exited)
      exited = ends_within_a_tick(child, status);
    else
      ::poll(ends.data(), ends.size(), exited ? 10 : kTickMs);
    if (ends[0].revents != 0 && !drain(out.read, result.output, spec.output_bytes_max, spec.on_output))
      out.close_read();
    if (ends[1].revents != 0 && !drain(err.read, result.errors, spec.output_bytes_max)) err.close_read();
    if (ends[2].revents != 0) feed(in, spec.input, fed);
    const bool quiet = ends[0].revents == 0 && ends[1].revents == 0;
    if (exited && quiet) break;  // a background grandchild keeps the streams open: not ours to wait for
    if (!exited) exited = ::waitpid(child, &status, WNOHANG) == child;
    if (exited) continue;
    if (spec.timeout.count() > 0 && Clock::now() - started > spec.timeout) {
      result.timed_out = true;
      ending.begin();
    }
    if (!result.stopped && spec.keep_going && !spec.keep_going()) {
      result.stopped = true;
      ending.begin();
    }
    ending.press();
  }
  return status;
}

}  // namespace

std::span<const std::string_view> token_variables() {
  return kTokenVariables;
}

void hide_tokens() {
  for (const std::string_view variable : kTokenVariables) {
    const std::string name(variable);
    char* const shown = std::getenv(name.c_str());
    if (shown == nullptr || *shown == '\0') continue;
    const std::string value = shown;
    std::fill_n(shown, value.size(), '*');
    ::setenv(name.c_str(), value.c_str(), 1);  // elsewhere in memory
    ::prctl(PR_SET_DUMPABLE, 0);
  }
}

std::string environment_value(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? value : "";
}

std::filesystem::path find_on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  if (path == nullptr || name.empty() || name.find('/') != std::string::npos) return {};
  for (const auto& folder : split(path, ':')) {
    const auto file = std::filesystem::path(folder) / name;
    std::error_code ignored;
    if (!folder.empty() && std::filesystem::is_regular_file(file, ignored) &&
        ::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return {};
}

ProcessResult run_process(const ProcessSpec& spec) {
  ProcessResult result;
  TextArray argv(spec.argv);
  TextArray environment(environment_of(spec));

  Pipe in;
  Pipe out;
  Pipe err;
  Pipe start;
  const pid_t child = start.read >= 0 ? ::fork() : -1;
  if (child < 0) {
    result.exit_code = 127;
    result.start_error = std::strerror(errno);
    return result;
  }
  if (child == 0)
    run_child(spec, argv.data(), environment.data(), in.read, out.write, err.write, start.write);
  ::setpgid(child, child);  // in both, so that the group exists whichever runs first
  if (spec.on_start) spec.on_start(child);
  in.close_read();
  out.close_write();
  err.close_write();
  start.close_write();
  ::fcntl(in.write, F_SETFL, O_NONBLOCK);
  // Where nothing is fed there is no pipe to break, and several threads may be here.
  const bool feeds = !spec.input.empty();
  const auto pipe_handler = feeds ? ::signal(SIGPIPE, SIG_IGN) : SIG_DFL;
  const int status = attend(spec, child, in, out, err, result);
  if (feeds) ::signal(SIGPIPE, pipe_handler);

  put_end(spec, status, start, result);
  for (auto* text : {&result.output, &result.errors})
    if (text->size() > spec.output_bytes_max) text->erase(0, text->size() - spec.output_bytes_max);
  return result;
}

namespace {

volatile std::sig_atomic_t foreground_child = 0;

void pass_on(int signal) {
  if (foreground_child > 0) ::kill(foreground_child, signal);
}

}  // namespace

ProcessResult run_in_foreground(const std::vector<std::string>& argv,
                                const std::map<std::string, std::string>& environment) {
  ProcessSpec spec;
  spec.environment = environment;
  spec.with_tokens = true;
  TextArray arguments(argv);
  TextArray variables(environment_of(spec));
  Pipe start;
  const pid_t parent = ::getpid();
  ProcessResult result;
  const pid_t child = start.read >= 0 ? ::fork() : -1;
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    environ = variables.data();
    if (::getppid() == parent) ::execvp(arguments.data()[0], arguments.data());
    say_why(start.write);
    ::_exit(127);
  }
  if (child < 0) {
    result.start_error = std::strerror(errno);
    return result;
  }
  start.close_write();
  foreground_child = child;
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, pass_on);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  foreground_child = 0;
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  put_end(spec, status, start, result);
  return result;
}

std::string describe_end(const ProcessResult& result) {
  if (!result.start_error.empty()) return "could not be started: " + result.start_error;
  if (result.timed_out) return "did not end in the time it had, and was stopped";
  if (result.stopped) return "was stopped";
  if (result.signal != 0)
    return "was killed by signal " + std::to_string(result.signal) + " (" + ::strsignal(result.signal) + ")";
  return "exited with " + std::to_string(result.exit_code);
}

std::string last_lines(const ProcessResult& result, int lines_max) {
  std::string text = result.errors.empty() ? result.output : result.errors;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  std::size_t from = text.size();
  for (int lines = 0; lines < lines_max && from != std::string::npos && from > 0; ++lines)
    from = text.rfind('\n', from - 1);
  return from == std::string::npos || from == 0 ? text : text.substr(from + 1);
}

namespace {

volatile std::sig_atomic_t seen = 0;

void on_signal(int signal) {
  if (seen != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  seen = 1;
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() {
  return seen != 0;
}

SharedLibrary::SharedLibrary(const char* file, std::string use, Package package)
    : use_(std::move(use)), package_(package), library_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) refuse();
}

SharedLibrary::Symbol SharedLibrary::operator[](const char* name) const {
  const Symbol found = find(name);
  if (found.address == nullptr) refuse();
  return found;
}

SharedLibrary::Symbol SharedLibrary::find(const char* name) const {
  return {::dlsym(library_, name)};
}

// The loader's words name the file, and the function where that is missing.
void SharedLibrary::refuse() const {
  const char* const why = ::dlerror();
  throw Error(ExitCode::kEnvironment,
              "cannot load what " + use_ + " needs: " + (why != nullptr ? why : "no reason given"),
              std::string("apt-get install ") + package_.deb + ", or dnf install " + package_.rpm);
}

}  // namespace tracker
