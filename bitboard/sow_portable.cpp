// The portable sowing kernel, and the seed-by-seed path of rare cases that every kernel shares.
#include <cstring>

#include "bitboard/sow_context.h"

namespace retrosow {
namespace {

void store(const Sown& sown, unsigned pit, MoveList& out, unsigned& playable, unsigned& starving) {
  const unsigned bit = 1U << pit;
  out.result[pit] = sown.result;
  out.captured[pit] = static_cast<std::uint8_t>(sown.captured);
  playable |= sown.playable ? bit : 0;
  starving |= sown.starves ? bit : 0;
  out.grand_slam = static_cast<std::uint8_t>(out.grand_slam | (sown.grand_slam ? bit : 0));
}

Sown sow_portable(const SowContext& context, const Position& position, unsigned pit) {
  const unsigned start = 2 * context.pits - 1 - pit;
  const unsigned seeds = position.lanes[start];
  if (seeds > kMaxTableSeeds) return sow_seed_by_seed(context, position, pit);
  Position board = position;
  board.lanes[start] = 0;
  unsigned last = 0;
  bool over = false;
  const std::uint8_t* entry = context.table->entries[pit][seeds];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned sum = board.lanes[lane] + (entry[lane] & ~unsigned{kLastLaneBit});
    over |= sum > context.limit[0];
    last = (entry[lane] & kLastLaneBit) != 0 ? lane : last;
    board.lanes[lane] = static_cast<std::uint8_t>(sum);
  }
  if (over) return sow_seed_by_seed(context, position, pit);
  return finish_sowing(context, board, last);
}

void generate_portable(const MoveGenerator& generator, const Position& position, Shape, MoveList& out) {
  const SowContext& context = generator.sow_context();
  const unsigned k = context.pits;
  unsigned playable = 0, starving = 0, opponent = 0;
  out.grand_slam = 0;
  for (unsigned lane = 0; lane < k; ++lane) opponent |= position.lanes[lane];
  for (unsigned pit = 0; pit < k; ++pit) {
    if (position.lanes[2 * k - 1 - pit] == 0) continue;
    store(sow_portable(context, position, pit), pit, out, playable, starving);
  }
  out.legal = static_cast<std::uint8_t>(legal_moves_mask(context, opponent == 0, playable, starving));
}

void sow_portable_single(const MoveGenerator& generator, const Position& position, Shape, unsigned pit,
                         MoveList& out) {
  unsigned playable = 0, starving = 0;
  out.grand_slam = 0;
  store(sow_portable(generator.sow_context(), position, pit), pit, out, playable, starving);
  out.legal = static_cast<std::uint8_t>(playable);
}

}  // namespace

Sown sow_seed_by_seed(const SowContext& context, const Position& position, unsigned pit) {
  const unsigned pits = 2 * context.pits;
  const unsigned start = pits - 1 - pit;
  const unsigned limit = context.limit[0];
  Position board = position;
  unsigned seeds = board.lanes[start];
  board.lanes[start] = 0;
  unsigned lane = start, last = start, passed_over = 0;
  while (seeds > 0) {
    lane = lane == 0 ? pits - 1 : lane - 1;
    if (lane == start) continue;
    if (board.lanes[lane] >= limit) {
      if (context.limit_forbids || ++passed_over == pits) return {};
      continue;
    }
    passed_over = 0;
    ++board.lanes[lane];
    --seeds;
    last = lane;
  }
  return finish_sowing(context, board, last);
}

Sown finish_sowing(const SowContext& context, const Position& board, unsigned last) {
  const unsigned k = context.pits;
  const auto classes_of = [&](unsigned lane) -> unsigned {
    return board.lanes[lane] < 16 ? context.classes[board.lanes[lane]] : 0;
  };
  Sown sown;
  Position kept = board;
  unsigned left = 0;
  if (last < k && (classes_of(last) & 0x40U) != 0) {
    unsigned lane = last;
    do {
      sown.captured += kept.lanes[lane];
      kept.lanes[lane] = 0;
      ++lane;
    } while (lane < k && (classes_of(lane) & 0x80U) != 0);
  }
  for (unsigned lane = 0; lane < k; ++lane) left += kept.lanes[lane];
  sown.grand_slam = sown.captured > 0 && left == 0;
  sown.playable = !(sown.grand_slam && context.grand_slam == GrandSlam::kForbid);
  sown.starves = left == 0;
  if (sown.grand_slam && context.grand_slam == GrandSlam::kLeave) {
    kept = board;
    sown.captured = 0;
    sown.starves = false;
  }
  const std::uint8_t row = static_cast<std::uint8_t>(k);
  sown.result = swap_sides(kept, {row, row});
  return sown;
}

MoveFunctions portable_sow_functions() { return {generate_portable, sow_portable_single}; }

}  // namespace retrosow
