#include "tables/update_queues.h"

#include <algorithm>
#include <bit>

namespace retrosow {
namespace {

constexpr unsigned kLeastShift = 12, kBestShift = 19;
constexpr std::size_t kRegionsPerWorker = 8;
constexpr std::size_t kMostQueues = 8192;  // of all workers: each has a page that is not full

// As large as the cache likes, smaller where workers would have nothing to do, larger where there would be too many.
unsigned region_shift_for(LevelIndex size, unsigned workers) {
  unsigned shift = kBestShift;
  while (shift > kLeastShift && (size >> shift) < workers * kRegionsPerWorker) --shift;
  while (shift < UpdateQueues::kPlaceBits && (size >> shift) * workers >= kMostQueues) ++shift;
  return shift;
}

std::uint64_t budget_for(LevelIndex size) { return std::clamp(size, LevelIndex{1} << 20, LevelIndex{96} << 20); }

std::size_t regions_for(LevelIndex size, unsigned shift) {
  return static_cast<std::size_t>((size + (LevelIndex{1} << shift) - 1) >> shift);
}

}  // namespace

UpdateQueues::UpdateQueues(LevelIndex size, unsigned workers)
    : shift_(region_shift_for(size, workers)),
      mask_((LevelIndex{1} << shift_) - 1),
      regions_(regions_for(size, shift_)),
      budget_pages_(budget_for(size) / kPageBytes + 4 * workers * regions_),
      writers_(workers),
      waiting_(regions_, 0) {
  for (Writer& writer : writers_) {
    writer.tails.assign(regions_, nullptr);
    writer.writable.resize(regions_);
    writer.readable.resize(regions_);
  }
}

UpdateQueues::Update* UpdateQueues::new_page(unsigned worker, std::size_t region) {
  Writer& writer = writers_[worker];
  if (writer.free.empty()) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      memory_.push_back(std::make_unique_for_overwrite<Page[]>(kPagesAtOnce));
      all_pages_ += kPagesAtOnce;
      for (std::size_t i = kPagesAtOnce; i-- > 0;) free_.push_back(&memory_.back()[i]);
    }
    const std::size_t count = std::min(kPagesAtOnce, free_.size());
    writer.free.insert(writer.free.end(), free_.end() - static_cast<std::ptrdiff_t>(count), free_.end());
    free_.resize(free_.size() - count);
  }
  Page* page = writer.free.back();
  writer.free.pop_back();
  used_pages_.fetch_add(1, std::memory_order_relaxed);
  writer.writable[region].push_back(page);
  return page->updates;
}

void UpdateQueues::give_back(std::vector<Page*>& free) {
  const std::lock_guard lock(mutex_);
  free_.insert(free_.end(), free.end() - static_cast<std::ptrdiff_t>(kPagesAtOnce), free.end());
  free.resize(free.size() - kPagesAtOnce);
}

void UpdateQueues::turn() {
  std::fill(waiting_.begin(), waiting_.end(), 0);
  for (Writer& writer : writers_) {
    for (std::size_t region = 0; region < regions_; ++region) {
      std::vector<Piece>& readable = writer.readable[region];
      for (Page* page : writer.writable[region]) readable.push_back({page, kPageUpdates});
      if (!writer.writable[region].empty()) {
        readable.back().size = static_cast<std::size_t>(writer.tails[region] - readable.back().page->updates);
        writer.writable[region].clear();
        writer.tails[region] = nullptr;
      }
      for (const Piece& piece : readable) waiting_[region] += piece.size;
    }
  }
}

std::uint64_t UpdateQueues::memory_bytes(LevelIndex size, unsigned workers) {
  // A position that is told when the budget is used up already has had its say, so every worker adds a page
  // for each region at most; and keeps free pages.
  const std::uint64_t regions = regions_for(size, region_shift_for(size, workers));
  return budget_for(size) + workers * (6 * regions + 4 * kPagesAtOnce) * kPageBytes;
}

}  // namespace retrosow
