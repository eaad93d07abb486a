#include "tracker/formats/google_benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/benchmark_rows.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/stated_environment.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/protocol/code_label.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& source, const std::string& why, const std::string& hint = {}) {
  throw Error(ExitCode::kUsage, in_quotes(source) + ": " + why, hint);
}

double unit_ns(std::string_view unit, const std::string& source) {
  constexpr std::pair<std::string_view, double> kFactors[] = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  for (const auto& [name, factor] : kFactors)
    if (unit == name) return factor;
  refuse(source, "unknown time unit " + in_quotes(unit));
}

// "a, b, c and 12 others"
std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown)));
  return join(shown, ", ") +
         (names.size() > kShown ? " and " + count_of(names.size() - kShown, "other") : "");
}

TimeBase time_base_of(const std::map<std::string, std::string>& attributes) {
  if (attributes.count("manual_time") != 0) return TimeBase::kManual;
  return attributes.count("real_time") != 0 ? TimeBase::kReal : TimeBase::kCpu;
}

// What tells benchmarks apart: two may be registered under one name.
struct Identity {
  std::string_view run_name;
  std::int64_t family = -1;
  std::int64_t instance = -1;

  explicit Identity(const ResultRow& row)
      : run_name(row.run_name), family(row.family), instance(row.instance) {}
  bool operator==(const Identity&) const = default;
};

struct IdentityHash {
  std::size_t operator()(const Identity& identity) const {
    constexpr std::size_t kFactor = 0x9E3779B97F4A7C15u;
    const std::size_t place =
        static_cast<std::size_t>(identity.family) * kFactor ^ static_cast<std::size_t>(identity.instance);
    return std::hash<std::string_view>{}(identity.run_name) ^ place * kFactor;
  }
};

// Takes the rows over into a file.
class Reader {
 public:
  explicit Reader(BenchmarkFile& file) : file_(file) {}

  void read_rows(BenchmarkRows& table) {
    tell_copies_apart(table);
    note_no_numbers(table);
    share_names(table);
    // Random interleaving writes them as they ran; people know them as they were registered.
    const auto registered_before = [](const ResultRow& a, const ResultRow& b) {
      return std::tie(a.family, a.instance) < std::tie(b.family, b.instance);
    };
    if (!std::is_sorted(table.rows.begin(), table.rows.end(), registered_before))
      std::ranges::stable_sort(table.rows, registered_before);
    for (auto row = table.rows.begin(); row != table.rows.end();) {
      const Identity identity(*row);
      const auto end = std::find_if(row, table.rows.end(),
                                    [&](const ResultRow& other) { return Identity(other) != identity; });
      open_benchmark(identity, static_cast<std::size_t>(end - row), table);
      for (; row != end; ++row) read_row(*row, table);
    }
    find_aggregates_only(table);
    // A repetition without a counter that others have gets NaN for it, so that places stay repetitions.
    for (auto& [name, samples] : file_.invocation.samples)
      for (auto& [counter, values] : samples.counters) values.resize(samples.real_time_ns.size(), kMissing);
  }

 private:
  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

  // The run names that are one name without their method suffixes.
  struct Sharing {
    std::string_view first;
    bool several = false;
  };

  // Seen at once, as most names have none.
  static bool may_have_suffix(std::string_view run_name) {
    const auto suffixes = method_suffixes();
    for (std::size_t slash = run_name.find('/'); slash < run_name.size();
         slash = run_name.find('/', slash + 1))
      if (std::ranges::any_of(suffixes, [&](std::string_view suffix) {
            return run_name.substr(slash + 1).starts_with(suffix);
          }))
        return true;
    return false;
  }

  void share_names(const BenchmarkRows& table) {
    const auto for_each_name = [&](const auto& act) {
      std::string_view last;
      for (const auto& row : table.rows)
        if (row.run_name != last) act(last = row.run_name);
    };
    std::size_t names = 0;
    std::size_t suffixed = 0;
    for_each_name([&](std::string_view name) {
      ++names;
      suffixed += may_have_suffix(name) ? 1 : 0;
    });
    taken_.reserve(names);
    file_.benchmarks.reserve(names);
    if (suffixed == 0) return;
    sharing_.reserve(suffixed);
    for_each_name([&](std::string_view name) {
      if (!may_have_suffix(name)) return;
      const auto [sharing, is_first] = sharing_.try_emplace(plain_name(name), Sharing{name, false});
      if (!is_first && sharing->second.first != name) sharing->second.several = true;
    });
    // Of the others, none but the very name is shared.
    if (suffixed == names) return;
    for_each_name([&](std::string_view name) {
      const auto sharing = sharing_.find(name);
      if (sharing != sharing_.end() && sharing->second.first != name) sharing->second.several = true;
    });
  }

  std::string_view plain_name(std::string_view run_name) {
    std::string joined;
    const auto plain = without_method_suffixes(run_name, joined);
    return joined.empty() ? plain : joined_.emplace_back(std::move(joined));
  }

  // Releases before 1.6 state no family: where a repetition comes twice, a second benchmark has the name.
  static void tell_copies_apart(BenchmarkRows& table) {
    std::map<std::pair<std::string_view, std::int64_t>, std::int64_t> seen;
    for (auto& row : table.rows)
      if (row.family < 0 && row.repetition >= 0) {
        const std::int64_t copy = seen[{row.run_name, row.repetition}]++;
        if (copy > 0) row.instance = copy;
      }
  }

  void note_no_numbers(const BenchmarkRows& table) {
    std::unordered_set<std::string> known;
    for (const auto& [run_name, counter] : table.no_numbers) {
      std::string text = split_method_suffixes(run_name).name + ": " + counter;
      if (known.insert(text).second) file_.dropped_counters.push_back(std::move(text));
    }
  }

  void find_aggregates_only(const BenchmarkRows& table) {
    std::set<std::string_view> known;
    for (const auto& row : table.rows) known.insert(row.run_name);
    for (const auto name : table.aggregates)
      if (known.insert(name).second) file_.aggregates_only.push_back(split_method_suffixes(name).name);
  }

  // The name without method suffixes, unless that would make two different benchmarks one. Which of them
  // comes first must not matter: another filter must not give a benchmark another's name.
  std::string_view settle_name(std::string_view run_name, bool has_suffix) {
    std::string_view wanted = run_name;
    if (has_suffix) {
      const std::string_view plain = plain_name(run_name);
      if (!sharing_.at(plain).several) wanted = plain;
    }
    if (taken_.insert(wanted).second) return wanted;
    for (int& copy = copies_.try_emplace(std::string(wanted), 2).first->second;; ++copy) {
      std::string next = std::string(wanted) + "#" + std::to_string(copy);
      if (taken_.count(next) == 0) return *taken_.insert(joined_.emplace_back(std::move(next))).first;
    }
  }

  // Its place, or that of a new one. Rows are in the order of families and instances: where these are known
  // and grow, nothing needs to be looked up.
  std::pair<std::size_t, bool> place_of_benchmark(const Identity& identity) {
    const std::size_t next = file_.benchmarks.size();
    const auto place = std::pair(identity.family, identity.instance);
    if (place > last_place_) {
      last_place_ = place;
      index_ = {};
    }
    const auto [known, is_new] = index_.try_emplace(identity, next);
    return {known->second, is_new};
  }

  // Makes it the one that the next so many rows are read into.
  void open_benchmark(const Identity& identity, std::size_t row_count, const BenchmarkRows& table) {
    row_count_ = row_count;
    samples_ = nullptr;
    counters_.assign(table.counter_names.size(), nullptr);
    const auto [place, is_new] = place_of_benchmark(identity);
    benchmark_ = place;
    if (!is_new) return;
    const bool has_suffix = may_have_suffix(identity.run_name);
    Benchmark benchmark;
    benchmark.name = settle_name(identity.run_name, has_suffix);
    benchmark.binary = file_.invocation.binary;
    if (has_suffix) benchmark.attributes = split_method_suffixes(identity.run_name).attributes;
    benchmark.time_base = time_base_of(benchmark.attributes);
    if (identity.family >= 0 && identity.instance > 0)
      benchmark.instance = static_cast<int>(std::min<std::int64_t>(identity.instance, 1 << 30));
    file_.benchmarks.push_back(std::move(benchmark));
    labels_.emplace_back();
  }

  double time_of(const ResultRow& row, const char* name, const std::optional<double>& time) const {
    if (!time)
      refuse(file_.source, "benchmark " + in_quotes(row.run_name) + ": no '" + std::string(name) + "'");
    if (row.time_unit.empty())
      refuse(file_.source, "benchmark " + in_quotes(row.run_name) + ": no 'time_unit'",
             "without it a time may be nanoseconds or seconds: ns, us, ms or s");
    return *time * unit_ns(row.time_unit, file_.source);
  }

  void read_row(const ResultRow& row, const BenchmarkRows& table) {
    Benchmark& benchmark = file_.benchmarks[benchmark_];
    if (row.skipped) {
      if (!benchmark.error && samples_ == nullptr) skip(benchmark, std::string(*row.error));
      return;
    }
    if (benchmark.skipped) {  // another repetition was measured
      benchmark.skipped.reset();
      benchmark.error.reset();
    }
    if (row.error) return fail(benchmark, std::string(*row.error));
    if (benchmark.error) return;
    const double real_ns = time_of(row, "real_time", row.real_time);
    const double cpu_ns = time_of(row, "cpu_time", row.cpu_time);
    const double judged_ns = benchmark.time_base == TimeBase::kCpu ? cpu_ns : real_ns;
    for (const double time_ns : {judged_ns, real_ns, cpu_ns}) {
      if (time_ns >= 0 && std::isfinite(time_ns) && judged_ns > 0) continue;
      if (std::isnan(time_ns)) return fail(benchmark, "reported a time that is no number");
      return fail(benchmark, "reported a time of " + format_quantity(time_ns * 1e-9, "s"));
    }
    if (row.iterations == 0) return fail(benchmark, "reported 0 iterations");
    read_label(row.label, benchmark);
    if (samples_ == nullptr) open_samples(benchmark.name);
    samples_->real_time_ns.push_back(real_ns);
    samples_->cpu_time_ns.push_back(cpu_ns);
    samples_->iterations.push_back(row.iterations);
    for (std::size_t i = row.first_counter; i < row.first_counter + row.counter_count; ++i) {
      const auto& [counter, value] = table.counters[i];
      auto& values = counters_[counter];
      if (values == nullptr) {
        // Each counter gets a value a repetition: many rows with a counter of their own ask for much.
        if ((counter_values_ += row_count_) > kImportLimits.values)
          refuse(file_.source, "it has more than " + std::to_string(kImportLimits.values) +
                                   " values of counters; benchmark " + in_quotes(row.run_name) +
                                   " has another counter in each row");
        values = &samples_->counters[table.counter_names[counter]];
        values->reserve(samples_->real_time_ns.capacity());
      }
      values->resize(samples_->real_time_ns.size() - 1, kMissing);
      values->push_back(value);
    }
  }

  // Repetitions mostly have one label: only another one is looked into.
  void read_label(std::string_view label, Benchmark& benchmark) {
    auto& known = labels_[benchmark_];
    if (known == label) return;
    const auto code = read_code_label(label);
    benchmark.code = known ? common_code(benchmark.code, code) : code;
    known = label;
  }

  void open_samples(const std::string& name) {
    // Where names grow, each is found behind the last one, at once.
    auto& all = file_.invocation.samples;
    samples_ = &all.try_emplace(all.end(), name)->second;
    const std::size_t repetitions = samples_->real_time_ns.size() + row_count_;
    samples_->real_time_ns.reserve(repetitions);
    samples_->cpu_time_ns.reserve(repetitions);
    samples_->iterations.reserve(repetitions);
  }

  void fail(Benchmark& benchmark, const std::string& why) {
    benchmark.error = why;
    file_.invocation.samples.erase(benchmark.name);
  }

  BenchmarkFile& file_;
  std::unordered_map<Identity, std::size_t, IdentityHash> index_;  // → benchmark
  std::pair<std::int64_t, std::int64_t> last_place_{-1, -1};       // the greatest family and instance yet
  std::unordered_map<std::string_view, Sharing> sharing_;          // by those names without suffixes
  std::vector<std::optional<std::string_view>> labels_;            // of each benchmark's last sample
  std::unordered_set<std::string_view> taken_;
  std::deque<std::string> joined_;               // names that stand nowhere in the file
  std::unordered_map<std::string, int> copies_;  // the number that the next benchmark of a name would get
  std::size_t benchmark_ = 0;                    // the open one
  std::size_t row_count_ = 0;                    // of it, one after the other
  std::size_t counter_values_ = 0;               // of all benchmarks
  Samples* samples_ = nullptr;                   // its samples, once it has any
  std::vector<std::vector<double>*> counters_;   // of its samples, by the number of the counter's name
};

void read_context(const json& context, BenchmarkFile& file) {
  const JsonFields fields(context, in_quotes(file.source) + ": context");
  fields("executable", file.executable);
  file.invocation.binary = std::filesystem::path(file.executable).filename().string();
  std::string date;
  fields("date", date);
  if (const auto time = parse_time(date))
    file.invocation.started_at = format_utc(*time);
  else
    file.unread_date = date;
  fields("host_name", file.host.name);
  fields("num_cpus", file.host.cpu_count);
  std::vector<double> load;
  fields("load_avg", load);
  if (!load.empty()) file.invocation.conditions.load_average = load.front();
  file.device = stated_device(context);
  file.software = stated_software(context);
  read_library_facts(context, file.software, file.host);
  file.commit = stated_commit(context);
}

}  // namespace

BenchmarkFile parse_google_benchmark(const std::string& text, const std::string& source) {
  BenchmarkFile file;
  file.source = source;
  RowsDocument document = read_mended_rows(text, source);
  BenchmarkRows& rows = document.rows;
  // Spaces, so that an error names the byte of the file.
  read_context(parse_json(std::string(document.context_offset, ' ').append(document.context), source,
                          EqualKeys::kFirstCounts),
               file);
  Reader(file).read_rows(rows);
  file.mended = document.mended;
  file.repeated_keys = document.repeated_keys;
  if (file.benchmarks.empty() && file.aggregates_only.empty())
    refuse(source, "it has no benchmarks", "does --benchmark_filter match any?");
  gather_conditions(file.invocation, file.invocation.conditions);
  leave_out_forbidden(file);
  return file;
}

std::vector<std::string> notes_about_reading(const std::vector<const BenchmarkFile*>& files) {
  std::map<std::string, std::vector<std::string>> mended;  // what → where
  std::vector<std::string> dates;
  std::set<std::string> left_out;
  std::set<std::string> repeated;
  for (const auto* file : files) {
    left_out.insert(file->left_out.begin(), file->left_out.end());
    repeated.insert(file->repeated_keys.begin(), file->repeated_keys.end());
    for (const auto& what : file->mended) mended[what].push_back("'" + file->source + "'");
    if (!file->unread_date.empty()) dates.push_back("'" + file->unread_date + "'");
  }
  std::vector<std::string> notes;
  for (const auto& [what, sources] : mended)
    notes.push_back(what.ends_with(kLostRow)
                        ? what + ", and is left out: " + first_of(sources)
                        : what + ", which is no JSON, and was read all the same: " + first_of(sources) +
                              "; releases of Google Benchmark after 1.9.5 write it well");
  if (!left_out.empty())
    notes.push_back("left out, as tracker import would refuse it: " +
                    first_of({left_out.begin(), left_out.end()}));
  if (!repeated.empty())
    notes.push_back("a key stands twice in one row, and its first value is taken: " +
                    first_of({repeated.begin(), repeated.end()}));
  if (!dates.empty())
    notes.push_back("a date that is not understood, so that the order of these files is not known: " +
                    first_of(dates) + "; expected is 2026-11-20T12:49:01+00:00");
  return notes;
}

void require_repetitions(const std::vector<const BenchmarkFile*>& files) {
  const BenchmarkFile* of_aggregates = nullptr;
  for (const auto* file : files) {
    if (!file->benchmarks.empty()) return;
    of_aggregates = file;
  }
  if (of_aggregates == nullptr) return;
  refuse(of_aggregates->source,
         "it has aggregates alone, and no repetitions to judge the noise by (" +
             first_of(of_aggregates->aggregates_only) + ")",
         "run it without --benchmark_report_aggregates_only; where the code says ReportAggregatesOnly(), "
         "with --benchmark_repetitions=1, several times");
}

BenchmarkFile read_google_benchmark(const std::filesystem::path& path) {
  return parse_google_benchmark(read_file(path, kBenchmarkFileBytesMax), path.string());
}

void put_prefix(BenchmarkFile& file, const std::string& prefix) {
  if (prefix.empty()) return;
  for (auto& benchmark : file.benchmarks) benchmark.name = prefix + benchmark.name;
  for (auto& name : file.aggregates_only) name = prefix + name;
  for (auto& counter : file.dropped_counters) counter = prefix + counter;
  std::map<std::string, Samples> samples;
  for (auto& [name, list] : file.invocation.samples) samples.emplace(prefix + name, std::move(list));
  file.invocation.samples = std::move(samples);
  leave_out_forbidden(file);
}

namespace {

using nlohmann::ordered_json;

// What a binary states of itself are texts, under the names of a record's fields (run_document.hpp) with
// `prefix` before them.
struct ContextWriter {
  ordered_json& context;
  std::string prefix;

  void operator()(const char* name, const std::string& value) const { context[prefix + name] = value; }
  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) const {
    if (!value) return;
    const ordered_json fact = *value;
    context[prefix + name] = fact.is_string() ? fact : ordered_json(fact.dump());
  }
};

ordered_json context_of(const Run& run, const Invocation& invocation) {
  ordered_json context = ordered_json::object();
  context["date"] = invocation.started_at;
  context["host_name"] = run.host.name;
  context["executable"] = invocation.binary;
  if (run.host.cpu_count) context["num_cpus"] = *run.host.cpu_count;
  if (run.host.cpu_mhz) context["mhz_per_cpu"] = *run.host.cpu_mhz;
  if (run.host.cpu_scaling) context["cpu_scaling_enabled"] = *run.host.cpu_scaling;
  if (run.host.caches) context[context_key::kHostCaches] = *run.host.caches;
  if (run.software.library) context["library_version"] = "v" + *run.software.library;
  context["load_avg"] = ordered_json::array();
  if (invocation.conditions.load_average) context["load_avg"].push_back(*invocation.conditions.load_average);
  context[context_key::kDeviceKind] = run.device.kind == DeviceKind::kGpu ? "gpu" : "cpu";
  device_fields(run.device, ContextWriter{context, "device."});
  Software stated = run.software;
  stated.library.reset();  // it stands above
  stated.build.reset();    // of tracker itself
  software_fields(stated, ContextWriter{context, "software."});
  return context;
}

// With the suffixes that say how it was measured, which reading splits off again.
std::string run_name_of(Benchmark benchmark) {
  if (benchmark.time_base == TimeBase::kManual) benchmark.attributes.emplace("manual_time", "");
  if (benchmark.time_base == TimeBase::kReal && benchmark.attributes.count("manual_time") == 0)
    benchmark.attributes.emplace("real_time", "");
  return printed_name(benchmark);
}

// Per iteration, which is exact, and per second, which others read.
void write_work(const Benchmark& benchmark, double time_ns, ordered_json& row) {
  for (const auto& [amount, rate, member] : kStatedWorks) {
    const auto& work = benchmark.*member;
    if (!work) continue;
    row[amount] = *work;
    const double per_second = *work / (time_ns * 1e-9);
    if (std::isfinite(per_second)) row[rate] = per_second;
  }
}

ordered_json row_of(const Benchmark& benchmark, const std::string& run_name, std::size_t family) {
  return {{"name", run_name},
          {"family_index", family},
          {"per_family_instance_index", benchmark.instance.value_or(0)},
          {"run_name", run_name},
          {"run_type", "iteration"},
          {"repetitions", 1},
          {"repetition_index", 0},
          {"threads", thread_count(benchmark.name)},
          {"iterations", 0},
          {"real_time", 0.0},
          {"cpu_time", 0.0},
          {"time_unit", "ns"},
          {"label", benchmark.code ? code_label(*benchmark.code) : ""}};
}

void write_rows(const Benchmark& benchmark, const Samples& samples, const ordered_json& common,
                ordered_json& rows) {
  const auto& base_times = times_of_base(samples, benchmark.time_base);
  for (std::size_t i = 0; i < samples.real_time_ns.size(); ++i) {
    ordered_json row = common;
    row["repetitions"] = samples.real_time_ns.size();
    row["repetition_index"] = i;
    row["iterations"] = samples.iterations[i];
    row["real_time"] = samples.real_time_ns[i];
    row["cpu_time"] = samples.cpu_time_ns[i];
    write_work(benchmark, base_times[i], row);
    for (const auto& [name, value] : benchmark.counters) row.emplace(name, value);
    for (const auto& [name, values] : samples.counters)
      if (std::isfinite(values[i])) row.emplace(name, values[i]);
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::string write_google_benchmark(const Run& run, const Invocation& invocation) {
  ordered_json rows = ordered_json::array();
  std::size_t families = 0;
  for (const Benchmark& benchmark : run.benchmarks) {
    if (benchmark.instance.value_or(0) == 0 || families == 0) ++families;
    const auto samples = invocation.samples.find(benchmark.name);
    if (benchmark.time_base == TimeBase::kNone) continue;  // its JSON has times alone
    const bool has_samples = samples != invocation.samples.end();
    if (!has_samples && (!benchmark.error || benchmark.binary != invocation.binary)) continue;
    ordered_json row = row_of(benchmark, run_name_of(benchmark), families - 1);
    if (has_samples) {
      write_rows(benchmark, samples->second, row, rows);
      continue;
    }
    row["error_occurred"] = true;
    row["error_message"] = *benchmark.error;
    rows.push_back(std::move(row));
  }
  ordered_json document;
  document["context"] = context_of(run, invocation);
  document["benchmarks"] = std::move(rows);
  return print_json(document);
}

}  // namespace tracker::formats
