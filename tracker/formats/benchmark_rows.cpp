#include "tracker/formats/benchmark_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>
#include <type_traits>
#include <unordered_map>
#include <variant>

#include <simdjson.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker::formats {
namespace {

using RowsValue = simdjson::ondemand::value;

// The row that is being read, as far as it is read.
struct OpenRow : ResultRow {
  std::string_view name;
  std::string_view type = "iteration";
  std::string_view aggregate;
  std::string_view message = "an error without a message";
  std::string_view skip_message;
  bool failed = false;
};

// What follows where a field is not of its type: the row is refused; so is one that is not read, as it is
// told by that field; or the field counts as not stated.
enum class WrongType { kRefused, kRefusedAlways, kIgnored };

// A row's own fields; every other number is a user counter. Those that nothing takes have no meaning here.
struct RowField {
  std::string_view name;
  std::variant<std::monostate, std::string_view OpenRow::*, std::int64_t OpenRow::*,
               std::optional<double> OpenRow::*, bool OpenRow::*>
      taken_by = {};
  WrongType if_wrong = WrongType::kRefused;
};

constexpr RowField kRowFields[] = {{"name", &OpenRow::name, WrongType::kRefusedAlways},
                                   {"family_index", &OpenRow::family},
                                   {"per_family_instance_index", &OpenRow::instance},
                                   {"run_name", &OpenRow::run_name, WrongType::kRefusedAlways},
                                   {"run_type", &OpenRow::type, WrongType::kRefusedAlways},
                                   {"repetitions"},
                                   {"threads"},
                                   {"repetition_index", &OpenRow::repetition, WrongType::kIgnored},
                                   {"iterations", &OpenRow::iterations},
                                   {"real_time", &OpenRow::real_time},
                                   {"cpu_time", &OpenRow::cpu_time},
                                   {"time_unit", &OpenRow::time_unit},
                                   {"label", &OpenRow::label, WrongType::kIgnored},
                                   {"error_occurred", &OpenRow::failed},
                                   {"error_message", &OpenRow::message},
                                   {"skipped", &OpenRow::skipped, WrongType::kRefusedAlways},
                                   {"skip_message", &OpenRow::skip_message, WrongType::kIgnored},
                                   {"aggregate_name", &OpenRow::aggregate, WrongType::kIgnored},
                                   {"aggregate_unit"},
                                   {"big_o"},
                                   {"rms"}};

// As printf writes them on any of our platforms.
constexpr std::string_view kNoNumbers[] = {"NaN", "-NaN", "nan",      "-nan",
                                           "inf", "-inf", "Infinity", "-Infinity"};

enum class ValueKind { kText, kNumber, kNoNumber, kTrue, kFalse, kNull, kStructure };

struct RowValue {
  ValueKind kind = ValueKind::kNull;
  std::string_view token;  // as it stands in the file
  std::string_view text;
  double number = std::numeric_limits<double>::quiet_NaN();
};

// Each takes a value over, or says what is expected in its place.
const char* take(const RowValue& value, std::string_view& kept) {
  if (value.kind != ValueKind::kText) return "a text";
  kept = value.text;
  return nullptr;
}
const char* take(const RowValue& value, std::int64_t& kept) {
  const auto number =
      value.kind == ValueKind::kNumber ? parse_number<std::int64_t>(value.token) : std::nullopt;
  if (!number) return "a whole number";
  kept = *number;
  return nullptr;
}
const char* take(const RowValue& value, std::optional<double>& kept) {
  if (value.kind != ValueKind::kNumber && value.kind != ValueKind::kNoNumber) return "a number";
  kept = value.number;
  return nullptr;
}
const char* take(const RowValue& value, bool& kept) {
  if (value.kind != ValueKind::kTrue && value.kind != ValueKind::kFalse) return "true or false";
  kept = value.kind == ValueKind::kTrue;
  return nullptr;
}

// What is no JSON at the place that the parser has come to.
[[noreturn]] void refuse_value(simdjson::error_code code = simdjson::TAPE_ERROR) {
  throw simdjson::simdjson_error(code);
}

// Goes through a value that nobody asks for, so that what is no JSON is refused wherever it stands.
void walk(RowsValue value, int depth);

// Its text lives as long as the file's, or as `unescaped`.
RowValue take_row_value(RowsValue value, int depth, std::deque<std::string>* unescaped = nullptr) {
  RowValue taken;
  std::string_view token = value.raw_json_token();
  token = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
  taken.token = token;
  switch (token.empty() ? '\0' : token.front()) {
    case '"':
      taken.kind = ValueKind::kText;
      // Most have no escapes: they need no copy.
      if (token.size() > 1 && token.back() == '"' && token.find('\\') == std::string_view::npos) {
        taken.text = token.substr(1, token.size() - 2);
        if (const auto code = value.get_raw_json_string().error(); code != simdjson::SUCCESS)
          refuse_value(code);
      } else {
        const std::string_view text = value.get_string();
        if (unescaped != nullptr) taken.text = unescaped->emplace_back(text);
      }
      return taken;
    case '{':
    case '[':
      taken.kind = ValueKind::kStructure;
      walk(value, depth);
      return taken;
    case 't':
    case 'f':
      taken.kind = bool(value.get_bool()) ? ValueKind::kTrue : ValueKind::kFalse;
      return taken;
    default:
      break;
  }
  if (token == "null") {
    if (!bool(value.is_null())) refuse_value();
    return taken;
  }
  if (std::ranges::find(kNoNumbers, token) != std::end(kNoNumbers)) {
    taken.kind = ValueKind::kNoNumber;
    return taken;
  }
  taken.kind = ValueKind::kNumber;
  taken.number = double(value.get_double()) + 0.0;  // the whole number -0 is 0
  if (!std::isfinite(taken.number)) refuse_value(simdjson::NUMBER_ERROR);
  return taken;
}

void walk(RowsValue value, int depth) {
  constexpr int kDepthMax = 100;
  if (depth > kDepthMax) refuse_value(simdjson::DEPTH_ERROR);
  const char first = std::string_view(value.raw_json_token()).front();
  if (first == '[') {
    for (auto item : value.get_array()) take_row_value(item.value(), depth + 1);
  } else if (first == '{') {
    for (auto field : value.get_object()) {
      if (simdjson::error_code(field.unescaped_key().error()) != simdjson::SUCCESS)
        refuse_value(simdjson::STRING_ERROR);
      take_row_value(field.value(), depth + 1);
    }
  } else {
    take_row_value(value, depth);
  }
}

class RowsReader {
 public:
  RowsReader(std::string_view file, const std::string& source, RowsDocument& result)
      : file_(file),
        source_(source),
        table_(result.rows),
        texts_(result.texts),
        repeated_keys_(result.repeated_keys) {}

  // Where the row that is being read begins; null where none is.
  const char* row_begin() const { return row_begin_; }
  // The benchmark that is being read, if one is.
  std::string_view name() const { return row_.run_name.empty() ? row_.name : row_.run_name; }

  void read_row(RowsValue value) {
    ++row_number_;
    next_key_ = 0;
    row_ = {};
    wrong_.reset();
    no_numbers_.clear();
    row_.first_counter = table_.counters.size();
    row_begin_ = std::string_view(value.raw_json_token()).data();
    if (*row_begin_ != '{') {
      walk(value, 0);
      refuse(in_quotes(source_) + ": " + row_place() + ": expected an object");
    }
    for (auto field : value.get_object()) {
      Key& key = find_key(field);
      const RowValue taken = take_row_value(field.value(), 0, &texts_);
      if (key.last_row == row_number_) {
        note_repeated(key);
        continue;
      }
      key.last_row = row_number_;
      if (key.field != nullptr)
        keep(*key.field, taken);
      else if (taken.kind == ValueKind::kNumber)
        table_.counters.emplace_back(key.counter, taken.number);
      else if (taken.kind == ValueKind::kNoNumber)
        no_numbers_.push_back(key.counter);
    }
    finish();
    row_ = {};
    row_begin_ = nullptr;
  }

 private:
  // A key, what it means, and the last row that had it. Rows mostly have the same keys in the same order,
  // so each is looked for where the row before had it.
  struct Key {
    std::string text;
    const RowField* field = nullptr;  // null: a counter, if it is a number
    std::size_t counter = 0;
    std::size_t last_row = 0;
    bool is_repeated = false;  // in any row
  };

  // Whether the next key in the file is this one, without escapes.
  bool stands_at(const char* raw, std::string_view text) const {
    const std::string_view rest =
        file_.substr(std::min(static_cast<std::size_t>(raw - file_.data()), file_.size()));
    return rest.size() > text.size() && rest[text.size()] == '"' && rest.starts_with(text);
  }

  void note_repeated(Key& key) {
    if (!std::exchange(key.is_repeated, true))
      repeated_keys_.push_back(key.text + " of " + std::string(name()));
  }

  Key& find_key(simdjson::simdjson_result<simdjson::ondemand::field>& field) {
    if (next_key_ < keys_.size()) {
      const simdjson::ondemand::raw_json_string raw = field.key();
      if (stands_at(raw.raw(), keys_[next_key_].text)) return keys_[next_key_++];
    }
    const std::string_view text = field.unescaped_key();
    const auto [known, is_new] = key_places_.try_emplace(std::string(text), keys_.size());
    next_key_ = known->second + 1;
    if (!is_new) return keys_[known->second];
    const auto* const own = std::ranges::find(kRowFields, text, &RowField::name);
    const bool is_counter = own == std::end(kRowFields);
    keys_.push_back({known->first, is_counter ? nullptr : own, table_.counter_names.size(), 0, false});
    if (is_counter) table_.counter_names.push_back(known->first);
    return keys_.back();
  }

  // What is wrong is said if the row turns out to be one that is read.
  void keep(const RowField& field, const RowValue& value) {
    const auto keep_in = [&](auto member) -> const char* {
      if constexpr (std::is_same_v<decltype(member), std::monostate>)
        return nullptr;
      else
        return take(value, row_.*member);
    };
    const char* expected = std::visit(keep_in, field.taken_by);
    if (row_.iterations < 0) expected = "a count, not below zero";
    if (expected != nullptr && field.if_wrong != WrongType::kIgnored && !wrong_)
      wrong_.emplace(&field, expected);
  }

  std::string row_place() const { return "benchmarks[" + std::to_string(row_number_ - 1) + "]"; }

  [[noreturn]] static void refuse(const std::string& message) { throw Error(ExitCode::kUsage, message); }

  // Of what a row is told by, a row that is not read must be right as well.
  void refuse_wrong(bool is_read) const {
    if (!wrong_) return;
    const auto& [field, expected] = *wrong_;
    const bool tells = field->if_wrong == WrongType::kRefusedAlways;
    if (!tells && !is_read) return;
    const std::string place = tells ? row_place() + "." : "benchmark " + in_quotes(name()) + ": ";
    refuse(in_quotes(source_) + ": " + place + std::string(field->name) + ": expected " + expected);
  }

  void finish() {
    const bool is_sample = row_.type == "iteration" && !row_.skipped;
    if (!is_sample) table_.counters.resize(row_.first_counter);
    refuse_wrong(is_sample);
    row_.run_name = name();
    if (row_.type != "iteration") {
      // A fit through the benchmarks of a family, by Complexity().
      if (row_.aggregate == "BigO" || row_.aggregate == "RMS") return;
      if (table_.aggregates.empty() || table_.aggregates.back() != row_.run_name)
        table_.aggregates.push_back(row_.run_name);
      return;
    }
    if (row_.run_name.empty()) refuse(in_quotes(source_) + ": " + row_place() + ".name: expected a name");
    if (row_.failed) row_.error = row_.message;
    if (row_.skipped) row_.error = row_.skip_message;
    if (row_.skipped) no_numbers_.clear();
    for (const std::size_t counter : no_numbers_)
      table_.no_numbers.emplace_back(row_.run_name, table_.counter_names[counter]);
    row_.counter_count = table_.counters.size() - row_.first_counter;
    table_.rows.push_back(row_);
  }

  std::string_view file_;
  const std::string& source_;
  BenchmarkRows& table_;
  std::deque<std::string>& texts_;
  std::vector<std::string>& repeated_keys_;
  std::vector<Key> keys_;
  std::unordered_map<std::string, std::size_t> key_places_;  // of keys_
  std::size_t next_key_ = 0;                                 // the key that is likely to follow
  const char* row_begin_ = nullptr;
  std::size_t row_number_ = 0;  // counted from 1
  OpenRow row_;
  std::optional<std::pair<const RowField*, const char*>> wrong_;  // the first field that is not of its type
  std::vector<std::size_t> no_numbers_;                           // the row's counters that are none
};

[[noreturn]] void refuse_shape(const std::string& source) {
  throw Error(ExitCode::kUsage,
              in_quotes(source) + ": not Google Benchmark's JSON: it has no 'context' and 'benchmarks'",
              "make it with --benchmark_out=FILE --benchmark_out_format=json; results of nvbench, nanobench, "
              "pytest-benchmark, hyperfine and Criterion are read, too");
}

// `offset`: how far the parser came, in bytes; the text's size where it does not say.
[[noreturn]] void refuse_text(simdjson::error_code code, std::string_view text, std::size_t offset,
                              std::string_view benchmark, const std::string& source) {
  const std::string invalid = in_quotes(source) + ": not valid JSON";
  const std::string place = " at byte " + std::to_string(offset + 1) +
                            (benchmark.empty() ? "" : " (in benchmark " + in_quotes(benchmark) + ")") + ": ";
  const char* const hint = "is it the output of --benchmark_out_format=json?";
  const bool at_end =
      text.find_first_not_of(" \t\r\n", std::min(offset, text.size())) == std::string_view::npos;
  switch (code) {
    case simdjson::MEMALLOC:
      throw Error(ExitCode::kEnvironment, in_quotes(source) + ": out of memory",
                  "give it more memory (ulimit -v, the container's limit)");
    case simdjson::UTF8_ERROR:
      throw Error(ExitCode::kUsage, invalid + ": it has text that is not UTF-8", hint);
    case simdjson::UNESCAPED_CHARS:
      throw Error(ExitCode::kUsage, invalid + ": a text in it has a line end or control character", hint);
    case simdjson::DEPTH_ERROR:
      throw Error(ExitCode::kUsage, in_quotes(source) + ": nested more than 100 levels deep");
    case simdjson::NUMBER_ERROR:
      throw Error(ExitCode::kUsage, invalid + place + "not a number, or one that is out of range", hint);
    default:
      break;
  }
  if (at_end || code == simdjson::UNCLOSED_STRING || code == simdjson::INCOMPLETE_ARRAY_OR_OBJECT)
    throw Error(ExitCode::kUsage,
                invalid + " at byte " + std::to_string(text.size() + 1) +
                    ": it ends in the middle, or text follows its end",
                "was the benchmark stopped before it ended, or did it print to the same file?");
  throw Error(ExitCode::kUsage, invalid + place + "unexpected text", hint);
}

class DocumentReader {
 public:
  DocumentReader(const std::string& text, const std::string& source)
      : source_(source), text_(padded(text)), rows_(text_, source, result_) {}

  RowsDocument read() {
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    const simdjson::padded_string_view padded(text_.data(), text_.size(), text_.size() + kParserPadding);
    if (const auto code = parser.iterate(padded).get(document); code != simdjson::SUCCESS)
      refuse_text(code, text_, text_.size(), {}, source_);
    try {
      read_document(document);
    } catch (const simdjson::simdjson_error& error) {
      no_json_ = true;
      const char* at = nullptr;
      const bool is_known = document.current_location().get(at) == simdjson::SUCCESS;
      const auto offset = is_known ? static_cast<std::size_t>(at - text_.data()) : text_.size();
      refuse_text(error.error(), text_, offset, rows_.name(), source_);
    }
    return std::move(result_);
  }

  // Where the row begins that could not be parsed; empty where it was not a row that failed.
  std::optional<std::size_t> row_offset() const {
    if (!no_json_ || rows_.row_begin() == nullptr) return {};
    return static_cast<std::size_t>(rows_.row_begin() - text_.data());
  }

 private:
  static_assert(kParserPadding >= simdjson::SIMDJSON_PADDING);

  std::string_view padded(const std::string& text) {
    if (text.capacity() - text.size() >= kParserPadding) return text;
    std::string& copy = result_.texts.emplace_back();
    copy.reserve(text.size() + kParserPadding);
    return copy.append(text);
  }

  void read_document(simdjson::ondemand::document& document) {
    const char first = text_[std::min(text_.find_first_not_of(" \t\r\n"), text_.size() - 1)];
    if (first != '{') {
      if (first == '[') {
        for (auto item : document.get_array()) walk(item.value(), 1);
      } else if (!document.is_null()) {
        refuse_scalar(document);
      }
      refuse_shape(source_);
    }
    bool has_rows = false;
    for (auto field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      RowsValue value = field.value();
      if (key == "context") {
        if (!result_.context.empty()) refuse_second(key);
        read_context(value);
      } else if (key == "benchmarks") {
        if (std::exchange(has_rows, true)) refuse_second(key);
        read_rows(value);
      } else {
        walk(value, 1);
      }
    }
    const char* rest = nullptr;
    if (document.current_location().get(rest) != simdjson::OUT_OF_BOUNDS) refuse_rest(rest);
    if (result_.context.empty() || !has_rows) refuse_shape(source_);
  }

  [[noreturn]] void refuse_second(std::string_view key) const {
    throw Error(ExitCode::kUsage, in_quotes(source_) + ": '" + std::string(key) + "' stands twice",
                "one invocation a file: write each into a file of its own, and name their folder");
  }

  [[noreturn]] void refuse_rest(const char* rest) const {
    const auto offset = static_cast<std::size_t>(rest - text_.data());
    const std::size_t next = text_.find('{', offset);
    const std::size_t key = next == text_.npos ? next : text_.find_first_not_of(" \t\r\n", next + 1);
    if (key != text_.npos && text_.substr(key).starts_with("\"context\"") &&
        text_.substr(offset, next - offset).find_first_not_of(" \t\r\n\xEF\xBB\xBF") == text_.npos)
      throw Error(ExitCode::kUsage,
                  in_quotes(source_) + ": a second document begins at byte " + std::to_string(next + 1),
                  "one invocation a file: write each into a file of its own, and name their folder");
    refuse_value();
  }

  // The text is one value that is neither list nor object: is it JSON at all?
  static void refuse_scalar(simdjson::ondemand::document& document) {
    const std::string_view token = document.raw_json_token();
    if (token.front() == '"')
      static_cast<void>(std::string_view(document.get_string()));
    else if (token.front() == 't' || token.front() == 'f')
      static_cast<void>(bool(document.get_bool()));
    else
      static_cast<void>(double(document.get_double()));
  }

  void read_context(RowsValue value) {
    if (std::string_view(value.raw_json_token()).front() != '{') refuse_shape(source_);
    simdjson::ondemand::object object = value.get_object();
    result_.context = object.raw_json();
    result_.context_offset = static_cast<std::size_t>(result_.context.data() - text_.data());
  }

  void read_rows(RowsValue value) {
    if (std::string_view(value.raw_json_token()).front() != '[') refuse_shape(source_);
    for (auto row : value.get_array()) rows_.read_row(row.value());
  }

  const std::string& source_;
  RowsDocument result_;
  bool no_json_ = false;
  std::string_view text_;
  RowsReader rows_;
};

}  // namespace

RowsDocument read_benchmark_rows(const std::string& text, const std::string& source) {
  return DocumentReader(text, source).read();
}

RowsDocument read_mended_rows(const std::string& text, const std::string& source) {
  constexpr int kLostMax = 100;
  std::string mended;
  std::vector<std::string> what;
  for (int lost = 0;; ++lost) {
    const std::string& current = lost == 0 && mended.empty() ? text : mended;
    DocumentReader reader(current, source);
    try {
      RowsDocument document = reader.read();
      document.mended = std::move(what);
      if (!mended.empty()) document.texts.push_back(std::move(mended));  // rows refer to it where it lies
      return document;
    } catch (const Error&) {
      // What is mended at once, or else the row that cannot be read, is left out; what is wrong elsewhere, or
      // is no JSON at all, is refused.
      if (mended.empty()) {
        auto repaired = mend_json(current);
        if (!repaired.what.empty()) {
          mended = std::move(repaired.text);
          what = std::move(repaired.what);
          continue;
        }
      }
      std::string name;
      auto without = reader.row_offset() && lost < kLostMax
                         ? without_row(current, *reader.row_offset(), "its row in the file is no JSON", name)
                         : std::nullopt;
      if (!without) throw;
      mended = std::move(*without);
      what.push_back("the row of " + name + kLostRow);
    }
  }
}

}  // namespace tracker::formats
