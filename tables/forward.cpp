#include "tables/forward.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "tables/parallel.h"

namespace retrosow {
namespace {

constexpr unsigned kStarves = 0x4000;  // within the pass: a capture was put aside, since it leaves the opponent nothing
constexpr unsigned kTileMovers = 64;
constexpr unsigned kTileOpponents = 512;
constexpr std::size_t kColumnsAtOnce = 16;

Position join_halves(std::uint64_t opponent, std::uint64_t mover, unsigned pits) {
  Position p;
  std::memcpy(p.lanes.data(), &opponent, 8);
  std::memcpy(p.lanes.data() + pits, &mover, pits);
  return p;
}

// A worker's links, in pages: they are moved into one list without being there twice.
class LinkPages {
 public:
  void add(const Link& link) {
    if (size_ % kPageLinks == 0) pages_.push_back(std::make_unique_for_overwrite<Link[]>(kPageLinks));
    pages_.back()[size_++ % kPageLinks] = link;
  }
  std::size_t size() const { return size_; }

  void move_to(std::vector<Link>& list) {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      const std::size_t links = std::min(kPageLinks, size_ - i * kPageLinks);
      list.insert(list.end(), pages_[i].get(), pages_[i].get() + links);
      pages_[i].reset();
    }
    pages_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::size_t kPageLinks = kLinkPageBytes / sizeof(Link);

  std::vector<std::unique_ptr<Link[]>> pages_;
  std::size_t size_ = 0;
};

struct Level {
  const RuleSet& rules;
  const HalfBoard& half_board;
  const LevelBases& bases;
  unsigned seeds;
  MoveGenerator generator;
  Shape shape;
};

// One column of tiles: up to kTileMovers of the mover's halves against all of the opponent's with b seeds.
class ColumnTask {
 public:
  ColumnTask(const Level& level, LowerLevels& levels)
      : lower(levels), level_(level), half_board_(level.half_board), tile_(kTileMovers * kTileOpponents) {}

  void run(unsigned b, std::uint32_t first_mover, std::uint32_t movers, const WordSink& sink) {
    b_ = b;
    a_ = level_.seeds - b;
    first_mover_ = first_mover;
    movers_ = movers;
    const std::uint32_t opponents = half_board_.count(b);
    std::uint16_t open[kTileMovers];
    for (std::uint32_t m = 0; m < movers; ++m) {
      open[m] = static_cast<std::uint16_t>(kWordOpenOne * half_board_.move_count(half_board_.id(a_, first_mover + m)));
    }
    for (first_ = 0; first_ < opponents; first_ += kTileOpponents) {
      last_ = std::min(opponents, first_ + kTileOpponents);
      for (std::uint32_t rank = first_; rank < last_; ++rank) {
        if (b == 0) {
          std::fill_n(row(rank), movers, std::uint16_t{0});  // looked at by whole positions, in finish_row
        } else {
          std::memcpy(row(rank), open, 2 * movers);
        }
      }
      lower.begin_task();
      if (b != 0) enter_special();
      for (std::uint32_t rank = first_; rank < last_; ++rank) {
        finish_row(rank);
        sink(index_of_row(rank), {row(rank), movers});
      }
      lower.end_task();
    }
  }

  LowerLevels::Reader lower;
  LinkPages links;

 private:
  std::uint16_t* row(std::uint32_t opponent) { return tile_.data() + std::size_t{opponent - first_} * kTileMovers; }
  LevelIndex index_of_row(std::uint32_t opponent) const {
    return level_.bases.of(level_.seeds, b_) + LevelIndex{opponent} * half_board_.count(a_) + first_mover_;
  }

  void enter_special() {
    const auto& crossings = half_board_.crossings();
    std::span<const Reception> special[256];
    for (unsigned c = 0; c < crossings.size(); ++c) {
      special[c] = {};
      if (crossings[c].seeds > a_) continue;
      const auto all = half_board_.special(c, b_);
      const auto below = [](const Reception& r, std::uint32_t rank) { return r.rank < rank; };
      const auto from = std::lower_bound(all.begin(), all.end(), first_, below);
      special[c] = {from, std::lower_bound(from, all.end(), last_, below)};
    }
    for (std::uint32_t m = 0; m < movers_; ++m) {
      const std::uint32_t id = half_board_.id(a_, first_mover_ + m);
      const auto moves = half_board_.moves(id).first(half_board_.move_count(id));
      for (const SowerMove& move : moves) {
        const unsigned crossed = crossings[move.crossing].seeds;
        for (const Reception& reception : special[move.crossing]) {
          std::uint16_t& word = row(reception.rank)[m];
          if (reception.kind == ReceptionKind::kCapture && !(reception.starves && must_not_starve())) [[likely]] {
            const unsigned left = level_.seeds - reception.captured;
            const unsigned received = b_ + crossed - reception.captured;
            const LevelIndex child = level_.bases.of(left, move.seeds) +
                                     LevelIndex{move.rank} * half_board_.count(received) + reception.result_rank;
            const int value = int{reception.captured} - lower.value(left, child);
            word = static_cast<std::uint16_t>(with_best(word - kWordOpenOne, value));
          } else {
            enter_rare(word, reception, move, m);
          }
        }
      }
    }
  }

  bool must_not_starve() const { return level_.rules.starvation == Starvation::kLeave; }

  Position position(std::uint32_t opponent, std::uint32_t m) const {
    return join_halves(half_board_.lanes(half_board_.id(b_, opponent)),
                       half_board_.lanes(half_board_.id(a_, first_mover_ + m)), half_board_.pits());
  }

  int lower_value(const Position& child) const {
    const unsigned left = total_seeds(child);
    return lower.value(left, index_of(child, left));
  }

  LevelIndex index_of(const Position& p, unsigned seeds) const {
    const unsigned k = half_board_.pits();
    unsigned b = 0;
    for (unsigned lane = 0; lane < k; ++lane) b += p.lanes[lane];
    return level_.bases.of(seeds, b) + half_board_.ranks().rank(p, k - 1, b) * half_board_.count(seeds - b) +
           half_board_.ranks().rank(p, 2 * k - 1, seeds - b);
  }

  void enter_rare(std::uint16_t& word, const Reception& reception, const SowerMove& move, std::uint32_t m) {
    if (reception.kind == ReceptionKind::kIllegal) {
      word = static_cast<std::uint16_t>(word - kWordOpenOne);
      return;
    }
    if (reception.kind == ReceptionKind::kCapture) {
      word = static_cast<std::uint16_t>((word - kWordOpenOne) | kStarves);
      return;
    }
    MoveList list;
    const Position p = position(reception.rank, m);
    level_.generator.sow(p, level_.shape, move.pit, list);
    if (list.legal == 0) {
      word = static_cast<std::uint16_t>(word - kWordOpenOne);
      return;
    }
    const Position& child = list.result[move.pit];
    const unsigned captured = list.captured[move.pit];
    if (captured == 0) {
      links.add({index_of(child, level_.seeds), index_of_row(reception.rank) + m});
    } else if (must_not_starve() && mover_seeds(child, level_.shape) == 0) {
      word = static_cast<std::uint16_t>((word - kWordOpenOne) | kStarves);
    } else {
      word = static_cast<std::uint16_t>(with_best(word - kWordOpenOne, static_cast<int>(captured) - lower_value(child)));
    }
  }

  // Boards whose moves have to be looked at together, and boards without a move.
  void finish_row(std::uint32_t opponent) {
    std::uint16_t* words = row(opponent);
    for (std::uint32_t m = 0; m < movers_; ++m) {
      if ((words[m] & (kWordOpen | kWordBest)) == 0) {
        words[m] = whole(position(opponent, m), index_of_row(opponent) + m);
      } else if ((words[m] & kStarves) != 0) {
        words[m] = static_cast<std::uint16_t>(words[m] & ~kStarves);
      }
    }
  }

  std::uint16_t whole(const Position& p, LevelIndex index) {
    MoveList list;
    level_.generator.generate(p, level_.shape, list);
    if (list.legal == 0) {
      return static_cast<std::uint16_t>(with_best(kWordOver, level_.generator.end(p, level_.shape).value()));
    }
    unsigned word = 0;
    for_each_move(list, [&](unsigned pit) {
      if (list.captured[pit] != 0) {
        word = with_best(word, int{list.captured[pit]} - lower_value(list.result[pit]));
      } else {
        word += kWordOpenOne;
        links.add({index_of(list.result[pit], level_.seeds), index});
      }
    });
    return static_cast<std::uint16_t>(word);
  }

  const Level& level_;
  const HalfBoard& half_board_;
  std::vector<std::uint16_t> tile_;  // a row of kTileMovers words for each of the opponent's halves first_ .. last_ - 1
  unsigned a_ = 0, b_ = 0;
  std::uint32_t first_mover_ = 0, movers_ = 0, first_ = 0, last_ = 0;
};

}  // namespace

void Reporter::tick(double share) {
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

std::vector<Link> forward_pass(const RuleSet& rules, const HalfBoard& half_board, const LevelBases& bases,
                               unsigned seeds, LowerLevels& lower, unsigned threads, const WordSink& sink,
                               Reporter& reporter, const PartStart& on_part) {
  const Shape shape{static_cast<std::uint8_t>(half_board.pits()), static_cast<std::uint8_t>(half_board.pits())};
  const Level level{rules, half_board, bases, seeds, MoveGenerator(rules, shape), shape};
  struct Column {
    unsigned b;
    std::uint32_t first, movers;
  };
  std::vector<Column> columns;
  for (unsigned b = 0; b <= seeds; ++b) {
    if (half_board.count(b) == 0) continue;
    const std::uint32_t movers = half_board.count(seeds - b);
    for (std::uint32_t first = 0; first < movers; first += kTileMovers) {
      columns.push_back({b, first, std::min(kTileMovers, movers - first)});
    }
  }
  std::vector<std::unique_ptr<ColumnTask>> tasks(threads);
  for (auto& task : tasks) task = std::make_unique<ColumnTask>(level, lower);
  const auto run_columns = [&](std::size_t first, std::size_t last) {
    parallel_loop(threads, (last - first + kColumnsAtOnce - 1) / kColumnsAtOnce, [&](unsigned worker, std::size_t group) {
      ColumnTask& task = *tasks[worker];
      const std::size_t from = first + group * kColumnsAtOnce;
      for (std::size_t i = from; i < std::min(last, from + kColumnsAtOnce); ++i) {
        task.run(columns[i].b, columns[i].first, columns[i].movers, sink);
      }
      reporter.tick(static_cast<double>(from) / static_cast<double>(columns.size()));
    });
  };
  if (!on_part) {
    run_columns(0, columns.size());
  } else {
    for (std::size_t first = 0, last = 0; first < columns.size(); first = last) {
      const unsigned b = columns[first].b;
      while (last < columns.size() && columns[last].b == b) ++last;
      const LevelIndex base = bases.of(seeds, b);
      on_part(base, base + LevelIndex{half_board.count(b)} * half_board.count(seeds - b));
      run_columns(first, last);
    }
  }
  std::vector<Link> links;
  std::size_t count = 0;
  for (const auto& task : tasks) count += task->links.size();
  links.reserve(count);
  for (auto& task : tasks) {
    task->links.move_to(links);
    task.reset();
  }
  std::sort(links.begin(), links.end());
  return links;
}

}  // namespace retrosow
