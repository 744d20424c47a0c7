#include "tests/reference/solve_reference.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace retrosow::reference {

namespace {

constexpr int kMaxSeeds = 127;                   // values are kept in signed bytes
constexpr int kNoExit = -1000;                   // below every value
constexpr std::uint32_t kNowhere = 0xffffffffu;  // target of a sow that never ends
constexpr std::int16_t kUnknown = -2;            // a distance still to be found

// A move: what it wins for the mover minus what it wins for his opponent, and the position it leads
// to.
struct Edge {
  std::uint32_t target;
  int net;
};

// All positions and all moves. The moves of position i are edges[first_edge[i]] ..
// edges[first_edge[i + 1] - 1].
struct Graph {
  std::vector<int>
      end_value;  // used where a position has no move: what the end is worth to the player to move
  std::vector<std::size_t> first_edge = {0};
  std::vector<Edge> edges;
};

// One list for each position of a level, end to end: list i is items[begin[i]] .. items[begin[i +
// 1] - 1].
struct Lists {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> items;
};

// Turns the arrows round: from the lists of children to the lists of parents.
Lists reversed(const Lists& children) {
  const std::size_t count = children.begin.size() - 1;
  Lists parents;
  parents.begin.assign(count + 1, 0);
  for (const std::uint32_t child : children.items) ++parents.begin[child + 1];
  for (std::size_t i = 0; i < count; ++i) parents.begin[i + 1] += parents.begin[i];
  parents.items.resize(children.items.size());
  std::vector<std::uint32_t> next(parents.begin.begin(), parents.begin.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t e = children.begin[i]; e < children.begin[i + 1]; ++e) {
      parents.items[next[children.items[e]]++] = static_cast<std::uint32_t>(i);
    }
  }
  return parents;
}

enum class Side : std::uint8_t { kNeither, kWin, kLose };

// The attractor of one threshold. best[i]: what the best exit of i, or the end of the game, is
// worth. A position where the game is over has no children, so `best` alone decides about it, as it
// should.
std::vector<Side> sides_of_threshold(int threshold, const std::vector<int>& best,
                                     const Lists& children, const Lists& parents) {
  const std::size_t count = best.size();
  std::vector<Side> side(count, Side::kNeither);
  std::vector<std::uint32_t> not_in_win(count);  // quiet moves not (yet) known to lead into W
  std::vector<std::uint32_t> queue;
  queue.reserve(count);

  for (std::size_t i = 0; i < count; ++i) {
    not_in_win[i] = children.begin[i + 1] - children.begin[i];
    if (best[i] >= threshold) {
      side[i] = Side::kWin;
    } else if (best[i] <= -threshold && not_in_win[i] == 0) {
      side[i] = Side::kLose;
    }
    if (side[i] != Side::kNeither) queue.push_back(static_cast<std::uint32_t>(i));
  }

  for (std::size_t done = 0; done < queue.size(); ++done) {
    const std::uint32_t child = queue[done];
    for (std::uint32_t e = parents.begin[child]; e < parents.begin[child + 1]; ++e) {
      const std::uint32_t parent = parents.items[e];
      if (side[child] == Side::kWin) {
        --not_in_win[parent];
        if (side[parent] == Side::kNeither && not_in_win[parent] == 0 &&
            best[parent] <= -threshold) {
          side[parent] = Side::kLose;
          queue.push_back(parent);
        }
      } else {
        if (side[parent] == Side::kLose)
          throw std::logic_error("solve: a move leads from L into L");
        if (side[parent] == Side::kNeither) {
          side[parent] = Side::kWin;
          queue.push_back(parent);
        }
      }
    }
  }
  return side;
}

// Whether a move stays in the level of the position it is made from.
bool is_quiet(const SolvedStore& store, std::size_t source, const Edge& edge) {
  return edge.target != kNowhere && store.seeds[edge.target] == store.seeds[source];
}

// What a move is worth to the mover. Pre: the value of the target is known.
int worth(const SolvedStore& store, const Edge& edge) {
  return edge.target == kNowhere ? edge.net : edge.net - store.values[edge.target];
}

void find_values(int level, const std::vector<std::uint32_t>& members, const Graph& graph,
                 SolvedStore& store) {
  // Positions of the level get numbers 0, 1, ... of their own.
  const std::size_t count = members.size();
  std::vector<std::uint32_t> number(store.keys.size(), 0);
  for (std::size_t i = 0; i < count; ++i) number[members[i]] = static_cast<std::uint32_t>(i);

  std::vector<int> best(count, kNoExit);
  Lists children;
  children.begin.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t position = members[i];
    const std::size_t from = graph.first_edge[position];
    const std::size_t to = graph.first_edge[position + 1];
    if (from == to) best[i] = graph.end_value[position];
    for (std::size_t e = from; e < to; ++e) {
      const Edge& edge = graph.edges[e];
      if (is_quiet(store, position, edge)) {
        children.items.push_back(number[edge.target]);
      } else {
        best[i] = std::max(best[i], worth(store, edge));
      }
    }
    children.begin.push_back(static_cast<std::uint32_t>(children.items.size()));
  }
  const Lists parents = reversed(children);

  std::vector<bool> known(count, false);
  for (int threshold = level; threshold >= 1; --threshold) {
    const std::vector<Side> side = sides_of_threshold(threshold, best, children, parents);
    for (std::size_t i = 0; i < count; ++i) {
      if (side[i] == Side::kNeither) {
        if (known[i])
          throw std::logic_error("solve: what could be forced cannot be forced at less");
        continue;
      }
      const int signed_threshold = side[i] == Side::kWin ? threshold : -threshold;
      std::int8_t& value = store.values[members[i]];
      if (!known[i]) {
        value = static_cast<std::int8_t>(signed_threshold);
        known[i] = true;
      } else if ((value > 0) != (signed_threshold > 0)) {
        throw std::logic_error("solve: a position is won at one threshold and lost at another");
      }
    }
  }
}

void find_distances(const std::vector<std::uint32_t>& members, const Graph& graph,
                    SolvedStore& store) {
  std::vector<std::uint32_t> pending;
  for (const std::uint32_t position : members) {
    if (store.values[position] == 0) {
      store.distances[position] = kNoDistance;
    } else if (graph.first_edge[position] == graph.first_edge[position + 1]) {
      store.distances[position] = 0;
    } else {
      store.distances[position] = kUnknown;
      pending.push_back(position);
    }
  }

  // Wave d settles the positions of distance d. It reads only distances below d, all of them
  // settled.
  for (int wave = 1; !pending.empty(); ++wave) {
    if (wave > std::numeric_limits<std::int16_t>::max())
      throw std::logic_error("solve: distance above 16 bits");
    std::vector<std::uint32_t> settled;
    std::vector<std::uint32_t> left;
    for (const std::uint32_t position : pending) {
      const int value = store.values[position];
      bool keeps_value = false;  // at least one move does
      bool any_behind_known = false;
      bool all_behind_known = true;
      for (std::size_t e = graph.first_edge[position]; e < graph.first_edge[position + 1]; ++e) {
        const Edge& edge = graph.edges[e];
        if (worth(store, edge) > value)
          throw std::logic_error("solve: a move is better than the value");
        if (worth(store, edge) < value) continue;
        keeps_value = true;
        const bool behind_known =
            !is_quiet(store, position, edge) || store.distances[edge.target] >= 0;
        any_behind_known = any_behind_known || behind_known;
        all_behind_known = all_behind_known && behind_known;
      }
      if (!keeps_value) throw std::logic_error("solve: no move keeps the value");
      // The winner takes the first that is known, the loser waits for the last.
      ((value > 0 ? any_behind_known : all_behind_known) ? settled : left).push_back(position);
    }
    if (settled.empty())
      throw std::logic_error("solve: a won position from which the win is never reached");
    for (const std::uint32_t position : settled)
      store.distances[position] = static_cast<std::int16_t>(wave);
    pending = std::move(left);
  }
}

void solve(const Graph& graph, SolvedStore& store) {
  const std::size_t count = store.keys.size();
  store.values.assign(count, 0);
  store.distances.assign(count, kNoDistance);
  std::vector<std::vector<std::uint32_t>> levels(kMaxSeeds + 1);
  for (std::size_t i = 0; i < count; ++i)
    levels[store.seeds[i]].push_back(static_cast<std::uint32_t>(i));
  for (int level = 0; level <= kMaxSeeds; ++level) {
    if (levels[level].empty()) continue;
    find_values(level, levels[level], graph, store);
    find_distances(levels[level], graph, store);
  }
}

// Enters a position that is not in the store yet and returns its number.
std::uint32_t add(SolvedStore& store, std::string key, int seeds) {
  const std::uint32_t number = static_cast<std::uint32_t>(store.keys.size());
  store.index_of.emplace(key, number);
  store.keys.push_back(std::move(key));
  store.seeds.push_back(static_cast<std::uint8_t>(seeds));
  return number;
}

void append(std::string& key, const std::vector<int>& counts) {
  for (const int count : counts) {
    if (count < 0 || count > kMaxSeeds)
      throw std::out_of_range("solve: a pit that no solved position has");
    key.push_back(static_cast<char>(count));
  }
}

// Urim: one byte a pit.
std::string key_of(const std::vector<int>& board) {
  std::string key;
  append(key, board);
  return key;
}

std::vector<int> board_of(const std::string& key) {
  std::vector<int> board;
  for (const char count : key) board.push_back(count);
  return board;
}

// Rio Kadalis: the number of the mover's holes, then one byte a hole.
std::string key_of(const RioPosition& position) {
  std::string key(1, static_cast<char>(position.mover.size()));
  append(key, position.mover);
  append(key, position.opponent);
  return key;
}

RioPosition rio_position_of(const std::string& key) {
  RioPosition position;
  for (std::size_t i = 1; i < key.size(); ++i) {
    const bool is_mover = i <= static_cast<std::size_t>(key[0]);
    (is_mover ? position.mover : position.opponent).push_back(key[i]);
  }
  return position;
}

}  // namespace

Solved SolvedStore::at(const std::string& key) const {
  const auto found = index_of.find(key);
  if (found == index_of.end()) throw std::out_of_range("solve: a position that was not solved");
  return {values[found->second], distances[found->second]};
}

// ---- Urim family ----

UrimSolution::UrimSolution(const UrimRules& rules, int max_seeds)
    : rules_(rules), max_seeds_(max_seeds) {
  if (max_seeds < 0 || max_seeds > kMaxSeeds)
    throw std::invalid_argument("solve_urim: seeds out of range");
  for (int level = 0; level <= max_seeds; ++level) {
    level_begin_.push_back(store_.keys.size());
    for_each_board(rules.pits, level, rules.pit_limit,
                   [&](const std::vector<int>& board) { add(store_, key_of(board), level); });
  }
  level_begin_.push_back(store_.keys.size());

  Graph graph;
  for (const std::string& key : store_.keys) {
    const std::vector<int> board = board_of(key);
    const std::vector<UrimMove> moves = legal_moves(rules, board);
    int end_value = 0;
    if (moves.empty()) {
      const std::pair<int, int> end = end_result(rules, board);
      end_value = end.first - end.second;
    }
    for (const UrimMove& move : moves) {
      graph.edges.push_back({store_.index_of.at(key_of(move.result)), move.captured});
    }
    graph.end_value.push_back(end_value);
    graph.first_edge.push_back(graph.edges.size());
  }
  solve(graph, store_);
}

Solved UrimSolution::at(const std::vector<int>& board) const { return store_.at(key_of(board)); }

std::vector<MoveValue> UrimSolution::move_values(const std::vector<int>& board) const {
  std::vector<MoveValue> values;
  for (const UrimMove& move : legal_moves(rules_, board)) {
    values.push_back({move.pit, move.captured - at(move.result).value});
  }
  return values;
}

void UrimSolution::for_each(
    int seeds, const std::function<void(const std::vector<int>&, Solved)>& callback) const {
  if (seeds < 0 || seeds > max_seeds_)
    throw std::out_of_range("solve_urim: a level that was not solved");
  for (std::size_t i = level_begin_[seeds]; i < level_begin_[seeds + 1]; ++i) {
    callback(board_of(store_.keys[i]), {store_.values[i], store_.distances[i]});
  }
}

std::map<int, std::uint64_t> UrimSolution::histogram(int seeds) const {
  std::map<int, std::uint64_t> boards;
  for_each(seeds, [&](const std::vector<int>&, Solved solved) { ++boards[solved.value]; });
  return boards;
}

// ---- Rio Kadalis ----

RioSolution::RioSolution(const RioRules& rules, const RioPosition& start)
    : rules_(rules), start_(start) {
  const std::pair<int, int> on_board = end_result(start);  // refuses what is no position
  if (on_board.first + on_board.second > kMaxSeeds || start.mover.size() > kMaxSeeds) {
    throw std::invalid_argument("solve_rio: stones or holes out of range");
  }
  Graph graph;
  add(store_, key_of(start), stones(start));
  // Breadth first: the store is its own queue, and it grows while it is worked through.
  for (std::size_t i = 0; i < store_.keys.size(); ++i) {
    const RioPosition position = rio_position_of(store_.keys[i]);
    const std::vector<RioMove> moves = legal_moves(rules, position);
    int end_value = 0;
    if (moves.empty()) {
      const std::pair<int, int> end = end_result(position);
      end_value = end.first - end.second;
    }
    for (const RioMove& move : moves) {
      std::uint32_t target = kNowhere;
      if (move.ends != RioEnd::kEndless) {
        const std::string key = key_of(move.result);
        const auto found = store_.index_of.find(key);
        target =
            found != store_.index_of.end() ? found->second : add(store_, key, stones(move.result));
      }
      graph.edges.push_back({target, move.captured - move.captured_opponent});
    }
    graph.end_value.push_back(end_value);
    graph.first_edge.push_back(graph.edges.size());
  }
  solve(graph, store_);
}

bool RioSolution::contains(const RioPosition& position) const {
  return store_.index_of.count(key_of(position)) > 0;
}

Solved RioSolution::at(const RioPosition& position) const { return store_.at(key_of(position)); }

std::vector<MoveValue> RioSolution::move_values(const RioPosition& position) const {
  std::vector<MoveValue> values;
  for (const RioMove& move : legal_moves(rules_, position)) {
    const int net = move.captured - move.captured_opponent;
    values.push_back(
        {move.hole, move.ends == RioEnd::kEndless ? net : net - at(move.result).value});
  }
  return values;
}

void RioSolution::for_each(int stones,
                           const std::function<void(const RioPosition&, Solved)>& callback) const {
  for (std::size_t i = 0; i < store_.keys.size(); ++i) {
    if (store_.seeds[i] == stones) {
      callback(rio_position_of(store_.keys[i]), {store_.values[i], store_.distances[i]});
    }
  }
}

std::map<int, std::uint64_t> RioSolution::histogram(int stones) const {
  std::map<int, std::uint64_t> positions;
  for (std::size_t i = 0; i < store_.keys.size(); ++i) {
    if (store_.seeds[i] == stones) ++positions[store_.values[i]];
  }
  return positions;
}

}  // namespace retrosow::reference
