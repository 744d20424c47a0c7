// What the relay kernels of Rio Kadalis work with.
//
// One lap. Lifting s stones from the i-th of m open holes and dropping them one by one, the start hole
// not skipped, adds q = s / m to every hole and one more to the r = s % m holes behind i. Only becoming
// four counts, so a hole that held c <= 3 (the lifted one holds 0) and got t stones has formed
// (c + t) / 4 groups on the way and keeps (c + t) % 4; one that held c >= 4 has formed none and keeps
// c + t. In the hole of the last stone, a kept 0 means that the last stone made four (binikh, the
// mover's), a kept 1 that it fell into an empty hole (of a hole with c <= 3); anything else is lifted.
//
// Endless sowing. A lap is determined by the board before it and the hole that is lifted, so a move is
// endless exactly if such a state recurs. A group taken off changes the number of stones for good, hence
// states are compared by Brent's method (1980): with one kept state, renewed at laps 1, 2, 4, 8, ...
#pragma once

#include <cstdint>

#include "bitboard/moves.h"

namespace retrosow {

struct RelaySide {
  Shape shape;
  alignas(16) std::uint8_t mover_lanes[kLanes];   // 0xff in the mover's lanes
  alignas(16) std::uint8_t swap_control[kLanes];  // byte shuffle to the opponent's view
};

struct RelayContext {
  unsigned pits;            // m, both rows
  bool endless_is_legal;    // --endless-sow draw
  RelaySide sides[2];       // for both orders of the rows; equal rows: both the same
  alignas(16) std::uint8_t hole_lanes[kLanes];  // 1 in the lanes of holes
  // step[i][r]: 1 in the lanes of the r holes behind hole i, r < m.
  alignas(16) std::uint8_t step[kLanes][kLanes][kLanes];

  const RelaySide& side(Shape shape) const { return shape == sides[0].shape ? sides[0] : sides[1]; }
};

RelayContext make_relay_context(const RuleSet& rules, Shape shape);

// A relay move as a whole. For an endless one the captures are those before the loop and laps counts
// until the first state recurs.
struct Relayed {
  Position board;  // seen by the mover
  unsigned captured = 0, captured_opponent = 0;
  std::uint32_t laps = 0;
  bool binikh = false;
  bool endless = false;
};

// Stone by stone. Pre: the hole is not empty.
Relayed relay_stone_by_stone(const RelayContext& context, const Position& position, Shape shape, unsigned hole);

// Enters a move into the list.
void store_relayed(const Relayed& relayed, Shape shape, bool endless_is_legal, unsigned hole, MoveList& out);

MoveFunctions portable_relay_functions();
MoveFunctions sse41_relay_functions();

}  // namespace retrosow
