#include "tracker/base/near_names.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

const std::vector<std::string> kRecorded{"transpose/smem/f32/1024", "transpose/smem_padded/f32/1024",
                                         "transpose/smem_padded/f32/2048", "gemm/naive/f32/512"};

TEST(NearNames, APartOfANameIsOfferedAsAPattern) {
  EXPECT_EQ(near_names_hint({"smem_padded"}, kRecorded),
            "'*smem_padded*' matches 2, such as transpose/smem_padded/f32/1024");
  EXPECT_EQ(near_names_hint({"smem_padded*"}, kRecorded),
            "'*smem_padded*' matches 2, such as transpose/smem_padded/f32/1024");
}

TEST(NearNames, ASlipOfTheFingerIsCorrected) {
  EXPECT_EQ(near_names_hint({"gem/naive/f32/512"}, kRecorded), "near it: 'gemm/naive/f32/512', '*gemm*'");
  EXPECT_EQ(near_names_hint({"transpose/smem_paded/*"}, kRecorded), "near it: '*smem_padded*'");
}

TEST(NearNames, NothingIsOfferedForWhatIsFarFromAll) {
  EXPECT_EQ(near_names_hint({"quicksort"}, kRecorded), "");
  EXPECT_EQ(near_names_hint({"*"}, {}), "");
}

}  // namespace
}  // namespace tracker
