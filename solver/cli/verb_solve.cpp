// `retrosow solve`: the perfect-play value of a position and of every move.

#include <limits>

#include "solver/cli/batch.h"
#include "solver/cli/board_drawing.h"
#include "solver/cli/evaluation_output.h"
#include "solver/cli/numbers.h"
#include "solver/cli/progress.h"
#include "solver/cli/record_file.h"
#include "solver/cli/resources.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "solver/solve.h"

namespace retrosow::cli {
namespace {

std::string line_text(const std::vector<unsigned>& pits, Line::End end) {
  constexpr std::size_t kPliesInLine = 30;
  std::string text = "line     ";
  for (std::size_t ply = 0; ply < pits.size(); ++ply) {
    if (ply != 0) text += ply % kPliesInLine == 0 ? "\n         " : " ";
    text += std::to_string(pits[ply]);
  }
  if (!pits.empty()) text += " ";
  switch (end) {
    case Line::End::kGameOver: return text + "(the game is over)\n";
    case Line::End::kRepetition: return text + "(the position repeats)\n";
    case Line::End::kCut: return text + "(cut here)\n";
  }
  return text + "\n";
}

class SolveAnswer {
 public:
  SolveAnswer(const Arguments& arguments, const RuleChoice& choice, ProgressLine& progress)
      : choice_(&choice), progress_(&progress), captured_(read_captured(arguments, choice)) {
    if (const std::string* method = arguments.find("method")) {
      options_.method = parse_method("option --method", *method);
    }
    if (const std::string* folder = arguments.find("tables")) options_.tables = *folder;
    options_.value_only = arguments.given("value-only");
    if (const std::string* nodes = arguments.find("limit-nodes")) {
      options_.limit_nodes =
          parse_count("option --limit-nodes", *nodes, 0, std::numeric_limits<std::uint64_t>::max());
    }
    if (const std::string* seconds = arguments.find("limit-seconds")) {
      options_.limit_seconds = parse_seconds("option --limit-seconds", *seconds, 0, kMaxSeconds);
    }
    options_.memory_bytes = read_memory(arguments);
    if (arguments.given("memory")) options_.transposition_bytes = options_.memory_bytes;
    options_.threads = read_threads(arguments);
    options_.control = progress.control();
    if (arguments.verbose()) {
      complain("rules " + choice.canonical + ", kernel " +
               std::string(kernel_name(chosen_kernel())) + ", memory limit " +
               grouped(options_.memory_bytes) + " bytes");
    }
  }

  Reply operator()(const Board& board, Form form) {
    const Solution solution = solve(choice_->rules, board.position, board.shape(), options_);
    progress_->finish();
    Reply reply;
    if (!solution.complete) {
      reply.exit_code = error_exit_code(ErrorClass::kLimit);
      reply.remark = (solution.search && solution.search->too_deep
                          ? "stopped by a line of more than " + std::to_string(kMaxSearchPlies) + " plies after "
                          : "stopped by --limit-nodes or --limit-seconds after ") +
                     grouped(solution.nodes) + " positions; " +
                     (solution.value ? "the value is proved" : "the bounds so far are proved");
    }
    if (form == Form::kJson) {
      reply.record = record(board, solution);
    } else {
      reply.text = form == Form::kText ? text(board, solution) : line(board, solution);
    }
    return reply;
  }

 private:
  const Evaluation* moves(const Solution& solution) const {
    return solution.moves_proved ? &solution.evaluation : nullptr;
  }

  Json record(const Board& board, const Solution& solution) const {
    Json record = position_record(*choice_, board);
    if (solution.value) {
      add_evaluation(record, board, *solution.value, moves(solution));
      if (captured_) add_final(record, *choice_, board, *solution.value, *captured_);
    } else {
      record["bounds"] = {solution.bounds.first, solution.bounds.second};
    }
    record["method"] = solution.search ? "search" : "tables";
    record["nodes"] = solution.nodes;
    record["seconds"] = record_seconds(solution.seconds);
    if (solution.search) {
      record["hash_hits"] = solution.search->hash_hits;
      record["table_values"] = solution.search->table_values;
      record["depth"] = solution.search->depth_plies;
    }
    for (const MoveBounds& move : solution.move_bounds) {
      record["move_bounds"].push_back(
          {{"pit", board.shown_pit(move.slot)}, {"bounds", {move.bounds.first, move.bounds.second}}});
    }
    if (solution.moves_proved) {
      record["pv"] = shown_pits(board, solution.line);
      record["pv_end"] = line_end_name(solution.line.end);
    }
    return record;
  }

  std::string text(const Board& board, const Solution& solution) const {
    const std::string effort = effort_text(solution);
    if (!solution.value) {
      return draw_board(choice_->rules, board) + "\nvalue    between " +
             with_sign(solution.bounds.first) + " and " + with_sign(solution.bounds.second) + " " +
             std::string(unit_of(choice_->rules)) + " for the player to move\n" + effort;
    }
    std::string text =
        evaluation_text(*choice_, board, *solution.value, moves(solution), captured_);
    if (solution.moves_proved) {
      text += "\n";
      if (!solution.evaluation.moves.empty()) {
        text += line_text(shown_pits(board, solution.line), solution.line.end);
      }
    }
    for (const MoveBounds& move : solution.move_bounds) {
      const auto& [lower, upper] = move.bounds;
      text += "pit " + std::to_string(board.shown_pit(move.slot)) + "    " +
              (lower == upper ? with_sign(lower) : "between " + with_sign(lower) + " and " + with_sign(upper)) + "\n";
    }
    return text + effort;
  }

  static std::string effort_text(const Solution& solution) {
    std::string text = (solution.search ? "searched " : "solved   ") + counted(solution.nodes, "positions") + " in " +
                       duration(solution.seconds);
    if (const auto& search = solution.search) {
      text += ", depth " + std::to_string(search->depth_plies) + " plies, " + grouped(search->hash_hits) +
              " answered by the transposition table";
      if (search->table_values != 0) text += ", " + grouped(search->table_values) + " by table files";
    }
    return text + "\n";
  }

  std::string line(const Board& board, const Solution& solution) const {
    if (solution.value) return evaluation_line(board, *solution.value, moves(solution));
    return format_board(board) + "  value between " + with_sign(solution.bounds.first) + " and " +
           with_sign(solution.bounds.second) + "\n";
  }

  const RuleChoice* choice_;
  ProgressLine* progress_;
  SolveOptions options_;
  std::optional<Captured> captured_;
};

std::vector<OptionGroup> solve_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.insert(
      groups.begin(),
      {"Solving",
       {{"method", "auto|tables|search",
         "tables: solve every position that can arise. search: only what bears on the value. Default auto: "
         "tables where they are there or quickly made, else search; rounds that this does not solve soon by whichever can."},
        {"tables", "DIR",
         "Levels found in this folder are read, the others solved; by search, those without a gap from 0 on. "
         "Default: none."},
        {"value-only", "", "Only the value: no values of moves, no line of play."},
        {"limit-nodes", "N", "Stop a solve after N positions, with bounds; a search looks every 512. Default: no limit."},
        {"limit-seconds", "S",
         "Stop a solve after S seconds, such as 1.5, with bounds. Default: no limit."},
        {"memory", "SIZE",
         "Memory to use at most: bytes, or 512MiB, 12GiB; by search, that of its transposition table. Default: 80 % of "
         "what is available; by search 256MiB."},
        {"threads", "N", "Threads, 1 to 1024. Default: all cores. Values are the same."},
        captured_option()}});
  groups.push_back(record_option_group());
  return groups;
}

int run_solve(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  ProgressLine progress(arguments);
  SolveAnswer answer(arguments, choice, progress);
  return answer_positions(arguments, choice, std::ref(answer));
}

}  // namespace

extern const Verb kSolveVerb;
const Verb kSolveVerb = {
    .name = "solve",
    .synopsis = "POS [options]",
    .summary = "perfect-play value of a position and of every move",
    .description =
        "Solves POS: its value (what the player to move will take minus what his opponent will "
        "take from\n"
        "here on, both playing perfectly, endless play counted as an even split), the value of "
        "every move,\n"
        "the best moves and a line of perfect play.\n"
        "POS is a1,..,ak/b1,..,bk, first the row of the player to move, each row in its own sowing "
        "order\n"
        "(x: a closed hole), or `start`, or `-` to read one position per line from standard "
        "input.\n"
        "Stopped by a limit it gives the bounds proved so far and exit code 6.",
    .example =
        "retrosow solve start --pits 3\n"
        "retrosow solve start --game rio-kadalis --pits 4 --json\n"
        "retrosow solve 1,0,2,0,0,1/0,3,0,0,1,0 --captured 14,15",
    .position = PositionArgument::kRequired,
    .options = solve_options,
    .run = run_solve};

}  // namespace retrosow::cli
