// Rules as data: the games, their options, presets, and the canonical text of a rule set.
//
// A RuleSet says how moves, captures and ends work; it does not say how large the board is or how
// many seeds lie on it. Two families exist:
//
//   Urim family   one lap of sowing, the start pit skipped, runs of captures     urim, oware, awari
//   Rio Kadalis   relay sowing, groups of four, closed holes                     rio-kadalis
//
// oware and awari are presets of the Urim family: the same options with other defaults.
//
// Canonical text. `canonical_text` names, in a fixed order, exactly the options that change values:
// options that only change a drawing or a match (direction, starter) are left out, and so is an
// option that another one makes inert (see is_inert). Two rule sets of one family have the same text
// if and only if they are the same rules. It is what table files store and what digests are taken of:
//
//   pit-limit=17 pit-limit-rule=skip trigger=2,3 chain=2,3,4 grand-slam=capture starvation=feed remainder=row
//
// Source of the rules: README.md, section "Games and rules".
// Thread: everything here is a value or a pure function.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace retrosow {

enum class Game : std::uint8_t { kUrim, kOware, kAwari, kRioKadalis };
enum class Family : std::uint8_t { kUrim, kRioKadalis };

enum class PitLimitRule : std::uint8_t { kSkip, kForbid };
enum class GrandSlam : std::uint8_t { kCapture, kLeave, kForbid };
enum class Starvation : std::uint8_t { kFeed, kLeave };
enum class Remainder : std::uint8_t { kRow, kLastMover };
enum class Direction : std::uint8_t { kCcw, kCw };
enum class EndlessSow : std::uint8_t { kForbid, kDraw };
enum class Starter : std::uint8_t { kAlternate, kWinner, kLoser };

// A set of seed counts from 1 to 15, as `--trigger` and `--chain` take them; bit c stands for count c.
struct CountSet {
  std::uint16_t bits = 0;

  constexpr bool contains(unsigned count) const { return count < 16 && ((bits >> count) & 1U) != 0; }
  bool operator==(const CountSet&) const = default;
};

inline constexpr unsigned kMaxSetCount = 15;   // largest count in a CountSet
inline constexpr unsigned kMaxPitLimit = 127;  // largest --pit-limit

struct RuleSet {
  Game game = Game::kUrim;

  // Urim family.
  unsigned pit_limit = 17;  // seeds; 0 = no limit
  PitLimitRule pit_limit_rule = PitLimitRule::kSkip;
  CountSet trigger{0b0000'1100};  // 2,3
  CountSet chain{0b0001'1100};    // 2,3,4
  GrandSlam grand_slam = GrandSlam::kCapture;
  Starvation starvation = Starvation::kFeed;
  Remainder remainder = Remainder::kRow;

  // Rio Kadalis.
  Direction direction = Direction::kCcw;
  EndlessSow endless_sow = EndlessSow::kForbid;
  Starter starter = Starter::kAlternate;

  bool operator==(const RuleSet&) const = default;
};

Family family_of(Game game);
std::string_view game_name(Game game);
// "seeds" in the Urim family, "stones" in Rio Kadalis.
std::string_view unit_of(const RuleSet& rules);

// Fails: usage error that lists the known games.
Game parse_game(std::string_view name);
std::span<const Game> all_games();

// The default rules of a game, its default seeds in every pit, and the most pits a row may have.
RuleSet preset(Game game);
unsigned default_seeds_per_pit(Game game);
inline constexpr unsigned kDefaultPits = 6;
inline constexpr unsigned kMaxPits = 8;

// One rule option as the command line shows it.
struct RuleOption {
  std::string_view name;     // without the leading --
  std::string_view values;   // what it takes, for people
  std::string_view meaning;  // one sentence
  std::string_view source;   // where the point is decided
  bool changes_values;       // false: a drawing or a match only
};

// The options of a game, in canonical order.
std::span<const RuleOption> options_of(Game game);

// Sets one option from its text. Fails: usage error that names the option, the value and what would
// be right; an option that the game does not have is one, too.
void set_option(RuleSet& rules, std::string_view name, std::string_view value);

// The text of an option's value. Pre: the game has the option.
std::string option_value(const RuleSet& rules, std::string_view name);

// Whether an option has no bearing on moves and values beside the others of the set:
// grand-slam under starvation=leave; pit-limit-rule under pit-limit=0; remainder where a player with
// seeds in his row always has a move (no pit limit, no forbidden grand slams).
bool is_inert(const RuleSet& rules, std::string_view name);

std::string canonical_text(const RuleSet& rules);

// The rule set that a canonical text stands for; options that are left out take their defaults.
// Fails: usage error on an unknown option or value.
RuleSet parse_canonical_text(Game game, std::string_view text);

// Whether both play alike: same family, same canonical text.
bool same_rules(const RuleSet& a, const RuleSet& b);

}  // namespace retrosow
