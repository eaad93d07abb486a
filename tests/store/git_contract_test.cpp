// The store on a ref of git does what every store does.
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/store/store_contract.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker::testing_support {
namespace {

constexpr const char* kContractRef = "refs/tracker/v1";

class GitHome final : public StoreHome {
 public:
  std::shared_ptr<store::Store> open() override {
    struct Opened {
      repo::Repository repository;
      std::unique_ptr<store::Store> store;
    };
    auto opened = std::make_shared<Opened>(Opened{repo::Repository::open(scratch_.root()), nullptr});
    opened->store = store::open_git(opened->repository, kContractRef);
    return {opened, opened->store.get()};
  }
  void clean_up_after_kill() override {
    fs::remove(scratch_.git_folder() / (std::string(kContractRef) + ".lock"));
  }

 private:
  ScratchRepository scratch_;
};

INSTANTIATE_TEST_SUITE_P(Git, StoreContract,
                         ::testing::Values(StoreKind{"git", [] { return std::make_unique<GitHome>(); }, {}}),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tracker::testing_support
