// `retrosow export`: a level's values, distances or guarantees for other programs.

#include <algorithm>
#include <chrono>

#include "solver/cli/arguments.h"
#include "solver/cli/numbers.h"
#include "solver/cli/output.h"
#include "solver/cli/output_file.h"
#include "solver/cli/progress.h"
#include "solver/cli/rule_options.h"
#include "solver/cli/table_stream.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"
#include "tables/manifest.h"
#include "tables/table_listing.h"

namespace retrosow::cli {
namespace {

using What = TableKind;
enum class Format : unsigned char { kRaw, kNpy, kCsv };

struct Order {
  RuleChoice choice;
  std::optional<Board> start;  // of a round
  std::string folder;
  unsigned level = 0;
  What what = What::kValues;
  Format format = Format::kCsv;
  std::string out;
};

std::string one_of(const Arguments& arguments, std::string_view option,
                   const std::vector<std::string>& words) {
  const std::string* given = arguments.find(option);
  if (given == nullptr) return words.front();
  std::string list;
  for (const std::string& word : words) {
    if (*given == word) return word;
    list += (list.empty() ? "" : ", ") + word;
  }
  throw usage_error("option --" + std::string(option) + ": '" + *given + "' is not one of " + list);
}

Error not_over_tables(const std::string& out, const std::string& what) {
  return usage_error("option --out: '" + out + "' " + what + "; give another name");
}

// Files of table folders are read by their names, and nothing else may come to stand under one.
void refuse_names_of_tables(const std::string& out) {
  for (const std::filesystem::path& path : {std::filesystem::path(out), output_target(out)}) {
    const std::string name = path.filename().string();
    if (path.extension() == kTableExtension || name == kManifestName || name == ".lock") {
      throw not_over_tables(out, "has the name of a file of a table folder (" + name + ")");
    }
  }
}

// The same file may have other names.
void refuse_open_tables(const std::string& out, const TableFolder& folder) {
  std::error_code code;
  const auto refuse = [&](const std::filesystem::path& table) {
    if (std::filesystem::equivalent(out, table, code)) {
      throw not_over_tables(out, "is the table " + table.string());
    }
  };
  if (out == "-") return;
  for (const TableReader& table : folder.files()) refuse(table.path());
  for (const TableFolder::Fault& fault : folder.faults()) refuse(fault.path);
}

Order read_order(const Arguments& arguments) {
  Order order;
  order.choice = read_rules(arguments);
  order.folder = arguments.require("tables");
  order.level = parse_level("option --level", arguments.require("level"));
  const std::string what = one_of(arguments, "what", {"values", "distances", "guarantees"});
  for (const What one : {What::kDistances, What::kGuarantees}) {
    if (what == kind_name(one)) order.what = one;
  }
  const std::string format = one_of(arguments, "format", {"csv", "npy", "raw"});
  order.format = format == "csv" ? Format::kCsv : format == "npy" ? Format::kNpy : Format::kRaw;
  const std::string* out = arguments.find("out");
  order.out = out == nullptr ? "-" : *out;
  if (order.out.empty()) throw usage_error("option --out: '' is not a file");
  if (order.out != "-" && is_standard_output(order.out)) order.out = "-";
  if (order.out != "-") refuse_names_of_tables(order.out);
  if (arguments.position()) {
    if (family_of(order.choice.rules.game) == Family::kUrim) {
      throw usage_error("'" + *arguments.position() + "': tables of " +
                        std::string(game_name(order.choice.rules.game)) +
                        " hold all boards of a size and start from no position; give --pits");
    }
    order.start = read_board(order.choice, *arguments.position());
  }
  if (order.out == "-" && arguments.json()) {
    throw usage_error("--json prints its record where the data would go; give --out FILE with it");
  }
  if (order.out == "-" && order.format != Format::kCsv && output_is_terminal()) {
    throw usage_error("--format " + format +
                      " is not for a terminal; give --out FILE, or send the output to a file");
  }
  return order;
}

// ---- Which table ----

bool fits(const Order& order, const TableHeader& header) {
  if (header.seeds != order.level || !same_rules(header.rules, order.choice.rules)) return false;
  if (header.index == IndexKind::kRanks) {
    return header.shape.mover_pits == order.choice.pits_or_default();
  }
  if (order.start) {
    return header.root == order.start->position && header.shape == order.start->shape();
  }
  const unsigned pits = std::max<unsigned>(header.shape.mover_pits, header.shape.opponent_pits);
  return order.choice.pits == 0 || order.choice.pits == pits;
}

std::string wanted_text(const Order& order) {
  std::string text = "level " + std::to_string(order.level) + " of " +
                     std::string(game_name(order.choice.rules.game));
  if (order.start) {
    text += " from " + format_board(*order.start);
  } else if (family_of(order.choice.rules.game) == Family::kUrim || order.choice.pits != 0) {
    text += " 2x" + std::to_string(order.choice.pits_or_default());
  }
  return text + " (" + order.choice.canonical + ")";
}

Error missing(const Order& order, const TableFolder& folder, const std::string& what) {
  const std::string text = "no " + what + " of " + wanted_text(order) + " in " + order.folder +
                           "; there: " + contents_text(folder.files());
  if (folder.faults().empty()) return {ErrorClass::kIo, text};
  return {worst_class(folder.faults()), text + "; faulty files: " + faults_text(folder.faults())};
}

const TableReader& find_values(const Order& order, const TableFolder& folder) {
  const TableReader* found = nullptr;
  for (const TableReader& table : folder.files()) {
    const TableHeader& header = table.header();
    if (header.kind != TableKind::kValues || !fits(order, header)) continue;
    if (found != nullptr &&
        (found->header().root != header.root || found->header().shape != header.shape)) {
      throw usage_error(
          "rounds from more than one position hold a " + wanted_text(order) + ": give " +
          format_board(board_of(found->header().root, found->header().shape)) + " or " +
          format_board(board_of(header.root, header.shape)) + " as the position");
    }
    if (found == nullptr) found = &table;
  }
  if (found == nullptr) throw missing(order, folder, "table");
  return *found;
}

// ---- The index order in words ----

std::string index_rule(const TableHeader& header) {
  const std::string k = std::to_string(header.shape.mover_pits);
  if (header.index == IndexKind::kRanks) {
    const std::string limit = header.rules.pit_limit == 0
                                  ? ""
                                  : " and no pit above " + std::to_string(header.rules.pit_limit);
    return "all boards of two rows of " + k + " pits with n = " + std::to_string(header.seeds) +
           " seeds" + limit +
           ". Let B be the opponent's row, with b seeds, and A the row of the player to move, with "
           "n - b. Boards ascend by b, then by B, then by A; rows with the same number of seeds "
           "are ordered lexicographically, first pit in sowing order first. With count(s) the "
           "number of rows with s seeds and rank(X) a row's place among those with as many, from "
           "0, the index is sum over b' < b of count(b') * count(n - b') + rank(B) * count(n - b) "
           "+ rank(A)";
  }
  std::string text =
      "the positions reachable from the start with " + std::to_string(header.seeds) +
      " stones on the board, closed holes left out, row of the player to move first, compared "
      "lexicographically in sowing order, a1 first";
  if (header.shape.mover_pits != header.shape.opponent_pits) {
    text += "; those where the player to move has the row of " +
            std::to_string(header.shape.mover_pits) + " holes come before the others";
  }
  return text + ". The format csv lists them";
}

// ---- Formats ----

// The header of a .npy file, format 1.0: a Python literal, padded to a multiple of 64 bytes.
std::string npy_header(std::string_view type, const std::string& shape) {
  constexpr std::size_t kAlignment = 64;
  std::string literal = "{'descr': '" + std::string(type) +
                        "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const std::string magic("\x93NUMPY\x01\x00", 8);
  while ((magic.size() + 2 + literal.size() + 1) % kAlignment != 0) literal += ' ';
  literal += '\n';
  const auto bytes = static_cast<std::uint16_t>(literal.size());
  std::string header = magic;
  header += static_cast<char>(bytes & 0xff);
  header += static_cast<char>(bytes >> 8);
  return header + literal;
}

class Exporter {
 public:
  Exporter(const Order& order, const TableReader& values, const TableReader& table,
           ProgressLine& progress)
      : order_(order),
        table_(table),
        positions_(values),
        control_(progress.control()),
        file_(order.out) {}

  void run() {
    const std::string count = std::to_string(table_.header().positions);
    if (order_.format == Format::kNpy) {
      file_.write(npy_header(type(), count + (order_.what == What::kGuarantees ? ", 2" : ",")));
    }
    if (order_.format == Format::kCsv) file_.write("index,position," + column() + "\n");
    if (order_.what == What::kValues) {
      stream_values(
          table_, [this](LevelIndex first, std::span<const Value> block) { write(first, block); });
    } else if (order_.what == What::kGuarantees) {
      stream_guarantees(table_, [this](LevelIndex first, std::span<const Guarantee> block) {
        write(first, block);
      });
    } else {
      stream_distances(table_, [this](LevelIndex first, std::span<const std::uint16_t> block) {
        write(first, block);
      });
    }
    file_.finish();
  }

  std::uint64_t bytes() const { return file_.bytes(); }
  std::string_view type() const {
    return order_.what == What::kValues ? "|i1" : order_.what == What::kGuarantees ? "|u1" : "<u2";
  }

 private:
  std::string column() const {
    return order_.what == What::kValues       ? "value"
           : order_.what == What::kGuarantees ? "mover,opponent"
                                              : "distance";
  }
  static std::string cell(Value value) { return std::to_string(int{value}); }
  static std::string cell(std::uint16_t distance) {
    return distance == kNoDistance ? "" : std::to_string(distance);
  }
  static std::string cell(Guarantee pair) {
    return std::to_string(pair.mover) + "," + std::to_string(pair.opponent);
  }

  template <typename T>
  void write(LevelIndex first, std::span<const T> block) {
    if (order_.format != Format::kCsv) {  // the program runs on little-endian machines only
      file_.write({reinterpret_cast<const char*>(block.data()), block.size_bytes()});
    } else {
      std::string row;
      for (std::size_t i = 0; i < block.size(); ++i) {
        row = std::to_string(first + i) + "," + csv_field(format_board(positions_.at(first + i))) +
              ",";
        file_.write(row + cell(block[i]) + "\n");
      }
    }
    if (!control_.progress) return;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    control_.progress({"export", order_.level, order_.level, first + block.size(),
                       table_.header().positions, seconds});
  }

  const Order& order_;
  const TableReader& table_;
  PositionLister positions_;
  RunControl control_;
  OutputFile file_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Json export_record(const Order& order, const TableHeader& header, const Exporter& exporter) {
  Json record = {{"game", game_name(header.rules.game)}, {"rules", canonical_text(header.rules)}};
  if (header.index == IndexKind::kKeys) {
    record["start"] = format_board(board_of(header.root, header.shape));
  } else {
    record["pits"] = header.shape.mover_pits;
  }
  record["seeds"] = header.seeds;
  record["positions"] = header.positions;
  record["what"] = kind_name(order.what);
  record["format"] = order.format == Format::kRaw   ? "raw"
                     : order.format == Format::kNpy ? "npy"
                                                    : "csv";
  if (order.format != Format::kCsv) {
    record["type"] = exporter.type();
    if (order.what == What::kDistances) record["no_distance"] = kNoDistance;
  }
  record["out"] = order.out;
  record["bytes"] = exporter.bytes();
  record["digest"] = header.digest.hex();
  record["index_rule"] = index_rule(header);
  return record;
}

std::string contents_remark(const Order& order, const TableHeader& header) {
  std::string text =
      counted(header.positions, order.what == What::kGuarantees ? "pairs of guarantees"
                                                                : std::string(kind_name(order.what))) +
      " of level " + std::to_string(header.seeds) + ", " +
      std::string(game_name(header.rules.game)) + " " + rows_text(header.shape) + " (" +
      canonical_text(header.rules) + ")";
  if (order.format == Format::kCsv) return text;
  if (order.what == What::kValues) return text + ", a signed byte each";
  if (order.what == What::kGuarantees) return text + ", two bytes each, the player to move first";
  return text + ", 16 bits each, little-endian, " + std::to_string(kNoDistance) + " for none";
}

std::vector<OptionGroup> export_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.insert(
      groups.begin(),
      {"Export",
       {{"tables", "DIR", "Folder with table files. Needed."},
        {"level", "N", "The level: seeds (stones) on the board, 0 to 127. Needed."},
        {"what", "values|distances|guarantees",
         "Values in seeds, distances in plies to the next capture or the end, or the seeds that the player to move and "
         "his opponent can be sure of. Default values."},
        {"format", "csv|npy|raw",
         "csv: index, position, value (or distance, empty where there is none; or mover, opponent). npy: a NumPy array "
         "of signed bytes, of 16-bit unsigned numbers with 65535 for no distance, or of pairs of bytes. raw: the same "
         "without a header, little-endian. Default csv."},
        {"out", "FILE",
         "Where to; a file is there whole or not at all. No name of a file of a table folder. "
         "Default -: standard output."}}});
  return groups;
}

int run_export(const Arguments& arguments) {
  const Order order = read_order(arguments);
  const TableFolder folder(order.folder);
  refuse_open_tables(order.out, folder);
  if (!folder.faults().empty() && !arguments.quiet()) {
    complain("left out: " + faults_text(folder.faults()));
  }
  const TableReader& values = find_values(order, folder);
  const TableHeader& header = values.header();
  const TableReader* table =
      order.what == What::kValues      ? &values
      : order.what == What::kDistances ? folder.distances_of(values)
                                       : folder.find(header.rules, header.shape, header.seeds, order.what);
  if (table == nullptr) throw missing(order, folder, std::string(kind_name(order.what)));

  ProgressLine progress(arguments);
  Exporter exporter(order, values, *table, progress);
  exporter.run();
  progress.finish();
  if (arguments.json()) {
    print_record(export_record(order, table->header(), exporter));
  } else if (!arguments.quiet()) {
    complain(contents_remark(order, table->header()));
    complain("index order: " + index_rule(table->header()));
  }
  return 0;
}

}  // namespace

extern const Verb kExportVerb;
const Verb kExportVerb = {
    .name = "export",
    .synopsis = "--tables DIR --level N [POS] [options]",
    .summary = "values, distances or guarantees of a level as CSV, .npy or raw bytes",
    .description =
        "Writes the values, distances or guarantees of all positions of a level in index order, described in\n"
        "words on standard error, or in the record of --json. The rule options and --pits pick the "
        "table;\n"
        "where rounds of Rio Kadalis from several positions have such a level, POS says which.\n"
        "Memory does not grow with the level.",
    .example =
        "retrosow export --tables tables-urim --level 8 --format npy --out level8.npy\n"
        "retrosow export --tables tables-urim --level 8 --what distances\n"
        "retrosow export --tables tables-rio --game rio-kadalis --level 20",
    .position = PositionArgument::kOptional,
    .options = export_options,
    .run = run_export};

}  // namespace retrosow::cli
