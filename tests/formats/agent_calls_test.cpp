#include "tracker/formats/agent_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tracker::formats {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Words = std::vector<std::string>;

struct Agent {
  Words called;

  json ask(const std::string& line) {
    const std::string answer = answer_agent(line, "1.2", [&](const Words& words) {
      called = words;
      return AgentResult{"what it printed\n", words.front() == "log"};
    });
    EXPECT_EQ(answer.find('\n'), std::string::npos) << "an answer is a line";
    return answer.empty() ? json() : json::parse(answer);
  }
  json call(const std::string& tool, const json& arguments) {
    called.clear();
    return ask(json{{"jsonrpc", "2.0"},
                    {"id", "a"},
                    {"method", "tools/call"},
                    {"params", {{"name", tool}, {"arguments", arguments}}}}
                   .dump());
  }
  int refused(const std::string& tool, const json& arguments) {
    const json answer = call(tool, arguments);
    EXPECT_THAT(called, IsEmpty());
    return answer.at("error").at("code");
  }
};

TEST(AgentCalls, BeginAndList) {
  Agent agent;
  const auto begun = agent.ask(
      R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}})");
  EXPECT_EQ(begun.at("result").at("protocolVersion"), "2025-03-26");
  EXPECT_EQ(begun.at("result").at("serverInfo").at("version"), "1.2");
  EXPECT_TRUE(agent.ask(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})").is_null());
  const auto tools =
      agent.ask(R"({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})").at("result").at("tools");
  ASSERT_EQ(tools.size(), agent_tools().size());
  EXPECT_EQ(tools[0].at("name"), "compare");
  EXPECT_THAT(tools[0].at("inputSchema").at("required"), ElementsAre("base"));
}

TEST(AgentCalls, BecomeWordsOfTracker) {
  Agent agent;
  const auto answer =
      agent.call("compare", {{"base", "v1"}, {"benchmarks", {"gemm/*", "copy"}}, {"device", "h100*"}});
  EXPECT_THAT(agent.called, ElementsAre("compare", "--no-confirm", "--format", "json", "--device", "h100*",
                                        "v1", "HEAD", "gemm/*", "copy"));
  EXPECT_EQ(answer.at("id"), "a");
  EXPECT_EQ(answer.at("result").at("isError"), false);
  EXPECT_EQ(answer.at("result").at("content")[0].at("text"), "what it printed\n");
  agent.call("explain", {{"benchmark", "gemm"}, {"base", "v1"}});
  EXPECT_THAT(agent.called, ElementsAre("explain", "--format", "json", "gemm", "v1"));
  EXPECT_EQ(agent.call("log", json::object()).at("result").at("isError"), true);
}

TEST(AgentCalls, AreRefusedWhereTheyCouldBeMore) {
  Agent agent;
  EXPECT_EQ(agent.refused("compare", {{"base", "--measure"}}), -32602);
  EXPECT_EQ(agent.refused("compare", {{"base", ""}}), -32602);
  EXPECT_EQ(agent.refused("compare", {{"base", 7}}), -32602);
  EXPECT_EQ(agent.refused("compare", {{"base", "v1"}, {"benchmarks", "gemm"}}), -32602);
  EXPECT_EQ(agent.refused("compare", {{"base", "v1"}, {"benchmarks", {"-C"}}}), -32602);
  EXPECT_EQ(agent.refused("compare", {{"base", "v1"}, {"measure", "yes"}}), -32602);
  EXPECT_EQ(agent.refused("compare", json::object()), -32602);
  EXPECT_EQ(agent.refused("compare", json::array()), -32602);
  EXPECT_EQ(agent.refused("run", json::object()), -32602);
  EXPECT_EQ(agent.ask("{").at("error").at("code"), -32700);
  EXPECT_EQ(agent.ask("[1]").at("error").at("code"), -32600);
  EXPECT_EQ(agent.ask(R"({"id": 1, "method": "shutdown"})").at("error").at("code"), -32601);
}

}  // namespace
}  // namespace tracker::formats
