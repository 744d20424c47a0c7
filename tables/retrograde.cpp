#include "tables/retrograde.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstring>
#include <mutex>

#include "tables/parallel.h"

namespace retrosow {
namespace {

constexpr unsigned kBestMask = 0x00ff;
constexpr unsigned kBestBias = 128;
constexpr unsigned kOpenOne = 0x0100;
constexpr unsigned kOpenMask = 0x0f00;
constexpr unsigned kFinal = 0x1000;
constexpr unsigned kLinked = 0x2000;
constexpr unsigned kSpilled = 0x4000;
constexpr unsigned kStarves = 0x8000;

constexpr unsigned kTileMovers = 64;      // two cache lines of words in every row
constexpr unsigned kTileOpponents = 1024;
constexpr LevelIndex kScanChunk = LevelIndex{1} << 18;

unsigned with_best(unsigned word, int best) {
  const unsigned biased = static_cast<unsigned>(best + static_cast<int>(kBestBias));
  return (word & kBestMask) < biased ? (word & ~kBestMask) | biased : word;
}

std::uint16_t load_word(const std::uint16_t* words, LevelIndex index) {
  return __atomic_load_n(words + index, __ATOMIC_RELAXED);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Position join_halves(std::uint64_t opponent, std::uint64_t mover, unsigned pits) {
  Position p;
  std::memcpy(p.lanes.data(), &opponent, 8);
  std::memcpy(p.lanes.data() + pits, &mover, pits);
  return p;
}

// Stops the workers from outside, and says how much is done, from whichever worker comes by.
class Reporter {
 public:
  Reporter(const std::function<void(double)>& on_done, const RunControl& control, double from, double to)
      : on_done_(on_done), control_(control), from_(from), to_(to) {}

  void tick(double share) {
    if (stopped_.load(std::memory_order_relaxed)) throw Error(ErrorClass::kInterrupted, "interrupted");
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return;
    try {
      control_.check_stop();
    } catch (...) {
      stopped_.store(true, std::memory_order_relaxed);
      throw;
    }
    furthest_ = std::max(furthest_, from_ + (to_ - from_) * share);  // chunks end in any order
    if (on_done_) on_done_(furthest_);
  }

 private:
  const std::function<void(double)>& on_done_;
  const RunControl& control_;
  double from_, to_;
  double furthest_ = 0;  // guarded by mutex_
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
};

}  // namespace

// One column of tiles: up to kTileMovers of the mover's halves against all of the opponent's with b seeds.
class ForwardTask {
 public:
  ForwardTask(RetrogradeLevel& level, LowerLevels::Reader& lower, std::vector<RetrogradeLevel::Link>& links)
      : level_(level), half_board_(level.half_board_), lower_(lower), links_(links) {}

  void run(unsigned b, std::uint32_t first_mover, std::uint32_t movers) {
    b_ = b;
    a_ = level_.seeds_ - b;
    first_mover_ = first_mover;
    movers_ = movers;
    const std::uint32_t opponents = half_board_.count(b);
    std::uint16_t open[kTileMovers];
    for (std::uint32_t m = 0; m < movers; ++m) {
      open[m] = static_cast<std::uint16_t>(kOpenOne * half_board_.move_count(half_board_.id(a_, first_mover + m)));
    }
    for (std::uint32_t first = 0; first < opponents; first += kTileOpponents) {
      const std::uint32_t last = std::min(opponents, first + kTileOpponents);
      for (std::uint32_t rank = first; rank < last; ++rank) std::memcpy(row(rank), open, 2 * movers);
      if (b == 0) {
        for (std::uint32_t m = 0; m < movers; ++m) row(0)[m] = 0;
      }
      run_tile(first, last);
      for (std::uint32_t rank = first; rank < last; ++rank) finish_row(rank);
    }
  }

 private:
  std::uint16_t* row(std::uint32_t opponent) const {
    return level_.words_ + level_.base_[level_.seeds_][b_] + LevelIndex{opponent} * half_board_.count(a_) +
           first_mover_;
  }

  void run_tile(std::uint32_t first, std::uint32_t last) {
    if (b_ == 0) return;  // by whole positions, in finish_row
    const auto& crossings = half_board_.crossings();
    std::span<const Reception> special[256];
    for (unsigned c = 0; c < crossings.size(); ++c) {
      special[c] = {};
      if (crossings[c].seeds > a_) continue;
      const auto all = half_board_.special(c, b_);
      const auto below = [](const Reception& r, std::uint32_t rank) { return r.rank < rank; };
      const auto from = std::lower_bound(all.begin(), all.end(), first, below);
      special[c] = {from, std::lower_bound(from, all.end(), last, below)};
    }
    std::uint16_t* const tile = row(0);
    const LevelIndex stride = half_board_.count(a_);
    for (std::uint32_t m = 0; m < movers_; ++m) {
      const std::uint32_t id = half_board_.id(a_, first_mover_ + m);
      const auto moves = half_board_.moves(id).first(half_board_.move_count(id));
      for (const SowerMove& move : moves) {
        const unsigned crossed = crossings[move.crossing].seeds;
        for (const Reception& reception : special[move.crossing]) {
          std::uint16_t& word = tile[reception.rank * stride + m];
          if (reception.kind == ReceptionKind::kCapture && !(reception.starves && must_not_starve())) [[likely]] {
            const unsigned left = level_.seeds_ - reception.captured;
            const unsigned received = b_ + crossed - reception.captured;
            const LevelIndex child = level_.base_[left][move.seeds] +
                                     LevelIndex{move.rank} * half_board_.count(received) + reception.result_rank;
            const int value = int{reception.captured} - lower_.value(left, child);
            word = static_cast<std::uint16_t>(with_best(word - kOpenOne, value));
          } else {
            enter_rare(word, reception, move, m);
          }
        }
      }
    }
  }

  bool must_not_starve() const { return level_.rules_.starvation == Starvation::kLeave; }

  Position position(std::uint32_t opponent, std::uint32_t m) const {
    return join_halves(half_board_.lanes(half_board_.id(b_, opponent)),
                       half_board_.lanes(half_board_.id(a_, first_mover_ + m)), half_board_.pits());
  }

  int lower_value(const Position& child) const {
    const unsigned left = total_seeds(child);
    return lower_.value(left, index_of(child, left));
  }

  LevelIndex index_of(const Position& p, unsigned seeds) const {
    const unsigned k = half_board_.pits();
    unsigned b = 0;
    for (unsigned lane = 0; lane < k; ++lane) b += p.lanes[lane];
    return level_.base_[seeds][b] + half_board_.ranks().rank(p, k - 1, b) * half_board_.count(seeds - b) +
           half_board_.ranks().rank(p, 2 * k - 1, seeds - b);
  }

  void enter_rare(std::uint16_t& word, const Reception& reception, const SowerMove& move, std::uint32_t m) {
    if (reception.kind == ReceptionKind::kIllegal) {
      word = static_cast<std::uint16_t>(word - kOpenOne);
      return;
    }
    if (reception.kind == ReceptionKind::kCapture) {
      word = static_cast<std::uint16_t>((word - kOpenOne) | kStarves);
      return;
    }
    MoveList list;
    const Position p = position(reception.rank, m);
    level_.generator_.sow(p, level_.shape_, move.pit, list);
    if (list.legal == 0) {
      word = static_cast<std::uint16_t>(word - kOpenOne);
      return;
    }
    const Position& child = list.result[move.pit];
    const unsigned captured = list.captured[move.pit];
    if (captured == 0) {
      const LevelIndex parent = static_cast<LevelIndex>(&word - level_.words_);
      links_.push_back({index_of(child, level_.seeds_), parent});
    } else if (must_not_starve() && mover_seeds(child, level_.shape_) == 0) {
      word = static_cast<std::uint16_t>((word - kOpenOne) | kStarves);
    } else {
      word = static_cast<std::uint16_t>(with_best(word - kOpenOne, static_cast<int>(captured) - lower_value(child)));
    }
  }

  // Boards whose moves have to be looked at together, and boards without a move.
  void finish_row(std::uint32_t opponent) {
    std::uint16_t* words = row(opponent);
    for (std::uint32_t m = 0; m < movers_; ++m) {
      if ((words[m] & (kOpenMask | kBestMask)) != 0) continue;
      words[m] = 0;
      enter_whole(words[m], position(opponent, m));
    }
  }

  void enter_whole(std::uint16_t& word, const Position& p) {
    MoveList list;
    level_.generator_.generate(p, level_.shape_, list);
    if (list.legal == 0) {
      word = static_cast<std::uint16_t>(with_best(0, level_.generator_.end(p, level_.shape_).value()));
      return;
    }
    unsigned entered = 0;
    for_each_move(list, [&](unsigned pit) {
      if (list.captured[pit] != 0) {
        entered = with_best(entered, int{list.captured[pit]} - lower_value(list.result[pit]));
      } else {
        entered += kOpenOne;
        links_.push_back(
            {index_of(list.result[pit], level_.seeds_), static_cast<LevelIndex>(&word - level_.words_)});
      }
    });
    word = static_cast<std::uint16_t>(entered);
  }

  RetrogradeLevel& level_;
  const HalfBoard& half_board_;
  LowerLevels::Reader& lower_;
  std::vector<RetrogradeLevel::Link>& links_;
  unsigned a_ = 0, b_ = 0;
  std::uint32_t first_mover_ = 0, movers_ = 0;
};

// Tells final positions to their predecessors, depth first, with the memory accesses of many positions
// in flight: a position waits a little between the request of its tables and their use, and so does
// every update between the request of the predecessor's word and the change.
class Propagator {
 public:
  explicit Propagator(RetrogradeLevel& level, bool parallel)
      : level_(level), half_board_(level.half_board_), words_(level.words_), parallel_(parallel) {
    for (const Crossing& crossing : half_board_.crossings()) crossed_.push_back(crossing.seeds);
    for (unsigned s = 0; s <= level.seeds_; ++s) {
      base_.push_back(level.base_[level.seeds_][s]);
      row_length_.push_back(half_board_.count(level.seeds_ - s));
    }
    base_.push_back(level.size_);
    stack_.reserve(kMaxStack);
  }

  // Looks at the words of a range for positions that are final at threshold `best`, and works off
  // everything that follows from them. Returns whether positions had to be spilled.
  bool run(LevelIndex first, LevelIndex last, unsigned threshold, bool initial, bool spilled_only) {
    threshold_ = threshold + kBestBias;
    spilled_ = false;
    budget_ = kBudget;
    const std::uint64_t pattern = in_every_word(spilled_only ? kSpilled : threshold_);
    const std::uint64_t mask = in_every_word(spilled_only ? kSpilled : kBestMask | kFinal);
    for (LevelIndex at = first; at < last;) {
      if (!initial && at % 4 == 0 && at + 4 <= last) {
        std::uint64_t four;
        __atomic_load(reinterpret_cast<const std::uint64_t*>(words_ + at), &four, __ATOMIC_RELAXED);
        const std::uint64_t differs = (four & mask) ^ pattern;
        if (((differs - in_every_word(1)) & ~differs & in_every_word(0x8000)) == 0) {
          at += 4;
          continue;
        }
      }
      look_at(at++, initial, spilled_only);
    }
    return spilled_;
  }

 private:
  struct Update {
    LevelIndex index;
    std::uint8_t b;      // seeds in the opponent's half
    std::uint8_t value;  // of the child, biased
  };
  struct Item {
    std::uint32_t opponent, mover;  // half numbers
    std::uint8_t mover_seeds;
    std::int8_t value;
    bool linked;
  };
  static constexpr std::size_t kMaxStack = 1U << 15;
  static constexpr std::uint64_t kBudget = 1U << 17;  // positions a call works off before it spills
  static constexpr std::size_t kAhead = 8;            // items whose tables are requested
  static constexpr std::size_t kUpdates = 64;         // updates whose words are requested

  static constexpr std::uint64_t in_every_word(unsigned word) { return word * 0x0001'0001'0001'0001ULL; }

  void look_at(LevelIndex index, bool initial, bool spilled_only) {
    unsigned word = load_word(words_, index);
    if (spilled_only) {
      if ((word & kSpilled) == 0) return;
      // Only the worker whose chunk holds the position looks for its mark.
      __atomic_fetch_and(words_ + index, static_cast<std::uint16_t>(~kSpilled), __ATOMIC_RELAXED);
    } else {
      while (true) {
        if ((word & kFinal) != 0) return;
        if ((word & kBestMask) != threshold_ && !(initial && (word & kOpenMask) == 0)) return;
        std::uint16_t expected = static_cast<std::uint16_t>(word);
        if (__atomic_compare_exchange_n(words_ + index, &expected, static_cast<std::uint16_t>(word | kFinal), false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
          break;
        }
        word = expected;
      }
    }
    const auto above = std::upper_bound(base_.begin(), base_.end(), index);
    push(index, static_cast<unsigned>(above - base_.begin()) - 1, word);
    drain();
  }

  void push(LevelIndex index, unsigned b, unsigned word) {
    if (stack_.size() == kMaxStack || budget_ == 0) {
      __atomic_fetch_or(words_ + index, static_cast<std::uint16_t>(kSpilled), __ATOMIC_RELAXED);
      spilled_ = true;
      return;
    }
    --budget_;
    const LevelIndex offset = index - base_[b];
    const std::uint32_t opponent = static_cast<std::uint32_t>(offset / row_length_[b]);
    const std::uint32_t mover = static_cast<std::uint32_t>(offset % row_length_[b]);
    Item item{half_board_.id(b, opponent), half_board_.id(level_.seeds_ - b, mover),
              static_cast<std::uint8_t>(level_.seeds_ - b),
              static_cast<std::int8_t>(static_cast<int>(word & kBestMask) - static_cast<int>(kBestBias)),
              (word & kLinked) != 0};
    half_board_.prefetch(item.opponent, item.mover);
    stack_.push_back(item);
  }

  void drain() {
    while (true) {
      if (!stack_.empty()) {
        const Item item = stack_.back();
        stack_.pop_back();
        half_board_.prefetch_sowers(item.opponent);
        if (ahead_last_ - ahead_first_ == kAhead) expand(ahead_[ahead_first_++ % kAhead]);
        ahead_[ahead_last_++ % kAhead] = item;
      } else if (ahead_first_ != ahead_last_) {
        expand(ahead_[ahead_first_++ % kAhead]);
      } else if (updates_first_ != updates_last_) {
        apply(updates_[updates_first_++ % kUpdates]);
      } else {
        return;
      }
    }
  }

  // Requests the words of all predecessors. Boards with an empty opponent's half are linked instead.
  void expand(const Item& item) {
    const std::span<const std::uint32_t> origins = half_board_.origins(item.mover);
    const std::uint64_t value = static_cast<std::uint64_t>(static_cast<unsigned>(item.value) + kBestBias) & 0xff;
    const bool more = origins.back() != 0;
    for (const Sower sower : half_board_.sowers(item.opponent)) {
      const unsigned crossing = sower.crossing();
      const unsigned crossed = crossed_[crossing];
      if (crossed >= item.mover_seeds) continue;
      const unsigned b = item.mover_seeds - crossed;
      if (origins[crossing] != kNoHalf) request(b, origins[crossing], sower.rank(), value);
      if (!more) continue;
      for (const HalfBoard::MoreOrigin& origin : half_board_.more_origins(item.mover)) {
        if (origin.crossing == crossing) request(b, origin.rank, sower.rank(), value);
      }
    }
    if (item.linked) request_links(item, value);
  }

  void request(unsigned b, std::uint32_t opponent, std::uint32_t mover, std::uint64_t value) {
    request(base_[b] + opponent * row_length_[b] + mover, b, value);
  }

  void request(LevelIndex index, unsigned b, std::uint64_t value) {
    __builtin_prefetch(words_ + index, 1);
    if (updates_last_ - updates_first_ == kUpdates) apply(updates_[updates_first_++ % kUpdates]);
    updates_[updates_last_++ % kUpdates] = {index, static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(value)};
  }

  void request_links(const Item& item, std::uint64_t value) {
    const unsigned b = level_.seeds_ - item.mover_seeds;
    const LevelIndex index = base_[b] + LevelIndex{item.opponent - half_board_.first_id(b)} * row_length_[b] +
                             (item.mover - half_board_.first_id(item.mover_seeds));
    using Link = RetrogradeLevel::Link;
    for (auto at = std::lower_bound(level_.links_.begin(), level_.links_.end(), Link{index, 0});
         at != level_.links_.end() && at->child == index; ++at) {
      const auto above = std::upper_bound(base_.begin(), base_.end(), at->parent);
      request(at->parent, static_cast<unsigned>(above - base_.begin()) - 1, value);
    }
  }

  // A child of the position at update.index turned out to be worth update.value - kBestBias.
  void apply(const Update& update) {
    std::uint16_t* const word = words_ + update.index;
    const unsigned outcome = 2 * kBestBias - update.value;  // minus the child's value, biased
    std::uint16_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    unsigned after;
    do {
      if ((before & kFinal) != 0) return;
      after = before - kOpenOne;
      if ((after & kBestMask) < outcome) after = (after & ~kBestMask) | outcome;
      if ((after & kOpenMask) == 0 || (after & kBestMask) == threshold_) after |= kFinal;
      if (!parallel_) {
        __atomic_store_n(word, static_cast<std::uint16_t>(after), __ATOMIC_RELAXED);
        break;
      }
    } while (!__atomic_compare_exchange_n(word, &before, static_cast<std::uint16_t>(after), true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    if ((after & kFinal) != 0) push(update.index, update.b, after);
  }

  RetrogradeLevel& level_;
  const HalfBoard& half_board_;
  std::uint16_t* words_;
  bool parallel_;
  unsigned threshold_ = 0;
  bool spilled_ = false;
  std::uint64_t budget_ = 0;
  std::vector<std::uint8_t> crossed_;
  std::vector<LevelIndex> base_, row_length_;
  std::vector<Item> stack_;
  std::array<Item, kAhead> ahead_{};
  std::size_t ahead_first_ = 0, ahead_last_ = 0;
  std::array<Update, kUpdates> updates_{};
  std::size_t updates_first_ = 0, updates_last_ = 0;
};

RetrogradeLevel::RetrogradeLevel(const RuleSet& rules, const HalfBoard& half_board, unsigned seeds,
                                 LowerLevels& lower, unsigned threads)
    : rules_(rules),
      half_board_(half_board),
      seeds_(seeds),
      lower_(lower),
      threads_(threads),
      generator_(rules, {static_cast<std::uint8_t>(half_board.pits()), static_cast<std::uint8_t>(half_board.pits())}),
      shape_{static_cast<std::uint8_t>(half_board.pits()), static_cast<std::uint8_t>(half_board.pits())} {
  assert(seeds <= half_board.ranks().max_seeds() && lower.levels() >= seeds);
  for (unsigned m = 0; m <= seeds; ++m) {
    std::vector<LevelIndex> base = {0};
    for (unsigned s = 0; s <= m; ++s) {
      base.push_back(base.back() + LevelIndex{half_board.count(s)} * half_board.count(m - s));
    }
    base_.push_back(std::move(base));
  }
  size_ = base_.back().back();
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  words_bytes_ = (2 * size_ + 8 + kHugePage - 1) / kHugePage * kHugePage;
  void* memory = ::mmap(nullptr, words_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw limit_error("no memory for level " + std::to_string(seeds) + ": " + std::to_string(words_bytes_ >> 20) +
                      " MiB");
  }
  ::madvise(memory, words_bytes_, MADV_HUGEPAGE);  // a wish: without huge pages it is only slower
  words_ = static_cast<std::uint16_t*>(memory);
}

RetrogradeLevel::~RetrogradeLevel() { ::munmap(words_, words_bytes_); }

void RetrogradeLevel::solve(const std::function<void(double)>& on_done, const RunControl& control) {
  auto begin = std::chrono::steady_clock::now();
  forward(on_done, control);
  stats_.forward_seconds = seconds_since(begin);
  begin = std::chrono::steady_clock::now();
  backward(on_done, control);
  stats_.backward_seconds = seconds_since(begin);
}

void RetrogradeLevel::forward(const std::function<void(double)>& on_done, const RunControl& control) {
  Reporter reporter(on_done, control, 0, 0.2);
  struct Worker {
    explicit Worker(LowerLevels& lower) : reader(lower) {}
    LowerLevels::Reader reader;
    std::vector<Link> links;
  };
  std::vector<std::unique_ptr<Worker>> workers(threads_);
  for (auto& worker : workers) worker = std::make_unique<Worker>(lower_);
  struct Column {
    unsigned b;
    std::uint32_t first, movers;
  };
  std::vector<Column> columns;
  for (unsigned b = 0; b <= seeds_; ++b) {
    if (half_board_.count(b) == 0) continue;
    const std::uint32_t movers = half_board_.count(seeds_ - b);
    for (std::uint32_t first = 0; first < movers; first += kTileMovers) {
      columns.push_back({b, first, std::min(kTileMovers, movers - first)});
    }
  }
  constexpr std::size_t kColumnsAtOnce = 16;
  const std::size_t groups = (columns.size() + kColumnsAtOnce - 1) / kColumnsAtOnce;
  parallel_loop(threads_, groups, [&](unsigned number, std::size_t group) {
    Worker& worker = *workers[number];
    const std::size_t last = std::min(columns.size(), (group + 1) * kColumnsAtOnce);
    for (std::size_t i = group * kColumnsAtOnce; i < last; ++i) {
      worker.reader.next_task();
      ForwardTask(*this, worker.reader, worker.links).run(columns[i].b, columns[i].first, columns[i].movers);
    }
    reporter.tick(static_cast<double>(group) / static_cast<double>(groups));
  });
  for (const auto& worker : workers) links_.insert(links_.end(), worker->links.begin(), worker->links.end());
  std::sort(links_.begin(), links_.end());
  for (const Link& link : links_) words_[link.child] = static_cast<std::uint16_t>(words_[link.child] | kLinked);
  stats_.links = links_.size();
}

void RetrogradeLevel::backward(const std::function<void(double)>& on_done, const RunControl& control) {
  Reporter reporter(on_done, control, 0.2, 0.9);
  std::vector<std::unique_ptr<Propagator>> propagators(threads_);
  for (auto& propagator : propagators) propagator = std::make_unique<Propagator>(*this, threads_ > 1);
  const std::size_t chunks = static_cast<std::size_t>((size_ + kScanChunk - 1) / kScanChunk);
  const unsigned first_threshold = std::max(seeds_, 1U);
  for (unsigned threshold = first_threshold; threshold >= 1; --threshold) {
    bool initial = threshold == first_threshold, spilled_only = false;
    while (true) {
      std::atomic<bool> spilled{false};
      parallel_loop(threads_, chunks, [&](unsigned worker, std::size_t chunk) {
        const LevelIndex first = chunk * kScanChunk;
        const LevelIndex last = std::min(size_, first + kScanChunk);
        if (propagators[worker]->run(first, last, threshold, initial, spilled_only)) spilled = true;
        reporter.tick((first_threshold - threshold + static_cast<double>(chunk) / static_cast<double>(chunks)) /
                      first_threshold);
      });
      if (!spilled) break;
      ++stats_.rescans;
      spilled_only = true;
      initial = false;
    }
  }
}

void RetrogradeLevel::copy_values(LevelIndex first, std::span<Value> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const unsigned word = words_[first + i];
    out[i] = (word & kFinal) != 0
                 ? static_cast<Value>(static_cast<int>(word & kBestMask) - static_cast<int>(kBestBias))
                 : Value{0};
  }
}

}  // namespace retrosow
