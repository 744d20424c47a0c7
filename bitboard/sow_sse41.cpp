// The sowing kernel in 128-bit registers, one move at a time. See sow_context.h for the idea.
//
// Everything here has internal linkage or no inline library calls, so that no code built for this
// instruction set can be picked for another file.
#include <smmintrin.h>

#include "bitboard/sow_context.h"

namespace retrosow {
namespace {

inline __m128i load(const void* p) { return _mm_load_si128(static_cast<const __m128i*>(p)); }

// Byte shuffle that swaps the sides of a 2xK board.
template <unsigned K>
inline __m128i swap_control() {
  alignas(16) std::uint8_t control[16];
  for (unsigned lane = 0; lane < 16; ++lane) {
    control[lane] = static_cast<std::uint8_t>(lane < 2 * K ? (lane + K) % (2 * K) : lane);
  }
  return load(control);
}

// A byte mask of the lanes 0..7 whose bit is set.
inline __m128i spread_bits(unsigned bits) {
  const __m128i select = _mm_set_epi64x(0, static_cast<long long>(0x8040201008040201ULL));
  const __m128i equal = _mm_set_epi64x(static_cast<long long>(0x0101010101010101ULL),
                                       static_cast<long long>(0x8040201008040201ULL));
  return _mm_cmpeq_epi8(_mm_and_si128(_mm_set1_epi8(static_cast<char>(bits)), select), equal);
}

struct Flags {
  unsigned playable = 0, starving = 0, grand_slam = 0;
};

void sow_rare(const SowContext& context, const Position& position, unsigned pit, MoveList& out, Flags& flags) {
  const Sown sown = sow_seed_by_seed(context, position, pit);
  const unsigned bit = 1U << pit;
  (&out.result[0])[pit] = sown.result;
  (&out.captured[0])[pit] = static_cast<std::uint8_t>(sown.captured);
  flags.playable |= sown.playable ? bit : 0;
  flags.starving |= sown.starves ? bit : 0;
  flags.grand_slam |= sown.grand_slam ? bit : 0;
}

template <unsigned K>
inline void sow_one(const SowContext& context, const Position& position, __m128i board, unsigned pit,
                    MoveList& out, Flags& flags) {
  constexpr unsigned kOpponent = (1U << K) - 1;
  const unsigned start = 2 * K - 1 - pit;
  const unsigned seeds = (&position.lanes[0])[start];
  const unsigned bit = 1U << pit;
  const __m128i zero = _mm_setzero_si128();

  const __m128i entry = load(context.table->entries[pit][seeds & kMaxTableSeeds]);
  const __m128i add = _mm_and_si128(entry, _mm_set1_epi8(0x7f));
  const unsigned last = static_cast<unsigned>(_mm_movemask_epi8(entry));
  const __m128i lanes = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m128i is_start = _mm_cmpeq_epi8(lanes, _mm_set1_epi8(static_cast<char>(start)));
  const __m128i sown = _mm_add_epi8(_mm_andnot_si128(is_start, board), add);
  const __m128i limit = load(context.limit);
  const unsigned within = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(sown, limit), limit)));
  if (within != 0xffff || seeds > kMaxTableSeeds) [[unlikely]] {
    sow_rare(context, position, pit, out, flags);
    return;
  }

  const __m128i index = _mm_adds_epu8(sown, _mm_set1_epi8(0x70));  // counts above 15 get bit 7: class 0
  const __m128i classes = _mm_shuffle_epi8(load(context.classes), index);
  const unsigned trigger =
      static_cast<unsigned>(_mm_movemask_epi8(_mm_add_epi8(classes, classes))) & last & kOpponent;
  const unsigned chain = (static_cast<unsigned>(_mm_movemask_epi8(classes)) & kOpponent) | trigger;
  const unsigned run = chain & ~(chain + trigger);
  const unsigned occupied = ~static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(sown, zero))) & kOpponent;
  const unsigned left = occupied & ~run;
  const bool slam = run != 0 && left == 0;
  unsigned taken_bits = run;
  if (slam && context.grand_slam != GrandSlam::kCapture) {
    flags.grand_slam |= bit;
    if (context.grand_slam == GrandSlam::kForbid) return;
    taken_bits = 0;
  }
  const __m128i mask = spread_bits(taken_bits);
  const __m128i taken = _mm_and_si128(sown, mask);
  const __m128i kept = _mm_andnot_si128(mask, sown);
  (&out.captured[0])[pit] = static_cast<std::uint8_t>(_mm_cvtsi128_si32(_mm_sad_epu8(taken, zero)));
  _mm_store_si128(reinterpret_cast<__m128i*>(&(&out.result[0])[pit]), _mm_shuffle_epi8(kept, swap_control<K>()));
  flags.playable |= bit;
  flags.starving |= (occupied & ~taken_bits) == 0 ? bit : 0;
  flags.grand_slam |= slam ? bit : 0;
}

template <unsigned K>
void generate(const MoveGenerator& generator, const Position& position, Shape, MoveList& out) {
  const SowContext& context = generator.sow_context();
  const __m128i board = load(&position);
  const unsigned empty = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(board, _mm_setzero_si128())));
  Flags flags;
  // From one seeded pit to the next: which of them are empty is not foreseen, so a branch for each would cost more.
  for (unsigned lanes = (~empty >> K) & ((1U << K) - 1); lanes != 0; lanes &= lanes - 1) {
    sow_one<K>(context, position, board, K - 1 - static_cast<unsigned>(__builtin_ctz(lanes)), out, flags);
  }
  constexpr unsigned kOpponent = (1U << K) - 1;
  out.grand_slam = static_cast<std::uint8_t>(flags.grand_slam);
  out.legal = static_cast<std::uint8_t>(
      legal_moves_mask(context, (empty & kOpponent) == kOpponent, flags.playable, flags.starving));
}

template <unsigned K>
void sow(const MoveGenerator& generator, const Position& position, Shape, unsigned pit, MoveList& out) {
  Flags flags;
  sow_one<K>(generator.sow_context(), position, load(&position), pit, out, flags);
  out.grand_slam = static_cast<std::uint8_t>(flags.grand_slam);
  out.legal = static_cast<std::uint8_t>(flags.playable);
}

}  // namespace

MoveFunctions sse41_sow_functions(unsigned pits) {
  constexpr MoveFunctions kByPits[kMaxPits] = {
      {generate<1>, sow<1>}, {generate<2>, sow<2>}, {generate<3>, sow<3>}, {generate<4>, sow<4>},
      {generate<5>, sow<5>}, {generate<6>, sow<6>}, {generate<7>, sow<7>}, {generate<8>, sow<8>}};
  return kByPits[pits - 1];
}

}  // namespace retrosow
