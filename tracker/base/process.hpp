// Runs another program (an argument vector, never a shell), and loads libraries when they are first used.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

struct ProcessSpec {
  std::vector<std::string> argv;                    // argv[0] is looked up on PATH when it has no slash
  std::filesystem::path directory;                  // empty: the current one
  std::map<std::string, std::string> environment;   // set in addition to the inherited one
  std::vector<std::string> without_environment;     // not inherited
  bool with_tokens = false;                         // inherits token_variables() as well
  std::string input;                                // written to its standard input, then closed
  std::chrono::milliseconds timeout{0};             // 0: none
  std::size_t output_bytes_max = 64u << 20;         // of each stream the last so many bytes are kept
  bool errors_into_output = false;                  // one stream, in the order it was written
  std::vector<int> cpus;                            // it may run on these alone; empty: on all
  int nice = 0;                                     // added to its priority, where that is allowed
  std::function<void(std::string_view)> on_output;  // gets standard output piece by piece
  std::function<void(int process)> on_start;        // gets its id
  // Called about ten times a second while it runs; returning false ends the process like a time-out.
  std::function<bool()> keep_going;
};

struct ProcessResult {
  int exit_code = 0;  // 127 when it could not be started
  int signal = 0;     // the signal that ended it, else 0
  bool timed_out = false;
  bool stopped = false;     // keep_going said no
  std::string output;       // standard output
  std::string errors;       // standard error
  std::string start_error;  // why it could not be started, else empty

  bool ok() const { return exit_code == 0 && signal == 0 && !timed_out && !stopped; }
};

// A variable of this process's environment; empty where it is not set.
std::string environment_value(const std::string& name);

// Where PATH has a program of this name; empty where it has none, or the name has a slash.
std::filesystem::path find_on_path(const std::string& name);

// The variables by which a process may act for the user or the job: tokens, and where to ask for one. No
// child inherits them unless it asks for it, as most run the repository's code: builds and benchmark
// binaries.
std::span<const std::string_view> token_variables();

// So that a child that does not inherit them cannot read them in /proc/PID/environ of this process either:
// wipes what the kernel shows there, and lets no other process of this user look into this one where there is
// any. Before the first thread.
void hide_tokens();

// Never throws for what the program does. The program runs in a process group of its own; on a
// time-out the whole group gets SIGTERM, and SIGKILL two seconds later.
ProcessResult run_process(const ProcessSpec& spec);

// The same for a program that has this process' own terminal and streams, and its process group: Ctrl-C
// reaches both, and is the program's to answer. SIGTERM is passed on, and it gets one where this process is
// killed.
ProcessResult run_in_foreground(const std::vector<std::string>& argv,
                                const std::map<std::string, std::string>& environment);

// How it ended, in words: "exited with 3", "was killed by signal 11 (Segmentation fault)".
std::string describe_end(const ProcessResult& result);

// The last `lines_max` lines of what it printed (errors, or output where there are none), for messages.
std::string last_lines(const ProcessResult& result, int lines_max);

// Ctrl-C, as a question that long work asks now and then.

// From here on SIGINT and SIGTERM no longer end the process but set the flag; a second one ends it.
void catch_interrupts();
bool interrupted();

// A shared library that is loaded when it is first used, and not with the program: what only some commands
// use would make every command start later.
class SharedLibrary {
 public:
  // Names of the package with a library: Debian's, and that of Fedora and RHEL.
  struct Package {
    const char* deb;
    const char* rpm;
  };

  // `file` as the system's loader looks for it: "libpq.so.5"; `use`: what needs it. kEnvironment where it
  // cannot be loaded.
  SharedLibrary(const char* file, std::string use, Package package);

  // A function's address: becomes a pointer to whatever type of function it is assigned to.
  struct Symbol {
    void* address;
    template <class Function>
    operator Function*() const {
      return reinterpret_cast<Function*>(address);
    }
  };

  // kEnvironment where the library has none of that name. It stays valid: no library is unloaded.
  Symbol operator[](const char* name) const;
  // The same, and null where an older release of the library has none of that name.
  Symbol find(const char* name) const;

 private:
  [[noreturn]] void refuse() const;

  std::string use_;
  Package package_;
  void* library_;
};

}  // namespace tracker
