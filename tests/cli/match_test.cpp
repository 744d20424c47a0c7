// `match`: states, perfect matches, tables, and what it refuses.
#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

TEST(CliMatch, TextListsStatesVerdictAndAPerfectMatch) {
  const Outcome r = run(words_of("match --pits 3 --starter winner"));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(r.out,
            "match of rio-kadalis 2x3, endless-sow=forbid starter=winner\n"
            "\n"
            " stones   open  value  best   totals  next   match  rounds  moves for it\n"
            " 8 : 16  2 : 3     -8  1      6 : 18  other  loss        2  1,2\n"
            "10 : 14  2 : 3     -8  1      8 : 16  other  draw        -  1\n"
            "12 : 12  3 : 3     -4  1,3   10 : 14  other  draw        -  1,2,3\n"
            "14 : 10  3 : 2     +4  2     14 : 10  same   draw        -  1,2,3\n"
            " 16 : 8  3 : 2     +4  2      16 : 8  same   draw        -  1,2,3\n"
            " 18 : 6  3 : 1    +16  2,3    22 : 2  same   win         1  2,3\n"
            " 20 : 4  3 : 1    +16  2,3    24 : 0  same   win         1  2,3\n"
            "\n"
            "More stones from a round never hurt in all 7 states.\n"
            "Playing it for most stones is best for the match in all 7 states: proved.\n"
            "\n"
            "round  starter  first : second  holes sown in turn\n"
            "    1  first           12 : 12  "
            "1,2,2,2,1,3,1,1,1,1,1,3,1,1,2,1,1,1,3,1,1,3,1,1,1,3,1,1,3 then round and round\n"
            "    2  second          10 : 14  2,2,1\n"
            "and again from round 2: the match goes on for ever, drawn\n");
}

TEST(CliMatch, RecordsAreExact) {
  const Outcome r = run(words_of("match --game rio-kadalis --pits 1 --json"));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(r.out,
            "{\"game\":\"rio-kadalis\",\"rules\":\"endless-sow=forbid\",\"starter\":\"alternate\","
            "\"pits\":1,\"stones\":[4,4],\"open\":[1,1],\"aside\":[0,0],\"position\":\"4/4\","
            "\"outcome\":\"win\",\"rounds\":1,\"monotone\":true,\"stones_suffice\":true,"
            "\"match_play\":{\"value\":8,\"best\":[1],\"totals\":[8,0],\"next\":[0,8],"
            "\"same_starter\":false},"
            "\"stones_play\":{\"value\":8,\"best\":[1],\"totals\":[8,0],\"next\":[0,8],"
            "\"same_starter\":false,\"outcome\":\"win\",\"rounds\":1},"
            "\"line\":[{\"starter\":\"first\",\"first\":4,\"second\":4},"
            "{\"starter\":\"second\",\"first\":8,\"second\":0}],"
            "\"line_moves\":[{\"pits\":[1,1,1],\"end\":\"end\"}],"
            "\"line_end\":\"first\",\"cycle_begin\":null}\n");
}

TEST(CliMatch, ALevelRoundCanBeWorthMoreThanAWonOne) {
  // 2x4, the loser starts: at 12 : 20 the other wins the match by a level round, and draws it by winning the round.
  const Outcome r = run(words_of("match --pits 4 --starter loser --json"));
  EXPECT_EQ(r.exit_code, 0);
  unsigned found = 0;
  for (const Json& record : r.records()) {
    if (record["stones"] != Json{12, 20}) continue;
    ++found;
    EXPECT_EQ(record["outcome"], "loss");
    EXPECT_EQ(record["rounds"], 4);
    EXPECT_EQ(record["stones_suffice"], false);
    EXPECT_EQ(record["match_play"]["value"], 0);
    EXPECT_EQ(record["match_play"]["next"], (Json{18, 14}));
    EXPECT_EQ(record["stones_play"]["value"], -4);
    EXPECT_EQ(record["stones_play"]["next"], (Json{12, 20}));
    EXPECT_EQ(record["stones_play"]["outcome"], "draw");
    EXPECT_EQ(record["stones_play"]["rounds"], nullptr);
  }
  EXPECT_EQ(found, 1U);
}

TEST(CliMatch, RoundsThatAreInTablesAreRead) {
  TemporaryFolder folder;
  const std::string t = folder / "t";
  for (const char* start : {"start", "4,4,4/4,4,x"}) {
    ASSERT_EQ(run({"build", start, "--game", "rio-kadalis", "--pits", "3", "--out", t}).exit_code,
              0);
  }
  const Outcome with = run(words_of("match --pits 3 --verbose --tables " + t));
  EXPECT_EQ(with.exit_code, 0);
  EXPECT_NE(with.err.find("2 rounds read from tables"), std::string::npos) << with;
  EXPECT_EQ(with.out, run(words_of("match --pits 3")).out);
  // Without a level below, a round is not whole and is solved.
  std::filesystem::remove(tables_in(t).front());
  const Outcome less = run(words_of("match --pits 3 --verbose --tables " + t));
  EXPECT_NE(less.err.find("1 round read from tables"), std::string::npos) << less;
  EXPECT_EQ(less.out, with.out);
}

TEST(CliMatch, OtherGamesNoMemoryAndNoTablesAreErrors) {
  expect_error("match --game urim", 2, {"--game", "rio-kadalis", "urim"});
  expect_error("match --pit-limit 3", 2, {"--pit-limit"});
  expect_error("match --seeds-per-pit 3", 2, {"--seeds-per-pit"});
  expect_error("match --starter nobody", 2, {"--starter", "'nobody'"});
  expect_error("match 4,4/4,4", 2, {"4,4/4,4"});
  expect_error("match --pits 6 --memory 1MiB", 6, {"memory"});
  expect_error("match --memory 5", 6, {"needs", "at least", "5 bytes"});
  expect_error("match --pits 2 --tables no-such-folder", 3, {"no-such-folder"});
}

}  // namespace
}  // namespace retrosow::test
