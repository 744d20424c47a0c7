// `retrosow probe`: the value of a position, and of its moves, from table files.

#include "solver/cli/batch.h"
#include "solver/cli/record_file.h"
#include "solver/cli/table_probe.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

class ProbeAnswer {
 public:
  ProbeAnswer(const Arguments& arguments, const RuleChoice& choice)
      : choice_(&choice), captured_(read_captured(arguments, choice)), tables_(arguments, choice) {}

  Reply operator()(const Board& board, Form form) {
    const Probed found = tables_.probe(board);
    const PlyDistances* plies = found.distances == nullptr ? nullptr : &found.plies;
    const ProbedGuarantees guarantees = tables_.guarantees(board, found);
    const MoveGuarantees* sure = guarantees.table == nullptr ? nullptr : &guarantees.sure;
    Reply reply;
    switch (form) {
      case Form::kJson:
        reply.record = position_record(*choice_, board);
        add_evaluation(reply.record, board, found.value, &found.moves, plies, sure);
        if (captured_) add_final(reply.record, *choice_, board, found.value, *captured_);
        reply.record["seeds"] = total_seeds(board.position);
        reply.record["digest"] = found.table->header().digest.hex();
        break;
      case Form::kText:
        reply.text = evaluation_text(*choice_, board, found.value, &found.moves, captured_, plies, sure) +
                     "\nfrom     " + found.table->path().string() + "\n";
        if (plies != nullptr) reply.text += "and      " + found.distances->path().string() + "\n";
        if (sure != nullptr) reply.text += "and      " + guarantees.table->path().string() + "\n";
        break;
      case Form::kLine:
        reply.text = evaluation_line(board, found.value, &found.moves, plies, sure);
        break;
    }
    return reply;
  }

 private:
  const RuleChoice* choice_;
  std::optional<Captured> captured_;
  TableProbe tables_;
};

std::vector<OptionGroup> probe_options() {
  std::vector<OptionGroup> groups = rule_option_groups();
  groups.insert(groups.begin(),
                {"Tables",
                 {{"tables", "DIR", "Folder with table files, as `build` makes it. Needed."},
                  captured_option()}});
  groups.push_back(record_option_group());
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
    .summary = "value and distance of a position and of every move, from tables",
    .description =
        "Reads the value of POS and of its moves from the table files in DIR. The right files are "
        "found by\n"
        "rules, board size and number of seeds; files of other rules may lie beside them. Where "
        "DIR has\n"
        "distances, too (plies to the next capture or the end), they are shown with the best moves "
        "that make\n"
        "progress: of a won position those of least distance, of a lost one those of greatest.\n"
        "Where it has guarantees, the seeds that each side can be sure of are shown (`sure`), and whether the\n"
        "value rests on the even split of endless play or is forced anyway.\n"
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
