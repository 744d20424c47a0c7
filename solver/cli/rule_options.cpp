#include "solver/cli/rule_options.h"

#include <algorithm>
#include <set>

#include "bitboard/error.h"
#include "solver/cli/record_file.h"

namespace retrosow::cli {
namespace {

bool has_option(Game game, std::string_view name) {
  const auto options = options_of(game);
  return std::any_of(options.begin(), options.end(),
                     [&](const RuleOption& option) { return option.name == name; });
}

std::string list_of_games(bool with_seeds) {
  std::string text;
  for (const Game game : all_games()) {
    text += (text.empty() ? "" : with_seeds ? ", " : "|") + std::string(game_name(game));
    if (with_seeds) text += " " + std::to_string(default_seeds_per_pit(game));
  }
  return text;
}

// "default 17", or "default urim 17, oware 0" where the games differ.
std::string defaults_text(const std::vector<Game>& games, std::string_view option) {
  std::set<std::string> values;
  std::string each;
  for (const Game game : games) {
    const std::string value = option_value(preset(game), option);
    values.insert(value);
    each += (each.empty() ? "" : ", ") + std::string(game_name(game)) + " " + value;
  }
  return "Default " + (values.size() == 1 ? *values.begin() : each) + ".";
}

// "skip|forbid" where an option takes one of some words, else empty.
std::string choices_of(const RuleOption& option) {
  std::string choices(option.values);
  if (choices.find('|') == std::string::npos) return "";
  std::erase(choices, ' ');
  return choices;
}

OptionGroup family_group(Family family) {
  std::vector<Game> games;
  std::string names;
  for (const Game game : all_games()) {
    if (family_of(game) != family) continue;
    games.push_back(game);
    names += (names.empty() ? "" : ", ") + std::string(game_name(game));
  }
  OptionGroup group{"Rules of " + names, {}};
  for (const RuleOption& option : options_of(games.front())) {
    const std::string choices = choices_of(option);
    std::string meaning(option.meaning);
    if (choices.empty()) meaning += " (" + std::string(option.values) + ")";
    group.options.push_back({std::string(option.name), choices.empty() ? "VALUE" : choices,
                             meaning + ". " + defaults_text(games, option.name)});
  }
  return group;
}

}  // namespace

std::vector<OptionGroup> rule_option_groups(bool start, Game default_game) {
  OptionGroup board{
      "Game and board",
      {{"game", list_of_games(false),
        "The game. Default " + std::string(game_name(default_game)) + "."},
       {"pits", "K",
        "Pits in a row, 1 to " + std::to_string(kMaxPits) + ". Default: as in the position, else " +
            std::to_string(kDefaultPits) + "."}}};
  if (start) {
    board.options.push_back(
        {"seeds-per-pit", "S",
         "Seeds in every pit of the position `start`. Default: " + list_of_games(true) + "."});
  }
  return {board, family_group(Family::kUrim), family_group(Family::kRioKadalis)};
}

namespace {

RuleChoice rules_of_record(const Arguments& arguments, const GameRecord& record) {
  for (const OptionGroup& group : rule_option_groups()) {
    for (const OptionSpec& option : group.options) {
      if (!arguments.given(option.name)) continue;
      throw usage_error("--" + option.name + " and --record are both given; the record says its rules itself");
    }
  }
  RuleChoice choice;
  choice.rules = record.game.rules();
  choice.canonical = canonical_text(choice.rules);
  choice.rules_given = true;
  const PlayedRound& round = record.game.round();
  if (round.end() == RoundEnd::kEndlessSow && arguments.given("ply")) {
    throw usage_error("option --ply: the last sowing never ends, so there is no position behind it; that before it is "
                      "the one after " + std::to_string(round.plies().size() - 1));
  }
  const std::size_t mover = index_of(round.to_move()), opponent = 1 - mover;
  choice.pits = round.board().pits;
  choice.record = {round.board(), round.captured()[mover], round.captured()[opponent]};
  return choice;
}

}  // namespace

RuleChoice read_rules(const Arguments& arguments, Game default_game) {
  if (const auto record = read_record_option(arguments)) return rules_of_record(arguments, *record);
  RuleChoice choice;
  Game game = default_game;
  if (const std::string* name = arguments.find("game")) {
    game = parse_game(*name);
    choice.rules_given = true;
  }
  choice.rules = preset(game);

  std::set<std::string_view> seen;
  for (const Game other : all_games()) {
    for (const RuleOption& option : options_of(other)) {
      const std::string* value = arguments.find(option.name);
      if (value == nullptr || !seen.insert(option.name).second) continue;
      if (!has_option(game, option.name)) {
        std::string own;
        for (const RuleOption& o : options_of(game))
          own += (own.empty() ? "--" : ", --") + std::string(o.name);
        throw usage_error("--" + std::string(option.name) + " is an option of " +
                          std::string(game_name(other)) + ", not of " +
                          std::string(game_name(game)) + ", which has " + own);
      }
      set_option(choice.rules, option.name, *value);
      choice.rules_given = true;
    }
  }
  choice.canonical = canonical_text(choice.rules);

  if (const std::string* pits = arguments.find("pits")) {
    choice.pits = parse_number("option --pits", *pits, 1, kMaxPits);
  }
  const std::string* seeds = arguments.find("seeds-per-pit");
  choice.seeds_per_pit = seeds == nullptr
                             ? default_seeds_per_pit(game)
                             : parse_number("option --seeds-per-pit", *seeds, 0, kMaxBoardSeeds);
  return choice;
}

Board read_board(const RuleChoice& choice, std::string_view text) {
  return parse_board(choice.rules, text, choice.pits, choice.seeds_per_pit);
}

std::string options_text(const RuleSet& rules) {
  std::string text;
  for (const RuleOption& option : options_of(rules.game)) {
    const std::string value = option_value(rules, option.name);
    if (value == option_value(preset(rules.game), option.name)) continue;
    text += " --" + std::string(option.name) + " " + value;
  }
  return text;
}

std::string_view unit_of(const RuleSet& rules) {
  return family_of(rules.game) == Family::kUrim ? "seeds" : "stones";
}

}  // namespace retrosow::cli
