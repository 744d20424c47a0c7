#include "solver/cli/signals.h"

#include <csignal>

#include <atomic>

#include "bitboard/error.h"

namespace retrosow::cli {
namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

// The second signal, whichever of the two it is, kills.
void on_signal(int) {
  g_interrupted.store(true, std::memory_order_relaxed);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // no SA_RESTART: a read from standard input that waits ends at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow any more is an error of its write
}

bool interrupted() { return g_interrupted.load(std::memory_order_relaxed); }

void check_interrupted() {
  if (interrupted()) throw Error(ErrorClass::kInterrupted, "interrupted");
}

}  // namespace retrosow::cli
