// The relay kernel in 128-bit registers: one lap as vector arithmetic. See relay_context.h for the idea.
// For linkage see sow_sse41.cpp.
#include <smmintrin.h>

#include "bitboard/relay_context.h"

namespace retrosow {
namespace {

inline __m128i load(const void* p) { return _mm_load_si128(static_cast<const __m128i*>(p)); }
inline __m128i splat(unsigned byte) { return _mm_set1_epi8(static_cast<char>(byte)); }

inline unsigned sum_of_bytes(__m128i v) {
  const __m128i sums = _mm_sad_epu8(v, _mm_setzero_si128());
  return static_cast<unsigned>(_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4));
}

void relay_one(const RelayContext& context, const RelaySide& side, const Position& position, Shape shape,
               unsigned start, MoveList& out) {
  const unsigned m = context.pits;
  const unsigned bit = 1U << start;
  const __m128i zero = _mm_setzero_si128();
  const __m128i three = splat(3);
  const __m128i lanes = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m128i mover_lanes = load(side.mover_lanes);

  alignas(16) std::uint8_t counts[kLanes];
  __m128i board = load(&position), kept = board;
  unsigned hole = start, kept_hole = start, laps = 0, renew_at = 1;
  unsigned movers_groups = 0, groups_total = 0;
  while (true) {
    if (laps == renew_at) {
      kept = board;
      kept_hole = hole;
      renew_at *= 2;
    } else if (hole == kept_hole && laps > 0 &&
               _mm_movemask_epi8(_mm_cmpeq_epi8(board, kept)) == 0xffff) [[unlikely]] {
      store_relayed(relay_stone_by_stone(context, position, shape, start), shape, context.endless_is_legal,
                    start, out);
      return;
    }
    ++laps;
    _mm_store_si128(reinterpret_cast<__m128i*>(counts), board);
    unsigned rest = counts[m - 1 - hole];
    board = _mm_andnot_si128(_mm_cmpeq_epi8(lanes, splat(m - 1 - hole)), board);
    __m128i every = zero;
    if (rest >= m) [[unlikely]] {
      const unsigned rounds = rest / m;
      rest %= m;
      every = _mm_and_si128(splat(rounds), _mm_cmpgt_epi8(load(context.hole_lanes), zero));
    }
    const __m128i small = _mm_cmpeq_epi8(_mm_min_epu8(board, three), board);  // held at most three
    board = _mm_add_epi8(board, _mm_add_epi8(load(context.step[hole][rest]), every));
    const __m128i groups = _mm_and_si128(_mm_and_si128(_mm_srli_epi16(board, 2), splat(0x3f)), small);
    board = _mm_and_si128(board, _mm_or_si128(three, _mm_xor_si128(small, splat(0xff))));
    hole += rest;
    hole = hole >= m ? hole - m : hole;
    if (_mm_testz_si128(groups, groups) == 0) {
      groups_total += sum_of_bytes(groups);
      movers_groups += sum_of_bytes(_mm_and_si128(groups, mover_lanes));
    }
    _mm_store_si128(reinterpret_cast<__m128i*>(counts), board);
    const unsigned content = counts[m - 1 - hole];
    if (content > 1) continue;
    // 0: the last stone made four, the mover's whoever owns the row; 1: it fell into an empty hole.
    const bool binikh = content == 0;
    if (binikh) {
      out.binikh = static_cast<std::uint8_t>(out.binikh | bit);
      movers_groups += hole < shape.mover_pits ? 0 : 1;
    }
    break;
  }
  (&out.captured[0])[start] = static_cast<std::uint8_t>(4 * movers_groups);
  (&out.captured_opponent[0])[start] = static_cast<std::uint8_t>(4 * (groups_total - movers_groups));
  (&out.laps[0])[start] = laps;
  out.legal = static_cast<std::uint8_t>(out.legal | bit);
  _mm_store_si128(reinterpret_cast<__m128i*>(&(&out.result[0])[start]),
                  _mm_shuffle_epi8(board, load(side.swap_control)));
}

void generate(const MoveGenerator& generator, const Position& position, Shape shape, MoveList& out) {
  const RelayContext& context = generator.relay_context();
  const RelaySide& side = context.side(shape);
  out.legal = out.binikh = out.endless = out.grand_slam = 0;
  const std::uint8_t* counts = reinterpret_cast<const std::uint8_t*>(&position);
  for (unsigned hole = 0; hole < shape.mover_pits; ++hole) {
    if (counts[context.pits - 1 - hole] != 0) relay_one(context, side, position, shape, hole, out);
  }
}

void sow(const MoveGenerator& generator, const Position& position, Shape shape, unsigned hole, MoveList& out) {
  const RelayContext& context = generator.relay_context();
  out.legal = out.binikh = out.endless = out.grand_slam = 0;
  relay_one(context, context.side(shape), position, shape, hole, out);
}

}  // namespace

MoveFunctions sse41_relay_functions() { return {generate, sow}; }

}  // namespace retrosow
