// `moves`: exact output, both games, batch input.
#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

Json moves(const std::string& arguments) {
  return run(words_of("moves --json " + arguments)).record();
}

const Json* move_of(const Json& record, int pit) {
  for (const Json& move : record["moves"]) {
    if (move["pit"] == pit) return &move;
  }
  return nullptr;
}

TEST(CliMoves, RecordIsExact) {
  const Outcome r = run(words_of("moves 0,0,0,0,1,2/2,1,0,3,0,4 --json"));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(r.out, std::string("{\"game\":\"urim\",\"rules\":\"") + kUrimRules +
                       "\",\"position\":\"0,0,0,0,1,2/2,1,0,3,0,4\",\"moves\":["
                       "{\"pit\":5,\"result\":\"2,1,0,3,0,4/"
                       "0,0,0,0,0,3\",\"captured\":0,\"captured_opponent\":0,"
                       "\"ends\":\"plain\"},"
                       "{\"pit\":6,\"result\":\"0,0,0,3,0,4/"
                       "0,0,0,0,1,0\",\"captured\":5,\"captured_opponent\":0,"
                       "\"ends\":\"capture\"}],\"end\":null}\n");
}

TEST(CliMoves, TextShowsTheBoardAndATable) {
  const Outcome r = run(words_of("moves 0,0,0,0,1,2/2,1,0,3,0,14"));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.out,
            "    6   5   4   3   2   1\n"
            "  +---+---+---+---+---+---+\n"
            "  | 14| 0 | 3 | 0 | 1 | 2 |  opponent, 20\n"
            "  +---+---+---+---+---+---+\n"
            "  | 0 | 0 | 0 | 0 | 1 | 2 |  to move, 3\n"
            "  +---+---+---+---+---+---+\n"
            "    1   2   3   4   5   6\n"
            "\n"
            "pit  captured  ends     result\n"
            "  5         0  plain    2,1,0,3,0,14/0,0,0,0,0,3\n"
            "  6         5  capture  0,0,0,3,0,14/0,0,0,0,1,0\n");
}

TEST(CliMoves, TextOfRioKadalisShowsLapsAndClosedHoles) {
  const Outcome r = run(words_of("moves 4,x,4,4/4,4,4,x --game rio-kadalis"));
  EXPECT_EQ(r.out,
            "    4   3   2   1\n"
            "  +---+---+---+---+\n"
            "  | x | 4 | 4 | 4 |  opponent, 12\n"
            "  +---+---+---+---+\n"
            "  | 4 | x | 4 | 4 |  to move, 12\n"
            "  +---+---+---+---+\n"
            "    1   2   3   4\n"
            "\n"
            "pit  captured  by opponent  laps  ends   result\n"
            "  1         0            0     3  empty  1,1,6,x/2,x,7,7\n"
            "  3         0            0     3  empty  7,1,1,x/6,x,2,7\n"
            "  4         0            0     3  empty  7,7,1,x/1,x,6,2\n");
}

TEST(CliMoves, DirectionMirrorsTheDrawingOnly) {
  const Outcome ccw = run(words_of("moves 1,x,2/3,0,1 --game rio-kadalis"));
  const Outcome cw = run(words_of("moves 1,x,2/3,0,1 --game rio-kadalis --direction cw"));
  EXPECT_NE(ccw.out.find("    3   2   1\n  +---+---+---+\n  | 1 | 0 | 3 |"), std::string::npos)
      << ccw;
  EXPECT_NE(cw.out.find("    1   2   3\n  +---+---+---+\n  | 3 | 0 | 1 |"), std::string::npos)
      << cw;
  EXPECT_NE(ccw.out.find("  | 1 | x | 2 |  to move, 3\n  +---+---+---+\n    1   2   3\n"),
            std::string::npos)
      << ccw;
  EXPECT_NE(cw.out.find("  | 2 | x | 1 |  to move, 3\n  +---+---+---+\n    3   2   1\n"),
            std::string::npos)
      << cw;
  EXPECT_EQ(ccw.out.substr(ccw.out.find("pit")), cw.out.substr(cw.out.find("pit")));
  EXPECT_EQ(moves("1,x,2/3,0,1 --game rio-kadalis"),
            moves("1,x,2/3,0,1 --game rio-kadalis --direction cw"));
}

TEST(CliMoves, SpacesStandForCommas) {
  const Json record = moves("'0 0 0,0 1 2/2,1 0 3 0 4'");
  EXPECT_EQ(record["position"], "0,0,0,0,1,2/2,1,0,3,0,4");
  EXPECT_EQ(record, moves("0,0,0,0,1,2/2,1,0,3,0,4"));
}

TEST(CliMoves, StartDependsOnGamePitsAndSeeds) {
  EXPECT_EQ(moves("start")["position"], "3,3,3,3,3,3/3,3,3,3,3,3");
  EXPECT_EQ(moves("start --pits 2")["position"], "3,3/3,3");
  EXPECT_EQ(moves("start --pits 7 --seeds-per-pit 1")["position"], "1,1,1,1,1,1,1/1,1,1,1,1,1,1");
  EXPECT_EQ(moves("start --pits 8")["position"], "3,3,3,3,3,3,3,3/3,3,3,3,3,3,3,3");
  for (const char* game : {"oware", "awari", "rio-kadalis"}) {
    EXPECT_EQ(moves("start --pits 3 --game " + std::string(game))["position"], "4,4,4/4,4,4")
        << game;
  }
  EXPECT_EQ(moves("start --pits 1 --game urim")["position"], "3/3");
}

TEST(CliMoves, PresetsAndOptionsStandInTheRecord) {
  EXPECT_EQ(moves("start")["rules"], kUrimRules);
  const Json awari = moves("start --game awari");
  EXPECT_EQ(awari["game"], "awari");
  EXPECT_EQ(awari["rules"], "pit-limit=0 trigger=2,3 chain=2,3 starvation=leave");
  const Json oware = moves("start --game oware");
  EXPECT_EQ(oware["rules"], "pit-limit=0 trigger=2,3 chain=2,3 grand-slam=leave starvation=feed");
  EXPECT_EQ(moves("start --game oware --chain none --trigger 3,2 --pit-limit 20")["rules"],
            "pit-limit=20 pit-limit-rule=skip trigger=2,3 chain=none grand-slam=leave "
            "starvation=feed remainder=row");
  EXPECT_EQ(moves("start --game rio-kadalis --direction cw --starter loser")["rules"],
            "endless-sow=forbid");
  EXPECT_EQ(moves("start --game rio-kadalis --endless-sow draw")["rules"], "endless-sow=draw");
  // The same rules by another way have the same text.
  EXPECT_EQ(moves("start --pit-limit 0 --chain 2,3 --starvation leave")["rules"], awari["rules"]);
}

TEST(CliMoves, GrandSlamIsMarkedWhetherTakenOrLeft) {
  const Json taken = moves("0,0,1/1,0,0");
  ASSERT_NE(move_of(taken, 3), nullptr);
  EXPECT_EQ((*move_of(taken, 3))["ends"], "grand-slam");
  EXPECT_EQ((*move_of(taken, 3))["captured"], 2);
  EXPECT_EQ((*move_of(taken, 3))["result"], "0,0,0/0,0,0");
  const Json left = moves("0,0,1/1,0,0 --grand-slam leave");
  EXPECT_EQ((*move_of(left, 3))["ends"], "grand-slam");
  EXPECT_EQ((*move_of(left, 3))["captured"], 0);
  EXPECT_EQ((*move_of(left, 3))["result"], "2,0,0/0,0,0");
  const Json forbidden = moves("0,0,1/1,0,0 --grand-slam forbid");
  EXPECT_EQ(forbidden["moves"], Json::array());
  EXPECT_EQ(forbidden["end"], (Json{{"mover", 1}, {"opponent", 1}}));
}

TEST(CliMoves, EndSaysWhatEachSideTakes) {
  EXPECT_EQ(moves("0,0/3,1")["end"], (Json{{"mover", 0}, {"opponent", 4}}));
  EXPECT_EQ(moves("0,0,1/1,0,0 --grand-slam forbid --remainder last-mover")["end"],
            (Json{{"mover", 0}, {"opponent", 2}}));
  EXPECT_EQ(moves("0,0/0,0 --game rio-kadalis")["end"], (Json{{"mover", 0}, {"opponent", 0}}));
  const Outcome text = run(words_of("moves 0,0/3,1"));
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find(
                "no legal move: the game is over, the player to move takes 0, his opponent 4\n"),
            std::string::npos)
      << text;
}

TEST(CliMoves, EndlessSowIsLeftOutOrHasNoResult) {
  const std::string position = "2,0,1,0,2,1/0,2,1,0,2,1 --game rio-kadalis";
  EXPECT_EQ(move_of(moves(position), 1), nullptr);
  const Json drawn = moves(position + " --endless-sow draw");
  ASSERT_NE(move_of(drawn, 1), nullptr);
  EXPECT_EQ((*move_of(drawn, 1))["ends"], "endless");
  EXPECT_EQ((*move_of(drawn, 1))["result"], nullptr);
  EXPECT_EQ((*move_of(drawn, 1))["laps"], 60);
  const Outcome text = run(words_of("moves " + position + " --endless-sow draw"));
  EXPECT_NE(text.out.find("  1         0            0    60  endless  -\n"), std::string::npos)
      << text;
}

TEST(CliMoves, BinikhAndFoursOfTheOpponentAreCounted) {
  // One stone makes four of the next hole, last: binikh, whoever owns the row.
  const Json binikh = moves("1,3/0,1 --game rio-kadalis");
  EXPECT_EQ((*move_of(binikh, 1))["ends"], "binikh");
  EXPECT_EQ((*move_of(binikh, 1))["captured"], 4);
  EXPECT_EQ((*move_of(binikh, 1))["laps"], 1);
  // Two stones make four of the opponent's first hole on the way: his.
  const Json passed = moves("0,2/3,0 --game rio-kadalis");
  EXPECT_EQ((*move_of(passed, 2))["captured"], 0);
  EXPECT_EQ((*move_of(passed, 2))["captured_opponent"], 4);
  EXPECT_EQ((*move_of(passed, 2))["result"], "0,1/0,0");
}

TEST(CliMoves, ClosedHolesAreSkippedAndShown) {
  const Json shown = moves("x,1,2/0,x,3 --game rio-kadalis");
  EXPECT_EQ(shown["position"], "x,1,2/0,x,3");
  EXPECT_EQ(move_of(shown, 1), nullptr);
  ASSERT_NE(move_of(shown, 3), nullptr);
  // Two stones: opponent's hole 1, then his hole 3, which becomes four.
  EXPECT_EQ((*move_of(shown, 3))["result"], "1,x,0/x,1,0");
  EXPECT_EQ((*move_of(shown, 3))["captured"], 4);
  EXPECT_EQ((*move_of(shown, 3))["ends"], "binikh");
}

TEST(CliBatch, AnswersEveryLineInOrder) {
  const Outcome r =
      run({"moves", "-", "--json"}, {.input = "start\r\n\n  \r\n0,0/3,1\nrubbish\n1 2/3 4"});
  EXPECT_EQ(r.exit_code, 2) << r;
  const std::vector<Json> out = r.records();
  ASSERT_EQ(out.size(), 4U) << r;
  EXPECT_EQ(out[0], moves("start"));
  EXPECT_EQ(out[1], moves("0,0/3,1"));
  EXPECT_EQ(out[2]["line"], 5);
  EXPECT_NE(out[2]["error"].get<std::string>().find("'rubbish'"), std::string::npos);
  EXPECT_EQ(out[2].size(), 2U);
  EXPECT_EQ(out[3], moves("1,2/3,4"));
  EXPECT_EQ(r.err, "");
}

TEST(CliBatch, WithoutABadLineExitsWithZero) {
  EXPECT_EQ(run({"moves", "-", "--json"}, {.input = "start\nstart\n"}).exit_code, 0);
  const Outcome empty = run({"moves", "-", "--json"}, {.input = ""});
  EXPECT_EQ(empty.exit_code, 0);
  EXPECT_EQ(empty.out, "");
  EXPECT_EQ(run({"moves", "-"}, {.input = "\n\r\n\n"}).out, "");
}

TEST(CliBatch, TextHasOneLinePerRecord) {
  const Outcome r = run({"moves", "-"}, {.input = "1,1/1,1\nrubbish\n0,0/3,1\n"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_EQ(
      r.out,
      "1,1/1,1  1 1,1/0,2  2 +2 0,1/1,0\n"
      "line 2: error: position 'rubbish': two rows separated by one '/' are needed, such as "
      "3,3/3,3, or "
      "'start'\n"
      "0,0/3,1  no legal move: the game is over, the player to move takes 0, his opponent 4\n");
}

TEST(CliBatch, HoldsTheBoardSizeAgainstEachLine) {
  const Outcome r =
      run({"moves", "-", "--json", "--pits", "2"}, {.input = "start\n1,1,1/1,1,1\n1,1/1,1\n"});
  EXPECT_EQ(r.exit_code, 2);
  const std::vector<Json> out = r.records();
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0]["position"], "3,3/3,3");
  EXPECT_TRUE(out[1].contains("error"));
  EXPECT_EQ(out[2]["position"], "1,1/1,1");
}

TEST(CliBatch, BoardsOfManySizesMix) {
  const Outcome r = run({"moves", "-", "--json", "--game", "rio-kadalis"},
                        {.input = "1/1\nx,1,2/0,x,3\n4,4,4,4,4,4/4,4,4,4,4,4\nx,3/1,1\n1,1/x,3\n"});
  EXPECT_EQ(r.exit_code, 0) << r;
  ASSERT_EQ(r.records().size(), 5U);
  EXPECT_EQ(r.records()[1], moves("x,1,2/0,x,3 --game rio-kadalis"));
}

TEST(CliBatch, SurvivesBytesThatAreNoText) {
  const std::string input = std::string("\xff\xfe/1\nstart\n1,\x01/2,2\n") +
                            std::string("1,\0/1,1\n", 9) + std::string(100'000, '1') + "\n" +
                            "1,1/1,1\n";
  const Outcome r = run({"moves", "-", "--json"}, {.input = input});
  EXPECT_EQ(r.exit_code, 2);
  const std::vector<Json> out = r.records();
  ASSERT_EQ(out.size(), 6U) << r;
  for (const std::size_t bad : {0U, 2U, 3U, 4U}) EXPECT_EQ(out[bad]["line"], bad + 1);
  EXPECT_EQ(out[1]["position"], "3,3,3,3,3,3/3,3,3,3,3,3");
  EXPECT_NE(out[4]["error"].get<std::string>().find("longer than 1000 bytes"), std::string::npos);
  EXPECT_LT(r.out.size(), 10'000U);
  EXPECT_EQ(out[5]["position"], "1,1/1,1");
}

TEST(CliBatch, ALimitInALineIsAnErrorRecordAndItsExitCode) {
  const Words words = {"moves", "-", "--json", "--pit-limit", "0"};
  const Outcome r = run(words, {.input = "200,100/0,0\nstart\n"});
  EXPECT_EQ(r.exit_code, 6);
  ASSERT_EQ(r.records().size(), 2U);
  EXPECT_EQ(r.records()[0]["line"], 1);
  // A usage error in another line comes first.
  EXPECT_EQ(run(words, {.input = "200,100/0,0\nx\n"}).exit_code, 2);
  EXPECT_EQ(run(words, {.input = "x\n200,100/0,0\n"}).exit_code, 2);
}

TEST(CliBatch, AnswersEachLineAtOnce) {
  Program program({"moves", "-", "--json"});
  for (const char* position : {"start", "0,0/3,1", "start"}) {
    program.write(std::string(position) + "\n");
    EXPECT_EQ(Json::parse(program.read_line()), moves(position));
  }
  EXPECT_EQ(program.finish().exit_code, 0);
}

}  // namespace
}  // namespace retrosow::test
