#include "tracker/base/lease.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LeaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("lease-test-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    ::setenv(kLeaseFolderVariable, folder_.c_str(), 1);
    ::unsetenv(kLeasedVariable);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    ::unsetenv(kLeaseFolderVariable);
    ::unsetenv(kLeasedVariable);
  }
  static LeaseRequest of(std::vector<std::string> names, int wait_max_s = 0) {
    LeaseRequest request{.names = std::move(names), .holder = "tracker run"};
    request.wait_max = std::chrono::seconds(wait_max_s);
    return request;
  }
  static bool is_free(const std::string& name) {
    try {
      const Lease lease(of({name}));
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  std::filesystem::path folder_;
};

TEST_F(LeaseTest, OneHolderAtATime) {
  std::optional<Lease> first(std::in_place, of({"GPU-a", "GPU-b"}));
  EXPECT_THAT(first->names(), ElementsAre("GPU-a", "GPU-b"));
  EXPECT_FALSE(is_free("GPU-b"));
  EXPECT_TRUE(is_free("GPU-c"));
  first.reset();
  EXPECT_TRUE(is_free("GPU-b"));
}

TEST_F(LeaseTest, SaysWhoHoldsItAndTheNextStep) {
  const Lease first(of({"GPU-a"}));
  try {
    const Lease second(of({"GPU-a"}));
    FAIL() << "taken twice";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_THAT(error.what(), HasSubstr("GPU-a, held by tracker run, process " + std::to_string(::getpid())));
    EXPECT_THAT(error.hint(), HasSubstr("lease_wait_s"));
  }
}

TEST_F(LeaseTest, TakesThoseThatAreFree) {
  const Lease first(of({"GPU-b"}));
  LeaseRequest any = of({"GPU-a", "GPU-b", "GPU-c", "GPU-d"});
  any.least = 1;
  any.most = 2;
  EXPECT_THAT(Lease(any).names(), ElementsAre("GPU-a", "GPU-c"));
  any.least = 4;
  EXPECT_THROW(Lease{any}, Error);
  EXPECT_TRUE(is_free("GPU-a"));  // a part of what it needs is given back
}

// The holder is killed: nothing that it left behind keeps the next one out.
TEST_F(LeaseTest, IsGivenBackByAProcessThatIsKilled) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Lease held(of({"GPU-a"}));
    [[maybe_unused]] const auto told = ::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(is_free("GPU-a"));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_free("GPU-a"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(LeaseTest, ServesInTheOrderOfComing) {
  std::optional<Lease> first(std::in_place, of({"GPU-a"}));
  std::atomic<int> waiting = 0;
  std::vector<int> order;  // written by its holder alone
  std::vector<std::string> told(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      LeaseRequest request = of({"GPU-a"}, 60);
      request.tell = [&, i](const std::string& what) {
        if (told[static_cast<std::size_t>(i)].empty()) ++waiting;
        told[static_cast<std::size_t>(i)] += what + "\n";
      };
      const Lease lease(request);
      order.push_back(i);
    });
    while (waiting <= i) std::this_thread::yield();
  }
  first.reset();
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(order, ElementsAre(0, 1, 2));
  EXPECT_THAT(told[0], HasSubstr("place 1 in the queue"));
  EXPECT_THAT(told[2], HasSubstr("place 3 in the queue"));
}

// Who waits for one board does not keep those out who need another.
TEST_F(LeaseTest, LetsOthersPassWhoNeedOtherThings) {
  const Lease first(of({"GPU-a"}));
  std::atomic<bool> waits = false;
  std::thread waiting([&] {
    LeaseRequest request = of({"GPU-a"}, 1);
    request.tell = [&](const std::string&) { waits = true; };
    EXPECT_THROW(Lease{request}, Error);
  });
  while (!waits) std::this_thread::yield();
  EXPECT_TRUE(is_free("GPU-b"));
  waiting.join();
}

// A program below `tracker lease` has what that holds, as long as it does.
TEST_F(LeaseTest, IsSharedWithChildrenThatSayWhatTheyHave) {
  std::optional<Lease> parents(std::in_place, of({"GPU-a"}));
  ::setenv(kLeasedVariable, "GPU-a", 1);
  EXPECT_TRUE(is_free("GPU-a"));
  parents.reset();
  const Lease own(of({"GPU-a"}));  // what is said is no longer so
  ::unsetenv(kLeasedVariable);
  EXPECT_FALSE(is_free("GPU-a"));
}

TEST_F(LeaseTest, FollowsNoLink) {
  const auto target = folder_ / "victim";
  std::filesystem::create_symlink(target, folder_ / "tracker-gpu-a.lease");
  EXPECT_THROW(Lease{of({"gpu-a"})}, Error);
  EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(LeaseTest, BearsWhatOthersWrote) {
  write_file(folder_ / "tracker-leases.queue", std::string(1 << 20, 'x') + "\n1 -5\n\n");
  Lease first(of({"gpu-a"}));
  // In place, as a file that is renamed over it would be another lock.
  std::filesystem::resize_file(folder_ / "tracker-gpu-a.lease", 0);
  std::ofstream(folder_ / "tracker-gpu-a.lease", std::ios::app)
      << "\x1b[2J" << std::string(1 << 20, 'y') << "\n";
  try {
    const Lease second(of({"gpu-a"}));
    FAIL() << "taken twice";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("\x1b")));
    EXPECT_LT(std::string(error.what()).size(), 200u);
  }
}

TEST_F(LeaseTest, NamesAFolderThatCannotBeUsed) {
  ::setenv(kLeaseFolderVariable, "/proc/nowhere", 1);
  try {
    const Lease lease(of({"GPU-a"}));
    FAIL() << "there is no such folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_THAT(error.what(), HasSubstr("/proc/nowhere"));
    EXPECT_THAT(error.hint(), HasSubstr(kLeaseFolderVariable));
  }
}

using namespace std::chrono_literals;

TEST(AdvisoryLock, IsOneProcessesAtATime) {
  const TemporaryDirectory folder;
  const auto file = folder.path() / "turn";
  std::optional<AdvisoryLock> first(std::in_place, file, 0ms);
  EXPECT_TRUE(first->is_held());
  EXPECT_FALSE(AdvisoryLock(file, 1ms).is_held()) << "it goes on without";
  first.reset();
  EXPECT_TRUE(AdvisoryLock(file, 10s).is_held());
}

TEST(AdvisoryLock, EndsWithItsProcess) {
  const TemporaryDirectory folder;
  const auto file = folder.path() / "turn";
  int held[2] = {};
  ASSERT_EQ(::pipe(held), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const AdvisoryLock lock(file, 0ms);
    const ssize_t written = ::write(held[1], "x", 1);
    ::_exit(written == 1 ? 0 : 1);  // no destructor runs
  }
  char byte = 0;
  ASSERT_EQ(::read(held[0], &byte, 1), 1);
  EXPECT_TRUE(AdvisoryLock(file, 60s).is_held());
  int status = 1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(AdvisoryLock, IsNotNeededWhereThereIsNoFolder) {
  EXPECT_FALSE(AdvisoryLock("/nonexistent/turn", 10s).is_held());
}

}  // namespace

}  // namespace tracker
