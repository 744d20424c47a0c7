// `retrosow line`: a line of perfect play from table files.

#include "solver/cli/batch.h"
#include "solver/cli/board_drawing.h"
#include "solver/cli/numbers.h"
#include "solver/cli/played_line.h"
#include "solver/cli/record_file.h"
#include "solver/cli/table_probe.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

constexpr unsigned kDefaultMaxPlies = 10'000;
constexpr unsigned kMaxMaxPlies = 10'000'000;

class LineAnswer {
 public:
  LineAnswer(const Arguments& arguments, const RuleChoice& choice)
      : choice_(&choice),
        captured_(read_captured(arguments, choice)),
        max_plies_(read_max_plies(arguments)),
        tables_(arguments, choice) {}

  Reply operator()(const Board& board, Form form) {
    const PlayedLine line = play_line(tables_, board, captured(), max_plies_);
    Reply reply;
    switch (form) {
      case Form::kJson: reply.record = line_record(*choice_, board, line, captured_); break;
      case Form::kText: reply.text = text(board, line); break;
      case Form::kLine: reply.text = short_text(board, line); break;
    }
    return reply;
  }

 private:
  static std::size_t read_max_plies(const Arguments& arguments) {
    const std::string* plies = arguments.find("max-plies");
    if (plies == nullptr) return kDefaultMaxPlies;
    return static_cast<std::size_t>(parse_count("option --max-plies", *plies, 0, kMaxMaxPlies));
  }

  Captured captured() const { return captured_.value_or(Captured{}); }

  std::string end_text(const PlayedLine& line) const {
    const std::string after = "after " + counted_plies(line.plies.size());
    const std::string unit(unit_of(choice_->rules));
    switch (line.end) {
      case LineEnd::kGameOver: {
        const bool movers = line.plies.size() % 2 == 0;
        return "the game is over " + after + " at " + format_board(line.last) +
               "; what is left: " + std::to_string(movers ? line.rest.mover : line.rest.opponent) +
               " : " + std::to_string(movers ? line.rest.opponent : line.rest.mover) + " " + unit;
      }
      case LineEnd::kEndlessSow:
        return "a sow without end " + after + "; what is on the board is split evenly";
      case LineEnd::kRepetition:
        return format_board(line.last) + " repeats " + after + ", it stood there after " +
               counted_plies(line.first_ply) + "; what is on the board is split evenly";
      case LineEnd::kMaxPlies: return "cut at --max-plies " + after;
      case LineEnd::kCut: return "cut " + after;
    }
    return "";
  }

  static std::string counted_plies(std::size_t plies) {
    return plies == 1 ? "1 ply" : grouped(plies) + " plies";
  }

  std::string text(const Board& board, const PlayedLine& line) const {
    PlyDistances plies;
    plies.position = line.distance;
    std::string text = evaluation_text(*choice_, board, line.value, nullptr, captured_, &plies);
    if (!captured_) text += final_line(board, line);
    text += "\n";
    if (!line.plies.empty()) {
      using enum TextTable::Align;
      TextTable table;
      for (const char* column :
           {"ply", "player", "pit", "captured", "score", "value", "plies to go"}) {
        table.add_column(column, std::string_view(column) == "player" ? kLeft : kRight);
      }
      table.add_column("position", kLeft);
      for (std::size_t i = 0; i < line.plies.size(); ++i) {
        const LinePly& ply = line.plies[i];
        table.add_row({std::to_string(i + 1), i % 2 == 0 ? "to move" : "opponent",
                       std::to_string(ply.pit), taken_text(ply),
                       std::to_string(ply.score.mover) + " : " + std::to_string(ply.score.opponent),
                       with_sign(ply.value),
                       ply.distance == kNoDistance ? "-" : std::to_string(ply.distance),
                       format_board(ply.board)});
      }
      text += table.text() + "\n";
    }
    return text + "end      " + end_text(line) + "\n";
  }

  // Without match points, which mean little where it is not said what was captured before.
  std::string final_line(const Board& board, const PlayedLine& line) const {
    const std::string text = final_text(*choice_, board, line.value, {});
    return text.substr(0, text.find('\n') + 1);
  }

  // "3", or "3, 4 to the other"
  static std::string taken_text(const LinePly& ply) {
    std::string text = std::to_string(ply.captured);
    if (ply.captured_opponent != 0) {
      text += ", " + std::to_string(ply.captured_opponent) + " to the other";
    }
    return text;
  }

  std::string short_text(const Board& board, const PlayedLine& line) const {
    PlyDistances plies;
    plies.position = line.distance;
    std::string text = evaluation_line(board, line.value, nullptr, &plies);
    text.pop_back();
    std::vector<unsigned> pits;
    for (const LinePly& ply : line.plies) pits.push_back(ply.pit);
    return text + "  line " + (pits.empty() ? "none" : joined(pits)) + "  " + line_end_name(line.end) +
           "\n";
  }

  const RuleChoice* choice_;
  std::optional<Captured> captured_;
  std::size_t max_plies_;
  TableProbe tables_;
};

std::vector<OptionGroup> line_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.insert(
      groups.begin(),
      {"Line",
       {{"tables", "DIR", "Folder with table files, distances included. Needed."},
        {"captured", "A,B",
         "What the player to move and his opponent have taken already: where the score starts. "
         "Default 0,0."},
        {"max-plies", "N",
         "Plies of the line at most. Default " + std::to_string(kDefaultMaxPlies) + "."}}});
  groups.push_back(record_option_group());
  return groups;
}

int run_line(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  LineAnswer answer(arguments, choice);
  return answer_positions(arguments, choice, std::ref(answer));
}

}  // namespace

extern const Verb kLineVerb;
const Verb kLineVerb = {
    .name = "line",
    .synopsis = "--tables DIR POS [options]",
    .summary = "a line of perfect play from tables, with running score",
    .description =
        "Plays both sides from POS without a mistake, with values and distances from the table "
        "files in DIR:\n"
        "the winner takes the best move of least distance to the next capture or the end, the "
        "loser that of\n"
        "greatest, and at value 0 the first move that keeps it; of equal moves the lowest pit. The "
        "line goes\n"
        "on until the game is over or, at value 0, to the first position that repeats: play is "
        "endless then,\n"
        "and what is on the board is split evenly.\n"
        "Value and distance of a ply are those of the position before it, for the player whose ply "
        "it is; the\n"
        "score is that after it, the player to move in POS first.\n"
        "POS is a1,..,ak/b1,..,bk, first the row of the player to move, each row in its own sowing "
        "order\n"
        "(x: a closed hole), or `start`, or `-` to read one position per line from standard input.",
    .example =
        "retrosow line --tables tables-urim 1,0,2,0,0,1/0,3,0,0,1,0 --captured 14,15\n"
        "retrosow line --tables tables-awari start --game awari --seeds-per-pit 1 --json",
    .position = PositionArgument::kRequired,
    .options = line_options,
    .run = run_line};

}  // namespace retrosow::cli
