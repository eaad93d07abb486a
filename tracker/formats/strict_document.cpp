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

class Walk {
 public:
  explicit Walk(const std::string& source) : source_(source) {}

  // Before it is read, so that no other message is as long as the names in it.
  void check_bounds(const json& given) const { check(given, given, "", "", false); }
  // Beside what the reader made of it, written again: what the reader left aside is not there. An absent
  // field is fine, as an older tracker did not write it.
  void check_known(const json& given, const json& known) const { check(given, known, "", "", false); }

 private:
  void check(const json& given, const json& known, const std::string& place, std::string_view key,
             bool may_be_negative) const {
    if (given.is_object()) {
      check_object(given, known, place, may_be_negative);
    } else if (given.is_array()) {
      if (!known.is_array() || known.size() != given.size()) refuse(place, "is not known here");
      for (std::size_t i = 0; i < given.size(); ++i)
        check(given[i], known[i], place + "[" + std::to_string(i) + "]", key, may_be_negative);
    } else if (given.is_string()) {
      check_text(given.get_ref<const std::string&>(), place, key);
    } else if (given.is_number() && !may_be_negative && given.get<double>() < 0) {
      refuse(place, "is below zero");
    }
  }

  void check_object(const json& given, const json& known, const std::string& place,
                    bool may_be_negative) const {
    for (const auto& [key, value] : given.items()) {
      const std::string below = place + (place.empty() ? "" : ".") + printable(key.substr(0, kShownBytesMax));
      check_name(key, below);
      if (!known.is_object() || !known.contains(key))
        refuse(below, "is not known: was it written by a newer tracker?");
      check(value, known[key], below, key,
            may_be_negative || key == "counters" || key == "temperature_c_max");
    }
  }

  void check_name(const std::string& name, const std::string& place) const {
    if (name.size() > kImportLimits.name_bytes)
      refuse(place, "is a name of " + std::to_string(name.size()) + " bytes, more than " +
                        std::to_string(kImportLimits.name_bytes));
    if (has_control(name)) refuse(place, "is a name with control characters");
  }

  void check_text(const std::string& text, const std::string& place, std::string_view key) const {
    if (key == "name") check_name(text, place);
    if (text.size() > kImportLimits.text_bytes)
      refuse(place, "is a text of " + std::to_string(text.size()) + " bytes, more than " +
                        std::to_string(kImportLimits.text_bytes));
    if (key == "started_at" && !text.empty() && !parse_time(text))
      refuse(place, "is no point in time: '" + printable(text.substr(0, kShownBytesMax)) + "'");
  }

  [[noreturn]] void refuse(const std::string& place, const std::string& why) const {
    throw Error(ExitCode::kUsage, "'" + printable(source_) + "': " + place + " " + why,
                "nothing was imported; docs/store.md says what is taken");
  }

  static constexpr std::size_t kShownBytesMax = 80;
  const std::string& source_;
};

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

}  // namespace

Run read_run_strictly(std::string_view text, const std::string& source) {
  require_at_most(text.size(), kImportLimits.file_bytes, "bytes", source);
  const json given = parse_json(text, source, EqualKeys::kRefused);
  Walk(source).check_bounds(given);
  Run run = run_from_json(given, source);
  Walk(source).check_known(given, json(run_to_json(run)));
  require_at_most(run.benchmarks.size(), kImportLimits.benchmarks, "benchmarks", source);
  require_at_most(count_samples(run), kImportLimits.samples, "samples", source);
  return run;
}

Profile read_profile_strictly(std::string_view text, const std::string& source) {
  require_at_most(text.size(), kImportLimits.file_bytes, "bytes", source);
  const json given = parse_json(text, source, EqualKeys::kRefused);
  Walk(source).check_bounds(given);
  Profile profile = profile_from_json(given, source);
  Walk(source).check_known(given, json(profile_to_json(profile)));
  require_at_most(profile.benchmarks.size(), kImportLimits.benchmarks, "benchmarks", source);
  return profile;
}

}  // namespace tracker
