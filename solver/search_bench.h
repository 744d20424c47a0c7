// A fixed set of positions to search: how fast this machine is, and whether the search is the same search.
#pragma once

#include <cstdint>

namespace retrosow {

inline constexpr unsigned kSearchBenchPositions = 7;

struct SearchBench {
  unsigned positions = 0;
  std::uint64_t nodes = 0;  // entered by one thread, each position with an empty table: the same on every machine
  double seconds = 0;
};

// Solves starts of both games and of the presets, without tables, by one thread with 16 MiB each.
// Fails: std::logic_error if a value is not the known one.
// Cost: about half a million positions, 0.1 s.
SearchBench run_search_bench();

}  // namespace retrosow
