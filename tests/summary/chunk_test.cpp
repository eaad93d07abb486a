#include "tracker/summary/chunk.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/summary/packed.hpp"

namespace tracker::summary {
namespace {

// Bit for bit, also where it is no number.
std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

void expect_same(const std::vector<ChunkRun>& read, const std::vector<ChunkRun>& written) {
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].number, written[i].number);
    EXPECT_EQ(read[i].text, written[i].text);
    EXPECT_EQ(read[i].sampled, written[i].sampled);
    EXPECT_EQ(bits_of(read[i].constants), bits_of(written[i].constants));
    EXPECT_EQ(bits_of(read[i].real_times), bits_of(written[i].real_times));
    EXPECT_EQ(bits_of(read[i].cpu_times), bits_of(written[i].cpu_times));
    for (const auto& [name, counter] : written[i].counters) {
      if (counter.counts.empty()) continue;
      ASSERT_TRUE(read[i].counters.contains(name)) << name;
      EXPECT_EQ(read[i].counters.at(name).counts, counter.counts);
      EXPECT_EQ(bits_of(read[i].counters.at(name).values), bits_of(counter.values));
    }
  }
}

// Runs of all shapes: with and without samples, more and fewer counters, values near each other and far
// apart.
std::vector<ChunkRun> made_up_runs(unsigned seed, std::size_t count) {
  std::mt19937_64 random(seed);
  const std::vector<double> odd{0.0,
                                -0.0,
                                1,
                                1024,
                                std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::denorm_min(),
                                -1e300};
  std::normal_distribution<double> noise(1e4, 10);
  const auto value = [&] { return random() % 4 == 0 ? odd[random() % odd.size()] : noise(random); };
  const auto values = [&](std::size_t size) {
    std::vector<double> all;
    for (std::size_t i = 0; i < size; ++i) all.push_back(value());
    return all;
  };
  std::vector<ChunkRun> runs(count);
  std::int64_t number = static_cast<std::int64_t>(random() % 5) << 32U;
  for (auto& run : runs) {
    run.number = number += 1 + static_cast<std::int64_t>(random() % 3);
    run.text = static_cast<std::int64_t>(random() % 3);
    std::size_t times = 0;
    for (std::uint32_t i = 0; i < random() % 4; ++i) {
      run.sampled.push_back({2 * i, static_cast<std::uint32_t>(1 + random() % 5)});
      times += kept_times(run.sampled.back().repetitions);
    }
    run.constants = values(random() % 3);
    run.real_times = values(times);
    run.cpu_times = values(times);
    for (const char* name : {"cycles", "share", ""}) {
      if (random() % 3 == 0 || run.sampled.empty()) continue;
      CounterValues& counter = run.counters[name];
      for (std::size_t i = 0; i < run.sampled.size(); ++i) {
        counter.counts.push_back(static_cast<std::uint32_t>(random() % 5));
        for (const double one : values(counter.counts.back())) counter.values.push_back(one);
      }
    }
  }
  return runs;
}

TEST(ChunkTest, ComesBackBitForBit) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto runs = made_up_runs(seed, seed % 66);
    expect_same(unpack_chunk(pack_chunk(runs)), runs);
  }
}

TEST(ChunkTest, WhatRepeatsTakesLittle) {
  auto runs = made_up_runs(7, 1);
  runs.front().sampled = {{0, 3}};
  runs.front().real_times = {12345.678901234567, 12355.678901234567};
  runs.front().cpu_times = runs.front().real_times;
  runs.front().counters = {{"cycles", {{3}, {1.1, 2.2, 3.3}}}};
  runs.resize(64, runs.front());
  for (std::size_t i = 1; i < runs.size(); ++i) runs[i].number = runs[i - 1].number + 1;
  EXPECT_LT(pack_chunk(runs).size(), 64U * 12);
}

TEST(ChunkTest, TheNewestRowsComeBackByThemselves) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const std::string bytes = pack_chunk(made_up_runs(seed, 12));
    const Chunk chunk(bytes);
    const auto bits_of = [](const std::vector<double>& values) {
      std::vector<std::uint64_t> bits;
      for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
      return bits;
    };
    for (std::size_t from = 0; from <= 13; ++from)
      for (const auto column : {&Chunk::constants, &Chunk::real_times, &Chunk::cpu_times}) {
        const auto all = bits_of((chunk.*column)(0));
        const auto newest = bits_of((chunk.*column)(from));
        ASSERT_LE(newest.size(), all.size());
        EXPECT_TRUE(std::equal(newest.rbegin(), newest.rend(), all.rbegin()));
        std::size_t count = 0;
        for (std::size_t row = from; row < chunk.rows().size(); ++row)
          count +=
              column == &Chunk::constants ? chunk.rows()[row].constants : chunk.times_of(chunk.rows()[row]);
        EXPECT_EQ(newest.size(), count) << from;
      }
  }
}

TEST(ChunkTest, DamageIsFoundOrAtLeastHarmless) {
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string bytes = pack_chunk(made_up_runs(seed, 12));
    if (seed % 2 == 0)
      bytes.resize(random() % bytes.size());
    else
      bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      unpack_chunk(bytes);
      Chunk(bytes).real_times(random() % 12);
    } catch (const Damaged&) {
    }
  }
}

}  // namespace
}  // namespace tracker::summary
