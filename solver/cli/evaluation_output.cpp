#include "solver/cli/evaluation_output.h"

#include <algorithm>

#include "solver/cli/board_drawing.h"
#include "solver/cli/numbers.h"
#include "solver/cli/text_table.h"
#include "solver/played_game.h"

namespace retrosow::cli {
namespace {

constexpr unsigned kMaxCaptured = 1'000'000;

// Twice the seeds that each side holds in the end, so that half seeds stay whole numbers.
struct DoubledFinal {
  int mover = 0;
  int opponent = 0;
};

DoubledFinal doubled_final(const Board& board, int value, const Captured& captured) {
  const int seeds = static_cast<int>(total_seeds(board.position));
  return {2 * static_cast<int>(captured.mover) + seeds + value,
          2 * static_cast<int>(captured.opponent) + seeds - value};
}

// 37 -> 18.5, 36 -> 18
Json half_of(int doubled) {
  if (doubled % 2 == 0) return doubled / 2;
  return doubled / 2.0;
}

}  // namespace

std::vector<unsigned> best_pits(const Board& board, int value, const Evaluation& moves) {
  std::vector<unsigned> best;
  for (const MoveValue& move : moves.moves) {
    if (move.value == value) best.push_back(board.shown_pit(move.slot));
  }
  return best;
}

std::string joined(const std::vector<unsigned>& numbers) {
  std::string text;
  for (const unsigned number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::vector<unsigned> progress_pits(const Board& board, int value, const Evaluation& moves,
                                    const PlyDistances& plies) {
  std::vector<unsigned> pits;
  for (const std::size_t i : progress_moves(value, moves, plies)) {
    pits.push_back(board.shown_pit(moves.moves[i].slot));
  }
  return pits;
}

Json distance_json(std::uint16_t distance) {
  return distance == kNoDistance ? Json(nullptr) : Json(distance);
}

std::string distance_text(std::uint16_t distance) {
  if (distance == kNoDistance) return "none at value 0";
  if (distance == 0) return "0 plies, the game is over";
  return std::to_string(distance) + (distance == 1 ? " ply" : " plies") +
         " to the next capture or the end";
}

Json guarantee_json(Guarantee guarantee, unsigned seeds) {
  return {{"mover", guarantee.mover},
          {"opponent", guarantee.opponent},
          {"forced", value_forced(guarantee, seeds)},
          {"outcome_forced", outcome_forced(guarantee, seeds)}};
}

std::string guarantee_text(Guarantee guarantee, unsigned seeds, std::string_view unit) {
  std::string text = std::to_string(guarantee.mover) + " of " + std::to_string(seeds) + " " +
                     std::string(unit) + ", the opponent " + std::to_string(guarantee.opponent) + ": ";
  if (value_forced(guarantee, seeds)) return text + "the value is forced anyway";
  text += "the value rests on the even split of endless play";
  if (!outcome_forced(guarantee, seeds)) return text;
  return text + ", the " + (2U * guarantee.mover > seeds ? "win" : "loss") + " is forced anyway";
}

OptionSpec captured_option() {
  return {"captured", "A,B",
          "What the player to move and his opponent have taken already; adds the final count and, "
          "in the "
          "Urim family, the match points."};
}

std::optional<Captured> read_captured(const Arguments& arguments, const RuleChoice& choice) {
  const std::string* text = arguments.find("captured");
  if (text != nullptr && choice.record) {
    throw usage_error("--captured and --record are both given; the record says what has been captured");
  }
  if (choice.record) return Captured{choice.record->captured_mover, choice.record->captured_opponent};
  if (text == nullptr) return std::nullopt;
  const std::size_t comma = text->find(',');
  if (comma == std::string::npos) {
    throw usage_error("option --captured: '" + *text + "' is not two whole numbers such as 12,7");
  }
  const std::string_view view = *text;
  return Captured{static_cast<unsigned>(
                      parse_count("option --captured", view.substr(0, comma), 0, kMaxCaptured)),
                  static_cast<unsigned>(
                      parse_count("option --captured", view.substr(comma + 1), 0, kMaxCaptured))};
}

std::string_view outcome_name(int value) { return value > 0 ? "win" : value < 0 ? "loss" : "draw"; }

Json position_record(const RuleChoice& choice, const Board& board) {
  return {{"game", game_name(choice.rules.game)},
          {"rules", choice.canonical},
          {"position", format_board(board)}};
}

void add_evaluation(Json& record, const Board& board, int value, const Evaluation* moves,
                    const PlyDistances* plies, const MoveGuarantees* sure) {
  record["value"] = value;
  record["outcome"] = outcome_name(value);
  if (plies != nullptr) record["distance"] = distance_json(plies->position);
  const unsigned seeds = total_seeds(board.position);
  if (sure != nullptr) record["guarantee"] = guarantee_json(sure->position, seeds);
  if (moves == nullptr) return;
  Json list = Json::array();
  for (std::size_t i = 0; i < moves->moves.size(); ++i) {
    const MoveValue& move = moves->moves[i];
    Json entry = {{"pit", board.shown_pit(move.slot)}, {"value", move.value}};
    if (plies != nullptr) entry["distance"] = distance_json(plies->moves[i]);
    if (sure != nullptr) entry["guarantee"] = guarantee_json(sure->moves[i], seeds);
    list.push_back(std::move(entry));
  }
  record["moves"] = std::move(list);
  record["best"] = best_pits(board, value, *moves);
  if (plies != nullptr) record["progress"] = progress_pits(board, value, *moves, *plies);
}

void add_final(Json& record, const RuleChoice& choice, const Board& board, int value,
               const Captured& captured) {
  const DoubledFinal final = doubled_final(board, value, captured);
  record["final"] = {{"mover", half_of(final.mover)}, {"opponent", half_of(final.opponent)}};
  if (family_of(choice.rules.game) != Family::kUrim) return;
  const auto mover = static_cast<unsigned>(final.mover), opponent = static_cast<unsigned>(final.opponent);
  record["match_points"] = {{"mover", match_points(mover, mover + opponent)},
                            {"opponent", match_points(opponent, mover + opponent)}};
}

std::string final_text(const RuleChoice& choice, const Board& board, int value,
                       const Captured& captured) {
  Json record;
  add_final(record, choice, board, value, captured);
  const auto pair = [](const Json& both) {
    return both["mover"].dump() + " : " + both["opponent"].dump();
  };
  std::string text =
      "final    " + pair(record["final"]) + " " + std::string(unit_of(choice.rules)) + "\n";
  if (record.contains("match_points")) text += "points   " + pair(record["match_points"]) + "\n";
  return text;
}

std::string evaluation_text(const RuleChoice& choice, const Board& board, int value,
                            const Evaluation* moves, const std::optional<Captured>& captured,
                            const PlyDistances* plies, const MoveGuarantees* sure) {
  std::string text = draw_board(choice.rules, board) + "\n";
  const std::string unit(unit_of(choice.rules));
  text += "value    " + with_sign(value) + " " + unit + " for the player to move\n";
  text += "outcome  " + std::string(outcome_name(value)) + "\n";
  if (plies != nullptr) text += "distance " + distance_text(plies->position) + "\n";
  if (sure != nullptr) {
    text += "sure     " + guarantee_text(sure->position, total_seeds(board.position), unit) + "\n";
  }
  if (captured) text += final_text(choice, board, value, *captured);
  if (moves == nullptr) return text;
  if (moves->moves.empty()) return text + "best     none, the game is over\n";
  text += "best     " + joined(best_pits(board, value, *moves)) + "\n";
  std::vector<std::size_t> progress;
  if (plies != nullptr) {
    progress = progress_moves(value, *moves, *plies);
    text += "progress " + joined(progress_pits(board, value, *moves, *plies)) + "\n";
  }
  text += "\n";
  TextTable table;
  table.add_column("pit", TextTable::Align::kRight);
  table.add_column("value", TextTable::Align::kRight);
  if (plies != nullptr) table.add_column("plies", TextTable::Align::kRight);
  if (sure != nullptr) table.add_column("sure", TextTable::Align::kRight);
  table.add_column("", TextTable::Align::kLeft);
  for (std::size_t i = 0; i < moves->moves.size(); ++i) {
    const MoveValue& move = moves->moves[i];
    std::vector<std::string> cells = {std::to_string(board.shown_pit(move.slot)),
                                      with_sign(move.value)};
    std::string mark = move.value == value ? "best" : "";
    if (plies != nullptr) {
      cells.push_back(plies->moves[i] == kNoDistance ? "-" : std::to_string(plies->moves[i]));
      if (value != 0 && std::find(progress.begin(), progress.end(), i) != progress.end()) {
        mark += ", makes progress";
      }
    }
    if (sure != nullptr) {
      cells.push_back(std::to_string(sure->moves[i].mover) + " : " + std::to_string(sure->moves[i].opponent));
    }
    cells.push_back(std::move(mark));
    table.add_row(std::move(cells));
  }
  return text + table.text();
}

std::string evaluation_line(const Board& board, int value, const Evaluation* moves,
                            const PlyDistances* plies, const MoveGuarantees* sure) {
  std::string text =
      format_board(board) + "  value " + with_sign(value) + "  " + std::string(outcome_name(value));
  if (plies != nullptr) {
    text += "  distance ";
    text += plies->position == kNoDistance
                ? "none"
                : std::to_string(plies->position) + (plies->position == 1 ? " ply" : " plies");
  }
  if (sure != nullptr) {
    text += "  sure " + std::to_string(sure->position.mover) + " : " + std::to_string(sure->position.opponent);
    if (value_forced(sure->position, total_seeds(board.position))) text += " forced";
  }
  if (moves != nullptr) {
    const std::string best = joined(best_pits(board, value, *moves));
    text += "  best " + (best.empty() ? "none" : best);
    if (plies != nullptr && !best.empty()) {
      text += "  progress " + joined(progress_pits(board, value, *moves, *plies));
    }
  }
  return text + "\n";
}

}  // namespace retrosow::cli
