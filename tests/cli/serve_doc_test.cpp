// Holds the explorer's answers to solver/web/API.md: every key is documented, every one that is always there is there,
// and the examples come out as they stand.
#include "tests/cli/http_client.h"
#include "tests/cli/json_document.h"

namespace retrosow::test {
namespace {

constexpr const char* kPrompt = "$ curl -s ";
constexpr const char* kExampleOrigin = "http://127.0.0.1:8080";

Document read_api_document() {
  static const Document json = read_json_document();
  return read_document("/solver/web/API.md", kPrompt, &json);
}

std::string example_tables(const TemporaryFolder& folder) {
  const std::string text = text_of_file(std::string(RETROSOW_SOURCE_DIR) + "/solver/web/API.md");
  EXPECT_NE(text.find("`retrosow build --pits 3 --seeds 6 --distance\n--out tables`"), std::string::npos);
  const Outcome r = run(words_of("build --pits 3 --seeds 6 --distance --out " + folder / "tables"));
  EXPECT_EQ(r.exit_code, 0) << r;
  return folder / "tables";
}

TEST(CliServeDocument, ListsEveryKeyOfEveryAnswerAndNoOther) {
  const Document document = read_api_document();
  TemporaryFolder folder;
  const std::string tables = example_tables(folder);
  ASSERT_EQ(run(words_of("build --pits 2 --game rio-kadalis --out " + tables)).exit_code, 0);
  damage(tables_in(tables).front(), 3);
  for (const auto& path : tables_in(tables)) {  // one that is seen to be damaged when it is read
    if (path.string().ends_with("-006.rsow")) damage(path, std::filesystem::file_size(path) - 10);
  }
  Server server({"--tables", tables});
  std::map<std::string, std::set<std::string>> seen;
  const auto hold = [&](const std::string& section, const HttpAnswer& answer) {
    const Json record = answer.json();
    ASSERT_TRUE(document.verbs.contains(section)) << section;
    EXPECT_EQ(fault_of_record(record, document.verbs.at(section)), "") << section << "\n" << record;
    collect_paths(record, "", seen[section]);
  };
  const auto check = [&](const std::string& query) {
    const std::string path = "/api/v1/" + query;
    const HttpAnswer answer = server.get(path);
    hold(answer.status == 200 ? "GET " + path.substr(0, path.find('?')) : "Errors", answer);
  };
  for (const char* query :
       {"version", "games", "rules?game=oware", "tables", "levels?pits=3", "levels?game=rio-kadalis",
        "position?position=1,0,2/0,1,1", "position?position=0,0,0/1,2,0", "position?position=1,1,1/1,1,0",
        "position?position=200,0/0,55&pit-limit=0", "position?game=rio-kadalis&position=2,x/1,2",
        "position?game=rio-kadalis&endless-sow=draw&position=3/1", "move?position=0,0,1/1,2,0&pit=3",
        "move?game=rio-kadalis&endless-sow=draw&position=3/1&pit=1", "line?position=1,0,2/0,1,1",
        "line?position=1,0,2/0,1,1&captured=3,1", "line?game=rio-kadalis&position=2,x/1,2",
        "line?position=200,0/0,55&pit-limit=0", "line?position=1,1,1/1,1,0", "line?position=1,2,1/1,1,1",
        "position?position=1,1,1/1,1,1", "line?position=1,1,1/1,1,1",
        "nothing", "position"}) {
    check(query);
  }
  for (const char* text : {"retrosow record 1\ngame: urim\nstart: 1,1/1,1\n\n1. 1 1\n",
                           "retrosow record 1\ngame: rio-kadalis\nmatch: yes\nround: 1\nstart: 4,4/4,4\n",
                           "retrosow record 1\ngame: urim\nstart: 0,0/1,1\nend: over\n"}) {
    const std::string game = text;
    hold("POST /api/v1/record",
         HttpClient(server.port())
             .request("POST", "/api/v1/record", "Content-Length: " + std::to_string(game.size()) + "\r\n", game));
  }
  // What only some tables of the folder would bring about.
  const std::set<std::string> unseen = {"left_out[]", "cut"};
  for (const auto& [section, kinds] : document.verbs) {
    for (const Keys& keys : kinds) {
      for (const auto& [path, key] : keys) {
        // What the other document says of its records is tested there.
        const bool others =
            path.starts_with("games[]") || path.starts_with("levels[]") || section == "GET /api/v1/line";
        if (others || unseen.contains(path)) continue;
        EXPECT_TRUE(seen[section].contains(path)) << section << ": documented, but never seen: " << path;
      }
    }
  }
}

// What a line of an example asks for.
std::string target_of(const Example& example) {
  const std::string& url = example.words.at(0);
  EXPECT_TRUE(url.starts_with(kExampleOrigin)) << url;
  return url.substr(std::string(kExampleOrigin).size());
}

TEST(CliServeDocument, ExamplesAreReal) {
  const Document document = read_api_document();
  TemporaryFolder folder;
  Server server({"--tables", example_tables(folder)});
  EXPECT_GE(document.examples.size(), 12U);
  for (const Example& example : document.examples) {
    const HttpAnswer answer = server.get(target_of(example));
    ASSERT_EQ(example.output.size(), 1U) << target_of(example) << "\n" << answer.body;
    EXPECT_EQ(answer.json().dump(), example.output.front().dump()) << target_of(example);
  }
}

}  // namespace
}  // namespace retrosow::test
