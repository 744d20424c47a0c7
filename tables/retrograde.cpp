#include "tables/retrograde.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cassert>

#include "tables/forward.h"
#include "tables/stopwatch.h"
#include "tables/threshold_rounds.h"
#include "tables/update_queues.h"

namespace retrosow {
namespace {

constexpr unsigned kFinal = 0x1000;
constexpr unsigned kLinked = 0x2000;
constexpr unsigned kSpilled = 0x4000;

constexpr unsigned kStretch = 16;

// Bit i: words[i] agrees with the pattern where the mask has bits. Of kStretch words.
unsigned matches(const std::uint16_t* words, unsigned mask, unsigned pattern) {
#ifdef __SSE2__
  const __m128i masks = _mm_set1_epi16(static_cast<short>(mask));
  const __m128i patterns = _mm_set1_epi16(static_cast<short>(pattern));
  const auto half = [&](const std::uint16_t* at) {
    return _mm_cmpeq_epi16(_mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), masks), patterns);
  };
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(half(words), half(words + 8))));
#else
  unsigned bits = 0;
  for (unsigned i = 0; i < kStretch; ++i) bits |= (words[i] & mask) == pattern ? 1U << i : 0;
  return bits;
#endif
}

// Works on one region at a time: makes its updates, and tells the positions that turn final to their predecessors.
class Propagator : PredecessorStream<Propagator> {
 public:
  Propagator(const HalfBoard& half_board, const LevelBases& bases, unsigned seeds, std::span<const Link> links,
             std::uint16_t* words, UpdateQueues& queues, unsigned worker)
      : PredecessorStream(half_board, bases, seeds, links),
        size_(bases.size(seeds)),
        words_(words),
        queues_(queues),
        worker_(worker) {}

  // Returns whether positions had to be spilled.
  bool run(std::size_t region, Scan scan, unsigned threshold) {
    threshold_ = threshold + kWordBestBias;
    spilled_ = false;
    first_ = queues_.first(region);
    queues_.take(worker_, region, words_, [&](LevelIndex index, std::uint8_t payload) { apply(index, payload); });
    if (scan != Scan::kNothing) look_through(std::min(size_, queues_.first(region + 1)), scan);
    finish();
    return spilled_;
  }

 private:
  friend PredecessorStream;

  // What is looked for, whole stretches at a time.
  void look_through(LevelIndex last, Scan scan) {
    const unsigned pattern = scan == Scan::kMarked ? kSpilled : threshold_;
    const unsigned mask = scan == Scan::kMarked ? kSpilled : kWordBest | kFinal;
    for (LevelIndex at = first_; at < last; at += kStretch) {
      unsigned hits = matches(words_ + at, mask, pattern);
      if (scan == Scan::kThresholdAndEnds) hits |= matches(words_ + at, kWordOpen | kFinal, 0);
      if (last - at < kStretch) hits &= (1U << (last - at)) - 1;  // behind the last word there is room, but no position
      for (; hits != 0; hits &= hits - 1) {
        const LevelIndex index = at + static_cast<unsigned>(std::countr_zero(hits));
        std::uint16_t& word = words_[index];
        word = static_cast<std::uint16_t>((word & ~kSpilled) | kFinal);
        tell(index, word);
      }
    }
  }

  // A child of the position turned out to be worth payload - kWordBestBias.
  void apply(LevelIndex index, std::uint8_t payload) {
    // Without branches but the last one: whether a position is final already is as good as random.
    const unsigned word = words_[index];
    const bool open = (word & kFinal) == 0;
    const unsigned outcome = 2 * kWordBestBias - payload;  // minus the child's value, biased
    const unsigned best = std::max(word & kWordBest, outcome);
    const unsigned told = ((word - kWordOpenOne) & ~kWordBest) | best;
    const bool is_final = (told & kWordOpen) == 0 || best == threshold_;
    const unsigned after = open ? told | (is_final ? kFinal : 0) : word;
    words_[index] = static_cast<std::uint16_t>(after);
    if (open && is_final) tell(index, told);
  }

  void tell(LevelIndex index, unsigned word) {
    if (queues_.over_budget()) {
      words_[index] |= kSpilled;
      spilled_ = true;
    } else {
      enter(index, static_cast<std::uint8_t>(word), (word & kLinked) != 0);
    }
  }

  void found(LevelIndex predecessor, std::uint8_t payload) { queues_.add(worker_, predecessor, payload); }

  LevelIndex size_;
  std::uint16_t* words_;
  UpdateQueues& queues_;
  unsigned worker_;
  LevelIndex first_ = 0;  // of the region
  unsigned threshold_ = 0;
  bool spilled_ = false;
};

}  // namespace

RetrogradeLevel::RetrogradeLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds,
                                 LowerLevels& lower, unsigned threads)
    : rules_(rules),
      half_board_(half_board),
      seeds_(seeds),
      lower_(lower),
      threads_(threads),
      bases_(half_board, seeds),
      size_(bases_.size(seeds)),
      words_(size_ + kStretch) {
  assert(seeds <= half_board.ranks().max_seeds() && lower.levels() >= seeds);
}

std::uint64_t RetrogradeLevel::memory_bytes(LevelIndex size, unsigned threads) {
  return HugeArray<std::uint16_t>::memory_bytes(size + kStretch) + UpdateQueues::memory_bytes(size, threads);
}

void RetrogradeLevel::solve(const std::function<void(double)>& on_done, const RunControl& control) {
  const Stopwatch forward_watch;
  forward(on_done, control);
  stats_.forward_seconds = forward_watch.seconds();
  const Stopwatch backward_watch;
  backward(on_done, control);
  stats_.backward_seconds = backward_watch.seconds();
}

void RetrogradeLevel::forward(const std::function<void(double)>& on_done, const RunControl& control) {
  Reporter reporter(on_done, control, 0, 0.2);
  const auto keep = [&](LevelIndex first, std::span<const std::uint16_t> words) {
    std::copy(words.begin(), words.end(), words_.data() + first);
  };
  links_ = forward_pass(rules_, half_board_, bases_, seeds_, lower_, threads_, keep, reporter);
  for (const Link& link : links_) words_[link.child] |= kLinked;
  stats_.links = links_.size();
}

void RetrogradeLevel::backward(const std::function<void(double)>& on_done, const RunControl& control) {
  Reporter reporter(on_done, control, 0.2, 0.9);
  UpdateQueues queues(size_, threads_);
  std::vector<std::unique_ptr<Propagator>> propagators;
  for (unsigned worker = 0; worker < threads_; ++worker) {
    propagators.push_back(
        std::make_unique<Propagator>(half_board_, bases_, seeds_, links_, words_.data(), queues, worker));
  }
  stats_.rounds = run_thresholds(seeds_, threads_, queues, propagators, reporter);
  stats_.queue_bytes = queues.peak_bytes();
}

void RetrogradeLevel::copy_values(LevelIndex first, std::span<Value> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const unsigned word = words_[first + i];
    out[i] = (word & kFinal) != 0
                 ? static_cast<Value>(static_cast<int>(word & kWordBest) - static_cast<int>(kWordBestBias))
                 : Value{0};
  }
}

}  // namespace retrosow
