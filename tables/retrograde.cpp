#include "tables/retrograde.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>
#include <vector>

#include "tables/forward.h"
#include "tables/packed_words.h"
#include "tables/stopwatch.h"
#include "tables/threshold_rounds.h"
#include "tables/update_queues.h"

namespace retrosow {
namespace {

// Works on one region at a time: makes its updates, and tells the positions that turn final to their predecessors.
template <unsigned kBits>
class Propagator : PredecessorStream<Propagator<kBits>> {
  using Stream = PredecessorStream<Propagator<kBits>>;
  using Words = PackedWords<kBits>;

 public:
  Propagator(const HalfBoard& half_board, const LevelBases& bases, unsigned seeds, std::span<const Link> links,
             const LinkedChunks& linked, Words words, UpdateQueues& queues, unsigned worker)
      : Stream(half_board, bases, seeds, links),
        size_(bases.size(seeds)),
        bias_(seeds + 1),
        linked_(linked),
        words_(words),
        queues_(queues),
        worker_(worker) {}

  // Returns whether positions had to be spilled.
  bool run(std::size_t region, Scan scan, unsigned threshold) {
    threshold_ = threshold + bias_;
    spilled_ = false;
    queues_.take(
        worker_, region, [this](LevelIndex index) { words_.prefetch(index); },
        [this](LevelIndex index, std::uint8_t payload) { apply(index, payload); });
    if (scan != Scan::kNothing) look_through(queues_.first(region), std::min(size_, queues_.first(region + 1)), scan);
    Stream::finish();
    return spilled_;
  }

 private:
  friend Stream;

  // What is looked for, whole stretches at a time.
  void look_through(LevelIndex first, LevelIndex last, Scan scan) {
    for (LevelIndex at = first; at < last; at += Words::kStretch) {
      unsigned hits = 0;  // none behind the last word, where there is nothing but zeros
      if (scan != Scan::kMarked) hits |= words_.with_best_and_open(at, threshold_);
      if (scan != Scan::kThreshold) hits |= words_.with_max_open(at);
      for (; hits != 0; hits &= hits - 1) {
        const LevelIndex index = at + static_cast<unsigned>(std::countr_zero(hits));
        const unsigned best = words_.get(index) & Words::kBest;
        words_.set(index, best);
        tell(index, best);
      }
    }
  }

  // A child of the position turned out to be worth payload - bias_.
  void apply(LevelIndex index, std::uint8_t payload) {
    // Without branches but the last one: whether a position is final already is as good as random.
    const unsigned word = words_.get(index);
    const unsigned open = word >> Words::kBestBits;
    const bool live = open - 1 < Words::kMaxOpen - 1;
    const unsigned outcome = 2 * bias_ - payload;  // minus the child's value, biased
    const unsigned best = std::max(word & Words::kBest, outcome);
    const unsigned left = best == threshold_ ? 0 : open - 1;
    words_.set(index, live ? best | left << Words::kBestBits : word);
    if (live && left == 0) tell(index, best);
  }

  void tell(LevelIndex index, unsigned best) {
    if (queues_.over_budget()) {
      words_.set(index, best | Words::kMaxOpen << Words::kBestBits);
      spilled_ = true;
    } else {
      Stream::enter(index, static_cast<std::uint8_t>(best), linked_.maybe(index));
    }
  }

  void found(LevelIndex predecessor, std::uint8_t payload) { queues_.add(worker_, predecessor, payload); }

  LevelIndex size_;
  unsigned bias_;
  const LinkedChunks& linked_;
  Words words_;
  UpdateQueues& queues_;
  unsigned worker_;
  unsigned threshold_ = 0;
  bool spilled_ = false;
};

// What does not fit into words of 10 bits.
bool needs_wide(unsigned pits, unsigned seeds) {
  using Narrow = PackedWords<10>;
  return 2 * seeds + 1 > Narrow::kBest || pits >= Narrow::kMaxOpen;
}

std::uint64_t words_bytes(bool wide, LevelIndex size) {
  return wide ? PackedWords<12>::bytes_for(size) : PackedWords<10>::bytes_for(size);
}

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
      wide_(needs_wide(half_board.pits(), seeds)),
      bytes_(words_bytes(wide_, size_)) {
  assert(seeds <= half_board.ranks().max_seeds() && lower.levels() >= seeds);
}

std::uint64_t RetrogradeLevel::memory_bytes(unsigned pits, unsigned seeds, LevelIndex size, unsigned threads) {
  return HugeArray<std::uint8_t>::memory_bytes(words_bytes(needs_wide(pits, seeds), size)) +
         LinkedChunks::memory_bytes(size) + UpdateQueues::memory_bytes(size, threads);
}

void RetrogradeLevel::solve(const std::function<void(double)>& on_done, const RunControl& control) {
  wide_ ? solve_in<12>(on_done, control) : solve_in<10>(on_done, control);
}

template <unsigned kBits>
void RetrogradeLevel::solve_in(const std::function<void(double)>& on_done, const RunControl& control) {
  using Words = PackedWords<kBits>;
  const Words words(bytes_.data());
  const Stopwatch forward_watch;
  std::vector<Link> links;
  {
    Reporter reporter(on_done, control, 0, 0.2);
    const unsigned none = kWordBestBias - seeds_ - 1;  // what is below every best outcome
    const auto keep = [&](LevelIndex first, std::span<const std::uint16_t> found) {
      thread_local std::vector<std::uint16_t> packed;
      packed.resize(found.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const unsigned best = std::max(found[i] & kWordBest, none) - none;
        const unsigned open = (found[i] & kWordOpen) / kWordOpenOne;
        packed[i] = static_cast<std::uint16_t>(best | (open == 0 ? Words::kMaxOpen : open) << Words::kBestBits);
      }
      words.write(first, packed);
    };
    links = forward_pass(rules_, half_board_, bases_, seeds_, lower_, threads_, keep, reporter);
  }
  stats_.links = links.size();
  stats_.forward_seconds = forward_watch.seconds();

  const Stopwatch backward_watch;
  Reporter reporter(on_done, control, 0.2, 0.9);
  const LinkedChunks linked(size_, links);
  UpdateQueues queues(size_, threads_);
  std::vector<std::unique_ptr<Propagator<kBits>>> propagators;
  for (unsigned worker = 0; worker < threads_; ++worker) {
    propagators.push_back(
        std::make_unique<Propagator<kBits>>(half_board_, bases_, seeds_, links, linked, words, queues, worker));
  }
  stats_.rounds = run_thresholds(seeds_, threads_, queues, propagators, reporter);
  stats_.queue_bytes = queues.peak_bytes();
  stats_.backward_seconds = backward_watch.seconds();
}

void RetrogradeLevel::copy_values(LevelIndex first, std::span<Value> out) const {
  wide_ ? copy_from<12>(first, out) : copy_from<10>(first, out);
}

template <unsigned kBits>
void RetrogradeLevel::copy_from(LevelIndex first, std::span<Value> out) const {
  using Words = PackedWords<kBits>;
  const Words words(bytes_.data());
  const int bias = static_cast<int>(seeds_) + 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const unsigned word = words.get(first + i);
    out[i] = word <= Words::kBest ? static_cast<Value>(static_cast<int>(word) - bias) : Value{0};
  }
}

}  // namespace retrosow
