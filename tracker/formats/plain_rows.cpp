// Rows that any program can write, a value each: CSV, JSON line by line, and the files of
// github-action-benchmark (its lists of benches, and the data.js that keeps its history).
// docs/formats.md#rows-of-any-program
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/strict_document.hpp"

namespace tracker::formats {
namespace {

struct Row {
  std::string name;
  double value = 0;
  std::string unit;
  std::string better;
  std::string invocation;  // rows of one are of one execution; empty: all are
  std::string device;
  std::string commit;
  std::string started_at;
  std::map<std::string, double> counters;  // whatever else it states as a number
};

// A unit that is known: what of it one is in the unit that values are kept in, and which direction is better.
struct Unit {
  std::string kept;  // "ns" for times
  double scale = 1;
  std::string better;  // empty: not known
};

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> known) {
  return std::ranges::find(known, text) != known.end();
}

std::optional<double> time_scale_ns(std::string_view unit) {
  using Scale = std::pair<std::string_view, double>;
  constexpr Scale kTimes[] = {
      {"ns", 1},        {"nsec", 1},   {"nanosecond", 1},    {"nanoseconds", 1},    {"us", 1e3},
      {"µs", 1e3},      {"μs", 1e3},   {"usec", 1e3},        {"microsecond", 1e3},  {"microseconds", 1e3},
      {"ms", 1e6},      {"msec", 1e6}, {"millisecond", 1e6}, {"milliseconds", 1e6}, {"s", 1e9},
      {"sec", 1e9},     {"secs", 1e9}, {"second", 1e9},      {"seconds", 1e9},      {"min", 60e9},
      {"minutes", 60e9}};
  const std::size_t slash = unit.find('/');
  if (slash != unit.npos && !is_one_of(lower_case(unit.substr(slash)), {"/iter", "/iteration", "/op", "/ops",
                                                                        "/call", "/run", "/launch", "/item"}))
    return {};
  const std::string name = lower_case(unit.substr(0, slash));
  const auto* const found = std::ranges::find(kTimes, name, &Scale::first);
  return found == std::end(kTimes) ? std::nullopt : std::optional(found->second);
}

// "GiB" of "B": 2^30. Nothing where it is no multiple of it.
std::optional<double> multiple_of(std::string_view unit, std::string_view base) {
  if (!unit.ends_with(base)) return {};
  const std::string_view prefix = unit.substr(0, unit.size() - base.size());
  if (prefix.empty()) return 1;
  constexpr std::string_view kPrefixes = "KMGTP";
  const char letter = prefix.front() == 'k' ? 'K' : prefix.front();
  const std::size_t place = kPrefixes.find(letter);
  const bool is_binary = prefix.size() == 2 && prefix[1] == 'i';
  if (place == kPrefixes.npos || (prefix.size() != 1 && !is_binary)) return {};
  return std::pow(is_binary ? 1024.0 : 1000.0, static_cast<double>(place + 1));
}

Unit unit_of(const std::string& text) {
  if (const auto scale = time_scale_ns(text)) return {"ns", *scale, "lower"};
  const std::size_t slash = text.find('/');
  const std::string_view amount = std::string_view(text).substr(0, slash);
  const bool per_second = slash != text.npos && is_one_of(lower_case(std::string_view(text).substr(slash)),
                                                          {"/s", "/sec", "/second"});
  for (const auto& flops : {"FLOPS", "FLOPs", "FLOP", "flops", "flop"})
    if (const auto scale = multiple_of(amount, flops);
        scale && (per_second || (slash == text.npos && std::string_view(flops).ends_with('S'))))
      return {"FLOP/s", *scale, "higher"};
  for (const auto& bytes : {"B", "bytes", "byte"})
    if (const auto scale = multiple_of(amount, bytes); scale && (slash == text.npos || per_second))
      return {per_second ? "B/s" : "B", *scale, per_second ? "higher" : "lower"};
  if (per_second && !amount.empty()) return {std::string(amount) + "/s", 1, "higher"};
  return {text, 1, ""};
}

// The direction as it is stated: "lower", "smaller", "less", … Empty where it is none.
std::string direction_of(std::string_view stated) {
  const std::string word = lower_case(stated);
  if (is_one_of(word, {"lower", "smaller", "less", "min"})) return "lower";
  if (is_one_of(word, {"higher", "bigger", "larger", "greater", "more", "max"})) return "higher";
  return "";
}

// Rows of one execution on one device at one commit, in the order in which they first came.
class RowsByExecution {
 public:
  explicit RowsByExecution(std::string source) : source_(std::move(source)) {}

  // `place` names the row in messages: "line 3".
  void add(const Row& row, const std::string& place) {
    const std::string at = in_quotes(source_) + ": " + place;
    if (row.name.empty()) throw Error(ExitCode::kUsage, at + ": name: expected a name");
    const Unit unit = unit_of(row.unit);
    std::string better = direction_of(row.better);
    if (better.empty() && !row.better.empty())
      throw Error(ExitCode::kUsage,
                  at + ": better: expected 'lower' or 'higher', not " + in_quotes(row.better));
    if (better.empty()) better = unit.better;
    const bool is_time = unit.kept == "ns" && better == "lower";
    Benchmark stated;
    stated.name = row.name;
    stated.time_base = is_time ? TimeBase::kReal : TimeBase::kNone;
    stated.unit = is_time ? "" : unit.kept == "ns" ? "s" : unit.kept;
    stated.better = is_time ? "" : better;
    Benchmark& benchmark = benchmark_of(row, stated);
    if (benchmark.unit != stated.unit || benchmark.better != stated.better)
      throw Error(ExitCode::kUsage,
                  at + ": " + in_quotes(row.name) + " has another unit or direction than before",
                  "give each quantity a name of its own: '" + row.name + "/" + row.unit + "'");
    keep(benchmark, unit.scale * row.value * (unit.kept == "ns" && !is_time ? 1e-9 : 1), is_time,
         row.counters);
  }

  Executions finish() {
    if (files_.empty())
      throw Error(ExitCode::kUsage, in_quotes(source_) + ": it has no rows with a name and a value");
    for (auto& file : files_) {
      for (auto& [name, samples] : file.invocation.samples)
        for (auto& [counter, values] : samples.counters) fill_up(values, samples.real_time_ns.size());
      leave_out_forbidden(file);
    }
    return std::move(files_);
  }

 private:
  // The row's benchmark: `stated`, where there is none of its name yet.
  Benchmark& benchmark_of(const Row& row, const Benchmark& stated) {
    const std::string key = row.commit + '\0' + row.device + '\0' + row.invocation;
    const auto [own, is_new] = places_.try_emplace(key, files_.size());
    if (is_new) {
      BenchmarkFile& file = files_.emplace_back();
      file.source = source_;
      file.commit = row.commit;
      file.invocation.started_at = row.started_at;
      if (!row.device.empty()) {
        file.device = Device{};
        file.device->model = row.device;
      }
    }
    current_ = &files_[own->second];
    const auto [place, is_first] =
        benchmarks_.try_emplace({own->second, row.name}, current_->benchmarks.size());
    if (is_first) current_->benchmarks.push_back(stated);
    return current_->benchmarks[place->second];
  }

  // Many rows with a counter of their own, or many samples, ask for much.
  void fill_up(std::vector<double>& values, std::size_t size) {
    values_ += size + 1 - values.size();
    if (values_ > kImportLimits.values)
      throw Error(ExitCode::kUsage, in_quotes(source_) + ": it has more than " +
                                        std::to_string(kImportLimits.values) + " values of counters");
    values.resize(size, std::numeric_limits<double>::quiet_NaN());
  }

  void keep(Benchmark& benchmark, double value, bool is_time, const std::map<std::string, double>& counters) {
    const bool is_possible = std::isfinite(value) && (!is_time || value > 0);
    if (!is_possible || benchmark.error) {
      if (!benchmark.error)
        benchmark.error =
            is_time ? "reported a time of " + format_quantity(value * 1e-9, "s") : "reported no number";
      current_->invocation.samples.erase(benchmark.name);
      return;
    }
    Samples& samples = current_->invocation.samples[benchmark.name];
    samples.real_time_ns.push_back(is_time ? value : 0);
    samples.cpu_time_ns.push_back(0);
    samples.iterations.push_back(1);
    const std::size_t repetitions = samples.real_time_ns.size();
    const auto keep_counter = [&](const std::string& name, double counter) {
      auto& values = samples.counters[name];
      fill_up(values, repetitions - 1);  // rows before that lack it
      values.push_back(counter);
    };
    for (const auto& [name, counter] : counters) keep_counter(name, counter);
    if (!is_time) keep_counter(kStatedValue, value);
  }

  std::string source_;
  Executions files_;
  BenchmarkFile* current_ = nullptr;
  std::size_t values_ = 0;                                                 // of counters
  std::map<std::string, std::size_t> places_;                              // execution → its file
  std::map<std::pair<std::size_t, std::string>, std::size_t> benchmarks_;  // file and name → its benchmark
};

// The fields of a line of CSV (RFC 4180): quoted ones may have commas, and doubled quotes in them. A row is a
// line.
std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"' && (is_quoted || fields.back().empty()))
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  for (auto& field : fields) field = std::string(trim(field));
  return fields;
}

struct Column {
  std::string_view name;
  std::string Row::*field;
};
constexpr Column kColumns[] = {{"name", &Row::name},
                               {"unit", &Row::unit},
                               {"better", &Row::better},
                               {"invocation", &Row::invocation},
                               {"device", &Row::device},
                               {"commit", &Row::commit},
                               {"started_at", &Row::started_at}};

bool is_csv_head(std::string_view line) {
  const auto names = csv_fields(line);
  return names.size() > 1 && std::ranges::count(names, "name") == 1 &&
         std::ranges::count(names, "value") == 1;
}

std::optional<double> number_of(const std::string& text) {
  return parse_number<double>(std::string_view(text).substr(text.starts_with('+') ? 1 : 0));
}

double number_in(const std::string& text, const std::string& at) {
  const auto number = number_of(text);
  if (!number) throw Error(ExitCode::kUsage, at + ": value: expected a number, not " + in_quotes(text));
  return *number;
}

// A number in JSON may stand for a text: {"invocation": 1}.
std::string text_of(const JsonFields& fields, const nlohmann::json& row, std::string_view name) {
  const auto found = row.find(name);
  if (found == row.end() || found->is_null()) return "";
  if (found->is_number()) return found->dump();
  if (!found->is_string()) fields.fail(std::string(name), "a text");
  return found->get<std::string>();
}

Row row_of(const nlohmann::json& object, const std::string& at) {
  const JsonFields fields(object, at);
  Row row;
  for (const auto& [name, field] : kColumns) row.*field = text_of(fields, object, name);
  for (const auto& [name, field] : object.items())
    if (field.is_number() && name != "value" && std::ranges::count(kColumns, name, &Column::name) == 0)
      row.counters[name] = field.get<double>();
  const auto value = object.find("value");
  // Numbers that are none, as Python's json writes them, come as texts or null.
  if (value != object.end() && (value->is_null() || value->is_string()))
    row.value = value->is_null() ? NAN : number_in(value->get<std::string>(), at);
  else
    row.value = fields.required<double>("value");
  return row;
}

std::string line_place(std::size_t number) {
  return "line " + std::to_string(number);
}

bool is_row(std::string_view line) {
  return line.starts_with('{') && line.find("\"name\"") != line.npos && line.find("\"value\"") != line.npos;
}

// Which tools of github-action-benchmark say that more is better; the others' values are times.
bool bigger_is_better(std::string_view tool) {
  return is_one_of(tool, {"customBiggerIsBetter", "benchmarkjs", "pytest"});
}

}  // namespace

Executions parse_csv(const std::string& text, const std::filesystem::path& path) {
  RowsByExecution executions(path.string());
  std::vector<std::string> head;
  std::size_t number = 0;
  for (const auto& whole : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(whole);
    if (head.empty()) {
      if (is_csv_head(line)) head = csv_fields(line);
      continue;
    }
    if (line.empty() || line.starts_with('#') || is_csv_head(line)) continue;
    const auto fields = csv_fields(line);
    const std::string at = in_quotes(path.string()) + ": " + line_place(number);
    if (fields.size() != head.size())
      throw Error(ExitCode::kUsage, at + ": it has " + count_of(fields.size(), "field") +
                                        " where the first line has " + std::to_string(head.size()));
    Row row;
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (head[i] == "value") row.value = number_in(fields[i], at);
      const auto column = std::ranges::find(kColumns, head[i], &Column::name);
      if (column != std::end(kColumns))
        row.*(column->field) = fields[i];
      else if (const auto counter = number_of(fields[i]); counter && head[i] != "value")
        row.counters[head[i]] = *counter;
    }
    executions.add(row, line_place(number));
  }
  return executions.finish();
}

Executions parse_json_lines(const std::string& text, const std::filesystem::path& path) {
  RowsByExecution executions(path.string());
  std::size_t number = 0;
  for (const auto& whole : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(whole);
    if (!is_row(line)) continue;
    const std::string source = path.string() + ": " + line_place(number);
    executions.add(row_of(parse_json(line, source), in_quotes(source)), line_place(number));
  }
  return executions.finish();
}

Executions parse_benches(const std::string& text, const std::filesystem::path& path) {
  RowsByExecution executions(path.string());
  std::size_t number = 0;
  for (const auto& row : parse_json(text, path.string())) {
    const std::string place = "[" + std::to_string(number++) + "]";
    executions.add(row_of(row, in_quotes(path.string()) + ": " + place), place);
  }
  return executions.finish();
}

Executions parse_benches_history(const std::string& text, const std::filesystem::path& path) {
  constexpr double kDateMax = 9e12;  // ms: what a time point can hold
  const std::string source = path.string();
  const std::size_t begin = std::min(text.find('{'), text.size());  // without one, the text is no JSON
  const auto document = parse_json(std::string_view(text).substr(begin), source);
  RowsByExecution executions(source);
  const JsonFields suites = JsonFields(document, in_quotes(source)).object("entries");
  const auto& named = document.at("entries");
  for (const auto& [suite, list] : named.items())
    for (const auto& entry : suites.objects(suite.c_str())) {
      const std::string commit = entry.object("commit").required<std::string>("id");
      const auto tool = entry.required<std::string>("tool");
      const auto date_ms = entry.required<double>("date");
      if (!(std::abs(date_ms) <= kDateMax))
        throw Error(ExitCode::kUsage,
                    in_quotes(source) + ": the date of " + commit + " is no time in milliseconds");
      for (const auto& bench : entry.objects("benches")) {
        Row row;
        row.name = (named.size() > 1 ? suite + "/" : "") + bench.required<std::string>("name");
        row.value = bench.required<double>("value");
        row.unit = bench.required<std::string>("unit");
        if (tool.starts_with("custom") || unit_of(row.unit).better.empty())
          row.better = bigger_is_better(tool) ? "higher" : "lower";
        row.commit = commit;
        row.started_at = format_utc(std::chrono::system_clock::time_point(
            std::chrono::milliseconds(static_cast<std::int64_t>(date_ms))));
        row.invocation = row.started_at;
        executions.add(row, "entries[" + in_quotes(suite) + "] of " + commit);
      }
    }
  return executions.finish();
}

std::string rows_in(std::string_view output) {
  std::string json_lines;
  std::string csv;
  std::size_t columns = 0;
  for (const auto& whole : split(output, '\n')) {
    const std::string_view line = trim(whole);
    if (is_json_lines(line)) json_lines += std::string(line) + "\n";
    if (is_csv_head(line)) columns = csv_fields(line).size();
    if (columns > 0 && csv_fields(line).size() == columns) csv += std::string(line) + "\n";
  }
  return json_lines.empty() ? csv : json_lines;
}

void require_direction(BenchmarkFile& file, const std::string& better) {
  for (auto& benchmark : file.benchmarks) {
    if (benchmark.time_base != TimeBase::kNone || !benchmark.better.empty()) continue;
    if (better.empty())
      throw Error(
          ExitCode::kUsage,
          in_quotes(file.source) + ": whether more or less of " + in_quotes(benchmark.name) +
              " is better is not known" +
              (benchmark.unit.empty() ? ": it has no unit"
                                      : ": its unit " + in_quotes(benchmark.unit) + " does not tell"),
          "say it: --better lower (or higher), or in the file, where each row may have a field 'better'");
    benchmark.better = better;
  }
}

bool is_csv(std::string_view text) {
  return is_csv_head(text.substr(0, text.find('\n')));
}

bool is_json_lines(std::string_view text) {
  const std::string_view line = trim(text.substr(0, text.find('\n')));
  if (!is_row(line) || !line.ends_with('}')) return false;
  // Another format without line ends has such keys as well, further inside.
  try {
    const auto row = parse_json(line, "");
    return row.is_object() && row.contains("name");
  } catch (const Error&) {
    return true;  // its reader says what is wrong
  }
}

bool is_benches(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('[')) return false;
  const std::string_view object = trim(text.substr(1));
  return is_row(object.substr(0, object.find('}')));
}

bool is_benches_history(std::string_view text) {
  return text.starts_with("window.BENCHMARK_DATA");
}

}  // namespace tracker::formats
