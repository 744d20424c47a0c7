// Solves a round of Rio Kadalis in memory: everything reachable from a position, level by level.
//
// A level is the reachable positions with n stones on the board, both sides to move where the rows differ.
// They are enumerated from the root downwards (round_positions.h) and solved from the lowest level upwards
// (round_level.h). Positions, order and values are the same for any number of workers.
#pragma once

#include <vector>

#include "tables/round_key.h"
#include "tables/run_control.h"
#include "tables/values.h"

namespace retrosow {

struct RoundLevel {
  unsigned seeds = 0;            // stones on the board
  std::vector<Position> keys;    // ascending
  std::vector<Value> values;     // values[i] of keys[i]
  std::vector<std::uint16_t> distances;  // distances[i] of keys[i]; where asked for
  std::uint64_t endless_moves = 0;       // holes of these positions whose sowing never ends, legal or not
};

struct Round {
  RuleSet rules;
  Shape shape;                      // of the root
  Position root;
  std::vector<RoundLevel> levels;   // ascending by seeds; only levels that hold a position
  std::uint64_t positions = 0;
  std::uint64_t moves = 0;          // legal moves of all positions
};

// Pre: rules of Rio Kadalis; the root passes validate_position. threads: 0 = all cores.
// Fails: limit error before it would use more than `memory_bytes` (0: no limit) or for more than 127 stones,
// interrupted error when told to stop.
Round solve_round(const RuleSet& rules, const Position& root, Shape shape, std::uint64_t memory_bytes,
                  const RunControl& control, unsigned threads = 0, bool distances = false);

class RoundSource : public ValueSource {
 public:
  explicit RoundSource(const Round& round) : round_(&round) {}
  std::optional<int> value(const Position& position, Shape shape) const override;

 private:
  const Round* round_;
};

}  // namespace retrosow
