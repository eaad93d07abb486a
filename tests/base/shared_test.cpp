#include "tracker/base/shared.hpp"

#include <compare>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tracker {
namespace {

struct Clocks {
  std::optional<double> core;
  int threads = 0;

  friend auto operator<=>(const Clocks&, const Clocks&) = default;
};

TEST(Shared, ReadsAsItsValue) {
  const Shared<Clocks> none;
  EXPECT_FALSE(none->core.has_value());
  const Shared<Clocks> clocks = Clocks{1980.0, 8};
  EXPECT_EQ(clocks->core, 1980.0);
  const Clocks& same = clocks;
  EXPECT_EQ(&same, &*Shared<Clocks>(Clocks{1980.0, 8})) << "one copy";
  EXPECT_EQ(clocks, Shared<Clocks>(Clocks{1980.0, 8}));
  EXPECT_NE(clocks, Shared<Clocks>(Clocks{1980.0, 9}));
  EXPECT_NE(clocks, Shared<Clocks>(Clocks{std::nullopt, 8}));
  EXPECT_EQ(none, Shared<Clocks>(Clocks()));
  EXPECT_EQ(sizeof(clocks), sizeof(void*));
}

TEST(Shared, IsMadeByManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kValues = 2000;
  std::vector<std::vector<Shared<Clocks>>> found(kThreads);
  std::vector<std::thread> threads;
  for (auto& own : found)
    threads.emplace_back([&own] {
      for (int i = 0; i < kValues; ++i) own.emplace_back(Clocks{std::nullopt, i});
    });
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < kValues; ++i)
    for (const auto& own : found) {
      EXPECT_EQ(own[static_cast<std::size_t>(i)]->threads, i);
      EXPECT_EQ(own[static_cast<std::size_t>(i)], found[0][static_cast<std::size_t>(i)]);
    }
}

TEST(SharedText, ReadsAsItsText) {
  const SharedText none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none, "");
  const std::string name = "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b";
  const SharedText text = name;
  EXPECT_EQ(text, name);
  EXPECT_EQ(text, SharedText(std::string_view(name)));
  EXPECT_NE(text, none);
  EXPECT_EQ(text.substr(0, 7), "1a2b3c4");
  const std::string& same = text;
  EXPECT_EQ(&same, &SharedText(name.c_str()).str()) << "one copy";
}

TEST(SharedText, IsMadeByManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kTexts = 2000;
  std::vector<std::vector<SharedText>> found(kThreads);
  std::vector<std::thread> threads;
  for (auto& own : found)
    threads.emplace_back([&own] {
      for (int i = 0; i < kTexts; ++i) own.emplace_back("commit " + std::to_string(i));
    });
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < kTexts; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(found[0][at], "commit " + std::to_string(i));
    for (const auto& own : found) EXPECT_EQ(own[at], found[0][at]);
  }
}

}  // namespace

}  // namespace tracker
