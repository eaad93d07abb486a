#include "tracker/measure/listing.hpp"

#include <algorithm>
#include <fstream>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker::measure {
namespace {

constexpr std::uintmax_t kListBytesMax = std::uintmax_t{64} << 20;
// One that does not know --help may start to measure.
constexpr auto kHelpTimeMax = std::chrono::seconds(10);
constexpr std::string_view kNoneMatch = "Failed to match any benchmarks";

// What one start with these arguments printed, kept in a file if there is to be one.
class Asking {
 public:
  Asking(const InvocationSpec& spec, std::string what) : spec_(spec), what_(std::move(what)) {
    if (!spec.output.empty()) kept_at_ = spec.output.string() + "." + what_;
  }

  std::optional<std::string> kept() const {
    std::error_code failure;
    if (kept_at_.empty() || !std::filesystem::exists(kept_at_, failure)) return {};
    const std::string text = read_file(kept_at_, kListBytesMax);
    if (!text.starts_with(head())) return {};
    return text.substr(head().size());
  }

  void keep(const std::string& text) const {
    if (!kept_at_.empty()) write_file(kept_at_, head() + text);
  }

  ProcessResult start(const std::vector<std::string>& arguments,
                      std::chrono::milliseconds time_max = {}) const {
    ProcessSpec process = process_for(spec_, arguments);
    if (time_max.count() > 0) process.timeout = std::min(process.timeout, time_max);
    process.keep_going = [this] {
      if (spec_.tick) spec_.tick();
      return !interrupted();
    };
    return run_process(process);
  }

 private:
  std::string head() const {
    return "of " + binary_path(spec_.root, spec_.binary).string() + " " + join(spec_.binary.arguments, " ") +
           " " + spec_.filter + "\n";
  }

  const InvocationSpec& spec_;
  std::string what_;
  std::filesystem::path kept_at_;
};

// Nothing where it prints no help of a library that is known.
std::optional<std::string> ask_for_help(const InvocationSpec& spec) {
  // Its own arguments may be such that it does not know: they are not needed for help.
  InvocationSpec bare = spec;
  bare.binary.arguments.clear();
  bare.filter.clear();
  const Asking asking(bare, "help");
  auto help = asking.kept();
  if (!help) {
    const auto result = asking.start({"--help"}, kHelpTimeMax);
    help = result.output + result.errors;
    if (flags_in_help(*help)) asking.keep(*help);
  }
  return flags_in_help(*help) ? help : std::nullopt;
}

// Not there, a library of it missing, or ended by a signal: no argument makes that better.
std::string why_not_started(const ProcessResult& result) {
  constexpr int kCannotExecute = 126;
  const bool is_stopped = result.timed_out || result.stopped;
  if (is_stopped || (result.exit_code < kCannotExecute && result.signal == 0 && result.start_error.empty()))
    return "";
  const std::string said = last_lines(result, 1);
  return describe_end(result) + (said.empty() ? "" : ": " + printable(said));
}

// The list has the form that is asked for last: without this, that of the binary's own arguments.
std::vector<std::string> list_arguments(const InvocationSpec& spec) {
  std::vector<std::string> arguments{"--benchmark_list_tests=true"};
  if (std::ranges::any_of(spec.binary.arguments, [](const std::string& argument) {
        return argument.starts_with("--benchmark_format=");
      }))
    arguments.emplace_back("--benchmark_format=console");
  return arguments;
}

// What it listed; nothing where that is no list, and then why it could not be started, if so, or that it took
// no notice of the question and printed rows of results.
std::optional<std::string> ask_for_list(const InvocationSpec& spec, ListOutcome& outcome,
                                        const std::vector<std::string>& also = {}) {
  const Asking asking(spec, also.empty() ? "list" : "list-as-asked");  // whether it took these tells as well
  if (auto kept = asking.kept()) return kept;
  auto arguments = list_arguments(spec);
  arguments.insert(arguments.end(), also.begin(), also.end());
  const auto result = asking.start(arguments);
  outcome.cannot_start = why_not_started(result);
  if (!result.ok()) return {};
  if (!formats::rows_in(result.output).empty()) {
    outcome.flags.harness = Harness::kRows;
    return {};
  }
  const auto names = parse_list(result.output);
  // Nothing at all is an answer only where the library says so.
  const bool none_match = result.errors.find(kNoneMatch) != std::string::npos;
  if (!names || (names->empty() && !none_match)) return {};
  asking.keep(result.output);
  return result.output;
}

// Whether a script, or a command of the system, prints rows of results where it gets no argument that it does
// not know. A program of the repository's own is not started for that.
bool prints_rows(const InvocationSpec& spec) {
  const auto path = binary_path(spec.root, spec.binary);
  char head[2] = {};
  std::ifstream(path, std::ios::binary).read(head, sizeof head);
  const bool is_script = std::string_view(head, sizeof head) == "#!";
  const bool is_own = path.lexically_normal().string().starts_with((spec.root / "").string());
  if (is_own && !is_script) return false;
  InvocationSpec whole = spec;
  whole.flags.harness = Harness::kRows;
  const auto result = Asking(whole, "rows").start({});
  return result.ok() && !formats::rows_in(result.output).empty();
}

// What it prints around a list that has no benchmark. Nothing where it does not say that none matched.
std::string ask_for_empty_list(InvocationSpec spec) {
  spec.filter = "^$";
  const Asking asking(spec, "empty-list");
  if (auto kept = asking.kept()) return *kept;
  const auto result = asking.start(list_arguments(spec));
  if (!result.ok() || result.errors.find(kNoneMatch) == std::string::npos) return "";
  asking.keep(result.output);
  return result.output;
}

// The list without what main() prints itself, before it hands its arguments over and after the list.
std::string without_own_words(const InvocationSpec& spec, const std::string& list, const std::string& help) {
  const std::string names = without_banner(list, help);
  const bool prints_itself = names != without_banner(list, "");
  // A name may hold a space, so that this asks once more than it has to.
  if (interrupted() || (!prints_itself && names.find(' ') == std::string::npos)) return names;
  return without_banner(names, ask_for_empty_list(spec));
}

// Most libraries refuse it with words that lead nowhere, after the binary was started.
void refuse_glob(const std::string& filter) {
  if (filter.starts_with('*') || filter.starts_with("-*"))
    throw Error(
        ExitCode::kUsage, "the filter " + in_quotes(filter) + " begins with '*'",
        "--filter takes a regular expression, which matches anywhere in a name: 'sort', not '*sort*'");
}

}  // namespace

ListOutcome list_benchmarks(const InvocationSpec& spec) {
  refuse_glob(spec.filter);
  InvocationSpec asked = spec;
  const std::string& prefix = spec.binary.prefix;
  if (!prefix.empty()) asked.filter.clear();  // the binary does not know the names that it is meant for
  ListOutcome outcome;
  if (spec.binary.prints_rows) {
    outcome.flags.harness = Harness::kRows;
    return outcome;
  }
  std::optional<std::string> list;
  if (const auto help = ask_for_help(spec)) {
    outcome.flags = asked.flags = flags_in_help(*help).value();
    // Which states an nvbench benchmark has, only its results say.
    if (outcome.flags.harness == Harness::kGoogleBenchmark && !interrupted())
      list = ask_for_list(asked, outcome);
    if (list) list = without_own_words(asked, *list, *help);
  } else if (!interrupted()) {
    // No help that can be read: whether the flag is an error to it tells as well.
    list = ask_for_list(asked, outcome, {"--" + std::string(kInterleaving) + "=true"});
    const auto goes_on = [&] {
      return !list && outcome.flags.harness == Harness::kGoogleBenchmark && outcome.cannot_start.empty() &&
             !interrupted();
    };
    if (goes_on()) {
      list = ask_for_list(asked, outcome);
      if (list) outcome.flags.missing.emplace(kInterleaving);
    }
    if (goes_on() && prints_rows(spec)) outcome.flags.harness = Harness::kRows;
  }
  outcome.stopped = interrupted();
  if (!list || outcome.stopped) return outcome;
  outcome.names.emplace();
  const BenchmarkFilter filter(spec.filter);
  for (const auto& name : parse_list(*list).value_or(std::vector<std::string>{}))
    if (prefix.empty() || spec.filter.empty() || filter.passes(prefix + name))
      outcome.names->push_back(prefix + name);
  for (const auto& line : split(*list, '\n'))
    if (!line.empty()) outcome.lines.push_back(line);
  return outcome;
}

ListOutcome list_benchmarks(const Target& target, const Binary& binary, const std::string& filter) {
  InvocationSpec spec;
  spec.root = target.root;
  spec.binary = binary;
  spec.filter = filter;
  auto outcome = list_benchmarks(spec);
  if (outcome.stopped) throw Error(ExitCode::kInterrupted, "interrupted; nothing was recorded");
  return outcome;
}

void require_startable(const Target& target, const std::function<void(const std::string&)>& tell) {
  NameClaims claims;
  std::vector<std::string> dead;
  for (const auto& binary : target.binaries) {
    const auto outcome = list_benchmarks(target, binary);
    if (outcome.names) claims.claim(0, binary, *outcome.names);
    if (!outcome.cannot_start.empty())
      dead.push_back(in_quotes(label_of(binary)) + " at " + target.label +
                     " cannot be started: " + outcome.cannot_start);
  }
  if (!dead.empty() && dead.size() == target.binaries.size())
    throw Error(ExitCode::kEnvironment, join(dead, "; "),
                "start it by hand in " + target.root.string() + "; nothing else was built or measured");
  for (const auto& one : dead) tell(one);
}

}  // namespace tracker::measure
