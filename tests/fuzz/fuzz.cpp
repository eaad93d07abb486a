// One target under libFuzzer: TRACKER_FUZZ_TARGET names it. `tracker_fuzz --targets` lists them with their
// seeds. script/fuzz runs it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/targets.hpp"

namespace {

const tracker::FuzzTarget* chosen = nullptr;

void print_targets() {
  for (const auto& target : tracker::fuzz_targets()) {
    std::printf("%s", std::string(target.name).c_str());
    for (const auto& seed : target.seeds) std::printf(" %s", std::string(seed).c_str());
    std::printf("\n");
  }
}

}  // namespace

// libFuzzer calls these two by their names.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  if (*count > 1 && std::strcmp((*arguments)[1], "--targets") == 0) {
    print_targets();
    std::exit(0);
  }
  const char* name = std::getenv("TRACKER_FUZZ_TARGET");
  chosen = tracker::find_fuzz_target(name == nullptr ? "" : name);
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "TRACKER_FUZZ_TARGET names no target: tracker_fuzz --targets lists them\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
