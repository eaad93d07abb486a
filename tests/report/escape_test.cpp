#include "tracker/report/escape.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracker::report {
namespace {

struct Attack {
  const char* name;
  std::string text;
  std::string escaped;
};

TEST(MarkdownText, DisarmsAttacks) {
  const Attack attacks[] = {
      {"a cell's end", "a|b", "a&#124;b"},
      {"an escaped cell's end", "a\\|b", "a&#92;&#124;b"},
      {"a code span", "`x`", "&#96;x&#96;"},
      {"a mention", "@everyone", "@&#8203;everyone"},
      {"a team", "hi @org/team", "hi @&#8203;org/team"},
      {"an issue", "fixes #12", "fixes #&#8203;12"},
      {"another repository's issue", "a/b#3", "a/b#&#8203;3"},
      {"an issue in its old form", "GH-12", "GH&#8203;-12"},
      {"a link", "[a](b)", "&#91;a&#93;(b)"},
      {"a picture", "![a](b)", "!&#91;a&#93;(b)"},
      {"a bare link", "HTTPS://x.y", "HTTPS:&#8203;//x.y"},
      {"a bare host", "Www.x.y", "Www&#8203;.x.y"},
      {"an address", "mailto:a@b.c", "mailto&#8203;:a@&#8203;b.c"},
      {"an element", "<img src=x onerror=y>", "&#60;img src=x onerror=y&#62;"},
      {"the end of a fold", "</details>", "&#60;/details&#62;"},
      {"a comment", "<!-- x", "&#60;!-- x"},
      {"an entity", "&lt;b&gt;", "&#38;lt;b&#38;gt;"},
      {"emphasis", "*a* _b_ ~~c~~", "&#42;a&#42; &#95;b&#95; &#126;&#126;c&#126;&#126;"},
      {"a formula", "$x$", "&#36;x&#36;"},
      {"a new line", "a\n\n# b", "a  #&#8203; b"},
      {"a carriage return", "a\rb", "a b"},
      {"a heading", "# a", "#&#8203; a"},
      {"a quotation", "> a", "&#62; a"},
      {"a list", "- a", "&#45; a"},
      {"another list", "+ a", "&#43; a"},
      {"a numbered list", "12. a", "&#49;2. a"},
      {"an empty list", "1)", "&#49;)"},
      {"a rule", "---", "&#45;--"},
      {"a block of code", "    a", "a"},
      {"a fence", "~~~", "&#126;&#126;&#126;"},
      {"an escape sequence", "\x1b[31m", "&#91;31m"},
      {"bytes that are not UTF-8", "a\xff", "a\xEF\xBF\xBD"},
  };
  for (const auto& attack : attacks) EXPECT_EQ(markdown_text(attack.text), attack.escaped) << attack.name;
}

TEST(MarkdownText, LeavesPlainTextAlone) {
  for (const std::string text :
       {"", "transpose/smem/f32/8192x8192", "3.482 TB/s", "+1.24 %", "−0.30 %",
        "the noise hides changes below 4.4 %; about 21 more", "15.10 µs", "12", "a.b: c"})
    EXPECT_EQ(markdown_text(text), text);
}

}  // namespace
}  // namespace tracker::report
