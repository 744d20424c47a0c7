// The sowing kernel in 512-bit registers: four moves of one board at a time, all masks at once.
//
// Slot s of a register holds move s (or s + 4) of the board, 16 lanes each; a 64-bit mask has 16 bits a
// slot. The carry of the capture's addition never leaves a slot: the opponent's lanes are its lowest K
// bits and bit K of the chain mask is 0. See sow_context.h for the idea, sow_sse41.cpp for linkage.
#include <immintrin.h>

#include "bitboard/sow_context.h"

namespace retrosow {
namespace {

constexpr std::uint64_t in_every_slot(std::uint64_t lanes) { return lanes * 0x0001000100010001ULL; }

template <unsigned K>
constexpr std::uint64_t kOpponentLanes = in_every_slot((1U << K) - 1);

// All lanes but the start pit of each move; moves `First`..`First` + 3.
template <unsigned K, unsigned First>
constexpr std::uint64_t other_lanes() {
  std::uint64_t mask = ~std::uint64_t{0};
  for (unsigned slot = 0; slot < 4 && First + slot < K; ++slot) {
    mask &= ~(std::uint64_t{1} << (16 * slot + 2 * K - 1 - (First + slot)));
  }
  return mask;
}

template <unsigned K>
inline __m512i swap_control() {
  alignas(16) std::uint8_t control[16];
  for (unsigned lane = 0; lane < 16; ++lane) {
    control[lane] = static_cast<std::uint8_t>(lane < 2 * K ? (lane + K) % (2 * K) : lane);
  }
  return _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(control)));
}

// Four moves: the boards as sown, and masks over them.
struct Group {
  __m512i sown = _mm512_setzero_si512();
  std::uint64_t over = 0;      // lanes above the pit limit
  std::uint64_t run = 0;       // captured lanes
  std::uint64_t left = 0;      // the opponent's lanes that hold seeds after the capture
};

template <unsigned K, unsigned First>
inline Group sow_group(const SowContext& context, const std::uint8_t* lanes, __m512i board) {
  const auto entry = [&](unsigned pit) {
    const unsigned seeds = lanes[2 * K - 1 - pit] & kMaxTableSeeds;
    return _mm_load_si128(reinterpret_cast<const __m128i*>(context.table->entries[pit][seeds]));
  };
  __m512i entries = _mm512_castsi128_si512(entry(First));
  if constexpr (First + 1 < K) entries = _mm512_inserti32x4(entries, entry(First + 1), 1);
  if constexpr (First + 2 < K) entries = _mm512_inserti32x4(entries, entry(First + 2), 2);
  if constexpr (First + 3 < K) entries = _mm512_inserti32x4(entries, entry(First + 3), 3);

  const std::uint64_t last = _mm512_movepi8_mask(entries);
  const __m512i add = _mm512_and_si512(entries, _mm512_set1_epi8(0x7f));
  Group group;
  group.sown = _mm512_add_epi8(_mm512_maskz_mov_epi8(other_lanes<K, First>(), board), add);
  const __m512i limit = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(context.limit)));
  group.over = _mm512_cmpgt_epu8_mask(group.sown, limit);

  const __m512i index = _mm512_adds_epu8(group.sown, _mm512_set1_epi8(0x70));
  const __m512i classes = _mm512_shuffle_epi8(
      _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(context.classes))), index);
  const std::uint64_t trigger =
      _mm512_movepi8_mask(_mm512_add_epi8(classes, classes)) & last & kOpponentLanes<K>;
  const std::uint64_t chain = (_mm512_movepi8_mask(classes) & kOpponentLanes<K>) | trigger;
  group.run = chain & ~(chain + trigger);
  group.left = _mm512_test_epi8_mask(group.sown, group.sown) & kOpponentLanes<K> & ~group.run;
  return group;
}

// Bit s of the result: field s (16 bits) of low, high is zero; s = 0..7.
inline unsigned zero_fields(std::uint64_t low, std::uint64_t high) {
  const __m128i fields = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
  return _mm_cmpeq_epi16_mask(fields, _mm_setzero_si128());
}

// Bits 0..K-1 in opposite order: lanes run against the pits.
template <unsigned K>
inline unsigned reverse_bits(unsigned bits) {
  bits = ((bits & 0x55U) << 1) | ((bits >> 1) & 0x55U);
  bits = ((bits & 0x33U) << 2) | ((bits >> 2) & 0x33U);
  bits = ((bits & 0x0fU) << 4) | ((bits >> 4) & 0x0fU);
  return bits >> (8 - K);
}

template <unsigned K>
void generate(const MoveGenerator& generator, const Position& position, Shape, MoveList& out) {
  const SowContext& context = generator.sow_context();
  const std::uint8_t* lanes = reinterpret_cast<const std::uint8_t*>(&position);
  const __m128i board = _mm_load_si128(reinterpret_cast<const __m128i*>(lanes));
  const __m512i boards = _mm512_broadcast_i32x4(board);
  const unsigned occupied = _mm_test_epi8_mask(board, board);
  constexpr unsigned kOpponent = (1U << K) - 1;

  const Group low = sow_group<K, 0>(context, lanes, boards);
  Group high;
  if constexpr (K > 4) high = sow_group<K, 4>(context, lanes, boards);

  const __m512i control = swap_control<K>();
  std::uint8_t* results = reinterpret_cast<std::uint8_t*>(&out.result);
  const auto store_group = [&](const Group& group, unsigned first) {
    const __m512i kept = _mm512_maskz_mov_epi8(~group.run, group.sown);
    _mm512_store_si512(results + 16 * first, _mm512_shuffle_epi8(kept, control));
    return _mm512_sad_epu8(_mm512_maskz_mov_epi8(group.run, group.sown), _mm512_setzero_si512());
  };
  __m512i sums = store_group(low, 0);  // sum of slot s in 64-bit word 2 s
  if constexpr (K > 4) sums = _mm512_or_si512(sums, _mm512_slli_epi64(store_group(high, 4), 8));
  const __m128i words = _mm512_cvtepi64_epi16(sums);
  const __m128i captured =
      _mm_shuffle_epi8(words, _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, -1, -1, -1, -1, -1, -1, -1, -1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(&out.captured), captured);

  unsigned playable = reverse_bits<K>(occupied >> K);
  unsigned starving = zero_fields(low.left, high.left);
  unsigned slams = starving & ~zero_fields(low.run, high.run) & playable;
  unsigned rare = ~zero_fields(low.over, high.over) & playable;
  // A count above 127 does not fit the table; only boards without a pit limit have such.
  rare |= _mm_movemask_epi8(board) != 0 ? playable : 0;
  rare |= context.grand_slam != GrandSlam::kCapture ? slams : 0;
  while (rare != 0) [[unlikely]] {
    const unsigned pit = static_cast<unsigned>(__builtin_ctz(rare));
    const unsigned bit = 1U << pit;
    rare &= rare - 1;
    const Sown sown = sow_seed_by_seed(context, position, pit);
    reinterpret_cast<Position*>(&out.result)[pit] = sown.result;
    reinterpret_cast<std::uint8_t*>(&out.captured)[pit] = static_cast<std::uint8_t>(sown.captured);
    playable = sown.playable ? playable : playable & ~bit;
    starving = sown.starves ? starving | bit : starving & ~bit;
    slams = sown.grand_slam ? slams | bit : slams & ~bit;
  }
  out.grand_slam = static_cast<std::uint8_t>(slams);
  out.legal = static_cast<std::uint8_t>(
      legal_moves_mask(context, (occupied & kOpponent) == 0, playable, starving));
}

}  // namespace

MoveFunctions avx512_sow_functions(unsigned pits) {
  // Single moves: one board fills a 128-bit register, so the sse41 kernel is the one to use.
  constexpr MoveGenerator::GenerateFunction kByPits[kMaxPits] = {generate<1>, generate<2>, generate<3>,
                                                                 generate<4>, generate<5>, generate<6>,
                                                                 generate<7>, generate<8>};
  return {kByPits[pits - 1], sse41_sow_functions(pits).sow};
}

}  // namespace retrosow
