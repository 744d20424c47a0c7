#include "tables/distance.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <string>

#include "tables/forward.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"
#include "tables/table_file.h"
#include "tables/update_queues.h"

namespace retrosow {
namespace {

constexpr std::uint32_t kValue = 0xff;
constexpr unsigned kValueBias = 128;
constexpr std::uint32_t kOpenOne = 0x0100;
constexpr std::uint32_t kOpen = 0x0f00;
constexpr std::uint32_t kLinked = 0x1000;
constexpr std::uint32_t kKeeps = 0x2000;
constexpr unsigned kDistanceShift = 16;

std::uint32_t with_distance(std::uint32_t word, unsigned distance) {
  return (word & 0xffff) | (distance << kDistanceShift);
}
unsigned distance_of(std::uint32_t word) { return word >> kDistanceShift; }
unsigned biased_value(std::uint32_t word) { return word & kValue; }
// The value of a child that a move keeps the value with, biased.
unsigned kept_by(unsigned biased) { return 2 * kValueBias - biased; }

// Marks of what is to be told are kept by chunks of words; regions are made of whole chunks.
constexpr unsigned kChunkShift = 10;
LevelIndex chunks_before(LevelIndex index) { return (index + (LevelIndex{1} << kChunkShift) - 1) >> kChunkShift; }

// Works on one region at a time.
class WaveWorker : PredecessorStream<WaveWorker> {
 public:
  WaveWorker(const HalfBoard& half_board, const LevelBases& bases, unsigned seeds, std::span<const Link> links,
             std::uint32_t* words, UpdateQueues& queues, unsigned worker)
      : PredecessorStream(half_board, bases, seeds, links),
        size_(bases.size(seeds)),
        words_(words),
        queues_(queues),
        worker_(worker) {}

  // Counting: the updates say that a won child is there. Tells the won positions of the region from chunk
  // `*chunk` on until the queues are full, and moves `*chunk`; returns whether all are told.
  bool count(std::size_t region, LevelIndex* chunk) {
    queues_.take(worker_, region, PrefetchOf{words_}, [&](LevelIndex index, std::uint8_t payload) {
      if (biased_value(words_[index]) == kept_by(payload)) words_[index] += kOpenOne;
    });
    const LevelIndex end = chunks_before(std::min(size_, queues_.first(region + 1)));
    for (; *chunk < end && !queues_.over_budget(); ++*chunk) {
      for_chunk(*chunk, [&](LevelIndex index, std::uint32_t word) {
        if (biased_value(word) > kValueBias) tell(index, word);
      });
    }
    finish();
    return *chunk == end;
  }

  // The wave of `distance`: makes the updates, which set distance + 1, and marks the chunks that get one in `next`; then
  // tells the positions of marked chunks until the queues are full. Returns whether all are told.
  bool wave(std::size_t region, unsigned distance, std::uint8_t* marks, std::uint8_t* next) {
    queues_.take(worker_, region, PrefetchOf{words_}, [&](LevelIndex index, std::uint8_t payload) {
      std::uint32_t& word = words_[index];
      if (biased_value(word) != kept_by(payload) || distance_of(word) != kNoDistance) return;
      if (biased_value(word) < kValueBias) {
        word -= kOpenOne;
        if ((word & kOpen) != 0) return;
      }
      word = with_distance(word, distance + 1);
      next[index >> kChunkShift] = 1;
    });
    const LevelIndex end = chunks_before(std::min(size_, queues_.first(region + 1)));
    LevelIndex chunk = queues_.first(region) >> kChunkShift;
    for (; chunk < end && !queues_.over_budget(); ++chunk) {
      if (marks[chunk] == 0) continue;
      marks[chunk] = 0;
      for_chunk(chunk, [&](LevelIndex index, std::uint32_t word) {
        if (distance_of(word) == distance) tell(index, word);
      });
    }
    finish();
    return chunk == end;
  }

 private:
  friend PredecessorStream;

  template <typename F>
  void for_chunk(LevelIndex chunk, F&& f) const {
    const LevelIndex last = std::min(size_, (chunk + 1) << kChunkShift);
    for (LevelIndex at = chunk << kChunkShift; at < last; ++at) f(at, words_[at]);
  }

  void tell(LevelIndex index, std::uint32_t word) {
    enter(index, static_cast<std::uint8_t>(word), (word & kLinked) != 0);
  }
  void found(LevelIndex predecessor, std::uint8_t payload) { queues_.add(worker_, predecessor, payload); }

  LevelIndex size_;
  std::uint32_t* words_;
  UpdateQueues& queues_;
  unsigned worker_;
};

}  // namespace

DistanceLevel::DistanceLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds, LowerLevels& lower,
                             ValueReader values, unsigned threads)
    : rules_(rules),
      half_board_(half_board),
      seeds_(seeds),
      lower_(lower),
      values_(std::move(values)),
      threads_(threads),
      bases_(half_board, seeds),
      size_(bases_.size(seeds)),
      words_(size_) {
  assert(seeds <= half_board.ranks().max_seeds() && lower.levels() >= seeds);
}

std::uint64_t DistanceLevel::memory_bytes(LevelIndex size, unsigned threads) {
  return HugeArray<std::uint32_t>::memory_bytes(size) + UpdateQueues::memory_bytes(size, threads);
}

void DistanceLevel::read_values(const RunControl& control) {
  std::vector<std::vector<Value>> buffers(threads_);
  const auto pieces = static_cast<std::size_t>((size_ + kPositionsAtOnce - 1) / kPositionsAtOnce);
  parallel_loop(threads_, pieces, [&](unsigned worker, std::size_t i) {
    control.check_stop();
    const LevelIndex first = i * kPositionsAtOnce;
    std::vector<Value>& buffer = buffers[worker];
    buffer.resize(static_cast<std::size_t>(std::min(kPositionsAtOnce, size_ - first)));
    values_(first, buffer);
    for (std::size_t at = 0; at < buffer.size(); ++at) {
      words_[first + at] =
          with_distance(static_cast<std::uint32_t>(buffer[at] + static_cast<int>(kValueBias)), kNoDistance);
    }
  });
}

void DistanceLevel::solve(const std::function<void(double)>& on_done, const RunControl& control) {
  const Stopwatch forward_watch;
  read_values(control);
  std::vector<Link> links;
  {
    Reporter reporter(on_done, control, 0, 0.15);
    const auto enter = [&](LevelIndex first, std::span<const std::uint16_t> forward) {
      for (std::size_t i = 0; i < forward.size(); ++i) {
        std::uint32_t& word = words_[first + i];
        const unsigned value = biased_value(word);
        if (value == kValueBias) continue;
        if ((forward[i] & kWordOver) != 0) {
          word = with_distance(word, 0);
        } else if ((forward[i] & kWordBest) == value) {
          word = value > kValueBias ? with_distance(word, 1) : word | kKeeps;
        }
      }
    };
    static_assert(kWordBestBias == kValueBias);
    links = forward_pass(rules_, half_board_, bases_, seeds_, lower_, threads_, enter, reporter);
    for (const Link& link : links) words_[link.child] |= kLinked;
  }
  stats_.forward_seconds = forward_watch.seconds();

  const Stopwatch count_watch;
  UpdateQueues queues(size_, threads_);
  std::vector<std::unique_ptr<WaveWorker>> workers;
  for (unsigned worker = 0; worker < threads_; ++worker) {
    workers.push_back(std::make_unique<WaveWorker>(half_board_, bases_, seeds_, links, words_.data(), queues, worker));
  }
  const std::size_t regions = queues.regions();
  // Visits the busy regions and those with updates, round by round, until there are none. `visit` says when a region is
  // not busy any more.
  const auto run_rounds = [&](Reporter& reporter, double share, std::vector<std::uint8_t>& busy, auto&& visit) {
    std::vector<std::size_t> active;
    while (true) {
      active.clear();
      for (std::size_t region = 0; region < regions; ++region) {
        if (busy[region] != 0 || queues.waiting(region) != 0) active.push_back(region);
      }
      if (active.empty()) return;
      parallel_loop(threads_, active.size(), [&](unsigned worker, std::size_t i) {
        busy[active[i]] = visit(*workers[worker], active[i]) ? 0 : 1;
        reporter.tick(share);
      });
      queues.turn();
      ++stats_.rounds;
    }
  };

  std::vector<std::uint8_t> busy(regions, 1);
  {
    Reporter reporter(on_done, control, 0.15, 0.5);
    std::vector<LevelIndex> chunk(regions);
    for (std::size_t region = 0; region < regions; ++region) chunk[region] = queues.first(region) >> kChunkShift;
    run_rounds(reporter, 0.5, busy, [&](WaveWorker& worker, std::size_t region) {
      return worker.count(region, &chunk[region]);
    });
  }
  stats_.count_seconds = count_watch.seconds();

  const Stopwatch wave_watch;
  // marks[d % 2]: chunks with positions at distance d that have not told their predecessors yet.
  std::array<std::vector<std::uint8_t>, 2> marks;
  for (auto& some : marks) some.assign(static_cast<std::size_t>(chunks_before(size_)), 0);
  parallel_loop(threads_, regions, [&](unsigned, std::size_t region) {
    const LevelIndex last = std::min(size_, queues.first(region + 1));
    for (LevelIndex at = queues.first(region); at < last; ++at) {
      std::uint32_t& word = words_[at];
      if (biased_value(word) < kValueBias && (word & (kOpen | kKeeps)) == kKeeps) word = with_distance(word, 1);
      if (distance_of(word) < 2) marks[distance_of(word)][at >> kChunkShift] = 1;
    }
  });
  Reporter reporter(on_done, control, 0.5, 0.9);
  for (unsigned distance = 0;; ++distance) {
    std::vector<std::uint8_t>& now = marks[distance % 2];
    std::vector<std::uint8_t>& next = marks[(distance + 1) % 2];
    bool any = false;
    for (std::size_t region = 0; region < regions; ++region) {
      const auto from = now.begin() + static_cast<std::ptrdiff_t>(queues.first(region) >> kChunkShift);
      const auto to = now.begin() + static_cast<std::ptrdiff_t>(chunks_before(std::min(size_, queues.first(region + 1))));
      busy[region] = std::find(from, to, std::uint8_t{1}) != to ? 1 : 0;
      any = any || busy[region] != 0;
    }
    if (any) {
      stats_.longest = distance;
    } else if (distance > 0) {
      break;  // without a game that is over, the first wave alone may be empty
    }
    if (distance + 1 == kNoDistance) {
      throw limit_error("level " + std::to_string(seeds_) + " has distances of 65535 plies, more than a table holds");
    }
    run_rounds(reporter, 1.0 - 1.0 / (1 + distance), busy, [&](WaveWorker& worker, std::size_t region) {
      return worker.wave(region, distance, now.data(), next.data());
    });
  }
  // What has a value but 0 has a distance, or the values are wrong.
  std::atomic<LevelIndex> without{size_};
  parallel_loop(threads_, regions, [&](unsigned, std::size_t region) {
    const LevelIndex last = std::min(size_, queues.first(region + 1));
    for (LevelIndex at = queues.first(region); at < last; ++at) {
      if (biased_value(words_[at]) == kValueBias || distance_of(words_[at]) != kNoDistance) continue;
      LevelIndex least = without.load();
      while (at < least && !without.compare_exchange_weak(least, at)) {
      }
      return;
    }
  });
  if (without != size_) {
    throw Error(ErrorClass::kCorrupt, "the values of level " + std::to_string(seeds_) +
                                          " cannot be right: nothing leads from the board with index " +
                                          std::to_string(without.load()) + " to its value");
  }
  stats_.wave_seconds = wave_watch.seconds();
}

void DistanceLevel::copy_distances(LevelIndex first, std::span<std::uint16_t> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint16_t>(distance_of(words_[first + i]));
}

}  // namespace retrosow
