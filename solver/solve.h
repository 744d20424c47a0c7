// Solves a single position: its perfect-play value, the value of every move, a line of perfect play.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "tables/table_file.h"

namespace retrosow {

struct SolveOptions {
  std::optional<std::filesystem::path> tables;  // levels found there are used, the others solved in memory
  bool value_only = false;                      // no line, no values of moves
  std::optional<std::uint64_t> limit_nodes;     // positions to solve at most
  std::optional<double> limit_seconds;
  std::uint64_t memory_bytes = 0;               // limit error if it would take more
  RunControl control;
};

struct Solution {
  std::optional<int> value;  // absent: stopped by limit_nodes or limit_seconds
  std::pair<int, int> bounds{0, 0};  // proved bounds of the value; both equal to it when it is there
  Evaluation evaluation;     // moves, unless value_only
  Line line;                 // unless value_only
  std::uint64_t nodes = 0;   // positions solved
  double seconds = 0;
};

// By tables: Urim family, every level up to the position's; Rio Kadalis, everything reachable from it.
// Exact, endless play included. Levels already in `options.tables` are read from there.
// Fails: limit error if it would need more than options.memory_bytes, with what it would need.
Solution solve_by_tables(const RuleSet& rules, const Position& position, Shape shape,
                         const SolveOptions& options);

// The default memory limit of builds and solves: 80 % of the memory available now.
std::uint64_t default_memory_bytes();

}  // namespace retrosow
