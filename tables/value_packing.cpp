#include "tables/value_packing.h"

#define ZSTD_STATIC_LINKING_ONLY  // for one compression parameter, ZSTD_c_literalCompressionMode
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <numeric>
#include <string>
#include <utility>

#include "bitboard/error.h"

namespace retrosow {
namespace {

constexpr unsigned kMaxPitsHere = 8;
constexpr unsigned kMaxNeighbours = kMaxPitsHere - 1;

// Contexts without a division: by the sum of the rests of the m neighbours, m times the capture added, since
// floor((2 s + m) / (2 m)) + capture = floor((2 (s + m capture) + m) / (2 m)). What a context stands for here is up to
// the user: itself, or its stream. Without neighbours the context is the capture, as with one whose rest is 0.
class ContextTables {
 public:
  // Of a level with n seeds, for up to `most` neighbours.
  void make(unsigned n, unsigned most, std::span<const std::uint8_t> by_context) {
    assert(most <= kMaxNeighbours && by_context.size() == 2 * n + 1);
    bytes_.resize(start_of(std::max(most, 1U) + 1));
    for (unsigned m = 1; m <= std::max(most, 1U); ++m) {
      // m sums for each context, beginning at m context - m / 2; all below and above are the outermost ones.
      std::uint8_t* at = bytes_.data() + start_of(m);
      at = std::fill_n(at, m * (kLowest - n + 1) - m / 2, by_context.front());
      for (unsigned c = 1; c < 2 * n; ++c) at = std::fill_n(at, m, by_context[c]);
      std::fill(at, bytes_.data() + start_of(m + 1), by_context.back());
    }
  }
  // Takes any sum, also of damaged blocks.
  const std::uint8_t* by_sum(unsigned neighbours) const {
    const unsigned m = std::max(neighbours, 1U);
    return bytes_.data() + start_of(m) + m * kLowest;
  }
  static int capture_times(unsigned neighbours) { return static_cast<int>(std::max(neighbours, 1U)); }

 private:
  // Values are -128 ... 127, captures 0 ... kMaxCapture.
  static constexpr unsigned kMaxCapture = kMaxLevelSeeds + kMaxPitsHere;
  static constexpr unsigned kLowest = 128 + kMaxCapture, kHighest = 127 + kMaxCapture;
  static std::size_t start_of(unsigned m) { return std::size_t{m} * (m - 1) / 2 * (kLowest + kHighest + 1); }

  std::vector<std::uint8_t> bytes_;
};

// Calls run.template operator()<front>().
template <typename Run>
void with_front(unsigned front, Run&& run) {
  switch (front) {
    case 0: return run.template operator()<0>();
    case 1: return run.template operator()<1>();
    case 2: return run.template operator()<2>();
    case 3: return run.template operator()<3>();
    case 4: return run.template operator()<4>();
    default: return run.template operator()<kMaxPitsHere - PackingShape::kTailPits>();
  }
}

// The opponent's pit that a sowing of pit i ends in, as a bit: bit x - 1 for pit x.
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

// Halves by their front, all pits but the tail, and the seeds of the tail: a group, which follow each other.
template <unsigned kFront>
class Front {
 public:
  Front(const PackingShape& shape, const Half& half) : shape_(shape) {
    std::copy_n(half.begin(), kFront, pits_.begin());
    for (unsigned i = kFront; i < shape.pits(); ++i) behind_ += half[i];
  }

  // The first group of the halves with so many seeds.
  void lay_first(unsigned seeds) { lay_last(0, seeds); }
  // Pre: there is one.
  void next() {
    unsigned behind = behind_;
    unsigned i = kFront;
    while (i-- > 0) {
      if (behind != 0 && pits_[i] < shape_.pit_limit()) break;
      behind += pits_[i];
    }
    ++pits_[i];
    lay_last(i + 1, behind - 1);
  }

  std::span<const TailHalf> tails() const { return shape_.tails(behind_); }
  // Those whose first pit has room for one more seed.
  std::size_t open_tails() const { return shape_.open_tails(behind_); }

  // How far back the half lies that has a seed of pit i moved to pit i + 1; 0: there is none. Of the last pit
  // it holds for open tails.
  std::array<std::uint64_t, kFront + 1> distances() const {
    std::array<std::uint64_t, kFront + 1> distances{};
    unsigned behind = behind_;
    for (unsigned i = kFront; i-- > 0;) {
      const bool there = pits_[i] != 0 && (i + 1 == kFront || pits_[i + 1] < shape_.pit_limit());
      distances[i] = there ? shape_.step(i, behind) : 0;
      behind += pits_[i];
    }
    return distances;
  }
  unsigned reach() const {
    unsigned reach = 0;
    for (unsigned i = 0; i < kFront; ++i) reach |= reach_of(shape_.pits(), i, pits_[i]);
    return reach;
  }

 private:
  void lay_last(unsigned from, unsigned seeds) {
    behind_ = std::min(seeds, (shape_.pits() - kFront) * shape_.pit_limit());
    seeds -= behind_;
    for (unsigned i = kFront; i-- > from;) {
      pits_[i] = std::min(seeds, shape_.pit_limit());
      seeds -= pits_[i];
    }
  }

  const PackingShape& shape_;
  std::array<unsigned, kFront> pits_{};
  unsigned behind_ = 0;
};

// Positions of one group and one row that have the same neighbours outside of the group.
template <unsigned kFront>
struct Stretch {
  std::size_t at = 0, size = 0;                   // in the block
  std::array<std::uint64_t, kFront + 1> back{};   // distances to those neighbours, at the end that in the row before; 0: none
  unsigned neighbours = 0;                        // how many there are
  unsigned reach = 0;                             // of the front
  const TailHalf* tails = nullptr;                // one for each position
  const std::uint8_t* captures = nullptr;         // by reach
};

// Calls visit(Stretch) for the block of `count` positions from `first`, in order. `cut` is for a group that the block
// begins in.
template <unsigned kFront, typename Visit>
void for_each_stretch(const PackingShape& shape, LevelIndex first, std::size_t count, std::vector<TailHalf>& cut,
                      Visit&& visit) {
  const unsigned k = shape.pits();
  const unsigned limit = shape.pit_limit();
  Position board = shape.ranks().unrank(first);
  Half a{}, b{};
  unsigned b_seeds = 0;
  for (unsigned i = 0; i < k; ++i) {
    a[i] = board.lanes[2 * k - 1 - i];
    b[i] = board.lanes[k - 1 - i];
    b_seeds += b[i];
  }
  std::uint64_t begin = shape.halves().rank(board, 2 * k - 1, shape.seeds() - b_seeds);  // the row's first rank here
  std::uint64_t rows_left = shape.halves().count(b_seeds) - shape.halves().rank(board, k - 1, b_seeds);

  Front<kFront> front(shape, a);
  unsigned in_tail = 0;
  for (unsigned i = kFront; i < k; ++i) in_tail += a[i];
  lay_last(k, limit, kFront, in_tail, a);
  for (unsigned i = kFront; i < k; ++i) board.lanes[2 * k - 1 - i] = static_cast<std::uint8_t>(a[i]);
  std::uint64_t group = shape.halves().rank(board, 2 * k - 1, shape.seeds() - b_seeds);  // the first rank of the group

  CaptureTable captures;
  std::size_t at = 0;
  bool row_before = false;       // the block holds positions of the row before, and that has as many
  std::uint64_t above_from = 0;  // those of this rank and up
  for (;;) {
    const unsigned a_seeds = shape.seeds() - b_seeds;
    const std::uint64_t row = shape.halves().count(a_seeds);
    const std::uint64_t end = std::min<std::uint64_t>(row, begin + (count - at));
    const std::uint64_t middle = row_before ? std::clamp(above_from, begin, end) : end;
    make_captures(k, b, a_seeds, captures);
    for (std::uint64_t rank = begin;;) {
      std::span<const TailHalf> tails = front.tails();
      if (rank != group) {
        cut.assign(tails.begin(), tails.end());
        for (std::size_t i = static_cast<std::size_t>(rank - group); i < cut.size(); ++i) {
          if (cut[i].back > i - (rank - group)) cut[i].back = cut[i].neighbours = 0;
        }
        tails = cut;
      }
      const std::uint64_t open_end = group + front.open_tails();
      const std::uint64_t group_end = std::min(end, group + tails.size());
      const auto distances = front.distances();
      Stretch<kFront> stretch;
      stretch.reach = front.reach();
      stretch.captures = captures.data();
      while (rank < group_end) {
        std::uint64_t stop = group_end;
        stretch.back = distances;
        if (rank < open_end) {
          stop = std::min(stop, open_end);
        } else if (kFront > 0) {
          stretch.back[kFront - 1] = 0;
        }
        stretch.neighbours = 0;
        for (unsigned i = 0; i < kFront; ++i) {
          if (stretch.back[i] > rank - begin) {  // before the block; further on it is not
            stop = std::min(stop, begin + stretch.back[i]);
            stretch.back[i] = 0;
          }
          stretch.neighbours += stretch.back[i] != 0;
        }
        if (rank < middle) {
          stop = std::min(stop, middle);
        } else {
          stretch.back[kFront] = row;
          ++stretch.neighbours;
        }
        stretch.at = at;
        stretch.size = static_cast<std::size_t>(stop - rank);
        stretch.tails = tails.data() + (rank - group);
        visit(stretch);
        at += stretch.size;
        rank = stop;
      }
      if (rank == end) break;
      group += tails.size();
      front.next();
    }
    if (at == count) return;

    above_from = begin;
    begin = group = 0;
    if (--rows_left != 0) {
      next_half(k, limit, b);
      row_before = true;
    } else {
      // The next number of seeds that both halves can hold.
      do {
        ++b_seeds;
      } while (shape.halves().count(b_seeds) == 0 || shape.halves().count(shape.seeds() - b_seeds) == 0);
      rows_left = shape.halves().count(b_seeds);
      lay_last(k, limit, 0, b_seeds, b);
      row_before = false;
    }
    front.lay_first(shape.seeds() - b_seeds);
  }
}

// What the kernel below reads behind the last position.
constexpr std::size_t kLanes = 8;

// Goes through a stretch: `value_of(place in the block, context)` gives each value. `rests` are those of the block,
// and 0 from the stretch on: so is what stands 0 back, in place of a neighbour that is not there.
template <unsigned kFront, typename ValueOf>
inline void walk(const Stretch<kFront>& s, const ContextTables& contexts, std::int16_t* rests, ValueOf&& value_of) {
  // Neighbours outside of the group are known for all positions of a stretch before its first value is, so many are
  // added up at once.
  constexpr std::size_t kChunk = 4 * kLanes;
  const std::array<const std::uint8_t*, 2> by_sum = {contexts.by_sum(s.neighbours), contexts.by_sum(s.neighbours + 1)};
  const std::array<int, 2> times = {ContextTables::capture_times(s.neighbours),
                                    ContextTables::capture_times(s.neighbours + 1)};
  const std::uint8_t* const captures = s.captures;
  const unsigned reach = s.reach;
  for (std::size_t done = 0; done < s.size; done += kChunk) {
    const std::size_t size = std::min(kChunk, s.size - done);
    std::int16_t* const here = rests + s.at + done;
    const TailHalf* const tails = s.tails + done;
    std::int16_t sums[kChunk];
    for (std::size_t from = 0; from < size; from += kLanes) {
      std::array<const std::int16_t*, kFront + 1> neighbour;
      for (unsigned j = 0; j <= kFront; ++j) neighbour[j] = here + from - s.back[j];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        int sum = 0;
        for (unsigned j = 0; j <= kFront; ++j) sum += neighbour[j][lane];
        sums[from + lane] = static_cast<std::int16_t>(sum);
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      const TailHalf tail = tails[i];
      const int capture = captures[reach | tail.reach];
      const int sum = sums[i] + times[tail.neighbours] * capture + *(here + i - tail.back);
      const int value = value_of(s.at + done + i, by_sum[tail.neighbours][sum]);
      here[i] = static_cast<std::int16_t>(value - capture);
    }
  }
}

// All of a block, as walk(). `rests` is room for it.
template <typename ValueOf>
void walk_block(const PackingShape& shape, LevelIndex first, std::size_t count, const ContextTables& contexts,
                std::vector<std::int16_t>& rests, std::vector<TailHalf>& cut, ValueOf&& value_of) {
  rests.assign(count + kLanes, 0);
  with_front(shape.pits() - shape.tail_pits(), [&]<unsigned kFront>() {
    for_each_stretch<kFront>(shape, first, count, cut, [&, value_of](const Stretch<kFront>& stretch) {
      walk(stretch, contexts, rests.data(), value_of);
    });
  });
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
  const unsigned front = pits_ - tail_pits();
  const HalfRanks tails(tail_pits(), halves.pit_limit(), seeds);
  for (unsigned s = 0; s <= seeds; ++s) {
    first_tail_.push_back(tails_.size());
    open_tails_.push_back(0);
    Half tail{};
    lay_last(tail_pits(), pit_limit_, 0, s, tail);
    for (std::uint64_t left = tails.count(s); left != 0; --left) {
      TailHalf entry;
      for (unsigned i = 0; i < tail_pits(); ++i) {
        entry.reach = static_cast<std::uint8_t>(entry.reach | reach_of(pits_, front + i, tail[i]));
      }
      if (tail_pits() == kTailPits && tail[0] != 0 && tail[1] < pit_limit_) {
        entry.back = static_cast<std::uint16_t>(step(front, s - tail[0]));
        entry.neighbours = 1;
      }
      tails_.push_back(entry);
      open_tails_.back() += tail[0] < pit_limit_;
      if (left != 1) next_half(tail_pits(), pit_limit_, tail);
    }
  }
  first_tail_.push_back(tails_.size());
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
  std::vector<TailHalf> cut;
  ContextTables context_tables;
  std::vector<std::int16_t> rests;
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
  b.contexts.resize(count);
  b.symbols.resize(count);
  b.histogram.assign(std::size_t{contexts} * 256, 0);
  std::array<std::uint8_t, 2 * kMaxLevelSeeds + 1> same;
  std::iota(same.begin(), same.end(), std::uint8_t{0});
  b.context_tables.make(n, shape.pits() - 1, std::span(same).first(contexts));
  walk_block(shape, first, count, b.context_tables, b.rests, b.cut,
             [contexts_out = b.contexts.data(), in = values.data()](std::size_t i, std::uint8_t context) {
               contexts_out[i] = context;
               return in[i];
             });
  unsigned low = 255, high = 0;  // symbols
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned context = b.contexts[i];
    const unsigned symbol = static_cast<std::uint8_t>(values[i] + static_cast<int>(n));
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
  std::vector<TailHalf> cut;
  ContextTables context_tables;
  std::vector<std::int16_t> rests;
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
  b.sorted.resize(2 * count + 1);
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

  // Symbols become values. What a stream gives next is at hand before it is asked for: a value is then one
  // look-up away from its stream, and every value waits for its neighbours.
  for (std::uint8_t& symbol : std::span(b.sorted).first(count)) symbol = static_cast<std::uint8_t>(symbol - n);
  std::array<std::int8_t, 256> next;
  for (std::size_t i = 0; i < streams; ++i) next[i] = static_cast<std::int8_t>(*cursors[i]);
  b.context_tables.make(n, shape.pits() - 1, std::span(stream_of).first(contexts));
  walk_block(shape, first, count, b.context_tables, b.rests, b.cut,
             // Pointers of its own: bytes may alias whatever stands behind a reference.
             [next = next.data(), cursors = cursors.data(), out = values.data()](std::size_t i, std::uint8_t stream) {
               const std::int8_t value = next[stream];
               next[stream] = static_cast<std::int8_t>(*++cursors[stream]);
               out[i] = value;
               return value;
             });
  return std::equal(cursors.begin(), cursors.begin() + static_cast<std::ptrdiff_t>(streams), ends.begin());
}

namespace {

struct GuaranteePlanes {
  std::vector<std::int8_t> least, most;  // that the mover takes

  explicit GuaranteePlanes(std::size_t size) : least(size), most(size) {}
};

}  // namespace

void pack_guarantees(ValuePacker& packer, const PackingShape& shape, LevelIndex first,
                     std::span<const Guarantee> guarantees, std::vector<std::byte>& out) {
  GuaranteePlanes planes(guarantees.size());
  for (std::size_t i = 0; i < guarantees.size(); ++i) {
    planes.least[i] = static_cast<std::int8_t>(guarantees[i].mover);
    planes.most[i] = static_cast<std::int8_t>(shape.seeds() - guarantees[i].opponent);
  }
  const std::size_t begin = out.size();
  out.resize(begin + sizeof(std::uint32_t));
  packer.pack(shape, first, planes.least, out);
  const auto least_bytes = static_cast<std::uint32_t>(out.size() - begin - sizeof(std::uint32_t));
  std::memcpy(out.data() + begin, &least_bytes, sizeof least_bytes);
  packer.pack(shape, first, planes.most, out);
}

bool unpack_guarantees(ValueUnpacker& unpacker, const PackingShape& shape, LevelIndex first,
                       std::span<const std::byte> block, std::span<Guarantee> guarantees) {
  std::uint32_t least_bytes;
  if (block.size() < sizeof least_bytes) return false;
  std::memcpy(&least_bytes, block.data(), sizeof least_bytes);
  const std::span<const std::byte> parts = block.subspan(sizeof least_bytes);
  if (least_bytes > parts.size()) return false;
  GuaranteePlanes planes(guarantees.size());
  if (!unpacker.unpack(shape, first, parts.first(least_bytes), planes.least) ||
      !unpacker.unpack(shape, first, parts.subspan(least_bytes), planes.most)) {
    return false;
  }
  const int n = static_cast<int>(shape.seeds());
  for (std::size_t i = 0; i < guarantees.size(); ++i) {
    const int least = planes.least[i], most = planes.most[i];
    if (least < 0 || most < least || most > n) return false;
    guarantees[i] = {static_cast<std::uint8_t>(least), static_cast<std::uint8_t>(n - most)};
  }
  return true;
}

struct DistancePacker::Buffers {
  Buffers(int level, bool checksum) : zstd(level) { zstd.set(ZSTD_c_checksumFlag, checksum ? 1 : 0); }
  CompressionContext zstd;
  std::vector<std::uint8_t> planes;
};

DistancePacker::DistancePacker(int zstd_level, bool checksum) : buffers_(std::make_unique<Buffers>(zstd_level, checksum)) {}
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
