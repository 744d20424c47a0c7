// Rules as data: canonical texts, digests, and what it means that an option is inert.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/rules.h"
#include "tables/digest.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/solving.h"

namespace retrosow::test {
namespace {

// ---- Canonical texts ----

TEST(Rules, TheCanonicalTextsOfThePresetsAreTheseLetterForLetter) {
  EXPECT_EQ(canonical_text(preset(Game::kUrim)),
            "pit-limit=17 pit-limit-rule=skip trigger=2,3 chain=2,3,4 grand-slam=capture "
            "starvation=feed remainder=row");
  EXPECT_EQ(canonical_text(preset(Game::kOware)),
            "pit-limit=0 trigger=2,3 chain=2,3 grand-slam=leave starvation=feed");
  EXPECT_EQ(canonical_text(preset(Game::kAwari)),
            "pit-limit=0 trigger=2,3 chain=2,3 starvation=leave");
  EXPECT_EQ(canonical_text(preset(Game::kRioKadalis)), "endless-sow=forbid");
}

TEST(Rules, PresetsAreTheGamesDefaults) {
  for (const Game game : all_games()) {
    EXPECT_EQ(preset(game).game, game);
    EXPECT_EQ(parse_game(game_name(game)), game);
    EXPECT_EQ(parse_canonical_text(game, ""), preset(game));
  }
  EXPECT_EQ(all_games().size(), 4U);
  EXPECT_EQ(default_seeds_per_pit(Game::kUrim), 3U);
  EXPECT_EQ(default_seeds_per_pit(Game::kOware), 4U);
  EXPECT_EQ(default_seeds_per_pit(Game::kAwari), 4U);
  EXPECT_EQ(default_seeds_per_pit(Game::kRioKadalis), 4U);
  EXPECT_EQ(family_of(Game::kOware), Family::kUrim);
  EXPECT_EQ(family_of(Game::kAwari), Family::kUrim);
  EXPECT_EQ(family_of(Game::kRioKadalis), Family::kRioKadalis);
}

TEST(Rules, ACanonicalTextReadBackIsTheSameRules) {
  for (const RuleSet& rules : urim_rule_sets()) {
    const std::string text = canonical_text(rules);
    const RuleSet again = parse_canonical_text(rules.game, text);
    EXPECT_TRUE(same_rules(rules, again)) << text;
    EXPECT_EQ(canonical_text(again), text);
    // Spelled out for Urim it is the same, whichever preset it began with.
    if (!is_inert(rules, "grand-slam") && !is_inert(rules, "remainder")) {
      EXPECT_TRUE(same_rules(rules, parse_canonical_text(Game::kUrim, text))) << text;
    }
  }
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    const RuleSet rules = rio_rules(endless);
    EXPECT_EQ(parse_canonical_text(Game::kRioKadalis, canonical_text(rules)), rules);
  }
}

TEST(Rules, EveryOptionValueReadsBackFromItsText) {
  for (const RuleSet& rules : urim_rule_sets()) {
    RuleSet again = preset(rules.game);
    for (const RuleOption& option : options_of(rules.game)) {
      set_option(again, option.name, option_value(rules, option.name));
    }
    EXPECT_EQ(again, rules);
  }
  RuleSet rio = preset(Game::kRioKadalis);
  set_option(rio, "direction", "cw");
  set_option(rio, "endless-sow", "draw");
  set_option(rio, "starter", "loser");
  EXPECT_EQ(option_value(rio, "direction"), "cw");
  EXPECT_EQ(option_value(rio, "endless-sow"), "draw");
  EXPECT_EQ(option_value(rio, "starter"), "loser");
}

TEST(Rules, CountSetsAreSortedAndHoldEachCountOnce) {
  RuleSet rules = urim_rules();
  set_option(rules, "trigger", "3,2,2,3");
  EXPECT_EQ(option_value(rules, "trigger"), "2,3");
  set_option(rules, "chain", "none");
  EXPECT_EQ(option_value(rules, "chain"), "none");
  set_option(rules, "chain", "15,1");
  EXPECT_EQ(option_value(rules, "chain"), "1,15");
}

// ---- Digests ----

// XXH3-128 of "urim <text>" and "rio-kadalis <text>", taken with the system's libxxhash from the texts
// as they stand in TheCanonicalTextsOfThePresetsAreTheseLetterForLetter; `xxhsum -H2` prints the same.
TEST(Rules, TheDigestsOfThePresetsAreTheGoldenOnes) {
  EXPECT_EQ(rules_digest(preset(Game::kUrim)).hex(), "2e2f1f19c3eea609fb3666ba309bdfc2");
  EXPECT_EQ(rules_digest(preset(Game::kOware)).hex(), "a4147f2b10de58b14129e35e4ef9986c");
  EXPECT_EQ(rules_digest(preset(Game::kAwari)).hex(), "5e6eb79e20c492dc4bfc517dc2f8b817");
  EXPECT_EQ(rules_digest(preset(Game::kRioKadalis)).hex(), "394b44d5153d60fa6997bf5435602532");
}

TEST(Rules, DigestsAreEqualExactlyWhereTheRulesAre) {
  std::vector<RuleSet> sets = urim_rule_sets();
  sets.push_back(rio_rules(EndlessSow::kForbid));
  sets.push_back(rio_rules(EndlessSow::kDraw));
  RuleSet other = rio_rules(EndlessSow::kDraw);
  other.direction = Direction::kCw;
  other.starter = Starter::kWinner;
  sets.push_back(other);
  other = preset(Game::kAwari);
  other.grand_slam = GrandSlam::kForbid;  // inert
  sets.push_back(other);
  other = urim_rules("pit-limit=0");
  other.remainder = Remainder::kLastMover;  // inert
  other.pit_limit_rule = PitLimitRule::kForbid;
  sets.push_back(other);
  std::size_t equal = 0;
  for (const RuleSet& a : sets) {
    for (const RuleSet& b : sets) {
      EXPECT_EQ(rules_digest(a) == rules_digest(b), same_rules(a, b));
      EXPECT_EQ(same_rules(a, b),
                family_of(a.game) == family_of(b.game) && canonical_text(a) == canonical_text(b));
      equal += same_rules(a, b) && &a != &b;
    }
  }
  EXPECT_EQ(equal, 6U);  // the three pairs just made, both ways round
}

TEST(Rules, OwareAndAwariAreUrimWithTheOptionsSpelledOut) {
  const RuleSet oware = urim_rules(
      "pit-limit=0 trigger=2,3 chain=2,3 grand-slam=leave starvation=feed remainder=row");
  EXPECT_TRUE(same_rules(oware, preset(Game::kOware)));
  EXPECT_EQ(rules_digest(oware), rules_digest(preset(Game::kOware)));
  const RuleSet awari = urim_rules("pit-limit=0 trigger=2,3 chain=2,3 starvation=leave");
  EXPECT_TRUE(same_rules(awari, preset(Game::kAwari)));
  EXPECT_EQ(rules_digest(awari), rules_digest(preset(Game::kAwari)));
  EXPECT_FALSE(same_rules(oware, awari));
  EXPECT_FALSE(same_rules(preset(Game::kUrim), oware));
}

TEST(Rules, DrawingAndMatchOptionsStayOutOfTheDigest) {
  RuleSet rules = preset(Game::kRioKadalis);
  const Digest digest = rules_digest(rules);
  set_option(rules, "direction", "cw");
  set_option(rules, "starter", "winner");
  EXPECT_EQ(rules_digest(rules), digest);
  EXPECT_TRUE(same_rules(rules, preset(Game::kRioKadalis)));
  set_option(rules, "endless-sow", "draw");
  EXPECT_NE(rules_digest(rules), digest);
}

// ---- Inert options, by what they do ----

// Whether two rule sets give the same legal moves, results, captures and ends on all boards of 2x1 to
// 2x3 with few seeds, and the same values.
struct Behaviour {
  bool same_moves = true;
  bool same_values = true;
};

Behaviour compare_behaviour(const RuleSet& a, const RuleSet& b) {
  Behaviour behaviour;
  constexpr unsigned kMaxSeeds[] = {0, 36, 22, 9};  // by pits
  for (unsigned pits = 1; pits <= 3; ++pits) {
    const Shape shape = equal_rows(pits);
    const MoveGenerator moves_a(a, shape), moves_b(b, shape);
    const unsigned limit = std::max(a.pit_limit, b.pit_limit);
    if (a.pit_limit == b.pit_limit) {
      MoveList list_a, list_b;
      for_each_board_up_to(2 * pits, kMaxSeeds[pits], limit, [&](const std::vector<int>& board) {
        const Position position = position_of(board, shape);
        moves_a.generate(position, shape, list_a);
        moves_b.generate(position, shape, list_b);
        bool same = list_a.legal == list_b.legal;
        for_each_move(list_a, [&](unsigned slot) {
          same = same && list_a.result[slot] == list_b.result[slot] &&
                 list_a.captured[slot] == list_b.captured[slot];
        });
        if (list_a.legal == 0 && same) {
          same = moves_a.end(position, shape).value() == moves_b.end(position, shape).value();
        }
        behaviour.same_moves = behaviour.same_moves && same;
      });
    } else {
      behaviour.same_moves = false;
    }
    behaviour.same_values = behaviour.same_values && solve_levels(a, pits, kMaxSeeds[pits]) ==
                                                         solve_levels(b, pits, kMaxSeeds[pits]);
  }
  return behaviour;
}

// Every value of an option set on a base, compared pairwise.
void expect_inert(const std::string& base, const std::string& name,
                  const std::vector<std::string>& values) {
  std::vector<RuleSet> sets;
  for (const std::string& value : values)
    sets.push_back(urim_rules(base + " " + name + "=" + value));
  for (const RuleSet& rules : sets) {
    EXPECT_TRUE(is_inert(rules, name)) << base << " " << name;
    EXPECT_TRUE(same_rules(rules, sets.front()));
    EXPECT_EQ(canonical_text(rules).find(name + "="), std::string::npos) << canonical_text(rules);
    const Behaviour behaviour = compare_behaviour(rules, sets.front());
    EXPECT_TRUE(behaviour.same_moves) << base << " " << name;
    EXPECT_TRUE(behaviour.same_values) << base << " " << name;
  }
}

void expect_live(const std::string& base, const std::string& name,
                 const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      const RuleSet a = urim_rules(base + " " + name + "=" + values[i]);
      const RuleSet b = urim_rules(base + " " + name + "=" + values[j]);
      EXPECT_FALSE(is_inert(a, name)) << base << " " << name;
      EXPECT_FALSE(same_rules(a, b));
      EXPECT_FALSE(compare_behaviour(a, b).same_values)
          << base << " " << name << ": " << values[i] << " and " << values[j];
    }
  }
}

const std::vector<std::string> kSlams = {"capture", "leave", "forbid"};
const std::vector<std::string> kRemainders = {"row", "last-mover"};
const std::vector<std::string> kLimitRules = {"skip", "forbid"};

TEST(Rules, TheGrandSlamRuleIsInertUnderStarvationLeaveAndNowhereElse) {
  expect_inert("starvation=leave", "grand-slam", kSlams);
  expect_inert("starvation=leave pit-limit=3", "grand-slam", kSlams);
  expect_inert("starvation=leave pit-limit=0", "grand-slam", kSlams);
  expect_live("starvation=feed", "grand-slam", kSlams);
  expect_live("starvation=feed pit-limit=0", "grand-slam", kSlams);
}

TEST(Rules, TheLimitRuleIsInertWithoutALimitAndNowhereElse) {
  expect_inert("pit-limit=0", "pit-limit-rule", kLimitRules);
  expect_inert("pit-limit=0 grand-slam=forbid", "pit-limit-rule", kLimitRules);
  expect_live("pit-limit=3", "pit-limit-rule", kLimitRules);
  expect_live("pit-limit=5 starvation=leave", "pit-limit-rule", kLimitRules);
  expect_live("pit-limit=17", "pit-limit-rule", kLimitRules);
}

TEST(Rules, TheRemainderIsInertWhereAPlayerWithSeedsCanAlwaysMove) {
  expect_inert("pit-limit=0", "remainder", kRemainders);
  expect_inert("pit-limit=0 grand-slam=leave", "remainder", kRemainders);
  expect_inert("pit-limit=0 starvation=leave", "remainder", kRemainders);
  expect_inert("pit-limit=0 starvation=leave grand-slam=forbid", "remainder", kRemainders);
  expect_live("pit-limit=0 grand-slam=forbid", "remainder", kRemainders);
  expect_live("pit-limit=3", "remainder", kRemainders);
  expect_live("pit-limit=3 pit-limit-rule=forbid", "remainder", kRemainders);
  expect_live("pit-limit=3 starvation=leave", "remainder", kRemainders);
  expect_live("pit-limit=17", "remainder", kRemainders);
}

TEST(Rules, TheOtherOptionsAreNeverInert) {
  expect_live("pit-limit=0", "trigger", {"2,3", "2", "1,2", "15"});
  expect_live("pit-limit=0", "chain", {"2,3,4", "2,3", "none"});
  expect_live("pit-limit=0", "starvation", {"feed", "leave"});
  expect_live("trigger=2,3", "pit-limit", {"0", "1", "3", "5", "17"});
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const char* name : {"pit-limit", "trigger", "chain", "starvation"}) {
      EXPECT_FALSE(is_inert(rules, name));
    }
  }
  EXPECT_FALSE(is_inert(preset(Game::kRioKadalis), "endless-sow"));
}

// ---- Refused ----

std::optional<Error> error_of(Game game, const std::string& name, const std::string& value) {
  RuleSet rules = preset(game);
  try {
    set_option(rules, name, value);
    return std::nullopt;
  } catch (const Error& error) {
    EXPECT_EQ(rules, preset(game)) << "changed before it was refused";
    return error;
  }
}

TEST(Rules, WrongOptionValuesAreRefusedByNameAndValue) {
  struct Wrong {
    const char* name;
    const char* value;
  };
  constexpr Wrong kWrong[] = {
      {"pit-limit", "128"},
      {"pit-limit", "-1"},
      {"pit-limit", ""},
      {"pit-limit", "none"},
      {"pit-limit", "17 "},
      {"pit-limit", "0x11"},
      {"pit-limit", "1.5"},
      {"pit-limit", "4294967296"},
      {"pit-limit-rule", "Skip"},
      {"pit-limit-rule", ""},
      {"trigger", "0"},
      {"trigger", "16"},
      {"trigger", "2,,3"},
      {"trigger", "2,3,"},
      {"trigger", ",2"},
      {"trigger", "2;3"},
      {"trigger", "none"},
      {"trigger", ""},
      {"trigger", "2, 3"},
      {"chain", "2-4"},
      {"chain", "nothing"},
      {"chain", "99999999999"},
      {"chain", "none,2"},
      {"grand-slam", "any"},
      {"grand-slam", "captur"},
      {"starvation", "forbid"},
      {"remainder", "last_mover"},
      {"remainder", "rows"},
  };
  for (const Wrong& wrong : kWrong) {
    const std::optional<Error> error = error_of(Game::kUrim, wrong.name, wrong.value);
    ASSERT_TRUE(error.has_value()) << wrong.name << "=" << wrong.value << " was taken";
    EXPECT_EQ(error->error_class(), ErrorClass::kUsage);
    const std::string message = error->what();
    EXPECT_NE(message.find(wrong.name), std::string::npos) << message;
    EXPECT_NE(message.find("'" + std::string(wrong.value) + "'"), std::string::npos) << message;
  }
  EXPECT_TRUE(error_of(Game::kRioKadalis, "endless-sow", "allow").has_value());
  EXPECT_TRUE(error_of(Game::kRioKadalis, "direction", "left").has_value());
  EXPECT_TRUE(error_of(Game::kRioKadalis, "starter", "nobody").has_value());
}

TEST(Rules, OptionsOfTheOtherFamilyAndUnknownOnesAreRefused) {
  for (const char* name :
       {"endless-sow", "direction", "starter", "pitlimit", "", "--pit-limit", "Trigger"}) {
    const std::optional<Error> error = error_of(Game::kUrim, name, "draw");
    ASSERT_TRUE(error.has_value()) << name;
    EXPECT_EQ(error->error_class(), ErrorClass::kUsage);
    EXPECT_NE(std::string(error->what()).find(name), std::string::npos) << error->what();
  }
  for (const char* name : {"pit-limit", "trigger", "grand-slam", "remainder"}) {
    EXPECT_TRUE(error_of(Game::kRioKadalis, name, "row").has_value()) << name;
  }
}

TEST(Rules, UnknownGamesAreRefusedWithTheKnownOnes) {
  for (const char* name : {"", "Urim", "mancala", "urim ", "rio_kadalis", "kalah"}) {
    try {
      parse_game(name);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.error_class(), ErrorClass::kUsage);
      for (const Game game : all_games()) {
        EXPECT_NE(std::string(error.what()).find(game_name(game)), std::string::npos)
            << error.what();
      }
    }
  }
}

TEST(Rules, ATextThatIsNotOneOfRulesIsRefused) {
  for (const char* text : {"pit-limit", "=17", "pit-limit=17,trigger=2", "pit-limit=17  trigger=2",
                           " ", "pit-limit:17", "endless-sow=draw", "trigger=2,3 nonsense=1"}) {
    try {
      parse_canonical_text(Game::kUrim, text);
      FAIL() << "took '" << text << "'";
    } catch (const Error& error) {
      EXPECT_EQ(error.error_class(), ErrorClass::kUsage) << error.what();
    }
  }
}

TEST(Rules, EveryOptionIsDocumented) {
  for (const Game game : all_games()) {
    std::set<std::string_view> names;
    for (const RuleOption& option : options_of(game)) {
      EXPECT_TRUE(names.insert(option.name).second);
      EXPECT_FALSE(option.values.empty());
      EXPECT_FALSE(option.meaning.empty());
      EXPECT_FALSE(option.source.empty());
    }
    EXPECT_EQ(names.size(), family_of(game) == Family::kUrim ? 7U : 3U);
  }
}

}  // namespace
}  // namespace retrosow::test
