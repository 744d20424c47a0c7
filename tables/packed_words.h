// The words of the positions of a level under solution (retrograde.h), packed: two fields in 10 or 12 bits.
//
//   best   7 or 8 bits
//   open   3 or 4 bits, above it
//
// Four words fill 5 or 6 bytes, and every word lies within two. Searches look at four words at a time, as fields of one
// register, without a branch for each (the carry out of a field tells whether it was zero).
// Thread: words of different groups of four are independent; write() may share groups with other calls of write().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>

#include "bitboard/rank.h"

namespace retrosow {

template <unsigned kBits>
class PackedWords {
  static_assert(kBits == 10 || kBits == 12, "a word must lie within two bytes");

 public:
  static constexpr unsigned kOpenBits = kBits == 10 ? 3 : 4;
  static constexpr unsigned kBestBits = kBits - kOpenBits;
  static constexpr unsigned kBest = (1U << kBestBits) - 1;
  static constexpr unsigned kMaxOpen = (1U << kOpenBits) - 1;
  static constexpr unsigned kOpenOne = 1U << kBestBits;
  static constexpr LevelIndex kGroup = 4;
  // Words that are looked through together.
  static constexpr LevelIndex kStretch = 16;

  // Of whole stretches.
  static constexpr std::uint64_t bytes_for(LevelIndex size) {
    return (size + kStretch - 1) / kStretch * (kStretch / kGroup * kGroupBytes);
  }

  // The bytes are not owned.
  explicit PackedWords(std::uint8_t* bytes) : bytes_(bytes) {}

  unsigned get(LevelIndex index) const { return (load(index) >> shift(index)) & kWord; }

  void set(LevelIndex index, unsigned word) const {
    const unsigned both = load(index);
    const unsigned at = shift(index);
    const auto changed = static_cast<std::uint16_t>((both & ~(kWord << at)) | (word << at));
    std::memcpy(byte(index), &changed, sizeof changed);
  }

  void prefetch(LevelIndex index) const { __builtin_prefetch(byte(index), 1); }

  // Fills words that have been 0.
  void write(LevelIndex first, std::span<const std::uint16_t> words) const {
    std::size_t i = 0;
    for (; i < words.size() && (first + i) % kGroup != 0; ++i) write_shared(first + i, words[i]);
    for (; i + kGroup <= words.size(); i += kGroup) {
      std::uint64_t group;
      std::memcpy(&group, words.data() + i, sizeof group);
      // Four fields of 16 bits move together, first in pairs.
      group = (group & kEvenFields) | ((group & (kEvenFields << 16)) >> (16 - kBits));
      group = (group & kPair) | ((group >> 32) << (2 * kBits));
      std::memcpy(byte(first + i), &group, kGroupBytes);
    }
    for (; i < words.size(); ++i) write_shared(first + i, words[i]);
  }

  // Bit i: word first + i has this best and something open; of kStretch words. Pre: first is a multiple of kStretch.
  unsigned with_best_and_open(LevelIndex first, unsigned best) const {
    const std::uint64_t wanted = best * kOnes;
    return look(first, [wanted](std::uint64_t group) {
      const std::uint64_t other = ((group ^ wanted) & (kBest * kOnes)) + kBest * kOnes;  // the bit above best: another one
      const std::uint64_t open = ((group & kLowOpen) + kLowOpen) | group;                // the top bit: not 0
      return open & ~(other << (kOpenBits - 1));
    });
  }

  // Bit i: `open` of word first + i is kMaxOpen; of kStretch words. Pre: first is a multiple of kStretch.
  unsigned with_max_open(LevelIndex first) const {
    return look(first, [](std::uint64_t group) { return ((group & kLowOpen) + kOpenOne * kOnes) & group; });
  }

 private:
  static constexpr unsigned kWord = (1U << kBits) - 1;
  static constexpr std::size_t kGroupBytes = kGroup * kBits / 8;
  // The lowest bit of each word in a group.
  static constexpr std::uint64_t kOnes = 1 | std::uint64_t{1} << kBits | std::uint64_t{1} << 2 * kBits | std::uint64_t{1} << 3 * kBits;
  static constexpr std::uint64_t kTops = kOnes << (kBits - 1);
  static constexpr std::uint64_t kLowOpen = ((kMaxOpen >> 1) << kBestBits) * kOnes;  // open but for its top bit
  static constexpr std::uint64_t kEvenFields = kWord | std::uint64_t{kWord} << 32;
  static constexpr std::uint64_t kPair = (std::uint64_t{1} << 2 * kBits) - 1;

  static unsigned shift(LevelIndex index) { return static_cast<unsigned>(index * kBits % 8); }
  std::uint8_t* byte(LevelIndex index) const { return bytes_ + index * kBits / 8; }

  unsigned load(LevelIndex index) const {
    std::uint16_t both;
    std::memcpy(&both, byte(index), sizeof both);
    return both;
  }

  void write_shared(LevelIndex index, unsigned word) const {
    const unsigned both = word << shift(index);
    std::atomic_ref(byte(index)[0]).fetch_or(static_cast<std::uint8_t>(both), std::memory_order_relaxed);
    std::atomic_ref(byte(index)[1]).fetch_or(static_cast<std::uint8_t>(both >> 8), std::memory_order_relaxed);
  }

  // find(group) leaves the top bits of the words that are looked for.
  template <typename Find>
  unsigned look(LevelIndex first, Find&& find) const {
    constexpr std::size_t kGroups = kStretch / kGroup, kLast = kGroups * kGroupBytes - sizeof(std::uint64_t);
    static_assert((kGroups - 2) * kGroupBytes <= kLast && kGroups == 4);
    std::uint64_t found[kGroups];
    const std::uint8_t* from = byte(first);
    for (unsigned i = 0; i < kGroups; ++i) {
      std::uint64_t group;
      // What lies behind the stretch is somebody else's.
      std::memcpy(&group, from + std::min(i * kGroupBytes, kLast), sizeof group);
      if (i + 1 == kGroups) group >>= 64 - kGroup * kBits;
      found[i] = find(group) & kTops;
    }
    if ((found[0] | found[1] | found[2] | found[3]) == 0) [[likely]] return 0;
    unsigned bits = 0;
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned j = 0; j < 4; ++j) {
        bits |= static_cast<unsigned>(found[i] >> ((j + 1) * kBits - 1) & 1) << (4 * i + j);
      }
    }
    return bits;
  }

  std::uint8_t* bytes_;
};

}  // namespace retrosow
