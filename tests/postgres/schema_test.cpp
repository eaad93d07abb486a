#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/postgres/connection.hpp"

namespace tracker::postgres {
namespace {

using ::testing::StartsWith;
using testing_support::error_of;

TEST(PackedText, ComesBackAsItWas) {
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string(1'000'000, 'x'), std::string("\0\xff\r\n", 4)})
    EXPECT_EQ(unpack_text(pack_text(text), text.size(), "it"), text);
  EXPECT_LT(pack_text(std::string(1'000'000, 'x')).size(), 1000u);
}

TEST(PackedText, SaysWhatIsDamaged) {
  const std::string text = "{\"schema\": \"tracker.run/1\", \"id\": \"1\"}";
  const std::string packed = pack_text(text);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    std::string flipped = packed;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    std::string read;
    const auto said = error_of([&] { read = unpack_text(flipped, text.size(), "run '1'"); });
    if (said == "no error")
      EXPECT_EQ(read, text) << "byte " << i;
    else
      EXPECT_THAT(said, StartsWith("4 | cannot read run '1': ")) << "byte " << i;
  }
  EXPECT_THAT(error_of([&] { unpack_text(packed, text.size() - 1, "run '1'"); }),
              StartsWith("4 | cannot read"));
  EXPECT_THAT(error_of([&] { unpack_text(packed, text.size() + 1, "run '1'"); }),
              StartsWith("4 | cannot read run '1': it is cut off"));
  EXPECT_THAT(error_of([&] { unpack_text(packed, std::size_t{1} << 40, "run '1'"); }),
              StartsWith("4 | cannot read run '1': it claims"));
}

}  // namespace
}  // namespace tracker::postgres
