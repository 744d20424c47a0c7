// Wrong words, options, numbers and positions: exit code 2 and a message that names fault and text.
#include <sched.h>

#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

const Words kVerbs = {"rules", "moves", "perft", "bench",  "solve", "build",  "estimate",
                      "probe", "line",  "check", "verify", "stats", "export", "match",
                      "serve", "version"};

// A text with every run of blanks and line ends as one blank: lines may be wrapped anywhere.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank) line += c;
    if (blank && !line.ends_with(' ')) line += ' ';
  }
  return line;
}

TEST(CliHelp, IsPrintedForTheProgramOnStandardOutput) {
  for (const char* command : {"--help", "help", "-h"}) {
    const Outcome r = run({command});
    EXPECT_EQ(r.exit_code, 0) << command;
    EXPECT_EQ(r.err, "");
    for (const std::string& verb : kVerbs)
      EXPECT_NE(r.out.find("\n  " + verb), std::string::npos) << verb;
    EXPECT_NE(r.out.find("130  interrupted"), std::string::npos);
    EXPECT_NE(r.out.find("\n   70  internal error"), std::string::npos);
    EXPECT_NE(r.out.find("RETROSOW_KERNEL"), std::string::npos);
  }
}

TEST(CliHelp, OfEachVerbListsItsOptionsWithDefaults) {
  const std::map<std::string, Words> options = {
      {"rules", {"--game"}},
      {"moves",
       {"--game", "--pits", "--seeds-per-pit", "--pit-limit", "--pit-limit-rule", "--trigger",
        "--chain", "--grand-slam", "--starvation", "--remainder", "--direction", "--endless-sow",
        "--starter", "Default urim 17, oware 0, awari 0.", "Default urim."}},
      {"perft", {"--depth D", "in plies", "--pits"}},
      {"bench", {"--seconds S", "Default 0.5."}},
      {"solve",
       {"--method", "--tables", "--value-only", "--limit-nodes", "--limit-seconds", "--memory SIZE",
        "--captured", "80 % of what is available"}},
      {"build",
       {"--out DIR", "--seeds N", "--memory SIZE", "--threads", "--force", "--distance",
        "--guarantees"}},
      {"estimate",
       {"--seeds N", "--distance", "--guarantees", "--out DIR", "--memory SIZE", "--threads N", "--pits"}},
      {"probe", {"--tables DIR", "--captured", "--pits"}},
      {"line", {"--tables DIR", "--captured", "Default 0,0.", "--max-plies N", "--pits"}},
      {"check", {"--tables DIR", "--threads N"}},
      {"verify", {"--tables DIR", "--threads N", "--memory SIZE", "--by-search N", "--limit-seconds S", "--game"}},
      {"stats", {"--tables DIR", "--csv", "--game"}},
      {"export",
       {"--tables DIR", "--level N", "--what", "--format", "--out FILE", "Default csv.",
        "Default values.", "--game"}},
      {"match", {"--starter", "--tables DIR", "--memory SIZE", "--pits"}},
      {"serve", {"--tables DIR", "--port N", "Default 8080.", "--host ADDRESS", "Default 127.0.0.1"}},
      {"version", {}}};
  for (const std::string& verb : kVerbs) {
    const Outcome r = run({verb, "--help"});
    EXPECT_EQ(r.exit_code, 0) << verb << "\n" << r;
    EXPECT_EQ(r.err, "");
    EXPECT_TRUE(r.out.starts_with("usage: retrosow " + verb)) << r.out;
    EXPECT_NE(r.out.find("Examples\n  retrosow " + verb), std::string::npos) << r.out;
    for (const std::string& part :
         options.at(verb) + Words{"--json", "--progress", "--quiet", "--verbose", "--help"}) {
      EXPECT_NE(on_one_line(r.out).find(part), std::string::npos) << verb << " " << part << "\n"
                                                                  << r.out;
    }
    std::istringstream lines(r.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 100U) << verb << ": " << line;
    EXPECT_EQ(run({"help", verb}).out, r.out);
    // Asked for help, the program does not complain about the other words.
    EXPECT_EQ(run({verb, "--nonsense", "--help"}).out, r.out);
    EXPECT_EQ(run({verb, "-h"}).out, r.out);
  }
}

TEST(CliHelp, ExamplesOfTheHelpAreValidCommandLines) {
  TemporaryFolder folder;
  for (const std::string& verb : kVerbs) {
    const Words left_out = {"probe", "line",   "check", "verify",
                            "stats", "export", "bench", "match", "serve"};  // need tables, or do not end soon
    if (std::find(left_out.begin(), left_out.end(), verb) != left_out.end()) continue;
    const std::string help = run({verb, "--help"}).out;
    std::istringstream lines(help.substr(help.find("Examples\n")));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  retrosow ") || line.find("--pits 5 --out") != std::string::npos)
        continue;
      if (line.find("--seeds 12") != std::string::npos ||
          line.find("--seeds 11") != std::string::npos)
        continue;
      const Outcome r = run(words_of(line.substr(11)), {.folder = folder.path().string()});
      EXPECT_EQ(r.exit_code, 0) << line << "\n" << r;
    }
  }
}

TEST(CliUsage, WithoutAVerbIsExplainedOnStandardError) {
  const Outcome r = run({});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_TRUE(r.err.starts_with("usage: retrosow VERB")) << r;
  for (const std::string& verb : kVerbs)
    EXPECT_NE(r.err.find("\n  " + verb), std::string::npos) << verb;
}

TEST(CliUsage, UnknownVerbIsRefused) {
  expect_error("nonsense", 2,
               {"'nonsense'",
                "rules, moves, perft, bench, solve, build, estimate, probe, line, check, verify, "
                "stats, export, match, play, serve, version"});
  expect_error("''", 2, {"''"});
  expect_error("Moves start", 2, {"'Moves'"});
  expect_error("move start", 2, {"'move'"});
  expect_error("verifies --tables x", 2, {"'verifies'"});
  expect_error("server --tables x", 2, {"'server'"});
  expect_error("help nonsense", 2, {"'nonsense'"});
  expect_error("help moves solve", 2, {"'solve'"});
  expect_error("--json moves start", 2, {"--json", "verb comes first"});
}

TEST(CliUsage, OptionsAreNotAbbreviatedOrInvented) {
  expect_error("moves start --jso", 2, {"--jso", "moves --help"});
  expect_error("moves start --gam urim", 2, {"--gam"});
  expect_error("build --seed 4 --out x", 2, {"--seed"});
  expect_error("moves start --depth 4", 2, {"`moves`", "--depth"});
  expect_error("moves start -j", 2, {"'-j'"});
  expect_error("rules --pits 6", 2, {"--pits"});
  expect_error("version --seconds 1", 2, {"--seconds"});
  expect_error("stats --tables x --seeds-per-pit 3", 2, {"--seeds-per-pit"});
}

TEST(CliUsage, RepeatedOptionIsRefused) {
  expect_error("moves start --json --json", 2, {"--json is given twice"});
  expect_error("moves start --game urim --game urim", 2, {"--game is given twice"});
  expect_error("moves start --pits 6 --pits=6", 2, {"--pits is given twice"});
  expect_error("stats --tables a --tables b", 2, {"--tables is given twice"});
}

TEST(CliUsage, ValuesMustBeThereWhereWantedAndOnlyThere) {
  expect_error("moves start --game", 2, {"--game needs a value"});
  expect_error("moves start --game=", 2, {"--game needs a value"});
  expect_error("moves start --pits --json", 2, {"--pits needs a value"});
  expect_error("build --seeds 3 --out --force", 2, {"--out needs a value", "--out=--force"});
  expect_error("moves start --json=1", 2, {"--json is a switch"});
  expect_error("build --seeds 3 --out x --force=yes", 2, {"--force is a switch"});
}

TEST(CliUsage, WordsTooManyOrTooFewAreRefused) {
  expect_error("moves", 2, {"`moves` needs a position", "start", "-"});
  expect_error("solve --pits 3", 2, {"`solve` needs a position"});
  expect_error("probe --tables x", 2, {"`probe` needs a position"});
  expect_error("probe start", 2, {"`probe` needs --tables"});
  expect_error("line --tables x", 2, {"`line` needs a position"});
  expect_error("line start", 2, {"`line` needs --tables"});
  expect_error("perft", 2, {"`perft` needs --depth"});
  expect_error("stats", 2, {"`stats` needs --tables"});
  expect_error("build --seeds 3", 2, {"`build` needs --out"});
  expect_error("build --out x", 2, {"`build` needs --seeds"});
  expect_error("moves start start", 2, {"'start'", "quotes"});
  expect_error("moves 1 2/3 4", 2, {"'2/3'", "quotes"});
  expect_error("rules urim", 2, {"'urim'", "`rules` takes options only"});
  expect_error("version now", 2, {"'now'"});
  expect_error("bench fast", 2, {"'fast'"});
  expect_error("stats --tables x y", 2, {"'y'"});
}

TEST(CliUsage, ContradictionsAreRefused) {
  expect_error("moves start --quiet --verbose", 2, {"--quiet", "--verbose"});
  expect_error("stats --tables x --json --csv", 2, {"--json", "--csv"});
  expect_error("moves start --progress sometimes", 2,
               {"--progress", "'sometimes'", "auto, always, never"});
}

TEST(CliUsage, WordsAfterADoubleDashAreNoOptions) {
  EXPECT_EQ(run({"moves", "--json", "--", "start"}).exit_code, 0);
  expect_error("moves -- --json", 2, {"'--json'"});
}

TEST(CliUsage, UnknownGameIsRefused) {
  expect_error("moves start --game chess", 2,
               {"--game", "'chess'", "urim", "oware", "awari", "rio-kadalis"});
  expect_error("moves start --game Urim", 2, {"--game", "'Urim'"});
  expect_error("rules --game ''", 2, {"--game"});
  expect_error("build --seeds 3 --out x --game kalah", 2, {"'kalah'"});
}

TEST(CliUsage, OptionOfAnotherGameIsRefusedWithTheOptionsOfThisOne) {
  expect_error("moves start --direction cw", 2,
               {"--direction", "urim", "--pit-limit", "--trigger", "--remainder"});
  expect_error("moves start --game awari --endless-sow draw", 2,
               {"--endless-sow", "awari", "--starvation"});
  expect_error("moves start --game rio-kadalis --trigger 2", 2,
               {"--trigger", "rio-kadalis", "--direction, --endless-sow, --starter"});
  expect_error("stats --tables x --game rio-kadalis --pit-limit 5", 2, {"--pit-limit"});
  expect_error("build --out x --game rio-kadalis --chain 2", 2, {"--chain"});
}

TEST(CliUsage, ValuesOfRuleOptionsAreChecked) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"pit-limit", "-1"},        {"pit-limit", "128"},     {"pit-limit", "17x"},
      {"pit-limit", ""},          {"pit-limit", " 17"},     {"pit-limit", "1.5"},
      {"pit-limit-rule", "jump"}, {"trigger", "0"},         {"trigger", "16"},
      {"trigger", "2,"},          {"trigger", ",2"},        {"trigger", "2;3"},
      {"trigger", "two"},         {"trigger", ""},          {"trigger", "none"},
      {"chain", "2,,3"},          {"chain", "all"},         {"grand-slam", "take"},
      {"grand-slam", ""},         {"starvation", "starve"}, {"remainder", "last"},
      {"remainder", "ROW"}};
  for (const auto& [option, value] : wrong) {
    if (value.empty()) {
      const Outcome r = run({"moves", "start", "--" + option, ""});
      EXPECT_EQ(r.exit_code, 2) << option;
      EXPECT_NE(r.err.find("--" + option), std::string::npos) << r;
    } else {
      expect_error("moves start --" + option + " '" + value + "'", 2,
                   {"--" + option, "'" + value + "'"});
    }
  }
  expect_error("moves start --game rio-kadalis --direction up", 2, {"--direction", "'up'"});
  expect_error("moves start --game rio-kadalis --endless-sow no", 2, {"--endless-sow", "'no'"});
  expect_error("moves start --game rio-kadalis --starter me", 2, {"--starter", "'me'"});
}

TEST(CliUsage, InertOptionIsAccepted) {
  const Outcome r = run(words_of("moves start --starvation leave --grand-slam forbid --json"));
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.record()["rules"].get<std::string>().find("grand-slam"), std::string::npos);
}

TEST(CliNumbers, AreReadStrictly) {
  struct Case {
    const char* command;
    const char* option;
    Words wrong;
  };
  const Words never = {"''",   "' '", "x",   "-1",  "+3",  "3x",  "'3 '",
                       "' 3'", "3.0", "1e1", "0x3", "3,0", "1_0", "-",   "½"};
  const Words too_long = {"99999999999999999999999"};
  const std::vector<Case> cases = {
      {"moves start", "pits", never + too_long + Words{"0", "9", "10"}},
      {"moves start --pit-limit 0", "seeds-per-pit", never + too_long + Words{"256"}},
      {"perft", "depth", never + too_long + Words{"1001"}},
      {"build --out x", "seeds", never},  // too many digits: a limit
      {"export --tables x", "level", never},
      {"build --out x --seeds 3", "threads", never + too_long + Words{"0", "1025"}},
      {"solve start", "limit-nodes", never + too_long + Words{"18446744073709551616"}},
      {"build --out x --seeds 3", "memory",
       never + too_long + Words{"0", "GiB", "12GB", "12gib", "'12 GiB'", "1.5GiB", "12GiBx", "0GiB",
                     "17179869184GiB", "12TiB", "-1GiB", "12GiBGiB"}},
      {"solve start", "memory", {"12GB", "0", "x"}},
      {"solve start",
       "limit-seconds",
       {"''", "' '", "x", "-1", "+1", "1x", "1e3", ".5", "1.", "1.2.3", "nan", "inf", "1,5", "0x1",
        "10000000000"}},
      {"bench", "seconds", {"''", "x", "0", "0.0001", "3601", "-1", ".5", "1.", "nan"}},
      {"solve start",
       "captured",
       {"''", "1", "1,", ",1", "1,2,3", "-1,2", "1,x", "'1, 2'", "1.5,2", "1/2", "99999999,0"}}};
  for (const Case& c : cases) {
    for (const std::string& value : c.wrong) {
      expect_error(std::string(c.command) + " --" + c.option + " " + value, 2,
                   {"--" + std::string(c.option)});
    }
    // The offending text stands in the message.
    expect_error(std::string(c.command) + " --" + c.option + " 7up", 2, {"'7up'"});
  }
}

// As in a container that is given fewer cores than the machine has.
TEST(CliThreads, OneCoreIsEnoughForAnyNumberOfThem) {
  cpu_set_t allowed;
  ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int core = 0;
  while (!CPU_ISSET(core, &allowed)) ++core;
  TemporaryFolder folder;
  for (const Words& threads : {Words{}, Words{"--threads", "3"}}) {
    const Outcome r = run(Words{"--cpu-list", std::to_string(core), RETROSOW_BINARY, "build", "--pits", "3", "--seeds", "7",
                                "--force", "--json", "--out", folder / "t"} + threads,
                          {.program = "taskset"});
    EXPECT_EQ(r.exit_code, 0) << r;
    EXPECT_EQ(r.err, "");
  }
}

TEST(CliNumbers, SizesTakeBinaryUnits) {
  TemporaryFolder folder;
  for (const char* size : {"33554432", "32768KiB", "32MiB", "1GiB"}) {
    const Outcome r = run({"build", "--pits", "2", "--seeds", "2", "--threads", "1", "--out",
                           folder / "t", "--memory", size});
    EXPECT_EQ(r.exit_code, 0) << size << "\n" << r;
  }
  EXPECT_EQ(run({"build", "--pits", "2", "--seeds", "2", "--out", folder / "t", "--memory", "1"})
                .exit_code,
            6);
}

TEST(CliPositions, MalformedOnesAreRefused) {
  struct Case {
    const char* position;
    Words parts;
  };
  const std::vector<Case> cases = {
      {"''", {"position"}},
      {"' '", {"position"}},
      {"3,3,3", {"'3,3,3'", "/"}},
      {"3,3/3,3/3,3", {"/"}},
      {"/", {"'/'"}},
      {"3,3/", {"'3,3/'"}},
      {"/3,3", {"'/3,3'"}},
      {"3,3/3", {"2", "1"}},
      {"3,3,3,3,3,3/3,3,3,3,3,-1", {"'-1'", "pit 6 of the opponent's row"}},
      {"-1,2/3,4", {"'-1'", "pit 1 of the mover's row"}},
      {"3,+3/3,3", {"'+3'"}},
      {"3,3x/3,3", {"'3x'", "pit 2 of the mover's row"}},
      {"3,,3/3,3,3", {"pit 2 of the mover's row"}},
      {"3,3,/3,3,3", {"pit 3 of the mover's row"}},
      {",3,3/3,3,3", {"pit 1 of the mover's row"}},
      {"3;3/3;3", {"'3;3'"}},
      {"3.0,3/3,3", {"'3.0'"}},
      {"a/b", {"'a'"}},
      {"Start", {"'Start'"}},
      {"start1", {"'start1'"}},
      {"1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1", {"9", "8"}},
      {"x,3/3,3", {"closed", "pit 1 of the mover's row"}},
      {"3,3/3,x", {"closed", "pit 2 of the opponent's row"}},
      {"18,0/0,1", {"18", "pit 1 of the mover's row", "17"}},
      {"0,1/0,18", {"18", "pit 2 of the opponent's row", "17"}},
      {"256,0/0,0", {"'256'"}},
      {"99999999999999999999,0/0,0", {"'99999999999999999999'"}},
  };
  for (const Case& c : cases) {
    for (const char* verb : {"moves", "solve", "perft --depth 2"}) {
      expect_error(std::string(verb) + " " + c.position, 2, c.parts);
    }
  }
  expect_error("moves 6,0/0,0 --pit-limit 5", 2, {"6", "5"});
  expect_error("moves start --seeds-per-pit 18", 2, {"18", "17"});
  expect_error("moves start --pit-limit 2", 2, {"3", "2"});
  expect_error("moves 3,3/3,3 --pits 3", 2, {"--pits", "3", "2"});
  expect_error("build --game rio-kadalis --out x 3,3/3", 2, {"3,3/3"});
}

TEST(CliPositions, BoardsBeyondTheLanesAreALimit) {
  expect_error("moves 200,100/0,0 --pit-limit 0", 6, {"300", "255"});
  expect_error("moves start --seeds-per-pit 200 --pit-limit 0", 6, {"2400"});
}

TEST(CliPositions, ControlCharactersAreShownEscaped) {
  const Outcome r = run({"moves", "1,\x1b[31m/2,\n"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.err.find("\\x1b[31m"), std::string::npos) << r;
  EXPECT_NE(r.err.find("\\x0a"), std::string::npos) << r;
  EXPECT_EQ(r.err.find('\n'), r.err.size() - 1) << r;
}

}  // namespace
}  // namespace retrosow::test
