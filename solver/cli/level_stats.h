// What is counted of the tables of a level: for `stats` and for the explorer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/cli/output.h"
#include "tables/endless_moves.h"
#include "tables/move_counts.h"
#include "tables/table_file.h"
#include "tables/table_listing.h"

namespace retrosow::cli {

// Of the distances of a level: the longest, if any position has one.
struct LongestDistance {
  std::optional<std::uint16_t> plies;
  std::uint64_t positions = 0;  // that have it
  std::string example;          // the first of them in index order
  Digest digest;                // of the level's distances
};

// Of the guarantees of a level: how many values, and outcomes, are the same whatever endless play is worth.
struct ForcedCounts {
  std::uint64_t values = 0, wins = 0, draws = 0, losses = 0;
  Digest digest;  // of the level's guarantees
};

struct LevelStats {
  Histogram values;
  std::optional<ForcedCounts> forced;             // where there are guarantees
  std::optional<LongestDistance> longest;         // where there are distances
  std::optional<std::vector<RelayMove>> endless;  // --endless, of rounds
  std::optional<RelayMove> longest_relay;         // --longest-relay, of rounds with a move
  std::optional<MoveCounts> moves;                // --moves
};

// Whether both rows have as many open holes.
bool equal_rows(const TableHeader& header);
// "all", or "reachable" from start_of.
const char* scope_of(const TableHeader& header);
// Of rounds: the written start; else empty.
std::string start_of(const TableHeader& header);
Board board_of_move(const RelayMove& move);

// The guarantees of the level of a table of values, or null.
const TableReader* guarantees_of(const TableFolder& folder, const TableReader& values);

// Called with the number of positions that have been read since the last call.
using OnRead = std::function<void(std::uint64_t)>;

// All read all of their files, a block at a time.
// Fails: corrupt error where a block or a digest is wrong, or not as many positions are without a distance as have the
// value 0; interrupted error.
Histogram count_values(const TableReader& table, const OnRead& on_read);
LongestDistance find_longest(const TableReader& values, const TableReader& distances,
                             std::uint64_t draws, const OnRead& on_read);
ForcedCounts count_forced(const TableReader& guarantees, const OnRead& on_read);

// The record of `stats`.
Json level_record(const TableHeader& header, const LevelStats& level);

}  // namespace retrosow::cli
