// `retrosow perft`: counts the move sequences of each length.

#include "bitboard/perft.h"

#include <chrono>
#include <cstdio>

#include "solver/cli/evaluation_output.h"
#include "solver/cli/signals.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

constexpr unsigned kMaxDepth = 1000;

std::vector<OptionGroup> perft_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.insert(groups.begin(),
                {"Perft", {{"depth", "D", "Longest sequence, in plies, 0 to 1000. Needed."}}});
  return groups;
}

// A row of the table. Rows are printed as they are counted, so the columns have a fixed width.
std::string row_text(const std::array<std::string, 8>& cells) {
  static constexpr std::array<int, 8> kWidths = {5, 19, 17, 17, 17, 15, 11, 9};
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto width = static_cast<std::size_t>(kWidths[i]);
    if (i != 0) text += " ";
    if (cells[i].size() < width) text += std::string(width - cells[i].size(), ' ');
    text += cells[i];
  }
  return text + "\n";
}

int run_perft(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  const unsigned depth = parse_number("option --depth", arguments.require("depth"), 0, kMaxDepth);
  const Board board = read_board(choice, arguments.position().value_or("start"));
  const MoveGenerator generator(choice.rules, board.shape());

  if (!arguments.json()) {
    print(std::string(game_name(choice.rules.game)) + "  " + format_board(board) + "\n" +
          row_text({"depth", "nodes", "captures", "captured", "by opponent", "ends", "seconds",
                    "nodes/s"}));
    flush_output();
  }
  // Every length is counted by a run of its own, so that each has its own time. The shorter ones cost
  // little beside the longest. Length 0 is shown only where nothing else is asked for.
  for (unsigned d = depth == 0 ? 0 : 1; d <= depth; ++d) {
    const auto start = std::chrono::steady_clock::now();
    const PerftCounts counts =
        perft(generator, board.position, board.shape(), d, interrupted).at(d);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double rate = seconds > 0 ? static_cast<double>(counts.nodes) / seconds : 0;
    if (arguments.json()) {
      Json record = position_record(choice, board);
      record["depth"] = d;
      record["nodes"] = counts.nodes;
      record["captures"] = counts.captures;
      record["captured"] = counts.captured;
      record["captured_opponent"] = counts.captured_opponent;
      record["ends"] = counts.ends;
      record["seconds"] = record_seconds(seconds);
      record["nodes_per_second"] = static_cast<std::uint64_t>(rate);
      print_record(record);
    } else {
      char time[32];
      std::snprintf(time, sizeof time, "%.3f", seconds);
      print(row_text({std::to_string(d), grouped(counts.nodes), grouped(counts.captures),
                      grouped(counts.captured), grouped(counts.captured_opponent),
                      grouped(counts.ends), time, short_number(rate)}));
      flush_output();
    }
    check_interrupted();
  }
  return 0;
}

}  // namespace

extern const Verb kPerftVerb;
const Verb kPerftVerb = {
    .name = "perft",
    .synopsis = "--depth D [POS] [options]",
    .summary = "count move sequences of each length",
    .description =
        "Counts all sequences of moves from POS (default `start`) of each length up to D. Columns: "
        "nodes\n"
        "(sequences), captures (whose last move captured something), seeds captured by the mover "
        "and by\n"
        "his opponent with the last moves, and ends (after which the game is over).",
    .example =
        "retrosow perft --depth 6\n"
        "retrosow perft --depth 4 --game rio-kadalis --pits 5",
    .position = PositionArgument::kOptional,
    .options = perft_options,
    .run = run_perft};

}  // namespace retrosow::cli
