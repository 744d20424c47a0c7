#include "solver/transposition_table.h"

#include <algorithm>
#include <cstring>

namespace retrosow {
namespace {

constexpr unsigned kMoveShift = 48, kWorkShift = 52, kGenerationShift = 58;

unsigned least_index_bits(unsigned key_bits) {
  return key_bits > TranspositionTable::kTagBits ? key_bits - TranspositionTable::kTagBits : 0;
}

unsigned index_bits_for(unsigned key_bits, std::uint64_t bucket_bytes, std::uint64_t bytes) {
  const std::uint64_t buckets = std::max<std::uint64_t>(bytes / bucket_bytes, 1);
  const auto fitting = static_cast<unsigned>(std::bit_width(buckets) - 1);
  return std::clamp(fitting, least_index_bits(key_bits), key_bits);
}

}  // namespace

TranspositionTable::TranspositionTable(unsigned key_bits, std::uint64_t bytes)
    : key_bits_(key_bits),
      index_bits_(index_bits_for(key_bits, kBucketEntries * sizeof(Entry), bytes)),
      tag_bits_(key_bits - index_bits_),
      shift_(key_bits / 2 + 1),
      bucket_entries_(static_cast<unsigned>(std::clamp<std::uint64_t>(bytes / sizeof(Entry), 1, kBucketEntries))),
      mask_(key_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << key_bits) - 1),
      tag_mask_((std::uint64_t{1} << tag_bits_) - 1),
      entries_(buckets() * kBucketEntries) {
  assert(key_bits >= 1 && key_bits <= 64);
  assert(tag_bits_ <= kTagBits);
}

void TranspositionTable::clear() {
  for (std::uint64_t i = 0; i < buckets() * kBucketEntries; ++i) {
    entries_[i].facts.store(0, std::memory_order_relaxed);
    entries_[i].hints.store(0, std::memory_order_relaxed);
  }
}

void TranspositionTable::store(MixedKey key, ProvedBounds bounds, const Hints& hints, std::uint64_t work_nodes) {
  assert(-kMaxBound <= bounds.lower && bounds.lower <= bounds.upper && bounds.upper <= kMaxBound);
  const std::uint64_t tag = tag_of(key);
  Entry* const first = bucket(key);
  Entry* chosen = nullptr;
  unsigned least = ~0U;
  for (Entry* entry = first; entry != first + bucket_entries_; ++entry) {
    const std::uint64_t facts = entry->facts.load(std::memory_order_relaxed);
    if (facts == 0) {
      if (least != 0) chosen = entry;
      least = 0;
      continue;
    }
    if (facts >> 14 == tag) {
      bounds.lower = std::max(bounds.lower, static_cast<int>((facts >> 7) & 127) - 64);
      bounds.upper = std::min(bounds.upper, static_cast<int>(facts & 127) - 64);
      chosen = entry;
      break;
    }
    const std::uint64_t known = entry->hints.load(std::memory_order_relaxed);
    unsigned worth = 1 + static_cast<unsigned>((known >> kWorkShift) & 63);
    if (((known >> kGenerationShift) & 63) == generation_) worth += 64;
    if (worth < least) {
      least = worth;
      chosen = entry;
    }
  }
  assert(bounds.lower <= bounds.upper);
  const auto byte = [](int number) { return std::uint64_t{static_cast<std::uint8_t>(number)}; };
  const std::uint64_t new_hints =
      byte(hints.mover.threshold) | std::uint64_t{std::min(hints.mover.depth, kMaxDepth)} << 8 |
      byte(hints.opponent.threshold) << 24 | std::uint64_t{std::min(hints.opponent.depth, kMaxDepth)} << 32 |
      std::uint64_t{hints.move & 15} << kMoveShift | static_cast<std::uint64_t>(std::bit_width(work_nodes)) << kWorkShift |
      std::uint64_t{generation_} << kGenerationShift;
  chosen->hints.store(new_hints, std::memory_order_relaxed);
  chosen->facts.store(tag << 14 | static_cast<std::uint64_t>(bounds.lower + 64) << 7 |
                          static_cast<std::uint64_t>(bounds.upper + 64),
                      std::memory_order_relaxed);
}

}  // namespace retrosow
