// `retrosow line`: a line of perfect play from table files.

#include <unordered_map>

#include "solver/cli/batch.h"
#include "solver/cli/board_drawing.h"
#include "solver/cli/numbers.h"
#include "solver/cli/record_file.h"
#include "solver/cli/signals.h"
#include "solver/cli/table_probe.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

constexpr unsigned kDefaultMaxPlies = 10'000;
constexpr unsigned kMaxMaxPlies = 10'000'000;

// Seeds that the player to move at the start of the line and his opponent hold.
struct Score {
  unsigned mover = 0;
  unsigned opponent = 0;

  void add(bool movers_ply, unsigned own, unsigned other) {
    mover += movers_ply ? own : other;
    opponent += movers_ply ? other : own;
  }
};

struct Ply {
  Board board;  // before it
  unsigned pit = 0;
  unsigned captured = 0, captured_opponent = 0;
  Score score;    // after it
  int value = 0;  // for the player whose ply it is
  std::uint16_t distance = kNoDistance;
};

enum class End : unsigned char { kGameOver, kEndlessSow, kRepetition, kMaxPlies };

const char* end_name(End end) {
  switch (end) {
    case End::kGameOver: return "game-over";
    case End::kEndlessSow: return "endless-sow";
    case End::kRepetition: return "repetition";
    case End::kMaxPlies: return "max-plies";
  }
  return "";
}

struct PlayedLine {
  int value = 0;
  std::uint16_t distance = kNoDistance;
  std::vector<Ply> plies;
  End end = End::kGameOver;
  Board last;                 // where it ends
  std::size_t first_ply = 0;  // kRepetition: plies before `last` stood there first
  EndResult rest;             // kGameOver: what the player to move there and his opponent take
};

class LineAnswer {
 public:
  LineAnswer(const Arguments& arguments, const RuleChoice& choice)
      : choice_(&choice),
        captured_(read_captured(arguments, choice)),
        max_plies_(read_max_plies(arguments)),
        tables_(arguments, choice) {}

  Reply operator()(const Board& board, Form form) {
    const PlayedLine line = play(board);
    Reply reply;
    switch (form) {
      case Form::kJson: reply.record = record(board, line); break;
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

  PlayedLine play(const Board& board) {
    PlayedLine line;
    line.last = board;
    Score score{captured().mover, captured().opponent};
    // Since the last capture: plies made before a position stood, by the position and whose ply it is.
    std::unordered_map<std::string, std::size_t> stood;
    while (true) {
      check_interrupted();
      const Board& here = line.last;
      const Probed found = tables_.probe(here);
      if (found.distances == nullptr) throw tables_.missing_distances(here, found);
      if (line.plies.empty()) {
        line.value = found.value;
        line.distance = found.plies.position;
      }
      const Shape shape = here.shape();
      if (found.moves.moves.empty()) {
        line.end = End::kGameOver;
        line.rest = tables_.generator(shape).end(here.position, shape);
        return line;
      }
      if (line.plies.size() == max_plies_) {
        line.end = End::kMaxPlies;
        return line;
      }
      stood.emplace(key_of(here, line.plies.size()), line.plies.size());
      const std::size_t choice = progress_moves(found.value, found.moves, found.plies).front();
      const unsigned slot = found.moves.moves[choice].slot;
      MoveList list;
      tables_.generator(shape).generate(here.position, shape, list);
      Ply ply{here, here.shown_pit(slot), list.captured[slot], list.captured_opponent[slot],
              {},   found.value,          found.plies.position};
      score.add(line.plies.size() % 2 == 0, ply.captured, ply.captured_opponent);
      ply.score = score;
      line.plies.push_back(ply);
      if (((list.endless >> slot) & 1U) != 0) {
        line.end = End::kEndlessSow;
        return line;
      }
      line.last = ply.board.after(list.result[slot]);
      if (ply.captured + ply.captured_opponent != 0) {
        stood.clear();
        continue;
      }
      // While the value is not 0 every ply brings the distance down, so only play of value 0 repeats.
      if (const auto first = stood.find(key_of(line.last, line.plies.size()));
          first != stood.end()) {
        line.end = End::kRepetition;
        line.first_ply = first->second;
        return line;
      }
    }
  }

  static std::string key_of(const Board& board, std::size_t ply) {
    return format_board(board) + (ply % 2 == 0 ? "+" : "-");
  }

  Json record(const Board& board, const PlayedLine& line) const {
    Json record = position_record(*choice_, board);
    record["value"] = line.value;
    record["outcome"] = outcome_name(line.value);
    record["distance"] = distance_json(line.distance);
    Json plies = Json::array();
    for (const Ply& ply : line.plies) {
      plies.push_back({{"position", format_board(ply.board)},
                       {"pit", ply.pit},
                       {"captured", ply.captured},
                       {"captured_opponent", ply.captured_opponent},
                       {"score", {{"mover", ply.score.mover}, {"opponent", ply.score.opponent}}},
                       {"value", ply.value},
                       {"distance", distance_json(ply.distance)}});
    }
    record["line"] = std::move(plies);
    record["plies"] = line.plies.size();
    record["end"] = end_name(line.end);
    if (line.end != End::kEndlessSow) record["end_position"] = format_board(line.last);
    if (line.end == End::kRepetition) record["first_ply"] = line.first_ply;
    add_final(record, *choice_, board, line.value, captured());
    if (!captured_) record.erase("match_points");
    return record;
  }

  std::string end_text(const PlayedLine& line) const {
    const std::string after = "after " + counted_plies(line.plies.size());
    const std::string unit(unit_of(choice_->rules));
    switch (line.end) {
      case End::kGameOver: {
        const bool movers = line.plies.size() % 2 == 0;
        return "the game is over " + after + " at " + format_board(line.last) +
               "; what is left: " + std::to_string(movers ? line.rest.mover : line.rest.opponent) +
               " : " + std::to_string(movers ? line.rest.opponent : line.rest.mover) + " " + unit;
      }
      case End::kEndlessSow:
        return "a sow without end " + after + "; what is on the board is split evenly";
      case End::kRepetition:
        return format_board(line.last) + " repeats " + after + ", it stood there after " +
               counted_plies(line.first_ply) + "; what is on the board is split evenly";
      case End::kMaxPlies: return "cut at --max-plies " + after;
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
        const Ply& ply = line.plies[i];
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
  static std::string taken_text(const Ply& ply) {
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
    for (const Ply& ply : line.plies) pits.push_back(ply.pit);
    return text + "  line " + (pits.empty() ? "none" : joined(pits)) + "  " + end_name(line.end) +
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
