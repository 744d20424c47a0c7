// `retrosow probe`: the value of a position, and of its moves, from table files.

#include "solver/cli/batch.h"
#include "solver/cli/evaluation_output.h"
#include "solver/cli/generators.h"
#include "solver/cli/table_listing.h"
#include "solver/cli/text_table.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

class ProbeAnswer {
 public:
  ProbeAnswer(const Arguments& arguments, const RuleChoice& choice)
      : choice_(&choice),
        captured_(read_captured(arguments)),
        path_(arguments.require("tables")),
        folder_(path_, choice.rules),
        contents_(contents_text(folder_.files())),
        generators_(choice.rules) {
    const Digest digest = rules_digest(choice.rules);
    for (const TableReader& table : folder_.files()) {
      if (table.header().rules_digest == digest) tables_.push_back(&table);
    }
    if (arguments.verbose()) complain("rules " + choice.canonical + ", folder " + path_.string());
    if (!folder_.faults().empty() && !arguments.quiet()) {
      complain("left out: " + faults_text(folder_.faults()));
    }
  }

  Reply operator()(const Board& board, Form form) {
    const Found found = find(board);
    const Evaluation moves = look_ahead(board);
    if (moves.value != found.value) {
      Error error(ErrorClass::kCorrupt, "table file " + found.table->path().string() +
                                            " contradicts its neighbours: " + format_board(board) +
                                            " has value " + std::to_string(found.value) +
                                            ", but its best move " + std::to_string(moves.value));
      error.path = found.table->path().string();
      throw error;
    }
    Reply reply;
    switch (form) {
      case Form::kJson:
        reply.record = position_record(*choice_, board);
        add_evaluation(reply.record, board, found.value, &moves);
        if (captured_) add_final(reply.record, *choice_, board, found.value, *captured_);
        reply.record["seeds"] = total_seeds(board.position);
        reply.record["digest"] = found.table->header().digest.hex();
        break;
      case Form::kText:
        reply.text = evaluation_text(*choice_, board, found.value, &moves, captured_) +
                     "\nfrom     " + found.table->path().string() + "\n";
        break;
      case Form::kLine: reply.text = evaluation_line(board, found.value, &moves); break;
    }
    return reply;
  }

 private:
  struct Found {
    const TableReader* table = nullptr;
    int value = 0;
  };

  // The value, from the first file that holds the position. There may be several of one level where
  // rounds from different starts lie in one folder.
  Found find(const Board& board) const {
    const Shape shape = board.shape();
    const unsigned seeds = total_seeds(board.position);
    bool level_there = false;
    for (const TableReader* table : tables_) {
      const TableHeader& header = table->header();
      const bool rows_fit = header.shape == shape || header.shape == shape.swapped();
      if (header.seeds != seeds || !rows_fit) continue;
      level_there = true;
      if (const std::optional<int> value = table->value(board.position, shape)) {
        return {table, *value};
      }
    }
    throw missing(board, level_there);
  }

  Evaluation look_ahead(const Board& board) {
    try {
      return evaluate(generators_.of(board.shape()), folder_, board.position, board.shape());
    } catch (const Error& error) {
      // A level below is not there: perhaps because its file is damaged.
      if (error.error_class() != ErrorClass::kIo || folder_.faults().empty()) throw;
      throw Error(worst_class(folder_.faults()),
                  std::string(error.what()) + "; faulty files: " + faults_text(folder_.faults()));
    }
  }

  Error missing(const Board& board, bool level_there) const {
    const std::string level = std::to_string(total_seeds(board.position));
    std::string text =
        level_there
            ? format_board(board) + " is not among the positions of level " + level + " in "
            : "no table of level " + level + " of " + std::string(game_name(choice_->rules.game)) +
                  " " + rows_text(board.shape()) + " (" + choice_->canonical + ") in ";
    text += path_.string() + "; there: " + contents_;
    if (folder_.faults().empty()) return {ErrorClass::kIo, text};
    return {worst_class(folder_.faults()),
            text + "; faulty files: " + faults_text(folder_.faults())};
  }

  const RuleChoice* choice_;
  std::optional<Captured> captured_;
  std::filesystem::path path_;
  TableFolder folder_;
  std::string contents_;                    // what the folder holds, for messages
  std::vector<const TableReader*> tables_;  // those of the rules, in folder_
  Generators generators_;
};

std::vector<OptionGroup> probe_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.insert(groups.begin(),
                {"Tables",
                 {{"tables", "DIR", "Folder with table files, as `build` makes it. Needed."},
                  captured_option()}});
  return groups;
}

int run_probe(const Arguments& arguments) {
  const RuleChoice choice = read_rules(arguments);
  ProbeAnswer answer(arguments, choice);
  return answer_positions(arguments, choice, std::ref(answer));
}

}  // namespace

extern const Verb kProbeVerb;
const Verb kProbeVerb = {
    .name = "probe",
    .synopsis = "--tables DIR POS [options]",
    .summary = "value of a position and of every move, from tables",
    .description =
        "Reads the value of POS and of its moves from the table files in DIR. The right files are "
        "found by\n"
        "rules, board size and number of seeds; files of other rules may lie beside them.\n"
        "POS is a1,..,ak/b1,..,bk, first the row of the player to move, each row in its own sowing "
        "order\n"
        "(x: a closed hole), or `start`, or `-` to read one position per line from standard input.",
    .example =
        "retrosow probe --tables tables-urim 1,0,2,0,0,1/0,3,0,0,1,0\n"
        "retrosow probe --tables tables-rio start --game rio-kadalis --pits 5 --json",
    .position = PositionArgument::kRequired,
    .options = probe_options,
    .run = run_probe};

}  // namespace retrosow::cli
