// How a long run reports progress and is stopped from outside.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bitboard/error.h"

namespace retrosow {

struct Progress {
  std::string phase;            // "solve", "enumerate", "write"
  unsigned level = 0;           // seeds on the boards in work
  unsigned last_level = 0;      // the level that the run ends with
  std::uint64_t done = 0;       // positions of the whole run that are finished
  std::uint64_t total = 0;      // positions of the whole run; 0 while unknown
  double elapsed_seconds = 0;   // since the run began
  std::uint64_t found = 0;      // of `done`: what was there before, and tells nothing of how fast the run is
};

// Both functions may be empty. They are called a few times a second at least, from any thread of the run: `progress` by
// one at a time, `stop` perhaps by several at once. `stop` saying true ends the run with an interrupted error.
struct RunControl {
  std::function<void(const Progress&)> progress;
  std::function<bool()> stop;

  void check_stop() const {
    if (stop && stop()) throw Error(ErrorClass::kInterrupted, "interrupted");
  }
};

}  // namespace retrosow
