#include "tracker/base/process.hpp"

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/base/error.hpp"

namespace tracker {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

ProcessSpec shell(const std::string& script) {
  return {.argv = {"sh", "-c", script}};
}

TEST(RunProcess, KeepsStreamsAndExitCodeApart) {
  const auto result = run_process(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(describe_end(result), "exited with 3");
}

TEST(RunProcess, PassesArgumentsUntouched) {
  const auto result = run_process({.argv = {"printf", "%s|", "a b", "$HOME", "`id`", "*"}});
  EXPECT_EQ(result.output, "a b|$HOME|`id`|*|");
}

TEST(RunProcess, SaysWhyItCouldNotStart) {
  const auto result = run_process({.argv = {"/nowhere/program"}});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_EQ(describe_end(result), "could not be started: No such file or directory");
}

TEST(RunProcess, NamesTheSignal) {
  const auto result = run_process(shell("kill -SEGV $$"));
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(describe_end(result), "was killed by signal 11 (Segmentation fault)");
}

TEST(RunProcess, EndsTheWholeGroupOnTimeOut) {
  auto spec = shell("sleep 60 & sleep 60; wait");
  spec.timeout = std::chrono::milliseconds(200);
  const auto started = std::chrono::steady_clock::now();
  const auto result = run_process(spec);
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(30));
}

TEST(RunProcess, KillsWhatIgnoresTheSignal) {
  auto spec = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done");
  spec.timeout = std::chrono::milliseconds(200);
  const auto result = run_process(spec);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.output, "ready\n");
}

TEST(RunProcess, StopsWhenAsked) {
  auto spec = shell("sleep 60");
  spec.keep_going = [] { return false; };
  EXPECT_TRUE(run_process(spec).stopped);
}

TEST(RunProcess, FeedsInputLargerThanAPipe) {
  std::string text(1 << 20, 'x');
  ProcessSpec spec{.argv = {"wc", "-c"}};
  spec.input = text;
  EXPECT_EQ(std::stoi(run_process(spec).output), 1 << 20);
  spec.argv = {"true"};  // does not read it
  EXPECT_TRUE(run_process(spec).ok());
}

TEST(RunProcess, KeepsTheEndOfLongOutput) {
  auto spec = shell("seq 1 100000");
  spec.output_bytes_max = 1000;
  const auto result = run_process(spec);
  EXPECT_EQ(result.output.size(), 1000u);
  EXPECT_EQ(last_lines(result, 2), "99999\n100000");
}

TEST(RunProcess, SetsDirectoryAndEnvironment) {
  auto spec = shell("pwd; echo $GREETING");
  spec.directory = "/";
  spec.environment = {{"GREETING", "hello world"}};
  EXPECT_EQ(run_process(spec).output, "/\nhello world\n");
}

TEST(RunProcess, InheritsNoTokensUnlessAskedFor) {
  EXPECT_FALSE(token_variables().empty());
  for (const auto name : token_variables()) {
    ::setenv(std::string(name).c_str(), "s3cret", 1);
    ProcessSpec spec{.argv = {"printenv", std::string(name)}};
    EXPECT_EQ(run_process(spec).output, "") << name;
    spec.with_tokens = true;
    EXPECT_EQ(run_process(spec).output, "s3cret\n") << name;
    spec.with_tokens = false;
    spec.environment[std::string(name)] = "given";
    EXPECT_EQ(run_process(spec).output, "given\n") << name;
    ::unsetenv(std::string(name).c_str());
  }
}

TEST(RunProcess, PutsBothStreamsIntoOneInTheirOrder) {
  auto spec = shell("echo 1; echo 2 >&2; echo 3");
  spec.errors_into_output = true;
  const auto result = run_process(spec);
  EXPECT_EQ(result.output, "1\n2\n3\n");
  EXPECT_EQ(result.errors, "");
}

// What is thrown, message and next step.
template <class Action>
std::string refusal_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    return std::string(error.what()) + " | " + error.hint();
  }
  return "nothing";
}

TEST(SharedLibrary, GivesFunctionsByName) {
  const SharedLibrary library("libm.so.6", "a test", {"libc6", "glibc"});
  double (*const root)(double) = library["sqrt"];
  EXPECT_EQ(root(9), 3);
  EXPECT_NE(library.find("sqrt").address, nullptr);
  EXPECT_EQ(library.find("no_such_function").address, nullptr) << "an older release may lack it";
}

TEST(SharedLibrary, SaysWhatToInstallWhereItIsMissing) {
  EXPECT_THAT(
      refusal_of([] {
        SharedLibrary("libnone.so.1", "PostgreSQL", {"libnone1", "libnone"});
      }),
      AllOf(HasSubstr("cannot load what PostgreSQL needs: libnone.so.1: cannot open shared object file"),
            HasSubstr(" | apt-get install libnone1, or dnf install libnone")));
}

TEST(SharedLibrary, SaysWhichFunctionAnOlderOneLacks) {
  const SharedLibrary library("libm.so.6", "a test", {"libc6", "glibc"});
  EXPECT_THAT(refusal_of([&] { static_cast<void>(library["no_such_function"]); }),
              AllOf(HasSubstr("cannot load what a test needs: "), HasSubstr("no_such_function"),
                    HasSubstr(" | apt-get install libc6, or dnf install glibc")));
}

}  // namespace
}  // namespace tracker
