// scripts/decode_table.py and scripts/prove_table.py: readers and rules of their own, which agree with
// the program on tables that are right and find what is wrong in others.
#include "tests/cli/python.h"

#include "tests/support/solving.h"
#include "tests/support/table_files.h"
#include "tests/support/test_data.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

void build(const fs::path& folder, const std::string& options) {
  const Outcome r = run(words_of("build --quiet --out " + folder.string() + " " + options));
  ASSERT_EQ(r.exit_code, 0) << r;
}

void expect_refused(const Outcome& r, int exit_code, const std::string& part) {
  EXPECT_EQ(r.exit_code, exit_code) << r;
  EXPECT_EQ(r.out, "") << r;
  EXPECT_NE(r.err.find(part), std::string::npos) << part << "\n" << r;
  EXPECT_EQ(r.err.find("Traceback"), std::string::npos) << r;
}

// ---- decode_table.py ----

TEST_F(PythonTables, TheReaderFindsEveryValueThatBuildWrote) {
  for (const char* options :
       {"--pits 1 --seeds 5", "--pits 2 --seeds 9 --pit-limit 5", "--pits 3 --seeds 10",
        "--pits 6 --seeds 6", "--pits 7 --seeds 5", "--pits 8 --seeds 3",
        "--pits 4 --seeds 6 --game awari", "--pits 4 --seeds 6 --game oware",
        "--pits 3 --seeds 9 --pit-limit 3 --pit-limit-rule forbid --grand-slam forbid",
        "--game rio-kadalis --pits 3", "4,4,x/4,4,4 --game rio-kadalis --endless-sow draw"}) {
    const ScratchFolder folder;
    build(folder.path(), options);
    const std::vector<fs::path> files = tables_in(folder.path());
    ASSERT_FALSE(files.empty());
    expect_read_alike(files);
  }
}

TEST_F(PythonTables, TheReaderFindsEveryValueOfLevelsOfManyBlocks) {
  build(folder_.path(), "--pits 6 --seeds 7");
  const fs::path level = tables_in(folder_.path()).back();
  ASSERT_GT(TableReader(level).header().blocks, 3U);
  expect_read_alike({level});
}

TEST_F(PythonTables, TheReaderFindsEveryDistance) {
  write_levels(folder_.path(), urim_rules(), 3, solved_levels(urim_rules(), 3, 9));
  write_levels(folder_.path(), urim_rules("pit-limit=3"), 2,
               solved_levels(urim_rules("pit-limit=3"), 2, 7));
  expect_read_alike(tables_in(folder_.path()));
}

TEST_F(PythonTables, CsvNamesTheBoardsInIndexOrder) {
  for (const char* options : {"", "pit-limit=2"}) {
    const RuleSet rules = urim_rules(options);
    const SolvedLevel level = solved_levels(rules, 3, 5).back();
    const fs::path values = write_values(folder_.path(), rules, 3, 5, level);
    std::string expected = "index,position,value\n", distances = "index,position,distance\n";
    for (std::size_t i = 0; i < level.values.size(); ++i) {
      const std::string start = std::to_string(i) + ",\"" + level.positions[i] + "\",";
      expected += start + std::to_string(level.values[i]) + "\n";
      distances += start + std::to_string(level.distances[i]) + "\n";
    }
    EXPECT_EQ(decode({values, "--csv"}).out, expected);
    EXPECT_EQ(decode({write_distances(folder_.path(), values, level), "--csv"}).out, distances);
  }
}

TEST_F(PythonTables, SingleValuesAreFoundInTheirBlock) {
  const RuleSet rules = urim_rules();
  const std::vector<Value> values = made_up_values(6, 17, 7);
  const fs::path file = write_level(folder_, rules, 6, 7, values);
  const HalfRanks halves(6, 17, 7);
  const LevelRanks ranks(halves, 7);
  Words words = {"-c",
                 "import sys, decode_table\n"
                 "table = decode_table.TableFile(sys.argv[1])\n"
                 "for position in sys.argv[2:]:\n"
                 "    print(table.value(position))\n",
                 file};
  std::string expected;
  for (LevelIndex index = 0; index < ranks.size(); index += 2311) {
    words.push_back(text_of(board_of(ranks.unrank(index), equal_rows(6)), equal_rows(6)));
    expected += std::to_string(values[index]) + "\n";
  }
  const Outcome r = python(words);
  EXPECT_EQ(r.out, expected) << r.err;

  const Outcome one = decode({file, "--json", "--value", words.back()});
  EXPECT_EQ(one.record()["position"], words.back());
  EXPECT_EQ(std::to_string(one.record()["value"].get<int>()) + "\n",
            expected.substr(expected.rfind('\n', expected.size() - 2) + 1));
  std::vector<Words> calls;
  for (const char* foreign : {"1,0,0/0,0,0", "1,2,3,4,5,6/1,2,3,4,5,6", "7,0,0,0,0,0",
                              "18,0,0,0,0,0/0,0,0,0,0,0", "a/b"}) {
    calls.push_back({file, "--value", foreign});
  }
  const std::vector<Outcome> outcomes = run_each("decode_table", calls);
  for (std::size_t i = 0; i < calls.size(); ++i) expect_refused(outcomes[i], 2, calls[i].back());
}

TEST_F(PythonTables, RoundsAreFoundByPosition) {
  build(folder_.path(), "4,4,4/4,4,x --game rio-kadalis");
  std::vector<Words> calls;
  std::vector<int> values;
  for (const fs::path& file : tables_in(folder_.path())) {
    const TableReader reader(file);
    const std::vector<Position> keys = reader.read_keys();
    const RoundPosition some = position_of_key(keys[keys.size() / 2], reader.header().shape);
    calls.push_back({file, "--value", text_of(board_of(some.position, some.shape), some.shape)});
    values.push_back(reader.read_all()[keys.size() / 2]);
  }
  const std::vector<Outcome> outcomes = run_each("decode_table", calls);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(outcomes[i].out, std::to_string(values[i]) + "\n") << calls[i].back();
  }
}

TEST_F(PythonTables, RoundsWithoutAnOpenHoleAreRead) {
  build(folder_.path(), "x,x/x,x --game rio-kadalis");
  build(folder_.path(), "x,x/4,x --game rio-kadalis");
  const std::vector<fs::path> files = tables_in(folder_.path());
  ASSERT_GE(files.size(), 2U);
  expect_read_alike(files);
  for (const fs::path& file : files) {
    const TableReader reader(file);
    const std::string position = reader.header().shape.pits() == 0 ? "x,x/x,x" : "x,x/4,x";
    if (reader.header().seeds != (position == "x,x/x,x" ? 0U : 4U)) continue;
    const Outcome r = decode({file, "--value", position});
    EXPECT_EQ(r.out, std::to_string(reader.read_all().at(0)) + "\n") << r;
  }
}

TEST_F(PythonTables, TheHeaderIsShown) {
  const fs::path file = write_made_up_level(folder_, 3, 4);
  const TableHeader header = TableReader(file).header();
  const Json shown = decode({file, "--header", "--json"}).record();
  EXPECT_EQ(shown["kind"], "values");
  EXPECT_EQ(shown["game"], "urim");
  EXPECT_EQ(shown["rules"], kUrimRules);
  EXPECT_EQ(shown["pits"], 3);
  EXPECT_EQ(shown["seeds"], 4);
  EXPECT_EQ(shown["positions"], header.positions);
  EXPECT_EQ(shown["digest"], header.digest.hex());
  EXPECT_EQ(shown["rules_digest"], header.rules_digest.hex());
  EXPECT_EQ(shown["program"], header.builder);
  EXPECT_NE(decode({file, "--header"}).out.find(header.digest.hex()), std::string::npos);
  EXPECT_NE(decode({file}).out.find("126 values, digest " + header.digest.hex()),
            std::string::npos);
}

TEST_F(PythonTables, DamageAnywhereIsFound) {
  // Every seventh byte of a file of each kind is turned over: checksums leave no place for doubt.
  std::vector<fs::path> files = small_files(folder_);
  const SolvedLevel level = solved_levels(urim_rules(), 2, 4).back();
  const ScratchFolder other;
  files.push_back(
      write_distances(other.path(), write_values(other.path(), urim_rules(), 2, 4, level), level));
  Words words = {
      "-c",
      "import sys, decode_table\n"
      "if not decode_table.can_hash(): sys.exit(77)\n"
      "copy = sys.argv[1]\n"
      "def refusal(data):\n"
      "    with open(copy, 'wb') as out:\n"
      "        out.write(data)\n"
      "    try:\n"
      "        decode_table.read_table(copy)\n"
      "    except decode_table.TableError as error:\n"
      "        return error.exit_code\n"
      "for path in sys.argv[2:]:\n"
      "    with open(path, 'rb') as file:\n"
      "        whole = file.read()\n"
      "    assert refusal(whole) is None\n"
      "    for at in range(0, len(whole), 7):\n"
      "        turned = bytearray(whole)\n"
      "        turned[at] ^= 1 << at % 8\n"
      "        if refusal(turned) != 4: print(path, 'turned', at, refusal(turned))\n"
      "        if refusal(whole[:at]) != 4: print(path, 'cut', at, refusal(whole[:at]))\n"
      "    if refusal(whole + b'x') != 4: print(path, 'longer')\n",
      folder_ / "copy"};
  for (const fs::path& file : files) words.push_back(file);
  const Outcome r = python(words);
  ASSERT_NE(r.exit_code, 77) << "no module xxhash, no command xxhsum (Debian: xxhash)";
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.out, "");
}

TEST_F(PythonTables, HeadersThatCannotBeAreRefusedBehindRightChecksums) {
  struct Change {
    int exit_code;
    std::string part;  // of the message
    std::size_t at;
    std::uint8_t byte;
  };
  const std::vector<Change> changes = {
      {5, "version 2", kVersionAt, 2},   {4, "index kind 0", kIndexKindAt, 0},
      {5, "kind 7", kKindAt, 7},         {4, "packing 9", kPackingAt, 9},
      {4, "reserved", kReservedAt, 1},   {4, "packing", kPackingAt, 3},
      {4, "rows", kOpponentPitsAt, 4},   {4, "seeds", kSeedsAt, 5},
      {4, "positions", kPositionsAt, 1}, {4, "rules digest", kRulesDigestAt, 0},
      {4, "digest of", kDigestAt, 0},    {4, "blocks", kBlocksAt, 2},
  };
  const Bytes good = read_bytes(write_made_up_level(folder_, 3, 4));
  std::vector<Words> calls;
  for (const Change& change : changes) {
    const fs::path file = folder_ / ("copy-" + std::to_string(calls.size()));
    Bytes bytes = good;
    ASSERT_NE(bytes[change.at], change.byte) << change.part;
    bytes[change.at] = change.byte;
    seal_header(bytes);
    write_bytes(file, bytes);
    EXPECT_TRUE(error_from([&] { read_everything(file); }).has_value()) << change.part;
    calls.push_back({file});
  }
  const std::vector<Outcome> outcomes = run_each("decode_table", calls);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    expect_refused(outcomes[i], changes[i].exit_code, changes[i].part);
  }
}

TEST_F(PythonTables, BothScriptsTellUsageFromMissingFiles) {
  expect_refused(decode({}), 2, "usage");
  expect_refused(decode({"a", "--csv", "--header"}), 2, "not allowed");
  expect_refused(decode({folder_ / "none.rsow"}), 3, "none.rsow");
  expect_refused(prove({}), 2, "--cases");
  expect_refused(prove({folder_.path(), "--max-seeds", "2x"}), 2, "2x");
  expect_refused(prove({folder_ / "none"}), 3, "none");
  expect_refused(prove({folder_.path()}), 3, "no tables");
}

// ---- prove_table.py ----

TEST_F(PythonTables, GoodTablesAreProved) {
  for (const char* options : {"", "pit-limit=2 pit-limit-rule=forbid remainder=last-mover",
                              "pit-limit=3 grand-slam=leave", "pit-limit=0 starvation=leave"}) {
    const RuleSet rules = urim_rules(options);
    write_levels(folder_.path(), rules, 2, solved_levels(rules, 2, 5));
  }
  const Outcome r = prove({folder_.path(), "--json"});
  EXPECT_EQ(r.exit_code, 0) << r;
  const std::vector<Json> levels = r.records();
  EXPECT_EQ(levels.size(), 4 * 6U);
  for (const Json& level : levels) {
    EXPECT_EQ(level["proved"], true) << level;
    EXPECT_EQ(level["faults"], Json::array());
  }
  EXPECT_EQ(prove({folder_.path(), "--json", "--max-seeds", "3"}).records().size(), 4 * 4U);
}

TEST_F(PythonTables, TablesThatBuildWroteWithDistancesAreReadAndProved) {
  for (const char* options :
       {"--pits 3 --seeds 7", "--pits 6 --seeds 4", "--pits 7 --seeds 3",
        "--pits 2 --seeds 7 --pit-limit 3 --pit-limit-rule forbid --remainder last-mover",
        "--pits 3 --seeds 6 --game oware", "--pits 3 --seeds 6 --game awari"}) {
    const Outcome r =
        run(words_of("build --distance --quiet --out " + folder_.path().string() + " " + options));
    ASSERT_EQ(r.exit_code, 0) << r;
  }
  expect_read_alike(tables_in(folder_.path()));
  const Outcome r = prove({folder_.path(), "--json"});
  EXPECT_EQ(r.exit_code, 0) << r;
  const std::vector<Json> levels = r.records();
  EXPECT_EQ(levels.size(), 8U + 5 + 4 + 8 + 7 + 7);
  for (const Json& level : levels) EXPECT_EQ(level["proved"], true) << level;
}

TEST_F(PythonTables, ValuesWithoutDistancesAreConsistentAndNoProof) {
  build(folder_.path(), "--pits 3 --seeds 7");
  const Outcome r = prove({folder_.path(), "--json"});
  EXPECT_EQ(r.exit_code, 0) << r;
  ASSERT_EQ(r.records().size(), 8U);
  for (const Json& level : r.records()) {
    EXPECT_EQ(level["proved"], false);
    EXPECT_EQ(level["distances"], false);
    EXPECT_EQ(level["faults_found"], 0);
  }
  EXPECT_NE(prove({folder_.path()}).out.find("consistent, no proof"), std::string::npos);
}

TEST_F(PythonTables, WrongValuesThatSupportEachOtherPassOnlyWithoutDistances) {
  // Two seeds on 2x2: play among these six boards never ends, so they are worth 0. But whoever is to move
  // on one of the first four leads to one of the other two, and from there back: 1 and -1 fit as well.
  const RuleSet rules = urim_rules();
  std::vector<SolvedLevel> levels = solved_levels(rules, 2, 2);
  SolvedLevel& level = levels[2];
  for (std::size_t i = 0; i < level.positions.size(); ++i) {
    const std::string& board = level.positions[i];
    const bool above =
        board == "0,1/0,1" || board == "2,0/0,0" || board == "1,0/1,0" || board == "0,2/0,0";
    const bool below = board == "1,1/0,0" || board == "1,0/0,1";
    if (!above && !below) continue;
    ASSERT_EQ(level.values[i], 0);
    level.values[i] = above ? 1 : -1;
    level.distances[i] = above ? 1 : 2;
  }
  for (unsigned seeds = 0; seeds <= 2; ++seeds) {
    write_values(folder_.path(), rules, 2, seeds, levels[seeds]);
  }
  const Outcome consistent = prove({folder_.path()});
  EXPECT_EQ(consistent.exit_code, 0) << consistent;
  EXPECT_EQ(consistent.out.find(" proved"), std::string::npos) << consistent;

  write_levels(folder_.path(), rules, 2, levels);
  const Outcome r = prove({folder_.path(), "--json"});
  EXPECT_EQ(r.exit_code, 1) << r;
  EXPECT_GE(r.records().back()["faults_found"], 1) << r;
}

TEST_F(PythonTables, EveryChangedValueAndDistanceIsFound) {
  struct Change {
    ScratchFolder folder;
    unsigned seeds = 0;
    std::string position;
  };
  const RuleSet rules = urim_rules();
  const std::vector<SolvedLevel> good = solved_levels(rules, 2, 4);
  RandomNumbers random(4);
  std::vector<Change> changes(10);
  std::vector<Words> calls;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Change& change = changes[i];
    std::vector<SolvedLevel> levels = good;
    change.seeds = random.between(1, 4);
    SolvedLevel& level = levels[change.seeds];
    const std::size_t at = random.below(static_cast<unsigned>(level.values.size()));
    change.position = level.positions[at];
    if (i % 2 == 0) {
      level.values[at] = static_cast<Value>(level.values[at] + (random.one_in(2) ? 1 : -1));
    } else {
      level.distances[at] = static_cast<std::uint16_t>(level.distances[at] + 1);
    }
    write_levels(change.folder.path(), rules, 2, levels);
    calls.push_back({change.folder.path(), "--json"});
    calls.push_back({change.folder.path()});
  }
  const std::vector<Outcome> outcomes = run_each("prove_table", calls);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Outcome &json = outcomes[2 * i], &text = outcomes[2 * i + 1];
    const unsigned seeds = changes[i].seeds;
    EXPECT_EQ(json.exit_code, 1) << json;
    const std::vector<Json> records = json.records();
    ASSERT_EQ(records.size(), 5U);
    for (unsigned n = 0; n < 5; ++n) {
      EXPECT_EQ(records[n]["proved"], n < seeds) << records[n];
      EXPECT_EQ(records[n]["faults_found"] == 0, records[n]["faults"].empty());
    }
    EXPECT_GE(records[seeds]["faults_found"], 1) << changes[i].position;
    EXPECT_EQ(text.exit_code, 1) << text;
    EXPECT_NE(text.out.find("WRONG"), std::string::npos) << text;
    if (records[seeds]["faults_found"] == 1) {
      EXPECT_NE(text.out.find("    " + changes[i].position + ": value"), std::string::npos) << text;
    }
  }
}

TEST_F(PythonTables, DistancesOfOtherValuesAndGapsAreFound) {
  const RuleSet rules = urim_rules();
  std::vector<SolvedLevel> levels = solved_levels(rules, 2, 3);
  write_levels(folder_.path(), rules, 2, levels);
  const fs::path values = folder_ / table_file_name(level_header(rules, 2, 3));
  Bytes distances =
      read_bytes(folder_ / table_file_name(distance_header(TableReader(values).header())));
  distances[kValuesDigestAt] ^= 1;
  seal_header(distances);
  write_bytes(folder_ / table_file_name(distance_header(TableReader(values).header())), distances);
  const Outcome other = prove({folder_.path()});
  EXPECT_EQ(other.exit_code, 1) << other;
  EXPECT_NE(other.out.find("another digest"), std::string::npos) << other;

  fs::remove(folder_ / table_file_name(level_header(rules, 2, 1)));
  const Outcome gap = prove({folder_.path()});
  EXPECT_EQ(gap.exit_code, 3) << gap;
  EXPECT_NE(gap.err.find("level 1"), std::string::npos) << gap;
}

TEST_F(PythonTables, DamagedTablesAreNotProved) {
  build(folder_.path(), "--pits 2 --seeds 5");
  const fs::path last = tables_in(folder_.path()).back();
  damage(last, fs::file_size(last) - 1);
  EXPECT_EQ(prove({folder_.path()}).exit_code, 4);
}

TEST_F(PythonTables, ABadFileDoesNotStopTheProofOfTheOthers) {
  write_levels(folder_.path(), urim_rules(), 2, solved_levels(urim_rules(), 2, 3));
  build(folder_.path(), "4,x/4,4 --game rio-kadalis");
  for (const fs::path& file : tables_in(folder_.path())) {
    if (file.filename().string().starts_with("rio")) {
      fs::resize_file(file, 20);
      break;
    }
  }
  fs::create_directory(folder_ / "folder.rsow");
  const Outcome damaged = prove({folder_.path(), "--json"});
  EXPECT_EQ(damaged.exit_code, 4) << damaged;
  ASSERT_EQ(damaged.records().size(), 4U) << damaged;
  EXPECT_EQ(damaged.records().back()["proved"], true);
  EXPECT_NE(damaged.err.find("folder.rsow"), std::string::npos) << damaged;
  // A set that lacks a level does not keep the others from being proved, and what is wrong weighs most.
  std::vector<SolvedLevel> wrong = solved_levels(urim_rules(), 1, 2);
  wrong[2].values[0] = static_cast<Value>(wrong[2].values[0] + 1);
  write_levels(folder_.path(), urim_rules(), 1, wrong);
  fs::remove(folder_ / table_file_name(level_header(urim_rules(), 2, 0)));
  const Outcome r = prove({folder_.path(), "--json"});
  EXPECT_EQ(r.exit_code, 1) << r;
  EXPECT_EQ(r.records().size(), 3U) << r;
  EXPECT_NE(r.err.find("no values of level 0"), std::string::npos) << r;
}

// ---- Rules ----

TEST(PythonRules, OnlyFilesOfKnownMovesAreCalledNone) {
  const ScratchFolder folder;
  std::ofstream(folder / "cases.jsonl") << "{\"game\":\"urim\"}\n";
  const Outcome cases = prove({"--cases", folder / "cases.jsonl"});
  ASSERT_NE(cases.exit_code, 127) << "python3 is not here";
  EXPECT_EQ(cases.exit_code, 4) << cases;
  EXPECT_NE(cases.err.find("cases.jsonl: line 1: not a file of known moves"), std::string::npos) << cases;
  // A fault of the script itself is neither that nor a verdict.
  const Outcome fault = python({"-c",
                                "import sys, prove_table\n"
                                "def broken(arguments):\n"
                                "    raise KeyError('pits')\n"
                                "prove_table.prove_folder = broken\n"
                                "sys.exit(prove_table.main(['.']))\n"});
  EXPECT_EQ(fault.exit_code, 70) << fault;
  EXPECT_EQ(fault.err.find("known moves"), std::string::npos) << fault;
}

TEST(PythonRules, TheRulesEnginePlaysTheKnownMoves) {
  const Outcome r =
      prove({"--cases", data_path("moves-urim.jsonl"), "--cases", data_path("moves-oware.jsonl"),
             "--cases", data_path("moves-options.jsonl")});
  ASSERT_NE(r.exit_code, 127) << "python3 is not here";
  EXPECT_EQ(r.exit_code, 0) << r;
}

TEST(PythonRules, AWrongMoveIsToldFromTheKnownOnes) {
  const ScratchFolder folder;
  const std::string good = read_text(data_path("moves-options.jsonl"));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {R"("captured":4)", R"("captured":5)"},
           {R"("result":"17,0)", R"("result":"16,1)"},
           {R"("legal":[1,3,4)", R"("legal":[1,2,3,4)"}}) {
    std::string text = good;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    std::ofstream(folder / "cases.jsonl") << text;
    const Outcome r = prove({"--cases", folder / "cases.jsonl"});
    ASSERT_NE(r.exit_code, 127) << "python3 is not here";
    EXPECT_EQ(r.exit_code, 1) << r;
    EXPECT_NE(r.out.find("450 moves, 1 wrong"), std::string::npos) << r;
  }
}

}  // namespace
}  // namespace retrosow::test
