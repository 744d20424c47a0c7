#include "solver/cli/board_drawing.h"

#include <algorithm>
#include <vector>

namespace retrosow::cli {
namespace {

std::string centred(const std::string& text, std::size_t width) {
  const std::size_t left = (width - text.size() + 1) / 2;
  return std::string(left, ' ') + text + std::string(width - text.size() - left, ' ');
}

// The cells of one row in sowing order; `first` is the index of its first open pit.
std::vector<std::string> cells_of(const Board& board, unsigned closed, unsigned first) {
  std::vector<std::string> cells;
  for (unsigned pit = 0; pit < board.pits; ++pit) {
    if (((closed >> pit) & 1U) != 0) {
      cells.emplace_back("x");
    } else {
      cells.push_back(std::to_string(seeds_in(board.position, board.shape(), first++)));
    }
  }
  return cells;
}

}  // namespace

std::string draw_board(const RuleSet& rules, const Board& board) {
  const bool clockwise =
      family_of(rules.game) == Family::kRioKadalis && rules.direction == Direction::kCw;
  const Shape shape = board.shape();
  std::vector<std::string> mover = cells_of(board, board.mover_closed, 0);
  std::vector<std::string> opponent = cells_of(board, board.opponent_closed, shape.mover_pits);
  std::vector<std::string> mover_numbers, opponent_numbers;
  for (unsigned pit = 1; pit <= board.pits; ++pit) {
    mover_numbers.push_back(std::to_string(pit));
    opponent_numbers.push_back(std::to_string(pit));
  }
  // Sowing runs counter-clockwise: the lower row to the right, the upper one to the left.
  std::reverse(opponent.begin(), opponent.end());
  std::reverse(opponent_numbers.begin(), opponent_numbers.end());
  if (clockwise) {
    for (auto* row : {&mover, &opponent, &mover_numbers, &opponent_numbers}) {
      std::reverse(row->begin(), row->end());
    }
  }

  constexpr std::size_t kWidth = 3;
  const std::string indent = "  ";
  const auto numbers = [&](const std::vector<std::string>& row) {
    std::string line = indent + " ";
    for (const std::string& cell : row) line += centred(cell, kWidth) + " ";
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  const auto pits = [&](const std::vector<std::string>& row, const char* who, unsigned seeds) {
    std::string line = indent + "|";
    for (const std::string& cell : row) line += centred(cell, kWidth) + "|";
    return line + "  " + who + ", " + std::to_string(seeds) + "\n";
  };
  std::string rule = indent + "+";
  for (unsigned pit = 0; pit < board.pits; ++pit) rule += std::string(kWidth, '-') + "+";
  rule += "\n";

  return numbers(opponent_numbers) + rule +
         pits(opponent, "opponent", opponent_seeds(board.position, shape)) + rule +
         pits(mover, "to move", mover_seeds(board.position, shape)) + rule + numbers(mover_numbers);
}

}  // namespace retrosow::cli
