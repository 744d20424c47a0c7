// `retrosow stats`: how many positions of each level have which value.

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>

#include "solver/cli/arguments.h"
#include "solver/cli/output.h"
#include "solver/cli/progress.h"
#include "solver/cli/resources.h"
#include "solver/cli/rule_options.h"
#include "solver/cli/signals.h"
#include "solver/cli/table_listing.h"
#include "solver/cli/table_stream.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "tables/endless_moves.h"
#include "tables/parallel.h"

namespace retrosow::cli {
namespace {


enum class Format : unsigned char { kText, kJson, kCsv };

bool equal_rows(const TableHeader& header) {
  return header.shape.mover_pits == header.shape.opponent_pits;
}

const char* scope_of(const TableHeader& header) {
  return header.index == IndexKind::kRanks ? "all" : "reachable";
}

std::string start_of(const TableHeader& header) {
  return header.index == IndexKind::kKeys ? format_board(board_of(header.root, header.shape)) : "";
}

// Of the distances of a level: the longest, if any position has one.
struct LongestDistance {
  std::optional<std::uint16_t> plies;
  std::uint64_t positions = 0;  // that have it
  std::string example;          // the first of them in index order
  Digest digest;                // of the level's distances
};

// Of the guarantees of a level: how many values, and outcomes, are the same whatever endless play is worth.
struct ForcedCounts {
  std::uint64_t values = 0, wins = 0, draws = 0, losses = 0;
  Digest digest;  // of the level's guarantees
};

struct LevelStats {
  Histogram values;
  std::optional<ForcedCounts> forced;             // where there are guarantees
  std::optional<LongestDistance> longest;         // where there are distances
  std::optional<std::vector<RelayMove>> endless;  // --endless, of rounds
  std::optional<RelayMove> longest_relay;         // --longest-relay, of rounds with a move
};

Board board_of_move(const RelayMove& move) { return board_of(move.position, move.shape); }

Json relay_json(const RelayMove& move) {
  const Board board = board_of_move(move);
  return {
      {"position", format_board(board)}, {"pit", board.shown_pit(move.slot)}, {"laps", move.laps}};
}

// Called with the number of positions that have been read since the last call.
using OnRead = std::function<void(std::uint64_t)>;

Histogram count_values(const TableReader& table, const OnRead& on_read) {
  Histogram histogram;
  std::array<std::uint64_t, 256> counts{};
  stream_values(table, [&](LevelIndex, std::span<const Value> values) {
    for (const Value value : values) ++counts[static_cast<std::uint8_t>(value)];
    on_read(values.size());
  });
  for (int value = -128; value < 128; ++value) {
    histogram.add(value, counts[static_cast<std::uint8_t>(value)]);
  }
  return histogram;
}

LongestDistance find_longest(const TableReader& values, const TableReader& distances,
                             std::uint64_t draws, const OnRead& on_read) {
  LongestDistance longest;
  longest.digest = distances.header().digest;
  LevelIndex example = 0;
  std::uint64_t without = 0;
  stream_distances(distances, [&](LevelIndex first, std::span<const std::uint16_t> block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (block[i] == kNoDistance) {
        ++without;
      } else if (!longest.plies || block[i] > *longest.plies) {
        longest.plies = block[i];
        longest.positions = 1;
        example = first + i;
      } else if (block[i] == *longest.plies) {
        ++longest.positions;
      }
    }
    on_read(block.size());
  });
  if (without != draws) {
    Error error(ErrorClass::kCorrupt, distances.path().string() + ": " + std::to_string(without) +
                                          " positions without a distance, but " +
                                          std::to_string(draws) + " of value 0");
    error.path = distances.path().string();
    error.expected = std::to_string(draws);
    error.found = std::to_string(without);
    throw error;
  }
  if (longest.plies) longest.example = format_board(PositionLister(values).at(example));
  return longest;
}

ForcedCounts count_forced(const TableReader& guarantees, const OnRead& on_read) {
  const unsigned seeds = guarantees.header().seeds;
  ForcedCounts counts;
  counts.digest = guarantees.header().digest;
  stream_guarantees(guarantees, [&](LevelIndex, std::span<const Guarantee> block) {
    for (const Guarantee pair : block) {
      if (value_forced(pair, seeds)) ++counts.values;
      if (!outcome_forced(pair, seeds)) continue;
      const bool win = least_difference(pair, seeds) > 0, loss = greatest_difference(pair, seeds) < 0;
      ++(win ? counts.wins : loss ? counts.losses : counts.draws);
    }
    on_read(block.size());
  });
  return counts;
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
      case Format::kJson: print_record(record(header, level)); break;
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
  static Json record(const TableHeader& header, const LevelStats& level) {
    const Histogram& histogram = level.values;
    Json record = {{"game", game_name(header.rules.game)}, {"rules", canonical_text(header.rules)}};
    if (equal_rows(header)) {
      record["pits"] = header.shape.mover_pits;
    } else {
      record["rows"] = {header.shape.mover_pits, header.shape.opponent_pits};
    }
    record["seeds"] = header.seeds;
    record["scope"] = scope_of(header);
    if (header.index == IndexKind::kKeys) record["start"] = start_of(header);
    record["positions"] = histogram.positions;
    record["wins"] = histogram.wins;
    record["draws"] = histogram.draws;
    record["losses"] = histogram.losses;
    Json values = Json::object();
    for (const auto& [value, count] : histogram.counts) values[std::to_string(value)] = count;
    record["values"] = std::move(values);
    record["digest"] = header.digest.hex();
    if (header.index == IndexKind::kKeys) {
      record["keys_digest"] = header.keys_digest.hex();
      record["endless_moves"] = header.endless_moves;
    }
    if (level.endless) {
      Json moves = Json::array();
      for (const RelayMove& move : *level.endless) moves.push_back(relay_json(move));
      record["endless"] = std::move(moves);
    }
    if (level.longest_relay) record["longest_relay"] = relay_json(*level.longest_relay);
    if (level.longest) {
      const LongestDistance& longest = *level.longest;
      record["longest_distance"] = longest.plies ? Json(*longest.plies) : Json(nullptr);
      record["longest_distance_positions"] = longest.positions;
      record["longest_distance_position"] = longest.plies ? Json(longest.example) : Json(nullptr);
      record["distance_digest"] = longest.digest.hex();
    }
    if (level.forced) {
      const ForcedCounts& forced = *level.forced;
      record["forced"] = {{"values", forced.values},
                          {"wins", forced.wins},
                          {"draws", forced.draws},
                          {"losses", forced.losses}};
      record["guarantee_digest"] = forced.digest.hex();
    }
    return record;
  }

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
        {"threads", "N", "Threads for that, 1 to 1024. Default: all cores."}}});
  return groups;
}

// Of the level of a table of values, or null.
const TableReader* guarantees_of(const TableFolder& folder, const TableReader& values) {
  const TableHeader& header = values.header();
  return folder.find(header.rules, header.shape, header.seeds, TableKind::kGuarantees);
}

int run_stats(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  if (arguments.json() && arguments.given("csv")) {
    throw usage_error("--json and --csv contradict each other; give one");
  }
  const bool endless = arguments.given("endless");
  const bool longest_relay = arguments.given("longest-relay");
  if ((endless || longest_relay) && arguments.given("csv")) {
    throw usage_error("--csv has no place for what --" +
                      std::string(endless ? "endless" : "longest-relay") + " lists; give one");
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
        (endless && table->header().endless_moves != 0) || (longest_relay && round) ? 1 : 0;
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
    if ((endless || longest_relay) && table->header().index == IndexKind::kKeys) {
      std::uint64_t before = 0;
      const auto on_done = [&](std::uint64_t positions) {
        on_read(positions - before);
        before = positions;
      };
      const auto play = [&] {
        if (!longest_relay) {
          level.endless = endless_moves(*table, workers, control, on_done);
          return;
        }
        RelayMoves moves = relay_moves(*table, workers, control, on_done);
        level.longest_relay = moves.longest;
        if (endless) level.endless = std::move(moves.endless);
      };
      if (!guarded(*table, play)) continue;
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
