// What the tables of a folder say about a position: shared by `probe` and `line`.
//
// Every answer is checked against its neighbours: a value must be that of the best move, a distance
// that of the moves that keep the value, guarantees those behind the moves. What contradicts itself is damaged, whatever
// its checksums say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/cli/arguments.h"
#include "solver/cli/evaluation_output.h"
#include "solver/cli/generators.h"
#include "solver/cli/rule_options.h"
#include "tables/table_file.h"

namespace retrosow::cli {

struct Probed {
  const TableReader* table = nullptr;      // that the value comes from
  const TableReader* distances = nullptr;  // that go with it; null where there are none
  int value = 0;
  Evaluation moves;
  PlyDistances plies;  // with distances
  const TableReader* guarantees = nullptr;  // of the same level; null where there are none
  MoveGuarantees sure;                      // with guarantees
};

class TableProbe {
 public:
  // Remarks on files that are left out go to standard error.
  // Fails: io error if --tables is no folder; usage error if it is not given.
  TableProbe(const Arguments& arguments, const RuleChoice& choice);

  // Fails: io error that says which level is missing and what is there; limit error above kMaxLevelSeeds; corrupt error where a file that
  // is needed is damaged or contradicts itself.
  Probed probe(const Board& board);

  // The error for a level that has values, but no distances: io, and says how to make them, if there is a way.
  Error missing_distances(const Board& board, const Probed& found) const;

  const MoveGenerator& generator(Shape shape) { return generators_.of(shape); }

 private:
  void find_value(const Board& board, Probed& found) const;
  void find_distances(const Board& board, Probed& found);
  void find_guarantees(const Board& board, Probed& found);
  // The distance behind a move that stays in the level, from the position that it leads to.
  std::uint16_t distance_behind(const Probed& found, const Position& child, Shape shape,
                                int child_value) const;
  Evaluation look_ahead(const Board& board);
  Error missing(const Board& board, bool level_there) const;

  const RuleChoice* choice_;
  std::filesystem::path path_;
  TableFolder folder_;
  std::string contents_;                    // what the folder holds, for messages
  std::vector<const TableReader*> tables_;  // values of the rules, in folder_
  Generators generators_;
};

}  // namespace retrosow::cli
