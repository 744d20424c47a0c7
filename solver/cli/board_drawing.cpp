#include "solver/cli/board_drawing.h"

#include <algorithm>
#include <array>
#include <vector>

namespace retrosow::cli {
namespace {

constexpr std::size_t kWidth = 3;

struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;
};

// One player's pits, in the order in which they are drawn.
struct Row {
  std::vector<Cell> numbers, pits;
};

std::string centred(const Cell& cell, const Paint& paint) {
  const std::size_t left = (kWidth - cell.text.size() + 1) / 2;
  return std::string(left, ' ') + paint(cell.tone, cell.text) +
         std::string(kWidth - cell.text.size() - left, ' ');
}

// In sowing order; `first` is the index of the row's first open pit.
Row row_of(const Board& board, unsigned closed, unsigned first) {
  Row row;
  for (unsigned pit = 0; pit < board.pits; ++pit) {
    row.numbers.push_back({std::to_string(pit + 1)});
    if (((closed >> pit) & 1U) != 0) {
      row.pits.push_back({"x", Tone::kFaint});
    } else {
      const unsigned seeds = seeds_in(board.position, board.shape(), first++);
      row.pits.push_back({std::to_string(seeds), seeds == 0 ? Tone::kFaint : Tone::kPlain});
    }
  }
  return row;
}

std::array<Row, 2> rows_of(const Board& board) {
  return {row_of(board, board.mover_closed, 0),
          row_of(board, board.opponent_closed, board.shape().mover_pits)};
}

// Sowing runs counter-clockwise: the lower row to the right, the upper one to the left. Or the other way round.
void turn_rows(const RuleSet& rules, Row& below, Row& above) {
  const bool clockwise =
      family_of(rules.game) == Family::kRioKadalis && rules.direction == Direction::kCw;
  Row& row = clockwise ? below : above;
  std::reverse(row.numbers.begin(), row.numbers.end());
  std::reverse(row.pits.begin(), row.pits.end());
}

std::string numbers_text(const std::vector<Cell>& numbers, const Paint& paint) {
  std::string line = " ";
  for (const Cell& cell : numbers) line += centred(cell, paint) + " ";
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string pits_text(const std::vector<Cell>& pits, const Paint& paint) {
  std::string line = "|";
  for (const Cell& cell : pits) line += centred(cell, paint) + "|";
  return line;
}

std::string rule_text(unsigned pits) {
  std::string rule = "+";
  for (unsigned pit = 0; pit < pits; ++pit) rule += std::string(kWidth, '-') + "+";
  return rule;
}

std::string store_text(unsigned seeds) {
  const std::string number = std::to_string(seeds);
  return "(" + std::string(number.size() < 2 ? 1 : 0, ' ') + number + ")";
}

}  // namespace

std::string Paint::operator()(Tone tone, std::string_view text) const {
  if (!on_ || tone == Tone::kPlain) return std::string(text);
  const char* code = "";
  switch (tone) {
    case Tone::kPlain: break;
    case Tone::kFaint: code = "2"; break;
    case Tone::kStrong: code = "1"; break;
    case Tone::kChanged: code = "1;33"; break;
    case Tone::kPlayable: code = "1;36"; break;
    case Tone::kGood: code = "1;32"; break;
    case Tone::kBad: code = "31"; break;
  }
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string draw_board(const RuleSet& rules, const Board& board) {
  const Paint plain(false);
  auto [mover, opponent] = rows_of(board);
  turn_rows(rules, mover, opponent);
  const std::string indent = "  ", rule = indent + rule_text(board.pits) + "\n";
  const auto pits = [&](const Row& row, const char* who, unsigned seeds) {
    return indent + pits_text(row.pits, plain) + "  " + who + ", " + std::to_string(seeds) + "\n";
  };
  return indent + numbers_text(opponent.numbers, plain) + "\n" + rule +
         pits(opponent, "opponent", opponent_seeds(board.position, board.shape())) + rule +
         pits(mover, "to move", mover_seeds(board.position, board.shape())) + rule + indent +
         numbers_text(mover.numbers, plain) + "\n";
}

std::string draw_table(const RuleSet& rules, const Board& board, const TableView& view,
                       const Paint& paint) {
  auto [mover, opponent] = rows_of(board);
  for (unsigned pit = 0; pit < board.pits; ++pit) {
    const bool playable = ((view.playable >> pit) & 1U) != 0;
    mover.numbers[pit].tone = playable ? Tone::kPlayable : Tone::kFaint;
    opponent.numbers[pit].tone = Tone::kFaint;
  }
  if (view.before != nullptr) {
    const auto [movers, opponents] = rows_of(*view.before);
    for (unsigned pit = 0; pit < board.pits; ++pit) {
      if (mover.pits[pit].text != movers.pits[pit].text) mover.pits[pit].tone = Tone::kChanged;
      if (opponent.pits[pit].text != opponents.pits[pit].text)
        opponent.pits[pit].tone = Tone::kChanged;
    }
  }
  Row& below = view.mover_above ? opponent : mover;
  Row& above = view.mover_above ? mover : opponent;
  turn_rows(rules, below, above);
  const std::string left = paint(Tone::kStrong, store_text(view.store_above));
  const std::string right = paint(Tone::kStrong, store_text(view.store_below));
  const std::string left_gap(store_text(view.store_above).size(), ' ');
  const std::string right_gap(store_text(view.store_below).size(), ' ');
  const std::string margin = "  " + left_gap + " ", rule = margin + rule_text(board.pits) + "\n";
  return margin + numbers_text(above.numbers, paint) + "\n" + rule + "  " + left + " " +
         pits_text(above.pits, paint) + " " + right_gap + "  " + view.above + "\n" + rule + margin +
         pits_text(below.pits, paint) + " " + right + "  " + view.below + "\n" + rule + margin +
         numbers_text(below.numbers, paint) + "\n";
}

}  // namespace retrosow::cli
