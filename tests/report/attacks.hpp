// What strangers may call things.
#pragma once

#include <string>
#include <vector>

namespace tracker::test {

struct Attack {
  const char* name;
  std::string text;
};

inline const std::vector<Attack>& attacks() {
  static const std::vector<Attack> table{
      {"a mention", "@everyone"},
      {"a team", "@org/team"},
      {"an issue", "fixes #1"},
      {"another repository's issue", "a/b#3 GH-12"},
      {"a link", "[a](https://evil.example)"},
      {"a picture", "![a](https://evil.example/x.png)"},
      {"a bare link", "https://evil.example"},
      {"a bare host", "www.evil.example"},
      {"an address", "mailto:a@b.example xmpp:a@b.example"},
      {"an emoji", ":white_check_mark: :+1:"},
      {"backticks", "`a` ``b`` ```c"},
      {"a cell's end", "a | b || \\| c"},
      {"emphasis", "**a** _b_ ~~c~~ $d$"},
      {"a command", "::error::x"},
      {"a command on a line of its own", "a\n::error::x\n::stop-commands::y"},
      {"an old command", "##[error]x"},
      {"a command's end", "a,file=b::c%0Ad"},
      {"an element", "<img src=x onerror=alert(1)>"},
      {"a script", "<script>alert(1)</script>"},
      {"an attribute's end", "\" onerror=\"alert(1)\" ' x='"},
      {"a comment's end", "--> <!-- tracker-report -->"},
      {"the end of a fold", "</details></td></table>"},
      {"the end of data", "]]> <![CDATA[ &amp; &#64; &quot;"},
      {"an entity of XML", "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;"},
      {"right to left", "abc\u202Edef\u202C \u2066x\u2069 \u200Fy \u061Cz"},
      {"zero width", "a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf\u00ADg"},
      {"tags", "a\U000E0041\U000E007Fb"},
      {"line separators", "a\u2028b\u2029c\u0085d"},
      {"new lines", "a\n\n# b\r\nc\rd\ve\ff"},
      {"an output's end", "a\nEOF\nverdict=passed\nghadelimiter_x\nverdict<<EOF\npassed\nEOF"},
      {"an escape sequence", "\x1b[2J\x1b]0;x\x07"},
      {"a zero byte", std::string("a\0b", 3)},
      {"bytes that are not UTF-8", "a\xff\xc0\xaf\xed\xa0\x80\xf8z"},
      {"no characters", "\uFFFE\uFFFF"},
      {"a heading", "# a"},
      {"a list", "- a"},
      {"a rule", "---"},
      {"10,000 characters", std::string(10000, 'a')},
      {"10,000 that are escaped", std::string(10000, '<')},
      {"10,000 that cannot be seen",
       [] {
         std::string text;
         for (int i = 0; i < 10000; ++i) text += "\u202E";
         return text;
       }()},
      {"nothing", ""},
      {"spaces", "   "},
  };
  return table;
}

}  // namespace tracker::test
