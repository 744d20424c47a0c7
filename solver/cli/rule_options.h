// The rule options of the command line: --game, --pits, --seeds-per-pit and the options of the rules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bitboard/notation.h"
#include "solver/cli/arguments.h"

namespace retrosow::cli {

// What --record says.
struct RecordPosition {
  Board board;
  unsigned captured_mover = 0, captured_opponent = 0;
};

struct RuleChoice {
  RuleSet rules;
  std::string canonical;       // canonical_text(rules), for records
  unsigned pits = 0;           // 0: not given
  unsigned seeds_per_pit = 0;  // the game's own where none is given
  bool rules_given = false;    // --game or an option of the rules
  std::optional<RecordPosition> record;

  unsigned pits_or_default() const { return pits == 0 ? kDefaultPits : pits; }
};

// The help of these options. `start`: with --seeds-per-pit.
std::vector<OptionGroup> rule_option_groups(bool start = true, Game default_game = Game::kUrim);

// Of a verb that takes --record: rules and position of the record, if one is given.
// Fails: usage error; for an option of another game it lists the options of the one that is asked for. What reading the
// record throws.
RuleChoice read_rules(const Arguments& arguments, Game default_game = Game::kUrim);

// parse_board under the chosen options.
Board read_board(const RuleChoice& choice, std::string_view text);

// The options that make these rules from the game's own, as words behind a command: " --pit-limit 5".
std::string options_text(const RuleSet& rules);

// "seeds" in the Urim family, "stones" in Rio Kadalis.
std::string_view unit_of(const RuleSet& rules);

}  // namespace retrosow::cli
