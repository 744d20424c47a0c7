#include "solver/payoff_round.h"

#include <algorithm>
#include <atomic>
#include <cassert>

#include "bitboard/notation.h"
#include "tables/key_table.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

using Mask = std::uint32_t;  // bit i: the starter has taken 4i stones
static_assert(kMaxRoundStones / 4 + 1 <= 32);

enum Mover : unsigned { kStarter, kOther };
constexpr Mover kMovers[] = {kStarter, kOther};
constexpr Mover opponent_of(Mover mover) { return mover == kStarter ? kOther : kStarter; }

constexpr std::size_t kChunk =
    1U << 13;  // positions that one call of a parallel loop works through

// Masks of positions: of each, one for every set and mover.
class MaskTable {
 public:
  MaskTable() = default;
  MaskTable(std::size_t positions, std::size_t sets, Mask fill = 0)
      : sets_(sets), masks_(positions * 2 * sets, fill) {}
  Mask& at(std::size_t position, std::size_t set, Mover mover) {
    return masks_[(position * sets_ + set) * 2 + mover];
  }
  Mask at(std::size_t position, std::size_t set, Mover mover) const {
    return masks_[(position * sets_ + set) * 2 + mover];
  }

 private:
  std::size_t sets_ = 0;
  std::vector<Mask> masks_;
};

// A level: where its keys are in the order of the round, and the bounds of the masks in that order, which keeps
// positions near their children. When it is finished, `low` holds the masks and `high` is empty. Bounds are read
// and written by several threads at once, each bit changing at most once and in one direction only, so a stale
// read costs a sweep and never a wrong bit.
struct Level {
  KeyTable keys;
  std::vector<std::uint32_t> index_of_slot;
  MaskTable low, high;
};

// Moves of the positions of a chunk.
struct Chunk {
  std::vector<std::uint32_t> children;  // of the moves that take nothing, by position
  std::vector<std::uint32_t> ends;      // of a position's children
  MaskTable exits;                      // what the other moves are worth
};

Mask load(Mask& mask) { return std::atomic_ref<Mask>(mask).load(std::memory_order_relaxed); }
void store(Mask& mask, Mask to) {
  std::atomic_ref<Mask>(mask).store(to, std::memory_order_relaxed);
}

class ResultSolver {
 public:
  ResultSolver(const Round& round, std::span<const ResultSet> wanted, unsigned threads,
               const RunControl& control)
      : round_(round),
        wanted_(wanted),
        stones_(total_seeds(round.root)),
        code_(round.shape, stones_),
        workers_(worker_count(threads)),
        control_(control),
        generator_(round.rules, round.shape) {}

  std::vector<ForcedResults> run() {
    levels_.resize(round_.levels.size());
    for (std::size_t level = 0; level < round_.levels.size(); ++level) solve_level(level);
    std::vector<ForcedResults> forced;
    for (std::size_t set = 0; set < wanted_.size(); ++set) forced.push_back(at_root(set));
    return forced;
  }

 private:
  // Bit i: the starter ends with a wanted number if he gets `more` beside his 4i.
  Mask wanted_with(std::size_t set, unsigned more) const {
    Mask mask = 0;
    for (unsigned i = 0; 4 * i + more <= stones_; ++i) {
      mask |= Mask{wanted_[set][4 * i + more]} << i;
    }
    return mask;
  }

  static Mask joined(Mover mover, Mask a, Mask b) { return mover == kStarter ? a | b : a & b; }
  static Mask nothing(Mover mover) { return mover == kStarter ? Mask{0} : ~Mask{0}; }

  // Calls f(set, mover, mask) with what a move that takes something, or never ends, is worth.
  template <typename F>
  void for_exit(const MoveList& list, unsigned slot, unsigned seeds, Shape child_shape,
                F&& f) const {
    const unsigned taken = list.captured[slot], lost = list.captured_opponent[slot];
    const unsigned left = seeds - taken - lost;
    const bool endless = has_bit(list.endless, slot);
    const Level* level = endless ? nullptr : &levels_[level_of(left)];
    const std::size_t child = endless ? 0 : index_in(*level, list.result[slot], child_shape);
    for (const Mover mover : kMovers) {
      const unsigned starters = mover == kStarter ? taken : lost;
      for (std::size_t set = 0; set < wanted_.size(); ++set) {
        f(set, mover,
          endless ? wanted_with(set, starters + left / 2)
                  : level->low.at(child, set, opponent_of(mover)) >> (starters / 4));
      }
    }
  }

  Error not_whole(const std::string& what) const {
    return {ErrorClass::kIo, "the round from " + format_position(round_.root, round_.shape) +
                                 " is not whole: " + what + " is not there"};
  }

  std::size_t level_of(unsigned seeds) const {
    const auto found =
        std::lower_bound(round_.levels.begin(), round_.levels.end(), seeds,
                         [](const RoundLevel& level, unsigned s) { return level.seeds < s; });
    if (found == round_.levels.end() || found->seeds != seeds) {
      throw not_whole("level " + std::to_string(seeds));
    }
    return static_cast<std::size_t>(found - round_.levels.begin());
  }

  std::uint32_t index_in(const Level& level, const Position& position, Shape shape) const {
    const KeyTable::Slot slot =
        level.keys.find(code_.code(round_key(position, shape, round_.shape)));
    if (slot == KeyTable::kNone) throw not_whole(format_position(position, shape));
    return level.index_of_slot[slot];
  }

  // Calls f(chunk) for each, by all workers.
  template <typename F>
  void for_chunks(std::size_t chunks, F&& f) const {
    parallel_loop(workers_, chunks, [&](unsigned, std::size_t chunk) {
      control_.check_stop();
      f(chunk);
    });
  }

  static std::span<const Position> keys_of(const RoundLevel& level, std::size_t chunk) {
    const std::span<const Position> keys(level.keys);
    return keys.subspan(chunk * kChunk, std::min(kChunk, keys.size() - chunk * kChunk));
  }

  void solve_level(std::size_t number) {
    const RoundLevel& from = round_.levels[number];
    report(from.seeds);
    Level& level = levels_[number];
    const std::size_t positions = from.keys.size();
    level.keys = KeyTable(code_, positions);
    level.index_of_slot.resize(level.keys.slots());
    level.low = MaskTable(positions, wanted_.size());
    level.high = MaskTable(positions, wanted_.size(), ~Mask{0});
    std::vector<Chunk> chunks((positions + kChunk - 1) / kChunk);
    for_chunks(chunks.size(), [&](std::size_t i) {
      for (const Position& key : keys_of(from, i)) {
        const KeyTable::Code code = code_.code(key);
        level.keys.insert(code, level.keys.home(code));
      }
    });
    for_chunks(chunks.size(), [&](std::size_t i) {
      for (std::size_t at = i * kChunk; at < std::min((i + 1) * kChunk, positions); ++at) {
        level.index_of_slot[level.keys.find(code_.code(from.keys[at]))] =
            static_cast<std::uint32_t>(at);
      }
    });
    for_chunks(chunks.size(), [&](std::size_t i) { expand(from, i, chunks[i]); });
    for (std::atomic<bool> changed = true; changed;) {
      changed = false;
      for_chunks(chunks.size(), [&](std::size_t i) {
        if (sweep(from.seeds, i * kChunk, chunks[i], level)) changed = true;
      });
    }
    for (std::size_t set = 0; set < wanted_.size(); ++set) {
      const Mask endless = wanted_with(set, from.seeds / 2);
      for (std::size_t i = 0; i < positions; ++i) {
        for (const Mover mover : kMovers) {
          level.low.at(i, set, mover) |= level.high.at(i, set, mover) & endless;
        }
      }
    }
    level.high = {};
    done_ += positions;
  }

  void expand(const RoundLevel& from, std::size_t number, Chunk& chunk) const {
    const std::span<const Position> keys = keys_of(from, number);
    const Level& level = levels_[level_of(from.seeds)];
    chunk.exits = MaskTable(keys.size(), wanted_.size());
    MoveList list;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const RoundPosition at = position_of_key(keys[i], round_.shape);
      const Shape child_shape = at.shape.swapped();
      for (const Mover mover : kMovers) {
        for (std::size_t set = 0; set < wanted_.size(); ++set) {
          chunk.exits.at(i, set, mover) = nothing(mover);
        }
      }
      generator_.generate(at.position, at.shape, list);
      for_each_move(list, [&](unsigned pit) {
        const bool endless = has_bit(list.endless, pit);
        if (!endless && list.captured[pit] + list.captured_opponent[pit] == 0) {
          chunk.children.push_back(index_in(level, list.result[pit], child_shape));
          return;
        }
        for_exit(list, pit, from.seeds, child_shape, [&](std::size_t set, Mover mover, Mask mask) {
          Mask& exits = chunk.exits.at(i, set, mover);
          exits = joined(mover, exits, mask);
        });
      });
      chunk.ends.push_back(static_cast<std::uint32_t>(chunk.children.size()));
      if (list.legal != 0) continue;
      // The round is over; what lies in a row belongs to its owner.
      const EndResult rest = generator_.end(at.position, at.shape);
      for (const Mover mover : kMovers) {
        for (std::size_t set = 0; set < wanted_.size(); ++set) {
          chunk.exits.at(i, set, mover) =
              wanted_with(set, mover == kStarter ? rest.mover : rest.opponent);
        }
      }
    }
  }

  // Whether a bound that matters has changed.
  bool sweep(unsigned seeds, std::size_t begin, const Chunk& chunk, Level& level) const {
    const Mask used = static_cast<Mask>((std::uint64_t{1} << ((stones_ - seeds) / 4 + 1)) - 1);
    bool changed = false;
    for (std::size_t i = 0; i < chunk.ends.size(); ++i) {
      const std::size_t first = i == 0 ? 0 : chunk.ends[i - 1], end = chunk.ends[i];
      for (std::size_t set = 0; set < wanted_.size(); ++set) {
        for (const Mover mover : kMovers) {
          Mask& at_low = level.low.at(begin + i, set, mover);
          Mask& at_high = level.high.at(begin + i, set, mover);
          const Mask old_low = load(at_low), old_high = load(at_high);
          if (((old_low ^ old_high) & used) == 0) continue;
          Mask low = chunk.exits.at(i, set, mover), high = low;
          for (std::size_t c = first; c < end; ++c) {
            const std::size_t to = chunk.children[c];
            low = joined(mover, low, load(level.low.at(to, set, opponent_of(mover))));
            high = joined(mover, high, load(level.high.at(to, set, opponent_of(mover))));
          }
          if (((low ^ old_low) & used) == 0 && ((high ^ old_high) & used) == 0) continue;
          changed = true;
          store(at_low, low);
          store(at_high, high);
        }
      }
    }
    return changed;
  }

  ForcedResults at_root(std::size_t set) const {
    ForcedResults forced;
    const Level& level = levels_[level_of(stones_)];
    const std::size_t root = index_in(level, round_.root, round_.shape);
    forced.from_start = (level.low.at(root, set, kStarter) & 1U) != 0;
    forced.after_move.assign(round_.shape.mover_pits, false);
    MoveList list;
    generator_.generate(round_.root, round_.shape, list);
    for_each_move(list, [&](unsigned pit) {
      for_exit(list, pit, stones_, round_.shape.swapped(),
               [&](std::size_t s, Mover mover, Mask mask) {
                 if (s == set && mover == kStarter) forced.after_move[pit] = (mask & 1U) != 0;
               });
    });
    return forced;
  }

  void report(unsigned seeds) const {
    control_.check_stop();
    if (!control_.progress) return;
    control_.progress({"match round", seeds, stones_, done_, round_.positions, watch_.seconds()});
  }

  const Round& round_;
  std::span<const ResultSet> wanted_;
  unsigned stones_;
  KeyCode code_;
  unsigned workers_;
  const RunControl& control_;
  MoveGenerator generator_;
  std::vector<Level> levels_;  // finished ones below the one in work
  std::uint64_t done_ = 0;
  Stopwatch watch_;
};

}  // namespace

std::uint64_t results_memory(const Round& round, std::size_t sets) {
  const std::uint64_t masks = sets * 2 * sizeof(Mask);
  const KeyCode code(round.shape, total_seeds(round.root));
  std::uint64_t all = 0, largest = 0;
  for (const RoundLevel& level : round.levels) {
    const std::uint64_t positions = level.keys.size();
    all += KeyTable::memory_bytes(code, positions) +
           KeyTable::slots_for(positions) * sizeof(std::uint32_t) + positions * masks;
    // Beside it, while it is solved: upper bounds, exits, and moves in vectors, which may hold twice what is in them.
    const std::uint64_t most_moves = std::max(round.shape.mover_pits, round.shape.opponent_pits);
    largest =
        std::max(largest, positions * (2 * masks + 2 * sizeof(std::uint32_t) * (most_moves + 1)));
  }
  return all + largest;
}

std::vector<ForcedResults> solve_for_results(const Round& round, std::span<const ResultSet> wanted,
                                             std::uint64_t memory_bytes, unsigned threads,
                                             const RunControl& control) {
  assert(total_seeds(round.root) % 4 == 0 && total_seeds(round.root) <= kMaxRoundStones);
  const auto fits = [&](std::size_t sets) {
    return memory_bytes == 0 || results_memory(round, sets) <= memory_bytes;
  };
  if (!fits(1)) {
    throw limit_error("solving the round from " + format_position(round.root, round.shape) +
                      " for the match needs " + mebibytes(results_memory(round, 1)) +
                      " of memory beside its values; left are " + mebibytes(memory_bytes));
  }
  std::vector<ForcedResults> forced;
  while (forced.size() < wanted.size()) {
    std::size_t sets = wanted.size() - forced.size();
    while (!fits(sets)) --sets;
    for (ForcedResults& one :
         ResultSolver(round, wanted.subspan(forced.size(), sets), threads, control).run()) {
      forced.push_back(std::move(one));
    }
  }
  return forced;
}

}  // namespace retrosow
