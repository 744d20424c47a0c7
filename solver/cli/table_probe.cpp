#include "solver/cli/table_probe.h"

#include "solver/cli/output.h"
#include "tables/table_listing.h"

namespace retrosow::cli {
namespace {

// A file name as a shell reads it.
std::string shell_word(const std::string& name) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  // One that begins like an option is given by a path that does not.
  const std::string word = name.starts_with('-') ? "./" + name : name;
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

TableProbe::TableProbe(const Arguments& arguments, const RuleChoice& choice)
    : Prober(arguments.require("tables"), choice.rules), path_(arguments.require("tables")) {
  if (arguments.verbose()) complain("rules " + choice.canonical + ", folder " + path_);
  if (!folder().faults().empty() && !arguments.quiet()) {
    complain("left out: " + faults_text(folder().faults()));
  }
}

TableProbe::TableProbe(const std::filesystem::path& path, const TableFolder& folder, const RuleChoice& choice)
    : Prober(path, folder, choice.rules), path_(path) {}

Error TableProbe::missing_distances(const Board& board, const Probed& found) const {
  const Error missing = Prober::missing_distances(board, found);
  const TableHeader& header = found.table->header();
  std::string text = std::string(missing.what()) + "; `retrosow build --distance --out " +
                     shell_word(path_) + " --game " + std::string(game_name(rules().game)) +
                     options_text(rules());
  if (header.index == IndexKind::kKeys) {
    text += " " + format_board(board_of(header.root, header.shape));
  } else {
    text += " --pits " + std::to_string(header.shape.mover_pits) + " --seeds " +
            std::to_string(header.seeds);
  }
  text += "` adds them";
  return {missing.error_class(), text};
}

}  // namespace retrosow::cli
