// What a program of others needs to judge two folders of Google Benchmark JSON.
#include <iostream>

#include "tracker/formats/file_format.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/report.hpp"

int main(int, char** argv) {
  using namespace tracker;
  const formats::FileSide base = formats::read_file_side(argv[1], formats::unknown_device());
  const formats::FileSide candidate = formats::read_file_side(argv[2], formats::unknown_device());
  const auto report =
      judge::judge({.side = {.label = argv[1]}, .runs = base.runs, .noise = {}},
                   {.side = {.label = argv[2]}, .runs = candidate.runs, .noise = {}}, {}, Policy{});
  std::cout << report::write_as("text", {report}, {});
  return static_cast<int>(judge::exit_code_for({report}, false));
}
