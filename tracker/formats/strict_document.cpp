#include "tracker/formats/strict_document.hpp"

#include <algorithm>
#include <type_traits>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;

// The rules of single names and values, for what is measured and for what is imported. Each says why
// something is not allowed; empty where it is.
std::string why_no_name(std::string_view name) {
  if (name.size() > kImportLimits.name_bytes)
    return "is a name of " + std::to_string(name.size()) + " bytes, more than " +
           std::to_string(kImportLimits.name_bytes);
  const bool has_control = std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  return has_control ? "is a name with control characters" : "";
}

constexpr std::size_t kShownBytesMax = 80;

std::string why_no_text(std::string_view key, std::string_view text) {
  if (key == "name")
    if (auto why = why_no_name(text); !why.empty()) return why;
  if (text.size() > kImportLimits.text_bytes)
    return "is a text of " + std::to_string(text.size()) + " bytes, more than " +
           std::to_string(kImportLimits.text_bytes);
  if (key == "started_at" && !text.empty() && !parse_time(text))
    return "is no point in time: " + in_quotes(text.substr(0, kShownBytesMax));
  return "";
}

// `may_be_negative`: it lies below a key that may_be_below_zero().
std::string why_no_number(double number, bool may_be_negative) {
  return number < 0 && !may_be_negative ? "is below zero" : "";
}

bool may_be_below_zero(std::string_view key) {
  return key == "counters" || key == "temperature_c_max";
}

// Where something stands in a document; in words only where something is refused.
class DocumentPlace {
 public:
  DocumentPlace() = default;
  DocumentPlace(const DocumentPlace& above, std::string_view key) : above_(&above), key_(key) {}
  DocumentPlace(const DocumentPlace& above, std::size_t index) : above_(&above), index_(index) {}

  std::string in_words() const {
    if (above_ == nullptr) return "";
    const std::string before = above_->in_words();
    if (key_.data() == nullptr) return before + "[" + std::to_string(index_) + "]";
    return before + (before.empty() ? "" : ".") + printable(key_.substr(0, kShownBytesMax));
  }

 private:
  const DocumentPlace* above_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

class Walk {
 public:
  // `then`: what follows from it, where something is refused.
  explicit Walk(const std::string& source, std::string then) : source_(source), then_(std::move(then)) {}

  // Before it is read, so that no other message is as long as the names in it.
  template <typename Json>
  void check_bounds(const Json& given) const {
    check(given, given, {}, "", false);
  }
  // Beside what the reader made of it, written again: what the reader left aside is not there. An absent
  // field is fine, as an older tracker did not write it.
  void check_known(const json& given, const json& known) const { check(given, known, {}, "", false); }

 private:
  template <typename Json>
  void check(const Json& given, const Json& known, const DocumentPlace& place, std::string_view key,
             bool may_be_negative) const {
    if (given.is_object()) {
      check_object(given, known, place, may_be_negative);
    } else if (given.is_array()) {
      if (!known.is_array() || known.size() != given.size()) refuse(place, "is not known here");
      for (std::size_t i = 0; i < given.size(); ++i)
        check(given[i], known[i], DocumentPlace(place, i), key, may_be_negative);
    } else if (given.is_string()) {
      refuse_if(place, why_no_text(key, given.template get_ref<const std::string&>()));
    } else if (given.is_number()) {
      refuse_if(place, why_no_number(given.template get<double>(), may_be_negative));
    }
  }

  template <typename Json>
  void check_object(const Json& given, const Json& known, const DocumentPlace& place,
                    bool may_be_negative) const {
    const bool is_itself = &given == &known;
    for (auto item = given.begin(); item != given.end(); ++item) {
      const std::string& key = item.key();
      const DocumentPlace below(place, key);
      refuse_if(below, why_no_name(key));
      if (!is_itself && (!known.is_object() || !known.contains(key)))
        refuse(below, "is not known: was it written by a newer tracker?");
      check(*item, is_itself ? *item : known[key], below, key, may_be_negative || may_be_below_zero(key));
    }
  }

  void refuse_if(const DocumentPlace& place, const std::string& why) const {
    if (!why.empty()) refuse(place, why);
  }

  [[noreturn]] void refuse(const DocumentPlace& place, const std::string& why) const {
    throw Error(ExitCode::kUsage, in_quotes(source_) + ": " + place.in_words() + " " + why, then_);
  }

  const std::string& source_;
  std::string then_;
};

constexpr const char* kNotImported = "nothing was imported; docs/store.md says what is taken";
constexpr const char* kNotRecorded = "nothing was recorded; docs/store.md says what is taken";

constexpr const char* kAnyName = "any";

// A document with everything that a run can have, once. In an object whose names are free, it is "any".
json whole_document() {
  Run run;
  run.interim_analyses = {1};
  run.failures = {{"", ""}};
  run.programs[kAnyName];
  Benchmark benchmark;
  benchmark.attributes = {{kAnyName, ""}};
  benchmark.counters = {{kAnyName, 0}};
  benchmark.code = Code{};
  benchmark.code->instructions = {{kAnyName, 1}};
  benchmark.code->launches.emplace_back();
  run.benchmarks = {benchmark};
  Samples samples{{1}, {1}, {1}, {{kAnyName, {1}}}};
  Invocation invocation;
  invocation.conditions.throttle_reasons = {""};
  invocation.samples = {{kAnyName, samples}};
  run.invocations = {invocation};
  run.aggregates_only = {""};
  run.same_program = SameProgramAs{"", {""}, 0};
  return json(run_to_json(run));
}

// Whether it has only fields that the whole document has.
bool has_known_fields(const json& given, const json& whole) {
  if (given.is_array()) {
    if (!whole.is_array() || whole.empty()) return false;
    return std::ranges::all_of(given,
                               [&](const json& item) { return has_known_fields(item, whole.front()); });
  }
  if (!given.is_object()) return true;
  if (!whole.is_object()) return false;
  const auto any = whole.find(kAnyName);
  for (auto item = given.begin(); item != given.end(); ++item) {
    const auto known = any != whole.end() ? any : whole.find(item.key());
    if (known == whole.end() || !has_known_fields(*item, *known)) return false;
  }
  return true;
}

void require_at_most(std::size_t count, std::size_t count_max, const char* what, const std::string& source,
                     const char* then = kNotImported) {
  if (count > count_max)
    throw Error(ExitCode::kUsage,
                in_quotes(source) + " has " + std::to_string(count) + " " + what + ", more than " +
                    std::to_string(count_max),
                then);
}

std::size_t count_samples(const Run& run) {
  std::size_t count = 0;
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples) count += samples.real_time_ns.size();
  return count;
}

// Takes out of a record what is not allowed in it. A fact that is none becomes unknown, a text is cut.
class ForbiddenParts {
 public:
  ForbiddenParts(std::string place, std::vector<std::string>& left_out)
      : place_(std::move(place)), left_out_(left_out) {}

  // What a visit of a record's fields calls (run_document.hpp).
  template <typename T>
  void operator()(const char* key, T& value) {
    mend(key, value);
  }

  // Whether a member of this name stays.
  bool keeps_name(const std::string& kind, std::string_view name) {
    return note(kind + " " + in_quotes(name.substr(0, kShownBytesMax)), why_no_name(name));
  }

 private:
  bool note(const std::string& what, const std::string& why) {
    if (why.empty()) return true;
    left_out_.push_back(place_ + what + ", which " + why);
    return false;
  }

  void mend(const char* /*key*/, bool& /*value*/) {}
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void mend(const char* key, Number& value) {
    if (!note(key, why_no_number(static_cast<double>(value), may_be_below_zero(key)))) value = Number{};
  }
  void mend(const char* key, std::string& text) {
    if (note(key, why_no_text(key, text))) return;
    const bool is_long = text.size() > kImportLimits.text_bytes;
    std::size_t end = is_long ? kImportLimits.text_bytes : 0;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // whole characters
    text.resize(end);
  }
  template <typename T>
  void mend(const char* key, std::optional<T>& value) {
    if (!value) return;
    const std::size_t before = left_out_.size();
    mend(key, *value);
    if (left_out_.size() > before && *value == T{}) value.reset();
  }
  template <typename T>
  void mend(const char* key, std::vector<T>& values) {
    for (auto& value : values) mend(key, value);
  }
  template <typename T>
  void mend(const char* key, std::map<std::string, T>& values) {
    std::erase_if(values, [&](const auto& member) { return !keeps_name(key, member.first); });
    if (may_be_below_zero(key)) return;
    for (auto& [name, value] : values) mend(key, value);
  }

  std::string place_;
  std::vector<std::string>& left_out_;
};

// What a run asks of whoever reads it.
void require_within(const Run& run, const ImportLimits& limits, const std::string& source, const char* then) {
  require_at_most(run.benchmarks.size(), limits.benchmarks, "benchmarks", source, then);
  require_at_most(run.interim_analyses.size(), limits.interim_analyses, "looks", source, then);
  require_at_most(run.benchmarks.size() * run.invocations.size(), limits.places,
                  "benchmarks times invocations", source, then);
  require_at_most(count_samples(run), limits.samples, "samples", source, then);
  // What is stored already is read all the same, so that it is not lost.
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples)
      if (std::ranges::any_of(samples.iterations, [](std::int64_t count) { return count < 1; }))
        throw Error(ExitCode::kUsage, in_quotes(source) + ": samples[" + in_quotes(name) +
                                          "]: iterations: expected counts above zero");
  std::size_t names_bytes = 0;
  for (const auto& benchmark : run.benchmarks) names_bytes += benchmark.name.size();
  if (run.same_program) {
    require_at_most(run.same_program->benchmarks.size(), limits.benchmarks, "benchmarks", source, then);
    for (const auto& name : run.same_program->benchmarks) names_bytes += name.size();
  }
  require_at_most(names_bytes, limits.names_bytes, "bytes of names", source, then);
}

void require_text_within(std::string_view text, const ImportLimits& limits, const std::string& source,
                         const char* then) {
  require_at_most(text.size(), limits.file_bytes, "bytes", source, then);
  // Every value but the first of a list or object has a comma before it.
  const auto commas = static_cast<std::size_t>(std::ranges::count(text, ','));
  require_at_most(commas, limits.values, "values", source, then);
}

// Before much is done with it.
json parse_strictly(std::string_view text, const std::string& source, const ImportLimits& limits) {
  require_text_within(text, limits, source, kNotImported);
  json given = parse_json(text, source, EqualKeys::kRefused);
  const auto count = [&](const char* list) -> std::size_t {
    if (!given.is_object()) return 0;
    const auto found = given.find(list);
    return found != given.end() && found->is_array() ? found->size() : 0;
  };
  require_at_most(count("benchmarks"), limits.benchmarks, "benchmarks", source);
  require_at_most(count("looks"), limits.interim_analyses, "looks", source);
  require_at_most(count("benchmarks") * count("invocations"), limits.places, "benchmarks times invocations",
                  source);
  Walk(source, kNotImported).check_bounds(given);
  return given;
}

void mend_benchmark(Benchmark& benchmark, BenchmarkFile& file) {
  ForbiddenParts forbidden(in_quotes(benchmark.name) + ": ", file.left_out);
  benchmark_fields(benchmark, forbidden);
  if (const auto samples = file.invocation.samples.find(benchmark.name);
      samples != file.invocation.samples.end())
    std::erase_if(samples->second.counters,
                  [&](const auto& counter) { return !forbidden.keeps_name("counter", counter.first); });
  if (!benchmark.code) return;
  code_fields(*benchmark.code, forbidden);
  for (auto& launch : benchmark.code->launches) launch_fields(launch, forbidden);
}

std::string print_strictly(const nlohmann::ordered_json& document, const std::string& source,
                           const ImportLimits& limits) {
  Walk(source, kNotRecorded).check_bounds(document);
  std::string text = print_json(document);
  require_text_within(text, limits, source, kNotRecorded);
  return text;
}

}  // namespace

void leave_out_forbidden(BenchmarkFile& file) {
  ForbiddenParts forbidden("", file.left_out);
  std::string& binary = file.invocation.binary;
  if (!forbidden.keeps_name("binary", binary)) {
    binary = printable(binary).substr(0, kShownBytesMax);
    for (auto& benchmark : file.benchmarks) benchmark.binary = binary;
  }
  if (file.device) device_fields(*file.device, forbidden);
  software_fields(file.software, forbidden);
  host_fields(file.host, forbidden);
  conditions_fields(file.invocation.conditions, forbidden);
  forbidden("started_at", file.invocation.started_at);
  const bool had_any = !file.benchmarks.empty();
  std::erase_if(file.benchmarks, [&](const Benchmark& benchmark) {
    if (forbidden.keeps_name("benchmark", benchmark.name)) return false;
    file.invocation.samples.erase(benchmark.name);
    return true;
  });
  std::erase_if(file.aggregates_only,
                [&](const std::string& name) { return !forbidden.keeps_name("benchmark", name); });
  if (had_any && file.benchmarks.empty())
    throw Error(ExitCode::kUsage, in_quotes(file.source) + ": left out is " + file.left_out.back(),
                "no other benchmark is there; docs/store.md says which names are taken");
  for (auto& benchmark : file.benchmarks) mend_benchmark(benchmark, file);
}

std::string write_profile_strictly(const Profile& profile) {
  return print_strictly(profile_to_json(profile), "profile " + profile.id, kImportLimits);
}

std::string write_run_strictly(const Run& run, const ImportLimits& limits) {
  const std::string source = "run " + run.id;
  require_within(run, limits, source, kNotRecorded);
  return print_strictly(run_to_json(run), source, limits);
}

Run read_run_strictly(std::string_view text, const std::string& source, const ImportLimits& limits) {
  const json given = parse_strictly(text, source, limits);
  Run run = run_from_json(given, source);
  // Writing it again costs as much as reading it.
  if (!has_known_fields(given, whole_document()))
    Walk(source, kNotImported).check_known(given, json(run_to_json(run)));
  require_within(run, limits, source, kNotImported);
  return run;
}

Profile read_profile_strictly(std::string_view text, const std::string& source, const ImportLimits& limits) {
  const json given = parse_strictly(text, source, limits);
  Profile profile = profile_from_json(given, source);
  Walk(source, kNotImported).check_known(given, json(profile_to_json(profile)));
  return profile;
}

}  // namespace tracker::formats
