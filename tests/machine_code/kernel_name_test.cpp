#include "tracker/machine_code/kernel_name.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

struct Row {
  const char* mangled;
  const char* name;
};

class KernelName : public ::testing::TestWithParam<Row> {};

TEST_P(KernelName, IsTheFunctionsAlone) {
  EXPECT_EQ(kernel_name(GetParam().mangled), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    Names, KernelName,
    ::testing::Values(Row{"_ZN7kernels9transpose18smem_padded_kernelENS0_5PanelE", "smem_padded_kernel"},
                      Row{"_Z3pubPfi", "pub"}, Row{"wait_at_gate", "wait_at_gate"},
                      Row{"_ZN36_GLOBAL__N__00000000_4_t_cu_000000004anonILi3EEEvPf", "anon<3>"},
                      Row{"f", "f"}, Row{"_ZN12_GLOBAL__N_112scale_kernelILi4EEEvPf", "scale_kernel<4>"},
                      Row{"_ZN7cutlass7Kernel2I43cutlass_80_simt_sgemm_256x128_8x4_nn_align1EEvNT_6ParamsE",
                          "Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>"},
                      Row{"_ZN2ns4kernINS_6ConfigILi128ELb1EfEELNS_4KindE2EEEvPT_",
                          "kern<Config<128,true,float>,(Kind)2>"},
                      Row{"", "_"}, Row{"a b:c\xc3\xa9\n", "b_c___"}));

TEST(KernelNames, LongArgumentsAreLeftOut) {
  const std::string mangled = "_ZN2ns4kernI200" + std::string(200, 'x') + "EEvPT_";
  EXPECT_EQ(kernel_name(mangled), "kern...");
  EXPECT_EQ(kernel_name(std::string(200, 'k')), std::string(160, 'k') + "...");
}

}  // namespace
}  // namespace tracker
