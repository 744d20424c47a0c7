// The portable relay kernel: stone by stone.
#include "bitboard/relay_context.h"

#include <vector>

namespace retrosow {
namespace {

struct LapState {
  Position board;
  unsigned hole;
  bool operator==(const LapState&) const = default;
};


// One lap. Returns false where the move ends, else `hole` is the next one to lift.
bool sow_lap(unsigned pits, unsigned mover_pits, Position& board, unsigned& hole, Relayed& relayed) {
  unsigned stones = board.lanes[pits - 1 - hole];
  board.lanes[pits - 1 - hole] = 0;
  while (true) {
    hole = hole + 1 == pits ? 0 : hole + 1;
    std::uint8_t& content = board.lanes[pits - 1 - hole];
    ++content;
    const bool last = --stones == 0;
    if (content == 4) {
      content = 0;
      const bool movers = last || hole < mover_pits;
      (movers ? relayed.captured : relayed.captured_opponent) += 4;
      relayed.binikh = last;
      if (last) return false;
    } else if (last) {
      return content != 1;
    }
  }
}

// Laps until the first state of an endless move recurs: the way into its loop plus the loop's length.
// Rare, so it simply keeps all states.
std::uint32_t laps_until_recurrence(const RelayContext& context, const Position& position, Shape shape,
                                    unsigned hole) {
  std::vector<LapState> seen;
  LapState state{position, hole};
  Relayed scratch;
  while (true) {
    for (const LapState& earlier : seen) {
      if (earlier == state) return static_cast<std::uint32_t>(seen.size());
    }
    seen.push_back(state);
    sow_lap(context.pits, shape.mover_pits, state.board, state.hole, scratch);
  }
}

void generate(const MoveGenerator& generator, const Position& position, Shape shape, MoveList& out) {
  const RelayContext& context = generator.relay_context();
  out.legal = out.binikh = out.endless = out.grand_slam = 0;
  for (unsigned hole = 0; hole < shape.mover_pits; ++hole) {
    if (seeds_in(position, shape, hole) == 0) continue;
    store_relayed(relay_stone_by_stone(context, position, shape, hole), shape, context.endless_is_legal, hole, out);
  }
}

void sow(const MoveGenerator& generator, const Position& position, Shape shape, unsigned hole, MoveList& out) {
  const RelayContext& context = generator.relay_context();
  out.legal = out.binikh = out.endless = out.grand_slam = 0;
  store_relayed(relay_stone_by_stone(context, position, shape, hole), shape, context.endless_is_legal, hole, out);
}

}  // namespace

Relayed relay_stone_by_stone(const RelayContext& context, const Position& position, Shape shape,
                             unsigned hole) {
  Relayed relayed;
  LapState state{position, hole};
  LapState kept = state;
  std::uint32_t renew_at = 1;
  do {
    if (relayed.laps == renew_at) {
      kept = state;
      renew_at *= 2;
    } else if (relayed.laps > 0 && state == kept) {
      relayed.endless = true;
      relayed.laps = laps_until_recurrence(context, position, shape, hole);
      return relayed;
    }
    ++relayed.laps;
  } while (sow_lap(context.pits, shape.mover_pits, state.board, state.hole, relayed));
  relayed.board = state.board;
  return relayed;
}

void store_relayed(const Relayed& relayed, Shape shape, bool endless_is_legal, unsigned hole, MoveList& out) {
  const unsigned bit = 1U << hole;
  const auto set = [bit](std::uint8_t& mask) { mask = static_cast<std::uint8_t>(mask | bit); };
  out.captured[hole] = static_cast<std::uint8_t>(relayed.captured);
  out.captured_opponent[hole] = static_cast<std::uint8_t>(relayed.captured_opponent);
  out.laps[hole] = relayed.laps;
  if (relayed.endless) {
    set(out.endless);
    if (endless_is_legal) set(out.legal);
    return;
  }
  if (relayed.binikh) set(out.binikh);
  out.result[hole] = swap_sides(relayed.board, shape);
  set(out.legal);
}

MoveFunctions portable_relay_functions() { return {generate, sow}; }

}  // namespace retrosow
