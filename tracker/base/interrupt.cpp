#include "tracker/base/interrupt.hpp"

#include <csignal>

namespace tracker {
namespace {

volatile std::sig_atomic_t seen = 0;

void on_signal(int signal) {
  if (seen != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  seen = 1;
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() {
  return seen != 0;
}

}  // namespace tracker
