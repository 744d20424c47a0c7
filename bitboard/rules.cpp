#include "bitboard/rules.h"

#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "bitboard/error.h"

namespace retrosow {
namespace {

constexpr std::array kGames = {Game::kUrim, Game::kOware, Game::kAwari, Game::kRioKadalis};

constexpr std::array<RuleOption, 7> kUrimOptions = {{
    {"pit-limit", "0..127", "no pit may hold more seeds than this; 0 = no limit",
     "Urim's description (17)", true},
    {"pit-limit-rule", "skip | forbid",
     "skip: a full pit is passed over; forbid: a move that would overfill a pit is illegal",
     "decided here", true},
    {"trigger", "counts 1..15, e.g. 2,3", "the last seed captures if it makes an opponent's pit one of these",
     "Urim's description", true},
    {"chain", "counts 1..15, e.g. 2,3,4, or none",
     "the capture runs on backwards over adjacent opponent's pits that hold one of these",
     "Urim's description", true},
    {"grand-slam", "capture | leave | forbid",
     "a capture of all the opponent's seeds: taken, not taken, or the move is illegal",
     "decided here; oware: Abapa rules", true},
    {"starvation", "feed | leave",
     "feed: an opponent with an empty row must be given seeds if possible; leave: a move that leaves him "
     "none is illegal unless all do",
     "Urim's description; awari: Computer Olympiad rules (Lincke 2002)", true},
    {"remainder", "row | last-mover",
     "who takes the seeds left at the end: the owner of the row, or the player who moved last",
     "decided here", true},
}};

constexpr std::array<RuleOption, 3> kRioOptions = {{
    {"direction", "ccw | cw", "how a board is drawn; positions and values are the same", "both are played",
     false},
    {"endless-sow", "forbid | draw",
     "forbid: a hole whose sowing never ends may not be chosen; draw: it may, the round ends and what is "
     "left is split evenly",
     "decided here", true},
    {"starter", "alternate | winner | loser", "who starts the next round of a match", "decided here", false},
}};

// Names of enumerators, in the order of the enumeration.
constexpr std::array<std::string_view, 2> kPitLimitRules = {"skip", "forbid"};
constexpr std::array<std::string_view, 3> kGrandSlams = {"capture", "leave", "forbid"};
constexpr std::array<std::string_view, 2> kStarvations = {"feed", "leave"};
constexpr std::array<std::string_view, 2> kRemainders = {"row", "last-mover"};
constexpr std::array<std::string_view, 2> kDirections = {"ccw", "cw"};
constexpr std::array<std::string_view, 2> kEndlessSows = {"forbid", "draw"};
constexpr std::array<std::string_view, 3> kStarters = {"alternate", "winner", "loser"};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

const RuleOption* find_option(Game game, std::string_view name) {
  for (const RuleOption& option : options_of(game)) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

Error bad_value(std::string_view name, std::string_view value, std::string_view right) {
  return usage_error("option --" + std::string(name) + ": " + quoted(value) + " is not one of " +
                     std::string(right));
}

template <typename Enum, std::size_t N>
void set_enum(Enum& target, std::string_view name, std::string_view value, std::string_view right,
              const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == value) {
      target = static_cast<Enum>(i);
      return;
    }
  }
  throw bad_value(name, value, right);
}

template <typename Enum, std::size_t N>
std::string enum_name(Enum value, const std::array<std::string_view, N>& names) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

std::optional<unsigned> whole_number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

CountSet parse_count_set(const RuleOption& option, std::string_view text) {
  CountSet set;
  if (text == "none" && option.name == "chain") return set;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::optional<unsigned> count = whole_number(rest.substr(0, comma));
    if (!count || *count < 1 || *count > kMaxSetCount) throw bad_value(option.name, text, option.values);
    set.bits = static_cast<std::uint16_t>(set.bits | (1U << *count));
    if (comma == std::string_view::npos) return set;
    rest.remove_prefix(comma + 1);
  }
}

std::string format_count_set(CountSet set) {
  std::string text;
  for (unsigned c = 1; c <= kMaxSetCount; ++c) {
    if (!set.contains(c)) continue;
    if (!text.empty()) text += ',';
    text += std::to_string(c);
  }
  return text.empty() ? "none" : text;
}

}  // namespace

Family family_of(Game game) { return game == Game::kRioKadalis ? Family::kRioKadalis : Family::kUrim; }

std::string_view unit_of(const RuleSet& rules) {
  return family_of(rules.game) == Family::kUrim ? "seeds" : "stones";
}

std::string_view game_name(Game game) {
  switch (game) {
    case Game::kUrim: return "urim";
    case Game::kOware: return "oware";
    case Game::kAwari: return "awari";
    case Game::kRioKadalis: return "rio-kadalis";
  }
  return "";
}

Game parse_game(std::string_view name) {
  for (const Game game : kGames) {
    if (game_name(game) == name) return game;
  }
  throw usage_error("option --game: " + quoted(name) + " is not one of urim, oware, awari, rio-kadalis");
}

std::span<const Game> all_games() { return kGames; }

RuleSet preset(Game game) {
  RuleSet rules;
  rules.game = game;
  if (game == Game::kOware || game == Game::kAwari) {
    rules.pit_limit = 0;
    rules.chain = rules.trigger;
  }
  if (game == Game::kOware) rules.grand_slam = GrandSlam::kLeave;
  if (game == Game::kAwari) rules.starvation = Starvation::kLeave;
  return rules;
}

unsigned default_seeds_per_pit(Game game) { return game == Game::kUrim ? 3 : 4; }

std::span<const RuleOption> options_of(Game game) {
  if (family_of(game) == Family::kRioKadalis) return kRioOptions;
  return kUrimOptions;
}

void set_option(RuleSet& rules, std::string_view name, std::string_view value) {
  const RuleOption* option = find_option(rules.game, name);
  if (option == nullptr) {
    std::string known;
    for (const RuleOption& o : options_of(rules.game)) known += " --" + std::string(o.name);
    throw usage_error("the game " + std::string(game_name(rules.game)) + " has no option --" +
                      std::string(name) + "; it has" + known);
  }
  if (name == "pit-limit") {
    const std::optional<unsigned> limit = whole_number(value);
    if (!limit || *limit > kMaxPitLimit) throw bad_value(name, value, option->values);
    rules.pit_limit = *limit;
  } else if (name == "pit-limit-rule") {
    set_enum(rules.pit_limit_rule, name, value, option->values, kPitLimitRules);
  } else if (name == "trigger") {
    rules.trigger = parse_count_set(*option, value);
  } else if (name == "chain") {
    rules.chain = parse_count_set(*option, value);
  } else if (name == "grand-slam") {
    set_enum(rules.grand_slam, name, value, option->values, kGrandSlams);
  } else if (name == "starvation") {
    set_enum(rules.starvation, name, value, option->values, kStarvations);
  } else if (name == "remainder") {
    set_enum(rules.remainder, name, value, option->values, kRemainders);
  } else if (name == "direction") {
    set_enum(rules.direction, name, value, option->values, kDirections);
  } else if (name == "endless-sow") {
    set_enum(rules.endless_sow, name, value, option->values, kEndlessSows);
  } else {
    set_enum(rules.starter, name, value, option->values, kStarters);
  }
}

std::string option_value(const RuleSet& rules, std::string_view name) {
  if (name == "pit-limit") return std::to_string(rules.pit_limit);
  if (name == "pit-limit-rule") return enum_name(rules.pit_limit_rule, kPitLimitRules);
  if (name == "trigger") return format_count_set(rules.trigger);
  if (name == "chain") return format_count_set(rules.chain);
  if (name == "grand-slam") return enum_name(rules.grand_slam, kGrandSlams);
  if (name == "starvation") return enum_name(rules.starvation, kStarvations);
  if (name == "remainder") return enum_name(rules.remainder, kRemainders);
  if (name == "direction") return enum_name(rules.direction, kDirections);
  if (name == "endless-sow") return enum_name(rules.endless_sow, kEndlessSows);
  return enum_name(rules.starter, kStarters);
}

bool is_inert(const RuleSet& rules, std::string_view name) {
  const bool slams_may_be_illegal =
      rules.starvation == Starvation::kFeed && rules.grand_slam == GrandSlam::kForbid;
  if (name == "grand-slam") return rules.starvation == Starvation::kLeave;
  if (name == "pit-limit-rule") return rules.pit_limit == 0;
  if (name == "remainder") return rules.pit_limit == 0 && !slams_may_be_illegal;
  return false;
}

std::string canonical_text(const RuleSet& rules) {
  std::string text;
  for (const RuleOption& option : options_of(rules.game)) {
    if (!option.changes_values || is_inert(rules, option.name)) continue;
    if (!text.empty()) text += ' ';
    text += std::string(option.name) + '=' + option_value(rules, option.name);
  }
  return text;
}

RuleSet parse_canonical_text(Game game, std::string_view text) {
  RuleSet rules = preset(game);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t space = rest.find(' ');
    const std::string_view item = rest.substr(0, space);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      throw usage_error("rules text: " + quoted(item) + " is not of the form option=value");
    }
    set_option(rules, item.substr(0, equals), item.substr(equals + 1));
    if (space == std::string_view::npos) break;
    rest.remove_prefix(space + 1);
  }
  return rules;
}

bool same_rules(const RuleSet& a, const RuleSet& b) {
  return family_of(a.game) == family_of(b.game) && canonical_text(a) == canonical_text(b);
}

}  // namespace retrosow
