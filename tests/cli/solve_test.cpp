// `solve`: values, lines of play, limits, final counts.
#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

Json solve(const std::string& arguments) {
  return run(words_of("solve --json " + arguments)).record();
}

TEST(CliSolve, RecordIsExactButForTheTime) {
  const Outcome r = run(words_of("solve 2,2,2/2,2,2 --json"));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.err, "");
  Json record = r.record();
  EXPECT_TRUE(record["seconds"].is_number());
  record.erase("seconds");
  record.erase("pv");
  EXPECT_EQ(record.dump(),
            std::string("{\"game\":\"urim\",\"rules\":\"") + kUrimRules +
                "\",\"position\":\"2,2,2/2,2,2\",\"value\":3,\"outcome\":\"win\",\"moves\":["
                "{\"pit\":1,\"value\":-2},{\"pit\":2,\"value\":3},{\"pit\":3,\"value\":0}],"
                "\"best\":[2],\"method\":\"tables\",\"nodes\":18564,\"pv_end\":\"repetition\"}");
}

TEST(CliSolve, TextNamesValueUnitAndBestMoves) {
  const Outcome r = run(words_of("solve 2,2,2/2,2,2"));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_TRUE(
      r.out.starts_with("    3   2   1\n"
                        "  +---+---+---+\n"
                        "  | 2 | 2 | 2 |  opponent, 6\n"
                        "  +---+---+---+\n"
                        "  | 2 | 2 | 2 |  to move, 6\n"
                        "  +---+---+---+\n"
                        "    1   2   3\n"
                        "\n"
                        "value    +3 seeds for the player to move\n"
                        "outcome  win\n"
                        "best     2\n"
                        "\n"
                        "pit  value\n"
                        "  1     -2\n"
                        "  2     +3  best\n"
                        "  3      0\n"
                        "\n"
                        "line     "))
      << r;
  EXPECT_NE(r.out.find("(the position repeats)\nsolved   18,564 positions in "), std::string::npos)
      << r;
  EXPECT_NE(
      run(words_of("solve start --pits 2 --game rio-kadalis")).out.find("value    +12 stones"),
      std::string::npos);
}

TEST(CliSolve, MethodsAreAutoTablesAndSearch) {
  EXPECT_EQ(solve("1,1/1,1 --method auto")["method"], "tables");
  EXPECT_EQ(solve("1,1/1,1 --method tables")["method"], "tables");
  Json tables = solve("2,2,2/2,2,2 --method tables"), search = solve("2,2,2/2,2,2 --method search");
  EXPECT_EQ(search["method"], "search");
  for (const char* key : {"value", "outcome", "moves", "best"}) EXPECT_EQ(search[key], tables[key]) << key;
  for (const char* key : {"nodes", "hash_hits", "depth"}) EXPECT_GT(search[key], 0) << key;
  EXPECT_EQ(search["table_values"], 0);
  EXPECT_EQ(solve("2,2/2,2 --method search --value-only --threads 2 --memory 1MiB")["value"],
            solve("2,2/2,2 --value-only")["value"]);
  expect_error("solve 1,1/1,1 --method magic", 2, {"--method", "'magic'", "auto, tables, search"});
}

TEST(CliSolve, ASearchStopsAtItsLimitWithBounds) {
  const Outcome r = run(words_of("solve start --method search --limit-nodes 20000 --memory 16MiB --json"));
  EXPECT_EQ(r.exit_code, 6);
  const Json record = r.record();
  EXPECT_FALSE(record.contains("value"));
  EXPECT_GE(record["bounds"][0], -36);
  EXPECT_LE(record["bounds"][1], 36);
  EXPECT_LT(record["bounds"][0], record["bounds"][1]);
  EXPECT_NE(r.err.find("the bounds so far are proved"), std::string::npos) << r;
  const Outcome text = run(words_of("solve start --method search --limit-nodes 20000 --memory 16MiB"));
  EXPECT_EQ(text.exit_code, 6);
  EXPECT_NE(text.out.find("value    between "), std::string::npos) << text;
  EXPECT_NE(text.out.find("\nsearched "), std::string::npos) << text;
}

TEST(CliSolve, ASearchThatIsStoppedBehindTheValueGivesBoundsOfMoves) {
  const Json whole = solve("2,2,2/2,2,2 --method search --threads 1");
  const Json value = solve("2,2,2/2,2,2 --method search --threads 1 --value-only");
  const auto nodes = value["nodes"].get<std::uint64_t>() + 600;
  ASSERT_LT(nodes, whole["nodes"].get<std::uint64_t>());
  const Outcome r = run(words_of("solve 2,2,2/2,2,2 --method search --threads 1 --json --limit-nodes " + std::to_string(nodes)));
  EXPECT_EQ(r.exit_code, 6) << r;
  EXPECT_EQ(r.record()["value"], 3);
  for (const char* key : {"moves", "best", "pv", "pv_end"}) EXPECT_FALSE(r.record().contains(key)) << key;
  const Json bounds = r.record()["move_bounds"];
  ASSERT_EQ(bounds.size(), 3U);
  std::string text;
  for (const Json& move : bounds) {
    const int at = move["pit"].get<int>() - 1, lower = move["bounds"][0], upper = move["bounds"][1];
    EXPECT_LE(lower, whole["moves"][at]["value"].get<int>());
    EXPECT_GE(upper, whole["moves"][at]["value"].get<int>());
    const auto sign = [](int seeds) { return (seeds > 0 ? "+" : "") + std::to_string(seeds); };
    text += "pit " + std::to_string(at + 1) + "    " +
            (lower == upper ? sign(lower) : "between " + sign(lower) + " and " + sign(upper)) + "\n";
  }
  const Outcome told = run(words_of("solve 2,2,2/2,2,2 --method search --threads 1 --limit-nodes " + std::to_string(nodes)));
  EXPECT_NE(told.out.find(text), std::string::npos) << told << text;
}

TEST(CliSolve, ASearchShowsWholeLinesOfProgress) {
  const Outcome r = run(words_of("solve 2,2,2/2,2,2 --method search --progress=always"));
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_TRUE(r.err.ends_with(" positions\n")) << r;
  EXPECT_NE(r.err.find("search to "), std::string::npos) << r;
  EXPECT_NE(r.err.find(" % by the transposition table"), std::string::npos) << r;
  for (const char c : r.err) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 127)) << static_cast<int>(c);
}

TEST(CliSolve, ASearchReadsTables) {
  TemporaryFolder folder;
  EXPECT_EQ(run({"build", "--pits", "3", "--seeds", "8", "--out", folder / "t"}).exit_code, 0);
  const Json alone = solve("2,2,2/2,2,2 --method search --threads 1");
  const Json with = solve("2,2,2/2,2,2 --method search --threads 1 --tables " + (folder / "t"));
  EXPECT_EQ(with["moves"], alone["moves"]);
  EXPECT_GT(with["table_values"], 0);
  EXPECT_LT(with["nodes"], alone["nodes"]);
}

TEST(CliSolve, ValueOnlyLeavesOutMovesAndLine) {
  const Json record = solve("2,2,2/2,2,2 --value-only");
  EXPECT_EQ(record["value"], 3);
  EXPECT_EQ(record["outcome"], "win");
  for (const char* key : {"moves", "best", "pv", "pv_end"})
    EXPECT_FALSE(record.contains(key)) << key;
  const Outcome text = run(words_of("solve 2,2,2/2,2,2 --value-only"));
  EXPECT_EQ(text.out.find("best"), std::string::npos) << text;
  EXPECT_EQ(text.out.find("line"), std::string::npos) << text;
}

TEST(CliSolve, GameThatIsOverHasAValueAndNoMoves) {
  const Json record = solve("0,0/3,1");
  EXPECT_EQ(record["value"], -4);
  EXPECT_EQ(record["outcome"], "loss");
  EXPECT_EQ(record["moves"], Json::array());
  EXPECT_EQ(record["best"], Json::array());
  EXPECT_EQ(record["pv"], Json::array());
  EXPECT_EQ(record["pv_end"], "end");
  EXPECT_NE(run(words_of("solve 0,0/3,1")).out.find("best     none, the game is over\n"),
            std::string::npos);
}

TEST(CliSolve, CapturedGivesTheFinalCountAndMatchPoints) {
  // 2,2,2/2,2,2 has value +3 of 12 seeds: 7.5 and 4.5 from here on.
  const Json halves = solve("2,2,2/2,2,2 --captured 10,14");
  EXPECT_EQ(halves["final"], (Json{{"mover", 17.5}, {"opponent", 18.5}}));
  EXPECT_EQ(halves["match_points"], (Json{{"mover", 0}, {"opponent", 1}}));
  EXPECT_NE(run(words_of("solve 2,2,2/2,2,2 --captured 10,14 --json"))
                .out.find("\"mover\":17.5,\"opponent\":18.5"),
            std::string::npos);
  // A game that is over: 0 and 4 of the board.
  const auto points = [](const std::string& captured) {
    return solve("0,0/3,1 --captured " + captured)["match_points"];
  };
  EXPECT_NE(run(words_of("solve 0,0/3,1 --captured 9,23 --json"))
                .out.find("\"final\":{\"mover\":9,\"opponent\":27}"),
            std::string::npos);
  EXPECT_EQ(points("9,23"), (Json{{"mover", 0}, {"opponent", 2}}));   // 27 of 36
  EXPECT_EQ(points("10,22"), (Json{{"mover", 0}, {"opponent", 1}}));  // 26 of 36
  EXPECT_EQ(points("27,5"), (Json{{"mover", 2}, {"opponent", 0}}));
  EXPECT_EQ(points("19,13"), (Json{{"mover", 1}, {"opponent", 0}}));
  EXPECT_EQ(points("18,14"), (Json{{"mover", 0}, {"opponent", 0}}));  // level
  EXPECT_EQ(points("32,6"), (Json{{"mover", 2}, {"opponent", 0}}));   // 32 of 42
  EXPECT_EQ(points("31,7"), (Json{{"mover", 1}, {"opponent", 0}}));   // 31 of 42
  const Json rio = solve("4,4/4,4 --game rio-kadalis --captured 0,3");
  EXPECT_EQ(rio["final"], (Json{{"mover", 14}, {"opponent", 5}}));
  EXPECT_FALSE(rio.contains("match_points"));
  EXPECT_FALSE(solve("2,2,2/2,2,2").contains("final"));
  const Outcome text = run(words_of("solve 2,2,2/2,2,2 --captured 10,14"));
  EXPECT_NE(text.out.find("final    17.5 : 18.5 seeds\npoints   0 : 1\n"), std::string::npos)
      << text;
}

TEST(CliSolve, StoppedByALimitGivesBoundsAndExitCodeSix) {
  for (const char* limit : {"--limit-nodes 10", "--limit-seconds 0"}) {
    const Outcome r = run(words_of("solve start --pits 3 --json " + std::string(limit)));
    EXPECT_EQ(r.exit_code, 6) << r;
    const Json record = r.record();
    ASSERT_TRUE(record.contains("bounds")) << r;
    EXPECT_LE(record["bounds"][0].get<int>(), 0);  // the value is 0
    EXPECT_GE(record["bounds"][1].get<int>(), 0);
    for (const char* key : {"value", "outcome", "moves", "best", "pv", "final"}) {
      EXPECT_FALSE(record.contains(key)) << key;
    }
    EXPECT_NE(r.err.find("limit"), std::string::npos) << r;
    const Outcome text = run(words_of("solve start --pits 3 " + std::string(limit)));
    EXPECT_EQ(text.exit_code, 6);
    EXPECT_NE(text.out.find("value    between -18 and +18 seeds"), std::string::npos) << text;
  }
  // Limits that are not reached change nothing.
  EXPECT_EQ(solve("1,1/1,1 --limit-nodes 1000000 --limit-seconds 100.5")["value"], 0);
}

TEST(CliSolve, TooLittleMemoryIsALimitThatSaysWhatIsNeeded) {
  expect_error("solve start --method tables --memory 100MiB", 6, {"memory", "100 MiB"});
  expect_error("solve start --game rio-kadalis --method tables --memory 1MiB", 6, {"memory"});
  expect_error("solve start --pits 8 --seeds-per-pit 10", 6, {"127"});
}

TEST(CliSolve, TablesAreReadWhereGiven) {
  TemporaryFolder folder;
  ASSERT_EQ(run({"build", "--pits", "3", "--seeds", "9", "--out", folder / "t"}).exit_code, 0);
  Json with = solve("2,1,2/1,2,1 --tables " + folder / "t");
  Json without = solve("2,1,2/1,2,1");
  EXPECT_EQ(with["nodes"], 0);
  for (Json* record : {&with, &without}) {
    record->erase("nodes");
    record->erase("seconds");
  }
  EXPECT_EQ(with, without);
  // Levels that are missing are solved.
  EXPECT_EQ(solve("2,2,2/2,2,2 --tables " + folder / "t")["value"], 3);
  // Tables of other rules are not used.
  EXPECT_GT(solve("2,1,2/1,2,1 --grand-slam leave --tables " + folder / "t")["nodes"], 0);
  expect_error("solve 1,1/1,1 --tables /nonexistent", 3, {"/nonexistent"});
}

TEST(CliSolve, BatchAnswersLinesAndKeepsGoing) {
  const Outcome r = run({"solve", "-", "--json", "--limit-nodes", "1000"},
                        {.input = "1,1/1,1\nrubbish\n0,0/3,1\n3,3,3/3,3,3\n"});
  EXPECT_EQ(r.exit_code, 2) << r;
  const std::vector<Json> out = r.records();
  ASSERT_EQ(out.size(), 4U);
  EXPECT_EQ(out[0]["value"], 0);
  EXPECT_EQ(out[1]["line"], 2);
  EXPECT_EQ(out[2]["value"], -4);
  EXPECT_EQ(out[3]["bounds"], (Json{-18, 18}));
  EXPECT_NE(r.err.find("line 4: "), std::string::npos) << r;
  const Outcome limited =
      run({"solve", "-", "--limit-nodes", "1000"}, {.input = "3,3,3/3,3,3\n2,2/2,2\n0,0/3,1\n"});
  EXPECT_EQ(limited.exit_code, 6);
  EXPECT_EQ(limited.out,
            "3,3,3/3,3,3  value between -18 and +18\n"
            "2,2/2,2  value +8  win  best 2\n"
            "0,0/3,1  value -4  loss  best none\n");
}

// Plays the lines of perfect play move by move and adds up what is taken on the way.
void expect_lines_keep_their_values(const std::string& options, const Words& positions) {
  const auto batch = [&](const char* verb, const Words& lines) {
    std::string input;
    for (const std::string& line : lines) input += line + "\n";
    const Outcome r = run(words_of(std::string(verb) + " - --json " + options), {.input = input});
    EXPECT_EQ(r.exit_code, 0) << options << "\n" << r;
    return r.records();
  };
  struct Play {
    Json solved;
    std::string position;
    Words seen;
    int sum = 0, sign = 1;
    bool left = false;  // by an endless sow
  };
  std::vector<Play> plays;
  for (const Json& record : batch("solve", positions)) {
    ASSERT_TRUE(record.contains("pv")) << record;
    plays.push_back({record, record["position"], {record["position"]}});
  }
  ASSERT_EQ(plays.size(), positions.size());
  for (std::size_t ply = 0;; ++ply) {
    std::vector<Play*> moving;
    Words lines;
    for (Play& play : plays) {
      if (ply > play.solved["pv"].size() || play.left) continue;
      moving.push_back(&play);
      lines.push_back(play.position);
    }
    if (moving.empty()) break;
    const std::vector<Json> lists = batch("moves", lines);
    ASSERT_EQ(lists.size(), moving.size());
    for (std::size_t i = 0; i < moving.size(); ++i) {
      Play& play = *moving[i];
      if (ply == play.solved["pv"].size()) {  // where the line ends
        const Json& end = lists[i]["end"];
        EXPECT_EQ(end.is_object(), play.solved["pv_end"] == "end") << play.solved;
        if (end.is_object())
          play.sum += play.sign * (end["mover"].get<int>() - end["opponent"].get<int>());
        continue;
      }
      const Json* played = nullptr;
      for (const Json& move : lists[i]["moves"]) {
        if (move["pit"] == play.solved["pv"][ply]) played = &move;
      }
      ASSERT_NE(played, nullptr) << play.solved << " at ply " << ply;
      play.sum += play.sign *
                  ((*played)["captured"].get<int>() - (*played)["captured_opponent"].get<int>());
      play.sign = -play.sign;
      play.left = (*played)["result"].is_null();
      if (play.left) continue;
      play.position = (*played)["result"];
      play.seen.push_back(play.position);
    }
  }
  for (const Play& play : plays) {
    EXPECT_EQ(play.sum, play.solved["value"].get<int>()) << options << " " << play.solved;
    EXPECT_NE(play.solved["pv_end"], "cut") << play.solved;
    if (play.solved["pv_end"] == "repetition") {
      EXPECT_GT(std::count(play.seen.begin(), play.seen.end(), play.position), 1) << play.solved;
    }
  }
}

TEST(CliSolve, LinesOfPlayAreLegalAndKeepTheirValue) {
  expect_lines_keep_their_values("", {"2,2,2/2,2,2", "1,0,2/0,3,1", "3,1,0/0,0,2", "2,2/2,2",
                                      "0,0,0/1,1,1", "4,0,1/2,2,2", "1,1/1,1", "0,3,0/3,0,3"});
  expect_lines_keep_their_values("--game awari",
                                 {"1,2,0/2,0,1", "2,2,2/2,2,2", "0,0,3/1,0,0", "1,0/0,1"});
  expect_lines_keep_their_values("--pit-limit 3 --remainder last-mover",
                                 {"3,3,3/3,3,3", "3,0,3/1,1,1", "0,3,1/2,0,0"});
  expect_lines_keep_their_values("--grand-slam forbid",
                                 {"1,0,1/0,1,0", "2,2,2/2,2,2", "0,0,1/1,0,0"});
  expect_lines_keep_their_values("--game rio-kadalis", {"4,4/4,4", "4,4,4/4,4,4", "4,4,4,4/4,4,4,4",
                                                        "1,2,0/0,3,1", "x,2,1/3,0,x", "1,0/0,1"});
  expect_lines_keep_their_values("--game rio-kadalis --endless-sow draw",
                                 {"2,0,1,0,2,1/0,2,1,0,2,1", "4,4,4/4,4,4", "3,0,1,2/1,1,0,2"});
}

TEST(CliSolve, LinesOfPlayWithRowsOfDifferentLength) {
  expect_lines_keep_their_values("--game rio-kadalis",
                                 {"0,1/x,0", "1,0/x,1", "0,x,1/1,0,0", "1,x,1/0,0,0", "4,x,4/4,4,4",
                                  "4,4,4,4/4,x,4,x", "1,2,3,1/x,x,2,0"});
}

}  // namespace
}  // namespace retrosow::test
