#include "tracker/formats/profile_document.hpp"

#include <set>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/environment_json.hpp"
#include "tracker/formats/json_fields.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker {
namespace {

using nlohmann::ordered_json;

constexpr const char* kProfileSchema = "tracker.profile/1";

// Each record's fields stand once; reading and writing both walk them.
template <typename Record, typename Visit>
void profile_fields(Record& p, Visit&& visit) {
  visit("id", p.id);
  visit("commit", p.commit);
  visit("dirty", p.dirty);
  visit("started_at", p.started_at);
  visit("profiler", p.profiler);
}

template <typename Record, typename Visit>
void profiled_benchmark_fields(Record& b, Visit&& visit) {
  visit("name", b.name);
  visit("kernel", b.kernel);
  visit("launches", b.launches);
  visit("counters", b.counters);
}

ProfiledBenchmark read_profiled_benchmark(const JsonFields& fields) {
  ProfiledBenchmark benchmark;
  profiled_benchmark_fields(benchmark, fields);
  if (benchmark.name.empty()) fields.fail("name", "a name");
  if (benchmark.kernel.empty()) fields.fail("kernel", "a name");
  if (benchmark.launches < 1) fields.fail("launches", "a count above zero");
  return benchmark;
}

void require_commit(const JsonFields& fields, const std::string& commit) {
  if (commit.size() != 40 || commit.find_first_not_of("0123456789abcdef") != std::string::npos)
    fields.fail("commit", "40 hexadecimal digits");
}

}  // namespace

ordered_json profile_to_json(const Profile& profile) {
  ordered_json document{{"schema", kProfileSchema}};
  profile_fields(profile, JsonWriter{document});
  document["device"] = device_json(profile.device);
  document["software"] = software_json(profile.software);
  auto& benchmarks = document["benchmarks"] = ordered_json::array();
  for (const auto& benchmark : profile.benchmarks)
    profiled_benchmark_fields(benchmark, JsonWriter{benchmarks.emplace_back()});
  return document;
}

Profile profile_from_json(const nlohmann::json& document, const std::string& source) {
  const std::string name = "'" + printable(source) + "'";
  const JsonFields fields(document, name);
  std::string schema;
  fields("schema", schema);
  if (schema != kProfileSchema) refuse_schema(name, schema, kProfileSchema, kProfileSchema);
  Profile profile;
  profile_fields(profile, fields);
  if (!is_run_id(profile.id)) fields.fail("id", "letters, digits and '-'");
  require_commit(fields, profile.commit);
  profile.device = read_device(fields.object("device"));
  if (fields.has("software")) profile.software = read_software(fields.object("software"));
  std::set<std::string> names;
  for (const auto& benchmark : fields.objects("benchmarks")) {
    profile.benchmarks.push_back(read_profiled_benchmark(benchmark));
    if (!names.insert(profile.benchmarks.back().name).second)
      fields.fail("benchmarks",
                  "names, each once, and '" + printable(profile.benchmarks.back().name) + "' stands twice");
  }
  return profile;
}

std::string write_profile(const Profile& profile) {
  return print_json(profile_to_json(profile));
}

Profile read_profile(std::string_view text, const std::string& source) {
  return profile_from_json(parse_json(text, source), source);
}

}  // namespace tracker
