// What a program of others needs to judge two folders of Google Benchmark JSON.
#include <iostream>

#include "tracker/formats/file_side.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/report.hpp"

int main(int, char** argv) {
  using namespace tracker;
  const FileSide base = read_file_side(argv[1], unknown_device());
  const FileSide candidate = read_file_side(argv[2], unknown_device());
  const auto report = judge({.side = {.label = argv[1]}, .runs = base.runs, .noise = {}},
                            {.side = {.label = argv[2]}, .runs = candidate.runs, .noise = {}}, {}, Policy{});
  std::cout << write_as("text", {report}, {});
  return static_cast<int>(exit_code_for({report}, false));
}
