#pragma once

#include <array>

namespace tracker::test {

inline constexpr std::array<const char*, 16> kOddNames{"plain",
                                                       "plain/longer",
                                                       "plai",
                                                       "a.b",
                                                       "axb",
                                                       "a+b",
                                                       "aab",
                                                       "BM_sum<int, 4>(x*y)",
                                                       "[0]{1}",
                                                       "back\\slash|bar",
                                                       "^caret$dollar",
                                                       "what?",
                                                       "-dash",
                                                       "copy#2",
                                                       "größe/µs",
                                                       "real_time"};

}  // namespace tracker::test
