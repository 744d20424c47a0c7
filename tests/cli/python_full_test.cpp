// scripts/decode_table.py and scripts/prove_table.py under every rule set, and on larger levels; the scripts that write
// results and compute them again.
#include "tests/cli/python.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

using PythonTablesFull = PythonTables;

void expect_proved(const fs::path& folder, std::size_t levels) {
  const Outcome r = prove({folder, "--json"});
  EXPECT_EQ(r.exit_code, 0) << r;
  const std::vector<Json> records = r.records();
  EXPECT_EQ(records.size(), levels);
  for (const Json& level : records) EXPECT_EQ(level["proved"], true) << level;
}

TEST_F(PythonTablesFull, TablesUnderEveryRuleSetAreReadAndProved) {
  for (const RuleSet& rules : urim_rule_sets()) {
    for (const auto& [pits, max_seeds] : {std::pair{1U, 5U}, {2U, 7U}, {3U, 5U}}) {
      const ScratchFolder folder;
      write_levels(folder.path(), rules, pits, solved_levels(rules, pits, max_seeds));
      expect_read_alike(tables_in(folder.path()));
      expect_proved(folder.path(), max_seeds + 1);
    }
  }
}

TEST_F(PythonTablesFull, BruteForceLevelsOf2x3To12SeedsAnd2x6To7AreProved) {
  for (const auto& [pits, max_seeds] : {std::pair{3U, 12U}, {6U, 7U}, {7U, 5U}}) {
    const ScratchFolder folder;
    write_levels(folder.path(), urim_rules(), pits, solved_levels(urim_rules(), pits, max_seeds));
    expect_read_alike(tables_in(folder.path()));
    expect_proved(folder.path(), max_seeds + 1);
  }
}

TEST_F(PythonTablesFull, TablesOf2x6To8SeedsThatBuildWroteAreProved) {
  const Outcome r =
      run(words_of("build --distance --quiet --seeds 8 --out " + folder_.path().string()));
  ASSERT_EQ(r.exit_code, 0) << r;
  expect_read_alike(tables_in(folder_.path()));
  expect_proved(folder_.path(), 9);
}

TEST_F(PythonTablesFull, TheReaderFindsEveryValueOfLargerLevelsThatBuildWrote) {
  for (const char* options :
       {"--pits 6 --seeds 9", "--pits 7 --seeds 8", "--game rio-kadalis --pits 4",
        "--game awari --seeds 8", "--game oware --seeds 8 --guarantees"}) {
    const ScratchFolder folder;
    const Outcome r =
        run(words_of("build --quiet --out " + folder.path().string() + " " + options));
    ASSERT_EQ(r.exit_code, 0) << r;
    expect_read_alike(tables_in(folder.path()));
  }
}

TEST(RioResults, AreWrittenFromWhatTheProgramSays) {
  const ScratchFolder folder;
  const Words places = {(folder.path() / "tables").string(), (folder.path() / "results").string()};
  const Outcome r = python(Words{script("rio_results.py"), RETROSOW_BINARY} + places +
                           Words{"--max-pits", "2", "--memory", "24MiB", "--no-plots"});
  ASSERT_EQ(r.exit_code, 0) << r;
  const std::string text = text_of_file(folder.path() / "results" / "README.md");
  // A start, a limit that was reached, a round of a match, the relays and the matches.
  for (const char* row :
       {"| 2x1 | 4 | 4 | +8 | 1: +8 | 3 plies |", "| 2x2 | 5 |  | not solved | takes more than 24MiB of memory",
        "| 2x2 | `4,x/4,4` | 3 | +4 | 1: +4 | 2 plies |",
        "| 2x2 | forbid | `4,4/4,4` | 7 laps: hole 2 of `5,5/1,5` | 0 | none |",
        "| 2x2 | forbid | loser | the first player wins | 1 | 8:8, 14:2 | 2 | 2 | 2 |"}) {
    EXPECT_NE(text.find(row), std::string::npos) << row << "\n" << text;
  }
  const Json results = Json::parse(text_of_file(folder.path() / "results" / "results.json"));
  EXPECT_NE(text_of_file(folder.path() / "results" / "levels.csv").find("de7237b58c24b0aeede47dbff0c8e9b5"), std::string::npos);
  EXPECT_EQ(results["rounds"].size(), 2 * 4);
  EXPECT_EQ(results["starts"].size(), 2 * 2 * 6);
  EXPECT_EQ(results["matches"].size(), 2 * 2 * 3);
}

// Puts a file's only occurrence of a text in place of another.
void replace_in(const fs::path& path, const std::string& old_text, const std::string& new_text) {
  std::string text = text_of_file(path);
  const std::size_t at = text.find(old_text);
  ASSERT_NE(at, std::string::npos) << old_text;
  text.replace(at, old_text.size(), new_text);
  std::ofstream(path) << text;
}

class UrimResults : public ::testing::Test {
 protected:
  void SetUp() override {
    const Outcome r = solve();
    ASSERT_EQ(r.exit_code, 0) << r;
  }
  // Later options take the place of earlier ones.
  Outcome solve(const Words& more = {}) const {
    return python(
        Words{script("urim_results.py"), RETROSOW_BINARY, folder_.path() / "tables",
              results() / "urim"} +
        words_of("--max-pits 3 --level-pits 3 --table-seeds 12 --variant-seeds 6 "
                 "--max-boards 20000 --cheap-boards 0 --variant-boards 0 "
                 "--distance-seeds 6 --search-seconds 1 --search-memory 1MiB --no-plots") +
        more);
  }
  Json results_json() const {
    return Json::parse(text_of_file(results() / "urim" / "results.json"));
  }
  fs::path results() const { return folder_.path() / "results"; }
  Outcome again(const Words& more = {}) const {
    return python(Words{script("reproduce_all.py"), RETROSOW_BINARY, results(), "--budget", "10m"} +
                  more);
  }

  ScratchFolder folder_;
};

TEST_F(UrimResults, AreWrittenIndexedAndTold) {
  const Json written = results_json();
  std::map<std::string, int> value;  // of the starts under the default rules
  for (const Json& start : written["starts"]) {
    if (start["variant"] == "default") value[start["position"]] = start["value"];
  }
  // The same as in README.md.
  EXPECT_EQ(value.at("2,2/2,2"), 8);
  EXPECT_EQ(value.at("2,2,2/2,2,2"), 3);
  EXPECT_EQ(written["levels"].size(), 13U);
  for (const Json& level : written["levels"]) {
    // Below an odd number of seeds no game that ends is drawn.
    if (level["seeds"] == 5) {
      EXPECT_GE(level["endless_by_parity"], level["draws"]);
    }
    EXPECT_TRUE(level.contains("moves"));
    EXPECT_EQ(level.contains("longest_distance"), level["seeds"] <= 6);
  }
  ASSERT_EQ(written["lines"].size(), 6U);  // at 0 seeds the game is over
  for (const Json& line : written["lines"]) {
    const std::size_t seeds = line["seeds"];
    EXPECT_EQ(line["distance"], written["levels"][seeds]["longest_distance"]) << line;
  }
  EXPECT_EQ(written["proof"]["proved"], true);
  EXPECT_EQ(written["proof"]["positions"], 924);  // C(12, 6) boards with up to 6 seeds
  const std::string text = text_of_file(results() / "urim" / "README.md");
  EXPECT_NE(text.find("| 2x3 | 2 | 12 | +3 | 2 | 1: -2, 2: +3, 3: 0 |"), std::string::npos) << text;
  ASSERT_EQ(python({script("results_index.py"), results()}).exit_code, 0);
  EXPECT_NE(text_of_file(results() / "README.md").find("`scripts/urim_results`"),
            std::string::npos);
  const Outcome report = python({script("report.py"), results()});
  ASSERT_EQ(report.exit_code, 0) << report;
  const std::string told = text_of_file(results() / "REPORT.md");
  EXPECT_EQ(told.find("{{"), std::string::npos);
  EXPECT_NE(told.find("`verify` proved their 924 values"), std::string::npos) << told;
  EXPECT_NE(told.find("Not there yet: `scripts/baselines` writes it."), std::string::npos);
  EXPECT_EQ(python({script("report.py"), results(), "--strict"}).exit_code, 1);
}

TEST_F(UrimResults, HaveNoTimesOfTablesThatWereThere) {
  for (const bool again : {false, true}) {
    const Json written = results_json();
    for (const Json& tables : written["built"]) {
      for (const Json& level : tables["levels"]) {
        EXPECT_EQ(level["reused"], again);
        EXPECT_EQ(level["seconds"].is_null(), again) << level;
      }
    }
    const std::string there = written["facts"]["tables there before"];
    EXPECT_EQ(there.find("0 of ") == 0, !again) << there;
    if (!again) {
      const Outcome r = solve();
      ASSERT_EQ(r.exit_code, 0) << r;
    }
  }
}

TEST_F(UrimResults, NeedRoomForAStartAndForTheLevels) {
  for (const Words& little : {Words{"--max-boards", "100"}, Words{"--seconds", "0.0001"}}) {
    const Outcome r = solve(little);
    EXPECT_EQ(r.exit_code, 1) << r;
    EXPECT_NE(r.err.find("too little for a start"), std::string::npos) << r;
  }
}

TEST_F(UrimResults, AreReproducedAndADifferenceIsFound) {
  const Outcome same = again();
  EXPECT_EQ(same.exit_code, 0) << same;
  EXPECT_NE(same.out.find(" 0 different"), std::string::npos) << same;
  const fs::path file = results() / "urim" / "results.json";
  replace_in(file, "\"position\":\"2,2/2,2\",\"value\":8", "\"position\":\"2,2/2,2\",\"value\":7");
  const Outcome value = again();
  EXPECT_EQ(value.exit_code, 1) << value;
  EXPECT_NE(value.out.find("DIFFERENT  urim, positions: urim 2,2/2,2"), std::string::npos) << value;
  replace_in(file, "\"digest\":\"a6cd5e9392000f6ac44bdff4074eecdb\"",
             "\"digest\":\"a6cd5e9392000f6ac44bdff4074eecdc\"");
  EXPECT_NE(again().out.find("DIFFERENT  urim, levels: urim 2x1, 0 seeds"), std::string::npos);
  EXPECT_EQ(again({"--only", "nothing"}).exit_code, 1);
}

TEST(ReproduceAwari, FindsWhatOthersHavePublished) {
  const ScratchFolder folder;
  const Words places = {(folder.path() / "tables").string(), (folder.path() / "results").string()};
  const Words options = {"--stones", "8",   "--oware-seeds", "8",
                         "--budget", "0.1", "--memory",      "1GiB"};
  const Outcome r = python(Words{script("reproduce_awari.py"), RETROSOW_BINARY} + places + options);
  ASSERT_EQ(r.exit_code, 0) << r;
  const Json results = Json::parse(text_of_file(folder.path() / "results" / "results.json"));
  EXPECT_EQ(results["as_published"], true);
  for (const char* game : {"awari", "oware"}) {
    ASSERT_EQ(results[game]["levels"].size(), 9);
    for (const Json& level : results[game]["levels"])
      EXPECT_EQ(level["as_published"], true) << level;
  }
  // The share of forced values is published, too: 61.1 %, of the boards with an empty pit in the opponent's row.
  EXPECT_EQ(results["oware"]["levels"][8]["indexed_boards"], 75'504);
  EXPECT_EQ(results["oware"]["levels"][8]["indexed_exact"], 46'097);

  // Again, with the tables that are there and less to compare.
  const Outcome again = python(Words{script("reproduce_awari.py"), RETROSOW_BINARY} + places +
                               options + Words{"--memory", "500MiB", "--compare-seeds", "7"});
  ASSERT_EQ(again.exit_code, 0) << again;
  const Json less = Json::parse(text_of_file(folder.path() / "results" / "results.json"));
  EXPECT_EQ(less["oware"]["levels"][7]["as_published"], true);
  EXPECT_TRUE(less["oware"]["levels"][8]["as_published"].is_null());
  EXPECT_TRUE(less["awari"]["levels"][8]["seconds"].is_null());
  EXPECT_TRUE(less["oware"]["levels"][8]["guarantee_seconds"].is_null());
  const std::string text = text_of_file(folder.path() / "results" / "README.md");
  EXPECT_NE(text.find("| not compared |"), std::string::npos) << text;
  EXPECT_EQ(text.find("not published"), std::string::npos) << text;
}

// Rows with and without further rates; names that end in a kernel, a level, a board or a size.
TEST(BenchReport, TellsBenchmarksOfEveryKind) {
  const ScratchFolder folder;
  Json benchmarks = Json::array();
  const auto add = [&](const std::string& name, double rate, const Json& more = Json::object()) {
    Json median = {{"name", name + "_median"}, {"run_name", name}, {"aggregate_name", "median"}, {"items_per_second", rate}};
    median.update(more);
    benchmarks.push_back(median);
    benchmarks.push_back({{"name", name + "_cv"}, {"run_name", name}, {"aggregate_name", "cv"}, {"items_per_second", 0.01}});
  };
  add("Sow/2x6/mixed/portable", 20e6);
  add("Sow/2x6/mixed/sse41", 110e6);
  add("Generate/2x6/mixed/sse41", 20.1e6, {{"moves_per_second", 80e6}});
  add("Relay/2x6/played/reference", 4e6);
  add("Relay/2x6/played/sse41", 25e6, {{"laps_per_second", 48e6}});
  add("Rank/2x6/level20", 90e6);
  add("Rank/2x6/level12", 91e6);
  add("Unrank/2x6/level12", 30e6);
  add("Perft/2x6/urim-depth8/sse41", 70e6);
  add("Transposition/store/1024MiB", 11e6);
  add("Transposition/store/64MiB", 12e6);
  add("Transposition/key/2x6", 200e6);
  const Json report = {{"context", {{"compiler", "gcc"}, {"date", "2026-12-01"}, {"load_avg", {0.5, 0.5, 0.5}}, {"inputs", "some"},
                                    {"host_name", "secret"}, {"rules urim", "u"}, {"rules rio-kadalis", "r"}}},
                       {"benchmarks", benchmarks}};
  std::ofstream(folder / "raw.json") << report;
  const Outcome r = python({script("bench_report.py"), folder / "raw.json", folder.path(), "command=c", "commit=1", "cpu=p"});
  ASSERT_EQ(r.exit_code, 0) << r;
  EXPECT_NE(r.out.find("2x6 mixed: 110.0 million with sse41, reached."), std::string::npos) << r;
  EXPECT_NE(r.out.find("2x6 mixed: 20.1 million with sse41, reached by the median, not beyond the noise."), std::string::npos) << r;
  const std::string text = text_of_file(folder.path() / "README.md");
  for (const char* rows : {"| `Relay/2x6/played/reference` | 4.0 |  | 1.0 % |\n| `Relay/2x6/played/sse41` | 25.0 | 48.0 | 1.0 % |",
                           "| `Rank/2x6/level12` | 91.0 | 1.0 % |\n| `Rank/2x6/level20` | 90.0 | 1.0 % |",
                           "| `Transposition/store/64MiB` | 12.0 | 1.0 % |\n| `Transposition/store/1024MiB` | 11.0 | 1.0 % |"}) {
    EXPECT_NE(text.find(rows), std::string::npos) << rows << "\n" << text;
  }
  const std::string kept = text_of_file(folder.path() / "kernels.json");
  EXPECT_EQ(Json::parse(kept)["benchmarks"].size(), benchmarks.size());
  EXPECT_EQ(kept.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace retrosow::test
