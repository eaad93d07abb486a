#include "tracker/formats/json_text.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// What the parser has seen: it bounds the nesting, keeps the first of two equal keys, and knows which
// benchmark it is in.
class Watch {
 public:
  Watch(const std::string& source, EqualKeys equal_keys) : source_(source), equal_keys_(equal_keys) {}

  // Called at every step; false leaves the key and its value out.
  bool operator()(int depth, json::parse_event_t event, const json& value) {
    using Event = json::parse_event_t;
    constexpr int kRowDepth = 3;  // of the keys in {"benchmarks": [{…}]}
    switch (event) {
      case Event::object_start:
      case Event::array_start:
        if (depth >= kDepthMax)
          throw Error(ExitCode::kUsage, "'" + printable(source_) + "': nested more than " +
                                            std::to_string(kDepthMax) + " levels deep");
        // By depth: the end of an object that is left out is not reported.
        keys_.resize(static_cast<std::size_t>(depth));
        keys_.emplace_back();
        break;
      case Event::object_end:
        if (depth < kRowDepth) benchmark_.clear();
        break;
      case Event::key:
        named_ = depth == kRowDepth && text_of(value) == "name";
        return is_first(text_of(value), keys_[static_cast<std::size_t>(depth - 1)]);
      case Event::value:
        if (named_ && value.is_string()) benchmark_ = text_of(value);
        named_ = false;
        break;
      case Event::array_end:
        break;
    }
    return true;
  }

  std::string place() const {
    return benchmark_.empty() ? "" : " (in benchmark '" + shown(benchmark_) + "')";
  }

 private:
  static constexpr int kDepthMax = 100;

  bool is_first(const std::string& key, std::set<std::string>& before) const {
    const bool first = before.insert(key).second;
    if (!first && equal_keys_ == EqualKeys::kRefused)
      throw Error(ExitCode::kUsage,
                  "'" + printable(source_) + "': '" + shown(key) + "' stands twice" + place());
    return first;
  }

  // As much of a name as a message needs.
  static std::string shown(const std::string& name) {
    constexpr std::size_t kShownBytesMax = 200;
    return printable(name.substr(0, kShownBytesMax)) + (name.size() > kShownBytesMax ? "…" : "");
  }

  static const std::string& text_of(const json& value) { return value.get_ref<const std::string&>(); }

  const std::string& source_;
  EqualKeys equal_keys_;
  std::vector<std::set<std::string>> keys_;  // of the object that is open at each depth
  std::string benchmark_;
  bool named_ = false;  // the next value is a benchmark's name
};

// What is wrong, in words: nlohmann's own messages speak of lexers and states. `byte` counts from 1.
std::pair<std::string, std::string> cause_at(std::string_view text, std::size_t byte) {
  if (byte == 0 || byte > text.size())
    return {"it ends in the middle", "was the benchmark stopped before it ended?"};
  std::size_t word = byte - 1;
  const bool ascii = static_cast<unsigned char>(text[word]) < 0x80;
  while (word > 0 && (std::isalpha(static_cast<unsigned char>(text[word - 1])) != 0 || text[word - 1] == '-'))
    --word;
  const std::string_view rest = text.substr(word);
  for (const char* name : {"NaN", "nan", "-nan", "-NaN", "Infinity", "-Infinity", "inf", "-inf"})
    if (rest.starts_with(name))
      return {"a value is " + std::string(name),
              "find out why the benchmark reports it; nothing was recorded"};
  return {ascii ? "unexpected text" : "unexpected text, or text that is not UTF-8",
          "is it the output of --benchmark_out_format=json?"};
}

bool is_flat(const ordered_json& array) {
  return std::all_of(array.begin(), array.end(), [](const auto& item) { return item.is_primitive(); });
}

void print_value(const ordered_json& value, int depth, std::string& out) {
  const bool object = value.is_object();
  if (value.empty() || !value.is_structured()) {
    out += value.dump(-1, ' ', false, json::error_handler_t::replace);
    return;
  }
  const bool flat = !object && is_flat(value);
  const std::string indent(static_cast<std::size_t>(depth + 1), ' ');
  out += object ? "{" : "[";
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) out += ",";
    if (!flat) out += "\n" + indent;
    if (object) out += ordered_json(item.key()).dump(-1, ' ', false, json::error_handler_t::replace) + ": ";
    print_value(item.value(), depth + 1, out);
    first = false;
  }
  if (!flat) out += "\n" + std::string(static_cast<std::size_t>(depth), ' ');
  out += object ? "}" : "]";
}

}  // namespace

json parse_json(std::string_view text, const std::string& source, EqualKeys equal_keys) {
  Watch watch(source, equal_keys);
  try {
    return json::parse(text, std::ref(watch));
  } catch (const json::parse_error& error) {
    const auto [cause, hint] = cause_at(text, error.byte);
    throw Error(ExitCode::kUsage,
                "'" + printable(source) + "': not valid JSON at byte " + std::to_string(error.byte) +
                    watch.place() + ": " + cause,
                hint);
  } catch (const json::exception&) {
    throw Error(ExitCode::kUsage,
                "'" + printable(source) + "': not valid JSON" + watch.place() + ": a number is out of range");
  }
}

std::string print_json(const ordered_json& value) {
  std::string out;
  print_value(value, 0, out);
  return out + "\n";
}

}  // namespace tracker
