#include "tables/values.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "bitboard/error.h"

namespace retrosow {
namespace {

struct PositionHash {
  std::size_t operator()(const Position& p) const {
    std::uint64_t h = p.low() * 0x9e3779b97f4a7c15ULL + p.high();
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ULL;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};

// A move as it bears on a line: does it stay among the boards with the same seeds?
struct Step {
  unsigned slot = 0;
  bool quiet = false;  // nothing left the board and the game goes on
  Position child;
};

class LineFinder {
 public:
  LineFinder(const MoveGenerator& generator, const ValueSource& source, std::uint64_t max_nodes)
      : generator_(generator), source_(source), max_nodes_(max_nodes) {}

  // The value-keeping moves of a position, ascending.
  std::vector<Step> keeping_moves(const Position& position, Shape shape) const {
    const Evaluation evaluation = evaluate(generator_, source_, position, shape);
    MoveList list;
    generator_.generate(position, shape, list);
    std::vector<Step> steps;
    for (const MoveValue& move : evaluation.moves) {
      if (move.value != evaluation.value) continue;
      const unsigned slot = move.slot;
      const bool endless = has_bit(list.endless, slot);
      Step step{slot, false, {}};
      if (!endless) {
        step.child = list.result[slot];
        step.quiet = list.captured[slot] + list.captured_opponent[slot] == 0;
      }
      steps.push_back(step);
    }
    return steps;
  }

  // Plies to the next capture or end for `root` (value not 0) and all that value-keeping quiet moves
  // reach from it: the winner hurries, the loser delays. False if that takes too many positions.
  bool find_distances(const Position& root, Shape shape, bool root_wins) {
    nodes_.clear();
    for (auto& ids : ids_) ids.clear();
    id_of(root, root_wins);
    std::vector<std::uint32_t> known;
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
      if (nodes_.size() > max_nodes_) return false;
      const Position position = nodes_[id].position;
      const bool wins = nodes_[id].wins;
      const Shape side = wins == root_wins ? shape : shape.swapped();
      const std::vector<Step> steps = keeping_moves(position, side);
      bool exits = steps.empty();
      std::uint32_t open = 0;
      for (const Step& step : steps) {
        if (!step.quiet) {
          exits = true;
          continue;
        }
        ++open;
        const std::uint32_t child = id_of(step.child, !wins);
        nodes_[child].parents.push_back(id);
      }
      nodes_[id].open = open;
      // The winner takes the first exit there is; the loser goes on while he can.
      if (steps.empty()) {
        nodes_[id].distance = 0;
      } else if (exits && (wins || open == 0)) {
        nodes_[id].distance = 1;
      }
      if (nodes_[id].distance >= 0) known.push_back(id);
    }
    // Waves: every position is entered once, by ascending distance. Only 0 and 1 are known so far.
    std::stable_sort(known.begin(), known.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].distance < nodes_[b].distance; });
    for (std::size_t next = 0; next < known.size(); ++next) {
      const std::uint32_t id = known[next];
      const int distance = nodes_[id].distance + 1;
      for (const std::uint32_t parent : nodes_[id].parents) {
        Node& node = nodes_[parent];
        if (node.distance >= 0) continue;
        if (!node.wins && --node.open > 0) continue;
        node.distance = distance;
        known.push_back(parent);  // nothing in the queue is farther
      }
    }
    return true;
  }

  // Pre: the position, won or not for its player to move, is one that find_distances has met.
  int distance(const Position& position, bool wins) const { return nodes_[ids_[wins ? 1 : 0].at(position)].distance; }

 private:
  struct Node {
    Position position;
    bool wins = false;
    int distance = -1;
    std::uint32_t open = 0;  // value-keeping quiet moves whose distance is not known
    std::vector<std::uint32_t> parents;
  };

  // Where the rows differ in length the same lanes are two positions, one for each side; one of them is won.
  std::uint32_t id_of(const Position& position, bool wins) {
    const auto [at, added] = ids_[wins ? 1 : 0].emplace(position, static_cast<std::uint32_t>(nodes_.size()));
    if (added) nodes_.push_back({position, wins, -1, 0, {}});
    return at->second;
  }

  const MoveGenerator& generator_;
  const ValueSource& source_;
  std::uint64_t max_nodes_;
  std::vector<Node> nodes_;
  std::array<std::unordered_map<Position, std::uint32_t, PositionHash>, 2> ids_;  // lost, won
};

}  // namespace

Evaluation evaluate(const MoveGenerator& generator, const ValueSource& source, const Position& position,
                    Shape shape) {
  MoveList list;
  generator.generate(position, shape, list);
  Evaluation evaluation;
  if (list.legal == 0) {
    evaluation.value = generator.end(position, shape).value();
    return evaluation;
  }
  for_each_move(list, [&](unsigned slot) {
    int value = int{list.captured[slot]} - int{list.captured_opponent[slot]};
    if (!has_bit(list.endless, slot)) {
      const std::optional<int> child = source.value(list.result[slot], shape.swapped());
      if (!child) {
        throw Error(ErrorClass::kIo, "no table holds the position " +
                                         format_position(list.result[slot], shape.swapped()) + " (" +
                                         std::to_string(total_seeds(list.result[slot])) + " on the board)");
      }
      value -= *child;
    }
    if (evaluation.moves.empty() || value > evaluation.value) evaluation.value = value;
    evaluation.moves.push_back({slot, value});
  });
  return evaluation;
}

const char* line_end_name(Line::End end) {
  switch (end) {
    case Line::End::kGameOver: return "end";
    case Line::End::kRepetition: return "repetition";
    case Line::End::kCut: return "cut";
  }
  return "cut";
}

std::vector<unsigned> shown_pits(const Board& board, const Line& line) {
  const Board other = board.after(board.position);
  std::vector<unsigned> pits;
  for (std::size_t ply = 0; ply < line.slots.size(); ++ply) {
    pits.push_back((ply % 2 == 0 ? board : other).shown_pit(line.slots[ply]));
  }
  return pits;
}

Line perfect_line(const MoveGenerator& generator, const ValueSource& source, const Position& position,
                  Shape shape, unsigned max_plies, std::uint64_t max_nodes) {
  LineFinder finder(generator, source, max_nodes);
  Line line;
  Position here = position;
  Shape side = shape;
  std::vector<Position> since_exit = {here};  // positions of this level, for repetitions at value 0
  bool distances_known = false;
  while (true) {
    const std::vector<Step> steps = finder.keeping_moves(here, side);
    if (steps.empty()) return line;
    if (line.slots.size() == max_plies) break;
    const int value = evaluate(generator, source, here, side).value;
    const Step* best = &steps.front();
    if (value != 0) {
      if (!distances_known && !finder.find_distances(here, side, value > 0)) break;
      distances_known = true;
      const auto plies = [&](const Step& step) { return step.quiet ? finder.distance(step.child, value < 0) : 0; };
      for (const Step& step : steps) {
        if (value > 0 ? plies(step) < plies(*best) : plies(step) > plies(*best)) best = &step;
      }
    }
    line.slots.push_back(best->slot);
    MoveList list;
    generator.generate(here, side, list);
    if (((list.endless >> best->slot) & 1U) != 0) return line;
    here = best->child;
    side = side.swapped();
    if (!best->quiet) {
      since_exit.clear();
      distances_known = false;
    } else {
      // The same player is to move after every second ply.
      for (std::size_t back = 2; value == 0 && back <= since_exit.size(); back += 2) {
        if (since_exit[since_exit.size() - back] != here) continue;
        line.end = Line::End::kRepetition;
        return line;
      }
    }
    since_exit.push_back(here);
  }
  line.end = Line::End::kCut;
  return line;
}

void Histogram::add(int value, std::uint64_t count) {
  if (count == 0) return;
  counts[value] += count;
  positions += count;
  (value > 0 ? wins : value < 0 ? losses : draws) += count;
}

}  // namespace retrosow
