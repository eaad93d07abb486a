#include "tracker/formats/plain_run.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "tracker/formats/plain_cursor.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
namespace {

bool take_key(Cursor& cursor, std::string_view key) {
  std::string_view text;
  return cursor.take_text(text) && text == key && cursor.take(':');
}

bool take_next_key(Cursor& cursor, std::string_view key) {
  return cursor.take(',') && take_key(cursor, key);
}

bool take_text(Cursor& cursor, std::string& text) {
  std::string_view view;
  if (!cursor.take_text(view)) return false;
  text = view;
  return true;
}

bool take_number(Cursor& cursor, double& number) {
  bool whole = false;
  cursor.skip_space();
  return cursor.take_number(number, whole);
}

bool take_null(Cursor& cursor) {
  return cursor.next() == 'n' && cursor.take_word("null");
}

// Calls `take(key)` at each value of an object; two equal keys are for the caller to see.
template <typename Take>
bool take_object(Cursor& cursor, Take take) {
  if (!cursor.take('{')) return false;
  if (cursor.take('}')) return true;
  do {
    std::string_view key;
    if (!cursor.take_text(key) || !cursor.take(':') || !take(key)) return false;
  } while (cursor.take(','));
  return cursor.take('}');
}

// The next place of a map, if the key is a new one. They are written in their order.
template <typename Map>
typename Map::mapped_type* add_to(Map& map, std::string_view key) {
  const std::size_t before = map.size();
  const auto place = map.try_emplace(map.end(), std::string(key));
  return map.size() > before ? &place->second : nullptr;
}

bool take_attributes(Cursor& cursor, Benchmark& benchmark) {
  return take_next_key(cursor, "attributes") && take_object(cursor, [&](std::string_view key) {
           std::string* value = add_to(benchmark.attributes, key);
           return value != nullptr && take_text(cursor, *value);
         });
}

bool take_counters(Cursor& cursor, Benchmark& benchmark) {
  return take_next_key(cursor, "counters") && take_object(cursor, [&](std::string_view key) {
           double* value = add_to(benchmark.counters, key);
           return value != nullptr && take_number(cursor, *value);
         });
}

bool take_work(Cursor& cursor, std::string_view key, std::optional<double>& work) {
  return take_next_key(cursor, key) && (take_null(cursor) || take_number(cursor, work.emplace()));
}

// One with its fields in the order in which they are written, and no machine code.
bool take_usual(Cursor& cursor, Benchmark& benchmark) {
  std::string base;
  if (!cursor.take('{') || !take_key(cursor, "name") || !take_text(cursor, benchmark.name) ||
      !take_next_key(cursor, "binary") || !take_text(cursor, benchmark.binary) ||
      !take_attributes(cursor, benchmark) ||
      !take_work(cursor, "bytes_per_iteration", benchmark.bytes_per_iteration) ||
      !take_work(cursor, "flops_per_iteration", benchmark.flops_per_iteration) ||
      !take_work(cursor, "items_per_iteration", benchmark.items_per_iteration) ||
      !take_counters(cursor, benchmark) || !take_next_key(cursor, "error"))
    return false;
  if (!take_null(cursor) && !take_text(cursor, benchmark.error.emplace())) return false;
  if (!take_next_key(cursor, "time_base") || !take_text(cursor, base) || !cursor.take('}')) return false;
  const auto time_base = find_time_base(base);
  if (!time_base || benchmark.name.empty()) return false;
  benchmark.time_base = *time_base;
  return true;
}

// Each list has one entry a repetition; a time is never negative, and the one that is judged above zero.
bool is_sound(const Samples& samples, TimeBase base) {
  const std::size_t repetitions = samples.real_time_ns.size();
  const bool by_cpu_time = base == TimeBase::kCpu;
  const auto all = [](const std::vector<double>& times, bool judged) {
    return std::all_of(times.begin(), times.end(),
                       [&](double time) { return judged ? time > 0 : time >= 0; });
  };
  return samples.cpu_time_ns.size() == repetitions && samples.iterations.size() == repetitions &&
         all(samples.real_time_ns, !by_cpu_time) && all(samples.cpu_time_ns, by_cpu_time) &&
         std::all_of(samples.iterations.begin(), samples.iterations.end(),
                     [](std::int64_t count) { return count >= 0; }) &&
         std::all_of(samples.counters.begin(), samples.counters.end(),
                     [&](const auto& counter) { return counter.second.size() == repetitions; });
}

bool take_samples(Cursor& cursor, Samples& samples) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  if (!cursor.take('{') || !take_key(cursor, "real_time_ns") || !cursor.take_numbers(samples.real_time_ns) ||
      !take_next_key(cursor, "cpu_time_ns") || !cursor.take_numbers(samples.cpu_time_ns) ||
      !take_next_key(cursor, "iterations") || !cursor.take_numbers(samples.iterations))
    return false;
  if (cursor.take('}')) return true;
  return take_next_key(cursor, "counters") &&
         take_object(cursor,
                     [&](std::string_view key) {
                       auto* values = add_to(samples.counters, key);
                       return values != nullptr && cursor.take_numbers(*values, std::optional(kMissing));
                     }) &&
         cursor.take('}');
}

class PlainRunReader {
 public:
  PlainRunReader(std::string_view text, const std::function<Benchmark(std::string_view)>& read_other)
      : cursor_(text), read_other_(read_other) {}

  std::optional<PlainRun> read() {
    run_.frame = "{";
    const bool fits = take_object(cursor_, [&](std::string_view key) {
      if (key == "benchmarks") return take_benchmarks();
      if (key == "invocations") return take_invocations();
      return frame_value(key);
    });
    if (!fits || !cursor_.at_end() || !has_benchmarks_ || !has_invocations_) return {};
    close('}');
    return std::move(run_);
  }

 private:
  void frame_key(std::string_view key) { run_.frame.append(1, '"').append(key).append("\":"); }

  bool frame_value(std::string_view key) {
    std::string_view value;
    if (!cursor_.take_value(value)) return false;
    frame_key(key);
    run_.frame.append(value).append(1, ',');
    return true;
  }

  // In the place of the last comma, if there is one.
  void close(char bracket) {
    if (run_.frame.back() == ',')
      run_.frame.back() = bracket;
    else
      run_.frame += bracket;
  }

  bool take_benchmarks() {
    if (has_benchmarks_ || !cursor_.take('[')) return false;
    has_benchmarks_ = true;
    frame_key("benchmarks");
    run_.frame += "[],";
    if (cursor_.take(']')) return true;
    do {
      const Cursor start = cursor_;
      Benchmark benchmark;
      if (!take_usual(cursor_, benchmark)) {
        cursor_ = start;
        std::string_view object;
        if (!cursor_.take_structure(object)) return false;
        benchmark = read_other_(object);
      }
      run_.benchmarks.push_back(std::move(benchmark));
    } while (cursor_.take(','));
    for (const auto& benchmark : run_.benchmarks)
      if (!time_bases_.try_emplace(benchmark.name, benchmark.time_base).second) return false;
    return cursor_.take(']');
  }

  bool take_invocations() {
    // Samples are held against their benchmarks, which are written before them.
    if (has_invocations_ || !has_benchmarks_ || !cursor_.take('[')) return false;
    has_invocations_ = true;
    frame_key("invocations");
    run_.frame += '[';
    if (!cursor_.take(']')) {
      do {
        if (!take_invocation()) return false;
        run_.frame += ',';
      } while (cursor_.take(','));
      if (!cursor_.take(']')) return false;
    }
    close(']');
    run_.frame += ',';
    return true;
  }

  bool take_invocation() {
    bool has_samples = false;
    run_.frame += '{';
    const bool fits = take_object(cursor_, [&](std::string_view key) {
      if (key != "samples") return frame_value(key);
      if (has_samples) return false;
      has_samples = true;
      frame_key(key);
      run_.frame += "{},";
      return take_all_samples(run_.samples.emplace_back());
    });
    close('}');
    return fits && has_samples;
  }

  bool take_all_samples(std::map<std::string, Samples>& all) {
    return take_object(cursor_, [&](std::string_view name) {
      const auto base = time_bases_.find(name);
      Samples* samples = add_to(all, name);
      return samples != nullptr && base != time_bases_.end() && take_samples(cursor_, *samples) &&
             is_sound(*samples, base->second);
    });
  }

  Cursor cursor_;
  const std::function<Benchmark(std::string_view)>& read_other_;
  PlainRun run_;
  std::unordered_map<std::string_view, TimeBase> time_bases_;  // of run_.benchmarks
  bool has_benchmarks_ = false;
  bool has_invocations_ = false;
};

}  // namespace

std::optional<PlainRun> read_plain_run(std::string_view text,
                                       const std::function<Benchmark(std::string_view)>& read_other) {
  return PlainRunReader(text, read_other).read();
}

}  // namespace tracker
