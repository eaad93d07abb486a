#include "tracker/protocol/code_label.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formats/mutator.hpp"
#include "tests/formats/support.hpp"

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::Pair;

const Code kWhole{.hash = "00c0ffee00c0ffee",
                  .bytes = 1536,
                  .launches = {{"memset", "", "", "", 0},
                               {"smem_padded_kernel", "256x256", "32x8", "", 4224},
                               {"wgmma_kernel<128,256>", "66x2x3", "384", "2x1", 213016},
                               {"tail", "1", "1", "2", 0}},
                  .instructions = {{"FFMA", 512}, {"LDG", 4}, {"other", 1}}};
constexpr char kWholeLabel[] =
    "code=00c0ffee00c0ffee code_bytes=1536 launch=memset launch=smem_padded_kernel:256x256:32x8:shared=4224 "
    "launch=wgmma_kernel<128,256>:66x2x3:384:cluster=2x1:shared=213016 launch=tail:1:1:cluster=2 "
    "mix=FFMA:512,LDG:4,other:1";

TEST(CodeLabel, ComesBackAsItWas) {
  EXPECT_EQ(code_label(kWhole), kWholeLabel);
  EXPECT_EQ(read_code_label(kWholeLabel), kWhole);
  const Code unknown{.launches = {{"k", "1", "32", "", 0}}, .why_no_hash = "compiled by the driver from PTX"};
  EXPECT_EQ(code_label(unknown), "no_code=compiled_by_the_driver_from_PTX launch=k:1:32");
  EXPECT_EQ(read_code_label(code_label(unknown)), unknown);
  EXPECT_EQ(code_label(Code{}), "");
  const Code copies{.launches = {{"k", "1", "32", "", 0}, {"copy of 4 bytes to the host"}}};
  EXPECT_EQ(code_label(copies), "launch=k:1:32 call=copy_of_4_bytes_to_the_host");
  EXPECT_EQ(read_code_label(code_label(copies)), copies);
}

TEST(CodeLabel, WordsOfOthersAreLeftAlone) {
  const auto code = read_code_label("fast  path code=0123456789abcdef (beta) launch=quick mix=whisky,soda ");
  ASSERT_TRUE(code);
  EXPECT_EQ(*code, Code{.hash = "0123456789abcdef"});
  for (const char* label : {"",
                            " ",
                            "no words of ours",
                            "code",
                            "code=",
                            "code=fast",
                            "code=0123456",
                            "code=0123456789ABCDEF",
                            "CODE=0123456789abcdef",
                            "xcode=0123456789abcdef",
                            "code_bytes=-1",
                            "code_bytes=0",
                            "code_bytes=1e3",
                            "code_bytes=99999999999999999999",
                            "launch=",
                            "call=",
                            "call=me",
                            "launch=x",
                            "launch=x:1",
                            "launch=:1:1",
                            "launch=x:0:1",
                            "launch=x:1:",
                            "launch=x:1x1x1x1:1",
                            "launch=x:1:1:",
                            "launch=x:1:1:cluster=",
                            "launch=x:1:1:shared=0",
                            "launch=x:1:1:shared=1:shared=2",
                            "launch=x:1:1:shared=1:cluster=2",
                            "launch=x:1:1:more=2",
                            "launch=memset:3",
                            "mix=",
                            "mix=LDG",
                            "mix=LDG:",
                            "mix=LDG:0",
                            "mix=:4",
                            "mix=LDG:4,",
                            "mix=LDG:4,LDG:2",
                            "mix=LD/G:4",
                            "no_code="})
    EXPECT_EQ(read_code_label(label), std::nullopt) << label;
}

TEST(CodeLabel, TheFirstOfTwoEqualWordsCounts) {
  const auto code = read_code_label("code=00000000 code=11111111 code_bytes=1 code_bytes=2 mix=A:1 mix=B:2");
  EXPECT_EQ(code, (Code{.hash = "00000000", .bytes = 1, .instructions = {{"A", 1}}}));
  EXPECT_EQ(read_code_label("no_code=because code=00000000")->why_no_hash, "");
}

TEST(CodeLabel, DamagedLabelsGiveWhatIsLeftOfThem) {
  formats::Mutator mutate(11);
  for (int i = 0; i < 4000; ++i) {
    const std::string label = mutate(kWholeLabel);
    const auto code = read_code_label(label);
    if (code) {
      EXPECT_EQ(read_code_label(code_label(*code)), code) << label;
    }
  }
}

TEST(CodeLabel, AFileWithABadOneIsRead) {
  for (const char* label :
       {R"("label": "code=nonsense launch=:: mix=:,:")", R"("label": 7)", R"("label": null)",
        R"("label": ["code=0123456789abcdef"])", R"("label": "\u0000 \"")"})
    EXPECT_EQ(formats::parse({formats::row("a", label)}).benchmarks[0].code, std::nullopt) << label;
  // The plain lane and the JSON library read the same; an escape decides which of them it is.
  for (const char* word : {"x", "\\u0041"}) {
    const auto file = formats::parse(
        {formats::row("a", R"("label": "code=0123456789abcdef mix=LDG:4 )" + std::string(word) + "\"")});
    ASSERT_TRUE(file.benchmarks[0].code);
    EXPECT_EQ(file.benchmarks[0].code->hash, "0123456789abcdef");
    EXPECT_THAT(file.benchmarks[0].code->instructions, ElementsAre(Pair("LDG", 4)));
  }
}

}  // namespace
}  // namespace tracker
