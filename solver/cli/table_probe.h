// `--tables DIR` as `probe` and `line` take it: a prober (tables/prober.h) that says on standard error what it leaves
// out, and how to make what is missing.
#pragma once

#include "solver/cli/arguments.h"
#include "solver/cli/evaluation_output.h"
#include "solver/cli/rule_options.h"
#include "tables/prober.h"

namespace retrosow::cli {

class TableProbe : public Prober {
 public:
  // Remarks on files that are left out go to standard error.
  // Fails: io error if --tables is no folder; usage error if it is not given.
  TableProbe(const Arguments& arguments, const RuleChoice& choice);
  // Of a folder that is open already and outlives this; `path` is its name in messages.
  TableProbe(const std::filesystem::path& path, const TableFolder& folder, const RuleChoice& choice);

  // Prober::missing_distances, with the command that adds them.
  Error missing_distances(const Board& board, const Probed& found) const;

 private:
  std::string path_;
};

}  // namespace retrosow::cli
