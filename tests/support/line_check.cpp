#include "tests/support/line_check.h"

#include <algorithm>
#include <utility>

#include "bitboard/notation.h"
#include "tests/support/boards.h"

namespace retrosow::test {

reference::Solved UrimOracle::solved(const Position& position, Shape shape) const {
  return solution_->at(board_of(position, shape));
}

std::vector<KnownMove> UrimOracle::moves(const Position& position, Shape shape) const {
  const std::vector<int> board = board_of(position, shape);
  const std::vector<reference::MoveValue> values = solution_->move_values(board);
  std::vector<KnownMove> known;
  for (const reference::UrimMove& move : reference::legal_moves(solution_->rules(), board)) {
    known.push_back({static_cast<unsigned>(move.pit - 1), values[known.size()].value, move.captured,
                     move.captured > 0, false, position_of(move.result, shape.swapped())});
  }
  return known;
}

int UrimOracle::end_value(const Position& position, Shape shape) const {
  const auto [mover, opponent] =
      reference::end_result(solution_->rules(), board_of(position, shape));
  return mover - opponent;
}

reference::Solved RioOracle::solved(const Position& position, Shape shape) const {
  return solution_->at(rio_position_of(board_of(position, shape), shape));
}

std::vector<KnownMove> RioOracle::moves(const Position& position, Shape shape) const {
  const reference::RioPosition there = rio_position_of(board_of(position, shape), shape);
  const std::vector<reference::MoveValue> values = solution_->move_values(there);
  std::vector<KnownMove> known;
  for (const reference::RioMove& move : reference::legal_moves(solution_->rules(), there)) {
    const bool endless = move.ends == reference::RioEnd::kEndless;
    known.push_back({static_cast<unsigned>(move.hole - 1), values[known.size()].value,
                     move.captured - move.captured_opponent,
                     move.captured + move.captured_opponent > 0, endless,
                     endless ? Position{} : position_of(move.result)});
  }
  return known;
}

int RioOracle::end_value(const Position& position, Shape shape) const {
  const auto [mover, opponent] =
      reference::end_result(rio_position_of(board_of(position, shape), shape));
  return mover - opponent;
}

std::string evaluation_fault(const Oracle& oracle, const Position& position, Shape shape,
                             const Evaluation& evaluation) {
  const std::string at = format_position(position, shape) + ": ";
  const int value = oracle.solved(position, shape).value;
  if (evaluation.value != value) {
    return at + "value " + std::to_string(evaluation.value) + ", not " + std::to_string(value);
  }
  const std::vector<KnownMove> moves = oracle.moves(position, shape);
  if (evaluation.moves.size() != moves.size()) return at + "another number of moves";
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (evaluation.moves[i].slot != moves[i].slot) return at + "other moves";
    if (evaluation.moves[i].value != moves[i].value) {
      return at + "move " + std::to_string(moves[i].slot + 1) + " is worth " +
             std::to_string(evaluation.moves[i].value) + ", not " + std::to_string(moves[i].value);
    }
  }
  return "";
}

std::string line_fault(const Oracle& oracle, const Position& position, Shape shape,
                       const Line& line) {
  const std::string at = format_position(position, shape) + ": ";
  if (line.end == Line::End::kCut) return at + "the line is cut";
  Position here = position;
  Shape side = shape;
  int total = 0;  // for the player to move at the root
  int sign = 1;
  bool left_the_game = false;
  std::vector<std::pair<Position, Shape>> visited = {{here, side}};
  reference::Solved segment = oracle.solved(here, side);  // since the last exit
  int plies = 0;

  for (std::size_t ply = 0; ply < line.slots.size(); ++ply) {
    const std::string step = at + "ply " + std::to_string(ply + 1) + ": ";
    if (left_the_game) return step + "behind an endless sow";
    const std::vector<KnownMove> moves = oracle.moves(here, side);
    const auto move = std::find_if(moves.begin(), moves.end(), [&](const KnownMove& known) {
      return known.slot == line.slots[ply];
    });
    if (move == moves.end()) return step + "not a legal move";
    if (move->value != oracle.solved(here, side).value) return step + "the move loses value";
    ++plies;
    total += sign * move->gain;
    sign = -sign;
    left_the_game = move->endless;
    const bool over = left_the_game || oracle.moves(move->result, side.swapped()).empty();
    if (move->captures || over) {
      if (segment.value != 0 && plies != segment.distance) {
        return step + "the exit comes after " + std::to_string(plies) + " plies, not " +
               std::to_string(segment.distance);
      }
      plies = 0;
    }
    if (left_the_game) continue;
    here = move->result;
    side = side.swapped();
    if (plies == 0) segment = oracle.solved(here, side);
    visited.emplace_back(here, side);
  }

  const bool over = left_the_game || oracle.moves(here, side).empty();
  if (over && !left_the_game) {
    if (line.slots.empty() && segment.value != 0 && segment.distance != 0) return at + "no exit";
    total += sign * oracle.end_value(here, side);
  }
  if (over != (line.end == Line::End::kGameOver)) return at + "another end";
  if (!over) {
    if (segment.value != 0) return at + "a line with a value repeats";
    if (std::count(visited.begin(), visited.end(), visited.back()) < 2) {
      return at + "no position repeats";
    }
  }
  const int value = oracle.solved(position, shape).value;
  if (total != value) {
    return at + "the line wins " + std::to_string(total) + ", not " + std::to_string(value);
  }
  return "";
}

}  // namespace retrosow::test
