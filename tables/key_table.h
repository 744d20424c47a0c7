// A set of keys that all workers insert into at once: open addressing with linear probing.
//
// A slot is a coded key (KeyCode): narrow, 64 bits, where stones and pits of the root are few enough, as on 2x6 with 48
// stones, else wide, two words.
//
// Inserting. A narrow slot changes once, from 0. Of a wide one, whoever changes the low word from 0 owns the slot and
// writes the high word next; a worker that finds its own low word waits those few instructions for the high one. So
// the set of keys does not depend on the workers; which slot a key has does.
// Memory: 8 bytes a slot, or 16; at most two of three slots are full.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "bitboard/bars.h"
#include "tables/huge_array.h"
#include "tables/round_key.h"

namespace retrosow {

// How keys of a round stand in slots.
//
//   narrow   bit 63 there, bit 62 swapped sides; below, from the highest pit lane down, a 0 and as many ones as the
//            pit holds stones, n + p bits in all: the 0s are the bars of bitboard/bars.h. Example, lanes 2 0 1 of three
//            pits: 01 0 011.
//   wide     the key's two words as they are. No lane of a key holds more than 127 (kMaxLevelSeeds), so bit 7 of
//            the first lane of each word is free and says that the word is there.
//
// Narrow codes of a level ascend like its keys.
class KeyCode {
 public:
  struct Code {
    std::uint64_t low = 0, high = 0;  // narrow: high is 0
    bool operator==(const Code&) const = default;
  };

  KeyCode(Shape root_shape, unsigned root_seeds)
      : pits_(root_shape.pits()),
        marked_(root_shape.mover_pits != root_shape.opponent_pits),
        narrow_(root_seeds + root_shape.pits() <= kMarkBit) {}

  bool narrow() const { return narrow_; }

  Code code(const Position& key) const {
    if (!narrow_) return {key.low() | kLaneThere, key.high() | kLaneThere};
    std::uint64_t high = key.high(), mark = 0;
    if (marked_) {
      mark = high >> 56 << kMarkBit;
      high = high << 8 >> 8;
    }
    const std::uint64_t zeros = bars_of(key.low(), high, pits_);
    // The highest 0 is the highest bit of all: what lies below and is no 0 is a stone.
    return {kThere | mark | ((std::bit_floor(zeros) - 1) & ~zeros), 0};
  }
  // Pre: the code of a key.
  Position key(const Code& code) const {
    Position key;
    if (!narrow_) {
      const std::uint64_t words[2] = {code.low & ~kLaneThere, code.high & ~kLaneThere};
      std::memcpy(key.lanes.data(), words, sizeof words);
      return key;
    }
    if (pits_ == 12) {
      read_lanes(~code.low, 12, key);
    } else {
      read_lanes(~code.low, pits_, key);
    }
    if (marked_) key.lanes[kLanes - 1] = static_cast<std::uint8_t>(code.low >> kMarkBit & 1U);
    return key;
  }

 private:
  static constexpr std::uint64_t kLaneThere = 0x80, kThere = std::uint64_t{1} << 63;
  static constexpr unsigned kMarkBit = 62;

  [[gnu::always_inline]] static inline void read_lanes(std::uint64_t zeros, unsigned pits, Position& key) {
    unsigned begin = 0;
    for (unsigned lane = 0; lane < pits; ++lane) {
      const auto end = static_cast<unsigned>(std::countr_zero(zeros));
      key.lanes[lane] = static_cast<std::uint8_t>(end - begin);
      begin = end + 1;
      zeros &= zeros - 1;
    }
  }

  unsigned pits_;
  bool marked_, narrow_;
};

class KeyTable {
 public:
  using Slot = std::uint32_t;
  using Code = KeyCode::Code;

  KeyTable() = default;
  // Room for so many keys. Fails: limit error for more than 32 bits count, or without memory.
  KeyTable(const KeyCode& code, std::uint64_t keys)
      : narrow_(code.narrow()), size_(slots_for(keys)), words_(words(size_, narrow_)) {}

  static std::uint64_t slots_for(std::uint64_t keys) {
    const std::uint64_t slots = keys + keys / 2 + 16;
    if (slots >= kNone) throw limit_error("a level of the round has more positions than 32 bits count");
    return slots;
  }
  static std::uint64_t memory_bytes(const KeyCode& code, std::uint64_t keys) {
    return HugeArray<std::uint64_t>::memory_bytes(words(slots_for(keys), code.narrow()));
  }

  std::uint64_t slots() const { return size_; }
  // Keys that it has room for.
  std::uint64_t room() const { return size_ < 16 ? 0 : (size_ - 16) / 3 * 2; }
  std::uint64_t memory_bytes() const {
    return size_ == 0 ? 0 : HugeArray<std::uint64_t>::memory_bytes(words(size_, narrow_));
  }

  bool full(std::uint64_t slot) const { return words_[narrow_ ? slot : 2 * slot] != 0; }
  // Pre: the slot is full and no worker inserts.
  Code code(std::uint64_t slot) const {
    return narrow_ ? Code{words_[slot], 0} : Code{words_[2 * slot], words_[2 * slot + 1]};
  }

  // Where a search for the key begins.
  Slot home(const Code& code) const {
    std::uint64_t h = code.low * 0x9e3779b97f4a7c15ULL + code.high * 0xd6e8feb86659fd93ULL;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ULL;
    return static_cast<Slot>(((h >> 32) * size_) >> 32);
  }
  void prefetch(Slot slot) const {
    __builtin_prefetch(words_.data() + (narrow_ ? std::uint64_t{slot} : 2 * std::uint64_t{slot}), 1);
  }

  // Whether the key is new. Thread: any number at once, if there is room for all of them.
  bool insert(const Code& code, Slot home) {
    for (std::uint64_t slot = home;; slot = slot + 1 == size_ ? 0 : slot + 1) {
      const std::atomic_ref word(words_[narrow_ ? slot : 2 * slot]);
      std::uint64_t found = word.load(std::memory_order_relaxed);
      if (found == 0 && word.compare_exchange_strong(found, code.low, std::memory_order_relaxed)) {
        if (!narrow_) std::atomic_ref(words_[2 * slot + 1]).store(code.high, std::memory_order_relaxed);
        return true;
      }
      if (found != code.low) continue;
      if (narrow_) return false;
      const std::atomic_ref high_word(words_[2 * slot + 1]);
      std::uint64_t other = high_word.load(std::memory_order_relaxed);
      while (other == 0) other = high_word.load(std::memory_order_relaxed);
      if (other == code.high) return false;
    }
  }

  static constexpr Slot kNone = 0xffff'ffff;

  // The slot of a key, or kNone. Pre: no worker inserts.
  Slot find(const Code& code, Slot home) const {
    if (size_ == 0) return kNone;
    for (std::uint64_t slot = home;; slot = slot + 1 == size_ ? 0 : slot + 1) {
      const std::uint64_t found = words_[narrow_ ? slot : 2 * slot];
      if (found == code.low && (narrow_ || words_[2 * slot + 1] == code.high)) return static_cast<Slot>(slot);
      if (found == 0) return kNone;
    }
  }
  Slot find(const Code& code) const { return find(code, home(code)); }

 private:
  static std::uint64_t words(std::uint64_t slots, bool narrow) { return narrow ? slots : 2 * slots; }

  bool narrow_ = true;
  std::uint64_t size_ = 0;
  HugeArray<std::uint64_t> words_;
};

}  // namespace retrosow
