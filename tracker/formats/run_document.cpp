#include "tracker/formats/run_document.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

#include <simdjson.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/run_fields.hpp"

namespace tracker::formats {

template <>
struct JsonAccess<simdjson::dom::element> {
  using Node = simdjson::dom::element;
  static bool is_null(Node node) { return node.is_null(); }
  static bool is_object(Node node) { return node.is_object(); }
  static bool take(Node node, bool& value) { return node.get(value) == simdjson::SUCCESS; }
  static bool take(Node node, std::int64_t& value) {
    return node.is_int64() && node.get(value) == simdjson::SUCCESS;
  }
  static bool take(Node node, double& value) { return node.get(value) == simdjson::SUCCESS; }
  static bool take(Node node, std::string& value) {
    std::string_view text;
    if (node.get(text) != simdjson::SUCCESS) return false;
    value = text;
    return true;
  }
  static std::optional<Node> find(Node object, const char* name) {
    Node found;
    return object.at_key(name).get(found) == simdjson::SUCCESS ? std::optional(found) : std::nullopt;
  }
  static std::size_t size(Node node) {
    simdjson::dom::array items;
    return node.get(items) == simdjson::SUCCESS ? items.size() : 0;
  }
  template <typename Visit>
  static bool each_item(Node node, Visit&& visit) {
    simdjson::dom::array items;
    return node.get(items) == simdjson::SUCCESS && std::all_of(items.begin(), items.end(), visit);
  }
  template <typename Visit>
  static bool each_member(Node node, Visit&& visit) {
    simdjson::dom::object members;
    if (node.get(members) != simdjson::SUCCESS) return false;
    for (const auto member : members)
      if (!visit(member.key, member.value)) return false;
    return true;
  }
};

namespace {

constexpr std::size_t kCountDigitsMax = 9;

constexpr const char* kCompactEnding = "-compact";

using nlohmann::json;
using nlohmann::ordered_json;

using Writer = JsonWriter;

constexpr std::array<std::pair<TimeBase, const char*>, 4> kTimeBases{{{TimeBase::kManual, "manual"},
                                                                      {TimeBase::kReal, "real"},
                                                                      {TimeBase::kCpu, "cpu"},
                                                                      {TimeBase::kNone, "none"}}};

const char* time_base_name(TimeBase base) {
  return std::find_if(kTimeBases.begin(), kTimeBases.end(),
                      [&](const auto& row) { return row.first == base; })
      ->second;
}

ordered_json code_json(const Code& code) {
  ordered_json object;
  code_fields(code, Writer{object});
  auto& launches = object["launches"] = ordered_json::array();
  for (const auto& launch : code.launches) launch_fields(launch, Writer{launches.emplace_back()});
  return object;
}

template <typename Fields>
Code read_code(const Fields& fields) {
  Code code;
  code_fields(code, fields);
  if (fields.has("launches"))
    for (const auto& launch : fields.objects("launches")) launch_fields(code.launches.emplace_back(), launch);
  return code;
}

ordered_json benchmark_json(const Benchmark& benchmark) {
  ordered_json object;
  benchmark_fields(benchmark, Writer{object});
  for (const char* field : {"host_code", "unit", "better"})
    if (object[field] == "") object.erase(field);
  object["time_base"] = time_base_name(benchmark.time_base);
  if (benchmark.code) object["code"] = code_json(*benchmark.code);
  return object;
}

template <typename Fields>
Benchmark read_benchmark(const Fields& fields) {
  Benchmark benchmark;
  benchmark_fields(benchmark, fields);
  if (benchmark.name.empty()) fields.fail("name", "a name");
  const auto name = fields.template required<std::string>("time_base");
  const auto base =
      std::find_if(kTimeBases.begin(), kTimeBases.end(), [&](const auto& row) { return row.second == name; });
  if (base == kTimeBases.end()) fields.fail("time_base", "'manual', 'real', 'cpu' or 'none'");
  benchmark.time_base = base->first;
  if (fields.has("code")) benchmark.code = read_code(fields.object("code"));
  return benchmark;
}

ordered_json samples_json(const Samples& s) {
  ordered_json j{
      {"real_time_ns", s.real_time_ns}, {"cpu_time_ns", s.cpu_time_ns}, {"iterations", s.iterations}};
  if (s.repetitions > 0) {
    // The last time stands for the greatest, which is not known.
    for (const char* field : {"real_time_ns", "cpu_time_ns"})
      if (s.repetitions > 2) j[field].erase(j[field].size() - 1);
    j.erase("iterations");
    if (!s.iterations.empty()) j["iterations"] = s.iterations.front();
    if (s.iterations.size() > 1) j["most_iterations"] = s.iterations.back();
    j["repetitions"] = s.repetitions;
  }
  if (!s.counters.empty()) j["counters"] = s.counters;
  return j;
}

// The lists of a compacted run have the kept_times() of so many repetitions.
template <typename Fields>
void read_repetitions(const Fields& fields, Samples& s) {
  const auto count = fields.template required<std::int64_t>("repetitions");
  constexpr std::int64_t kRepetitionsMax = 1'000'000'000;
  if (count < 1 || count > kRepetitionsMax) fields.fail("repetitions", "a count above zero");
  s.repetitions = static_cast<std::size_t>(count);
  if (s.real_time_ns.size() != kept_times(s.repetitions))
    fields.fail("real_time_ns", std::to_string(kept_times(s.repetitions)) + " times for " +
                                    std::to_string(count) + " repetitions");
}

// What is wrong with samples.
struct Fault {
  std::string field;
  const char* expected;
};

// Each list has one entry a repetition; a time is never negative, and the one that is judged above zero.
// Those of a compacted run have the kept_times() of their repetitions.
std::optional<Fault> fault_in(const Samples& s, TimeBase base, bool is_compacted) {
  constexpr const char* kAsMany = "as many entries as real_time_ns has";
  const std::size_t count = s.real_time_ns.size();
  if (s.cpu_time_ns.size() != count) return Fault{"cpu_time_ns", kAsMany};
  if (!is_compacted && s.iterations.size() != count) return Fault{"iterations", kAsMany};
  for (const auto& [name, values] : s.counters)
    if (is_compacted ? values.empty() || values.size() > s.repetitions : values.size() != count)
      return Fault{"counters[" + in_quotes(name) + "]", is_compacted ? "some values" : kAsMany};
  const auto are_sound = [](const std::vector<double>& times, bool is_judged) {
    return std::all_of(times.begin(), times.end(),
                       [&](double time) { return is_judged ? time > 0 : time >= 0; });
  };
  if (!are_sound(s.real_time_ns, base != TimeBase::kCpu && base != TimeBase::kNone))
    return Fault{"real_time_ns", "times above zero"};
  if (!are_sound(s.cpu_time_ns, base == TimeBase::kCpu)) return Fault{"cpu_time_ns", "times above zero"};
  if (std::any_of(s.iterations.begin(), s.iterations.end(), [](std::int64_t n) { return n < 0; }))
    return Fault{"iterations", "counts, none below zero"};
  return {};
}

template <typename Fields>
Samples read_samples(const Fields& fields, const Benchmark& benchmark, bool is_compacted) {
  Samples s;
  s.real_time_ns = fields.template required<std::vector<double>>("real_time_ns");
  s.cpu_time_ns = fields.template required<std::vector<double>>("cpu_time_ns");
  if (is_compacted) {
    read_repetitions(fields, s);
    for (const char* field : {"iterations", "most_iterations"}) {
      std::optional<std::int64_t> count;
      fields(field, count);
      if (count) s.iterations.push_back(*count);
    }
  } else {
    s.iterations = fields.template required<std::vector<std::int64_t>>("iterations");
  }
  json_value::NumbersWithGaps counters{s.counters};
  fields("counters", counters);
  if (const auto fault = fault_in(s, benchmark.time_base, is_compacted))
    fields.fail(fault->field, fault->expected);
  if (s.repetitions > 2)
    for (auto* times : {&s.real_time_ns, &s.cpu_time_ns}) times->push_back(times->back());
  return s;
}

// Readers that do not know "selected" take whatever stands here for a part of the benchmarks.
std::string filter_of(const RunSelection& selection) {
  return selection.expression.empty() ? selection_in_words(selection) : selection.expression;
}

ordered_json invocation_json(const Invocation& i) {
  ordered_json conditions;
  conditions_fields(i.conditions, Writer{conditions});
  ordered_json samples = ordered_json::object();
  // Names are unique: looking each up would take their number squared.
  auto& by_name = samples.get_ref<ordered_json::object_t&>();
  by_name.reserve(i.samples.size());
  for (const auto& [name, list] : i.samples) by_name.emplace_back(name, samples_json(list));
  ordered_json object{{"binary", i.binary},
                      {"started_at", i.started_at},
                      {"length_s", i.length_s},
                      {"round", i.round},
                      {"left_out", exclusion_in_words(i.excluded)},
                      {"conditions", std::move(conditions)},
                      {"samples", std::move(samples)}};
  if (i.executions > 1) object["executions"] = i.executions;
  if (i.build > 0) object["build"] = i.build;
  if (!i.board.empty()) object["board"] = i.board;
  return object;
}

using ByName = std::unordered_map<std::string_view, const Benchmark*>;

template <typename Fields>
Invocation read_invocation(const Fields& fields, const ByName& benchmarks, bool is_compacted) {
  Invocation i;
  fields("binary", i.binary);
  fields("started_at", i.started_at);
  fields("length_s", i.length_s);
  fields("round", i.round);
  if (i.round < 0) fields.fail("round", "a count, not below zero");
  std::string excluded;
  fields("left_out", excluded);
  i.excluded = exclusion_of(excluded);
  fields("executions", i.executions);
  if (i.executions < 1) fields.fail("executions", "a count, not below one");
  fields("build", i.build);
  if (i.build < 0) fields.fail("build", "a number, not below zero");
  fields("board", i.board);
  if (fields.has("conditions")) conditions_fields(i.conditions, fields.object("conditions"));
  fields.each_object("samples", [&](std::string_view name, const Fields& samples) {
    const auto benchmark = benchmarks.find(name);
    if (benchmark == benchmarks.end())
      fields.fail("samples", "benchmarks of this run, and " + in_quotes(name) + " is none");
    i.samples.try_emplace(i.samples.end(), std::string(name),
                          read_samples(samples, *benchmark->second, is_compacted));
  });
  return i;
}

template <typename Fields>
SameProgramAs read_same_program(const Fields& fields) {
  SameProgramAs same;
  same_program_fields(same, fields);
  if (same.commit.empty() || !is_recorded_commit(same.commit)) fields.fail("commit", "40 hexadecimal digits");
  return same;
}

template <typename Fields>
Device device_in(const Fields& fields) {
  Device device;
  const auto kind = fields.template required<std::string>("kind");
  if (kind != "gpu" && kind != "cpu") fields.fail("kind", "'gpu' or 'cpu'");
  device.kind = kind == "gpu" ? DeviceKind::kGpu : DeviceKind::kCpu;
  device_fields(device, fields);
  if (device.model.empty()) fields.fail("model", "a name");
  return device;
}

template <typename Fields>
Software software_in(const Fields& fields) {
  Software software;
  software_fields(software, fields);
  return software;
}

template <typename Fields>
Run read_fields(const Fields& fields, const std::string& source) {
  const auto schema = fields.template required<std::string>("schema");
  const bool is_compacted = schema == kCompactRunSchema;
  if (schema != kRunSchema && !is_compacted)
    refuse_schema(in_quotes(source), schema, kRunSchema, kCompactRunSchema);
  Run run;
  if (is_compacted) {
    const Fields from = fields.object("compacted");
    run.compacted = CompactedFrom{from.template required<std::int64_t>("samples"),
                                  from.template required<std::int64_t>("bytes")};
  }
  run_fields(run, fields);
  for (const char* name : {"id", "commit", "started_at"})
    static_cast<void>(fields.template required<std::string>(name));
  if (!is_run_id(run.id)) fields.fail("id", "letters, digits and '-'");
  if (!fields.has("job")) run.job = run.id;
  if (!is_recorded_commit(run.commit)) fields.fail("commit", "40 hexadecimal digits, or none");
  if (!settle_selection(run.selection)) fields.fail("selected", "a count, not below zero");
  for (std::size_t i = 0; i < run.interim_analyses.size(); ++i)
    if (run.interim_analyses[i] <= (i == 0 ? 0 : run.interim_analyses[i - 1]))
      fields.fail("looks", "rounds, each more than before");
  run.device = device_in(fields.object("device"));
  if (fields.has("software")) run.software = software_in(fields.object("software"));
  if (fields.has("binary_software"))
    for (const auto& [binary, software] : fields.named_objects("binary_software"))
      run.binary_software[binary] = software_in(software);
  if (fields.has("programs"))
    for (const auto& [binary, program] : fields.named_objects("programs"))
      program_fields(run.programs[binary], program);
  if (fields.has("host")) host_fields(run.host, fields.object("host"));
  for (const auto& benchmark : fields.objects("benchmarks"))
    run.benchmarks.push_back(read_benchmark(benchmark));
  ByName by_name;
  for (const auto& benchmark : run.benchmarks)
    if (!by_name.emplace(benchmark.name, &benchmark).second)
      fields.fail("benchmarks", "names, each once, and " + in_quotes(benchmark.name) + " stands twice");
  for (const auto& invocation : fields.objects("invocations"))
    run.invocations.push_back(read_invocation(invocation, by_name, is_compacted));
  if (fields.has("same_program")) run.same_program = read_same_program(fields.object("same_program"));
  if (fields.has("failures"))
    for (const auto& failure : fields.objects("failures"))
      run.failures.push_back(
          {failure.template required<std::string>("binary"), failure.template required<std::string>("what")});
  index_benchmarks(run);
  return run;
}

// Documents are parsed by simdjson, which takes a fifth of the time: what it does not take as well is left to
// the other library, which decides what is wrong with it.

using Element = simdjson::dom::element;

using Keys = std::vector<std::string_view>;

constexpr std::ptrdiff_t kFewKeys = 16;

// Two equal keys in one object somewhere. `keys`: those of the objects around it.
bool has_equal_keys(Element value, Keys& keys) {
  simdjson::dom::array items;
  if (value.get(items) == simdjson::SUCCESS) {
    const auto is_scalar = [](Element item) { return !item.is_object() && !item.is_array(); };
    return std::any_of(items.begin(), items.end(),
                       [&](Element item) { return !is_scalar(item) && has_equal_keys(item, keys); });
  }
  simdjson::dom::object members;
  if (value.get(members) != simdjson::SUCCESS) return false;
  const auto around = static_cast<std::ptrdiff_t>(keys.size());
  for (const auto member : members) {
    if (has_equal_keys(member.value, keys)) return true;
    keys.push_back(member.key);
  }
  const auto begin = keys.begin() + around;
  bool has_equal = false;
  if (keys.end() - begin <= kFewKeys) {  // lengths differ mostly: quicker than putting them in order
    for (auto key = begin; key != keys.end(); ++key)
      has_equal = has_equal || std::find(begin, key, *key) != key;
  } else {
    if (!std::is_sorted(begin, keys.end())) std::sort(begin, keys.end());
    has_equal = std::adjacent_find(begin, keys.end()) != keys.end();
  }
  keys.erase(begin, keys.end());
  return has_equal;
}

// Kept from document to document, as making them costs as much as reading.
struct ParserMemory {
  simdjson::dom::parser parser;
  std::string padded;
};

}  // namespace

ordered_json run_to_json(const Run& run) {
  ordered_json benchmarks = ordered_json::array();
  for (const auto& benchmark : run.benchmarks) benchmarks.push_back(benchmark_json(benchmark));
  ordered_json invocations = ordered_json::array();
  for (const auto& invocation : run.invocations) invocations.push_back(invocation_json(invocation));
  ordered_json failures = ordered_json::array();
  for (const auto& failure : run.failures)
    failures.push_back({{"binary", failure.binary}, {"what", failure.what}});
  ordered_json host;
  host_fields(run.host, Writer{host});
  ordered_json document{{"schema", run.compacted ? kCompactRunSchema : kRunSchema},
                        {"id", run.id},
                        {"job", run.job},
                        {"commit", run.commit},
                        {"dirty", run.dirty},
                        {"filter", filter_of(run.selection)},
                        {"isolated", run.isolated},
                        {"looks", run.interim_analyses},
                        {"started_at", run.started_at},
                        {"length_s", run.length_s},
                        {"device", device_json(run.device)},
                        {"software", software_json(run.software)},
                        {"host", host},
                        {"benchmarks", std::move(benchmarks)},
                        {"invocations", std::move(invocations)},
                        {"failures", std::move(failures)}};
  for (const auto& [binary, software] : run.binary_software)
    document["binary_software"][binary] = software_json(software);
  for (const auto& [binary, program] : run.programs)
    program_fields(program, Writer{document["programs"][binary]});
  if (!run.aggregates_only.empty()) document["aggregates_only"] = run.aggregates_only;
  if (run.selection.named > 0) document["selected"] = run.selection.named;
  if (run.sentinel) document["sentinel"] = true;
  if (run.same_program) same_program_fields(*run.same_program, Writer{document["same_program"]});
  if (run.compacted)
    document["compacted"] = {{"samples", run.compacted->samples}, {"bytes", run.compacted->bytes}};
  return document;
}

std::string document_id(const Run& run) {
  return run.compacted ? run.id + kCompactEnding : run.id;
}

std::vector<std::string> document_ids_beside(const std::string& id) {
  const std::string whole =
      id.ends_with(kCompactEnding) ? id.substr(0, id.size() - std::strlen(kCompactEnding)) : id;
  std::vector<std::string> ids = {whole, whole + kCompactEnding};
  std::erase_if(ids, [](const std::string& one) { return !is_run_id(one); });
  return ids;
}

bool settle_selection(RunSelection& selection) {
  auto& [expression, named] = selection;
  if (named < 0) return false;
  const std::size_t digits = expression.find_first_not_of("0123456789");
  if (digits == 0 || digits > kCountDigitsMax ||
      !expression.substr(std::min(digits, expression.size())).starts_with(" benchmark"))
    return true;
  named = std::stoi(expression);
  expression.clear();
  return true;
}

bool is_recorded_commit(const std::string& text) {
  return text.empty() ||
         (text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos);
}

std::string write_run(const Run& run) {
  return print_json(run_to_json(run));
}

Run run_from_json(const json& document, const std::string& source) {
  return read_fields(JsonFields(document, in_quotes(source)), source);
}

Run read_run(std::string_view text, const std::string& source) {
  thread_local ParserMemory kept;
  constexpr std::size_t kKeptBytesMax = std::size_t{8} << 20U;
  constexpr std::size_t kDepthMax = 64;  // deeper ones are left to the other parser, which refuses some
  ParserMemory once;
  ParserMemory& memory = text.size() > kKeptBytesMax ? once : kept;
  memory.padded.assign(text).append(simdjson::SIMDJSON_PADDING, '\0');
  const bool has_room = memory.parser.capacity() >= text.size() && memory.parser.max_depth() == kDepthMax;
  Element document;
  const bool is_parsed =
      (has_room || memory.parser.allocate(text.size(), kDepthMax) == simdjson::SUCCESS) &&
      memory.parser.parse(memory.padded.data(), text.size(), false).get(document) == simdjson::SUCCESS;
  Keys keys;
  if (!is_parsed || has_equal_keys(document, keys)) return run_from_json(parse_json(text, source), source);
  return read_fields(NodeFields<Element>(document, in_quotes(source)), source);
}

using nlohmann::ordered_json;

ordered_json device_json(const Device& device) {
  ordered_json object{{"kind", device.kind == DeviceKind::kGpu ? "gpu" : "cpu"}};
  device_fields(device, JsonWriter{object});
  return object;
}

Device read_device(const JsonFields& fields) {
  return device_in(fields);
}

ordered_json software_json(const Software& software) {
  ordered_json object;
  software_fields(software, JsonWriter{object});
  if (!software.build) object.erase("build");
  return object;
}

Software read_software(const JsonFields& fields) {
  return software_in(fields);
}

std::string write_tombstone(const std::string& reason, const std::string& dropped_at) {
  const nlohmann::ordered_json document{
      {"schema", "tracker.dropped/1"}, {"reason", reason}, {"dropped_at", dropped_at}};
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string reason_of_tombstone(std::string_view text) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("reason") || !document["reason"].is_string()) return {};
  return document["reason"].get<std::string>();
}

}  // namespace tracker::formats
