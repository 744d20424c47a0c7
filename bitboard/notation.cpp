#include "bitboard/notation.h"

#include <bit>
#include <charconv>
#include <vector>

#include "bitboard/error.h"

namespace retrosow {
namespace {

constexpr int kClosed = -1;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

Error bad_position(std::string_view text, const std::string& reason) {
  return usage_error("position " + quoted(text) + ": " + reason);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Splits a row at commas; spaces stand for commas, and spaces around a comma are no fields of their own.
std::vector<std::string_view> split_row(std::string_view row) {
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  const auto skip_spaces = [&] {
    while (at < row.size() && row[at] == ' ') ++at;
  };
  skip_spaces();
  while (true) {
    const std::size_t begin = at;
    while (at < row.size() && row[at] != ',' && row[at] != ' ') ++at;
    fields.push_back(row.substr(begin, at - begin));
    skip_spaces();
    if (at < row.size() && row[at] == ',') {
      ++at;
      skip_spaces();
    } else if (at == row.size()) {
      return fields;
    }
  }
}

std::vector<int> parse_row(const RuleSet& rules, std::string_view text, std::string_view row,
                           const char* whose) {
  std::vector<int> counts;
  for (const std::string_view field : split_row(row)) {
    const std::string where = "pit " + std::to_string(counts.size() + 1) + " of " + whose + " row";
    if (field == "x" || field == "X") {
      if (family_of(rules.game) != Family::kRioKadalis) {
        throw bad_position(text, where + " is closed (x), which only rio-kadalis knows");
      }
      counts.push_back(kClosed);
      continue;
    }
    unsigned count = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), count);
    if (field.empty()) throw bad_position(text, where + " is missing");
    if (error == std::errc::result_out_of_range || (error == std::errc{} && count > kMaxBoardSeeds)) {
      throw bad_position(text, where + " holds " + quoted(field) + ", more than " +
                                   std::to_string(kMaxBoardSeeds));
    }
    if (error != std::errc{} || end != field.data() + field.size()) {
      throw bad_position(text, where + ": " + quoted(field) + " is not a number of seeds");
    }
    counts.push_back(static_cast<int>(count));
  }
  return counts;
}

std::string count_text(std::size_t pits) { return std::to_string(pits) + (pits == 1 ? " pit" : " pits"); }

}  // namespace

Shape Board::shape() const {
  return {static_cast<std::uint8_t>(pits - static_cast<unsigned>(std::popcount(mover_closed))),
          static_cast<std::uint8_t>(pits - static_cast<unsigned>(std::popcount(opponent_closed)))};
}

unsigned Board::shown_pit(unsigned open_index) const {
  for (unsigned pit = 0; pit < pits; ++pit) {
    if (((mover_closed >> pit) & 1U) != 0) continue;
    if (open_index == 0) return pit + 1;
    --open_index;
  }
  return 0;
}

Board Board::after(const Position& result) const { return {pits, opponent_closed, mover_closed, result}; }

Board parse_board(const RuleSet& rules, std::string_view text, unsigned pits, unsigned seeds_per_pit) {
  const std::string_view trimmed = trim(text);
  if (trimmed == "start") return start_board(rules, pits == 0 ? kDefaultPits : pits, seeds_per_pit);
  const std::size_t slash = trimmed.find('/');
  if (trimmed.empty() || slash == std::string_view::npos ||
      trimmed.find('/', slash + 1) != std::string_view::npos) {
    throw bad_position(text, "two rows separated by one '/' are needed, such as 3,3/3,3, or 'start'");
  }
  const std::vector<int> mover = parse_row(rules, text, trimmed.substr(0, slash), "the mover's");
  const std::vector<int> opponent = parse_row(rules, text, trimmed.substr(slash + 1), "the opponent's");
  if (mover.size() != opponent.size()) {
    throw bad_position(text, "the rows differ: " + count_text(mover.size()) + " and " +
                                 count_text(opponent.size()));
  }
  if (mover.size() > kMaxPits) {
    throw bad_position(text, count_text(mover.size()) + " in a row; at most " + std::to_string(kMaxPits));
  }
  if (pits != 0 && pits != mover.size()) {
    throw bad_position(text, count_text(mover.size()) + " in a row, but --pits says " + std::to_string(pits));
  }

  Board board;
  board.pits = static_cast<unsigned>(mover.size());
  for (unsigned i = 0; i < board.pits; ++i) {
    if (mover[i] == kClosed) board.mover_closed = static_cast<std::uint8_t>(board.mover_closed | (1U << i));
    if (opponent[i] == kClosed) {
      board.opponent_closed = static_cast<std::uint8_t>(board.opponent_closed | (1U << i));
    }
  }
  const Shape shape = board.shape();
  unsigned open = 0;
  for (const auto* row : {&mover, &opponent}) {
    for (const int count : *row) {
      if (count != kClosed) set_seeds(board.position, shape, open++, static_cast<unsigned>(count));
    }
  }
  validate_position(rules, board.position, shape);
  return board;
}

Board start_board(const RuleSet& rules, unsigned pits, unsigned seeds_per_pit) {
  if (pits < 1 || pits > kMaxPits) {
    throw usage_error("start position: " + std::to_string(pits) + " pits; 1 to " + std::to_string(kMaxPits) +
                      " are possible");
  }
  if (seeds_per_pit > kMaxBoardSeeds) {
    throw limit_error("start position: " + std::to_string(seeds_per_pit) + " seeds in a pit; at most " +
                      std::to_string(kMaxBoardSeeds));
  }
  Board board;
  board.pits = pits;
  for (unsigned i = 0; i < 2 * pits; ++i) set_seeds(board.position, board.shape(), i, seeds_per_pit);
  validate_position(rules, board.position, board.shape());
  return board;
}

std::string format_board(const Board& board) {
  const Shape shape = board.shape();
  std::string text;
  unsigned open = 0;
  for (const std::uint8_t closed : {board.mover_closed, board.opponent_closed}) {
    if (!text.empty()) text += '/';
    for (unsigned pit = 0; pit < board.pits; ++pit) {
      if (pit != 0) text += ',';
      const bool is_closed = ((closed >> pit) & 1U) != 0;
      text += is_closed ? "x" : std::to_string(seeds_in(board.position, shape, open++));
    }
  }
  return text;
}

std::string format_position(const Position& position, Shape shape) {
  std::string text;
  for (unsigned i = 0; i < shape.pits(); ++i) {
    if (i == shape.mover_pits) text += '/';
    if (i != 0 && i != shape.mover_pits) text += ',';
    text += std::to_string(seeds_in(position, shape, i));
  }
  if (shape.opponent_pits == 0) text += '/';
  return text;
}

void validate_position(const RuleSet& rules, const Position& position, Shape shape) {
  const bool limited = family_of(rules.game) == Family::kUrim && rules.pit_limit != 0;
  for (unsigned i = 0; limited && i < shape.pits(); ++i) {
    const unsigned seeds = seeds_in(position, shape, i);
    if (seeds <= rules.pit_limit) continue;
    const bool mine = i < shape.mover_pits;
    throw usage_error("pit " + std::to_string((mine ? i : i - shape.mover_pits) + 1) + " of the " +
                      (mine ? "mover's" : "opponent's") + " row holds " + std::to_string(seeds) +
                      " seeds, more than the pit limit " + std::to_string(rules.pit_limit));
  }
  if (!limited && total_seeds(position) > kMaxBoardSeeds) {
    throw limit_error(std::to_string(total_seeds(position)) + " seeds on the board; without a pit limit at most " +
                      std::to_string(kMaxBoardSeeds) + " are handled");
  }
}

unsigned parse_number(std::string_view what, std::string_view text, unsigned lo, unsigned hi) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < lo || value > hi) {
    throw usage_error(std::string(what) + ": " + quoted(text) + " is not a whole number from " +
                      std::to_string(lo) + " to " + std::to_string(hi));
  }
  return value;
}

}  // namespace retrosow
