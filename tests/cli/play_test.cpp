// `play`: whole games by commands from standard input, records saved and read by other verbs, bad input.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

Outcome play_by(const std::string& options, const std::string& input,
                const std::string& folder = "") {
  return run(words_of("play " + options), {.input = input, .folder = folder});
}

// Without its date, which is today's.
std::string undated(std::string record) {
  const std::size_t at = record.find("date: ");
  if (at != std::string::npos) record.erase(at, record.find('\n', at) + 1 - at);
  return record;
}

void expect_parts(const Outcome& r, const Words& parts) {
  std::size_t at = 0;  // in this order
  for (const std::string& part : parts) {
    const std::size_t found = r.out.find(part, at);
    ASSERT_NE(found, std::string::npos) << "not there, or not in this place: " << part << "\n" << r;
    at = found + part.size();
  }
}

// Plays what it is hinted until the round is over; the end's record.
Json end_of_game_by_hints(const std::string& options) {
  Program program(words_of("play --json " + options));
  Json event;
  const auto wait = [&] {
    do event = Json::parse(program.read_line());
    while (event["event"] == "move" || (event["event"] == "position" && event["by"] == "program"));
  };
  wait();
  for (unsigned moves = 0; moves < 1000 && event["event"] != "round_end"; ++moves) {
    program.write("h\n");
    const Json hint = Json::parse(program.read_line());
    if (hint["event"] != "hint") break;
    program.write(hint["pit"].dump() + "\n");
    wait();
  }
  EXPECT_EQ(event["event"], "round_end") << options;
  return event;
}

double difference_at_end(const Json& end) {
  return end["final"]["first"].get<double>() - end["final"]["second"].get<double>();
}

// README.md, section "Playing": what it shows is what the commands in it give.
TEST(CliPlay, GameOfTheReadmeIsPlayedAsItStandsThere) {
  std::istringstream readme(text_of_file(std::string(RETROSOW_SOURCE_DIR) + "/README.md"));
  const std::string start = "$ retrosow play ", end = "```";
  std::string options, commands, shown;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with(start)) {
      options = line.substr(start.size());
    } else if (!options.empty() && line == end) {
      break;
    } else if (!options.empty()) {
      shown += line + "\n";
      if (const std::size_t prompt = line.find("> "); prompt != std::string::npos)
        commands += line.substr(prompt + 2) + "\n";
    }
  }
  ASSERT_GT(commands.size(), 8U);
  const Outcome r = play_by(options, commands);
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.out, shown);
}

TEST(CliPlay, TranscriptOfARoundOfRioKadalis) {
  const Outcome r =
      play_by("start --game rio-kadalis --pits 2", "2\nh\n2\nc a fine move\nl\n1\n1\n1\n1\nu\nd\n");
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(r.out, R"(rio-kadalis on 2x2; endless-sow=forbid
You begin, retrosow plays at strength 10 of 10.
Type the number of a pit to sow it, h for a hint, ? for all commands.

         2   1
       +---+---+
  ( 0) | 4 | 4 |       retrosow
       +---+---+
       | 4 | 4 | ( 0)  you, to move
       +---+---+
         1   2

1 you> 2
you play 2
retrosow plays 1 (3 laps), and 4 fall to you

         2   1
       +---+---+
  ( 0) | 2 | 0 |       retrosow
       +---+---+
       | 9 | 1 | ( 4)  you, to move
       +---+---+
         1   2

2 you> h
hint: 2 (+8, proved, solved in memory)
2 you> 2
you play 2
retrosow plays 1 (2 laps)

         2   1
       +---+---+
  ( 0) | 0 | 1 |       retrosow
       +---+---+
       | 10| 1 | ( 4)  you, to move
       +---+---+
         1   2

3 you> c a fine move
noted
3 you> l
line: 1 2 1 1 1 (the position repeats; proved, solved in memory)
3 you> 1
you play 1 and take 8
retrosow plays 2

         2   1
       +---+---+
  ( 0) | 0 | 0 |       retrosow
       +---+---+
       | 3 | 1 | (12)  you, to move
       +---+---+
         1   2

4 you> 1
you play 1
retrosow plays 1 (5 laps)

         2   1
       +---+---+
  ( 0) | 2 | 0 |       retrosow
       +---+---+
       | 1 | 1 | (12)  you, to move
       +---+---+
         1   2

5 you> 1
you play 1 (5 laps)
This position has stood before. The third time ends the round, what is on the board is split then.
retrosow plays 1 (5 laps)
This position has stood before, too; d ends the round now.

         2   1
       +---+---+
  ( 0) | 2 | 0 |       retrosow
       +---+---+
       | 1 | 1 | (12)  you, to move
       +---+---+
         1   2

6 you> 1
you play 1 (5 laps)

         2   1
       +---+---+
  ( 0) | 1 | 1 |       retrosow
       +---+---+
       | 0 | 2 | (12)  you
       +---+---+
         1   2

Play is endless: what is on the board is split evenly.
The round is over: you 14, retrosow 2; fours 3 : 0.
You win the round.
over> u
taken back

         2   1
       +---+---+
  ( 0) | 2 | 0 |       retrosow
       +---+---+
       | 1 | 1 | (12)  you, to move
       +---+---+
         1   2

6 you> d

         2   1
       +---+---+
  ( 0) | 2 | 0 |       retrosow
       +---+---+
       | 1 | 1 | (12)  you
       +---+---+
         1   2

Play is endless: what is on the board is split evenly.
The round is over: you 14, retrosow 2; fours 3 : 0.
You win the round.
over> 
)");
}

TEST(CliPlay, SameCommandsGiveTheSameTranscript) {
  for (const char* options :
       {"--side none --pits 2 --strength 5 --seed 3", "--side none --match --pits 2",
        "--side none --game rio-kadalis --pits 3 --strength 0 --json"}) {
    const Outcome first = play_by(options, ""), second = play_by(options, "");
    EXPECT_EQ(first.exit_code, 0) << first;
    EXPECT_EQ(first.out, second.out);
    EXPECT_FALSE(first.out.empty());
  }
  // Below full strength another seed is another game.
  EXPECT_NE(play_by("--side none --pits 2 --strength 0 --seed 1", "").out,
            play_by("--side none --pits 2 --strength 0 --seed 2", "").out);
}

TEST(CliPlay, HintsKeepWhatThePositionIsWorth) {
  struct Case {
    const char* options;
    const char* position;
  };
  for (const Case& c :
       {Case{"--pits 2 --seeds-per-pit 2", ""}, Case{"--game rio-kadalis --pits 2", ""},
        Case{"--side second --game rio-kadalis --pits 2", ""},
        Case{"--game awari", "0,1,0,2,0,1/1,0,0,0,2,1"}}) {
    const std::string position = c.position[0] == '\0' ? "start" : c.position;
    std::string rules = c.options;
    if (const std::size_t side = rules.find("--side second "); side != std::string::npos)
      rules.erase(side, 14);
    const int value =
        run(words_of("solve " + position + " " + rules + " --json")).record()["value"];
    EXPECT_EQ(difference_at_end(end_of_game_by_hints(position + " " + c.options)), value)
        << c.options;
  }
}

TEST(CliPlay, TablesGiveTheMovesTheValuesAndTheProgress) {
  TemporaryFolder folder;
  const std::string tables = folder / "t";
  ASSERT_EQ(run(words_of("build --pits 3 --seeds 9 --out " + tables)).exit_code, 0);
  const std::string options = "2,1,1/0,3,2 --tables " + tables;
  for (unsigned pass = 0; pass < 2; ++pass) {  // without and with distances
    const Outcome probe = run(words_of("probe 2,1,1/0,3,2 --json --tables " + tables));
    const Json values = play_by(options + " --json", "v\n").records().at(1);
    EXPECT_EQ(values["event"], "values");
    EXPECT_EQ(values["from"], "tables");
    for (const char* key : {"value", "best"}) EXPECT_EQ(values[key], probe.record()[key]) << key;
    EXPECT_EQ(difference_at_end(end_of_game_by_hints(options)), probe.record()["value"].get<int>());
    if (pass == 0) {
      ASSERT_EQ(run(words_of("build --pits 3 --seeds 9 --distance --out " + tables)).exit_code, 0);
    }
  }
  // Of other rules they say nothing, and are not used.
  const Outcome other = play_by("2,1,1/0,3,2 --chain none --json --tables " + tables, "v\n");
  EXPECT_EQ(other.records()[1]["from"], "solved");
}

TEST(CliPlay, WhatIsNotProvedIsSaidToBeAnEstimate) {
  const Outcome text = play_by("--limit-nodes 0", "v\nh\nl\n1\n");
  expect_parts(text, {"estimate\n", "an estimate, ", "hint: ", "an estimate",
                      "line: ", "cut here; an estimate", "not proved to be perfect"});
  const std::vector<Json> records = play_by("--limit-nodes 0 --json", "v\n1\n").records();
  EXPECT_EQ(records[1]["proved"], false);
  EXPECT_EQ(records[1]["from"], "estimate");
  EXPECT_EQ(records[3]["by"], "program");
  EXPECT_EQ(records[3]["proved"], false);
}

TEST(CliPlay, UndoTakesBackToTheLastMoveOfThePlayer) {
  const Outcome r = play_by("--pits 3 --seeds-per-pit 2 --json", "1\n2\nu\nu\nu\n1\n");
  std::vector<std::string> events;
  for (const Json& record : r.records()) events.push_back(record["event"]);
  EXPECT_EQ(events, (Words{"position", "move", "move", "position", "move", "move", "position",
                           "position", "position", "refused", "move", "move", "position"}));
  EXPECT_EQ(r.records()[7]["ply"], 2);
  EXPECT_EQ(r.records()[8]["position"], "2,2,2/2,2,2");
  EXPECT_NE(r.records()[9]["text"].get<std::string>().find("no move of yours"), std::string::npos);
  // The program begins, and its first move is none of the player's.
  const Outcome second = play_by("--pits 3 --seeds-per-pit 2 --side second --json", "u\n");
  EXPECT_EQ(second.records().back()["event"], "refused");
  // For two players it is one move at a time, over the end of the game, too.
  const Outcome both = play_by("0,1/0,1 --side both --captured 1,1", "2\nu\n2\n");
  expect_parts(both, {"first plays 2", "taken back", "first plays 2"});
}

TEST(CliPlay, BadInputIsExplainedAndAskedForAgain) {
  const Outcome r = play_by(
      "1,0,2/0,0,0",
      "1\n2\n0\n4\n99999999999\n-1\n3.5\n3 3\nfoo\nh x\nstrength\nstrength 11\nstrength x\ns\no\n"
      "o /no/such/file\nc\nc \x1b[31m\nd\n" +
          std::string(1200, 'z') + "\n\n  \n3\n");
  EXPECT_EQ(r.exit_code, 0);
  expect_parts(r, {"pit 1 leaves the opponent without seeds, who must be fed; playable: 3",
                   "pit 2 is empty",
                   "pit 0 is not there: pits are 1 to 3",
                   "pit 4 is not there",
                   "'99999999999' is not a whole number",
                   "'-1' is no command",
                   "'3.5' is no command",
                   "one move at a time",
                   "'foo' is no command",
                   "'h' is no command, or takes nothing behind it",
                   "strength: ''",
                   "strength: '11'",
                   "strength: 'x'",
                   "save under which name",
                   "open which file",
                   "there is no record /no/such/file",
                   "what is the comment",
                   "control character",
                   "has not stood before",
                   "longer than any command",
                   "you play 3"});
  EXPECT_EQ(r.err, "");
}

TEST(CliPlay, EndOfInputEndsCleanly) {
  for (const char* input : {"", "1", "1\n", "q", "q\n1\n", "\r\n1\r\nq\r\n"}) {
    const Outcome r = play_by("--pits 2", input);
    EXPECT_EQ(r.exit_code, 0) << r;
    EXPECT_EQ(r.err, "");
  }
}

TEST(CliPlay, RepeatedPlayEndsByAgreementOrTheThirdTime) {
  // Two seeds run round after each other.
  const std::string round_trip = "2\n2\n1\n1\n";
  const Outcome agreed = play_by("0,1/0,1 --side both", round_trip + "d\nu\nd\n");
  expect_parts(agreed, {"This position has stood before", "Play is endless", "first 1, second 1",
                        "A draw.", "taken back", "Play is endless"});
  const Outcome third = play_by("0,1/0,1 --side both", round_trip + round_trip + "1\n");
  expect_parts(third, {"has stood before", "Play is endless", "the game is over"});
}

TEST(CliPlay, RecordIsSavedAndGoesOn) {
  TemporaryFolder folder;
  const std::string in = folder.path().string();
  const Outcome saved =
      play_by("--pits 3 --side both", "1\nc a good start\n2\ns g.txt\ns g.txt\n3\nq\n", in);
  expect_parts(saved, {"noted", "saved as g.txt", "saved as g.txt"});
  const std::string text =
      "retrosow record 1\ngame: urim\nrules: pit-limit=17 pit-limit-rule=skip trigger=2,3 "
      "chain=2,3,4 "
      "grand-slam=capture starvation=feed remainder=row\nstart: 3,3,3/3,3,3\n\n1. 1\n; a good "
      "start\n1... 2\n";
  EXPECT_EQ(undated(text_of_file(folder / "g.txt")), text);

  const std::string longer = text.substr(0, text.size() - 1) + "  2. 3\n";
  const Outcome loaded = play_by("--record g.txt --side both", "3\ns\no g.txt\nu\n", in);
  expect_parts(loaded, {"2 first> 3", "saved as g.txt", "second, to move", "taken back"});
  EXPECT_EQ(undated(text_of_file(folder / "g.txt")), longer);
  EXPECT_EQ(play_by("--record g.txt --ply 1 --json", "", in).records().front()["position"],
            "4,3,3/0,4,4");

  // Another game's file is not written over unasked.
  const Outcome other = play_by("--pits 2", "s g.txt\n", in);
  expect_parts(other, {"g.txt is there already; s! g.txt"});
  EXPECT_EQ(undated(text_of_file(folder / "g.txt")), longer);
  expect_parts(play_by("--pits 2", "s! g.txt\n", in), {"saved as g.txt"});
  const Outcome kept = play_by("--save g.txt", "", in);
  EXPECT_EQ(kept.exit_code, 2) << kept;
  EXPECT_EQ(play_by("--record g.txt --save g.txt", "1\n", in).exit_code, 0);
  EXPECT_NE(text_of_file(folder / "g.txt").find("1. 1 "), std::string::npos);
  const Outcome fresh = play_by("--pits 2 --save new.txt", "1\n", in);
  EXPECT_NE(text_of_file(folder / "new.txt").find("second: retrosow, strength 10\n"),
            std::string::npos)
      << fresh;
}

TEST(CliPlay, MatchGoesOnWithClosedHolesToItsEnd) {
  TemporaryFolder folder;
  const Outcome r =
      play_by("--match --pits 3 --side none --json --save m.txt", "", folder.path().string());
  ASSERT_EQ(r.exit_code, 0) << r;
  std::size_t rounds = 0;
  bool closed = false;
  Json totals;
  for (const Json& record : r.records()) {
    if (record["event"] == "position" && record["ply"] == 0) {
      ++rounds;
      EXPECT_EQ(record["round"], rounds);
      EXPECT_EQ(record["totals"]["first"].get<int>() + record["totals"]["second"].get<int>(), 24);
      if (rounds > 1) {
        EXPECT_EQ(record["totals"], totals);
      }
      closed = closed || record["position"].get<std::string>().find('x') != std::string::npos;
    }
    if (record["event"] == "round_end") totals = record["totals"];
  }
  EXPECT_GT(rounds, 2U);
  EXPECT_TRUE(closed);
  EXPECT_EQ(r.records().back()["event"], "match_end");

  // The record holds all of it, and is read again with the same end.
  const std::string text = text_of_file(folder / "m.txt");
  EXPECT_NE(text.find("match: yes"), std::string::npos);
  const Outcome again = play_by("--record m.txt --json", "", folder.path().string());
  EXPECT_EQ(again.records().back(), r.records().back());
  // A round before the last one can be gone on with.
  const Outcome earlier =
      play_by("--record m.txt --round 2 --ply 0 --side both", "b\n", folder.path().string());
  expect_parts(earlier, {"Round 2: ", " own", "aside", "x"});
  expect_parts(play_by("--match --pits 3", ""),
               {"Round 1: you start.\nyou own 12: 3 holes open, 0 aside; retrosow owns 12: 3 holes "
                "open, 0 aside\n"});
}

// Levels 6 to 8 only. Behind the first position tables end after a quiet move, in the line of the second further on.
TEST(CliPlay, WhereTablesEndItGoesOnWithoutThem) {
  TemporaryFolder folder;
  const std::string tables = " --tables " + (folder / "t");
  ASSERT_EQ(run(words_of("build --pits 3 --seeds 8 --out " + (folder / "t"))).exit_code, 0);
  std::size_t removed = 0;
  for (const auto& file : tables_in(folder / "t")) {
    if (file.filename().string() < "urim-2x3-2e2f1f19c3ee-006") removed += std::filesystem::remove(file) ? 1 : 0;
  }
  ASSERT_EQ(removed, 6U);
  for (const char* position : {"2,1,1/3,1,0", "1,1,1/1,2,2"}) {
    const Outcome game = play_by(position + (" --side none --json" + tables), "");
    ASSERT_EQ(game.exit_code, 0) << game;
    const Json solved = run(words_of(std::string("solve --json ") + position)).record();
    EXPECT_EQ(difference_at_end(game.records().back()), solved["value"].get<int>()) << position;
    const std::vector<Json> asked = play_by(position + (" --side both --json" + tables), "h\nl\n").records();
    EXPECT_EQ(asked.at(1)["event"], "hint");
    EXPECT_EQ(asked.at(1)["value"], solved["value"]);
    EXPECT_EQ(asked.at(2)["event"], "line");
    EXPECT_EQ(asked.at(2)["line"][0], asked.at(1)["pit"]);
  }
  const Json line = play_by("1,1,1/1,2,2 --side both --json" + tables, "l\n").records().at(1);
  EXPECT_EQ(line["from"], "tables");
  EXPECT_EQ(line["line_end"], "cut");
}

TEST(CliPlay, AMatchIsAgreedDrawnAlsoWhereTheProgramStartsTheNextRound) {
  const std::string options = "--match --pits 2 --side first --strength 0", moves = "1\n1\n2\n2\n2\n1\n";
  const Outcome drawn = play_by(options, moves + "d\nu\nd\n");
  EXPECT_EQ(drawn.exit_code, 0) << drawn;
  expect_parts(drawn, {"Both have owned this before", "d ends it now", "Round 4: retrosow starts.", "retrosow plays",
                       "you> d", "The match is over after 3 rounds", "the match is drawn", "over> u", "retrosow plays",
                       "you> d", "the match is drawn"});
  // Not once the player has moved in the round.
  const Outcome late = play_by("--match --pits 3 --side second --strength 0", "3\n2\n2\n3\n1\n2\n1\n3\n1\nd\n");
  expect_parts(late, {"d ends it now", "1 you> 1", "2 you> d", "play is not endless"});
}

TEST(CliPlay, ARefusedDrawChangesNothing) {
  TemporaryFolder folder;
  const std::string in = folder.path().string();
  const std::string record =
      "retrosow record 1\ngame: rio-kadalis\nrules: direction=ccw endless-sow=forbid starter=alternate\nmatch: yes\n\n"
      "round: 1\ntotals: 12 12\nstarter: first\nstart: 4,4,4/4,4,4\n\n"
      "1. 1 2  2. 2 2  3. 1 3  4. 1 1  5. 1 1  6. 1 3  7. 1 1  8. 2 1  9. 1 1\n"
      "10. 3 1  11. 1 3  12. 1 1  13. 1 3  14. 1 1  15. 3 1  16. 1 1  17. 3 1\n"
      "18. 1 3  19. 1 1  20. 1 3  21. 1 1  22. 3\nend: endless\nresult: 10 14\n\n"
      "round: 2\ntotals: 10 14\nstarter: second\nstart: 4,4,4/4,x,4\n; the middle hole is closed\n\n";
  std::ofstream(folder / "m.txt") << record;
  const Outcome r = play_by("--record m.txt --side both", "d\ns\n", in);
  expect_parts(r, {"have not owned this before", "saved as m.txt"});
  EXPECT_EQ(text_of_file(folder / "m.txt"), record);
}

TEST(CliPlay, ARecordIsSavedOnlyAsAFile) {
  namespace fs = std::filesystem;
  TemporaryFolder folder;
  const std::string in = folder.path().string();
  fs::create_directory(folder / "d");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::ofstream(folder / "d/file.txt") << "old\n";
  fs::create_symlink("d/file.txt", folder / "link.txt");
  fs::create_symlink("d/new.txt", folder / "dangling.txt");
  fs::create_symlink("loop.txt", folder / "loop.txt");
  const std::string name(300, 'n');
  const Outcome r = play_by("--pits 2", "s! pipe\ns! d\ns! loop.txt\ns " + name + "\ns! link.txt\ns dangling.txt\n", in);
  EXPECT_EQ(r.exit_code, 0) << r;
  expect_parts(r, {"pipe is no regular file", "d is a folder", "loop.txt: ", name + ": File name too long",
                   "saved as link.txt", "saved as dangling.txt"});
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  for (const char* link : {"link.txt", "dangling.txt"}) EXPECT_TRUE(fs::is_symlink(folder / link)) << link;
  for (const char* file : {"d/file.txt", "d/new.txt"}) {
    EXPECT_TRUE(text_of_file(folder / file).starts_with("retrosow record 1\n")) << file;
  }
  const Outcome long_name = play_by("--pits 2 --save " + name, "1\n", in);
  EXPECT_EQ(long_name.exit_code, 3) << long_name;
  EXPECT_EQ(long_name.err.find("filesystem error"), std::string::npos) << long_name;
  EXPECT_EQ(play_by("--pits 2 --save pipe", "1\n", in).exit_code, 2);
}

TEST(CliPlay, MovesBehindThePlaceAreNotWrittenOver) {
  TemporaryFolder folder;
  const std::string in = folder.path().string();
  play_by("--pits 3 --side both", "1\n2\n3\ns g.txt\n", in);
  const std::string whole = text_of_file(folder / "g.txt");
  expect_parts(play_by("--record g.txt --ply 1 --side both", "s\ns g.txt\n", in),
               {"save under which name", "g.txt is there already"});
  for (const char* name : {"g.txt", "./g.txt"}) {
    const Outcome r = play_by(std::string("--record g.txt --ply 1 --side both --save ") + name, "2\n", in);
    EXPECT_EQ(r.exit_code, 2) << r;
    EXPECT_NE(r.err.find("would be lost"), std::string::npos) << r;
  }
  EXPECT_EQ(text_of_file(folder / "g.txt"), whole);
  // A place that cuts nothing off is the whole game.
  expect_parts(play_by("--record g.txt --ply 3 --side both", "1\ns\n", in), {"saved as g.txt"});
  EXPECT_NE(text_of_file(folder / "g.txt"), whole);
}

TEST(CliPlay, WhatCannotBeReadIsNotWritten) {
  TemporaryFolder folder;
  std::string comments;
  for (unsigned i = 0; i < 1200; ++i) comments += "c " + std::string(900, 'z') + "\n";
  const Outcome r = play_by("--pits 2", comments + "s g.txt\n", folder.path().string());
  EXPECT_NE(r.out.find("too long for a record: "), std::string::npos) << r.out.substr(r.out.size() - 200);
  EXPECT_FALSE(std::filesystem::exists(folder / "g.txt"));
  // Nor a control that terminals may obey (U+009B is the same as ESC and [).
  expect_parts(play_by("--pits 2", "c a\xc2\x9b" "31mred\nc caf\xc3\xa9\n"), {"control character at byte 2", "noted"});
}

TEST(CliPlay, RecordGivesOtherVerbsTheirPosition) {
  TemporaryFolder folder;
  const std::string in = folder.path().string();
  play_by("0,2,1/0,0,2 --captured 3,1 --side both", "3\n3\ns g.txt\n", in);
  const auto verb = [&](const std::string& command) {
    return run(words_of(command), {.folder = in});
  };
  EXPECT_EQ(verb("moves --record g.txt --json").out, verb("moves 1,0,0/1,0,0 --json").out);
  EXPECT_EQ(verb("moves --record g.txt --ply 0").out, verb("moves 0,2,1/0,0,2").out);
  EXPECT_EQ(verb("moves --record g.txt --ply 1 --round 1").out, verb("moves 1,0,2/0,2,0").out);
  const Json solved = verb("solve --record g.txt --json").record();
  const Json expected = verb("solve 1,0,0/1,0,0 --captured 3,4 --json").record();
  for (const char* key : {"position", "value", "final", "match_points", "moves"})
    EXPECT_EQ(solved[key], expected[key]) << key;
  ASSERT_EQ(verb("build --pits 3 --seeds 5 --distance --out t").exit_code, 0);
  EXPECT_EQ(verb("probe --record g.txt --tables t --json").out,
            verb("probe 1,0,0/1,0,0 --captured 3,4 --tables t --json").out);
  EXPECT_EQ(verb("line --record g.txt --tables t --json").out,
            verb("line 1,0,0/1,0,0 --captured 3,4 --tables t --json").out);

  std::ofstream(folder / "bad.txt")
      << "retrosow record 1\ngame: urim\nstart: 3,3/3,3\n1. 1\n1... 1 2. 3\n";
  std::ofstream(folder / "long.txt") << std::string((1U << 20) + 1, '\n');
  std::ofstream(folder / "new.txt") << "retrosow record 7\n";
  std::ofstream(folder / "endless.txt")
      << "retrosow record 1\ngame: rio-kadalis\nrules: endless-sow=draw\nstart: "
         "2,0,1,0,2,1/0,2,1,0,2,1\n1. 1\n";
  EXPECT_EQ(verb("moves --record endless.txt --json").record()["position"],
            "2,0,1,0,2,1/0,2,1,0,2,1");
  const auto refused = [&](const std::string& command, int exit_code, const Words& parts) {
    const Outcome r = verb(command);
    EXPECT_EQ(r.exit_code, exit_code) << command << r;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(r.err.find('\n'), r.err.size() - 1) << r;
    for (const std::string& part : parts)
      EXPECT_NE(r.err.find(part), std::string::npos) << part << r;
  };
  refused("moves start --record g.txt", 2, {"'start'", "--record"});
  refused("moves - --record g.txt", 2, {"'-'", "--record"});
  refused("moves --record g.txt --game urim", 2, {"--game", "--record"});
  refused("solve --record g.txt --pits 3", 2, {"--pits", "--record"});
  refused("solve --record g.txt --captured 1,1", 2, {"--captured", "--record"});
  refused("moves start --ply 1", 2, {"--ply", "--record"});
  refused("moves start --round 1", 2, {"--round", "--record"});
  refused("moves --record g.txt --ply 3", 2, {"--ply", "3", "2 moves"});
  refused("moves --record g.txt --ply x", 2, {"--ply", "'x'"});
  refused("moves --record g.txt --round 2", 2, {"--round", "2", "1 round"});
  refused("moves --record endless.txt --ply 1", 2, {"--ply", "never ends"});
  refused("moves --record none.txt", 3, {"none.txt"});
  refused("moves --record t", 3, {"t"});
  refused("moves --record bad.txt", 2, {"bad.txt", "line 5", "pit 3 is not there"});
  refused("moves --record long.txt", 6, {"long.txt", "1048577"});
  refused("play --record new.txt", 5, {"new.txt", "line 1", "'7'"});
}

TEST(CliPlay, WrongWordsAreUsageErrors) {
  expect_error("play 3,3/3", 2, {"3,3/3"});
  expect_error("play -", 2, {"standard input"});
  expect_error("play --side left", 2, {"--side", "'left'"});
  expect_error("play --strength 11", 2, {"--strength", "'11'"});
  expect_error("play --color maybe", 2, {"--color", "'maybe'"});
  expect_error("play --seed -1", 2, {"--seed"});
  expect_error("play --limit-nodes x", 2, {"--limit-nodes"});
  expect_error("play --match start", 2, {"--match"});
  expect_error("play --match --seeds-per-pit 4", 2, {"--match"});
  expect_error("play --match --game urim", 2, {"rio-kadalis"});
  expect_error("play --match --captured 1,1", 2, {"--match"});
  expect_error("play --match --record x", 2, {"--match", "--record"});
  expect_error("play --tables /no/such/folder", 3, {"/no/such/folder"});
}

TEST(CliPlay, ColourIsForTerminalsAndThoseWhoAskForIt) {
  const auto coloured = [](const std::string& options, StartOptions setup) {
    setup.input = "q\n";
    return run(words_of("play --pits 2 " + options), setup).out.find("\x1b[") != std::string::npos;
  };
  EXPECT_FALSE(coloured("", {}));
  EXPECT_TRUE(coloured("--color always", {}));
  EXPECT_TRUE(coloured("", {.environment = {"TERM=xterm"}, .output_terminal = true}));
  EXPECT_FALSE(
      coloured("", {.environment = {"NO_COLOR=1", "TERM=xterm"}, .output_terminal = true}));
  EXPECT_FALSE(coloured("", {.environment = {"TERM=dumb"}, .output_terminal = true}));
  EXPECT_FALSE(coloured("--color never", {.environment = {"TERM=xterm"}, .output_terminal = true}));
  EXPECT_FALSE(coloured("--color always --json", {}));
}

TEST(CliPlay, InterruptedItSaysWhatIsNotSaved) {
  Program program(words_of("play --pits 3 --side both"));
  program.write("1\n2\n");
  for (std::string line; line.find("second plays 2") == std::string::npos;) {
    line = program.read_line();
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  program.send(SIGINT);
  const Outcome r = program.finish("u\n");
  EXPECT_EQ(r.exit_code, 130) << r;
  EXPECT_NE(r.err.find("--record FILE"), std::string::npos) << r;
  EXPECT_NE(r.err.find("1. 1 2\n"), std::string::npos) << r;
}

TEST(CliPlay, DamagedTableIsAnErrorAndLosesNothing) {
  TemporaryFolder folder;
  ASSERT_EQ(run(words_of("build --pits 2 --seeds 6 --out " + (folder / "t"))).exit_code, 0);
  for (const auto& file : tables_in(folder / "t")) {
    damage(file, std::filesystem::file_size(file) - 3);
  }
  const Outcome r = play_by("1,2/2,1 --tables " + (folder / "t"), "1\n2\n");
  EXPECT_EQ(r.exit_code, 4) << r;
  EXPECT_NE(r.err.find("checksum"), std::string::npos) << r;
  EXPECT_NE(r.err.find("1. 1\n"), std::string::npos) << r;
}

}  // namespace
}  // namespace retrosow::test
