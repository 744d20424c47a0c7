// The waves of distance.h over the positions of a level, or over some of them: what is done once values and start marks are
// there.
//
// A position has a value, one byte, and a state of 16 bits:
//
//   0 .. kMostDistance    its distance
//   kUnknown + ...        not known yet, and for ever where the value is 0
//      bits 0-3  open     lost positions: value-keeping quiet moves whose child's distance is not known yet
//      bit  4    keeps    lost positions: some capture keeps the value
//
// Places says where the positions stand in the two arrays: each at its own index (EveryPosition), or members alone (MemberRanks).
// Positions that are none are passed over, so there must be members with all positions of value v or -v, or none of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "tables/forward.h"
#include "tables/level_graph.h"
#include "tables/member_ranks.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"
#include "tables/update_queues.h"
#include "tables/values.h"

namespace retrosow {

// Values as the waves see them; as in the words of the forward pass.
inline constexpr unsigned kDistanceBias = kWordBestBias;

struct DistanceState {
  static constexpr unsigned kUnknown = 0xffe0;
  static constexpr unsigned kOpen = 0x0f, kKeeps = 0x10;
  static constexpr unsigned kMostDistance = kUnknown - 1;

  static bool known(unsigned state) { return state < kUnknown; }
};

class EveryPosition {
 public:
  bool has(LevelIndex) const { return true; }
  LevelIndex number(LevelIndex index) const { return index; }
  template <typename F>
  void for_each(LevelIndex first, LevelIndex last, F&& f) const {
    for (; first < last; ++first) f(first, first);
  }
};

// What waves work on.
template <typename Places>
struct DistanceBoard {
  const HalfBoard& half_board;
  const LevelBases& bases;
  unsigned seeds;
  std::span<const Link> links;
  const LinkedChunks& linked;
  const Places& places;
  std::uint8_t* values;    // + kDistanceBias
  std::uint16_t* states;
};

template <typename Places>
class DistanceWaves {
 public:
  // `queues` are empty, and are so again after run().
  DistanceWaves(const DistanceBoard<Places>& board, UpdateQueues& queues, unsigned threads)
      : board_(board), size_(board.bases.size(board.seeds)), queues_(queues), threads_(threads) {
    for (unsigned worker = 0; worker < threads; ++worker) {
      workers_.push_back(std::make_unique<Worker>(board_, size_, queues, worker));
    }
    for (auto& some : marks_) some.assign(static_cast<std::size_t>(chunks_before(size_)), 0);
  }

  // Gives every member its distance. Returns the first one of another value than 0 that gets none, or the level's size.
  // The reporter is told 0..1 of what is to be done.
  // Fails: limit error for distances of DistanceState::kMostDistance and more; interrupted error.
  LevelIndex run(Reporter& reporter) {
    count(reporter);
    begin_waves();
    for (unsigned distance = 0;; ++distance) {
      if (!wave(distance, reporter)) return first_without();
    }
  }

  unsigned longest() const { return longest_; }  // of all runs
  std::uint64_t rounds() const { return rounds_; }
  double count_seconds() const { return count_seconds_; }

  static std::uint64_t memory_bytes(LevelIndex size) { return 2 * chunks_before(size); }

 private:
  // Marks of what is to be told are kept by chunks of positions; regions are made of whole chunks.
  static constexpr unsigned kChunkShift = 10;
  static LevelIndex chunks_before(LevelIndex index) { return (index + (LevelIndex{1} << kChunkShift) - 1) >> kChunkShift; }
  // The value of a child that a move keeps the value with, biased.
  static unsigned kept_by(unsigned biased) { return 2 * kDistanceBias - biased; }

  // Works on one region at a time.
  class Worker : PredecessorStream<Worker> {
    using Stream = PredecessorStream<Worker>;

   public:
    Worker(const DistanceBoard<Places>& board, LevelIndex size, UpdateQueues& queues, unsigned worker)
        : Stream(board.half_board, board.bases, board.seeds, board.links),
          board_(board),
          size_(size),
          queues_(queues),
          worker_(worker) {}

    // Counting: the updates say that a won child is there. Tells the won positions of the region from chunk
    // `*chunk` on until the queues are full, and moves `*chunk`; returns whether all are told.
    bool count(std::size_t region, LevelIndex* chunk) {
      take(region, [&](LevelIndex, std::uint16_t& state, unsigned) {
        if (!DistanceState::known(state)) ++state;
      });
      const LevelIndex end = chunks_before(std::min(size_, queues_.first(region + 1)));
      for (; *chunk < end && !queues_.over_budget(); ++*chunk) {
        for_chunk(*chunk, [&](LevelIndex index, LevelIndex place) {
          if (board_.values[place] > kDistanceBias) tell(index, board_.values[place]);
        });
      }
      Stream::finish();
      return *chunk == end;
    }

    // The wave of `distance`: makes the updates, which set distance + 1, and marks the chunks that get one in `next`; then
    // tells the positions of marked chunks until the queues are full. Returns whether all are told.
    bool wave(std::size_t region, unsigned distance, std::uint8_t* marks, std::uint8_t* next) {
      take(region, [&](LevelIndex index, std::uint16_t& state, unsigned value) {
        if (DistanceState::known(state)) return;
        if (value < kDistanceBias) {
          --state;
          if ((state & DistanceState::kOpen) != 0) return;
        }
        state = static_cast<std::uint16_t>(distance + 1);
        next[index >> kChunkShift] = 1;
      });
      const LevelIndex end = chunks_before(std::min(size_, queues_.first(region + 1)));
      LevelIndex chunk = queues_.first(region) >> kChunkShift;
      for (; chunk < end && !queues_.over_budget(); ++chunk) {
        if (marks[chunk] == 0) continue;
        marks[chunk] = 0;
        for_chunk(chunk, [&](LevelIndex index, LevelIndex place) {
          if (board_.states[place] == distance) tell(index, board_.values[place]);
        });
      }
      Stream::finish();
      return chunk == end;
    }

   private:
    friend Stream;

    // Updates of positions whose value the child keeps.
    template <typename F>
    void take(std::size_t region, F&& f) {
      queues_.take(
          worker_, region,
          [this](LevelIndex index) {
            if constexpr (std::is_same_v<Places, EveryPosition>) {
              __builtin_prefetch(board_.values + index);
              __builtin_prefetch(board_.states + index, 1);
            } else {
              board_.places.prefetch(index);
            }
          },
          [&](LevelIndex index, std::uint8_t payload) {
            if (!board_.places.has(index)) return;
            const LevelIndex place = board_.places.number(index);
            const unsigned value = board_.values[place];
            if (value == kept_by(payload)) f(index, board_.states[place], value);
          });
    }

    template <typename F>
    void for_chunk(LevelIndex chunk, F&& f) const {
      board_.places.for_each(chunk << kChunkShift, std::min(size_, (chunk + 1) << kChunkShift), f);
    }

    void tell(LevelIndex index, std::uint8_t value) { Stream::enter(index, value, board_.linked.maybe(index)); }
    void found(LevelIndex predecessor, std::uint8_t payload) { queues_.add(worker_, predecessor, payload); }

    const DistanceBoard<Places>& board_;
    LevelIndex size_;
    UpdateQueues& queues_;
    unsigned worker_;
  };

  // Visits the busy regions and those with updates, round by round, until there are none. `visit` says when a region is
  // not busy any more.
  template <typename Visit>
  void run_rounds(Reporter& reporter, double share, std::vector<std::uint8_t>& busy, Visit&& visit) {
    std::vector<std::size_t> active;
    while (true) {
      active.clear();
      for (std::size_t region = 0; region < queues_.regions(); ++region) {
        if (busy[region] != 0 || queues_.waiting(region) != 0) active.push_back(region);
      }
      if (active.empty()) return;
      parallel_loop(threads_, active.size(), [&](unsigned worker, std::size_t i) {
        busy[active[i]] = visit(*workers_[worker], active[i]) ? 0 : 1;
        reporter.tick(share);
      });
      queues_.turn();
      ++rounds_;
    }
  }

  template <typename F>
  void for_each_of_regions(F&& f) {
    parallel_loop(threads_, queues_.regions(), [&](unsigned, std::size_t region) {
      board_.places.for_each(queues_.first(region), std::min(size_, queues_.first(region + 1)), f);
    });
  }

  void count(Reporter& reporter) {
    const Stopwatch watch;
    std::vector<std::uint8_t> busy(queues_.regions(), 1);
    std::vector<LevelIndex> chunk(queues_.regions());
    for (std::size_t region = 0; region < chunk.size(); ++region) chunk[region] = queues_.first(region) >> kChunkShift;
    run_rounds(reporter, 0.3, busy, [&](Worker& worker, std::size_t region) { return worker.count(region, &chunk[region]); });
    count_seconds_ += watch.seconds();
  }

  // Lost positions that none counted up keep their value by capturing alone. Marks what the first two waves tell.
  void begin_waves() {
    for_each_of_regions([&](LevelIndex index, LevelIndex place) {
      std::uint16_t& state = board_.states[place];
      if (state == (DistanceState::kUnknown | DistanceState::kKeeps)) state = 1;
      if (state < 2) marks_[state][index >> kChunkShift] = 1;
    });
  }

  // Returns whether there was any.
  bool wave(unsigned distance, Reporter& reporter) {
    std::vector<std::uint8_t>& now = marks_[distance % 2];
    std::vector<std::uint8_t>& next = marks_[(distance + 1) % 2];
    std::vector<std::uint8_t> busy(queues_.regions());
    bool any = false;
    for (std::size_t region = 0; region < busy.size(); ++region) {
      const auto from = now.begin() + static_cast<std::ptrdiff_t>(queues_.first(region) >> kChunkShift);
      const auto to = now.begin() + static_cast<std::ptrdiff_t>(chunks_before(std::min(size_, queues_.first(region + 1))));
      busy[region] = std::find(from, to, std::uint8_t{1}) != to ? 1 : 0;
      any = any || busy[region] != 0;
    }
    if (any) {
      longest_ = std::max(longest_, distance);
    } else if (distance > 0) {
      return false;  // without a game that is over, the first wave alone may be empty
    }
    if (distance == DistanceState::kMostDistance) {
      throw limit_error("level " + std::to_string(board_.seeds) + " has distances of " +
                        std::to_string(DistanceState::kMostDistance) + " plies and more, which cannot be built");
    }
    run_rounds(reporter, 1.0 - 0.7 / (1 + distance), busy, [&](Worker& worker, std::size_t region) {
      return worker.wave(region, distance, now.data(), next.data());
    });
    return true;
  }

  LevelIndex first_without() {
    std::atomic<LevelIndex> without{size_};
    for_each_of_regions([&](LevelIndex index, LevelIndex place) {
      if (DistanceState::known(board_.states[place]) || board_.values[place] == kDistanceBias) return;
      LevelIndex least = without.load(std::memory_order_relaxed);
      while (index < least && !without.compare_exchange_weak(least, index)) {
      }
    });
    return without;
  }

  DistanceBoard<Places> board_;
  LevelIndex size_;
  UpdateQueues& queues_;
  unsigned threads_;
  std::vector<std::unique_ptr<Worker>> workers_;
  // marks_[d % 2]: chunks with positions at distance d that have not told their predecessors yet.
  std::array<std::vector<std::uint8_t>, 2> marks_;
  unsigned longest_ = 0;
  std::uint64_t rounds_ = 0;
  double count_seconds_ = 0;
};

}  // namespace retrosow
