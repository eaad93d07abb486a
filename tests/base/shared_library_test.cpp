#include "tracker/base/shared_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/base/error.hpp"

namespace tracker {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

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
