// A set of keys that all workers insert into at once: open addressing with linear probing.
//
// A slot is a key in two 64-bit words. No lane of a key holds more than 127 (kMaxLevelSeeds), so bit 7 of the
// first lane of a word is free and says that the word is there:
//
//   empty  0, 0        claimed  low | 0x80, 0        full  low | 0x80, high | 0x80
//
// Whoever changes the low word from 0 owns the slot and writes the high word next; a worker that
// finds its own low word waits those few instructions for the high one. Slots are never changed again, so
// the set of keys does not depend on the workers; which slot a key has does.
// Memory: 16 bytes a slot; at most kMaxLoad of the slots are full.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "bitboard/position.h"
#include "tables/huge_array.h"

namespace retrosow {

class KeyTable {
 public:
  using Slot = std::uint32_t;

  KeyTable() = default;
  // Room for so many keys. Fails: limit error for more than 32 bits count, or without memory.
  explicit KeyTable(std::uint64_t keys) : size_(slots_for(keys)), words_(2 * size_) {}

  static std::uint64_t slots_for(std::uint64_t keys) {
    const std::uint64_t slots = keys + keys / 2 + 16;
    if (slots >= 0xffff'ffff) throw limit_error("a level of the round has more positions than 32 bits count");
    return slots;
  }
  static std::uint64_t memory_bytes(std::uint64_t keys) {
    return HugeArray<std::uint64_t>::memory_bytes(2 * slots_for(keys));
  }

  std::uint64_t slots() const { return size_; }
  // Keys that it has room for.
  std::uint64_t room() const { return size_ < 16 ? 0 : (size_ - 16) / 3 * 2; }
  std::uint64_t memory_bytes() const { return size_ == 0 ? 0 : HugeArray<std::uint64_t>::memory_bytes(2 * size_); }

  bool full(std::uint64_t slot) const { return words_[2 * slot] != 0; }
  // Pre: the slot is full and no worker inserts.
  Position key(std::uint64_t slot) const {
    Position key;
    std::memcpy(key.lanes.data(), words_.data() + 2 * slot, sizeof key);
    key.lanes[0] &= 0x7f;
    key.lanes[8] &= 0x7f;
    return key;
  }

  // Where a search for the key begins.
  Slot home(const Position& key) const {
    std::uint64_t h = key.low() * 0x9e3779b97f4a7c15ULL + key.high() * 0xd6e8feb86659fd93ULL;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ULL;
    return static_cast<Slot>(((h >> 32) * size_) >> 32);
  }
  void prefetch(Slot slot) const { __builtin_prefetch(words_.data() + 2 * std::uint64_t{slot}, 1); }

  // Whether the key is new. Thread: any number at once, if there is room for all of them.
  bool insert(const Position& key, Slot home) {
    const std::uint64_t low = key.low() | kThere, high = key.high() | kThere;
    for (std::uint64_t slot = home;; slot = slot + 1 == size_ ? 0 : slot + 1) {
      std::atomic_ref<std::uint64_t> low_word(words_[2 * slot]), high_word(words_[2 * slot + 1]);
      std::uint64_t found = low_word.load(std::memory_order_relaxed);
      if (found == 0 && low_word.compare_exchange_strong(found, low, std::memory_order_relaxed)) {
        high_word.store(high, std::memory_order_relaxed);
        return true;
      }
      if (found != low) continue;
      std::uint64_t other = high_word.load(std::memory_order_relaxed);
      while (other == 0) other = high_word.load(std::memory_order_relaxed);
      if (other == high) return false;
    }
  }

  static constexpr Slot kNone = 0xffff'ffff;

  // The slot of a key, or kNone. Pre: no worker inserts.
  Slot find(const Position& key, Slot home) const {
    if (size_ == 0) return kNone;
    const std::uint64_t low = key.low() | kThere, high = key.high() | kThere;
    for (std::uint64_t slot = home;; slot = slot + 1 == size_ ? 0 : slot + 1) {
      const std::uint64_t found = words_[2 * slot];
      if (found == low && words_[2 * slot + 1] == high) return static_cast<Slot>(slot);
      if (found == 0) return kNone;
    }
  }
  Slot find(const Position& key) const { return find(key, home(key)); }

 private:
  static constexpr std::uint64_t kThere = 0x80;

  std::uint64_t size_ = 0;
  HugeArray<std::uint64_t> words_;
};

}  // namespace retrosow
