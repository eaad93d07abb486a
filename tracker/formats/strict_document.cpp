#include "tracker/formats/strict_document.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/profile_document.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
namespace {

using nlohmann::json;

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
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

  static constexpr std::size_t kShownBytesMax = 80;

 private:
  const DocumentPlace* above_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

class Walk {
 public:
  explicit Walk(const std::string& source) : source_(source) {}

  // Before it is read, so that no other message is as long as the names in it.
  void check_bounds(const json& given) const { check(given, given, {}, "", false); }
  // Beside what the reader made of it, written again: what the reader left aside is not there. An absent
  // field is fine, as an older tracker did not write it.
  void check_known(const json& given, const json& known) const { check(given, known, {}, "", false); }

 private:
  void check(const json& given, const json& known, const DocumentPlace& place, std::string_view key,
             bool may_be_negative) const {
    if (given.is_object()) {
      check_object(given, known, place, may_be_negative);
    } else if (given.is_array()) {
      if (!known.is_array() || known.size() != given.size()) refuse(place, "is not known here");
      for (std::size_t i = 0; i < given.size(); ++i)
        check(given[i], known[i], DocumentPlace(place, i), key, may_be_negative);
    } else if (given.is_string()) {
      check_text(given.get_ref<const std::string&>(), place, key);
    } else if (given.is_number() && !may_be_negative && given.get<double>() < 0) {
      refuse(place, "is below zero");
    }
  }

  void check_object(const json& given, const json& known, const DocumentPlace& place,
                    bool may_be_negative) const {
    const bool is_itself = &given == &known;
    for (auto item = given.begin(); item != given.end(); ++item) {
      const std::string& key = item.key();
      const DocumentPlace below(place, key);
      check_name(key, below);
      if (!is_itself && (!known.is_object() || !known.contains(key)))
        refuse(below, "is not known: was it written by a newer tracker?");
      check(*item, is_itself ? *item : known[key], below, key,
            may_be_negative || key == "counters" || key == "temperature_c_max");
    }
  }

  void check_name(const std::string& name, const DocumentPlace& place) const {
    if (name.size() > kImportLimits.name_bytes)
      refuse(place, "is a name of " + std::to_string(name.size()) + " bytes, more than " +
                        std::to_string(kImportLimits.name_bytes));
    if (has_control(name)) refuse(place, "is a name with control characters");
  }

  void check_text(const std::string& text, const DocumentPlace& place, std::string_view key) const {
    if (key == "name") check_name(text, place);
    if (text.size() > kImportLimits.text_bytes)
      refuse(place, "is a text of " + std::to_string(text.size()) + " bytes, more than " +
                        std::to_string(kImportLimits.text_bytes));
    if (key == "started_at" && !text.empty() && !parse_time(text))
      refuse(place,
             "is no point in time: '" + printable(text.substr(0, DocumentPlace::kShownBytesMax)) + "'");
  }

  [[noreturn]] void refuse(const DocumentPlace& place, const std::string& why) const {
    throw Error(ExitCode::kUsage, "'" + printable(source_) + "': " + place.in_words() + " " + why,
                "nothing was imported; docs/store.md says what is taken");
  }

  const std::string& source_;
};

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
    return std::all_of(given.begin(), given.end(),
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

void require_at_most(std::size_t count, std::size_t count_max, const char* what, const std::string& source) {
  if (count > count_max)
    throw Error(ExitCode::kUsage,
                "'" + printable(source) + "' has " + std::to_string(count) + " " + what + ", more than " +
                    std::to_string(count_max),
                "nothing was imported; docs/store.md says what is taken");
}

std::size_t count_samples(const Run& run) {
  std::size_t count = 0;
  for (const auto& invocation : run.invocations)
    for (const auto& [name, samples] : invocation.samples) count += samples.real_time_ns.size();
  return count;
}

// Before much is done with it.
json parse_strictly(std::string_view text, const std::string& source, const ImportLimits& limits) {
  require_at_most(text.size(), limits.file_bytes, "bytes", source);
  // Every value but the first of a list or object has a comma before it.
  const auto commas = static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
  require_at_most(commas, limits.values, "values", source);
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
  Walk(source).check_bounds(given);
  return given;
}

}  // namespace

Run read_run_strictly(std::string_view text, const std::string& source, const ImportLimits& limits) {
  const json given = parse_strictly(text, source, limits);
  Run run = run_from_json(given, source);
  // Writing it again costs as much as reading it.
  if (!has_known_fields(given, whole_document())) Walk(source).check_known(given, json(run_to_json(run)));
  require_at_most(count_samples(run), limits.samples, "samples", source);
  std::size_t names_bytes = 0;
  for (const auto& benchmark : run.benchmarks) names_bytes += benchmark.name.size();
  if (run.same_program) {
    require_at_most(run.same_program->benchmarks.size(), limits.benchmarks, "benchmarks", source);
    for (const auto& name : run.same_program->benchmarks) names_bytes += name.size();
  }
  require_at_most(names_bytes, limits.names_bytes, "bytes of names", source);
  return run;
}

Profile read_profile_strictly(std::string_view text, const std::string& source, const ImportLimits& limits) {
  const json given = parse_strictly(text, source, limits);
  Profile profile = profile_from_json(given, source);
  Walk(source).check_known(given, json(profile_to_json(profile)));
  return profile;
}

}  // namespace tracker
