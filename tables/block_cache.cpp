#include "tables/block_cache.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace retrosow {

BlockCache::BlockCache(std::size_t budget_bytes) : budget_(budget_bytes) {
  constexpr std::size_t kMostBuckets = std::size_t{1} << 24;  // for a budget of 128 GiB
  if (budget_bytes <= sizeof(Bucket)) return;
  const std::size_t buckets =
      std::bit_floor(std::clamp<std::size_t>(budget_bytes / kBytesABucket, 1, kMostBuckets));
  mask_ = static_cast<std::uint32_t>(buckets - 1);
  buckets_ = std::make_unique<Bucket[]>(buckets);
  bytes_ = buckets * sizeof(Bucket);
}

BlockCache::~BlockCache() {
  if (!buckets_) return;
  for (std::size_t i = 0; i <= mask_; ++i) {
    for (std::byte* data : buckets_[i].data) delete[] data;
  }
}

std::unique_ptr<std::byte[]> BlockCache::drop(Bucket& bucket, unsigned way) {
  assert(bucket.keys[way] != 0);
  std::unique_ptr<std::byte[]> dropped(bucket.data[way]);
  bytes_.fetch_sub(bucket.bytes[way], std::memory_order_relaxed);
  bucket.keys[way] = 0;
  bucket.data[way] = nullptr;
  bucket.bytes[way] = 0;
  bucket.used = static_cast<std::uint8_t>(bucket.used & ~(1U << way));
  return dropped;
}

bool BlockCache::evict_one() {
  unsigned spared = 0;
  // Two rounds: after the first nobody is spared unless visited meanwhile.
  for (std::uint64_t steps = 0; steps <= 2 * std::uint64_t{mask_} + 1; ++steps) {
    Bucket& bucket = buckets_[hand_.fetch_add(1, std::memory_order_relaxed) & mask_];
    std::unique_ptr<std::byte[]> dropped;  // declared before the lock: freed after it is released
    const Lock lock(bucket);
    for (unsigned way = 0; way < kWays; ++way) {
      if (bucket.keys[way] == 0) continue;
      if ((bucket.used >> way & 1U) == 0 || spared >= kPatience) {
        dropped = drop(bucket, way);
        return true;
      }
      bucket.used = static_cast<std::uint8_t>(bucket.used & ~(1U << way));
      ++spared;
    }
  }
  return false;
}

void BlockCache::insert(Key key, Block block) {
  assert(key.file != 0 && block.data);
  if (!buckets_) return;
  const std::size_t table_bytes = (std::size_t{mask_} + 1) * sizeof(Bucket);
  if (block.bytes > budget_ - table_bytes) return;
  std::size_t held = bytes_.load(std::memory_order_relaxed);
  while (held > budget_ - block.bytes ||
         !bytes_.compare_exchange_weak(held, held + block.bytes, std::memory_order_relaxed)) {
    if (held > budget_ - block.bytes) {
      // What is held but cannot be evicted is reserved by other threads: let them put it in first, or do without.
      if (!evict_one()) return;
      held = bytes_.load(std::memory_order_relaxed);
    }
  }

  Bucket& bucket = bucket_of(key);
  const std::uint64_t packed = pack(key);
  std::unique_ptr<std::byte[]> dropped;  // declared before the lock: freed after it is released
  const Lock lock(bucket);
  unsigned way = kWays;
  for (unsigned i = 0; i < kWays; ++i) {
    if (bucket.keys[i] == packed) {  // another thread was first
      bytes_.fetch_sub(block.bytes, std::memory_order_relaxed);
      return;
    }
    if (bucket.keys[i] == 0) way = i;
  }
  if (way == kWays) {
    // Second chance within the bucket, beginning at a way that differs from time to time.
    const unsigned start = hand_.fetch_add(1, std::memory_order_relaxed) % kWays;
    way = start;
    for (unsigned i = 0; i < kWays; ++i) {
      if ((bucket.used >> ((start + i) % kWays) & 1U) == 0) {
        way = (start + i) % kWays;
        break;
      }
    }
    dropped = drop(bucket, way);
    bucket.used = 0;
  }
  bucket.keys[way] = packed;
  bucket.data[way] = block.data.release();
  bucket.bytes[way] = block.bytes;
  bucket.used = static_cast<std::uint8_t>(bucket.used | (1U << way));
}

}  // namespace retrosow
