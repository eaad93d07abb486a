// A PostgreSQL server of one test's own, in a temporary folder, on a socket in it: nobody else's data is
// touched.
#pragma once

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/postgres/connection.hpp"

namespace tracker::testing_support {

// The folder of the server's programs, the newest release; none where Debian's package postgresql is missing.
inline std::optional<fs::path> postgres_programs() {
  std::vector<fs::path> found;
  std::error_code missing;
  for (const auto& release : fs::directory_iterator("/usr/lib/postgresql", missing))
    if (fs::exists(release.path() / "bin/initdb") && fs::exists(release.path() / "bin/postgres"))
      found.push_back(release.path() / "bin");
  if (found.empty()) return {};
  return *std::max_element(found.begin(), found.end());
}

// What a skipped test says.
inline std::string why_no_postgres() {
  return postgres_programs()
             ? ""
             : "no PostgreSQL server is installed: script/setup --dev, or apt-get install postgresql";
}

class PostgresServer {
 public:
  // `authentication` as in pg_hba.conf: "trust" lets everybody in under any name.
  explicit PostgresServer(const std::string& authentication = "trust") {
    fs::create_directory(data());
    fs::create_directory(socket());
    if (::geteuid() == 0) {  // which PostgreSQL refuses
      user_ = ::getpwnam("postgres") != nullptr ? ::getpwnam("postgres") : ::getpwnam("nobody");
      for (const auto& folder : {data(), socket()})
        if (::chown(folder.c_str(), user_->pw_uid, user_->pw_gid) != 0)
          throw std::runtime_error("cannot chown");
    }
    const pid_t child = spawn({(*postgres_programs() / "initdb").string(), "-D", data().string(), "--no-sync",
                               "-A", "trust", "-U", "owner", "-E", "UTF8", "--locale=C"});
    int status = 0;
    if (::waitpid(child, &status, 0) != child || status != 0) throw std::runtime_error("initdb failed");
    std::ofstream(data() / "pg_hba.conf")
        << "local all owner trust\nlocal all all " << authentication << "\n";
    start();
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer() { stop(); }

  // From the main thread: the server ends with the thread that started it.
  void start() {
    server_ = spawn({(*postgres_programs() / "postgres").string(), "-D", data().string(), "-k",
                     socket().string(), "-c", "listen_addresses=", "-c", "fsync=off", "-c",
                     "max_connections=60", "-c", "shared_buffers=16MB"});
    for (int tries = 0; tries < 600; ++tries) {
      try {
        postgres::Connection(url("postgres")).run("SELECT 1");
        return;
      } catch (const postgres::Failure&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
    throw std::runtime_error("the server does not start");
  }
  // SIGQUIT: at once, as after a power cut.
  void stop(int signal = SIGINT) {
    if (server_ <= 0) return;
    ::kill(server_, signal);
    ::waitpid(server_, nullptr, 0);
    server_ = -1;
  }

  std::string url(const std::string& database, const std::string& user = "owner") const {
    return "postgresql://" + user + "@/" + database + "?host=" + socket().string();
  }
  // A new database; its URL.
  std::string create(const std::string& name) const {
    postgres::Connection(url("postgres")).run(("CREATE DATABASE " + name).c_str());
    return url(name);
  }
  fs::path socket() const { return folder_.path() / "socket"; }

 private:
  fs::path data() const { return folder_.path() / "data"; }

  // As the server's user, and ended with this process.
  pid_t spawn(const std::vector<std::string>& words) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const auto log = (folder_.path() / "log").string();
    if (std::freopen(log.c_str(), "a", stdout) == nullptr ||
        std::freopen(log.c_str(), "a", stderr) == nullptr)
      ::_exit(126);
    if (user_ != nullptr && (::setgid(user_->pw_gid) != 0 || ::setuid(user_->pw_uid) != 0)) ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGINT);
    if (::chdir("/") != 0) ::_exit(126);
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }

  ScratchFolder folder_;
  const passwd* user_ = nullptr;
  pid_t server_ = -1;
};

}  // namespace tracker::testing_support
