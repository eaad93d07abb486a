#include "tracker/profile/ncu.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/profile/counters.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::profile {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kHeaderStart = "\"ID\",\"Process ID\",";
constexpr std::string_view kKernelColumn = "Kernel Name";
constexpr std::string_view kGridColumn = "Grid Size";
constexpr std::string_view kBlockColumn = "Block Size";

// Where the table's header starts: the last line like one, since ncu prints the table at its end, and the
// program may print anything before. npos where there is none.
std::size_t find_header(std::string_view text) {
  for (std::size_t at = text.size(); (at = text.rfind(kHeaderStart, at)) != std::string_view::npos; --at) {
    if (at == 0 || text[at - 1] == '\n') return at;
    if (at == 0) break;
  }
  return std::string_view::npos;
}

// Reads rows of quoted cells; '"' in a cell is doubled.
class RowReader {
 public:
  RowReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  // Whether another row follows: what does not start with a quote is no part of the table.
  bool has_row() const { return at_ < text_.size() && text_[at_] == '"'; }

  Row read() {
    Row row;
    ++row_;
    do {
      row.push_back(read_cell());
    } while (take(','));
    take('\r');
    if (at_ < text_.size() && !take('\n')) fail("is not as ncu writes it");
    return row;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(
        ExitCode::kEnvironment,
        "ncu's output in " + in_quotes(source_) + ": row " + std::to_string(row_) + " of its table " + what,
        "was ncu ended, or the disk full? profile again");
  }

 private:
  // Whether this character comes next, and then goes behind it.
  bool take(char wanted) {
    const bool is_next = at_ < text_.size() && text_[at_] == wanted;
    if (is_next) ++at_;
    return is_next;
  }

  std::string read_cell() {
    if (at_ >= text_.size()) fail("ends in the middle");
    if (!take('"')) fail("is not as ncu writes it");
    std::string cell;
    while (true) {
      if (at_ >= text_.size()) fail("ends in the middle");
      const bool is_quote = take('"');
      if (is_quote && !take('"')) return cell;
      cell += is_quote ? '"' : text_[at_++];
    }
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  int row_ = 0;
};

// "1,303,496,368,038.74": groups of three. Nothing for what is no finite number ("n/a", "(32, 8, 1)"), nor
// for a comma in another place.
std::optional<double> number_of(const std::string& text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t at = text.find(','); at != std::string::npos; at = text.find(',', at + 1))
    if (at == 0 || at >= point || (point - at) % 4 != 0) return {};
  std::string digits = text;
  std::erase(digits, ',');
  if (digits.empty()) return {};
  double value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) return {};
  return value;
}

std::size_t column_of(const Row& header, std::string_view name, const RowReader& reader) {
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) reader.fail("has no column '" + std::string(name) + "'");
  return static_cast<std::size_t>(found - header.begin());
}

// A metric's column is called "unit__counter", in plain letters; others, such as "Stream", are not.
bool is_metric(const std::string& column) {
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7f; };
  return column.find("__") != std::string::npos && std::ranges::all_of(column, is_plain);
}

}  // namespace

std::vector<NcuLaunch> parse_ncu_csv(std::string_view output, const std::string& source) {
  const std::size_t start = find_header(output);
  if (start == std::string_view::npos) return {};
  RowReader reader(output.substr(start), source);
  const Row header = reader.read();
  constexpr std::size_t kNameBytesMax = 1000;  // each launch has all names
  for (const auto& name : header)
    if (name.size() > kNameBytesMax) reader.fail("has a name of " + std::to_string(name.size()) + " bytes");
  const std::size_t kernel = column_of(header, kKernelColumn, reader);
  const std::size_t grid = column_of(header, kGridColumn, reader);
  const std::size_t block = column_of(header, kBlockColumn, reader);
  std::vector<NcuLaunch> launches;
  while (reader.has_row()) {
    const Row row = reader.read();
    if (row.size() != header.size())
      reader.fail("has " + std::to_string(row.size()) + " cells instead of " + std::to_string(header.size()));
    if (row.front().empty()) continue;  // the units, which --print-units base settles
    NcuLaunch launch{row[kernel], row[grid], row[block], {}};
    for (std::size_t i = 0; i < row.size(); ++i)
      if (is_metric(header[i]))
        if (const auto value = number_of(row[i])) launch.metrics[header[i]] = *value;
    launches.push_back(std::move(launch));
  }
  if (launches.empty()) reader.fail("is the last one: no launch follows its head");
  return launches;
}

std::vector<std::string> available_kernels(std::string_view output) {
  const std::size_t start = output.find("Available Kernels:");
  std::vector<std::string> names;
  if (start == std::string_view::npos) return names;
  const auto lines = split(output.substr(start), '\n');
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string number = std::to_string(i) + ". ";
    if (!lines[i].starts_with(number)) break;
    names.push_back(bare_kernel_name(std::string_view(lines[i]).substr(number.size())));
  }
  return names;
}

std::vector<std::string> ncu_errors(std::string_view output, std::size_t lines_max) {
  constexpr std::string_view kMark = "==ERROR== ";
  std::vector<std::string> errors;
  for (const auto& line : split(output, '\n'))
    if (line.starts_with(kMark) && errors.size() < lines_max) errors.push_back(line.substr(kMark.size()));
  return errors;
}

std::string short_kernel_name(std::string_view kernel) {
  std::size_t start = 0;
  std::size_t end = kernel.size();
  int depth = 0;  // within template arguments, which have blanks, colons and parentheses of their own
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    constexpr std::string_view kNameless = "(anonymous namespace)";
    const char c = kernel[i];
    if (depth == 0 && kernel.substr(i).starts_with(kNameless)) {
      i += kNameless.size() - 1;
    } else if (depth == 0 && (c == '(' || c == '\r')) {
      end = i;
      break;
    } else if (depth == 0 && (c == ' ' || c == ':')) {
      start = i + 1;
    } else if (c == '<') {
      ++depth;
    } else if (c == '>' && depth > 0) {
      --depth;
    }
  }
  return std::string(start < end ? kernel.substr(start, end - start) : kernel);
}

std::string bare_kernel_name(std::string_view kernel) {
  std::string name = short_kernel_name(kernel);
  const std::size_t arguments = name.find('<');
  if (arguments != std::string::npos && arguments > 0) name.erase(arguments);
  return name;
}

namespace {

constexpr std::uintmax_t kLogBytesMax = std::uintmax_t{256} << 20;
constexpr std::size_t kErrorLinesMax = 3;
constexpr int kOutputLinesMax = 10;

// ncu reads ECMAScript expressions.
std::string escaped(std::string_view text) {
  constexpr std::string_view kSpecial = R"(.[]{}\()*+?|^$)";
  std::string out;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// "regex:^(?!(fill|flush)$)": every other name.
std::string all_but(const std::vector<std::string>& names) {
  std::vector<std::string> expressions;
  for (const auto& name : names) expressions.push_back(escaped(name));
  return "regex:^(?!(" + join(expressions, "|") + ")$)";
}

Error missing(const NcuOptions& options, const std::string& why) {
  return {
      ExitCode::kEnvironment, in_quotes(options.path) + " could not be started: " + why,
      "ncu is part of Nsight Compute, which comes with the CUDA toolkit: put its folder on PATH, or name it: "
      "--ncu PATH"};
}

Error not_permitted() {
  return {ExitCode::kEnvironment, "this user may not read the GPU's hardware counters (ERR_NVGPUCTRPERM)",
          "run it as root or with CAP_SYS_ADMIN, or let everybody: load the driver with "
          "NVreg_RestrictProfilingToAdminUsers=0 (docs/profiling.md)"};
}

// It ended before it started the program.
Error gave_up(const NcuOptions& options, const std::string& how) {
  return {ExitCode::kEnvironment, in_quotes(options.path) + " " + how,
          "ncu 2025.3 is known to work, an older one may lack an option; tracker doctor says whether the GPU "
          "and its "
          "driver work"};
}

// ": The application returned an error code (4)."; empty where it says nothing of an error.
std::string errors_in_words(const std::string& said) {
  std::string words;
  for (const auto& line : ncu_errors(said, kErrorLinesMax)) words += (words.empty() ? ": " : "; ") + line;
  return words;
}

std::string no_kernel_in_words(const std::string& said) {
  const auto seen = available_kernels(said);
  if (seen.empty()) return "launches no kernel";
  return "launches none of the kernels that were asked for, but " + join(seen, ", ");
}

// What it wrote to its log; nothing where it never came to that.
std::string log_text(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure) || std::filesystem::file_size(path, failure) == 0) return "";
  return read_file(path, kLogBytesMax);
}

}  // namespace

std::vector<std::string> ncu_arguments(const NcuOptions& options, const std::filesystem::path& log) {
  std::vector<std::string> arguments{"--csv",
                                     "--page=raw",
                                     "--print-units=base",
                                     "--clock-control=none",
                                     "--cache-control=all",
                                     "--config-file=off",
                                     "--rename-kernels=off",
                                     "--filter-mode=per-launch-config",
                                     "--launch-count=" + std::to_string(options.launches),
                                     "--launch-skip=" + std::to_string(options.skip_launches),
                                     "--metrics=" + join(wanted_metrics(), ","),
                                     "--log-file=" + log.string()};
  if (!options.kernel.empty())
    arguments.push_back("--kernel-name=" + options.kernel);
  else if (!options.skip_kernels.empty())
    arguments.push_back("--kernel-name=" + all_but(options.skip_kernels));
  return arguments;
}

NcuOutcome run_under_ncu(ProcessSpec program, const NcuOptions& options) {
  const TemporaryDirectory folder;
  const auto log = folder.path() / "ncu.log";
  auto argv = ncu_arguments(options, log);
  argv.insert(argv.begin(), options.path);
  program.argv.insert(program.argv.begin(), argv.begin(), argv.end());
  program.output_bytes_max = 1 << 20;
  const auto result = run_process(program);

  NcuOutcome outcome;
  outcome.stopped = result.stopped;
  if (outcome.stopped) return outcome;
  if (!result.start_error.empty()) throw missing(options, result.start_error);
  // What ncu itself says goes into its log, apart from the program's output; but not what it says of its
  // options.
  const std::string said = log_text(log);
  if (said.find("ERR_NVGPUCTRPERM") != std::string::npos) throw not_permitted();
  if (said.empty() && !result.timed_out)
    throw gave_up(options,
                  result.ok() ? "wrote nothing" : describe_end(result) + errors_in_words(result.output));
  if (!result.ok()) {
    outcome.failure = describe_end(result) + errors_in_words(said);
    outcome.last_output = last_lines(result, kOutputLinesMax);
    return outcome;
  }
  outcome.launches = parse_ncu_csv(said, log.string());
  if (outcome.launches.empty()) outcome.failure = no_kernel_in_words(said);
  return outcome;
}

std::string ncu_version(const NcuOptions& options) {
  ProcessSpec spec;
  spec.argv = {options.path, "--version"};
  spec.timeout = std::chrono::seconds(60);
  const auto result = run_process(spec);
  if (!result.start_error.empty()) throw missing(options, result.start_error);
  // "Version 2025.3.1.0 (build 36398880) (public-release)"
  constexpr std::string_view kMark = "Version ";
  const std::size_t at = result.output.find(kMark);
  if (!result.ok() || at == std::string::npos)
    throw Error(
        ExitCode::kEnvironment,
        "'" + options.path + " --version' " + (result.ok() ? "does not say a version" : describe_end(result)),
        "is it NVIDIA's ncu? name another one: --ncu PATH");
  const std::size_t from = at + kMark.size();
  const std::size_t end = result.output.find_first_not_of("0123456789.", from);
  std::vector<std::string> parts = split(std::string_view(result.output).substr(from, end - from), '.');
  parts.resize(std::min<std::size_t>(parts.size(), 3));
  return "ncu " + join(parts, ".");
}

namespace {

using Launches = std::vector<const NcuLaunch*>;

double time_of(const Launches& launches) {
  double total = 0;
  for (const auto* launch : launches)
    if (const auto found = launch->metrics.find(kDurationMetric); found != launch->metrics.end())
      total += found->second;
  return total;
}

Launches launches_of(const std::vector<NcuLaunch>& all, const std::vector<std::string>& stated) {
  std::set<std::string> names;
  for (const auto& name : stated) names.insert(bare_kernel_name(name));
  Launches some;
  for (const auto& launch : all)
    if (names.count(bare_kernel_name(launch.kernel)) > 0) some.push_back(&launch);
  if (some.empty())
    for (const auto& launch : all) some.push_back(&launch);
  return some;
}

}  // namespace

std::optional<ProfiledBenchmark> choose_kernel(const std::string& benchmark,
                                               const std::vector<NcuLaunch>& launches,
                                               const std::vector<std::string>& stated) {
  std::vector<Launches> groups;  // in the order they were first seen
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  for (const auto* launch : launches_of(launches, stated)) {
    const auto [place, added] =
        places.try_emplace({launch->kernel, launch->grid, launch->block}, groups.size());
    if (added) groups.emplace_back();
    groups[place->second].push_back(launch);
  }
  if (groups.empty()) return {};
  const Launches& chosen =
      *std::ranges::max_element(groups, [](const auto& a, const auto& b) { return time_of(a) < time_of(b); });
  ProfiledBenchmark result{
      benchmark, short_kernel_name(chosen.front()->kernel), static_cast<int>(chosen.size()), {}};
  for (const auto& metric : wanted_metrics()) {
    if (metric == kDurationMetric) continue;
    std::vector<double> values;
    for (const auto* launch : chosen)
      if (const auto found = launch->metrics.find(metric); found != launch->metrics.end())
        values.push_back(found->second);
    if (!values.empty()) result.counters[metric] = stats::median(values);
  }
  return result;
}

}  // namespace tracker::profile
