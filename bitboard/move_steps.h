// The steps of one move, seed by seed, as a player sees them: for drawing a move, not for speed.
//
// Written from the rules, apart from the kernels; a test holds both against each other. Each step changes the board
// in one place:
//
//   lift    all seeds of a pit come into the hand         seeds: how many
//   drop    one seed of the hand falls into a pit         seeds: in the pit then
//   take    a player takes all seeds of a pit             seeds: how many
//   repeat  the relay stands where it stood before, board and pit to be lifted: it never ends. Always the last step
//
// Worked example, Urim 0,0,1/1,2,0, pit 3: lift 1 from a3; drop, which makes 2 of b1; the mover takes these 2.
// Worked example, Rio Kadalis 0,2/3,0, hole 2: lift 2 from a2; drop, which makes 4 of b1; the opponent, whose row it
// is, takes these 4; drop, which makes 1 of b2, where the move ends.
#pragma once

#include <cstdint>
#include <vector>

#include "bitboard/moves.h"

namespace retrosow {

struct MoveStep {
  enum class Kind : std::uint8_t { kLift, kDrop, kTake, kRepeat };
  Kind kind = Kind::kLift;
  std::uint8_t pit = 0;    // in sowing order from the mover's first open pit, 0; kRepeat: that would be lifted
  std::uint8_t seeds = 0;
  bool to_mover = false;   // kTake: the mover takes them, not his opponent
  bool operator==(const MoveStep&) const = default;
};

struct SteppedMove {
  std::vector<MoveStep> steps;
  Position board;  // behind the last step, as the mover sees it
  unsigned captured = 0, captured_opponent = 0;
  std::uint32_t laps = 0;  // liftings; endless: until the state repeats
  bool endless = false;
};

// Pre: the move of the mover's open pit `pit`, 0-based, is legal under `rules`.
// Cost: microseconds for most moves; long relays have some thousand steps.
SteppedMove move_steps(const RuleSet& rules, const Position& position, Shape shape, unsigned pit);

}  // namespace retrosow
