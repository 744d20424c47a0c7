#include "tables/lower_levels.h"

#include <algorithm>

namespace retrosow {

template <typename T>
DecodedLevels<T>::~DecodedLevels() {
  for (Level& level : levels_) {
    for (std::size_t i = 0; i < level.block_count; ++i) delete[] level.blocks[i].load(std::memory_order_relaxed);
  }
  for (const Dropped& d : dropped_) delete[] d.block;
}

template <typename T>
void DecodedLevels<T>::add_level(LevelIndex size) {
  Level level;
  level.size = size;
  level.block_count = static_cast<std::size_t>((size + kBlockMask) >> kBlockShift);
  level.blocks = std::make_unique<std::atomic<T*>[]>(level.block_count);
  levels_.push_back(std::move(level));
}

template <typename T>
const T* DecodedLevels<T>::load(unsigned seeds, LevelIndex block) {
  Level& level = levels_[seeds];
  const LevelIndex first = block << kBlockShift;
  const std::size_t count = static_cast<std::size_t>(std::min<LevelIndex>(level.size - first, kBlockMask + 1));
  auto decoded = std::make_unique<T[]>(count);
  source_(seeds, first, {decoded.get(), count});
  decoded_.fetch_add(1, std::memory_order_relaxed);
  // Two workers may decode the same block; the first one to enter it wins.
  held_.fetch_add(count * sizeof(T), std::memory_order_relaxed);
  T* expected = nullptr;
  if (!level.blocks[block].compare_exchange_strong(expected, decoded.get(), std::memory_order_acq_rel)) {
    held_.fetch_sub(count * sizeof(T), std::memory_order_relaxed);
    return expected;
  }
  return decoded.release();
}

template <typename T>
void DecodedLevels<T>::drop_some() {
  // A clock hand over all blocks: what is needed soon again is decoded again.
  const std::uint64_t target = budget_ - budget_ / 8;
  std::size_t looked_at = 0, all = 0;
  for (const Level& level : levels_) all += level.block_count;
  while (held_bytes() > target + dropped_bytes_ && looked_at++ < all + levels_.size()) {
    if (drop_level_ >= levels_.size()) drop_level_ = 0;
    Level& level = levels_[drop_level_];
    if (drop_block_ >= level.block_count) {
      ++drop_level_;
      drop_block_ = 0;
      continue;
    }
    const LevelIndex first = LevelIndex{drop_block_} << kBlockShift;
    T* block = level.blocks[drop_block_++].exchange(nullptr, std::memory_order_acq_rel);
    if (block == nullptr) continue;
    const std::uint64_t bytes = std::min<LevelIndex>(level.size - first, kBlockMask + 1) * sizeof(T);
    dropped_.push_back({block, bytes, epoch_});
    dropped_bytes_ += bytes;
  }
  ++epoch_;
}

template <typename T>
void DecodedLevels<T>::drop_all() {
  const std::lock_guard lock(mutex_);
  free_dropped();
  for (Level& level : levels_) {
    for (std::size_t i = 0; i < level.block_count; ++i) delete[] level.blocks[i].exchange(nullptr, std::memory_order_relaxed);
  }
  held_.store(0, std::memory_order_relaxed);
}

template <typename T>
void DecodedLevels<T>::free_dropped() {
  std::uint64_t oldest = epoch_;
  for (const std::uint64_t epoch : readers_) {
    if (epoch != kIdle && epoch != kNobody) oldest = std::min(oldest, epoch);
  }
  std::erase_if(dropped_, [&](const Dropped& d) {
    if (d.epoch >= oldest) return false;
    delete[] d.block;
    dropped_bytes_ -= d.bytes;
    held_.fetch_sub(d.bytes, std::memory_order_relaxed);
    return true;
  });
}

template <typename T>
DecodedLevels<T>::Reader::Reader(DecodedLevels& levels) : levels_(levels) {
  const std::lock_guard lock(levels_.mutex_);
  const auto free_place = std::find(levels_.readers_.begin(), levels_.readers_.end(), kNobody);
  place_ = static_cast<std::size_t>(free_place - levels_.readers_.begin());
  if (free_place == levels_.readers_.end()) levels_.readers_.push_back(kNobody);
  levels_.readers_[place_] = kIdle;
}

template <typename T>
DecodedLevels<T>::Reader::~Reader() {
  const std::lock_guard lock(levels_.mutex_);
  levels_.readers_[place_] = kNobody;
}

template <typename T>
void DecodedLevels<T>::Reader::begin_task() {
  const std::lock_guard lock(levels_.mutex_);
  if (levels_.over_budget()) {
    levels_.drop_some();
    levels_.free_dropped();
  }
  levels_.readers_[place_] = levels_.epoch_;
}

template <typename T>
void DecodedLevels<T>::Reader::end_task() {
  const std::lock_guard lock(levels_.mutex_);
  levels_.readers_[place_] = kIdle;
  if (!levels_.dropped_.empty()) levels_.free_dropped();
}

template class DecodedLevels<Value>;
template class DecodedLevels<std::uint16_t>;

}  // namespace retrosow
