// `retrosow rules`: the games, their rule options, defaults, and where each point is decided.

#include "bitboard/rules.h"
#include "solver/cli/arguments.h"
#include "solver/cli/output.h"
#include "solver/cli/records.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

std::vector<OptionGroup> rules_options() {
  std::string names;
  for (const Game game : all_games())
    names += (names.empty() ? "" : "|") + std::string(game_name(game));
  return {{"Rules", {{"game", names, "Only this game. Default: all of them."}}}};
}

std::string game_text(Game game) {
  const RuleSet rules = preset(game);
  const char* unit = family_of(game) == Family::kUrim ? " seeds" : " stones";
  std::string text = std::string(game_name(game)) + ": start 2x" + std::to_string(kDefaultPits) +
                     " with " + std::to_string(default_seeds_per_pit(game)) + unit +
                     " a pit, rows of 1 to " + std::to_string(kMaxPits) + "\n";
  for (const RuleOption& option : options_of(game)) {
    text += "\n  --" + std::string(option.name) + "  " + std::string(option.values) + "; default " +
            option_value(rules, option.name) +
            (is_inert(rules, option.name) ? ", inert beside the other defaults" : "") + "\n      " +
            std::string(option.meaning) + "\n      source: " + std::string(option.source) + "\n";
  }
  return text;
}

int run_rules(const Arguments& arguments) {
  std::vector<Game> games(all_games().begin(), all_games().end());
  if (const std::string* name = arguments.find("game")) games = {parse_game(*name)};
  for (const Game game : games) {
    if (arguments.json()) {
      print_record(game_record(game));
    } else {
      print((game == games.front() ? "" : "\n") + game_text(game));
    }
  }
  return 0;
}

}  // namespace

extern const Verb kRulesVerb;
const Verb kRulesVerb = {
    .name = "rules",
    .synopsis = "[--game G]",
    .summary = "list the games and their rule options",
    .description =
        "Lists the games, the options of their rules with defaults, and where each is decided.\n"
        "An option is inert where another one leaves it no bearing on the game.",
    .example = "retrosow rules --game urim",
    .options = rules_options,
    .run = run_rules};

}  // namespace retrosow::cli
