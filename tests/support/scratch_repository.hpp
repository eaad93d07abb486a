// Real git repositories for tests: made by the git executable in a temporary folder, untouched by the
// configuration of whoever runs the tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"

namespace tracker::testing_support {

namespace fs = std::filesystem;

inline fs::path make_temporary_folder() {
  std::string pattern = (fs::temp_directory_path() / "tracker-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  fs::permissions(pattern, fs::perms(0755));  // for tests that go on as another user
  return fs::canonical(pattern);
}

// HOME for the whole process: libgit2 looks for it once.
class ScratchHome {
 public:
  static const fs::path& path() {
    static const ScratchHome home;
    return home.path_;
  }
  ~ScratchHome() { fs::remove_all(path_); }

 private:
  ScratchHome() : path_(make_temporary_folder()) {
    const std::map<std::string, std::string> variables = {{"HOME", path_.string()},
                                                          {"XDG_CONFIG_HOME", path_.string()},
                                                          {"GIT_CONFIG_NOSYSTEM", "1"},
                                                          {"GIT_AUTHOR_NAME", "Ada"},
                                                          {"GIT_AUTHOR_EMAIL", "ada@example"},
                                                          {"GIT_COMMITTER_NAME", "Cora"},
                                                          {"GIT_COMMITTER_EMAIL", "cora@example"}};
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL", "SUDO_UID"})
      ::unsetenv(name);
  }
  fs::path path_;
};

// A folder of its own for one test, removed with it.
class ScratchFolder {
 public:
  ScratchFolder() : path_((ScratchHome::path(), make_temporary_folder())) {}
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

inline std::string read_file(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Runs git, which must succeed; what it printed, without the last line end.
inline std::string git(const fs::path& directory, const std::vector<std::string>& arguments,
                       const std::map<std::string, std::string>& environment = {},
                       const std::string& input = {}) {
  ProcessSpec spec{.argv = {"git"}, .directory = directory, .environment = environment, .input = input};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  auto result = run_process(spec);
  if (!result.ok()) throw std::runtime_error("git " + arguments.at(0) + ": " + result.errors);
  if (result.output.ends_with('\n')) result.output.pop_back();
  return result.output;
}

// Makes loose objects of all packs, so that a test can take one away.
inline void unpack_objects(const fs::path& root) {
  const auto packs = root / ".git" / "objects" / "pack";
  const auto aside = root / ".git" / "packs";
  fs::rename(packs, aside);
  fs::create_directory(packs);  // libgit2 looks for packs only where there is such a folder
  for (const auto& file : fs::directory_iterator(aside))
    if (file.path().extension() == ".pack") git(root, {"unpack-objects", "-q"}, {}, read_file(file.path()));
  fs::remove_all(aside);
}

class ScratchRepository {
 public:
  ScratchRepository() {
    fs::create_directory(root());
    git({"init", "--quiet", "--initial-branch=main"});
  }
  const fs::path& folder() const { return folder_.path(); }  // for what lies beside the repository
  fs::path root() const { return folder_.path() / "repository"; }
  fs::path git_folder() const { return root() / ".git"; }

  std::string git(const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& environment = {},
                  const std::string& input = {}) const {
    return testing_support::git(root(), arguments, environment, input);
  }

  // Writes the file and commits it; the id of the commit.
  std::string commit(const std::string& file, const std::string& text,
                     const std::string& message = "change") {
    write_file(root() / file, text);
    git({"add", file});
    git({"commit", "--quiet", "--message", message});
    return git({"rev-parse", "HEAD"});
  }

  void unpack() const { unpack_objects(root()); }

 private:
  ScratchFolder folder_;
};

// What an Error says, as one text: "4 | message | hint"; "no error" where there is none.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + " | " + error.what() + " | " + error.hint();
  }
  return "no error";
}

// What `action` returns, run in a forked process, whose limits and user it may change.
inline std::string in_child(const std::function<std::string()>& action) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    std::string text;
    try {
      text = action();
    } catch (const std::exception& error) {
      text = std::string("unexpected: ") + error.what();
    }
    const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? text : text + " (child ended with status " + std::to_string(status) + ")";
}

constexpr unsigned kNobody = 65534;

// Permissions do not bind root: there the action runs as nobody.
inline std::string in_child_bound_by_permissions(const std::function<std::string()>& action) {
  return in_child([&] {
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0))
      throw std::runtime_error("cannot become nobody");
    return action();
  });
}

// Sets variables for the length of a scope.
class ScopedEnvironment {
 public:
  ScopedEnvironment(std::initializer_list<std::pair<std::string, std::string>> variables) {
    for (const auto& [name, value] : variables) {
      const char* old = std::getenv(name.c_str());
      old_.emplace_back(name, old != nullptr ? old : "", old != nullptr);
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;
  ~ScopedEnvironment() {
    for (const auto& [name, value, was_set] : old_)
      was_set ? ::setenv(name.c_str(), value.c_str(), 1) : ::unsetenv(name.c_str());
  }

 private:
  std::vector<std::tuple<std::string, std::string, bool>> old_;
};

}  // namespace tracker::testing_support
