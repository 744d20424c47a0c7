// Values (or distances) of finished levels for the builder and the verifier: decoded block by block, on demand, within a
// memory budget.
//
// Every level is an array of block pointers. A reader takes the pointer with one load; a null pointer
// makes it decode the block from the level's file (or wherever the source takes it from). A worker reads
// within tasks. At the start of a task it announces the epoch that it is in, and at the end that it is in none; blocks
// are dropped between tasks, and freed once no task of their epoch is left. So what is held may exceed the
// budget by what the tasks at work have touched.
//
// Thread: one Reader for each worker; everything else is safe from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "bitboard/rank.h"
#include "tables/values.h"

namespace retrosow {

template <typename T>
class DecodedLevels {
 public:
  static constexpr unsigned kBlockShift = 13;
  static constexpr LevelIndex kBlockMask = (LevelIndex{1} << kBlockShift) - 1;

  // Fills a span with the values of a level from `first` on.
  using Source = std::function<void(unsigned seeds, LevelIndex first, std::span<T> out)>;

  // budget_bytes 0: no limit.
  DecodedLevels(Source source, std::uint64_t budget_bytes) : source_(std::move(source)), budget_(budget_bytes) {}
  ~DecodedLevels();
  DecodedLevels(const DecodedLevels&) = delete;
  DecodedLevels& operator=(const DecodedLevels&) = delete;

  // Makes the next level known. Thread: no reader may be at work.
  void add_level(LevelIndex size);
  unsigned levels() const { return static_cast<unsigned>(levels_.size()); }

  // Gives the memory of all blocks back; they are decoded again when they are asked for. Thread: no reader may be at work.
  void drop_all();

  std::uint64_t held_bytes() const { return held_.load(std::memory_order_relaxed); }
  std::uint64_t decoded_blocks() const { return decoded_.load(std::memory_order_relaxed); }

  class Reader {
   public:
    explicit Reader(DecodedLevels& levels);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    // What lies between the two calls is a task. Pre of value(): within a task.
    void begin_task();
    void end_task();

    T value(unsigned seeds, LevelIndex index) const {
      std::atomic<T*>& slot = levels_.levels_[seeds].blocks[index >> kBlockShift];
      const T* block = slot.load(std::memory_order_acquire);
      if (block == nullptr) [[unlikely]] block = levels_.load(seeds, index >> kBlockShift);
      return block[index & kBlockMask];
    }

   private:
    DecodedLevels& levels_;
    std::size_t place_;
  };

 private:
  struct Level {
    LevelIndex size = 0;
    std::unique_ptr<std::atomic<T*>[]> blocks;
    std::size_t block_count = 0;
  };
  struct Dropped {
    T* block;
    std::uint64_t bytes;
    std::uint64_t epoch;
  };

  const T* load(unsigned seeds, LevelIndex block);
  bool over_budget() const { return budget_ != 0 && held_bytes() > budget_; }
  void drop_some();   // pre: mutex_ held
  void free_dropped();  // pre: mutex_ held

  Source source_;
  std::uint64_t budget_;
  std::vector<Level> levels_;
  std::atomic<std::uint64_t> held_{0}, decoded_{0};  // held_ counts dropped blocks until they are freed
  std::mutex mutex_;
  std::uint64_t epoch_ = 1;                      // guarded by mutex_
  std::vector<std::uint64_t> readers_;           // epoch of each reader's task, or one of the two below; guarded
  static constexpr std::uint64_t kNobody = 0, kIdle = ~std::uint64_t{0};
  std::vector<Dropped> dropped_;                 // guarded
  std::uint64_t dropped_bytes_ = 0;              // guarded
  unsigned drop_level_ = 0;                      // where the hand stands; guarded
  std::size_t drop_block_ = 0;
};

using LowerLevels = DecodedLevels<Value>;
using LowerDistances = DecodedLevels<std::uint16_t>;

}  // namespace retrosow
