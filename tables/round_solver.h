// Solves a round of Rio Kadalis: everything reachable from a position, level by level.
//
// A level is the reachable positions with n stones on the board, both sides to move where the rows
// differ. Positions are enumerated forward, sorted, and solved like the levels of level_solver.h, with
// the moves kept as a graph. In this game both players can gain by one move, and under
// --endless-sow draw an endless sow is an exit worth what was won before it.
#pragma once

#include <vector>

#include "tables/run_control.h"
#include "tables/values.h"

namespace retrosow {

// A reachable position as a key: the position seen by the player to move and, where the rows differ in
// length, whether they have swapped sides against the root: then lane 15, which such boards leave free,
// is 1. Keys of one round compare by their swapped mark, then like positions.
Position round_key(const Position& position, Shape shape, Shape root_shape);
struct RoundPosition {
  Position position;
  Shape shape;
};
RoundPosition position_of_key(const Position& key, Shape root_shape);

struct RoundLevel {
  unsigned seeds = 0;            // stones on the board
  std::vector<Position> keys;    // ascending
  std::vector<Value> values;     // values[i] of keys[i]
};

struct Round {
  RuleSet rules;
  Shape shape;                      // of the root
  Position root;
  std::vector<RoundLevel> levels;   // ascending by seeds; only levels that hold a position
  std::uint64_t positions = 0;
  std::uint64_t moves = 0;          // legal moves of all positions
};

// Pre: rules of Rio Kadalis; the root passes validate_position.
// Fails: limit error before it would use more than `memory_bytes` or for more than 127 stones,
// interrupted error when told to stop.
Round solve_round(const RuleSet& rules, const Position& root, Shape shape, std::uint64_t memory_bytes,
                  const RunControl& control);

class RoundSource : public ValueSource {
 public:
  explicit RoundSource(const Round& round) : round_(&round) {}
  std::optional<int> value(const Position& position, Shape shape) const override;

 private:
  const Round* round_;
};

}  // namespace retrosow
