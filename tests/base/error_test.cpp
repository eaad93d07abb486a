#include "tracker/base/error.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

const std::string kToken = "ghs_0123456789abcdefghijABCDEFGHIJ012345";

TEST(Secret, IsHiddenWhole) {
  EXPECT_EQ(without_secret("a " + kToken + " b", kToken), "a *** b");
  EXPECT_EQ(without_secret(kToken + kToken, kToken), "******");
  EXPECT_EQ(without_secret("nothing of it", kToken), "nothing of it");
  EXPECT_EQ(without_secret("", kToken), "");
  EXPECT_EQ(without_secret("text", ""), "text");
}

// What echoes a token may be cut within it, at either end.
TEST(Secret, IsHiddenInPieces) {
  EXPECT_EQ(without_secret("said: " + kToken.substr(0, 39), kToken), "said: ***");
  EXPECT_EQ(without_secret(kToken.substr(1) + "!", kToken), "***!");
  EXPECT_EQ(without_secret("x" + kToken.substr(10, 12) + "y", kToken), "x***y");
  EXPECT_EQ(without_secret(kToken.substr(0, 7), kToken), kToken.substr(0, 7))
      << "seven characters tell little";
}

TEST(Secret, ShorterThanAPieceIsHiddenWholeOnly) {
  EXPECT_EQ(without_secret("abc abcd", "abcd"), "abc ***");
}

// Wherever it stands, and however it is written.
TEST(Secrets, AreHiddenInWhatStrangersWrite) {
  const std::pair<const char*, const char*> rows[] = {
      {"postgresql://u:p@S3cr3t@h/d", "postgresql://h/d"},
      {"postgresql://u:p/S3cr3t@h/d", "postgresql://h/d"},
      {"postgresql://u:S3cr3t/d", "postgresql://u:***/d"},
      {"postgresql://u:S3cr3t%40h/d", "postgresql://h/d"},
      {"postgresql%3A%2F%2Fu%3AS3cr3t%40h%2Fd", "postgresql%3A%2F%2Fh%2Fd"},
      {"see https%3a%2f%2fh%2fr%3faccess_token%3dS3cr3t.", "see https%3a%2f%2fh%2fr%3f***."},
      {"https://h:8080/r", "https://h:8080/r"},
      {"https://[::1]:8080/r", "https://[::1]:8080/r"},
      {"https://h/r?access_token=S3cr3t", "https://h/r?***"},
      {"'https://h/r?a=1&t=S3cr3t': no", "'https://h/r?***': no"},
      {"https://h/r#access_token=S3cr3t&x=1", "https://h/r#***"},
      {"https://u:it's S3cr3t", "https://u:*** S3cr3t"},
      {"https://u:it'sS3cr3t@h/r.", "https://h/r."},
      {"ssh://git@h/r and https://u@h/s", "ssh://h/r and https://h/s"},
      {"host=h password=S3cr3t user=u", "host=h password=*** user=u"},
      {"host=h password = 'S3 cr\\'3t' user=u", "host=h password = *** user=u"},
      {"sslpassword=S3cr3t", "sslpassword=***"},
      {"PGPASSWORD=S3cr3t", "PGPASSWORD=***"},
      {"?api-key=S3cr3t&page=2", "?api-key=***&page=2"},
      {"password%3DS3cr3t%26page%3D2", "password%3D***%26page%3D2"},
      {R"({"token": "S3cr3t", "a": 1})", R"({"token": ***, "a": 1})"},
      {"client_secret:S3cr3t", "client_secret:***"},
      {"Authorization: Bearer S3cr3t", "Authorization: Bearer ***"},
      {"ghs_0123456789abcdefghij!", "***!"},
      {"the token is wrong: it has expired", "the token is wrong: it has expired"},
      {"benchmark 'llm/tokens=128/x:y'", "benchmark 'llm/tokens=128/x:y'"},
      {"password authentication failed", "password authentication failed"},
      {"a@b, x://, ://", "a@b, x://, ://"},
  };
  for (const auto& [text, shown] : rows) EXPECT_EQ(without_secrets(text), shown);
}

}  // namespace
}  // namespace tracker
