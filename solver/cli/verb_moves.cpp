// `retrosow moves`: the legal moves of a position and what each does.

#include "solver/cli/batch.h"
#include "solver/cli/board_drawing.h"
#include "solver/cli/evaluation_output.h"
#include "solver/cli/generators.h"
#include "solver/cli/record_file.h"
#include "solver/cli/records.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

// The board after a move, or nothing after an endless sow, which has no result.
std::string result_of(const Board& board, const MoveList& list, unsigned slot) {
  return has_bit(list.endless, slot) ? std::string() : format_board(board.after(list.result[slot]));
}

class MovesAnswer {
 public:
  explicit MovesAnswer(const RuleChoice& choice)
      : choice_(&choice), family_(family_of(choice.rules.game)), generators_(choice.rules) {}

  Reply operator()(const Board& board, Form form) {
    const MoveGenerator& generator = generators_.of(board.shape());
    MoveList list;
    generator.generate(board.position, board.shape(), list);
    std::optional<EndResult> end;
    if (list.legal == 0) end = generator.end(board.position, board.shape());
    Reply reply;
    switch (form) {
      case Form::kJson: reply.record = record(board, list, end); break;
      case Form::kText: reply.text = text(board, list, end); break;
      case Form::kLine: reply.text = line(board, list, end); break;
    }
    return reply;
  }

 private:
  bool relay() const { return family_ == Family::kRioKadalis; }

  Json record(const Board& board, const MoveList& list, const std::optional<EndResult>& end) const {
    Json record = position_record(*choice_, board);
    record["moves"] = moves_json(family_, board, list);
    record["end"] = end_json(end);
    return record;
  }

  std::string end_text(const EndResult& end) const {
    return "no legal move: the " + std::string(relay() ? "round" : "game") +
           " is over, the player to move takes " + std::to_string(end.mover) + ", his opponent " +
           std::to_string(end.opponent);
  }

  std::string text(const Board& board, const MoveList& list,
                   const std::optional<EndResult>& end) const {
    const std::string drawing = draw_board(choice_->rules, board) + "\n";
    if (end) return drawing + end_text(*end) + "\n";
    using enum TextTable::Align;
    TextTable table;
    table.add_column("pit", kRight);
    table.add_column("captured", kRight);
    if (relay()) {
      table.add_column("by opponent", kRight);
      table.add_column("laps", kRight);
    }
    table.add_column("ends", kLeft);
    table.add_column("result", kLeft);
    for_each_move(list, [&](unsigned slot) {
      std::vector<std::string> row = {std::to_string(board.shown_pit(slot)),
                                      std::to_string(list.captured[slot])};
      if (relay()) {
        row.push_back(std::to_string(list.captured_opponent[slot]));
        row.push_back(std::to_string(list.laps[slot]));
      }
      row.emplace_back(end_of_move(family_, list, slot));
      const std::string result = result_of(board, list, slot);
      row.push_back(result.empty() ? "-" : result);
      table.add_row(std::move(row));
    });
    return drawing + table.text();
  }

  // "POSITION  1 RESULT  2 +3 RESULT  …": gains stand between pit and result.
  std::string line(const Board& board, const MoveList& list,
                   const std::optional<EndResult>& end) const {
    std::string text = format_board(board);
    if (end) return text + "  " + end_text(*end) + "\n";
    for_each_move(list, [&](unsigned slot) {
      text += "  " + std::to_string(board.shown_pit(slot));
      if (list.captured[slot] > 0) text += " +" + std::to_string(list.captured[slot]);
      if (list.captured_opponent[slot] > 0)
        text += " -" + std::to_string(list.captured_opponent[slot]);
      const std::string result = result_of(board, list, slot);
      text += " " + (result.empty() ? "endless" : result);
    });
    return text + "\n";
  }

  const RuleChoice* choice_;
  Family family_;
  Generators generators_;
};

std::vector<OptionGroup> moves_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.push_back(record_option_group());
  return groups;
}

int run_moves(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  MovesAnswer answer(choice);
  return answer_positions(arguments, choice, std::ref(answer));
}

}  // namespace

extern const Verb kMovesVerb;
const Verb kMovesVerb = {
    .name = "moves",
    .synopsis = "POS [options]",
    .summary = "legal moves of a position and what each does",
    .description =
        "Lists the legal moves of POS: pit, seeds captured, how the move ends, and the board after "
        "it, seen\n"
        "by the opponent, who is to move then. Where no move is legal it says what each side "
        "takes.\n"
        "POS is a1,..,ak/b1,..,bk, first the row of the player to move, each row in its own sowing "
        "order\n"
        "(x: a closed hole), or `start`, or `-` to read one position per line from standard input.",
    .example =
        "retrosow moves start\n"
        "retrosow moves 0,0,0,0,1,2/2,1,0,3,0,4 --json\n"
        "retrosow moves 4,x,4,4/4,4,4,x --game rio-kadalis",
    .position = PositionArgument::kRequired,
    .options = moves_options,
    .run = run_moves};

}  // namespace retrosow::cli
