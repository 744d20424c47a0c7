// What a search remembers of positions: proved bounds of their values, and hints.
//
// Keys. A position's key is the word of its bars (bitboard/bars.h), which loses nothing: n + p bits at most for n seeds
// in p pits, and one more in Rio Kadalis with rows of different length: which side is to move. So boards of up to
// 64 - p seeds have one.
//
// Entries. Two words of 64 bits, four entries in a cache line:
//
//   facts   tag (50)  lower bound + 64 (7)  upper bound + 64 (7)      0: an empty entry
//   hints   mover fails: threshold (8), depth (16)  opponent fails: threshold (8), depth (16)
//           best move + 1 (4)  log2 of the work (6)  generation (6)
//
// Lossless. A key of K bits is mixed by a bijection of K-bit numbers; the upper bits choose the bucket,
// all others are the tag. index bits + tag bits = K, so an entry that matches is of the same position,
// never of another. The tag has K - log2(buckets) <= 50 bits: the table is never made smaller than that.
//
// Threads share a table without locks. The facts are one atomic word: who reads it has the bounds of one
// write, whole, with their tag. Racing writes of one entry lose one of two facts, both of them true. The
// hints may belong to another write or even another position: they order moves and end attempts early
// that a later, deeper attempt repeats, and never decide a value.
#pragma once

#include <atomic>
#include <bit>
#include <cassert>
#include <cstdint>

#include "bitboard/bars.h"
#include "bitboard/position.h"
#include "tables/huge_array.h"

namespace retrosow {

using SearchKey = std::uint64_t;

// Whether every board of up to so many seeds has a key.
constexpr bool has_search_key(unsigned seeds, Shape shape) {
  return seeds + shape.pits() + (shape.mover_pits != shape.opponent_pits ? 1 : 0) <= 64;
}

// `swapped_bit`: 0, or the bit that marks the side to move. Pre: has_search_key.
inline SearchKey search_key(const Position& position, unsigned pits, SearchKey swapped_bit) {
  return swapped_bit | bars_of(position.low(), position.high(), pits);
}

// A key as the table files it (TranspositionTable::mix), made once for all that is done with it.
struct MixedKey {
  std::uint64_t bits;  // not set at first: lists of moves hold many that are never used
};

// What is proved of a value: lower <= value <= upper.
struct ProvedBounds {
  int lower = 0;
  int upper = 0;
};

class TranspositionTable {
 public:
  static constexpr unsigned kTagBits = 50;
  static constexpr int kMaxBound = 63;
  static constexpr unsigned kBucketEntries = 4;
  static constexpr unsigned kEntryBytes = 16;
  static constexpr unsigned kMaxDepth = 0xffff;  // of an attempt that is remembered; deeper ones as this

  // Hints of a position, for the player to move: he was not shown to reach `threshold` (or his opponent
  // was not shown to hold him below it) by a search of `depth` plies.
  struct Attempt {
    int threshold = 0;
    unsigned depth = 0;  // 0: none
  };
  struct Hints {
    Attempt mover;
    Attempt opponent;
    unsigned move = 0;  // slot + 1; 0: none
  };
  struct Found {
    bool hit = false;
    ProvedBounds bounds;  // if hit
    Hints hints;
  };

  // For keys of `key_bits` bits; at most `bytes` large unless kTagBits asks for more, at least one cache line, of which
  // fewer bytes than that leave entries unused.
  // Fails: limit error when there is no memory.
  TranspositionTable(unsigned key_bits, std::uint64_t bytes);

  // Forgets everything. Cost: the time to write the table once.
  void clear();
  // Entries of earlier generations are replaced first.
  void new_generation() { generation_ = (generation_ + 1) & 63; }

  std::uint64_t entries() const { return buckets() * bucket_entries_; }
  std::uint64_t bytes() const { return entries() * sizeof(Entry); }  // of entries in use

  // A bijection of numbers of key_bits bits: shifts to the right and odd factors can be undone.
  MixedKey mix(SearchKey key) const {
    key ^= key >> shift_;
    key = (key * 0x9e3779b97f4a7c15) & mask_;
    key ^= key >> shift_;
    key = (key * 0xd6e8feb86659fd93) & mask_;
    return {key ^ (key >> shift_)};
  }
  void prefetch(MixedKey key) const { __builtin_prefetch(bucket(key)); }
  Found find(MixedKey key) const;
  // Adds what is proved to what the table knows of the position already.
  // Pre: -kMaxBound <= lower <= upper <= kMaxBound.
  void store(MixedKey key, ProvedBounds bounds, const Hints& hints, std::uint64_t work_nodes);

 private:
  struct Entry {
    std::atomic<std::uint64_t> facts;
    std::atomic<std::uint64_t> hints;
  };
  static_assert(sizeof(Entry) == kEntryBytes);

  std::uint64_t buckets() const { return std::uint64_t{1} << index_bits_; }
  std::uint64_t tag_of(MixedKey key) const { return key.bits & tag_mask_; }
  // Each has a cache line of its own, however many of its entries are in use.
  Entry* bucket(MixedKey key) const { return entries_.data() + (key.bits >> tag_bits_) * kBucketEntries; }

  unsigned key_bits_;
  unsigned index_bits_;
  unsigned tag_bits_;
  unsigned shift_;
  unsigned bucket_entries_;  // in use
  std::uint64_t mask_;
  std::uint64_t tag_mask_;
  unsigned generation_ = 0;
  HugeArray<Entry> entries_;
};

// Tried: all four entries compared without branches, no faster.
inline TranspositionTable::Found TranspositionTable::find(MixedKey key) const {
  const Entry* entry = bucket(key);
  const std::uint64_t tag = tag_of(key);
  for (unsigned i = 0; i < kBucketEntries; ++i, ++entry) {  // those that are not in use are empty
    const std::uint64_t facts = entry->facts.load(std::memory_order_relaxed);
    if (facts >> 14 != tag || facts == 0) continue;
    const std::uint64_t hints = entry->hints.load(std::memory_order_relaxed);
    Found found;
    found.hit = true;
    found.bounds = {static_cast<int>((facts >> 7) & 127) - 64, static_cast<int>(facts & 127) - 64};
    found.hints.mover = {static_cast<std::int8_t>(hints & 255), static_cast<unsigned>((hints >> 8) & kMaxDepth)};
    found.hints.opponent = {static_cast<std::int8_t>((hints >> 24) & 255),
                            static_cast<unsigned>((hints >> 32) & kMaxDepth)};
    found.hints.move = (hints >> 48) & 15;
    return found;
  }
  return {};
}

}  // namespace retrosow
