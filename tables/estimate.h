// What a build will need, before it is started: `retrosow estimate`.
//
// Positions are exact, and memory is what the build asks for: by the same functions it goes ahead or refuses. File sizes
// and times are forecasts: bytes a position from a fit to measured levels, times from a trial on this machine - small
// levels are built in memory - and from how the rate changes with the size of the level.
#pragma once

#include <vector>

#include "tables/build.h"

namespace retrosow {

struct LevelEstimate {
  unsigned seeds = 0;
  std::uint64_t positions = 0;
  std::uint64_t memory_bytes = 0;  // needed at least by a build that ends with this level
  std::uint64_t file_bytes = 0;    // forecast, distances included
  double seconds = 0;              // forecast
};

struct BuildEstimate {
  std::vector<LevelEstimate> levels;
  std::uint64_t positions = 0;
  std::uint64_t least_memory_bytes = 0;      // the build refuses to start with less
  std::uint64_t comfortable_memory_bytes = 0;  // with this no block is decoded twice, and distances are made without batches
  std::uint64_t file_bytes = 0;
  std::uint64_t scratch_bytes = 0;  // forecast: taken for a while as well where memory is less than comfortable
  double seconds = 0;
  unsigned threads = 0;
  double trial_rate = 0;  // positions a second of the trial
};

// Fails: limit error for more than 127 seeds, or a board that half-board tables cannot hold.
BuildEstimate estimate_levels(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                              bool with_distances, bool with_guarantees = false);

// Of the round from a position. It is enumerated for this, which no formula can replace: positions are exact, memory is
// what the build asks for once it has enumerated as well. trial_rate is that of the enumeration.
// Fails: as enumerate_round, with `memory_bytes` for what the enumeration takes.
BuildEstimate estimate_round(const RuleSet& rules, const Position& root, Shape shape, unsigned threads,
                             std::uint64_t memory_bytes, bool with_distances, const RunControl& control);

}  // namespace retrosow
