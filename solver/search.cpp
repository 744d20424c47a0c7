#include "solver/search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "bitboard/error.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

// Behind a capture that leaves so few seeds a question is answered outright, whatever depth that takes: few seeds make
// long lines, and what is decided is never searched again.
// Tried: 0 did not solve 2x6 with one seed a pit in 30 M positions, 6 neither, 8 took 11.2 M, 10 and 12 took 6.0 M.
constexpr unsigned kDecidedSeeds = 12;
constexpr unsigned kNoDependency = 0xffff;
constexpr unsigned kPathHashBits = 14;
constexpr unsigned kFilterBits = 11;  // 4 KiB: stays in the first-level cache
constexpr std::uint64_t kNodesBetweenChecks = 1U << 9;
// Of a thread that has entered few positions: each of them may wait for a page of a fresh table.
constexpr std::uint64_t kNodesBetweenFirstChecks = 1U << 4, kFirstNodes = 1U << 14;

struct Answer {
  bool at_least = false;
  bool decided = false;             // false: the prover failed for want of depth
  std::uint16_t depends = kNoDependency;  // ply of the earliest position on the path that the answer rests on
};

constexpr Answer kYes{true, true, kNoDependency};
constexpr Answer kNo{false, true, kNoDependency};

// One side's attempts to prove something of the root: how deep they are, and what they have cost.
struct Side {
  bool mover_proves = true;
  int depth = 1;
  int step = 1;  // how far beyond what is proved the next threshold lies
  std::uint64_t nodes = 0;
  std::uint64_t last_nodes = 0;

  void deepen() { depth += 1 + depth / 2; }
};

// An entry, or nearly two, for every board of up to `seeds` seeds, if that is less than `most`: what no board can fill
// is memory that the caches miss and the system has to clear.
std::uint64_t table_bytes(std::uint64_t most, unsigned seeds, unsigned pits, bool uneven) {
  double boards = uneven ? 2 : 1;  // times seeds + pits choose pits
  for (unsigned i = 1; i <= pits; ++i) boards *= static_cast<double>(seeds + i) / i;
  const double bytes = boards * TranspositionTable::kEntryBytes;
  return bytes < static_cast<double>(most) ? std::bit_ceil(static_cast<std::uint64_t>(bytes)) : most;
}

// Told to end the attempt: nothing that is unwound may be stored.
struct Abandoned {};

}  // namespace

struct Search::Impl {
  class Worker;

  Impl(const RuleSet& rules, Shape shape, unsigned seeds, const SearchOptions& the_options)
      : options(the_options),
        generator(rules, shape),
        root_shape(shape),
        pits(shape.pits()),
        uneven(shape.mover_pits != shape.opponent_pits),
        swapped_bit(SearchKey{1} << std::min(seeds + shape.pits(), 63U)),
        with_table(has_search_key(seeds, shape)),
        table(with_table ? seeds + shape.pits() + (uneven ? 1 : 0) : 1,
              with_table ? table_bytes(options.memory_bytes, seeds, pits, uneven) : 0) {}

  std::optional<Answer> run_attempt(const Position& position, Shape shape, int threshold, Side& side);
  ProvedBounds search(const Position& position, Shape shape, ProvedBounds bounds);

  // `hits` of `asked` positions were answered by the transposition table. Pre: called by one thread at a time.
  void report(std::uint64_t hits, std::uint64_t asked) const {
    if (!options.control.progress) return;
    const std::string use = ", " + std::to_string(100 * hits / asked) + " % by the transposition table";
    options.control.progress({phase + use, level, level, nodes, 0, watch.seconds()});
  }

  MixedKey key_of(const Position& position, Shape shape) const {
    return table.mix(search_key(position, pits, uneven && shape != root_shape ? swapped_bit : 0));
  }

  bool limit_reached() const {
    return too_deep || (options.limit_seconds && watch.seconds() > *options.limit_seconds) ||
           (options.limit_nodes && nodes.load(std::memory_order_relaxed) >= *options.limit_nodes);
  }

  SearchOptions options;
  MoveGenerator generator;
  Shape root_shape;
  unsigned pits;
  bool uneven;
  SearchKey swapped_bit;
  bool with_table;
  TranspositionTable table;
  Stopwatch watch;
  std::atomic<bool> abandon{false};
  std::atomic<bool> too_deep{false};
  std::atomic<std::uint64_t> nodes{0};
  unsigned depth_plies = 0;
  std::string phase;   // of progress
  unsigned level = 0;  // seeds of the root
  std::mutex answer_mutex;
  std::vector<std::unique_ptr<Worker>> workers;
};

// One thread's path through the game. See search.h for what answers rest on.
class Search::Impl::Worker {
 public:
  Worker(Impl& shared, unsigned id) : shared_(shared), id_(id) {}

  // Fails: Abandoned.
  Answer attempt(const Position& position, Shape shape, unsigned seeds, int threshold, bool mover_proves, int depth) {
    conditional_.clear();
    groups_.clear();
    path_.clear();
    path_filter_.fill(0);
    path_.reserve(256);
    quiet_begin_ = 0;
    Node root{position, shape, seeds, {}};
    if (shared_.with_table) root.key = shared_.key_of(position, shape);
    return ask(root, threshold, mover_proves, depth);
  }

  void report_nodes() {
    shared_.nodes.fetch_add(nodes - reported_, std::memory_order_relaxed);
    reported_ = nodes;
  }

  std::uint64_t nodes = 0, table_values = 0, hash_hits = 0;

 private:
  struct Node {
    Position position;
    Shape shape;
    unsigned seeds = 0;
    MixedKey key{};
  };
  struct Conditional {
    Position position;
    MixedKey key{};
    std::int16_t threshold = 0;
    bool swapped = false;
  };
  // Conditional answers from `begin` on, up to the next group, and the earliest ply that any of them rests on.
  struct Group {
    std::uint32_t begin = 0;
    std::uint16_t depends = 0;
  };

  void check_in() {
    next_check_ = nodes + (nodes < kFirstNodes ? kNodesBetweenFirstChecks : kNodesBetweenChecks);
    report_nodes();
    if (shared_.abandon.load(std::memory_order_relaxed)) throw Abandoned{};
    if (shared_.limit_reached()) {
      shared_.abandon = true;
      throw Abandoned{};
    }
    if (id_ == 0) {
      shared_.options.control.check_stop();
      shared_.report(hash_hits, nodes);
    }
  }

  bool in_tables(unsigned seeds) const { return seeds <= shared_.options.table_seeds; }

  // What `ask` says of a position at the horizon that its seeds leave open and no table holds.
  Answer horizon(bool mover_proves) {
    if (++nodes >= next_check_) check_in();
    return {!mover_proves, false, kNoDependency};
  }

  Answer ask(const Node& node, int threshold, bool mover_proves, int depth) {
    if (++nodes >= next_check_) check_in();
    const int most = static_cast<int>(node.seeds);
    if (threshold > most) return kNo;
    if (threshold <= -most) return kYes;

    if (in_tables(node.seeds)) {
      if (const auto value = shared_.options.tables->value(node.position, node.shape)) {
        ++table_values;
        return *value >= threshold ? kYes : kNo;
      }
    }

    const bool mover_attacks = threshold > 0;
    const Answer undecided{!mover_proves, false, kNoDependency};
    if (depth <= 0) return undecided;
    TranspositionTable::Found found;
    found.bounds = {-most, most};
    if (shared_.with_table) {
      found = shared_.table.find(node.key);
      if (found.hit) {
        if (found.bounds.lower >= threshold) {
          ++hash_hits;
          return kYes;
        }
        if (found.bounds.upper < threshold) {
          ++hash_hits;
          return kNo;
        }
      } else {
        found.bounds = {-most, most};
      }
    }
    if (const auto ply = earlier_occurrence(node)) return {!mover_attacks, true, *ply};
    if (const auto ply = find_conditional(node, threshold)) return {!mover_attacks, true, *ply};

    const auto wanted_depth = static_cast<unsigned>(depth);
    if (mover_proves ? found.hints.mover.depth >= wanted_depth && found.hints.mover.threshold <= threshold
                     : found.hints.opponent.depth >= wanted_depth && found.hints.opponent.threshold >= threshold) {
      ++hash_hits;
      return undecided;
    }
    if (path_.size() >= shared_.options.limit_plies) {
      shared_.too_deep = true;
      shared_.abandon = true;
      throw Abandoned{};
    }
    return expand(node, threshold, mover_proves, depth, found);
  }

  // Raises the depth until the answer is there: for positions behind a capture, with few seeds.
  Answer decide(const Node& node, int threshold) {
    Side raise{.mover_proves = true}, lower{.mover_proves = false};
    while (true) {
      Side& side = raise.nodes <= lower.nodes ? raise : lower;
      const std::uint64_t before = nodes;
      const Answer answer = ask(node, threshold, side.mover_proves, side.depth);
      if (answer.decided) return answer;
      side.nodes += nodes - before;
      side.deepen();
    }
  }

  struct Candidate {
    int order;
    unsigned slot;
    unsigned seeds;  // that stay on the board
    int gain;
    MixedKey key;
  };

  Answer expand(const Node& node, int threshold, bool mover_proves, int depth, TranspositionTable::Found& found) {
    const std::uint64_t begin_nodes = nodes;
    if (lists_.size() <= path_.size()) lists_.push_back(std::make_unique<MoveList>());
    MoveList& list = *lists_[path_.size()];
    shared_.generator.generate(node.position, node.shape, list);
    if (list.legal == 0) {
      const int value = shared_.generator.end(node.position, node.shape).value();
      if (shared_.with_table) shared_.table.store(node.key, {value, value}, found.hints, 1);
      return value >= threshold ? kYes : kNo;
    }
    const bool mover_attacks = threshold > 0;
    const Shape child_shape = node.shape.swapped();

    std::array<Candidate, kMaxPits> moves;
    unsigned count = 0;
    Answer answer = kNo;  // until a move says otherwise; over all moves that failed
    unsigned best = 0;
    for (unsigned bits = list.legal; bits != 0; bits &= bits - 1) {
      Candidate move{};
      move.slot = static_cast<unsigned>(std::countr_zero(bits));
      const unsigned taken = list.captured[move.slot] + list.captured_opponent[move.slot];
      move.gain = int{list.captured[move.slot]} - int{list.captured_opponent[move.slot]};
      if (has_bit(list.endless, move.slot)) {  // the game ends: the rest is split
        if (move.gain >= threshold) return store(node, threshold, kYes, mover_proves, depth, found, move.slot, begin_nodes);
        continue;
      }
      move.seeds = node.seeds - taken;
      // Whatever follows, the opponent gets no more than what is left.
      if (move.gain - static_cast<int>(move.seeds) >= threshold) {
        return store(node, threshold, kYes, mover_proves, depth, found, move.slot, begin_nodes);
      }
      if (move.gain + static_cast<int>(move.seeds) < threshold) continue;
      move.order = order_of(node, move, taken, found.hints.move);
      if (shared_.with_table && (depth > 1 || (taken != 0 && move.seeds <= kDecidedSeeds))) {
        move.key = shared_.key_of(list.result[move.slot], child_shape);
        shared_.table.prefetch(move.key);
      }
      unsigned at = count++;
      for (; at > 0 && moves[at - 1].order < move.order; --at) moves[at] = moves[at - 1];
      moves[at] = move;
    }

    // A result that is known to fail the opponent ends the matter.
    // Tried: to search the remembered move before the others are made, a fifth more positions in the set of
    // search_bench.cpp; to use here that the opponent was not shown to fail at this depth, 4% more.
    if (shared_.with_table && depth > 1) {
      unsigned open = 0;
      for (unsigned i = 0; i < count; ++i) {
        const Candidate& move = moves[i];
        const int child_threshold = move.gain - threshold + 1;
        const auto known = shared_.table.find(move.key);
        if (known.hit) {
          if (known.bounds.upper < child_threshold) {
            ++nodes;
            ++hash_hits;
            return store(node, threshold, kYes, mover_proves, depth, found, move.slot, begin_nodes);
          }
          if (known.bounds.lower >= child_threshold) {
            ++nodes;
            ++hash_hits;
            continue;
          }
        }
        moves[open++] = move;
      }
      count = open;
    }

    const auto ply = static_cast<std::uint16_t>(path_.size());
    const std::size_t conditional_begin = conditional_.size();
    path_.push_back(node.position);
    std::uint16_t& filter = path_filter_[filter_index(node.position)];
    ++filter;
    for (unsigned i = 0; i < count; ++i) {
      const Candidate& move = moves[i];
      const unsigned outer_quiet_begin = quiet_begin_;
      const bool quiet = move.seeds == node.seeds;
      if (!quiet) quiet_begin_ = ply + 1;
      const Node child_node{list.result[move.slot], child_shape, move.seeds, move.key};
      const int child_threshold = move.gain - threshold + 1;
      const Answer child = !quiet && move.seeds <= kDecidedSeeds ? decide(child_node, child_threshold)
                           : depth == 1 && !in_tables(move.seeds)
                               ? horizon(!mover_proves)
                               : ask(child_node, child_threshold, !mover_proves, depth - 1);
      quiet_begin_ = outer_quiet_begin;
      assert(quiet || child.depends == kNoDependency);
      if (!child.at_least) {
        answer = {true, child.decided, child.depends};
        best = move.slot + 1;
        break;
      }
      answer.decided = answer.decided && child.decided;
      answer.depends = std::min(answer.depends, child.depends);
    }
    path_.pop_back();
    --filter;

    if (!answer.decided) {
      drop_conditionals(conditional_begin);
      answer.depends = kNoDependency;
    } else if (answer.at_least == mover_attacks) {
      assert(answer.depends == kNoDependency);
      drop_conditionals(conditional_begin);
    } else {
      if (answer.depends == ply) answer.depends = kNoDependency;
      settle_conditionals(node, threshold, conditional_begin, ply, answer.depends);
      if (answer.depends != kNoDependency) return answer;
    }
    if (answer.at_least) learn(node, best - 1, depth);
    return store(node, threshold, answer, mover_proves, depth, found, best == 0 ? kMaxPits : best - 1, begin_nodes);
  }

  // Pre: the answer rests on nothing on the path.
  Answer store(const Node& node, int threshold, Answer answer, bool mover_proves, int depth,
               TranspositionTable::Found& found, unsigned slot, std::uint64_t begin_nodes) {
    if (!shared_.with_table) return answer;
    if (slot < kMaxPits) found.hints.move = slot + 1;
    ProvedBounds bounds = found.bounds;
    if (answer.decided) {
      if (answer.at_least) {
        bounds.lower = std::max(bounds.lower, threshold);
      } else {
        bounds.upper = std::min(bounds.upper, threshold - 1);
      }
    } else {
      (mover_proves ? found.hints.mover : found.hints.opponent) = {threshold, static_cast<unsigned>(depth)};
    }
    shared_.table.store(node.key, bounds, found.hints, nodes - begin_nodes + 1);
    return answer;
  }

  int order_of(const Node& node, const Candidate& move, unsigned taken, unsigned hint) const {
    if (move.slot + 1 == hint) return std::numeric_limits<int>::max();
    if (taken != 0) return (1 << 24) + move.gain;
    return static_cast<int>(history_[history_index(node, move.slot)]);
  }

  std::size_t history_index(const Node& node, unsigned slot) const {
    return slot * 32 + std::min(seeds_in(node.position, node.shape, slot), 31U);
  }

  void learn(const Node& node, unsigned slot, int depth) {
    std::uint32_t& score = history_[history_index(node, slot)];
    score += static_cast<std::uint32_t>(depth * depth) + 1;
    if (score > (1U << 23)) {
      for (std::uint32_t& s : history_) s /= 2;
    }
  }

  // The ply of the same position since the last capture, the same player to move.
  std::optional<std::uint16_t> earlier_occurrence(const Node& node) const {
    if (path_filter_[filter_index(node.position)] == 0) return std::nullopt;
    for (std::size_t ply = path_.size(); ply >= quiet_begin_ + 2; ply -= 2) {
      if (path_[ply - 2] == node.position) return static_cast<std::uint16_t>(ply - 2);
    }
    return std::nullopt;
  }

  static std::size_t hash_of(const Position& p) {
    return ((p.low() ^ (p.high() * 0x9e3779b97f4a7c15)) * 0xd6e8feb86659fd93) >> (64 - kPathHashBits);
  }
  static std::size_t filter_index(const Position& p) { return hash_of(p) >> (kPathHashBits - kFilterBits); }
  std::uint32_t& conditional_slot(const Position& p) { return conditional_slots_[hash_of(p)]; }

  // Facts of the attacker's failure are found again under the same question: on one path of quiet moves
  // attacker and threshold do not change.
  std::optional<std::uint16_t> find_conditional(const Node& node, int threshold) {
    if (conditional_.empty()) return std::nullopt;
    const std::uint32_t at = conditional_slot(node.position);
    if (at >= conditional_.size()) return std::nullopt;
    const Conditional& c = conditional_[at];
    if (c.position != node.position || c.threshold != threshold || c.swapped != (node.shape != shared_.root_shape)) {
      return std::nullopt;
    }
    const auto group = std::upper_bound(groups_.begin(), groups_.end(), at,
                                        [](std::uint32_t index, const Group& g) { return index < g.begin; });
    return std::prev(group)->depends;
  }

  void drop_conditionals(std::size_t begin) {
    conditional_.resize(begin);
    while (!groups_.empty() && groups_.back().begin >= begin) groups_.pop_back();
  }

  // The position at `ply` is left with a success of the defender that rests on `depends`. If that is an earlier
  // ply, it is a conditional answer itself, and those found below may rest on it: together they are one group, which
  // rests on the earliest ply that any of them does. If it rests on nothing, what rested on this position is a fact.
  void settle_conditionals(const Node& node, int threshold, std::size_t begin, std::uint16_t ply, std::uint16_t depends) {
    if (depends != kNoDependency) {
      const auto at = static_cast<std::uint32_t>(conditional_.size());
      while (!groups_.empty() && groups_.back().begin >= begin) {
        depends = std::min(depends, groups_.back().depends);
        groups_.pop_back();
      }
      conditional_slot(node.position) = at;
      conditional_.push_back({node.position, node.key, static_cast<std::int16_t>(threshold),
                              node.shape != shared_.root_shape});
      groups_.push_back({static_cast<std::uint32_t>(begin), depends});
      return;
    }
    // What rests on earlier plies is dropped, true or not: it may be asked for again.
    std::size_t end = conditional_.size();
    while (!groups_.empty() && groups_.back().begin >= begin) {
      if (groups_.back().depends >= ply) {
        for (std::size_t i = groups_.back().begin; i < end; ++i) promote(conditional_[i]);
      }
      end = groups_.back().begin;
      groups_.pop_back();
    }
    conditional_.resize(begin);
  }

  void promote(const Conditional& c) {
    if (!shared_.with_table) return;
    const int most = static_cast<int>(total_seeds(c.position));
    ProvedBounds bounds{-most, most};
    if (c.threshold > 0) {
      bounds.upper = c.threshold - 1;
    } else {
      bounds.lower = c.threshold;
    }
    shared_.table.store(c.key, bounds, {}, 1);
  }

  Impl& shared_;
  unsigned id_;
  std::uint64_t reported_ = 0, next_check_ = kNodesBetweenFirstChecks;  // of nodes
  unsigned quiet_begin_ = 0;          // ply of the first position on the path since the last capture
  std::vector<Position> path_;
  // By ply; outer plies hold on to theirs. Tried: lists on the stack, 8% slower.
  std::vector<std::unique_ptr<MoveList>> lists_;
  std::array<std::uint16_t, 1U << kFilterBits> path_filter_{};  // positions of the path by hash
  std::vector<Conditional> conditional_;
  std::vector<Group> groups_;
  std::array<std::uint32_t, 1U << kPathHashBits> conditional_slots_{};  // the last conditional answer by hash
  std::array<std::uint32_t, kMaxPits * 32> history_{};
};

namespace {

constexpr std::uint64_t kParallelNodes = 20'000;  // smaller attempts are over before threads have begun

}  // namespace

// Nothing if a limit was reached.
std::optional<Answer> Search::Impl::run_attempt(const Position& position, Shape shape, int threshold,
                                                Side& side) {
  if (limit_reached()) return std::nullopt;
  depth_plies = std::max(depth_plies, static_cast<unsigned>(side.depth));
  const std::uint64_t nodes_before = nodes;
  std::optional<Answer> found;
  abandon = false;
  const auto run = [&](unsigned id, int depth) {
    if (abandon) return;
    Worker& worker = *workers[id];
    try {
      const Answer answer =
          worker.attempt(position, shape, level, threshold, side.mover_proves, depth);
      const std::lock_guard<std::mutex> lock(answer_mutex);
      // Worker 0 has the depth that was asked for; an answer of any other is as good as his.
      if (!found || (answer.decided && !found->decided)) {
        if (id == 0 || answer.decided) {
          found = answer;
          abandon = true;
        }
      }
    } catch (const Abandoned&) {
    } catch (...) {
      abandon = true;
      worker.report_nodes();
      throw;
    }
    worker.report_nodes();
  };
  if (workers.size() == 1 || side.last_nodes < kParallelNodes) {
    run(0, side.depth);
  } else {
    parallel_loop(static_cast<unsigned>(workers.size()), workers.size(), [&](unsigned, std::size_t id) {
      run(static_cast<unsigned>(id), side.depth + static_cast<int>(id & 1));
    });
  }
  side.last_nodes = nodes - nodes_before;
  side.nodes += side.last_nodes;
  return found;
}

ProvedBounds Search::Impl::search(const Position& position, Shape shape, ProvedBounds bounds) {
  table.new_generation();
  too_deep = false;
  level = total_seeds(position);
  Side raise{.mover_proves = true}, lower{.mover_proves = false};
  while (bounds.lower < bounds.upper) {
    Side& side = raise.nodes <= lower.nodes ? raise : lower;
    const int step = std::min(side.step, bounds.upper - bounds.lower);
    const int threshold = side.mover_proves ? bounds.lower + step : bounds.upper + 1 - step;
    phase = "search to " + std::to_string(side.depth) + " plies, value " + std::to_string(bounds.lower) + " to " +
            std::to_string(bounds.upper);
    const std::optional<Answer> answer = run_attempt(position, shape, threshold, side);
    if (!answer) break;
    if (answer->decided) {
      if (answer->at_least) {
        bounds.lower = threshold;
      } else {
        bounds.upper = threshold - 1;
      }
      side.step = answer->at_least == side.mover_proves ? 2 * step : 1;
    } else if (step > 1) {
      side.step = 1;
    } else {
      side.deepen();
    }
  }
  return bounds;
}

Search::Search(const RuleSet& rules, Shape shape, unsigned seeds, const SearchOptions& options)
    : impl_(std::make_unique<Impl>(rules, shape, seeds, options)) {
  const unsigned workers = worker_count(options.threads);
  for (unsigned id = 0; id < workers; ++id) impl_->workers.push_back(std::make_unique<Impl::Worker>(*impl_, id));
}

Search::~Search() = default;

ProvedBounds Search::solve(const Position& position, Shape shape, ProvedBounds known) {
  const int most = static_cast<int>(total_seeds(position));
  return impl_->search(position, shape, {std::max(known.lower, -most), std::min(known.upper, most)});
}

std::optional<unsigned> Search::remembered_move(const Position& position, Shape shape) const {
  if (!impl_->with_table) return std::nullopt;
  const TranspositionTable::Found found = impl_->table.find(impl_->key_of(position, shape));
  if (!found.hit || found.hints.move == 0) return std::nullopt;
  return found.hints.move - 1;
}

std::optional<bool> Search::at_least(const Position& position, Shape shape, int threshold) {
  const int most = static_cast<int>(total_seeds(position));
  if (threshold > most) return false;
  if (threshold <= -most) return true;
  // Bounds that leave this one question open.
  const ProvedBounds bounds = impl_->search(position, shape, {threshold - 1, threshold});
  if (bounds.lower < bounds.upper) return std::nullopt;
  return bounds.lower == threshold;
}

SearchEffort Search::effort() const {
  SearchEffort effort;
  effort.nodes = impl_->nodes;
  effort.depth_plies = impl_->depth_plies;
  effort.too_deep = impl_->too_deep;
  effort.seconds = impl_->watch.seconds();
  for (const auto& worker : impl_->workers) {
    effort.table_values += worker->table_values;
    effort.hash_hits += worker->hash_hits;
  }
  return effort;
}

std::uint64_t Search::table_entries() const { return impl_->with_table ? impl_->table.entries() : 0; }

}  // namespace retrosow
