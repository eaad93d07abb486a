// write_manuals DIR: the manual page and the completions of tracker, laid out as they are installed below a
// prefix.
#include <filesystem>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/commands/command.hpp"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_manuals DIR\n";
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    tracker::commands::Globals globals;
    CLI::App app;
    tracker::commands::declare_commands(app, globals);
    const auto root = tracker::commands::read_command_line(app);
    write(folder / "share/man/man1/tracker.1",
          tracker::commands::manual_page(root, tracker::commands::version_text()));
    for (const auto& completion : tracker::commands::completions())
      write(folder / completion.file, completion.write(root));
  } catch (const std::exception& error) {
    std::cerr << "write_manuals: " << error.what() << '\n';
    return 4;
  }
  return 0;
}
