#include "tracker/machine_code/x86_64.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracker {
namespace {

std::string bytes_of(const std::vector<int>& values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

// Encodings as GNU as writes them.
TEST(X86, InstructionsEndWhereTheAssemblerEndsThem) {
  const struct {
    const char* text;
    std::vector<int> bytes;
  } rows[] = {
      {"ret", {0xc3}},
      {"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}},
      {"nopw 0(%rax,%rax)", {0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}},
      {"mov $1,%ax", {0x66, 0xb8, 1, 0}},
      {"mov $1,%eax", {0xb8, 1, 0, 0, 0}},
      {"movabs $1,%rax", {0x48, 0xb8, 1, 0, 0, 0, 0, 0, 0, 0}},
      {"movw $1,(%rax)", {0x66, 0xc7, 0, 1, 0}},
      {"mov %fs:0x28,%rax", {0x64, 0x48, 0x8b, 4, 0x25, 0x28, 0, 0, 0}},
      {"mov 8(%rsp),%rax", {0x48, 0x8b, 0x44, 0x24, 8}},
      {"testb $1,(%rdi)", {0xf6, 7, 1}},
      {"notb (%rdi)", {0xf6, 0x17}},
      {"test $1,%edi", {0xf7, 0xc7, 1, 0, 0, 0}},
      {"imul $100,%rsi,%rax", {0x48, 0x6b, 0xc6, 0x64}},
      {"pshufd $1,%xmm0,%xmm1", {0x66, 0x0f, 0x70, 0xc8, 1}},
      {"pshufb %xmm0,%xmm1", {0x66, 0x0f, 0x38, 0, 0xc8}},
      {"palignr $8,%xmm0,%xmm1", {0x66, 0x0f, 0x3a, 0x0f, 0xc8, 8}},
      {"vzeroupper", {0xc5, 0xf8, 0x77}},
      {"vpshufd $1,%ymm0,%ymm1", {0xc5, 0xfd, 0x70, 0xc8, 1}},
      {"vfmadd231ps %ymm0,%ymm1,%ymm2", {0xc4, 0xe2, 0x75, 0xb8, 0xd0}},
      {"vperm2f128 $1,%ymm0,%ymm1,%ymm2", {0xc4, 0xe3, 0x75, 6, 0xd0, 1}},
      {"vaddps 64(%rax),%zmm1,%zmm2", {0x62, 0xf1, 0x74, 0x48, 0x58, 0x50, 1}},
  };
  for (const auto& row : rows) {
    const std::string code = bytes_of(row.bytes);
    const auto found = decode_x86(ByteView(code), 0);
    ASSERT_TRUE(found) << row.text;
    EXPECT_EQ(found->length, code.size()) << row.text;
    EXPECT_EQ(found->target, X86Target::kNone) << row.text;
    EXPECT_FALSE(decode_x86(ByteView(std::string_view(code).substr(0, code.size() - 1)), 0)) << row.text;
  }
}

TEST(X86, TargetsAreRelativeToTheEnd) {
  const struct {
    const char* text;
    std::vector<int> bytes;
    X86Target target;
    std::uint64_t field;
    std::int64_t distance;
  } rows[] = {
      {"jmp -2", {0xeb, 0xfe}, X86Target::kJump, 1, -2},
      {"je +16", {0x0f, 0x84, 16, 0, 0, 0}, X86Target::kJump, 2, 16},
      {"call +256", {0xe8, 0, 1, 0, 0}, X86Target::kJump, 1, 256},
      {"lea 16(%rip),%rax", {0x48, 0x8d, 5, 16, 0, 0, 0}, X86Target::kMemory, 3, 16},
      {"cmpl $7,16(%rip)", {0x83, 0x3d, 16, 0, 0, 0, 7}, X86Target::kMemory, 2, 16},
      {"vmovaps 16(%rip),%ymm0", {0xc5, 0xfc, 0x28, 5, 16, 0, 0, 0}, X86Target::kMemory, 4, 16},
      {"jmp *16(%rip)", {0xff, 0x25, 16, 0, 0, 0}, X86Target::kMemory, 2, 16},
  };
  for (const auto& row : rows) {
    const std::string code = bytes_of(row.bytes);
    const auto found = decode_x86(ByteView(code), 0);
    ASSERT_TRUE(found) << row.text;
    EXPECT_EQ(found->length, code.size()) << row.text;
    EXPECT_EQ(found->target, row.target) << row.text;
    EXPECT_EQ(found->field, row.field) << row.text;
    EXPECT_EQ(found->distance, row.distance) << row.text;
  }
}

// Old encodings that 64 bits do not have, and new ones that are not known here.
TEST(X86, WhatIsNotKnownIsNotGuessed) {
  for (const auto& bytes :
       std::vector<std::vector<int>>{{0x06}, {0x9a}, {0xd5, 0, 0x90}, {0x67, 0x8b, 0x01}, {0x0f, 0x04}, {}}) {
    const std::string code = bytes_of(bytes);
    EXPECT_FALSE(decode_x86(ByteView(code), 0)) << bytes.size();
  }
}

}  // namespace
}  // namespace tracker
