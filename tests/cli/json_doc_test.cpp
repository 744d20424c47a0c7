// Holds the program's JSON to solver/cli/JSON.md: every key is documented with its type, every key that is
// always there is there, and the examples come out as they stand.
#include "tables/table_file.h"
#include "tests/cli/http_client.h"
#include "tests/cli/json_document.h"
#include "tests/support/distance_files.h"

namespace retrosow::test {
namespace {

TEST(CliJsonDocument, ListsEveryKeyOfEveryVerbAndNoOther) {
  const Document document = read_json_document();
  TemporaryFolder folder;
  const std::string t = folder / "t";
  std::map<std::string, std::set<std::string>> seen;
  const auto check = [&](const std::string& command, const std::string& input = "") {
    const Words words = words_of(command);
    const Outcome r = run(words, {.input = input});
    ASSERT_FALSE(r.out.empty()) << command << "\n" << r;
    for (const Json& record : r.records()) {
      const std::string verb =
          record.contains("error") && record.contains("line") ? "batch" : words.front();
      ASSERT_TRUE(document.verbs.contains(verb)) << verb;
      EXPECT_EQ(fault_of_record(record, document.verbs.at(verb)), "") << command << "\n" << record;
      collect_paths(record, "", seen[verb]);
    }
  };
  check("rules --json");
  check("moves start --json");
  check("moves 0,0/3,1 --json");
  check("moves 2,0,1,0,2,1/0,2,1,0,2,1 --json --game rio-kadalis --endless-sow draw");
  check("moves - --json", "start\nrubbish\n");
  check("perft --depth 3 --json");
  check("bench --seconds 0.001 --json");
  check("solve 2,2,2/2,2,2 --json --captured 4,3");
  check("solve 2,2,2/2,2,2 --json --value-only");
  check("solve 0,0/3,1 --json");
  check("solve 4,x/4,4 --json --game rio-kadalis --captured 4,3 --value-only");
  check("solve start --pits 3 --json --limit-nodes 10");
  check("solve 2,2/2,2 --method search --json");
  check("solve 2,2,2/2,2,2 --method search --threads 1 --limit-nodes 20000 --json");
  check("solve - --json", "1,1/1,1\nrubbish\n");
  check("build --pits 3 --seeds 5 --json --out " + t);
  check("verify --json --tables " + t);
  check("build --pits 3 --seeds 5 --distance --json --out " + t);
  check("verify --json --tables " + t);
  check("build --pits 3 --seeds 5 --guarantees --json --out " + t);
  check("verify --json --tables " + t);
  std::filesystem::create_directory(folder / "wrong");
  const std::vector<Value> wrong_value = {1};  // of the empty board
  write_table(folder / "wrong", level_header(preset(Game::kUrim), 1, 0), wrong_value);
  check("verify --json --tables " + (folder / "wrong"));
  check("build --pits 2 --game rio-kadalis --json --out " + t);
  check("build 4,x/4,4 --game rio-kadalis --json --out " + t);
  check("verify --json --by-search 5 --pits 2 --tables " + t);
  check("verify --json --quiet --game rio-kadalis --tables " + t);
  check("probe 1,1,1/1,0,0 --json --captured 1,2 --tables " + t);
  check("probe 4,4/4,4 --json --game rio-kadalis --tables " + t);
  check("probe - --json --tables " + t, "1,1,1/1,0,0\n1,1,1/1,1,1\n");
  check("stats --json --tables " + t);
  check("export --json --pits 3 --level 4 --out " + folder / "v.csv" + " --tables " + t);
  add_distances(t);
  check("probe 1,1,1/1,0,0 --json --captured 1,2 --tables " + t);
  check("probe 1,1,1/1,1,0 --json --tables " + t);
  check("line 1,1,1/1,0,0 --json --captured 1,2 --tables " + t);
  check("line 1,1,1/1,1,0 --json --tables " + t);
  check("line 4,4/4,4 --json --game rio-kadalis --tables " + t);
  check("line - --json --tables " + t, "1,1,1/1,0,0\n1,1,1/1,1,1\n");
  check("stats --json --tables " + t);
  check("export --json --pits 3 --level 4 --what distances --format npy --out " + folder / "d.npy" +
        " --tables " + t);
  check("export --json --game rio-kadalis --pits 2 --level 8 4,4/4,4 --format raw --out " +
        folder / "v.raw" + " --tables " + t);
  check("export --json --pits 3 --level 4 --what guarantees --format npy --out " + folder / "g.npy" +
        " --tables " + t);
  check("estimate --pits 3 --seeds 3 --json");
  check("estimate --pits 3 --seeds 3 --guarantees --json");
  check("estimate --game rio-kadalis --pits 2 --json");
  check("build 0,1,0,1,2/0,1,0,2,1 --game rio-kadalis --json --out " + folder / "e");
  check("stats --endless --longest-relay --moves --json --tables " + folder / "e");
  check("check --json --tables " + t);
  std::ofstream(t + "/MANIFEST.json.partial") << "x";
  const std::vector<std::filesystem::path> files = tables_in(t);
  std::filesystem::remove(files.at(0));
  std::filesystem::resize_file(files.at(1), 10);
  damage(files.at(2), 300);
  std::filesystem::copy_file(files.at(3), t + "/other.rsow");
  check("check --json --tables " + t);
  check("match --pits 2 --json");
  check("match --pits 3 --starter loser --json");
  check("play --side both --pits 2 --json", "v\nh\nl\nu\n1\ns " + (folder / "g.txt") + "\nq\n");
  check("play 0,2,1/0,0,2 --side none --json");
  check("play --match --pits 2 --side none --json");
  check("solve --record " + (folder / "g.txt") + " --json");
  check("version --json");
  const Server server({"--tables", t});
  EXPECT_EQ(fault_of_record(server.record(), document.verbs.at("serve")), "");
  collect_paths(server.record(), "", seen["serve"]);
  for (const auto& [verb, kinds] : document.verbs) {
    for (const Keys& keys : kinds) {
      for (const auto& [path, key] : keys) {
        EXPECT_TRUE(seen[verb].contains(path)) << verb << ": documented, but never seen: " << path;
      }
    }
  }
}

TEST(CliJsonDocument, FaultsAreFound) {  // the test's own check
  const Keys keys = {{"a", {{"integer"}, true}},  {"b", {{"array"}, false}},
                     {"b[]", {{"string"}, true}}, {"c", {{"object", "null"}, false}},
                     {"c.d", {{"number"}, true}}, {"m", {{"map"}, false}}};
  const auto fault = [&](const char* text) { return fault_of(Json::parse(text), keys, ""); };
  EXPECT_EQ(fault(R"({"a":1,"b":["x"],"c":{"d":1.5},"m":{"any":[1]}})"), "");
  EXPECT_EQ(fault(R"({"a":1,"c":null})"), "");
  EXPECT_EQ(fault(R"({"b":[]})"), "not there: a");
  EXPECT_EQ(fault(R"({"a":1,"e":1})"), "not documented: e");
  EXPECT_EQ(fault(R"({"a":"1"})"), "of another type: a \"1\"");
  EXPECT_EQ(fault(R"({"a":1.5})"), "of another type: a 1.5");
  EXPECT_EQ(fault(R"({"a":1,"b":[1]})"), "of another type: b[]");
  EXPECT_EQ(fault(R"({"a":1,"c":{}})"), "not there: c.d");
  EXPECT_EQ(fault(R"({"a":1,"c":{"d":1,"e":2}})"), "not documented: c.e");
}

// Without what differs from run to run, machine to machine or zstd to zstd.
Json without_times(Json record) {
  for (const char* key : {"seconds", "nodes_per_second", "bytes", "trial_rate", "available_disk"}) {
    record.erase(key);
    for (const char* table : {"distance", "guarantee"}) {
      if (record.contains(table) && record[table].is_object()) record[table].erase(key);
    }
  }
  return record;
}

TEST(CliJsonDocument, ExamplesAreReal) {
  const Document document = read_json_document();
  TemporaryFolder folder;
  EXPECT_GE(document.examples.size(), 10U);
  for (const Example& example : document.examples) {
    // The document's folder with distances is that without, and brute force.
    const bool distances =
        std::find(example.words.begin(), example.words.end(), "tables-d") != example.words.end();
    if (distances && !std::filesystem::exists(folder.path() / "tables-d")) {
      std::filesystem::copy(folder.path() / "tables", folder.path() / "tables-d");
      add_distances(folder.path() / "tables-d");
    }
    const Outcome r = run(example.words, {.folder = folder.path().string()});
    const std::vector<Json> output = r.records();
    ASSERT_EQ(output.size(), example.output.size()) << r;
    for (std::size_t i = 0; i < output.size(); ++i) {
      EXPECT_EQ(without_times(output[i]).dump(), without_times(example.output[i]).dump());
    }
  }
}

}  // namespace
}  // namespace retrosow::test
