// Notation: what is written is read back, and what is not a position is refused with the piece that is
// wrong.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "bitboard/notation.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

// ---- Round trips ----

TEST(Notation, RandomUrimBoardsRoundTrip) {
  RandomNumbers random(12);
  for (unsigned pits = 1; pits <= kMaxPits; ++pits) {
    for (const char* options : {"", "pit-limit=0", "pit-limit=127", "pit-limit=3"}) {
      const RuleSet rules = urim_rules(options);
      for (int i = 0; i < 100; ++i) {
        const std::vector<int> counts = random_urim_board(random, pits, rules.pit_limit);
        const Position position = position_of(counts, equal_rows(pits));
        const std::string text = format_position(position, equal_rows(pits));
        const Board board = parse_board(rules, text, 0, 3);
        ASSERT_EQ(board.position, position) << text;
        ASSERT_EQ(board.shape(), equal_rows(pits));
        ASSERT_EQ(board.pits, pits);
        ASSERT_EQ(format_board(board), text);
        ASSERT_EQ(parse_board(rules, text, pits, 3), board);
      }
    }
  }
}

TEST(Notation, RandomBoardsWithClosedHolesRoundTrip) {
  RandomNumbers random(13);
  const RuleSet rules = rio_rules(EndlessSow::kForbid);
  for (int i = 0; i < 3000; ++i) {
    const unsigned pits = random.between(1, kMaxPits);
    std::string text;
    std::vector<unsigned> mover_pits;  // numbers of the mover's open holes
    std::vector<int> open;
    for (unsigned hole = 0; hole < 2 * pits; ++hole) {
      if (hole != 0) text += hole == pits ? "/" : ",";
      if (random.one_in(3)) {
        text += "x";
        continue;
      }
      open.push_back(static_cast<int>(random.below(16)));
      text += std::to_string(open.back());
      if (hole < pits) mover_pits.push_back(hole + 1);
    }
    const Board board = parse_board(rules, text, 0, 4);
    ASSERT_EQ(format_board(board), text);
    ASSERT_EQ(board_of(board.position, board.shape()), open) << text;
    ASSERT_EQ(board.shape().mover_pits, mover_pits.size());
    for (unsigned i_open = 0; i_open < mover_pits.size(); ++i_open) {
      ASSERT_EQ(board.shown_pit(i_open), mover_pits[i_open]) << text;
    }
    // After a move the rows change places and the holes stay closed.
    const Board after = board.after(swap_sides(board.position, board.shape()));
    const std::size_t slash = text.find('/');
    ASSERT_EQ(format_board(after), text.substr(slash + 1) + "/" + text.substr(0, slash));
  }
}

TEST(Notation, TheWorkedExampleHolds) {
  const Board board = parse_board(rio_rules(EndlessSow::kForbid), "1,x,2/3,4,x", 0, 4);
  EXPECT_EQ(board.shape(), equal_rows(2));
  EXPECT_EQ(board.position.lanes, (std::array<std::uint8_t, kLanes>{4, 3, 2, 1}));
  EXPECT_EQ(board.mover_closed, 0b010);
  EXPECT_EQ(board.opponent_closed, 0b100);
  EXPECT_EQ(board.shown_pit(0), 1U);
  EXPECT_EQ(board.shown_pit(1), 3U);
}

TEST(Notation, RowsOfDifferentLengthAreWrittenWithoutTheirClosedHoles) {
  const auto [position, shape] = placed("1,x,2/3,4,5");
  EXPECT_EQ(format_position(position, shape), "1,2/3,4,5");
  EXPECT_EQ(format_position(swap_sides(position, shape), shape.swapped()), "3,4,5/1,2");
}

TEST(Notation, ARowWithoutOpenHolesKeepsTheSlash) {
  const auto [position, shape] = placed("1,2/x,x");
  EXPECT_EQ(format_position(position, shape), "1,2/");
  EXPECT_EQ(format_position(swap_sides(position, shape), shape.swapped()), "/1,2");
}

TEST(Notation, SpacesMayStandForCommasAndAroundThem) {
  const RuleSet rules = urim_rules();
  const Board board = parse_board(rules, "1,2,3/4,5,6", 0, 3);
  for (const char* text : {"1 2 3/4 5 6", " 1,2,3/4,5,6 ", "1, 2, 3/4, 5, 6", "1 , 2 ,3 / 4  5   6",
                           "1,2,3 /4,5,6", "1 2,3/ 4,5 6"}) {
    EXPECT_EQ(parse_board(rules, text, 0, 3), board) << text;
  }
  EXPECT_EQ(format_board(board), "1,2,3/4,5,6");
}

TEST(Notation, NumbersMayHaveLeadingZerosAndXMayBeLarge) {
  EXPECT_EQ(format_board(parse_board(urim_rules(), "007,0/00,1", 0, 3)), "7,0/0,1");
  EXPECT_EQ(format_board(parse_board(rio_rules(EndlessSow::kForbid), "X,1/1,x", 0, 3)), "x,1/1,x");
}

// ---- The start ----

TEST(Notation, StartIsTheSamePileInEveryPit) {
  EXPECT_EQ(format_board(parse_board(urim_rules(), "start", 0, 3)), "3,3,3,3,3,3/3,3,3,3,3,3");
  EXPECT_EQ(format_board(parse_board(urim_rules(), " start ", 2, 5)), "5,5/5,5");
  EXPECT_EQ(format_board(start_board(preset(Game::kRioKadalis), 5, 4)), "4,4,4,4,4/4,4,4,4,4");
  EXPECT_EQ(format_board(start_board(urim_rules(), 1, 0)), "0/0");
  EXPECT_EQ(total_seeds(start_board(urim_rules(), 8, 17).position),
            272U);  // the limit keeps it safe
}

// ---- Refused ----

struct Refused {
  const char* text;
  const char* piece;  // what the message must contain
};

// The error's message, or nothing if the text was taken for a position.
std::optional<Error> error_of(const RuleSet& rules, const std::string& text, unsigned pits = 0,
                              unsigned seeds_per_pit = 3) {
  try {
    (void)parse_board(rules, text, pits, seeds_per_pit);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

void expect_refused(const RuleSet& rules, const Refused& refused) {
  const std::optional<Error> error = error_of(rules, refused.text);
  ASSERT_TRUE(error.has_value()) << "taken for a position: " << refused.text;
  EXPECT_EQ(error->error_class(), ErrorClass::kUsage) << refused.text << ": " << error->what();
  const std::string message = error->what();
  EXPECT_NE(message.find(refused.piece), std::string::npos) << refused.text << ": " << message;
}

TEST(Notation, WhatIsNoPositionIsRefusedWithThePieceThatIsWrong) {
  constexpr Refused kRefused[] = {
      {"", "two rows"},
      {" ", "two rows"},
      {"/", "missing"},
      {"//", "one '/'"},
      {",,", "',,'"},
      {"3", "one '/'"},
      {"3,3,3", "'3,3,3'"},
      {"3,3,/3,3,3", "pit 3 of the mover's row is missing"},
      {",3,3/3,3,3", "pit 1 of the mover's row is missing"},
      {"3,,3/3,3,3", "pit 2 of the mover's row is missing"},
      {"3,3,3/3,3,", "pit 3 of the opponent's row is missing"},
      {"3,3,3/", "opponent's row is missing"},
      {"/3,3,3", "mover's row is missing"},
      {"3, ,3/3,3,3", "pit 2 of the mover's row is missing"},
      {"1,2/3,4/5", "'1,2/3,4/5'"},
      {"1,2/3,4/", "one '/'"},
      {"1;2/3;4", "'1;2'"},
      {"1.2/3.4", "'1.2'"},
      {"1,2\\3,4", "one '/'"},
      {"1,2|3,4", "one '/'"},
      {"1,2/3,+4", "'+4'"},
      {"1,2/3,-4", "'-4'"},
      {"-0,2/3,4", "'-0'"},
      {"1,2/3,4 5", "2 pits and 3 pits"},
      {"1,2/3", "2 pits and 1 pit"},
      {"0x3,1/1,1", "'0x3'"},
      {"1e1,1/1,1", "'1e1'"},
      {"1,2/3,4\n", "'4\n'"},
      {"1,2/3,4\r", "'4\r'"},
      {"1,\t2/3,4", "'\t2'"},
      {"1,2/3,4junk", "'4junk'"},
      {"1,2/3,4 junk", "'junk'"},
      {"a,b/c,d", "'a'"},
      {"1,2/3,4;", "'4;'"},
      {"1,2/3,\"4\"", "'\"4\"'"},
      {"1,2/3,\xef\xbc\x94", "'\xef\xbc\x94'"},  // a full-width digit
      {"1,2/3,\xd9\xa4", "'\xd9\xa4'"},          // an Arabic digit
      {"1,2/3,\xc2\xa0"
       "4",
       "'\xc2\xa0"
       "4'"},                    // a no-break space
      {"1,2/3,\xff", "'\xff'"},  // no UTF-8 at all
      {"300,0/0,0", "'300'"},
      {"256,0/0,0", "'256'"},
      {"0,0/0,99999999999", "'99999999999'"},
      {"0,0/0,4294967299", "'4294967299'"},  // 3 modulo 2^32
      {"0,0/0,18446744073709551619", "'18446744073709551619'"},
      {"1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1", "9 pits"},
      {"0,0/18,0", "pit limit 17"},
      {"x,1/1,1", "x"},
      {"1,1/1,X", "pit 2 of the opponent's row is closed"},
      {"starts", "'starts'"},
      {"Start", "'Start'"},
      {"start 4", "'start 4'"},
      {"[1,2/3,4]", "'[1'"},
      {"1,2/3,4,x", "closed"},
  };
  static_assert(std::size(kRefused) >= 30);
  for (const Refused& refused : kRefused) expect_refused(urim_rules(), refused);
}

TEST(Notation, ANulByteIsNotTheEnd) {
  const std::string text("1,2/3,4\0", 8);
  const std::optional<Error> error = error_of(urim_rules(), text);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kUsage);
}

TEST(Notation, ClosedHolesAreForRioKadalisOnly) {
  for (const Game game : {Game::kUrim, Game::kOware, Game::kAwari}) {
    expect_refused(preset(game), {"1,x/1,1", "rio-kadalis"});
  }
  EXPECT_FALSE(error_of(preset(Game::kRioKadalis), "1,x/1,1").has_value());
  expect_refused(preset(Game::kRioKadalis), {"1,xx/1,1", "'xx'"});
  expect_refused(preset(Game::kRioKadalis), {"1,x2/1,1", "'x2'"});
}

TEST(Notation, APitAboveTheLimitIsRefusedWithItsPlace) {
  const RuleSet rules = urim_rules("pit-limit=5");
  expect_refused(rules, {"0,6/0,0", "pit 2 of the mover's row"});
  expect_refused(rules, {"0,0/7,0", "pit 1 of the opponent's row"});
  expect_refused(rules, {"0,0/7,0", "7"});
  expect_refused(rules, {"0,0/7,0", "pit limit 5"});
  EXPECT_FALSE(error_of(rules, "5,5/5,5").has_value());
  EXPECT_FALSE(error_of(urim_rules("pit-limit=0"), "0,6/200,0").has_value());
}

TEST(Notation, PitsThatAreGivenAndDifferAreRefused) {
  const std::optional<Error> error = error_of(urim_rules(), "1,2/3,4", 3);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kUsage);
  EXPECT_NE(std::string(error->what()).find("2 pits"), std::string::npos) << error->what();
  EXPECT_NE(std::string(error->what()).find("--pits says 3"), std::string::npos) << error->what();
  EXPECT_FALSE(error_of(urim_rules(), "1,2/3,4", 2).has_value());
}

TEST(Notation, StartsThatTheRulesDoNotAllowAreRefused) {
  const auto class_of = [](const RuleSet& rules, unsigned pits, unsigned seeds) {
    const std::optional<Error> error = error_of(rules, "start", pits, seeds);
    return error ? std::optional<ErrorClass>(error->error_class()) : std::nullopt;
  };
  EXPECT_EQ(class_of(urim_rules(), 6, 18), ErrorClass::kUsage);  // above the pit limit
  EXPECT_EQ(class_of(urim_rules(), 9, 3), ErrorClass::kUsage);
  EXPECT_EQ(class_of(urim_rules(), 200, 3), ErrorClass::kUsage);
  EXPECT_EQ(class_of(urim_rules("pit-limit=0"), 6, 21), std::nullopt);  // 252
  EXPECT_EQ(class_of(urim_rules("pit-limit=0"), 6, 22), ErrorClass::kLimit);
  EXPECT_EQ(class_of(preset(Game::kRioKadalis), 8, 16), ErrorClass::kLimit);
  EXPECT_EQ(class_of(preset(Game::kAwari), 6, 300), ErrorClass::kLimit);
  EXPECT_EQ(class_of(preset(Game::kAwari), 6, 4'000'000'000U), ErrorClass::kLimit);
}

TEST(Notation, MoreSeedsThanALaneHoldsAreALimitAndNoTypingError) {
  const std::optional<Error> error = error_of(urim_rules("pit-limit=0"), "128,0/128,0");
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kLimit);
  EXPECT_NE(std::string(error->what()).find("256"), std::string::npos) << error->what();
  EXPECT_FALSE(error_of(urim_rules("pit-limit=0"), "128,0/127,0").has_value());
  EXPECT_FALSE(error_of(urim_rules("pit-limit=127"), "127,127/127,127").has_value());
}

TEST(Notation, APositionThatDidNotComeFromTextIsCheckedToo) {
  const Shape shape = equal_rows(2);
  EXPECT_NO_THROW(validate_position(urim_rules(), position_of({17, 0, 0, 17}, shape), shape));
  EXPECT_THROW(validate_position(urim_rules(), position_of({17, 0, 0, 18}, shape), shape), Error);
  EXPECT_THROW(validate_position(preset(Game::kAwari), position_of({255, 0, 0, 1}, shape), shape),
               Error);
}

TEST(Notation, NumbersAreWholeAndInRangeOrRefusedByName) {
  EXPECT_EQ(parse_number("--depth", "12", 0, 100), 12U);
  EXPECT_EQ(parse_number("--depth", "0", 0, 100), 0U);
  EXPECT_EQ(parse_number("--depth", "100", 0, 100), 100U);
  EXPECT_EQ(parse_number("--depth", "4294967295", 0, 4294967295U), 4294967295U);
  for (const char* text : {"", " ", "101", "-1", "+1", " 1", "1 ", "1.0", "0x1", "1e1", "one",
                           "99999999999", "4294967296", "1\n", "\xd9\xa4"}) {
    try {
      parse_number("--depth", text, 0, 100);
      FAIL() << "took " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.error_class(), ErrorClass::kUsage);
      const std::string message = error.what();
      EXPECT_NE(message.find("--depth"), std::string::npos) << message;
      EXPECT_NE(message.find("'" + std::string(text) + "'"), std::string::npos) << message;
      EXPECT_NE(message.find("100"), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace retrosow::test
