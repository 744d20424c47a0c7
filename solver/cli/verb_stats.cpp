// `retrosow stats`: how many positions of each level have which value.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>

#include "solver/cli/arguments.h"
#include "solver/cli/level_stats.h"
#include "solver/cli/output.h"
#include "solver/cli/progress.h"
#include "solver/cli/resources.h"
#include "solver/cli/rule_options.h"
#include "solver/cli/signals.h"
#include "solver/cli/table_stream.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "tables/endless_moves.h"
#include "tables/move_counts.h"
#include "tables/parallel.h"
#include "tables/table_listing.h"

namespace retrosow::cli {
namespace {

enum class Format : unsigned char { kText, kJson, kCsv };

// "3.250", or "-" where there is nothing to divide by.
std::string ratio_text(std::uint64_t sum, std::uint64_t count) {
  if (count == 0) return "-";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f",
                static_cast<double>(sum) / static_cast<double>(count));
  return text.data();
}

class StatsPrinter {
 public:
  explicit StatsPrinter(Format format) : format_(format) {
    if (format_ == Format::kCsv) {
      print(
          "game,rules,pits,seeds,scope,start,positions,wins,draws,losses,value,count,"
          "longest_distance\n");
    }
  }

  void add(const TableHeader& header, const LevelStats& level) {
    switch (format_) {
      case Format::kJson: print_record(level_record(header, level)); break;
      case Format::kCsv: print(rows(header, level)); break;
      case Format::kText: add_to_table(header, level); break;
    }
  }

  // Prints what is still held back.
  void finish() {
    if (!title_.empty()) print((any_ ? "\n" : "") + title_ + table_text());
    any_ = any_ || !title_.empty();
    title_.clear();
    lines_.clear();
    flush_output();
  }

 private:
  static std::string rows(const TableHeader& header, const LevelStats& stats) {
    const Histogram& histogram = stats.values;
    const std::string longest =
        stats.longest && stats.longest->plies ? std::to_string(*stats.longest->plies) : "";
    const std::string pits = equal_rows(header) ? std::to_string(header.shape.mover_pits)
                                                : std::to_string(header.shape.mover_pits) + "+" +
                                                      std::to_string(header.shape.opponent_pits);
    std::string level;
    for (const std::string& field :
         {std::string(game_name(header.rules.game)), canonical_text(header.rules), pits,
          std::to_string(header.seeds), std::string(scope_of(header)), start_of(header),
          std::to_string(histogram.positions), std::to_string(histogram.wins),
          std::to_string(histogram.draws), std::to_string(histogram.losses)}) {
      level += csv_field(field) + ",";
    }
    if (histogram.positions == 0) return level + ",," + longest + "\n";
    std::string text;
    for (const auto& [value, count] : histogram.counts) {
      text += level + std::to_string(value) + "," + std::to_string(count) + "," + longest + "\n";
    }
    return text;
  }

  void add_to_table(const TableHeader& header, const LevelStats& level) {
    const std::string title =
        std::string(game_name(header.rules.game)) + " " + rows_text(header.shape) + ", " +
        canonical_text(header.rules) + "\n" +
        (header.index == IndexKind::kRanks ? "all boards\n"
                                           : "reachable from " + start_of(header) + "\n");
    if (title != title_) {
      finish();
      title_ = title;
    }
    lines_.push_back({header.seeds, header.index == IndexKind::kKeys, header.endless_moves,
                      header.digest, level});
  }

  // The table of the levels under one title; columns of distances only where a level has them.
  std::string table_text() const {
    using enum TextTable::Align;
    const bool distances = std::any_of(lines_.begin(), lines_.end(), [](const Line& line) {
      return line.level.longest.has_value();
    });
    const bool guarantees = std::any_of(lines_.begin(), lines_.end(), [](const Line& line) {
      return line.level.forced.has_value();
    });
    TextTable table;
    for (const char* column :
         {"level", "positions", "wins", "draws", "losses", "least value", "greatest value"}) {
      table.add_column(column, kRight);
    }
    const bool round =
        std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.round; });
    if (round) table.add_column("endless moves", kRight);
    if (distances) {
      table.add_column("longest distance", kRight);
      table.add_column("positions with it", kRight);
      table.add_column("one of them", kLeft);
    }
    if (guarantees) {
      for (const char* column : {"values forced", "wins forced", "draws forced", "losses forced"}) {
        table.add_column(column, kRight);
      }
    }
    table.add_column("digest", kLeft);
    if (distances) table.add_column("digest of the distances", kLeft);
    if (guarantees) table.add_column("digest of the guarantees", kLeft);
    for (const Line& line : lines_) table.add_row(cells(line, distances, guarantees));
    std::string text = table.text();
    if (std::any_of(lines_.begin(), lines_.end(),
                    [](const Line& line) { return line.level.endless.has_value(); })) {
      text += "\n" + endless_text();
    }
    if (std::any_of(lines_.begin(), lines_.end(),
                    [](const Line& line) { return line.level.longest_relay.has_value(); })) {
      text += "\n" + longest_relay_text();
    }
    if (std::any_of(lines_.begin(), lines_.end(),
                    [](const Line& line) { return line.level.moves.has_value(); })) {
      text += "\n" + moves_text();
    }
    return text;
  }

  // The endless moves of the levels under one title.
  std::string endless_text() const {
    using enum TextTable::Align;
    TextTable table;
    table.add_column("level", kRight);
    table.add_column("endless move from", kLeft);
    table.add_column("hole", kRight);
    table.add_column("laps until the state repeats", kRight);
    for (const Line& line : lines_) {
      if (!line.level.endless) continue;
      for (const RelayMove& move : *line.level.endless) table.add_row(relay_cells(line, move));
    }
    return table.text();
  }

  // The longest relay that ends of each level under one title.
  std::string longest_relay_text() const {
    using enum TextTable::Align;
    TextTable table;
    table.add_column("level", kRight);
    table.add_column("longest move that ends, from", kLeft);
    table.add_column("hole", kRight);
    table.add_column("laps", kRight);
    for (const Line& line : lines_) {
      if (line.level.longest_relay) table.add_row(relay_cells(line, *line.level.longest_relay));
    }
    return table.text();
  }

  // The moves of the levels under one title.
  std::string moves_text() const {
    using enum TextTable::Align;
    TextTable table;
    for (const char* column : {"level", "game over", "legal moves", "a position", "that capture",
                               "share", "seeds a capture"}) {
      table.add_column(column, kRight);
    }
    for (const Line& line : lines_) {
      if (!line.level.moves) continue;
      const MoveCounts& moves = *line.level.moves;
      table.add_row({std::to_string(line.seeds), grouped(moves.over), grouped(moves.legal),
                     ratio_text(moves.legal, line.level.values.positions), grouped(moves.captures),
                     ratio_text(moves.captures, moves.legal),
                     ratio_text(moves.captured + moves.captured_opponent, moves.captures)});
    }
    return table.text();
  }

  struct Line {
    unsigned seeds = 0;
    bool round = false;
    std::uint64_t endless_moves = 0;
    Digest digest;
    LevelStats level;
  };

  static std::vector<std::string> relay_cells(const Line& line, const RelayMove& move) {
    const Board board = board_of_move(move);
    return {std::to_string(line.seeds), format_board(board),
            std::to_string(board.shown_pit(move.slot)), grouped(move.laps)};
  }

  static std::vector<std::string> cells(const Line& line, bool distances, bool guarantees) {
    const Histogram& histogram = line.level.values;
    const auto& counts = histogram.counts;  // without zeros: see Histogram::add
    std::vector<std::string> cells = {std::to_string(line.seeds),
                                      grouped(histogram.positions),
                                      grouped(histogram.wins),
                                      grouped(histogram.draws),
                                      grouped(histogram.losses),
                                      counts.empty() ? "-" : with_sign(counts.begin()->first),
                                      counts.empty() ? "-" : with_sign(counts.rbegin()->first)};
    if (line.round) cells.push_back(grouped(line.endless_moves));
    const std::optional<LongestDistance>& longest = line.level.longest;
    if (distances) {
      const bool any = longest && longest->plies;
      cells.push_back(!any                   ? "-"
                      : *longest->plies == 1 ? "1 ply"
                                             : grouped(*longest->plies) + " plies");
      cells.push_back(!any ? "-" : grouped(longest->positions));
      cells.push_back(!any ? "-" : longest->example);
    }
    const std::optional<ForcedCounts>& forced = line.level.forced;
    if (guarantees) {
      for (const auto count : {&ForcedCounts::values, &ForcedCounts::wins, &ForcedCounts::draws, &ForcedCounts::losses}) {
        cells.push_back(forced ? grouped((*forced).*count) : "-");
      }
    }
    cells.push_back(line.digest.hex());
    if (distances) cells.push_back(longest ? longest->digest.hex() : "-");
    if (guarantees) cells.push_back(forced ? forced->digest.hex() : "-");
    return cells;
  }

  Format format_;
  std::vector<Line> lines_;  // of the title
  std::string title_;
  bool any_ = false;
};

std::vector<OptionGroup> stats_options() {
  std::vector<OptionGroup> groups = rule_option_groups(false);
  groups.front().title =
      "Which tables: with --game or an option of the rules those of exactly these rules, "
      "with --pits\nthose with that many pits in both rows, else all";
  groups.insert(
      groups.begin(),
      {"Tables",
       {{"tables", "DIR", "Folder with table files. Needed."},
        {"csv", "", "CSV: a header line, then a row per level and value."},
        {"endless", "", "Of rounds: also every endless move, which takes playing all moves."},
        {"longest-relay", "",
         "Of rounds: also the move of most laps that ends, which takes playing all moves."},
        {"moves", "",
         "Also how many legal moves the positions have and what they capture, which takes playing "
         "all."},
        {"threads", "N", "Threads for playing moves, 1 to 1024. Default: all cores."}}});
  return groups;
}

int run_stats(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  if (arguments.json() && arguments.given("csv")) {
    throw usage_error("--json and --csv contradict each other; give one");
  }
  const bool endless = arguments.given("endless");
  const bool longest_relay = arguments.given("longest-relay");
  const bool moves = arguments.given("moves");
  if ((endless || longest_relay || moves) && arguments.given("csv")) {
    throw usage_error("--csv has no place for what --" +
                      std::string(endless         ? "endless"
                                  : longest_relay ? "longest-relay"
                                                  : "moves") +
                      " lists; give one");
  }
  const unsigned workers = worker_count(read_threads(arguments));
  const std::filesystem::path path = arguments.require("tables");
  const TableFolder folder(path);

  std::vector<const TableReader*> tables;
  for (const TableReader& table : folder.files()) {
    const TableHeader& header = table.header();
    if (header.kind != TableKind::kValues) continue;
    if (choice.rules_given && !same_rules(header.rules, choice.rules)) continue;
    if (choice.pits != 0 && (header.shape.mover_pits != choice.pits || !equal_rows(header)))
      continue;
    tables.push_back(&table);
  }

  std::vector<TableFolder::Fault> faults = folder.faults();
  for (const TableFolder::Fault& fault : faults) complain(faults_text({fault}));
  if (tables.empty() && faults.empty()) {
    throw Error(ErrorClass::kIo,
                "no such tables in " + path.string() + "; there: " + contents_text(folder.files()));
  }

  StatsPrinter printer(arguments.json()         ? Format::kJson
                       : arguments.given("csv") ? Format::kCsv
                                                : Format::kText);
  ProgressLine progress(arguments);
  const RunControl control = progress.control();
  const auto begin = std::chrono::steady_clock::now();
  Progress state;
  state.phase = "stats";
  for (const TableReader* table : tables) {
    const unsigned kinds = 1U + (folder.distances_of(*table) != nullptr ? 1U : 0U) +
                           (guarantees_of(folder, *table) != nullptr ? 1U : 0U);
    const bool round = table->header().index == IndexKind::kKeys;
    const unsigned played =
        ((endless && table->header().endless_moves != 0) || (longest_relay && round) ? 1U : 0U) +
        (moves ? 1U : 0U);
    state.total += (kinds + played) * table->header().positions;
    state.last_level = std::max(state.last_level, table->header().seeds);
  }
  const OnRead on_read = [&](std::uint64_t positions) {
    if (!control.progress) return;
    state.done += positions;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    state.elapsed_seconds = elapsed.count();
    control.progress(state);
  };
  const auto guarded = [&](const TableReader& table, const auto& step) {
    try {
      step();
      return true;
    } catch (const Error& error) {
      if (error.error_class() == ErrorClass::kInterrupted) throw;
      faults.push_back({table.path(), error});
      progress.clear();
      complain(faults_text({faults.back()}));
      return false;
    }
  };
  for (const TableReader* table : tables) {
    check_interrupted();
    state.level = table->header().seeds;
    LevelStats level;
    if (!guarded(*table, [&] { level.values = count_values(*table, on_read); })) continue;
    std::uint64_t before = 0;
    const auto on_done = [&](std::uint64_t positions) {
      on_read(positions - before);
      before = positions;
    };
    if ((endless || longest_relay) && table->header().index == IndexKind::kKeys) {
      const auto play = [&] {
        if (!longest_relay) {
          level.endless = endless_moves(*table, workers, control, on_done);
          return;
        }
        RelayMoves relays = relay_moves(*table, workers, control, on_done);
        level.longest_relay = relays.longest;
        if (endless) level.endless = std::move(relays.endless);
      };
      if (!guarded(*table, play)) continue;
    }
    if (moves) {
      before = 0;
      const auto count = [&] { level.moves = count_moves(*table, workers, control, on_done); };
      if (!guarded(*table, count)) continue;
    }
    if (const TableReader* distances = folder.distances_of(*table)) {
      guarded(*distances, [&] {
        level.longest = find_longest(*table, *distances, level.values.draws, on_read);
      });
    }
    if (const TableReader* guarantees = guarantees_of(folder, *table)) {
      guarded(*guarantees, [&] { level.forced = count_forced(*guarantees, on_read); });
    }
    progress.clear();
    printer.add(table->header(), level);
  }
  progress.finish();
  printer.finish();
  return faults.empty() ? 0 : error_exit_code(worst_class(faults));
}

}  // namespace

extern const Verb kStatsVerb;
const Verb kStatsVerb = {
    .name = "stats",
    .synopsis = "--tables DIR [options]",
    .summary = "value counts and longest distance of each level in a folder",
    .description =
        "Counts how many positions of each level have which value, with wins, "
        "draws and losses of the\n"
        "player to move, and the digest of the level's values; where there "
        "are distances also the\n"
        "longest (plies to the next capture or the end), how many positions "
        "have it, and one of them.\n"
        "Where there are guarantees also how many values, wins, draws and losses are forced anyway: the\n"
        "same whatever endless play is worth. The others rest on its even split.\n"
        "Of rounds also how many endless moves their positions have,\n"
        "with --endless each of them, with --longest-relay the longest move that ends.\n"
        "With --moves also how many legal moves the positions have, how many of these capture, "
        "and what.\n"
        "Every block of every file is read and checked, a block at a time. A "
        "faulty file is\n"
        "reported on standard error, the others are listed, and the exit code "
        "is 4 then.",
    .example =
        "retrosow stats --tables tables-urim\n"
        "retrosow stats --tables tables --game awari --csv",
    .options = stats_options,
    .run = run_stats};

}  // namespace retrosow::cli
