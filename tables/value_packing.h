// Value packing: what stands between the values of a level and libzstd (FORMAT.md, "Value packing").
//
// A value is close to those of boards that differ by one seed moved to the next pit. All boards with one
// opponent's half B are a row of the index, so for the mover's half A these neighbours lie at fixed
// distances back in the same row, and the same A in the row before at one more. What the mover can
// capture at once jumps from board to board, so it is taken out before neighbours are compared:
//
//   rest(p)    = value(p) - capture(p)              capture: what A can take of B at once, roughly
//   context(p) = mean of the rests of the neighbours of p in this block + capture(p)
//
// The context is no prediction to subtract: values cluster on parity, 0 and what stands on the board, so
// the value is stored as it is, in the stream of its context. Neighbouring contexts share a stream
// where their own would not pay for its Huffman table. The streams, each a zstd block of its own, make one
// zstd frame; decoding gives each value back from the stream of its context.
//
// Few values depend on the one just before them, so the processor works on several at a time.
//
// The capture is a hint for compression, the same for all rules (2 or 3 start a capture, 2 to 4 continue
// it, no lap): other rules cost space, never exactness.
//
// Tried, on 2x6 boards: zstd level 1 with its matches, 0.377 bytes per position at 18 seeds (0.361 without);
// subtracting the mean and coding the difference in one stream, entropy 0.379 instead of 0.338 at 16 seeds;
// contexts of (mean, spread of the neighbours), entropy 0.327 at 16 seeds, but 0.39 with the tables of a block;
// the left neighbour in the mean, 1 % less, but then every value waits for the one before.
// Tried in decoding, level 18 of 2x6, random blocks of 8192 values: distances to all neighbours in a table of all positions of
// a row, made for each block, 95 us where the tables of tails take 79 us; the sum of the rests divided, not looked up, 86 us.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bitboard/rank.h"
#include "tables/values.h"

namespace retrosow {

// As FORMAT.md has it.
inline constexpr std::size_t kMaxPackedBlockValues = 1U << 16;

// The tail of a half, its last pits, as its row shows it. Halves that differ in their tails alone follow each other, and
// then the neighbour by a step from the tail's first pit is among them.
struct TailHalf {
  std::uint16_t back = 0;       // how far back that neighbour lies
  std::uint8_t neighbours = 0;  // 1, or 0 if there is none
  std::uint8_t reach = 0;       // the opponent's pits that moves of the tail end in: bit x - 1 for pit x
};

// What packing needs to know of a level. Thread: const use is safe.
class PackingShape {
 public:
  // Pre: as LevelRanks; `halves` outlives this.
  // Fails: limit error if the level has more boards than a LevelIndex counts.
  PackingShape(const HalfRanks& halves, unsigned seeds);

  unsigned pits() const { return pits_; }
  unsigned pit_limit() const { return pit_limit_; }  // at most seeds(), never "none"
  unsigned seeds() const { return seeds_; }
  LevelIndex size() const { return ranks_.size(); }
  const LevelRanks& ranks() const { return ranks_; }
  const HalfRanks& halves() const { return *halves_; }
  // How far back the half lies that has a seed of pit i (from 0) moved to pit i + 1, with `behind` seeds
  // in the pits after i. Pre: i + 1 < pits, pit i is not empty.
  std::uint64_t step(unsigned i, unsigned behind) const { return steps_[i * (seeds_ + 1) + behind]; }

  // Of one, and of the HalfRanks it needs: the most that both hold.
  static std::uint64_t memory_bytes(unsigned pits, unsigned seeds) {
    const std::uint64_t n = seeds + 1;
    return 8 * n * (pits * n + 2 * pits) + sizeof(TailHalf) * n * (n + 1) * (n + 2) / 6 + 16 * n;
  }

  static constexpr unsigned kTailPits = 3;
  unsigned tail_pits() const { return pits_ < kTailPits ? pits_ : kTailPits; }
  // The tails of so many seeds, in rank order; none if they do not fit.
  std::span<const TailHalf> tails(unsigned seeds) const {
    return std::span(tails_).subspan(first_tail_[seeds], first_tail_[seeds + 1] - first_tail_[seeds]);
  }
  // Those whose first pit is below the limit: they come first.
  std::size_t open_tails(unsigned seeds) const { return open_tails_[seeds]; }

 private:
  const HalfRanks* halves_;
  LevelRanks ranks_;
  unsigned pits_, pit_limit_, seeds_;
  std::vector<std::uint64_t> steps_;
  std::vector<TailHalf> tails_;
  std::vector<std::size_t> first_tail_, open_tails_;  // by seeds
};

// Packs blocks of values. Thread: one per thread; the buffers (up to 2 MB) are kept from block to block.
class ValuePacker {
 public:
  explicit ValuePacker(int zstd_level = 1);
  ~ValuePacker();
  ValuePacker(ValuePacker&&) noexcept;
  ValuePacker& operator=(ValuePacker&&) noexcept;

  // Appends the block of the positions first, first + 1, ... to `out`. The bytes depend on the arguments
  // and the zstd version alone.
  // Pre: 1 <= values.size() <= kMaxPackedBlockValues, first + values.size() <= shape.size().
  // Fails: std::bad_alloc; limit error if zstd fails.
  void pack(const PackingShape& shape, LevelIndex first, std::span<const std::int8_t> values,
            std::vector<std::byte>& out);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

// Unpacks blocks of values. Thread: one per thread; works for any shapes in turn.
class ValueUnpacker {
 public:
  ValueUnpacker();
  ~ValueUnpacker();
  ValueUnpacker(ValueUnpacker&&) noexcept;
  ValueUnpacker& operator=(ValueUnpacker&&) noexcept;

  // The inverse of pack(): fills `values`, whose size is the number of values in the block.
  // Fails: false if `block` is not such a block, or sizes are out of range; `values` is then unspecified.
  // Reads and writes nothing out of bounds, whatever the bytes; allocates no more than the buffers.
  bool unpack(const PackingShape& shape, LevelIndex first, std::span<const std::byte> block,
              std::span<std::int8_t> values);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

// Guarantees: the seeds that the mover takes at least and at most, each as values. What he takes at once raises both, as
// it does a value, so the context of a capture serves both. 0.539 bytes a position of Oware's level 13.
// Tried there: both as differences 0.536; the mover's seeds and the opponent's 0.555; the mover's and what is left open
// 0.549; a plane of bytes each through zstd alone 0.650.
// As ValuePacker::pack and ValueUnpacker::unpack.
void pack_guarantees(ValuePacker& packer, const PackingShape& shape, LevelIndex first,
                     std::span<const Guarantee> guarantees, std::vector<std::byte>& out);
bool unpack_guarantees(ValueUnpacker& unpacker, const PackingShape& shape, LevelIndex first,
                       std::span<const std::byte> block, std::span<Guarantee> guarantees);

// Distances: 16-bit numbers as two planes, all low bytes, then all high bytes, each a zstd block of its own.
class DistancePacker {
 public:
  // With a checksum, four bytes, unpacking finds whatever is changed; tables have their own.
  explicit DistancePacker(int zstd_level = 3, bool checksum = false);
  ~DistancePacker();
  DistancePacker(DistancePacker&&) noexcept;
  DistancePacker& operator=(DistancePacker&&) noexcept;

  // Pre: 1 <= distances.size() <= kMaxPackedBlockValues.
  void pack(std::span<const std::uint16_t> distances, std::vector<std::byte>& out);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

class DistanceUnpacker {
 public:
  DistanceUnpacker();
  ~DistanceUnpacker();
  DistanceUnpacker(DistanceUnpacker&&) noexcept;
  DistanceUnpacker& operator=(DistanceUnpacker&&) noexcept;

  // Fails: false, as ValueUnpacker::unpack.
  bool unpack(std::span<const std::byte> block, std::span<std::uint16_t> distances);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace retrosow
