#include "tables/guarantee.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "tables/forward.h"
#include "tables/stopwatch.h"
#include "tables/threshold_rounds.h"
#include "tables/update_queues.h"

namespace retrosow {
namespace {

constexpr std::uint32_t kMover = 0x7f;
constexpr unsigned kOpponentShift = 8;
constexpr std::uint32_t kOpponent = 0x7f00;
constexpr std::uint32_t kPairOpenOne = 0x10000;
constexpr std::uint32_t kPairOpen = 0xf0000;
constexpr std::uint32_t kPairLinked = 0x100000;
constexpr std::uint32_t kTold = 0x200000;
constexpr std::uint32_t kClosed = 0x400000;
constexpr std::uint32_t kMoverSpilled = 0x800000;
constexpr std::uint32_t kOpponentSpilled = 0x1000000;
constexpr std::uint32_t kSpilled = kMoverSpilled | kOpponentSpilled;
static_assert(kMaxLevelSeeds <= kMover);

constexpr LevelIndex kStretch = 16;

// An update says what a child's `mover`, or `opponent`, turned out to be: bit 7 tells which.
constexpr unsigned kPayloadSeeds = 0x7f, kPayloadOpponent = 0x80;

unsigned mover_of(std::uint32_t word) { return word & kMover; }
unsigned opponent_of(std::uint32_t word) { return (word & kOpponent) >> kOpponentShift; }

// Works on one region at a time: makes its updates, and tells what becomes known to the predecessors.
class GuaranteeWorker : PredecessorStream<GuaranteeWorker> {
 public:
  GuaranteeWorker(const HalfBoard& half_board, const LevelBases& bases, unsigned seeds, std::span<const Link> links,
                  std::uint32_t* words, UpdateQueues& queues, unsigned worker)
      : PredecessorStream(half_board, bases, seeds, links),
        size_(bases.size(seeds)),
        words_(words),
        queues_(queues),
        worker_(worker) {}

  // Returns whether something had to be spilled.
  bool run(std::size_t region, Scan scan, unsigned threshold) {
    threshold_ = threshold;
    spilled_ = false;
    queues_.take(
        worker_, region, [this](LevelIndex index) { __builtin_prefetch(words_ + index, 1); },
        [this](LevelIndex index, std::uint8_t payload) { apply(index, payload); });
    const LevelIndex first = queues_.first(region), last = std::min(size_, queues_.first(region + 1));
    switch (scan) {
      case Scan::kNothing: break;
      case Scan::kMarked: look_for(first, last, [](std::uint32_t word) { return (word & kSpilled) != 0; }); break;
      case Scan::kThreshold:
        look_for(first, last, [threshold](std::uint32_t word) { return (word & (kMover | kTold)) == threshold; });
        break;
      case Scan::kThresholdAndEnds:
        look_for(first, last, [threshold](std::uint32_t word) {
          return (word & (kMover | kTold)) == threshold || (word & (kPairOpen | kClosed)) == 0;
        });
        break;
    }
    finish();
    return spilled_;
  }

 private:
  friend PredecessorStream;

  // Settles the words that are wanted. Most stretches have none, which is seen without a branch for each word.
  template <typename Wanted>
  void look_for(LevelIndex first, LevelIndex last, Wanted&& wanted) {
    for (LevelIndex at = first; at < last; at += kStretch) {
      unsigned any = 0;
      for (LevelIndex i = 0; i < kStretch; ++i) any |= wanted(words_[at + i]) ? 1U : 0U;  // there is room behind the last
      if (any == 0) continue;
      for (LevelIndex index = at; index < std::min(last, at + kStretch); ++index) {
        if (wanted(words_[index])) settle(index);
      }
    }
  }

  // Tells whatever can be told of a position and has not been.
  void settle(LevelIndex index) {
    const std::uint32_t word = words_[index];
    const bool mover = (word & kMoverSpilled) != 0 || ((word & kTold) == 0 && mover_of(word) == threshold_);
    const bool opponent = (word & kOpponentSpilled) != 0 || (word & (kPairOpen | kClosed)) == 0;
    words_[index] = (word & ~kSpilled) | (mover ? kTold : 0) | (opponent ? kClosed : 0);
    if (mover) tell_mover(index);
    if (opponent) tell_opponent(index);
  }

  void apply(LevelIndex index, std::uint8_t payload) {
    std::uint32_t& word = words_[index];
    const unsigned seeds = payload & kPayloadSeeds;
    if ((payload & kPayloadOpponent) != 0) {
      if ((word & kTold) != 0 || seeds <= mover_of(word)) return;
      word = (word & ~kMover) | seeds;
      if (seeds != threshold_) return;  // less; its turn comes
      word |= kTold;
      tell_mover(index);
      return;
    }
    word -= kPairOpenOne;
    if ((word & kPairOpen) != 0) return;
    word = (word & ~kOpponent) | (std::min(opponent_of(word), seeds) << kOpponentShift) | kClosed;
    tell_opponent(index);
  }

  void tell_mover(LevelIndex index) {
    if (mover_of(words_[index]) == 0) return;
    tell(index, mover_of(words_[index]), kMoverSpilled);
  }
  void tell_opponent(LevelIndex index) {
    if (opponent_of(words_[index]) == 0) return;  // raises nothing
    tell(index, opponent_of(words_[index]) | kPayloadOpponent, kOpponentSpilled);
  }
  void tell(LevelIndex index, unsigned payload, std::uint32_t mark) {
    if (queues_.over_budget()) {
      words_[index] |= mark;
      spilled_ = true;
    } else {
      enter(index, static_cast<std::uint8_t>(payload), (words_[index] & kPairLinked) != 0);
    }
  }

  void found(LevelIndex predecessor, std::uint8_t payload) { queues_.add(worker_, predecessor, payload); }

  LevelIndex size_;
  std::uint32_t* words_;
  UpdateQueues& queues_;
  unsigned worker_;
  unsigned threshold_ = 0;
  bool spilled_ = false;
};

}  // namespace

GuaranteeLevel::GuaranteeLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds, LowerLevels& least,
                               LowerLevels& greatest, unsigned threads)
    : rules_(rules),
      half_board_(half_board),
      seeds_(seeds),
      least_(least),
      greatest_(greatest),
      threads_(threads),
      bases_(half_board, seeds),
      size_(bases_.size(seeds)),
      words_(size_ + kStretch) {
  assert(seeds <= half_board.ranks().max_seeds() && least.levels() >= seeds && greatest.levels() >= seeds);
}

std::uint64_t GuaranteeLevel::memory_bytes(LevelIndex size, unsigned threads) {
  return HugeArray<std::uint32_t>::memory_bytes(size + kStretch) + UpdateQueues::memory_bytes(size, threads);
}

void GuaranteeLevel::solve(const std::function<void(double)>& on_done, const RunControl& control) {
  const Stopwatch forward_watch;
  forward(on_done, control);
  stats_.forward_seconds = forward_watch.seconds();
  const Stopwatch backward_watch;
  backward(on_done, control);
  stats_.backward_seconds = backward_watch.seconds();
}

void GuaranteeLevel::forward(const std::function<void(double)>& on_done, const RunControl& control) {
  const int n = static_cast<int>(seeds_);
  // The best capture as a difference; without one, what is worst for the mover.
  const auto best = [n](std::uint16_t word) {
    return (word & kWordBest) == 0 ? -n : static_cast<int>(word & kWordBest) - static_cast<int>(kWordBestBias);
  };
  {
    // A capture leaves the opponent to move, so what is least for the mover now is greatest for the other then.
    Reporter reporter(on_done, control, 0, 0.2);
    links_ = forward_pass(rules_, half_board_, bases_, seeds_, greatest_, threads_,
                          [&](LevelIndex first, std::span<const std::uint16_t> words) {
                            for (std::size_t i = 0; i < words.size(); ++i) {
                              words_[first + i] = static_cast<std::uint32_t>((n + best(words[i])) / 2) |
                                                  std::uint32_t{(words[i] & kWordOpen) / kWordOpenOne} * kPairOpenOne;
                            }
                          },
                          reporter);
  }
  Reporter reporter(on_done, control, 0.2, 0.4);
  forward_pass(rules_, half_board_, bases_, seeds_, least_, threads_,
               [&](LevelIndex first, std::span<const std::uint16_t> words) {
                 for (std::size_t i = 0; i < words.size(); ++i) {
                   words_[first + i] |= static_cast<std::uint32_t>((n - best(words[i])) / 2) << kOpponentShift;
                 }
               },
               reporter);
  for (const Link& link : links_) words_[link.child] |= kPairLinked;
}

void GuaranteeLevel::backward(const std::function<void(double)>& on_done, const RunControl& control) {
  Reporter reporter(on_done, control, 0.4, 0.9);
  UpdateQueues queues(size_, threads_);
  std::vector<std::unique_ptr<GuaranteeWorker>> workers;
  for (unsigned worker = 0; worker < threads_; ++worker) {
    workers.push_back(
        std::make_unique<GuaranteeWorker>(half_board_, bases_, seeds_, links_, words_.data(), queues, worker));
  }
  stats_.rounds = run_thresholds(seeds_, threads_, queues, workers, reporter);
}

void GuaranteeLevel::copy_guarantees(LevelIndex first, std::span<Guarantee> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint32_t word = words_[first + i];
    out[i].mover = static_cast<std::uint8_t>((word & kTold) != 0 ? mover_of(word) : 0);
    out[i].opponent = static_cast<std::uint8_t>((word & kClosed) != 0 ? opponent_of(word) : 0);
  }
}

}  // namespace retrosow
