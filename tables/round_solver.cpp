#include "tables/round_solver.h"

#include <algorithm>
#include <cassert>
#include <chrono>

#include "bitboard/notation.h"
#include "bitboard/rank.h"

namespace retrosow {
namespace {

constexpr unsigned kSwappedLane = 15;
constexpr std::uint32_t kNoChild = 0xffff'ffff;  // an endless sow: the move leaves the game
constexpr std::uint32_t kEmptySlot = 0xffff'ffff;

std::uint64_t hash_of(const Position& p) {
  std::uint64_t h = (p.low() ^ (p.high() * 0x9e3779b97f4a7c15ULL)) * 0xd6e8feb86659fd93ULL;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93ULL;
  return h ^ (h >> 32);
}

// The graph of a round: positions by the order of their discovery, moves in the same order.
class Graph {
 public:
  Graph(const RuleSet& rules, const Position& root, Shape shape, std::uint64_t memory_bytes,
        const RunControl& control)
      : generator_(rules, shape), shape_(shape), memory_bytes_(memory_bytes), control_(control) {
    slots_.assign(1U << 16, kEmptySlot);
    find_or_add(round_key(root, shape, shape));
  }

  void enumerate() {
    const auto begin = std::chrono::steady_clock::now();
    MoveList list;
    for (std::uint32_t id = 0; id < keys_.size(); ++id) {
      if ((id & 0xfff) == 0) report(id, begin);
      const RoundPosition at = position_of_key(keys_[id], shape_);
      generator_.generate(at.position, at.shape, list);
      end_values_.push_back(list.legal == 0 ? static_cast<Value>(generator_.end(at.position, at.shape).value())
                                            : Value{0});
      for_each_move(list, [&](unsigned slot) {
        const int gain = int{list.captured[slot]} - int{list.captured_opponent[slot]};
        const bool endless = ((list.endless >> slot) & 1U) != 0;
        children_.push_back(
            endless ? kNoChild : find_or_add(round_key(list.result[slot], at.shape.swapped(), shape_)));
        gains_.push_back(static_cast<Value>(gain));
      });
      first_move_.push_back(children_.size());
    }
  }

  // Values by id, levels ascending.
  std::vector<Value> solve(const std::vector<std::vector<std::uint32_t>>& ids_by_seeds) {
    std::vector<Value> low(keys_.size()), high(keys_.size());
    for (unsigned seeds = 0; seeds < ids_by_seeds.size(); ++seeds) {
      solve_level(seeds, ids_by_seeds[seeds], low, high);
    }
    return low;
  }

  std::vector<std::vector<std::uint32_t>> ids_by_seeds() const {
    std::vector<std::vector<std::uint32_t>> ids(total_seeds(keys_[0]) + 1);
    for (std::uint32_t id = 0; id < keys_.size(); ++id) ids[seeds_of(id)].push_back(id);
    return ids;
  }

  const std::vector<Position>& keys() const { return keys_; }
  std::uint64_t moves() const { return children_.size(); }

 private:
  unsigned seeds_of(std::uint32_t id) const { return total_seeds(position_of_key(keys_[id], shape_).position); }

  std::uint32_t find_or_add(const Position& key) {
    std::uint64_t at = hash_of(key) & (slots_.size() - 1);
    while (slots_[at] != kEmptySlot) {
      if (keys_[slots_[at]] == key) return slots_[at];
      at = (at + 1) & (slots_.size() - 1);
    }
    if (keys_.size() == kNoChild) throw limit_error("the round has more positions than 32 bits count");
    slots_[at] = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(key);
    if (keys_.size() * 3 > slots_.size() * 2) grow();
    return static_cast<std::uint32_t>(keys_.size() - 1);
  }

  void grow() {
    check_memory(slots_.size() * 2 * sizeof(std::uint32_t));
    std::vector<std::uint32_t>(slots_.size() * 2, kEmptySlot).swap(slots_);
    for (std::uint32_t id = 0; id < keys_.size(); ++id) {
      std::uint64_t at = hash_of(keys_[id]) & (slots_.size() - 1);
      while (slots_[at] != kEmptySlot) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id;
    }
  }

  // What is held now, a doubling of every vector to come, and the levels that are made at the end.
  void check_memory(std::uint64_t more) const {
    const std::uint64_t held = slots_.size() * 4 + keys_.capacity() * 16 + children_.capacity() * 4 +
                               gains_.capacity() + first_move_.capacity() * 8 + end_values_.capacity();
    const std::uint64_t needed = held + more + keys_.size() * (4 + 2 + 17);
    if (memory_bytes_ != 0 && needed > memory_bytes_) {
      throw limit_error("enumerating the round needs more than the memory limit of " +
                        std::to_string(memory_bytes_ >> 20) + " MiB: " + std::to_string(needed >> 20) +
                        " MiB for the " + std::to_string(keys_.size()) + " positions found so far");
    }
  }

  void report(std::uint32_t id, std::chrono::steady_clock::time_point begin) {
    control_.check_stop();
    check_memory(0);
    if (!control_.progress) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    control_.progress({"enumerate", total_seeds(keys_[0]), total_seeds(keys_[0]), id, 0, elapsed.count()});
  }

  void solve_level(unsigned seeds, const std::vector<std::uint32_t>& ids, std::vector<Value>& low,
                   std::vector<Value>& high) {
    const int worst = -static_cast<int>(seeds);
    const auto is_quiet = [&](std::uint64_t move) {
      return children_[move] != kNoChild && seeds_of(children_[move]) == seeds;
    };
    for (const std::uint32_t id : ids) {
      const std::uint64_t first = first_move(id), end = first_move_[id];
      if (first == end) {
        low[id] = high[id] = end_values_[id];
        continue;
      }
      int exit = worst;
      bool quiet_moves = false;
      for (std::uint64_t move = first; move < end; ++move) {
        if (is_quiet(move)) {
          quiet_moves = true;
        } else {
          const int child = children_[move] == kNoChild ? 0 : low[children_[move]];
          exit = std::max(exit, gains_[move] - child);
        }
      }
      low[id] = static_cast<Value>(exit);
      high[id] = quiet_moves ? static_cast<Value>(seeds) : low[id];
    }
    for (bool changed = true; changed;) {
      changed = false;
      control_.check_stop();
      for (const std::uint32_t id : ids) {
        if (low[id] == high[id]) continue;
        int l = low[id], h = l;
        for (std::uint64_t move = first_move(id); move < first_move_[id]; ++move) {
          if (!is_quiet(move)) continue;
          l = std::max(l, -int{high[children_[move]]});
          h = std::max(h, -int{low[children_[move]]});
        }
        h = std::max(h, l);
        if (l == low[id] && h == high[id]) continue;
        changed = true;
        low[id] = static_cast<Value>(l);
        high[id] = static_cast<Value>(h);
      }
    }
    for (const std::uint32_t id : ids) low[id] = low[id] > 0 ? low[id] : high[id] < 0 ? high[id] : Value{0};
  }

  std::uint64_t first_move(std::uint32_t id) const { return id == 0 ? 0 : first_move_[id - 1]; }

  MoveGenerator generator_;
  Shape shape_;
  std::uint64_t memory_bytes_;
  const RunControl& control_;
  std::vector<std::uint32_t> slots_;      // open addressing, load at most 2/3
  std::vector<Position> keys_;            // by id
  std::vector<Value> end_values_;         // by id; of positions without a move
  std::vector<std::uint64_t> first_move_; // by id: end of its moves
  std::vector<std::uint32_t> children_;   // by move
  std::vector<Value> gains_;              // by move: taken by the mover minus taken by the opponent
};

}  // namespace

Position round_key(const Position& position, Shape shape, Shape root_shape) {
  Position key = position;
  if (shape != root_shape) key.lanes[kSwappedLane] = 1;
  return key;
}

RoundPosition position_of_key(const Position& key, Shape root_shape) {
  if (root_shape.mover_pits == root_shape.opponent_pits) return {key, root_shape};
  RoundPosition at{key, key.lanes[kSwappedLane] != 0 ? root_shape.swapped() : root_shape};
  at.position.lanes[kSwappedLane] = 0;
  return at;
}

Round solve_round(const RuleSet& rules, const Position& root, Shape shape, std::uint64_t memory_bytes,
                  const RunControl& control) {
  assert(family_of(rules.game) == Family::kRioKadalis);
  if (total_seeds(root) > kMaxLevelSeeds) {
    throw limit_error(std::to_string(total_seeds(root)) + " stones on the board; values are solved for at most " +
                      std::to_string(kMaxLevelSeeds));
  }
  Graph graph(rules, root, shape, memory_bytes, control);
  graph.enumerate();
  const auto ids = graph.ids_by_seeds();
  const std::vector<Value> values = graph.solve(ids);

  Round round;
  round.rules = rules;
  round.shape = shape;
  round.root = root;
  round.positions = graph.keys().size();
  round.moves = graph.moves();
  for (unsigned seeds = 0; seeds < ids.size(); ++seeds) {
    if (ids[seeds].empty()) continue;
    std::vector<std::uint32_t> order = ids[seeds];
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return graph.keys()[a] < graph.keys()[b]; });
    RoundLevel level;
    level.seeds = seeds;
    for (const std::uint32_t id : order) {
      level.keys.push_back(graph.keys()[id]);
      level.values.push_back(values[id]);
    }
    round.levels.push_back(std::move(level));
  }
  return round;
}

std::optional<int> RoundSource::value(const Position& position, Shape shape) const {
  if (shape != round_->shape && shape != round_->shape.swapped()) return std::nullopt;
  const unsigned seeds = total_seeds(position);
  for (const RoundLevel& level : round_->levels) {
    if (level.seeds != seeds) continue;
    const Position key = round_key(position, shape, round_->shape);
    const auto at = std::lower_bound(level.keys.begin(), level.keys.end(), key);
    if (at == level.keys.end() || *at != key) return std::nullopt;
    return level.values[static_cast<std::size_t>(at - level.keys.begin())];
  }
  return std::nullopt;
}

}  // namespace retrosow
