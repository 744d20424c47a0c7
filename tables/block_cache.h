// Decoded blocks of any number of table files, shared by all threads that probe them, within a budget.
//
// A hash table of buckets, each one cache line with room for three blocks and a lock of its own:
//
//   bucket = | key key key | data data data | bytes bytes bytes | lock | used |       64 bytes
//
//   visit(key):  lock the bucket, compare three keys, read what is wanted while the lock is held, unlock
//   insert:      reserve the bytes, evicting until they are free; lock the bucket, put the block in
//
// Blocks of one file that follow each other go to buckets that follow each other, so a file of blocks of
// one size fills the table evenly. No block leaves the cache by reference: a visitor reads under the lock,
// so an evicted block is freed as soon as its bucket is unlocked, and the bound needs no reference counts.
//
// Eviction is second chance: a hand goes round the buckets; a block that was inserted or visited since the
// hand last came by stays once more. A bucket that is full evicts one of its own blocks by the same rule. The hand
// gives up mercy after kPatience blocks, so that a round of visited blocks cannot hold up a probe.
//
// Bound: bytes() <= budget at all times. It counts the table of buckets and the blocks as they were
// inserted. Not in it: what the allocator adds to each block, and the one block that a thread has decoded and
// not yet inserted, or has evicted and not yet freed. A block that could never fit is not kept; a budget of 0 keeps none. Nor are there more
// than three blocks for each 8 KiB of the budget, which only files of smaller blocks than ours notice.
//
// Races, all harmless: two threads that miss the same block both decode it, and the second insertion is
// dropped, since it finds the first. A block may be evicted between its insertion and the next visit, so a
// visit may always miss. bytes() may be out of date by the time it is looked at, but it was right.
// Reserving before a block goes in is what keeps the bound exact: the room that one thread has made
// another may take, and the first then evicts once more.
//
// Thread: everything, from any number of threads. A bucket that is locked is waited for by spinning, with yield()
// after a while: no thread sleeps, and where more threads than cores run, a holder that is taken off its core keeps
// those that want its bucket waiting (and using their time) until it is back. There is no fairness among them.
//
// Cost: a hit costs one atomic exchange and one line of the table, besides the line of the block. Measured by
// Probe/ in bench/probe_bench.cpp.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

namespace retrosow {

class BlockCache {
 public:
  static constexpr std::size_t kDefaultBytes = std::size_t{64} << 20;

  // Which block of which file. Pre: `file` comes from add_file().
  struct Key {
    std::uint32_t file = 0;
    std::uint32_t block = 0;
  };
  // Owns the bytes of one decoded block.
  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::uint32_t bytes = 0;
  };

  explicit BlockCache(std::size_t budget_bytes = kDefaultBytes);
  ~BlockCache();
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // A number for a file, never given twice. Blocks of a file that is closed go when their room is needed.
  // Thread: safe, like everything here.
  std::uint32_t add_file() { return next_file_.fetch_add(1, std::memory_order_relaxed); }

  // Calls read(data) under the block's lock if the block is there. Pre: read() is short, does not use the
  // cache, and keeps no pointer. Returns whether it was there.
  template <typename Read>
  bool visit(Key key, Read&& read) {
    if (!buckets_) return false;
    Bucket& bucket = bucket_of(key);
    const std::uint64_t packed = pack(key);
    const Lock lock(bucket);
    for (unsigned way = 0; way < kWays; ++way) {
      if (bucket.keys[way] != packed) continue;
      bucket.used = static_cast<std::uint8_t>(bucket.used | (1U << way));
      std::forward<Read>(read)(static_cast<const std::byte*>(bucket.data[way]));
      return true;
    }
    return false;
  }

  // Keeps the block if the budget allows it. Pre: every block of a key has the same contents.
  void insert(Key key, Block block);

  std::size_t budget_bytes() const { return budget_; }
  // What is held now. Never above the budget.
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr unsigned kWays = 3;
  static constexpr unsigned kPatience = 24;         // visited blocks that the hand spares in one eviction
  static constexpr std::size_t kBytesABucket = 8192;  // of the budget: a block of 8192 values

  struct alignas(64) Bucket {
    std::array<std::uint64_t, kWays> keys{};  // 0: free
    std::array<std::byte*, kWays> data{};     // owned
    std::array<std::uint32_t, kWays> bytes{};
    std::atomic<std::uint8_t> locked{0};
    std::uint8_t used = 0;  // a bit for each way: visited since the hand came by
  };
  static_assert(sizeof(Bucket) == 64);

  // Held for some hundred nanoseconds at most, except where the holder is taken off its core: hence yield().
  class Lock {
   public:
    explicit Lock(Bucket& bucket) : locked_(bucket.locked) {
      while (locked_.exchange(1, std::memory_order_acquire) != 0) wait();
    }
    ~Lock() { locked_.store(0, std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    void wait() const {
      for (unsigned spins = 0; locked_.load(std::memory_order_relaxed) != 0; ++spins) {
        if (spins >= 64) std::this_thread::yield();
      }
    }
    std::atomic<std::uint8_t>& locked_;
  };

  // Files are numbered from 1, so no key is 0.
  static std::uint64_t pack(Key key) { return std::uint64_t{key.file} << 32 | key.block; }
  Bucket& bucket_of(Key key) {
    const std::uint32_t start = key.file * 0x9e3779b9U;  // spreads files; their blocks follow in turn
    return buckets_[(start + key.block) & mask_];
  }

  // Takes a block out of the bucket and gives its bytes back; the caller frees it after unlocking the bucket, since
  // an allocator may take its time. Pre: the bucket is locked, the way is taken.
  [[nodiscard]] std::unique_ptr<std::byte[]> drop(Bucket& bucket, unsigned way);
  // Frees some block. False if there is none.
  bool evict_one();

  std::size_t budget_;
  std::uint32_t mask_ = 0;  // buckets - 1
  std::unique_ptr<Bucket[]> buckets_;  // none if the budget is too small for any block
  alignas(64) std::atomic<std::size_t> bytes_{0};  // the table, and reservations for blocks
  std::atomic<std::uint32_t> hand_{0};
  std::atomic<std::uint32_t> next_file_{1};
};

}  // namespace retrosow
