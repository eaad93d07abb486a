// The Model Context Protocol over standard input, as coding agents speak it (modelcontextprotocol.io,
// 2025-06-18): a JSON-RPC message a line. Pure: what a tool does is the caller's.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tracker::formats {

struct AgentParameter {
  const char* name;
  const char* description;
  const char* option = "";  // before its value; empty: by its place
  bool required = false;
  bool many = false;  // a list of values
  const char* otherwise =
      "";  // by its place, where one behind it is given and this is not; empty: not allowed
};

// One row a tool: what an agent may call. All of them read, and none measures, builds or writes.
struct AgentTool {
  const char* name;
  const char* description;
  std::vector<std::string> command;  // tracker's words before the parameters
  std::vector<AgentParameter> parameters;
};
const std::vector<AgentTool>& agent_tools();

// What a call of a tool printed; `failed`: it could not be answered.
struct AgentResult {
  std::string text;
  bool failed = false;
};

// Calls one: gets the words behind "tracker".
using AgentCall = std::function<AgentResult(const std::vector<std::string>&)>;

// The answer to one line, itself a line; empty where the message wants none. What is no message is answered
// with an error, as is a call of an unknown tool, or with a value that tracker would read as an option.
std::string answer_agent(const std::string& line, const std::string& version, const AgentCall& call);

}  // namespace tracker::formats
