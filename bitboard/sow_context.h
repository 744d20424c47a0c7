// What the sowing kernels of the Urim family work with: the rules as bytes, and the sowing table.
//
// Sowing table. Sowing s seeds from pit i adds a fixed vector to the board, since the start pit is
// skipped on every lap: with s = q (2k - 1) + r every other pit gets q seeds and the first r pits behind
// i one more. The last seed falls r pits behind i or, if r = 0, into the pit before i (sowings of exactly
// 11, 22, 33 seeds on 2x6). Each entry is the 16 added lanes, with bit 7 set in the lane of the last seed.
//
// Capture. `classes` maps a count below 16 to bit 7 (in the chain) and bit 6 (triggers); larger counts
// have neither. In a mask of lanes let T be the lane of the last seed if it triggers, and C the
// opponent's lanes in the chain, T included. A capture runs against the sowing order, which is towards
// higher lanes, so the captured run is C & ~(C + T): adding T carries through exactly that run.
//
// The pit limit. A sum above `limit` in any lane means that the plain sum is wrong (skip: some pit was
// passed over) or that the move is illegal (forbid). Both are decided by sow_seed_by_seed.
#pragma once

#include <cstdint>

#include "bitboard/moves.h"

namespace retrosow {

inline constexpr unsigned kMaxTableSeeds = 127;  // larger sowings go seed by seed
inline constexpr std::uint8_t kLastLaneBit = 0x80;

struct alignas(64) SowTable {
  // entries[pit][seeds][lane]; rows pit >= k and entries of 0 seeds are all zero.
  std::uint8_t entries[kMaxPits][kMaxTableSeeds + 1][kLanes];
};

struct SowContext {
  alignas(16) std::uint8_t classes[16];  // by seed count: bit 7 chain, bit 6 trigger
  alignas(16) std::uint8_t limit[16];    // the pit limit in every lane, 255 = none
  const SowTable* table;
  unsigned pits;                         // k
  bool limit_forbids;                    // pit limit rule `forbid`
  GrandSlam grand_slam;                  // kCapture where the option is inert
  bool must_not_starve;                  // starvation rule `leave`
};

SowContext make_sow_context(const RuleSet& rules, unsigned pits);

// The sowing of one pit with everything that the kernels' masks need.
struct Sown {
  Position result;  // seen by the opponent
  unsigned captured = 0;
  bool playable = false;    // sowing is possible and neither limit nor grand-slam rule forbids it
  bool grand_slam = false;  // takes, or would have taken, all of the opponent's seeds
  bool starves = false;     // leaves the opponent nothing
};

// Sows by dropping one seed at a time: any rules, any counts. The path of rare cases for every kernel.
// Pre: the pit is not empty.
Sown sow_seed_by_seed(const SowContext& context, const Position& position, unsigned pit);

// Captures and ends a sowing: `board` as sown, seen by the mover, `last` the lane of the last seed.
Sown finish_sowing(const SowContext& context, const Position& board, unsigned last);

// Which of the playable moves are legal, given which of them leave the opponent nothing: under both
// starvation rules a move that does not starve must be played if there is one, under `feed` only if the
// opponent's row was empty before.
[[gnu::always_inline]] inline unsigned legal_moves_mask(const SowContext& context, bool opponent_empty, unsigned playable,
                                 unsigned starving) {
  const unsigned feeding = playable & ~starving;
  return (context.must_not_starve || opponent_empty) && feeding != 0 ? feeding : playable;
}

// Entry points of the kernels on boards of k pits a row.
MoveFunctions portable_sow_functions();
MoveFunctions sse41_sow_functions(unsigned pits);
MoveFunctions avx512_sow_functions(unsigned pits);

}  // namespace retrosow
