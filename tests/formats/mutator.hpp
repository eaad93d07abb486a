// Damages text at random places, the same ones for the same seed.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tracker/base/file.hpp"

namespace tracker::formats {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : engine_(seed) {}

  std::string operator()(std::string text) {
    const std::size_t damages = 1 + below(3);
    for (std::size_t i = 0; i < damages && !text.empty(); ++i) damage(text);
    return text;
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(engine_);
  }

  void damage(std::string& text) {
    static const std::vector<std::string> words{"NaN",
                                                "-Infinity",
                                                "1e999",
                                                "-1",
                                                "0",
                                                "1e308",
                                                "null",
                                                "true",
                                                "\"\"",
                                                "[",
                                                "]",
                                                "{",
                                                "}",
                                                ",",
                                                ":",
                                                "\"",
                                                "\\",
                                                "\xFF",
                                                std::string("\0", 1),
                                                "9223372036854775808",
                                                "-9223372036854775808",
                                                "0.5",
                                                "[[",
                                                "\\u0000",
                                                "#"};
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(40));
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, words[below(words.size())]);
        break;
      case 3:
        text.insert(below(text.size()), std::string(text.substr(at, length)));
        break;
      case 4:
        replace_value(text, at, words[below(words.size())]);
        break;
      case 5:
        if (below(10) == 0) text.resize(at);
        break;
    }
  }

  // The next value after `at`: damage that is still JSON reaches what lies behind the parser.
  static void replace_value(std::string& text, std::size_t at, const std::string& word) {
    const std::size_t from = text.find(": ", at);
    if (from == std::string::npos) return;
    const std::size_t end = text.find_first_of(",\n}", from);
    if (end != std::string::npos) text.replace(from + 2, end - from - 2, word);
  }

  std::mt19937 engine_;
};

// The first rows of a recorded file: damage lands on another field each time.
inline std::string short_recording(std::size_t rows) {
  auto file = nlohmann::ordered_json::parse(read_file(recorded_path("job3/r01-inject0.json"), 1 << 20));
  auto& benchmarks = file["benchmarks"].get_ref<nlohmann::ordered_json::array_t&>();
  benchmarks.resize(rows);
  return file.dump(1);
}

}  // namespace tracker::formats
