#include "tests/e2e/scratch.hpp"

#include <gtest/gtest.h>

namespace tracker::e2e {
namespace {

// Nobody's own git configuration may change what a test sees.
std::map<std::string, std::string> environment_in(const std::filesystem::path& home) {
  return {{"HOME", home.string()},
          {"TRACKER_LEASES", home.string()},
          {"GIT_CONFIG_NOSYSTEM", "1"},
          {"GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z"},
          {"GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z"}};
}

}  // namespace

Scratch::Scratch() {
  std::filesystem::create_directories(root());
  git({"init", "-q", "-b", "main"});
  git({"config", "user.name", "Tester"});
  git({"config", "user.email", "tester@example.org"});
  write("tracker.toml", plain_config());
  write(".gitignore", "/out/\n");
}

void Scratch::write(const std::string& path, const std::string& text) const {
  write_file(root() / path, text);
}

std::string Scratch::git(const std::vector<std::string>& arguments) const {
  ProcessSpec spec;
  spec.argv = {"git"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.directory = root();
  spec.environment = environment_in(folder_.path());
  auto result = run_process(spec);
  EXPECT_TRUE(result.ok()) << "git " << arguments.front() << ": " << result.errors;
  while (!result.output.empty() && result.output.back() == '\n') result.output.pop_back();
  return result.output;
}

void Scratch::commit_speeds(const std::string& speeds) const {
  write("speeds.txt", speeds);
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", "Set speeds"});
}

ProcessResult Scratch::tracker(const std::vector<std::string>& arguments) const {
  return tracker_with({}, arguments);
}

ProcessResult Scratch::tracker_with(const std::map<std::string, std::string>& environment,
                                    const std::vector<std::string>& arguments) const {
  ProcessSpec spec;
  spec.argv = {TRACKER_BINARY};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.directory = root();
  spec.environment = environment_in(folder_.path());
  spec.without_environment = {"CI", "GITHUB_ACTIONS", "GITHUB_OUTPUT",
                              "GITHUB_STEP_SUMMARY"};  // tests see the same in CI and at a desk
  for (const auto& [name, value] : environment) spec.environment[name] = value;
  spec.timeout = std::chrono::minutes(2);
  return run_process(spec);
}

std::string plain_config() {
  return "[measure]\ninvocations = 5\nrepetitions = 3\ntimeout_s = 20\n\n[[binary]]\npath = \"" FAKE_BENCH
         "\"\n\n[[policy]]\nmatch = \"*\"\nthreshold = \"3%\"\n";
}

std::string building_config() {
  return "[measure]\ninvocations = 5\nrepetitions = 3\nbuild = [[\"mkdir\", \"-p\", \"out\"], [\"cp\", "
         "\"" FAKE_BENCH
         "\", \"out/bench\"]]\n\n[[binary]]\npath = \"out/bench\"\n\n[[policy]]\nmatch = \"*\"\nthreshold = "
         "\"3%\"\n";
}

}  // namespace tracker::e2e
