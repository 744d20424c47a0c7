// Builds table folders: what `retrosow build` does.
#pragma once

#include <filesystem>

#include "tables/table_file.h"

namespace retrosow {

struct BuiltLevel;

struct BuildOptions {
  std::filesystem::path folder;
  std::uint64_t memory_bytes = 0;  // the run refuses to start (limit error) if it would need more
  unsigned threads = 0;            // workers; 0 = all cores
  bool force = false;              // builds finished levels again, from the first; interrupted, it leaves the old ones that
                                   // it did not reach, which are no worse: a build without it checks and keeps them
  bool distances = false;          // also a table of distances for every level
  bool guarantees = false;         // also a table of guarantees for every level; not for rounds
  RunControl control;
  // Called once for each level, in ascending order, when its files are finished; by the thread that builds. May be empty.
  std::function<void(const BuiltLevel&)> on_level;
};

struct BuiltLevel {
  unsigned seeds = 0;
  std::uint64_t positions = 0;
  std::uint64_t file_bytes = 0;
  Digest digest;
  bool reused = false;  // the finished file was there already
  double seconds = 0;
  // With BuildOptions::distances, and BuildOptions::guarantees:
  struct Distances {
    std::uint64_t file_bytes = 0;
    Digest digest;
    bool reused = false;
    double seconds = 0;
  };
  using Guarantees = Distances;
  std::optional<Distances> distances{};
  std::optional<Guarantees> guarantees{};
};

// Memory that build_levels needs at least. With less than all lower levels beside it, it decodes their
// blocks again and again, and distances of large levels are made in batches (distance.h), which takes longer and, for a
// while, about as much disk again as the distances of the level, and changes nothing else.
std::uint64_t build_levels_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                  bool distances = false, bool guarantees = false);

// With this much no block of a lower level is decoded twice, and distances are made without batches.
std::uint64_t build_levels_comfortable_memory(const RuleSet& rules, unsigned pits, unsigned seeds, unsigned threads,
                                              bool distances = false, bool guarantees = false);

// Builds all levels 0..seeds of 2xk boards. Finished files are checked instead of built; distances and guarantees are
// added to finished levels without building their values again.
// Fails: limit error up front for too many seeds or too little memory, and later for a full disk, or for distances that
// the least memory does not do for (distance.h), finished files kept; corrupt error that names a
// finished file that is damaged; interrupted error, finished levels kept.
std::vector<BuiltLevel> build_levels(const RuleSet& rules, unsigned pits, unsigned seeds,
                                     const BuildOptions& options);

// Builds the round from a position: one file for each level that it reaches, with distances two. Finished files are
// checked instead of built.
// Fails: unsupported error for guarantees; limit error before the round would take more memory than allowed: while it is enumerated, and before anything
// is solved, when what it needs is known; corrupt error that names a finished file that is damaged, or is not
// of this round; interrupted error, finished levels kept.
struct RoundPositions;
std::uint64_t build_round_memory(const RoundPositions& round, bool distances, unsigned workers);
std::vector<BuiltLevel> build_round(const RuleSet& rules, const Position& root, Shape shape,
                                    const BuildOptions& options);

}  // namespace retrosow
