#include "tracker/formats/agent_calls.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kProtocol = "2025-06-18";
constexpr const char* kProtocols[] = {"2024-11-05", "2025-03-26", kProtocol};
// JSON-RPC 2.0, section 5.1.
constexpr int kNoJson = -32700;
constexpr int kNoRequest = -32600;
constexpr int kNoMethod = -32601;
constexpr int kWrongParameters = -32602;
constexpr std::size_t kValueBytesMax = 1000;

struct Refusal {
  int code;
  std::string message;
};

std::string line_of(const ordered_json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string error_line(const json& id, const Refusal& refusal) {
  return line_of(
      {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", refusal.code}, {"message", refusal.message}}}});
}

ordered_json schema_of(const AgentTool& tool) {
  ordered_json properties = ordered_json::object();
  ordered_json required = ordered_json::array();
  for (const auto& parameter : tool.parameters) {
    ordered_json schema{{"type", parameter.many ? "array" : "string"},
                        {"description", parameter.description}};
    if (parameter.many) schema["items"] = {{"type", "string"}};
    properties[parameter.name] = std::move(schema);
    if (parameter.required) required.push_back(parameter.name);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

ordered_json listed_tools() {
  ordered_json tools = ordered_json::array();
  for (const auto& tool : agent_tools())
    tools.push_back({{"name", tool.name},
                     {"description", tool.description},
                     {"inputSchema", schema_of(tool)},
                     {"annotations", {{"readOnlyHint", true}}}});
  return {{"tools", std::move(tools)}};
}

// No value may be an option, and none is empty.
std::string value_of(const json& value, const std::string& name) {
  if (!value.is_string()) throw Refusal{kWrongParameters, "'" + name + "' is not text"};
  auto text = value.get<std::string>();
  const bool plain = !text.empty() && text.size() <= kValueBytesMax && text.front() != '-' &&
                     text.find('\0') == std::string::npos;
  if (!plain) throw Refusal{kWrongParameters, "'" + name + "' is empty, too long, or begins with '-'"};
  return text;
}

std::vector<std::string> words_of(const AgentTool& tool, const json& arguments) {
  for (const auto& [name, value] : arguments.items())
    if (std::ranges::none_of(tool.parameters,
                             [&, key = name](const AgentParameter& known) { return key == known.name; }))
      throw Refusal{kWrongParameters, in_quotes(name) + " is no argument of '" + tool.name + "'"};
  std::vector<std::string> words = tool.command;
  std::vector<std::string> placed;
  std::vector<std::string> skipped;  // what stands in for those by their place that were left out
  for (const auto& parameter : tool.parameters) {
    const bool by_place = *parameter.option == '\0';
    if (!arguments.contains(parameter.name)) {
      if (parameter.required)
        throw Refusal{kWrongParameters, std::string("'") + parameter.name + "' is missing"};
      if (by_place && *parameter.otherwise != '\0') skipped.emplace_back(parameter.otherwise);
      continue;
    }
    const json& value = arguments[parameter.name];
    if (parameter.many && !value.is_array())
      throw Refusal{kWrongParameters, std::string("'") + parameter.name + "' is not a list"};
    std::vector<std::string> values;
    for (const auto& one : parameter.many ? value : json::array({value}))
      values.push_back(value_of(one, parameter.name));
    if (!by_place) words.insert(words.end(), {parameter.option, values.front()});
    if (!by_place || values.empty()) continue;
    placed.insert(placed.end(), skipped.begin(), skipped.end());
    placed.insert(placed.end(), values.begin(), values.end());
    skipped.clear();
  }
  words.insert(words.end(), placed.begin(), placed.end());
  return words;
}

ordered_json called(const json& parameters, const AgentCall& call) {
  const json stated = parameters.value("name", json());
  const std::string name = stated.is_string() ? stated.get<std::string>() : "";
  for (const auto& tool : agent_tools()) {
    if (name != tool.name) continue;
    const json arguments = parameters.value("arguments", json::object());
    if (!arguments.is_object()) throw Refusal{kWrongParameters, "'arguments' is not an object"};
    const AgentResult result = call(words_of(tool, arguments));
    return {{"content", ordered_json::array({{{"type", "text"}, {"text", result.text}}})},
            {"isError", result.failed}};
  }
  throw Refusal{kWrongParameters, "there is no tool " + in_quotes(name)};
}

ordered_json result_of(const std::string& method, const json& parameters, const std::string& version,
                       const AgentCall& call) {
  if (method == "ping") return ordered_json::object();
  if (method == "tools/list") return listed_tools();
  if (method == "tools/call") return called(parameters, call);
  if (method != "initialize") throw Refusal{kNoMethod, "there is no method " + in_quotes(method)};
  std::string protocol = kProtocol;
  for (const char* known : kProtocols)
    if (parameters.value("protocolVersion", json()) == known) protocol = known;
  return {{"protocolVersion", protocol},
          {"capabilities", {{"tools", ordered_json::object()}}},
          {"serverInfo", {{"name", "tracker"}, {"version", version}}}};
}

}  // namespace

std::string answer_agent(const std::string& line, const std::string& version, const AgentCall& call) {
  json message;
  try {
    message = parse_json(line, "message");
  } catch (const Error& error) {
    return error_line(nullptr, {kNoJson, error.what()});
  }
  const bool is_request = message.is_object() && message.contains("method") && message["method"].is_string();
  if (!is_request) return error_line(nullptr, {kNoRequest, "not a request of JSON-RPC 2.0"});
  if (!message.contains("id")) return "";  // a notification
  const json id = message["id"];
  const json parameters = message.value("params", json::object());
  try {
    if (!parameters.is_object()) throw Refusal{kWrongParameters, "'params' is not an object"};
    return line_of({{"jsonrpc", "2.0"},
                    {"id", id},
                    {"result", result_of(message["method"].get<std::string>(), parameters, version, call)}});
  } catch (const Refusal& refusal) {
    return error_line(id, refusal);
  }
}

const std::vector<AgentTool>& agent_tools() {
  static const AgentParameter base{
      .name = "base", .description = "what to compare with: a revision, or 'baseline'", .required = true};
  static const AgentParameter candidate{
      .name = "candidate", .description = "the revision to judge (default HEAD)", .otherwise = "HEAD"};
  static const AgentParameter globs{
      .name = "benchmarks", .description = "only benchmarks that match these patterns: gemm/*", .many = true};
  static const AgentParameter device{"device", "only devices that match this pattern", "--device"};
  static const std::vector<AgentTool> table{
      {"compare",
       "Did benchmarks get slower between two commits? Judges what is recorded: `answer`, a verdict with its "
       "interval, reasons and likely cause for each benchmark, and the `next` commands "
       "(tracker.comparison/1).",
       {"compare", "--no-confirm", "--format", "json"},
       {base, candidate, globs, device}},
      {"explain",
       "Why did a benchmark change between two commits? All facts that differ: registers, spills, "
       "instructions, driver, clocks.",
       {"explain", "--format", "json"},
       {{"benchmark", "its name, or a pattern that matches a few", "", true}, base, candidate, device}},
      {"log",
       "The values of benchmarks over the commits, and where they changed; without benchmarks, the recorded "
       "runs.",
       {"log", "--format", "json"},
       {globs, {"commits", "how far back (default 100)", "--commits"}, device}},
      {"top",
       "The largest lasting changes over the commits, with the commit that made each.",
       {"top", "--format", "json"},
       {globs, {"since", "how far back: 90d, 12w, a day or all (default 90d)", "--since"}, device}},
      {"check",
       "Do the newest commits hold a regression that is neither mended nor accepted? None where `events` is "
       "empty (tracker.events/1).",
       {"check", "--format", "json"},
       {globs, {"newest", "how many of the newest commits with a run (default 20)", "--newest"}, device}},
  };
  return table;
}

}  // namespace tracker::formats
