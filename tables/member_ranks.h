// Some of the positions of a level, numbered without gaps: what gives arrays that hold nothing for the other ones.
//
// A bit for each position, and for each 64 of them how many members come before them in their block of 65536:
//
//   number(p) = start of p's block + before[p / 64] + bits below p in its word
//
// Blocks are entered by any worker in any order, and their numbers follow each other in that order: what is
// kept under a number is found again by it, and the order means nothing else.
//
// Memory: 10 bits for every 8 positions of the level. Number and membership take one access to each of two arrays.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

#include "bitboard/rank.h"
#include "tables/huge_array.h"

namespace retrosow {

class MemberRanks {
 public:
  static constexpr unsigned kBlockShift = 16;

  explicit MemberRanks(LevelIndex size)
      : size_(size),
        bits_(words_for(size)),
        before_(words_for(size)),
        starts_(std::make_unique<LevelIndex[]>(static_cast<std::size_t>(blocks_for(size)))) {}

  // Forgets all members. Every block has to be entered again.
  void clear() { members_.store(0, std::memory_order_relaxed); }

  // Enters a block: position first + i is a member if is_member(i). Returns the number of the first member.
  // Pre: `first` begins a block; not entered since clear(). Thread: one block by one worker.
  template <typename IsMember>
  LevelIndex enter(LevelIndex first, IsMember&& is_member) {
    const LevelIndex last = std::min(size_, first + (LevelIndex{1} << kBlockShift));
    unsigned count = 0;
    for (LevelIndex at = first; at < last; at += 64) {
      std::uint64_t word = 0;
      for (LevelIndex i = at; i < std::min(last, at + 64); ++i) {
        word |= std::uint64_t{is_member(static_cast<std::size_t>(i - first))} << (i - at);
      }
      bits_[at / 64] = word;
      before_[at / 64] = static_cast<std::uint16_t>(count);
      count += ones(word);
    }
    const LevelIndex start = members_.fetch_add(count, std::memory_order_relaxed);
    starts_[first >> kBlockShift] = start;
    return start;
  }

  LevelIndex members() const { return members_.load(std::memory_order_relaxed); }
  bool has(LevelIndex index) const { return (bits_[index / 64] >> (index % 64) & 1) != 0; }
  // Of a member; of another position that of the next one in its block, or 1 beyond the last.
  LevelIndex number(LevelIndex index) const {
    const std::uint64_t below = bits_[index / 64] & ((std::uint64_t{1} << (index % 64)) - 1);
    return starts_[index >> kBlockShift] + before_[index / 64] + ones(below);
  }
  void prefetch(LevelIndex index) const {
    __builtin_prefetch(bits_.data() + index / 64);
    __builtin_prefetch(before_.data() + index / 64);
  }

  // f(index, number) for the members of first .. last - 1, in order. Pre: `first` is a multiple of 64.
  template <typename F>
  void for_each(LevelIndex first, LevelIndex last, F&& f) const {
    for (LevelIndex at = first; at < last; at += 64) {
      std::uint64_t word = bits_[at / 64];
      if (last - at < 64) word &= (std::uint64_t{1} << (last - at)) - 1;
      LevelIndex number = starts_[at >> kBlockShift] + before_[at / 64];
      for (; word != 0; word &= word - 1) f(at + static_cast<unsigned>(std::countr_zero(word)), number++);
    }
  }

  static std::uint64_t memory_bytes(LevelIndex size) {
    return HugeArray<std::uint64_t>::memory_bytes(words_for(size)) +
           HugeArray<std::uint16_t>::memory_bytes(words_for(size)) + sizeof(LevelIndex) * blocks_for(size);
  }

 private:
  static LevelIndex words_for(LevelIndex size) { return size / 64 + 1; }
  static LevelIndex blocks_for(LevelIndex size) { return (size >> kBlockShift) + 1; }

  // std::popcount is a call of a function where the processor need not have the instruction.
  static unsigned ones(std::uint64_t word) {
    word -= word >> 1 & 0x5555'5555'5555'5555;
    word = (word & 0x3333'3333'3333'3333) + (word >> 2 & 0x3333'3333'3333'3333);
    word = (word + (word >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
    return static_cast<unsigned>(word * 0x0101'0101'0101'0101 >> 56);
  }

  LevelIndex size_;
  HugeArray<std::uint64_t> bits_;
  HugeArray<std::uint16_t> before_;
  std::unique_ptr<LevelIndex[]> starts_;
  std::atomic<LevelIndex> members_{0};
};

}  // namespace retrosow
