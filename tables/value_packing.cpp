#include "tables/value_packing.h"

#define ZSTD_STATIC_LINKING_ONLY  // for one compression parameter, ZSTD_c_literalCompressionMode
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "bitboard/error.h"

namespace retrosow {
namespace {

constexpr unsigned kMaxPitsHere = 8;
constexpr unsigned kMaxSteps = kMaxPitsHere - 2;

// The mean of up to 7 rests, rounded to the nearest, halves upward: floor((2 sum + count) / (2 count)). kBias
// keeps the dividend positive; the multiplication is exact for dividends below 2^18 / 14.
constexpr int kBias = 512;
struct MeanDivisor {
  std::uint32_t add, factor;
};
constexpr unsigned kFactorBits = 18;
constexpr std::array<MeanDivisor, kMaxSteps + 2> kMeanDivisors = [] {
  std::array<MeanDivisor, kMaxSteps + 2> divisors{};
  divisors[0] = {kBias, 1U << kFactorBits};  // no neighbour: the mean is 0
  for (std::uint32_t count = 1; count < divisors.size(); ++count) {
    divisors[count] = {count + 2 * count * kBias, ((1U << kFactorBits) + 2 * count - 1) / (2 * count)};
  }
  return divisors;
}();
// A raw context is kBias plus the mean plus the capture. Rests are -128 - 135 ... 127, captures 0 ... 135.
constexpr std::size_t kRawContexts = kBias + 272;

// A range of halves of one number of seeds, in rank order, with what does not depend on the other half.
struct HalfPlan {
  unsigned pits = 0, pit_limit = 0, seeds = 0;
  std::uint64_t begin = 0, end = 0;  // ranks
  // For each half: `steps` distances back to its neighbours (0: not in the range), how many there are, and
  // which opponent's pits its moves end in (bit x - 1: pit x).
  unsigned steps = 0;
  std::vector<std::uint16_t> back;
  std::vector<std::uint8_t> neighbours, reach;
};

struct HalfPlans {
  HalfPlan from_start, from_within;
};

// Calls run.template operator()<steps>().
template <typename Run>
void with_steps(unsigned steps, Run&& run) {
  switch (steps) {
    case 0: return run.template operator()<0>();
    case 1: return run.template operator()<1>();
    case 2: return run.template operator()<2>();
    case 3: return run.template operator()<3>();
    case 4: return run.template operator()<4>();
    case 5: return run.template operator()<5>();
    default: return run.template operator()<kMaxSteps>();
  }
}

unsigned reach_of(unsigned pits, unsigned i, unsigned seeds) {
  const unsigned inside = pits - 1 - i;  // seeds that stay in the mover's row
  return seeds > inside && seeds - inside <= pits ? 1U << (seeds - inside - 1) : 0;
}

using Half = std::array<unsigned, kMaxPitsHere>;

// The least half of `seeds` seeds in pits `from` to k - 1: as late as possible.
void lay_last(unsigned k, unsigned limit, unsigned from, unsigned seeds, Half& half) {
  for (unsigned i = k; i-- > from;) {
    half[i] = std::min(seeds, limit);
    seeds -= half[i];
  }
}

// The half that follows among those of pits 0 to k - 1 with as many seeds: the last pit that can take a seed from
// behind it takes one. Pre: there is one.
void next_half(unsigned k, unsigned limit, Half& half) {
  unsigned behind = half[k - 1];
  unsigned i = k - 1;
  while (i-- > 0) {
    if (behind != 0 && half[i] < limit) break;
    behind += half[i];
  }
  ++half[i];
  lay_last(k, limit, i + 1, behind - 1, half);
}

// Fills in the plan. Halves that differ in the last two pits alone follow each other, a run; in a run the
// distances are the same.
template <unsigned kSteps>
void fill_plan(const PackingShape& shape, std::uint64_t size, Half half, HalfPlan& plan) {
  const unsigned k = shape.pits();
  const unsigned limit = shape.pit_limit();
  std::uint16_t* back = plan.back.data();
  std::uint8_t* neighbours = plan.neighbours.data();
  std::uint8_t* reach = plan.reach.data();
  std::array<std::array<std::uint8_t, kMaxLevelSeeds + 1>, 2> tail_reach;
  for (unsigned s = 0; s <= shape.seeds(); ++s) {
    tail_reach[0][s] = static_cast<std::uint8_t>(k > 1 ? reach_of(k, k - 2, s) : 0);
    tail_reach[1][s] = static_cast<std::uint8_t>(reach_of(k, k - 1, s));
  }
  std::uint32_t at = 0;
  const std::uint32_t end = static_cast<std::uint32_t>(size);
  for (;;) {
    const unsigned tail = half[k - 1] + (k > 1 ? half[k - 2] : 0);
    std::array<std::uint32_t, kSteps + 1> distances{};
    unsigned prefix_reach = 0;
    if constexpr (kSteps > 0) {
      unsigned behind = tail;
      for (unsigned i = kSteps; i-- > 0;) {
        if (half[i] != 0 && (i + 1 == kSteps || half[i + 1] < limit)) {
          distances[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(shape.step(i, behind), 1U << 30));
        }
        behind += half[i];
        prefix_reach |= reach_of(k, i, half[i]);
      }
    }
    const unsigned last = k > 1 ? std::min(tail, limit) : 0;
    unsigned x = k > 1 ? half[k - 2] : 0;
    // Nearly every run lies far enough from the start of the range: the same neighbours for all of it.
    if (last < limit && std::all_of(distances.begin(), distances.end(), [&](std::uint32_t d) { return d <= at; })) {
      std::array<std::uint16_t, kSteps> same;
      unsigned found = 0;
      for (unsigned i = 0; i < kSteps; ++i) {
        same[i] = static_cast<std::uint16_t>(distances[i]);
        found += distances[i] != 0;
      }
      for (; x <= last && at < end; ++x, ++at) {
        std::copy(same.begin(), same.end(), back);
        back += kSteps;
        *neighbours++ = static_cast<std::uint8_t>(found);
        *reach++ = static_cast<std::uint8_t>(prefix_reach | tail_reach[0][x] | tail_reach[1][tail - x]);
      }
    }
    for (; x <= last && at < end; ++x, ++at) {
      unsigned found = 0;
      for (unsigned i = 0; i < kSteps; ++i) {
        std::uint32_t distance = distances[i] > at ? 0 : distances[i];
        if (i + 1 == kSteps && x == limit) distance = 0;
        back[i] = static_cast<std::uint16_t>(distance);
        found += distance != 0;
      }
      back += kSteps;
      *neighbours++ = static_cast<std::uint8_t>(found);
      *reach++ = static_cast<std::uint8_t>(prefix_reach | tail_reach[0][x] | tail_reach[1][tail - x]);
    }
    if (at == end) return;
    // The last of the run, and on to the next run.
    half[k - 2] = last;
    half[k - 1] = tail - last;
    next_half(k, limit, half);
  }
}

// The neighbours within a row whose distances are in a plan.
unsigned steps_of(const PackingShape& shape) { return shape.pits() > 2 ? shape.pits() - 2 : 0; }

// Makes `plan` cover the ranks begin <= rank < end of the halves of `seeds` seeds; `half` is the first of them.
void make_plan(const PackingShape& shape, unsigned seeds, std::uint64_t begin, std::uint64_t end, const Half& half,
               HalfPlan& plan) {
  const unsigned k = shape.pits();
  if (plan.pits == k && plan.pit_limit == shape.pit_limit() && plan.seeds == seeds && plan.begin == begin &&
      plan.end >= end) {
    return;
  }
  const std::uint64_t size = end - begin;
  plan.pits = 0;  // void until done
  plan.steps = steps_of(shape);
  if (plan.neighbours.size() < size) {
    plan.neighbours.resize(size);
    plan.reach.resize(size);
  }
  if (plan.back.size() < size * plan.steps) plan.back.resize(size * plan.steps);
  with_steps(plan.steps, [&]<unsigned kSteps>() { fill_plan<kSteps>(shape, size, half, plan); });
  plan.pits = k;
  plan.pit_limit = shape.pit_limit();
  plan.seeds = seeds;
  plan.begin = begin;
  plan.end = end;
}

// What the mover can take at once from the half `b`, by the set of pits that his moves end in.
// Sets that a half of `seeds` seeds cannot have are left out.
using CaptureTable = std::array<std::uint8_t, 1U << kMaxPitsHere>;

void make_captures(unsigned k, const Half& b, unsigned seeds, CaptureTable& captures) {
  captures[0] = 0;
  for (unsigned x = 1; x <= std::min(k, seeds); ++x) {
    unsigned taken = 0;
    if (const unsigned last = b[x - 1] + 1; last == 2 || last == 3) {
      taken = last;
      for (unsigned j = x - 1; j-- > 0;) {
        const unsigned here = b[j] + 1;
        if (here < 2 || here > 4) break;
        taken += here;
      }
    }
    const unsigned bit = 1U << (x - 1);
    for (unsigned set = 0; set < bit; ++set) {
      captures[bit | set] = std::max(captures[set], static_cast<std::uint8_t>(taken));
    }
  }
}

// Positions of one row that are treated alike.
struct Stretch {
  std::size_t at, size;     // in the block
  std::size_t above;        // distance back to the same half in the row before; 0: not in the block
  const std::uint16_t* back;  // from here on, one entry per position
  const std::uint8_t* neighbours;
  const std::uint8_t* reach;
  const std::uint8_t* captures;  // by reach
};

// Calls visit(Stretch) for the block of `count` positions from `first`, in order.
template <typename Visit>
void for_each_stretch(const PackingShape& shape, LevelIndex first, std::size_t count, HalfPlans& plans,
                      Visit&& visit) {
  const unsigned k = shape.pits();
  const unsigned limit = shape.pit_limit();
  const Position board = shape.ranks().unrank(first);
  Half a{}, b{};
  unsigned b_seeds = 0;
  for (unsigned i = 0; i < k; ++i) {
    a[i] = board.lanes[2 * k - 1 - i];
    b[i] = board.lanes[k - 1 - i];
    b_seeds += b[i];
  }
  std::uint64_t rank = shape.halves().rank(board, 2 * k - 1, shape.seeds() - b_seeds);
  std::uint64_t rows_left = shape.halves().count(b_seeds) - shape.halves().rank(board, k - 1, b_seeds);

  CaptureTable captures;
  std::size_t at = 0;
  bool row_before = false;       // the block holds positions of the row before, and that has as many
  std::uint64_t above_from = 0;  // those of this rank and up
  for (;;) {
    const unsigned a_seeds = shape.seeds() - b_seeds;
    const std::uint64_t row = shape.halves().count(a_seeds);
    const std::uint64_t end = std::min<std::uint64_t>(row, rank + (count - at));
    // A row that begins before the block needs a plan of its own; the other one serves this block and the next ones.
    HalfPlan& plan = rank == 0 ? plans.from_start : plans.from_within;
    make_plan(shape, a_seeds, rank, rank == 0 ? std::min<std::uint64_t>(row, count) : end, a, plan);
    make_captures(k, b, a_seeds, captures);
    const auto visit_part = [&](std::uint64_t from, std::uint64_t to, std::size_t above) {
      if (from >= to) return;
      const std::size_t size = static_cast<std::size_t>(to - from);
      const std::size_t i = static_cast<std::size_t>(from - plan.begin);
      visit(Stretch{at, size, above, plan.back.data() + i * plan.steps, plan.neighbours.data() + i,
                    plan.reach.data() + i, captures.data()});
      at += size;
    };
    const std::uint64_t middle = row_before ? std::clamp(above_from, rank, end) : end;
    visit_part(rank, middle, 0);
    visit_part(middle, end, static_cast<std::size_t>(row));
    if (at == count) return;

    above_from = rank;
    rank = 0;
    if (--rows_left != 0) {
      next_half(k, limit, b);
      if (!row_before) lay_last(k, limit, 0, a_seeds, a);
      row_before = true;
    } else {
      // The next number of seeds that both halves can hold.
      do {
        ++b_seeds;
      } while (shape.halves().count(b_seeds) == 0 || shape.halves().count(shape.seeds() - b_seeds) == 0);
      rows_left = shape.halves().count(b_seeds);
      lay_last(k, limit, 0, b_seeds, b);
      lay_last(k, limit, 0, shape.seeds() - b_seeds, a);
      row_before = false;
    }
  }
}

// The mean of the rests around a position, plus kBias. `twice` points to its twice rest, which is still 0:
// so is what stands 0 back, in place of a neighbour that is not there.
template <unsigned kSteps, bool kAbove>
inline std::uint32_t mean_around(const std::int16_t* twice, const std::uint16_t* back, std::size_t above,
                                 unsigned neighbours) {
  const MeanDivisor divisor = kMeanDivisors[neighbours + (kAbove ? 1U : 0U)];
  int sum = static_cast<int>(divisor.add);
  if (kAbove) sum += twice[-static_cast<std::ptrdiff_t>(above)];
  // The nearest neighbour comes last: it is the last to be known.
  for (unsigned j = 0; j < kSteps; ++j) sum += twice[-static_cast<std::ptrdiff_t>(back[j])];
  return (static_cast<std::uint32_t>(sum) * divisor.factor) >> kFactorBits;
}

// Finds the contexts of a stretch whose values are known; `twice` must be 0 from the stretch on.
template <unsigned kSteps, bool kAbove>
void find_contexts(const Stretch& s, const std::int8_t* __restrict values, std::int16_t* __restrict twice,
                   std::uint16_t* __restrict raw) {
  const std::uint16_t* back = s.back;
  const std::uint8_t* neighbours = s.neighbours;
  const std::uint8_t* reach = s.reach;
  const std::uint8_t* captures = s.captures;
  const std::size_t above = s.above;
  const std::size_t size = s.size;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned capture = captures[reach[i]];
    raw[i] = static_cast<std::uint16_t>(
        mean_around<kSteps, kAbove>(twice + i, back + i * kSteps, above, neighbours[i]) + capture);
    twice[i] = static_cast<std::int16_t>(2 * (values[i] - static_cast<int>(capture)));
  }
}

// Fills in the values of a stretch from the streams of their contexts.
template <unsigned kSteps, bool kAbove>
void find_values(const Stretch& s, int bias, const std::uint8_t* __restrict stream_by_raw,
                 const std::uint8_t** __restrict cursors, std::int16_t* __restrict twice,
                 std::int8_t* __restrict values) {
  const std::uint16_t* back = s.back;
  const std::uint8_t* neighbours = s.neighbours;
  const std::uint8_t* reach = s.reach;
  const std::uint8_t* captures = s.captures;
  const std::size_t above = s.above;
  const std::size_t size = s.size;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned capture = captures[reach[i]];
    const unsigned stream =
        (stream_by_raw + capture)[mean_around<kSteps, kAbove>(twice + i, back + i * kSteps, above, neighbours[i])];
    const auto value = static_cast<std::int8_t>(*cursors[stream]++ - bias);
    twice[i] = static_cast<std::int16_t>(2 * (value - static_cast<int>(capture)));
    values[i] = value;
  }
}

// Context c of a level with n seeds stands for the raw context kBias + c - n, 0 <= c <= 2n.
unsigned context_of(int raw, unsigned seeds) {
  const int n = static_cast<int>(seeds);
  return static_cast<unsigned>(std::clamp(raw - kBias, -n, n) + n);
}

// log2(x) in 1 / 256, rounded down in its argument's 9 leading bits. Integers only: the bytes must not depend on a
// mathematics library.
constexpr std::array<std::uint16_t, 257> kLogs = [] {
  std::array<std::uint16_t, 257> logs{};
  for (unsigned i = 0; i <= 256; ++i) {
    // Bits of log2(1 + i/256) by repeated squaring, in 2^-31.
    std::uint64_t x = (std::uint64_t{256} + i) << 23;
    unsigned log = 0;
    if (i == 256) {
      log = 256;
    } else {
      for (unsigned bit = 0; bit < 8; ++bit) {
        x = (x * x) >> 31;
        log <<= 1;
        if (x >> 32 != 0) {
          log |= 1;
          x >>= 1;
        }
      }
    }
    logs[i] = static_cast<std::uint16_t>(log);
  }
  return logs;
}();

std::uint32_t log2_in_256ths(std::uint32_t x) {
  const unsigned whole = static_cast<unsigned>(std::bit_width(x)) - 1;
  const std::uint32_t mantissa = whole >= 8 ? x >> (whole - 8) : x << (8 - whole);
  return whole * 256 + kLogs[mantissa - 256];
}

// What a stream of its own costs: its headers, and half a byte for every symbol that occurs. The optimum is flat
// (2x6, 18 seeds).
constexpr std::uint64_t kStreamCost = 28 * 8 * 256;
constexpr std::uint64_t kSymbolCost = 4 * 256;

class CompressionContext {
 public:
  explicit CompressionContext(int level) : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    check(ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level));
  }
  ~CompressionContext() { ZSTD_freeCCtx(context_); }
  CompressionContext(const CompressionContext&) = delete;
  CompressionContext& operator=(const CompressionContext&) = delete;

  void set(ZSTD_cParameter parameter, int value) { check(ZSTD_CCtx_setParameter(context_, parameter, value)); }

  // Begins a frame of `bytes` bytes that is appended to `out`.
  void begin(std::size_t bytes, std::vector<std::byte>& out) {
    check(ZSTD_CCtx_reset(context_, ZSTD_reset_session_only));
    check(ZSTD_CCtx_setPledgedSrcSize(context_, bytes));
    start_ = out.size();
    // Every stream may add a block header and a few bytes to the bound.
    out.resize(start_ + ZSTD_compressBound(bytes) + 256 * 8);
    target_ = {out.data() + start_, out.size() - start_, 0};
  }
  // One zstd block (or more) of its own.
  void add(const void* data, std::size_t bytes, bool last) {
    ZSTD_inBuffer source{data, bytes, 0};
    if (check(ZSTD_compressStream2(context_, &target_, &source, last ? ZSTD_e_end : ZSTD_e_flush)) != 0) {
      throw limit_error("zstd: a block does not fit its bound");
    }
  }
  void end(std::vector<std::byte>& out) { out.resize(start_ + target_.pos); }

 private:
  static std::size_t check(std::size_t code) {
    if (ZSTD_isError(code)) throw limit_error(std::string("zstd: ") + ZSTD_getErrorName(code));
    return code;
  }

  ZSTD_CCtx* context_;
  std::size_t start_ = 0;
  ZSTD_outBuffer target_{};
};

class DecompressionContext {
 public:
  DecompressionContext() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }
  ~DecompressionContext() { ZSTD_freeDCtx(context_); }
  DecompressionContext(const DecompressionContext&) = delete;
  DecompressionContext& operator=(const DecompressionContext&) = delete;

  // False unless `source` is frames of `size` bytes in all.
  bool decompress(std::span<const std::byte> source, void* target, std::size_t size) {
    return ZSTD_decompressDCtx(context_, target, size, source.data(), source.size()) == size;
  }

 private:
  ZSTD_DCtx* context_;
};

// Below this many values the streams are not worth their headers.
constexpr std::size_t kMinContextValues = 64;

}  // namespace

PackingShape::PackingShape(const HalfRanks& halves, unsigned seeds)
    : halves_(&halves),
      ranks_(halves, seeds),
      pits_(halves.pits()),
      pit_limit_(halves.pit_limit() == 0 ? seeds : std::min(halves.pit_limit(), seeds)),
      seeds_(seeds) {
  assert(pits_ >= 1 && pits_ <= kMaxPitsHere && seeds <= kMaxLevelSeeds);
  // ways[j][s]: s seeds in j pits.
  const unsigned width = seeds + 2;
  std::vector<std::uint64_t> ways(std::size_t{pits_} * width, 0);
  ways[0] = 1;
  for (unsigned j = 1; j < pits_; ++j) {
    for (unsigned s = 0; s < width; ++s) {
      for (unsigned here = 0; here <= std::min(s, pit_limit_); ++here) {
        ways[j * width + s] += ways[(j - 1) * width + s - here];
      }
    }
  }
  // The neighbour's rank is less by the halves with one seed less in pit i, ways[pits - 1 - i][behind + 1], and
  // more by those that pit i + 1 passes when it gains a seed: all with none there, ways[pits - 2 - i][behind + 1].
  for (unsigned i = 0; i + 1 < pits_; ++i) {
    for (unsigned behind = 0; behind <= seeds; ++behind) {
      steps_.push_back(ways[(pits_ - 1 - i) * width + behind + 1] - ways[(pits_ - 2 - i) * width + behind + 1]);
    }
  }
}

struct ValuePacker::Buffers {
  explicit Buffers(int level) : zstd(level) {
    // Values in the stream of a context are nearly independent, and chance matches cost more than they save
    // (see Tried): step over whole blocks in the search, but do code literals, which zstd would leave out at
    // such a step.
    if (level <= 2) {
      zstd.set(ZSTD_c_strategy, ZSTD_fast);
      zstd.set(ZSTD_c_targetLength, ZSTD_TARGETLENGTH_MAX);
      zstd.set(ZSTD_c_literalCompressionMode, ZSTD_ps_enable);
      zstd.set(ZSTD_c_hashLog, ZSTD_HASHLOG_MIN);
    }
  }

  CompressionContext zstd;
  HalfPlans plans;
  std::vector<std::int16_t> twice;  // the rests, doubled
  std::vector<std::uint16_t> raw;
  std::vector<std::uint8_t> contexts, symbols;
  std::vector<std::uint8_t> sorted;      // the streams, one behind the other
  std::vector<std::uint32_t> histogram;  // context x symbol
  struct Stream {
    unsigned row;       // of the histogram
    unsigned contexts;  // how many it serves
    std::uint32_t size;
    std::uint64_t cost;  // 1/256 bits
  };
  std::vector<Stream> streams;
  std::vector<std::int64_t> gains;

  std::uint64_t cost(const Stream& a, const Stream* b, unsigned low, unsigned high) const {
    const std::uint32_t* x = &histogram[std::size_t{a.row} * 256];
    const std::uint32_t* y = b == nullptr ? nullptr : &histogram[std::size_t{b->row} * 256];
    const std::uint32_t total = a.size + (b == nullptr ? 0 : b->size);
    const std::uint32_t log_total = log2_in_256ths(total);
    std::uint64_t bits = kStreamCost;
    for (unsigned v = low; v <= high; ++v) {
      const std::uint32_t times = x[v] + (y == nullptr ? 0 : y[v]);
      if (times != 0) bits += kSymbolCost + std::uint64_t{times} * (log_total - log2_in_256ths(times));
    }
    return bits;
  }
};

ValuePacker::ValuePacker(int zstd_level) : buffers_(std::make_unique<Buffers>(zstd_level)) {}
ValuePacker::~ValuePacker() = default;
ValuePacker::ValuePacker(ValuePacker&&) noexcept = default;
ValuePacker& ValuePacker::operator=(ValuePacker&&) noexcept = default;

void ValuePacker::pack(const PackingShape& shape, LevelIndex first, std::span<const std::int8_t> values,
                       std::vector<std::byte>& out) {
  assert(!values.empty() && values.size() <= kMaxPackedBlockValues);
  assert(first < shape.size() && values.size() <= shape.size() - first);
  Buffers& b = *buffers_;
  const std::size_t count = values.size();
  if (count < kMinContextValues) {
    out.push_back(std::byte{0});
    b.zstd.begin(count, out);
    b.zstd.add(values.data(), count, true);
    b.zstd.end(out);
    return;
  }

  // Contexts, and how often each value occurs in each.
  const unsigned n = shape.seeds();
  const unsigned contexts = 2 * n + 1;
  b.twice.assign(count, 0);
  b.raw.resize(count);
  b.contexts.resize(count);
  b.symbols.resize(count);
  b.histogram.assign(std::size_t{contexts} * 256, 0);
  std::array<std::uint8_t, kRawContexts> context_by_raw;
  for (std::size_t raw = 0; raw < kRawContexts; ++raw) {
    context_by_raw[raw] = static_cast<std::uint8_t>(context_of(static_cast<int>(raw), n));
  }
  for_each_stretch(shape, first, count, b.plans, [&](const Stretch& s) {
    with_steps(steps_of(shape), [&]<unsigned kSteps>() {
      const auto find = s.above != 0 ? find_contexts<kSteps, true> : find_contexts<kSteps, false>;
      find(s, values.data() + s.at, b.twice.data() + s.at, b.raw.data() + s.at);
    });
  });
  unsigned low = 255, high = 0;  // symbols
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned context = context_by_raw[b.raw[i]];
    const unsigned symbol = static_cast<std::uint8_t>(values[i] + static_cast<int>(n));
    b.contexts[i] = static_cast<std::uint8_t>(context);
    b.symbols[i] = static_cast<std::uint8_t>(symbol);
    low = std::min(low, symbol);
    high = std::max(high, symbol);
    ++b.histogram[context * 256 + symbol];
  }

  // Streams: one per context that occurs, then neighbours are merged while that saves most.
  b.streams.clear();
  unsigned waiting = 0;  // contexts that do not occur join the next that does
  for (unsigned c = 0; c < contexts; ++c) {
    ++waiting;
    std::uint32_t size = 0;
    for (unsigned v = low; v <= high; ++v) size += b.histogram[std::size_t{c} * 256 + v];
    if (size == 0) continue;
    Buffers::Stream stream{c, waiting, size, 0};
    stream.cost = b.cost(stream, nullptr, low, high);
    b.streams.push_back(stream);
    waiting = 0;
  }
  b.streams.back().contexts += waiting;
  const auto gain = [&](std::size_t i) {
    const auto& x = b.streams[i];
    const auto& y = b.streams[i + 1];
    return static_cast<std::int64_t>(x.cost + y.cost) - static_cast<std::int64_t>(b.cost(x, &y, low, high));
  };
  b.gains.clear();
  for (std::size_t i = 0; i + 1 < b.streams.size(); ++i) b.gains.push_back(gain(i));
  while (!b.gains.empty()) {
    const auto best = std::max_element(b.gains.begin(), b.gains.end());
    if (*best < 0) break;
    const std::size_t i = static_cast<std::size_t>(best - b.gains.begin());
    auto& x = b.streams[i];
    const auto& y = b.streams[i + 1];
    for (unsigned v = low; v <= high; ++v) {
      b.histogram[std::size_t{x.row} * 256 + v] += b.histogram[std::size_t{y.row} * 256 + v];
    }
    x.cost = static_cast<std::uint64_t>(static_cast<std::int64_t>(x.cost + y.cost) - *best);
    x.size += y.size;
    x.contexts += y.contexts;
    b.streams.erase(b.streams.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    b.gains.erase(best);
    if (i < b.gains.size()) b.gains[i] = gain(i);
    if (i > 0) b.gains[i - 1] = gain(i - 1);
  }

  // The directory, the streams, the frame.
  out.push_back(static_cast<std::byte>(b.streams.size()));
  std::array<std::uint8_t*, 2 * kMaxLevelSeeds + 1> cursors;
  b.sorted.resize(count);
  std::uint8_t* start = b.sorted.data();
  unsigned context = 0;
  for (const auto& stream : b.streams) {
    out.push_back(static_cast<std::byte>(stream.contexts));
    out.push_back(static_cast<std::byte>((stream.size - 1) & 255));
    out.push_back(static_cast<std::byte>((stream.size - 1) >> 8));
    context += stream.contexts;
    start += stream.size;
  }
  assert(context == contexts && start == b.sorted.data() + count);
  // One cursor per stream; contexts look theirs up.
  std::array<std::uint8_t, 2 * kMaxLevelSeeds + 1> stream_of;
  start = b.sorted.data();
  context = 0;
  for (std::size_t i = 0; i < b.streams.size(); ++i) {
    cursors[i] = start;
    start += b.streams[i].size;
    for (unsigned c = 0; c < b.streams[i].contexts; ++c) stream_of[context++] = static_cast<std::uint8_t>(i);
  }
  const std::uint8_t* from = b.contexts.data();
  for (std::size_t i = 0; i < count; ++i) *cursors[stream_of[from[i]]]++ = b.symbols[i];

  b.zstd.begin(count, out);
  start = b.sorted.data();
  for (std::size_t i = 0; i < b.streams.size(); ++i) {
    b.zstd.add(start, b.streams[i].size, i + 1 == b.streams.size());
    start += b.streams[i].size;
  }
  b.zstd.end(out);
}

struct ValueUnpacker::Buffers {
  DecompressionContext zstd;
  HalfPlans plans;
  std::vector<std::int16_t> twice;  // the rests, doubled
  std::vector<std::uint8_t> sorted;
};

ValueUnpacker::ValueUnpacker() : buffers_(std::make_unique<Buffers>()) {}
ValueUnpacker::~ValueUnpacker() = default;
ValueUnpacker::ValueUnpacker(ValueUnpacker&&) noexcept = default;
ValueUnpacker& ValueUnpacker::operator=(ValueUnpacker&&) noexcept = default;

bool ValueUnpacker::unpack(const PackingShape& shape, LevelIndex first, std::span<const std::byte> block,
                           std::span<std::int8_t> values) {
  const std::size_t count = values.size();
  if (count == 0 || count > kMaxPackedBlockValues || first >= shape.size() || count > shape.size() - first ||
      block.empty()) {
    return false;
  }
  Buffers& b = *buffers_;
  const std::size_t streams = static_cast<std::size_t>(block[0]);
  if (streams == 0) return b.zstd.decompress(block.subspan(1), values.data(), count);

  // The directory. A stream's cursor moves at most `count` times, so with as many bytes of room behind the last
  // stream no directory can lead it out of the buffer; where the cursors end shows whether it was right.
  if (block.size() < 1 + 3 * streams) return false;
  const unsigned n = shape.seeds();
  const unsigned contexts = 2 * n + 1;
  if (streams > contexts) return false;
  b.sorted.resize(2 * count);
  std::array<const std::uint8_t*, 256> cursors, ends;
  std::array<std::uint8_t, 2 * kMaxLevelSeeds + 1> stream_of;
  unsigned context = 0;
  std::size_t position = 0;
  for (std::size_t i = 0; i < streams; ++i) {
    const unsigned width = static_cast<unsigned>(block[1 + 3 * i]);
    const std::size_t size =
        1 + static_cast<std::size_t>(block[2 + 3 * i]) + (static_cast<std::size_t>(block[3 + 3 * i]) << 8);
    if (width == 0 || width > contexts - context || size > count - position) return false;
    for (unsigned c = 0; c < width; ++c) stream_of[context++] = static_cast<std::uint8_t>(i);
    cursors[i] = b.sorted.data() + position;
    position += size;
    ends[i] = b.sorted.data() + position;
  }
  if (context != contexts || position != count) return false;
  if (!b.zstd.decompress(block.subspan(1 + 3 * streams), b.sorted.data(), count)) return false;

  std::array<std::uint8_t, kRawContexts> stream_by_raw;
  for (std::size_t raw = 0; raw < kRawContexts; ++raw) {
    stream_by_raw[raw] = stream_of[context_of(static_cast<int>(raw), n)];
  }
  b.twice.assign(count, 0);
  for_each_stretch(shape, first, count, b.plans, [&](const Stretch& s) {
    with_steps(steps_of(shape), [&]<unsigned kSteps>() {
      const auto find = s.above != 0 ? find_values<kSteps, true> : find_values<kSteps, false>;
      find(s, static_cast<int>(n), stream_by_raw.data(), cursors.data(), b.twice.data() + s.at,
           values.data() + s.at);
    });
  });
  return std::equal(cursors.begin(), cursors.begin() + static_cast<std::ptrdiff_t>(streams), ends.begin());
}

struct DistancePacker::Buffers {
  explicit Buffers(int level) : zstd(level) {}
  CompressionContext zstd;
  std::vector<std::uint8_t> planes;
};

DistancePacker::DistancePacker(int zstd_level) : buffers_(std::make_unique<Buffers>(zstd_level)) {}
DistancePacker::~DistancePacker() = default;
DistancePacker::DistancePacker(DistancePacker&&) noexcept = default;
DistancePacker& DistancePacker::operator=(DistancePacker&&) noexcept = default;

void DistancePacker::pack(std::span<const std::uint16_t> distances, std::vector<std::byte>& out) {
  assert(!distances.empty() && distances.size() <= kMaxPackedBlockValues);
  Buffers& b = *buffers_;
  const std::size_t count = distances.size();
  b.planes.resize(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    b.planes[i] = static_cast<std::uint8_t>(distances[i] & 255);
    b.planes[count + i] = static_cast<std::uint8_t>(distances[i] >> 8);
  }
  b.zstd.begin(2 * count, out);
  b.zstd.add(b.planes.data(), count, false);
  b.zstd.add(b.planes.data() + count, count, true);
  b.zstd.end(out);
}

struct DistanceUnpacker::Buffers {
  DecompressionContext zstd;
  std::vector<std::uint8_t> planes;
};

DistanceUnpacker::DistanceUnpacker() : buffers_(std::make_unique<Buffers>()) {}
DistanceUnpacker::~DistanceUnpacker() = default;
DistanceUnpacker::DistanceUnpacker(DistanceUnpacker&&) noexcept = default;
DistanceUnpacker& DistanceUnpacker::operator=(DistanceUnpacker&&) noexcept = default;

bool DistanceUnpacker::unpack(std::span<const std::byte> block, std::span<std::uint16_t> distances) {
  const std::size_t count = distances.size();
  if (count == 0 || count > kMaxPackedBlockValues) return false;
  Buffers& b = *buffers_;
  b.planes.resize(2 * count);
  if (!b.zstd.decompress(block, b.planes.data(), 2 * count)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    distances[i] = static_cast<std::uint16_t>(b.planes[i] | (b.planes[count + i] << 8));
  }
  return true;
}

}  // namespace retrosow
