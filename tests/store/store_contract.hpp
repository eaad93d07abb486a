// What any store must do, whatever keeps it: store_contract_test.cpp has the tests, and each kind of store
// runs them with INSTANTIATE_TEST_SUITE_P.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "tracker/store/store.hpp"

namespace tracker::testing_support {

// Where one test's store lives. It is empty at first, and gone afterwards.
class StoreHome {
 public:
  virtual ~StoreHome() = default;
  // Another view of the same store, as another process has it: call it after a fork, too.
  virtual std::shared_ptr<store::Store> open() = 0;
  // What a user does after a writer was killed, as the message says.
  virtual void clean_up_after_kill() {}
};

struct StoreKind {
  std::string name;
  std::function<std::unique_ptr<StoreHome>()> make;
  std::function<std::string()> why_not;  // why this machine cannot test it; empty, or no function: it can
};

inline void PrintTo(const StoreKind& kind, std::ostream* out) {
  *out << kind.name;
}

class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    const std::string why_not = GetParam().why_not ? GetParam().why_not() : "";
    if (!why_not.empty()) GTEST_SKIP() << why_not;
    home_ = GetParam().make();
    store_ = home_->open();
  }
  StoreHome& home() { return *home_; }
  store::Store& store() { return *store_; }

 private:
  std::unique_ptr<StoreHome> home_;
  std::shared_ptr<store::Store> store_;
};

}  // namespace tracker::testing_support
