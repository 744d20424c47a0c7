#include "solver/payoff_round.h"

#include <algorithm>
#include <atomic>
#include <cassert>

#include "bitboard/notation.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

using Mask = std::uint32_t;  // bit i: the starter has taken 4i stones
static_assert(kMaxRoundStones / 4 + 1 <= 32);

enum Mover : unsigned { kStarter, kOther };
constexpr Mover kMovers[] = {kStarter, kOther};
constexpr Mover opponent_of(Mover mover) { return mover == kStarter ? kOther : kStarter; }

// By who moves.
using Masks = std::array<Mask, 2>;

constexpr std::size_t kChunk =
    1U << 14;  // positions that one call of a parallel loop works through

// A level while it is solved. Bounds are read and written by several threads at once, each bit changing at most
// once and in one direction only, so a stale read costs a sweep and never a wrong bit.
struct WorkLevel {
  struct Bounds {
    Masks low{0, 0}, high{~Mask{0}, ~Mask{0}};
  };
  struct Chunk {
    std::vector<std::uint32_t> children;  // of the moves that take nothing, by position
    std::vector<std::uint32_t> ends;      // of a position's children
    std::vector<Masks> exits;             // what the other moves are worth
  };
  std::vector<Bounds> bounds;
  std::vector<Chunk> chunks;
};

Mask load(Mask& mask) { return std::atomic_ref<Mask>(mask).load(std::memory_order_relaxed); }
void store(Mask& mask, Mask to) {
  std::atomic_ref<Mask>(mask).store(to, std::memory_order_relaxed);
}

class ResultSolver {
 public:
  ResultSolver(const Round& round, const ResultSet& wanted, unsigned threads,
               const RunControl& control)
      : round_(round),
        wanted_(wanted),
        stones_(total_seeds(round.root)),
        workers_(worker_count(threads)),
        control_(control),
        generator_(round.rules, round.shape) {}

  ForcedResults run() {
    masks_.resize(round_.levels.size());
    for (std::size_t level = 0; level < round_.levels.size(); ++level) solve_level(level);
    return at_root();
  }

 private:
  // Bit i: the starter ends with a wanted number if he gets `more` beside his 4i.
  Mask wanted_with(unsigned more) const {
    Mask mask = 0;
    for (unsigned i = 0; 4 * i + more <= stones_; ++i) mask |= Mask{wanted_[4 * i + more]} << i;
    return mask;
  }

  static Mask joined(Mover mover, Mask a, Mask b) { return mover == kStarter ? a | b : a & b; }
  static Mask nothing(Mover mover) { return mover == kStarter ? Mask{0} : ~Mask{0}; }

  // What a move that takes something, or never ends, is worth if `mover` plays it.
  Mask exit_mask(const MoveList& list, unsigned slot, unsigned seeds, Shape child_shape,
                 Mover mover) const {
    const unsigned taken = list.captured[slot], lost = list.captured_opponent[slot];
    const unsigned starters = mover == kStarter ? taken : lost;
    const unsigned left = seeds - taken - lost;
    if (((list.endless >> slot) & 1U) != 0) return wanted_with(starters + left / 2);
    const std::size_t level = level_of(left);
    return masks_[level][index_in(level, list.result[slot], child_shape)][opponent_of(mover)] >>
           (starters / 4);
  }

  std::size_t level_of(unsigned seeds) const {
    const auto found =
        std::lower_bound(round_.levels.begin(), round_.levels.end(), seeds,
                         [](const RoundLevel& level, unsigned s) { return level.seeds < s; });
    if (found == round_.levels.end() || found->seeds != seeds) {
      throw Error(ErrorClass::kIo, "the round from " + format_position(round_.root, round_.shape) +
                                       " is not whole: level " + std::to_string(seeds) +
                                       " is not there");
    }
    return static_cast<std::size_t>(found - round_.levels.begin());
  }

  std::uint32_t index_in(std::size_t level, const Position& position, Shape shape) const {
    const std::vector<Position>& keys = round_.levels[level].keys;
    const Position key = round_key(position, shape, round_.shape);
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    if (found == keys.end() || *found != key) {
      throw Error(ErrorClass::kIo, "the round from " + format_position(round_.root, round_.shape) +
                                       " is not whole: " + format_position(position, shape) +
                                       " is not there");
    }
    return static_cast<std::uint32_t>(found - keys.begin());
  }

  void solve_level(std::size_t level) {
    const unsigned seeds = round_.levels[level].seeds;
    const std::size_t positions = round_.levels[level].keys.size();
    report(level);
    WorkLevel work;
    work.bounds.resize(positions);
    work.chunks.resize((positions + kChunk - 1) / kChunk);
    parallel_loop(workers_, work.chunks.size(), [&](unsigned, std::size_t chunk) {
      control_.check_stop();
      expand(level, chunk, work);
    });
    for (std::atomic<bool> changed = true; changed;) {
      changed = false;
      parallel_loop(workers_, work.chunks.size(), [&](unsigned, std::size_t chunk) {
        control_.check_stop();
        if (sweep(seeds, chunk, work)) changed = true;
      });
    }
    const Mask endless = wanted_with(seeds / 2);
    masks_[level].resize(positions);
    for (std::size_t i = 0; i < positions; ++i) {
      const WorkLevel::Bounds& at = work.bounds[i];
      for (const Mover mover : kMovers)
        masks_[level][i][mover] = at.low[mover] | (at.high[mover] & endless);
    }
    done_ += positions;
  }

  void expand(std::size_t level, std::size_t chunk, WorkLevel& work) const {
    const RoundLevel& here = round_.levels[level];
    WorkLevel::Chunk& out = work.chunks[chunk];
    const std::size_t first = chunk * kChunk, end = std::min(first + kChunk, here.keys.size());
    out.exits.assign(end - first, {nothing(kStarter), nothing(kOther)});
    MoveList list;
    for (std::size_t i = first; i < end; ++i) {
      const RoundPosition at = position_of_key(here.keys[i], round_.shape);
      const Shape child_shape = at.shape.swapped();
      generator_.generate(at.position, at.shape, list);
      for_each_move(list, [&](unsigned slot) {
        const bool endless = ((list.endless >> slot) & 1U) != 0;
        if (!endless && list.captured[slot] + list.captured_opponent[slot] == 0) {
          out.children.push_back(index_in(level, list.result[slot], child_shape));
          return;
        }
        Masks& exits = out.exits[i - first];
        for (const Mover mover : kMovers) {
          exits[mover] =
              joined(mover, exits[mover], exit_mask(list, slot, here.seeds, child_shape, mover));
        }
      });
      out.ends.push_back(static_cast<std::uint32_t>(out.children.size()));
      if (list.legal != 0) continue;
      // The round is over; what lies in a row belongs to its owner.
      const EndResult rest = generator_.end(at.position, at.shape);
      const Masks over = {wanted_with(rest.mover), wanted_with(rest.opponent)};
      work.bounds[i] = {over, over};
      out.exits[i - first] = over;
    }
  }

  // Whether a bound that matters has changed.
  bool sweep(unsigned seeds, std::size_t chunk, WorkLevel& work) const {
    const Mask used = static_cast<Mask>((std::uint64_t{1} << ((stones_ - seeds) / 4 + 1)) - 1);
    const WorkLevel::Chunk& moves = work.chunks[chunk];
    bool changed = false;
    for (std::size_t i = 0, child = 0; i < moves.ends.size(); ++i) {
      const std::size_t first = child;
      child = moves.ends[i];
      WorkLevel::Bounds& at = work.bounds[chunk * kChunk + i];
      for (const Mover mover : kMovers) {
        const Mask old_low = load(at.low[mover]), old_high = load(at.high[mover]);
        if (((old_low ^ old_high) & used) == 0) continue;
        Mask low = moves.exits[i][mover], high = low;
        for (std::size_t c = first; c < child; ++c) {
          WorkLevel::Bounds& to = work.bounds[moves.children[c]];
          low = joined(mover, low, load(to.low[opponent_of(mover)]));
          high = joined(mover, high, load(to.high[opponent_of(mover)]));
        }
        if (((low ^ old_low) & used) == 0 && ((high ^ old_high) & used) == 0) continue;
        changed = true;
        store(at.low[mover], low);
        store(at.high[mover], high);
      }
    }
    return changed;
  }

  ForcedResults at_root() const {
    const Shape child_shape = round_.shape.swapped();
    ForcedResults forced;
    const std::size_t level = level_of(stones_);
    forced.from_start =
        (masks_[level][index_in(level, round_.root, round_.shape)][kStarter] & 1U) != 0;
    forced.after_move.assign(round_.shape.mover_pits, false);
    MoveList list;
    generator_.generate(round_.root, round_.shape, list);
    for_each_move(list, [&](unsigned slot) {
      forced.after_move[slot] = (exit_mask(list, slot, stones_, child_shape, kStarter) & 1U) != 0;
    });
    return forced;
  }

  void report(std::size_t level) const {
    control_.check_stop();
    if (!control_.progress) return;
    control_.progress({"match round", round_.levels[level].seeds, stones_, done_, round_.positions,
                       watch_.seconds()});
  }

  const Round& round_;
  const ResultSet& wanted_;
  unsigned stones_;
  unsigned workers_;
  const RunControl& control_;
  MoveGenerator generator_;
  std::vector<std::vector<Masks>> masks_;  // by level and place in it; finished levels
  std::uint64_t done_ = 0;
  Stopwatch watch_;
};

}  // namespace

std::uint64_t results_memory(const Round& round) {
  std::uint64_t positions = 0, largest = 0;
  for (const RoundLevel& level : round.levels) {
    positions += level.keys.size();
    largest = std::max<std::uint64_t>(largest, level.keys.size());
  }
  const unsigned most_moves = std::max(round.shape.mover_pits, round.shape.opponent_pits);
  // A vector that grows may hold twice what is in it.
  const std::uint64_t work =
      sizeof(WorkLevel::Bounds) + sizeof(Masks) + 2 * sizeof(std::uint32_t) * (most_moves + 1);
  return positions * sizeof(Masks) + largest * work;
}

ForcedResults solve_for_results(const Round& round, const ResultSet& wanted,
                                std::uint64_t memory_bytes, unsigned threads,
                                const RunControl& control) {
  assert(total_seeds(round.root) % 4 == 0 && total_seeds(round.root) <= kMaxRoundStones);
  const std::uint64_t needed = results_memory(round);
  if (memory_bytes != 0 && needed > memory_bytes) {
    throw limit_error("solving the round from " + format_position(round.root, round.shape) +
                      " for the match needs " + std::to_string((needed >> 20) + 1) +
                      " MiB beside its values; left are " + std::to_string(memory_bytes >> 20) +
                      " MiB");
  }
  return ResultSolver(round, wanted, threads, control).run();
}

}  // namespace retrosow
