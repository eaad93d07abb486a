#include <cmath>
#include <limits>
#include <unordered_map>

#include <simdjson.h>

#include "tracker/base/time.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/run_fields.hpp"

namespace tracker {
namespace {

using JsonValue = simdjson::ondemand::value;
using JsonObject = simdjson::ondemand::object;

// Thrown at what the general reader has to decide about.
struct Unusual {};

void expect(bool holds) {
  if (!holds) throw Unusual();
}

void take(JsonValue value, bool& result) {
  result = value.get_bool();
}

void take(JsonValue value, std::int64_t& result) {
  result = value.get_int64();
}

void take(JsonValue value, int& result) {
  const std::int64_t wide = value.get_int64();
  expect(wide >= std::numeric_limits<int>::min() && wide <= std::numeric_limits<int>::max());
  result = static_cast<int>(wide);
}

void take(JsonValue value, double& result) {
  result = value.get_double();
  expect(std::isfinite(result) && (result != 0 || !std::signbit(result)));  // the whole number -0 is 0
}

void take(JsonValue value, std::string& result) {
  result = std::string_view(value.get_string());
}

void take(JsonValue value, Exclusion& result) {
  result = exclusion_of(std::string(std::string_view(value.get_string())));
}

template <typename T>
void take(JsonValue value, std::optional<T>& result) {
  if (value.is_null())
    result.reset();
  else
    take(value, result.emplace());
}

template <typename T>
void take(JsonValue value, std::vector<T>& result) {
  result.clear();
  for (auto item : value.get_array()) take(item.value(), result.emplace_back());
}

// The next place of a map, whose key must be a new one. They are written in their order.
template <typename Map>
typename Map::mapped_type& add_to(Map& map, std::string_view key) {
  const std::size_t before = map.size();
  const auto place = map.try_emplace(map.end(), std::string(key));
  expect(map.size() > before);
  return place->second;
}

template <typename T>
void take(JsonValue value, std::map<std::string, T>& result) {
  result.clear();
  for (auto field : value.get_object()) {
    T& place = add_to(result, field.unescaped_key());
    take(field.value(), place);
  }
}

// Which fields of a record were there; none may be twice.
class SeenFields {
 public:
  void add(int place) {
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(place);
    expect((seen_ & bit) == 0);
    seen_ |= bit;
  }
  bool has_all(int count) const { return seen_ == (std::uint64_t{1} << static_cast<unsigned>(count)) - 1; }

 private:
  std::uint64_t seen_ = 0;
};

// Takes a field that is in the record's list; false where it is not. Counts how many are in the list.
template <typename Record, typename Fields>
bool take_listed(std::string_view key, JsonValue value, Record& record, Fields fields, SeenFields& seen) {
  int place = 0;
  bool found = false;
  fields(record, [&](std::string_view name, auto& member) {
    if (!found && name == key) {
      found = true;
      seen.add(place);
      take(value, member);
    }
    ++place;
  });
  return found;
}

// Takes an object: what is in the list by the list, all else by `take_other(key, value, seen)`, whose places
// in `seen` begin at kOther.
constexpr int kOther = 32;
template <typename Record, typename Fields, typename TakeOther>
void take_record(JsonObject object, Record& record, Fields fields, TakeOther take_other) {
  SeenFields seen;
  for (auto field : object) {
    const std::string_view key = field.unescaped_key();
    JsonValue value = field.value();
    if (!take_listed(key, value, record, fields, seen)) take_other(key, value, seen);
  }
}

template <typename Record, typename Fields>
void take_record(JsonObject object, Record& record, Fields fields) {
  take_record(object, record, fields, [](std::string_view, JsonValue, SeenFields&) { throw Unusual(); });
}

// The lists as objects that can be handed on.
#define TRACKER_FIELDS(list) [](auto& record, auto&& visit) { list(record, visit); }

Code take_code(JsonObject object) {
  Code code;
  take_record(object, code, TRACKER_FIELDS(code_fields),
              [&](std::string_view key, JsonValue value, SeenFields& seen) {
                expect(key == "launches");
                seen.add(kOther);
                for (auto launch : value.get_array())
                  take_record(launch.get_object(), code.launches.emplace_back(),
                              TRACKER_FIELDS(launch_fields));
              });
  return code;
}

Benchmark take_benchmark(JsonObject object) {
  Benchmark benchmark;
  bool has_base = false;
  take_record(object, benchmark, TRACKER_FIELDS(benchmark_fields),
              [&](std::string_view key, JsonValue value, SeenFields& seen) {
                if (key == "code") {
                  seen.add(kOther);
                  benchmark.code = take_code(value.get_object());
                  return;
                }
                expect(key == "time_base");
                seen.add(kOther + 1);
                const auto base = find_time_base(value.get_string());
                expect(base.has_value());
                benchmark.time_base = *base;
                has_base = true;
              });
  expect(has_base && !benchmark.name.empty());
  return benchmark;
}

// A repetition without the counter is null.
void take_counter(JsonValue value, std::vector<double>& values) {
  for (auto item : value.get_array()) {
    JsonValue number = item.value();
    if (number.is_null())
      values.push_back(std::numeric_limits<double>::quiet_NaN());
    else
      take(number, values.emplace_back());
  }
}

void take_samples(JsonObject object, Samples& samples) {
  SeenFields seen;
  for (auto field : object) {
    const std::string_view key = field.unescaped_key();
    JsonValue value = field.value();
    if (key == "real_time_ns") {
      seen.add(0);
      take(value, samples.real_time_ns);
    } else if (key == "cpu_time_ns") {
      seen.add(1);
      take(value, samples.cpu_time_ns);
    } else if (key == "iterations") {
      seen.add(2);
      take(value, samples.iterations);
    } else {
      expect(key == "counters");
      seen.add(kOther);
      for (auto counter : value.get_object()) {
        auto& values = add_to(samples.counters, counter.unescaped_key());
        take_counter(counter.value(), values);
      }
    }
  }
}

using TimeBases = std::unordered_map<std::string_view, TimeBase>;

void take_all_samples(JsonObject object, const TimeBases& benchmarks, Invocation& invocation) {
  for (auto field : object) {
    const std::string_view name = field.unescaped_key();
    const auto base = benchmarks.find(name);
    expect(base != benchmarks.end());
    Samples& samples = add_to(invocation.samples, name);
    take_samples(field.value().get_object(), samples);
    expect(!samples.real_time_ns.empty() && is_sound(samples, base->second));
  }
}

Invocation take_invocation(JsonObject object, const TimeBases& benchmarks) {
  Invocation invocation;
  bool has_samples = false;
  take_record(object, invocation, TRACKER_FIELDS(invocation_fields),
              [&](std::string_view key, JsonValue value, SeenFields& seen) {
                if (key == "conditions") {
                  seen.add(kOther);
                  take_record(value.get_object(), invocation.conditions, TRACKER_FIELDS(conditions_fields));
                  return;
                }
                expect(key == "samples");
                seen.add(kOther + 1);
                has_samples = true;
                take_all_samples(value.get_object(), benchmarks, invocation);
              });
  expect(has_samples && invocation.round >= 0 && invocation.executions >= 1 && invocation.build >= 0);
  return invocation;
}

Device take_device(JsonObject object) {
  Device device;
  bool has_kind = false;
  take_record(object, device, TRACKER_FIELDS(device_fields),
              [&](std::string_view key, JsonValue value, SeenFields& seen) {
                expect(key == "kind");
                seen.add(kOther);
                const std::string_view kind = value.get_string();
                expect(kind == "gpu" || kind == "cpu");
                device.kind = kind == "gpu" ? DeviceKind::kGpu : DeviceKind::kCpu;
                has_kind = true;
              });
  expect(has_kind && !device.model.empty());
  return device;
}

class RunTaker {
 public:
  Run take_run(JsonObject object) {
    constexpr char kNotStated[] = "?";  // a commit may be empty, but must be there
    run_.commit = kNotStated;
    take_record(
        object, run_, TRACKER_FIELDS(run_fields),
        [&](std::string_view key, JsonValue value, SeenFields& seen) { take_part(key, value, seen); });
    // Whoever wrote all of these left out none of what must be there.
    constexpr unsigned kRequired = 0b11111;
    expect((parts_ & kRequired) == kRequired);
    expect(is_run_id(run_.id) && is_recorded_commit(run_.commit) && !run_.job.empty() &&
           !run_.started_at.empty());
    expect(settle_selection(run_.selection));
    for (std::size_t i = 0; i < run_.interim_analyses.size(); ++i)
      expect(run_.interim_analyses[i] > (i == 0 ? 0 : run_.interim_analyses[i - 1]));
    index_benchmarks(run_);
    return std::move(run_);
  }

 private:
  void take_part(std::string_view key, JsonValue value, SeenFields& seen) {
    const auto part = [&](int place) {
      seen.add(kOther + place);
      parts_ |= 1U << static_cast<unsigned>(place);
    };
    if (key == "schema") {
      part(0);
      expect(std::string_view(value.get_string()) == kRunSchema);
    } else if (key == "device") {
      part(1);
      run_.device = take_device(value.get_object());
    } else if (key == "benchmarks") {
      part(2);
      take_benchmarks(value);
    } else if (key == "invocations") {
      expect((parts_ & (1U << 2U)) != 0);  // samples are compared with their benchmarks
      part(3);
      for (auto item : value.get_array())
        run_.invocations.push_back(take_invocation(item.get_object(), time_bases_));
    } else if (key == "host") {
      part(4);
      take_record(value.get_object(), run_.host, TRACKER_FIELDS(host_fields));
    } else if (key == "software") {
      part(5);
      take_record(value.get_object(), run_.software, TRACKER_FIELDS(software_fields));
    } else if (key == "failures") {
      part(6);
      for (auto item : value.get_array()) take_failure(item.get_object());
    } else if (key == "binary_software") {
      part(8);
      for (auto field : value.get_object()) {
        Software& software = add_to(run_.binary_software, field.unescaped_key());
        take_record(field.value().get_object(), software, TRACKER_FIELDS(software_fields));
      }
    } else if (key == "programs") {
      part(9);
      for (auto field : value.get_object())
        take_record(field.value().get_object(), add_to(run_.programs, field.unescaped_key()),
                    TRACKER_FIELDS(program_fields));
    } else {
      expect(key == "same_program");
      part(7);
      take_record(value.get_object(), run_.same_program.emplace(), TRACKER_FIELDS(same_program_fields));
      expect(!run_.same_program->commit.empty() && is_recorded_commit(run_.same_program->commit));
    }
  }

  void take_benchmarks(JsonValue value) {
    for (auto item : value.get_array()) run_.benchmarks.push_back(take_benchmark(item.get_object()));
    for (const auto& benchmark : run_.benchmarks)
      expect(time_bases_.try_emplace(benchmark.name, benchmark.time_base).second);
  }

  void take_failure(JsonObject object) {
    auto& failure = run_.failures.emplace_back();
    take_record(object, failure, TRACKER_FIELDS(failure_fields));
    expect(!failure.binary.empty() && !failure.what.empty());
  }

  Run run_;
  TimeBases time_bases_;  // of run_.benchmarks
  unsigned parts_ = 0;
};

#undef TRACKER_FIELDS

// Kept from document to document, as making them costs as much as reading.
struct Workplace {
  simdjson::ondemand::parser parser;
  std::string padded;
};

}  // namespace

std::optional<Run> read_run_fast(std::string_view text) {
  thread_local Workplace kept;
  constexpr std::size_t kKeptBytesMax = std::size_t{8} << 20U;
  Workplace once;
  Workplace& place = text.size() > kKeptBytesMax ? once : kept;
  try {
    place.padded.assign(text);
    place.padded.append(simdjson::SIMDJSON_PADDING, '\0');
    auto document = place.parser.iterate(
        simdjson::padded_string_view(place.padded.data(), text.size(), place.padded.size()));
    Run run = RunTaker().take_run(document.get_object());
    const char* rest = nullptr;
    if (document.current_location().get(rest) != simdjson::OUT_OF_BOUNDS) return {};  // there is more
    return run;
  } catch (const simdjson::simdjson_error&) {
    return {};
  } catch (const Unusual&) {
    return {};
  }
}

}  // namespace tracker
