// Game records: what is written is read again, what is wrong is refused with its line, games are played by the rules.
#include "solver/game_record.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/test_data.h"

namespace retrosow::test {
namespace {

const std::string kUrimHead =
    "retrosow record 1\n"
    "game: urim\n"
    "start: 3,3,3,3,3,3/3,3,3,3,3,3\n";
const std::string kMatchHead =
    "retrosow record 1\n"
    "game: rio-kadalis\n"
    "match: yes\n"
    "round: 1\n"
    "start: 4/4\n";

void expect_record_refused(const std::string& text, const std::vector<std::string>& parts,
                           ErrorClass error_class = ErrorClass::kUsage) {
  try {
    read_record(text);
    ADD_FAILURE() << "was read:\n" << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), error_class) << error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << "not in the message: " << part << "\n"
          << error.what();
    }
  }
}

bool same_games(const PlayedGame& a, const PlayedGame& b) {
  if (a.rounds().size() != b.rounds().size() || a.ended() != b.ended()) return false;
  for (std::size_t i = 0; i < a.rounds().size(); ++i) {
    const PlayedRound &x = a.rounds()[i], &y = b.rounds()[i];
    if (x.start() != y.start() || x.board() != y.board() || x.end() != y.end() ||
        x.captured() != y.captured() || x.starter() != y.starter() || x.comment != y.comment ||
        x.plies().size() != y.plies().size()) {
      return false;
    }
    for (std::size_t p = 0; p < x.plies().size(); ++p) {
      if (x.plies()[p].pit != y.plies()[p].pit || x.plies()[p].comment != y.plies()[p].comment)
        return false;
    }
  }
  return true;
}

void expect_round_trip(const GameRecord& record) {
  const std::string text = write_record(record);
  const GameRecord again = read_record(text);
  EXPECT_TRUE(same_games(record.game, again.game)) << text;
  EXPECT_EQ(again.players, record.players);
  EXPECT_EQ(again.date, record.date);
  EXPECT_EQ(write_record(again), text);
}

unsigned random_pit(const PlayedRound& round, RandomNumbers& random) {
  std::vector<unsigned> pits;
  for_each_move(round.moves(),
                [&](unsigned slot) { pits.push_back(round.board().shown_pit(slot)); });
  return pits[random.below(static_cast<unsigned>(pits.size()))];
}

// Any legal moves to the end, or so many; comments here and there, agreements where they are possible.
void play_at_random(PlayedGame& game, RandomNumbers& random, unsigned most) {
  for (unsigned i = 0; i < most && !game.ended(); ++i) {
    if (game.round().end() != RoundEnd::kNone) {
      if (game.times_stood() > 1 && random.one_in(3)) {
        game.agree_drawn();
      } else {
        game.next_round();
      }
    } else if (game.round().times_stood() > 1 && random.one_in(3)) {
      game.agree_endless();
    } else {
      game.play(random_pit(game.round(), random));
    }
    if (random.one_in(9)) game.last_comment() = random.one_in(2) ? "so" : "two\nlines; kò";
  }
}

TEST(GameRecord, SmallExampleIsReadAndWrittenAsDocumented) {
  const std::string text =
      "retrosow record 1\n"
      "game: urim\n"
      "rules: pit-limit=17 pit-limit-rule=skip trigger=2,3 chain=2,3,4 grand-slam=capture "
      "starvation=feed remainder=row\n"
      "first: Ana\n"
      "second: Zé di Djedje\n"
      "date: 2026-11-30\n"
      "captured: 3 1\n"
      "start: 0,2,1/0,0,2\n"
      "; a study\n"
      "\n"
      "1. 3\n"
      "; feeds\n"
      "1... 3\n";
  const GameRecord record = read_record(text);
  EXPECT_EQ(write_record(record), text);
  EXPECT_EQ(record.players[1], "Zé di Djedje");
  EXPECT_EQ(record.date, "2026-11-30");
  const PlayedRound& round = record.game.round();
  EXPECT_EQ(round.comment, "a study");
  ASSERT_EQ(round.plies().size(), 2U);
  EXPECT_EQ(round.plies()[0].comment, "feeds");
  EXPECT_EQ(format_board(round.plies()[1].board), "1,0,2/0,2,0");
  EXPECT_EQ(round.plies()[1].player, Player::kSecond);
  EXPECT_EQ(format_board(round.board()), "1,0,0/1,0,0");
  EXPECT_EQ(round.captured(), (Both{3, 4}));
}

TEST(GameRecord, ExamplesOfTheSpecificationAreRecordsAsTheyAreWritten) {
  const std::string document =
      read_text(std::string(RETROSOW_SOURCE_DIR) + "/solver/cli/RECORD.md");
  unsigned examples = 0;
  for (std::size_t at = 0; (at = document.find("```\nretrosow record", at)) != std::string::npos;
       at += 5) {
    const std::size_t begin = at + 4, end = document.find("```", begin);
    const std::string text = document.substr(begin, end - begin);
    EXPECT_EQ(write_record(read_record(text)), text);
    ++examples;
  }
  EXPECT_EQ(examples, 2U);
}

TEST(GameRecord, FormIsFreeWhereItDoesNotMatter) {
  const std::string plain = write_record(read_record(kUrimHead + "1. 3 4  2. 5 1\n; so\n3. 1\n"));
  for (const char* moves : {"3 4 5 1 ; so\n1", "1. 3\n1... 4\n\n2. 5\n2... 1\n;so\n 3. 1  \n",
                            "\t3\t4 5\n1;  so \n1\n\n"}) {
    EXPECT_EQ(write_record(read_record(kUrimHead + moves)), plain) << moves;
  }
  std::string dos = plain;
  for (std::size_t at = 0; (at = dos.find('\n', at)) != std::string::npos; at += 2) {
    dos.insert(at, "\r");
  }
  EXPECT_EQ(write_record(read_record(dos)), plain);
  EXPECT_EQ(
      write_record(read_record("retrosow record 1\ngame: urim\nstart: start\n3 4 5 1\n;so\n1")),
      plain);
}

TEST(GameRecord, RandomGamesOfAllRulesComeBackTheSame) {
  RandomNumbers random(7);
  for (const RuleSet& rules : urim_rule_sets()) {
    for (unsigned pits = 1; pits <= 4; ++pits) {
      const unsigned seeds = rules.pit_limit == 0 ? 3 : std::min(3U, rules.pit_limit);
      GameRecord record{
          PlayedGame(rules, start_board(rules, pits, seeds), {random.below(3), 0}), {}, ""};
      play_at_random(record.game, random, 200);
      expect_round_trip(record);
    }
  }
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    for (const char* start : {"4,4,4,4/4,4,4,4", "2,0,1,0,2,1/0,2,1,0,2,1", "4,x,4/4,4,4"}) {
      for (unsigned i = 0; i < 20; ++i) {
        const RuleSet rules = rio_rules(endless);
        GameRecord record{PlayedGame(rules, parse_board(rules, start, 0, 4)), {"A", ""}, ""};
        play_at_random(record.game, random, 200);
        expect_round_trip(record);
      }
    }
  }
}

TEST(GameRecord, RandomMatchesComeBackTheSame) {
  RandomNumbers random(8);
  std::set<MatchEnd> ends;
  for (const Starter starter : {Starter::kAlternate, Starter::kWinner, Starter::kLoser}) {
    for (unsigned pits = 1; pits <= 4; ++pits) {
      for (unsigned i = 0; i < 10; ++i) {
        RuleSet rules = rio_rules(random.one_in(2) ? EndlessSow::kDraw : EndlessSow::kForbid);
        rules.starter = starter;
        GameRecord record{PlayedGame::match(rules, pits), {"", "B"}, "2000-02-29"};
        play_at_random(record.game, random, 2000);
        ends.insert(record.game.match_end());
        expect_round_trip(record);
      }
    }
  }
  EXPECT_GE(ends.size(), 3U);
}

TEST(GameRecord, WhatIsTakenIsConserved) {
  RandomNumbers random(9);
  for (unsigned i = 0; i < 100; ++i) {
    PlayedGame game = PlayedGame::match(rio_rules(EndlessSow::kDraw), 3);
    play_at_random(game, random, 300);
    for (std::size_t r = 0; r < game.rounds().size(); ++r) {
      const auto [first, second] = game.standing(r).totals;
      EXPECT_EQ(first + second, 24U);
      const PlayedRound& round = game.rounds()[r];
      const unsigned all = total_seeds(round.start().position);
      if (round.end() == RoundEnd::kNone) continue;
      EXPECT_EQ(round.doubled_final()[0] + round.doubled_final()[1], 2 * all);
    }
  }
}

// ----------------------------------------------------------------------------------- played games

TEST(PlayedGame, TakingEverythingBackLeavesTheStart) {
  RandomNumbers random(10);
  for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
    PlayedGame game = PlayedGame::match(rio_rules(endless), 2);
    const std::string start = write_record({game, {}, ""});
    play_at_random(game, random, 300);
    std::vector<std::string> texts;
    while (true) {  // forwards again from every place it comes to the same ends
      texts.push_back(write_record({game, {}, ""}));
      if (!game.undo()) break;
    }
    EXPECT_GT(texts.size(), 2U);
    EXPECT_EQ(texts.back(), start);
    EXPECT_EQ(game.round().times_stood(), 1U);
    EXPECT_EQ(game.round().captured(), Both{});
  }
}

TEST(PlayedGame, ThirdTimeEndsTheRoundAndTheSecondMayByAgreement) {
  const RuleSet rules = urim_rules();
  PlayedGame game(rules, parse_board(rules, "0,1/0,1", 0, 3));
  EXPECT_THROW(game.agree_endless(), Error);
  // The two seeds run round after each other: 0,1/0,1 comes again after four plies.
  unsigned plies = 0;
  while (game.round().end() == RoundEnd::kNone && plies < 100) {
    EXPECT_LT(game.round().times_stood(), 3U);
    unsigned pit = 0;
    for_each_move(game.round().moves(), [&](unsigned slot) { pit = slot + 1; });
    game.play(pit);
    ++plies;
  }
  EXPECT_EQ(game.round().end(), RoundEnd::kEndless);
  EXPECT_EQ(game.round().times_stood(), 3U);
  EXPECT_EQ(game.round().moves().legal, 0U);
  EXPECT_EQ(game.round().doubled_final(), (Both{2, 2}));
  EXPECT_THROW(game.play(1), Error);
  while (game.round().times_stood() != 2 || game.round().to_move() != Player::kFirst) {
    ASSERT_TRUE(game.undo());
  }
  game.agree_endless();
  EXPECT_TRUE(game.round().ended_by_agreement());
  expect_round_trip({game, {}, ""});
  ASSERT_TRUE(game.undo());
  EXPECT_EQ(game.round().end(), RoundEnd::kNone);
  EXPECT_EQ(game.round().times_stood(), 2U);
}

TEST(PlayedGame, EndlessSowSplitsWhatIsLeft) {
  const RuleSet rules = rio_rules(EndlessSow::kDraw);
  PlayedGame game(rules, parse_board(rules, "2,0,1,0,2,1/0,2,1,0,2,1", 0, 4));
  game.play(1);
  EXPECT_EQ(game.round().end(), RoundEnd::kEndlessSow);
  EXPECT_EQ(game.round().doubled_final(), (Both{12, 12}));
  EXPECT_TRUE(game.undo());
  EXPECT_EQ(game.round().times_stood(), 1U);
}

TEST(PlayedGame, MatchFollowsTheRulesOfRounds) {
  // 2x1: the starter takes everything with his first move and the other has lost.
  PlayedGame game = PlayedGame::match(rio_rules(EndlessSow::kForbid), 1);
  EXPECT_EQ(game.match_end(), MatchEnd::kNone);
  EXPECT_THROW(game.next_round(), Error);
  RandomNumbers random(1);
  play_at_random(game, random, 50);
  ASSERT_TRUE(game.ended());
  EXPECT_THROW(game.next_round(), Error);
  for (const auto& totals : {Both{4, 3}, Both{0, 8}, Both{6, 2}, Both{5, 4}}) {
    EXPECT_THROW(PlayedGame::match(rio_rules(EndlessSow::kForbid), 1, totals), Error);
  }
  EXPECT_THROW(PlayedGame::match(urim_rules(), 2), Error);
  // 14 : 18 on 2x4: three holes against four, two stones aside each.
  const PlayedGame later = PlayedGame::match(rio_rules(EndlessSow::kForbid), 4, Both{14, 18});
  EXPECT_EQ(format_board(later.round().start()), "4,4,4,x/4,4,4,4");
}

TEST(PlayedGame, RefusedPitsAreExplained) {
  const auto message = [](PlayedGame game, unsigned pit) -> std::string {
    try {
      game.play(pit);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const RuleSet urim = urim_rules(), rio = rio_rules(EndlessSow::kForbid);
  const PlayedGame feeding(urim, parse_board(urim, "1,0,2/0,0,0", 0, 3));
  EXPECT_EQ(message(feeding, 1),
            "pit 1 leaves the opponent without seeds, who must be fed; playable: 3");
  EXPECT_EQ(message(feeding, 2), "pit 2 is empty; playable: 3");
  EXPECT_EQ(message(feeding, 4), "pit 4 is not there: pits are 1 to 3; playable: 3");
  EXPECT_EQ(message(feeding, 0), "pit 0 is not there: pits are 1 to 3; playable: 3");
  const PlayedGame closed(rio, parse_board(rio, "x,4/4,4", 0, 4));
  EXPECT_EQ(message(closed, 1), "pit 1 is closed; playable: 2");
  const PlayedGame endless(rio, parse_board(rio, "2,0,1,0,2,1/0,2,1,0,2,1", 0, 4));
  EXPECT_EQ(message(endless, 1),
            "sowing pit 1 would never end, and the rules forbid it; playable: 3, 5, 6");
  RuleSet slam = urim;
  slam.grand_slam = GrandSlam::kForbid;
  const PlayedGame forbidden(slam, parse_board(slam, "1,0,1/1,0,0", 0, 3));
  EXPECT_EQ(message(forbidden, 3), "the rules do not allow pit 3; playable: 1");
}

TEST(PlayedGame, MatchPointsAreThoseOfTheRules) {
  EXPECT_EQ(match_points(54, 72), 2U);  // 27 of 36
  EXPECT_EQ(match_points(53, 72), 1U);
  EXPECT_EQ(match_points(37, 72), 1U);  // 18 1/2
  EXPECT_EQ(match_points(36, 72), 0U);
  EXPECT_EQ(match_points(64, 84), 2U);  // 32 of 42
  EXPECT_EQ(match_points(62, 84), 1U);
}

// ------------------------------------------------------------------------------- malformed records

TEST(GameRecordErrors, HeadIsReadStrictly) {
  expect_record_refused("", {"line 1", "empty", "retrosow record 1"});
  expect_record_refused("\n", {"line 1", "no game record"});
  expect_record_refused("[Event \"x\"]\n", {"line 1", "'[Event \"x\"]'", "'retrosow record 1'"});
  expect_record_refused("retrosow record 2\n", {"line 1", "'2'", "version 1"},
                        ErrorClass::kUnsupported);
  expect_record_refused("retrosow record 1x\n", {"line 1", "'1x'"}, ErrorClass::kUnsupported);
  expect_record_refused("retrosow record 1\n", {"line 1", "game"});
  expect_record_refused("retrosow record 1\ngame: urim\n", {"line 2", "start"});
  expect_record_refused("retrosow record 1\nstart: 3/3\n", {"line 2", "game"});
  expect_record_refused("retrosow record 1\ngame: chess\n", {"line 2", "'chess'", "urim"});
  expect_record_refused("retrosow record 1\ngame:\n", {"line 2", "no value"});
  expect_record_refused("retrosow record 1\ngame: urim\ngame: urim\n", {"line 3", "twice"});
  expect_record_refused("retrosow record 1\ngame: urim\ncolour: red\n",
                        {"line 3", "'colour'", "captured"});
  expect_record_refused("retrosow record 1\ngame: urim\nrubbish\n", {"line 3", "'rubbish'"});
  expect_record_refused("retrosow record 1\ngame: urim\nrules: pit-limit\n",
                        {"line 3", "'pit-limit'"});
  expect_record_refused("retrosow record 1\ngame: urim\nrules: pit-limit=x\n", {"line 3", "'x'"});
  expect_record_refused("retrosow record 1\ngame: urim\nrules: direction=cw\n",
                        {"line 3", "direction"});
  expect_record_refused("retrosow record 1\ngame: urim\nrules: pit-limit=5 pit-limit=5\n",
                        {"line 3", "twice"});
  expect_record_refused("retrosow record 1\ngame: urim\nstart: 3,3/3\n", {"line 3", "differ"});
  expect_record_refused("retrosow record 1\ngame: urim\nstart: 18/3\n", {"line 3", "18", "17"});
  expect_record_refused("retrosow record 1\ngame: urim\nstart: 3/3\nrules: pit-limit=2\n",
                        {"line 4", "before"});
  for (const char* date :
       {"30.11.2026", "2026-13-01", "2026-02-29", "2026-1-01", "2026-11-3x", "-026-11-03"}) {
    expect_record_refused(kUrimHead + "date: " + date + "\n1. 1\n", {"line 4", date});
  }
  for (const char* captured : {"3", "1 2 3", "1,2", "-1 2", "1 x", "1 2000000"}) {
    expect_record_refused(kUrimHead + "captured: " + captured + "\n1. 1\n", {"line 4", "captured"});
  }
  expect_record_refused(kUrimHead + "1. 1\nfirst: A\n", {"line 5", "'first'", "head"});
  expect_record_refused(kUrimHead + "first: " + std::string(101, 'a') + "\n",
                        {"line 4", "101", "100"});
  expect_record_refused(kUrimHead + "first: a\x1b[31m\n", {"line 4", "control"});
  expect_record_refused(kUrimHead + "first: a\xff\n", {"line 4", "UTF-8"});
  expect_record_refused(kUrimHead + "; \xed\xa0\x80\n", {"line 4", "UTF-8"});
  expect_record_refused(kUrimHead + "; \xc2\x9b\n", {"line 4", "control character"});
  expect_record_refused(kUrimHead + std::string("; a\0b\n", 6), {"line 4", "control"});
  expect_record_refused(kUrimHead + "; " + std::string(1000, 'a') + "\n",
                        {"line 4", "1002", "1000"});
}

TEST(GameRecordErrors, MovesArePlayedByTheRules) {
  expect_record_refused(kUrimHead + "1. 3 4  2. 3\n",
                        {"line 4", "move 2", "first player (3)", "4,3,0,4,4,4/3,3,3,0,4,4",
                         "pit 3 is empty", "playable: 1, 2, 4, 5, 6"});
  expect_record_refused(kUrimHead + "1. 7\n", {"line 4", "move 1", "pit 7 is not there"});
  expect_record_refused(kUrimHead + "1. 3\n1... 0\n",
                        {"line 5", "second player (0)", "pit 0 is not there"});
  expect_record_refused(kUrimHead + "1. 100\n", {"line 4", "'100'"});
  expect_record_refused(kUrimHead + "1. 3x\n", {"line 4", "'3x'"});
  expect_record_refused(kUrimHead + "1.3\n", {"line 4", "'1.3'"});
  expect_record_refused(kUrimHead + "2. 3\n", {"line 4", "'2.'", "'1.'"});
  expect_record_refused(kUrimHead + "1. 3 1. 4\n", {"line 4", "'1.'", "'1...'"});
  expect_record_refused(kUrimHead + "1... 3\n", {"line 4", "'1...'", "'1.'"});
  expect_record_refused(kUrimHead + "1. 3 4 1... 2\n", {"line 4", "'1...'", "'2.'"});
  expect_record_refused("retrosow record 1\ngame: urim\nstart: 0/3\n1. 1\n", {"line 4", "ended"});
}

TEST(GameRecordErrors, EndsAndResultsAreChecked) {
  const std::string over = "retrosow record 1\ngame: urim\nstart: 0,0/3,1\n";
  EXPECT_EQ(read_record(over + "end: over\nresult: 0 4\n").game.round().end(), RoundEnd::kOver);
  expect_record_refused(over + "result: 4 0\n", {"line 4", "'4 0'", "0 4"});
  expect_record_refused(over + "result: 0.0 4\n", {"line 4", "0 4"});
  expect_record_refused(over + "end: endless\n", {"line 4", "'endless'", "'over'"});
  expect_record_refused(over + "end: rubbish\n", {"line 4", "'rubbish'"});
  expect_record_refused(over + "winner: first\n", {"line 4", "match"});
  expect_record_refused(kUrimHead + "1. 1\nend: over\n", {"line 5", "goes on"});
  expect_record_refused(kUrimHead + "1. 1\nend: endless\n", {"line 5", "has not stood before"});
  expect_record_refused(kUrimHead + "1. 1\nresult: 18 18\n", {"line 5", "goes on"});
  expect_record_refused(kUrimHead + "round: 1\n", {"line 4", "match: yes"});
  expect_record_refused(kUrimHead + "totals: 1 1\n", {"line 4", "match: yes"});
  expect_record_refused(kUrimHead + "1. 1\nstart: 3/3\n", {"line 5", "twice"});
}

TEST(GameRecordErrors, RoundsOfAMatchAreChecked) {
  EXPECT_EQ(read_record(kMatchHead + "1. 1\n").game.rounds().size(), 1U);
  expect_record_refused("retrosow record 1\ngame: urim\nmatch: yes\n", {"line 3", "rio-kadalis"});
  expect_record_refused("retrosow record 1\ngame: rio-kadalis\nmatch: 3\n",
                        {"line 3", "'3'", "yes"});
  expect_record_refused("retrosow record 1\ngame: rio-kadalis\nstart: 4/4\nmatch: yes\n",
                        {"line 4", "before"});
  expect_record_refused("retrosow record 1\ngame: rio-kadalis\nmatch: yes\nstart: 4/4\n",
                        {"line 4", "round: 1"});
  expect_record_refused("retrosow record 1\ngame: rio-kadalis\nmatch: yes\nround: 1\n1. 1\n",
                        {"line 5", "start"});
  expect_record_refused("retrosow record 1\ngame: rio-kadalis\nmatch: yes\n1. 1\n",
                        {"line 4", "round: 1"});
  expect_record_refused(
      "retrosow record 1\ngame: rio-kadalis\nmatch: yes\ncaptured: 1 1\nround: 1\nstart: 4/4\n1\n",
      {"line 7", "totals"});
  expect_record_refused("retrosow record 1\ngame: rio-kadalis\nmatch: yes\nround: 2\n",
                        {"line 4", "round 1"});
  expect_record_refused(kMatchHead + "start: 4/4\n", {"line 6", "twice"});
  expect_record_refused(kMatchHead + "starter: second\n1. 1\n", {"line 7", "second", "first"});
  expect_record_refused(kMatchHead + "starter: me\n", {"line 6", "'me'"});
  expect_record_refused(kMatchHead + "totals: 4 5\n1. 1\n", {"line 7", "4 and 5", "8"});
  expect_record_refused(kMatchHead + "round: 2\n", {"line 6", "round 1", "has ended"});
  expect_record_refused(kMatchHead + "winner: first\n", {"line 6", "goes on"});
  expect_record_refused(kMatchHead + "winner: drawn\n", {"line 6", "the round goes on"});
  expect_record_refused(kMatchHead + "first: A\n", {"line 6", "head"});
  expect_record_refused(
      "retrosow record 1\ngame: rio-kadalis\nmatch: yes\nround: 1\nstart: 4,x/4,4\n1. 1\n",
      {"line 6", "4,4/4,4", "4,x/4,4"});
  expect_record_refused(
      "retrosow record 1\ngame: rio-kadalis\nmatch: yes\nround: 1\nstart: 4,3/4,4\n1. 1\n",
      {"line 6", "4,4/4,4"});
}

// A match to its end, every line of which is changed: only what says nothing may be missing or other.
TEST(GameRecordErrors, NoLineOfAMatchCanBeChangedUnseen) {
  RandomNumbers random(12);
  std::string text;
  while (text.find("round: 3") == std::string::npos) {
    PlayedGame game = PlayedGame::match(rio_rules(EndlessSow::kForbid), 3);
    play_at_random(game, random, 500);
    if (game.ended()) text = write_record({game, {}, ""});
  }
  for (const char* name : {"totals", "starter", "start", "end", "result", "winner", "round"}) {
    for (std::size_t at = 0;
         (at = text.find("\n" + std::string(name) + ": ", at)) != std::string::npos; ++at) {
      std::string changed = text;
      const std::size_t value = text.find(": ", at) + 2;
      changed.insert(value, changed[value] >= '0' && changed[value] <= '9' ? "1" : "un");
      EXPECT_THROW(read_record(changed), Error) << changed.substr(at, 40);
    }
  }
}

TEST(GameRecordErrors, SizesAreBounded) {
  expect_record_refused(kUrimHead + std::string(kMaxRecordBytes, '\n'), {"bytes", "1048576"},
                        ErrorClass::kLimit);
  // The bound itself is fine.
  EXPECT_NO_THROW(read_record(kUrimHead + std::string(kMaxRecordBytes - kUrimHead.size(), '\n')));
}

}  // namespace
}  // namespace retrosow::test
