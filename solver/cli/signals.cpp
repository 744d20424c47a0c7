#include "solver/cli/signals.h"

#include <csignal>

#include <atomic>

#include "bitboard/error.h"

namespace retrosow::cli {
namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

void on_signal(int) { g_interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // Back to the default with the first signal, so that the second one kills. No SA_RESTART: a read
  // from standard input that waits ends at once.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return g_interrupted.load(std::memory_order_relaxed); }

void check_interrupted() {
  if (interrupted()) throw Error(ErrorClass::kInterrupted, "interrupted");
}

}  // namespace retrosow::cli
