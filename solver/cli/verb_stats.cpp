// `retrosow stats`: how many positions of each level have which value.

#include "solver/cli/arguments.h"
#include "solver/cli/output.h"
#include "solver/cli/rule_options.h"
#include "solver/cli/signals.h"
#include "solver/cli/table_listing.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "tables/table_file.h"

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

// A field as RFC 4180 has it.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

class StatsPrinter {
 public:
  explicit StatsPrinter(Format format) : format_(format) {
    if (format_ == Format::kCsv) {
      print("game,rules,pits,seeds,scope,start,positions,wins,draws,losses,value,count\n");
    }
  }

  void add(const TableHeader& header, const Histogram& histogram) {
    switch (format_) {
      case Format::kJson: print_record(record(header, histogram)); break;
      case Format::kCsv: print(rows(header, histogram)); break;
      case Format::kText: add_to_table(header, histogram); break;
    }
  }

  // Prints what is still held back.
  void finish() {
    if (!title_.empty()) print((any_ ? "\n" : "") + title_ + table_.text());
    any_ = any_ || !title_.empty();
    title_.clear();
    flush_output();
  }

 private:
  static Json record(const TableHeader& header, const Histogram& histogram) {
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
    for (const auto& [value, count] : histogram.counts) {
      if (count != 0) values[std::to_string(value)] = count;
    }
    record["values"] = std::move(values);
    record["digest"] = header.digest.hex();
    return record;
  }

  static std::string rows(const TableHeader& header, const Histogram& histogram) {
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
    if (histogram.positions == 0) return level + ",\n";
    std::string text;
    for (const auto& [value, count] : histogram.counts) {
      if (count != 0) text += level + std::to_string(value) + "," + std::to_string(count) + "\n";
    }
    return text;
  }

  void add_to_table(const TableHeader& header, const Histogram& histogram) {
    const std::string title =
        std::string(game_name(header.rules.game)) + " " + rows_text(header.shape) + ", " +
        canonical_text(header.rules) + "\n" +
        (header.index == IndexKind::kRanks ? "all boards\n"
                                           : "reachable from " + start_of(header) + "\n");
    if (title != title_) {
      finish();
      title_ = title;
      table_ = TextTable();
      for (const char* column :
           {"level", "positions", "wins", "draws", "losses", "least value", "greatest value"}) {
        table_.add_column(column, TextTable::Align::kRight);
      }
      table_.add_column("digest", TextTable::Align::kLeft);
    }
    int least = 0, greatest = 0;
    bool first = true;
    for (const auto& [value, count] : histogram.counts) {
      if (count == 0) continue;
      if (first) least = value;
      first = false;
      greatest = value;
    }
    table_.add_row({std::to_string(header.seeds), grouped(histogram.positions),
                    grouped(histogram.wins), grouped(histogram.draws), grouped(histogram.losses),
                    first ? "-" : with_sign(least), first ? "-" : with_sign(greatest),
                    header.digest.hex()});
  }

  Format format_;
  TextTable table_;
  std::string title_;
  bool any_ = false;
};

std::vector<OptionGroup> stats_options() {
  std::vector<OptionGroup> groups = rule_option_groups(false);
  groups.front().title =
      "Which tables: with --game or an option of the rules those of exactly these rules, "
      "with --pits\nthose with that many pits in both rows, else all";
  groups.insert(groups.begin(),
                {"Tables",
                 {{"tables", "DIR", "Folder with table files. Needed."},
                  {"csv", "", "CSV: a header line, then a row per level and value."}}});
  return groups;
}

int run_stats(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  if (arguments.json() && arguments.given("csv")) {
    throw usage_error("--json and --csv contradict each other; give one");
  }
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
  for (const TableReader* table : tables) {
    check_interrupted();
    Histogram histogram;
    try {
      for (const Value value : table->read_all()) histogram.add(value);
    } catch (const Error& error) {
      if (error.error_class() == ErrorClass::kInterrupted) throw;
      faults.push_back({table->path(), error});
      complain(faults_text({faults.back()}));
      continue;
    }
    printer.add(table->header(), histogram);
  }
  printer.finish();
  return faults.empty() ? 0 : error_exit_code(worst_class(faults));
}

}  // namespace

extern const Verb kStatsVerb;
const Verb kStatsVerb = {.name = "stats",
                         .synopsis = "--tables DIR [options]",
                         .summary = "value counts of each level of the tables in a folder",
                         .description =
                             "Counts how many positions of each level have which value, with wins, "
                             "draws and losses of the\n"
                             "player to move, and the digest of the level's values. Every block of "
                             "every file is read and\n"
                             "checked. A faulty file is reported on standard error, the others are "
                             "listed, and the exit code\n"
                             "is 4 then.",
                         .example =
                             "retrosow stats --tables tables-urim\n"
                             "retrosow stats --tables tables --game awari --csv",
                         .options = stats_options,
                         .run = run_stats};

}  // namespace retrosow::cli
