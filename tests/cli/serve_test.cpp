// `serve`: what the explorer's API answers, beside what the verbs say; bad requests; damaged tables; many clients.
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "tests/cli/http_client.h"
#include "tests/support/boards.h"

namespace retrosow::test {
namespace {

constexpr const char* kApi = "/api/v1/";

class CliServe : public ::testing::Test {
 protected:
  static constexpr const char* kLevels = "--pits 3 --seeds 6 --distance";
  // Before server() is first called: what its folder holds beside kLevels.
  void build_more(const std::string& options) {
    const Outcome r = run(words_of("build --out " + file("t") + " " + options));
    EXPECT_EQ(r.exit_code, 0) << r;
  }
  std::string tables() {
    if (!built_) build_more(kLevels);
    built_ = true;
    return file("t");
  }
  Server& server() {
    if (!server_) server_.emplace(Words{"--tables", tables()});
    return *server_;
  }
  // The answer to a request that is right.
  Json get(const std::string& target) {
    const HttpAnswer answer = server().get(kApi + target);
    EXPECT_EQ(answer.status, 200) << target << " " << answer.body;
    return answer.json();
  }
  void expect_error(const std::string& target, int status, const Words& parts = {}) {
    const HttpAnswer answer = server().get(target);
    EXPECT_EQ(answer.status, status) << target << " " << answer.body;
    const Json record = answer.json();
    EXPECT_EQ(record.size(), 2U) << record;
    EXPECT_EQ(record.value("status", 0), status) << record;
    for (const std::string& part : parts) {
      EXPECT_NE(record.value("error", "").find(part), std::string::npos) << target << " " << record;
    }
  }
  HttpAnswer post_record(const std::string& text, const std::string& content_type) {
    std::string head = "Content-Length: " + std::to_string(text.size()) + "\r\n";
    if (!content_type.empty()) head += "Content-Type: " + content_type + "\r\n";
    return HttpClient(server().port()).request("POST", "/api/v1/record", head, text);
  }
  std::string file(const std::string& name) const { return root_ / name; }

 private:
  TemporaryFolder root_;
  bool built_ = false;
  std::optional<Server> server_;
};

// What the command line says of the same, with the keys that only it has left out.
Json cli(const std::string& command) {
  const Outcome r = run(words_of(command + " --json"));
  EXPECT_EQ(r.exit_code, 0) << command << "\n" << r;
  return r.record();
}

TEST_F(CliServe, SaysWhereItIsAndEndsOnSignals) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program(words_of("serve --port 0"));
    const std::string url = program.read_line();
    ASSERT_TRUE(url.starts_with("http://127.0.0.1:") && url.ends_with("/")) << url;
    HttpClient open(static_cast<unsigned>(std::stoul(url.substr(17))));
    EXPECT_EQ(open.get("/api/v1/games").status, 200);
    program.send(signal);  // while a connection is open
    const Outcome r = program.finish();
    EXPECT_EQ(r.exit_code, 130) << r;
    EXPECT_EQ(r.err, "");
  }
  Server json({"--host", "localhost"});
  EXPECT_EQ(json.record()["url"], "http://localhost:" + std::to_string(json.port()) + "/");
  EXPECT_EQ(json.record()["tables"], nullptr);
}

TEST_F(CliServe, RefusesAPortThatIsTakenAndWrongOptions) {
  const std::string port = std::to_string(server().port());
  test::expect_error("serve --port " + port, 3, {port, "in use"});
  test::expect_error("serve --port 65536", 2, {"--port", "65536"});
  test::expect_error("serve --port x", 2, {"--port"});
  test::expect_error("serve --host no.such.host.invalid", 3, {"no.such.host.invalid"});
  test::expect_error("serve --tables " + file("nowhere"), 3, {"nowhere"});
  test::expect_error("serve start", 2, {"start"});
}

TEST_F(CliServe, PositionsHaveWhatMovesAndProbeSay) {
  for (const char* more : {"--pits 2 --seeds 4 --pit-limit 5", "--game rio-kadalis --pits 2",
                           "--game rio-kadalis 4,x,4/4,4,4"}) {
    build_more(more);
  }
  for (const char* rules : {"", "--pit-limit 5", "--game rio-kadalis"}) {
    for (const char* position : {"1,0,2/0,1,1", "0,0,0/1,2,0", "1,1/1,1", "0,1/2,0", "4,x,4/4,4,4", "4,4/4,4"}) {
      if (std::string(rules).empty() == (std::string(position).find('4') != std::string::npos)) continue;
      std::string query = std::string("position?position=") + position;
      if (std::string(rules) == "--pit-limit 5") query += "&pit-limit=5";
      if (std::string(rules) == "--game rio-kadalis") query += "&game=rio-kadalis";
      const std::string words = std::string(position) + " " + rules;
      const Outcome probed = run(words_of("probe " + words + " --json --tables " + tables()));
      if (probed.exit_code != 0) continue;  // refused, or no such table
      const Json probe = probed.record(), moves = cli("moves " + words), answer = get(query);
      EXPECT_EQ(answer["from"], "tables") << answer;
      EXPECT_FALSE(answer.contains("why"));
      for (const char* key : {"game", "rules", "position", "value", "outcome", "best"}) {
        EXPECT_EQ(answer[key], probe[key]) << key << " " << answer;
      }
      EXPECT_EQ(answer["distance"], probe.value("distance", Json()));
      EXPECT_EQ(answer.contains("progress"), probe.contains("progress"));
      EXPECT_EQ(answer["end"], moves["end"]);
      EXPECT_EQ(answer["movers_seeds"].get<int>() + answer["opponents_seeds"].get<int>(), probe["seeds"]);
      ASSERT_EQ(answer["moves"].size(), moves["moves"].size());
      for (std::size_t i = 0; i < moves["moves"].size(); ++i) {
        Json move = answer["moves"][i];
        EXPECT_EQ(move["value"], probe["moves"][i]["value"]);
        EXPECT_EQ(move["distance"], probe["moves"][i].value("distance", Json()));
        move.erase("value");
        move.erase("distance");
        EXPECT_EQ(move, moves["moves"][i]);
      }
    }
  }
  EXPECT_EQ(get("position?position=1+0+2/0%201,1")["position"], "1,0,2/0,1,1");
}

TEST_F(CliServe, WhereThereIsNoTableItSearches) {
  Server without({});
  const auto check = [](const HttpAnswer& got, const std::string& words) {
    const Json answer = got.json(), solve = cli("solve " + words);
    EXPECT_EQ(answer["from"], "search") << answer;
    for (const char* key : {"value", "outcome", "best"}) EXPECT_EQ(answer[key], solve[key]) << answer;
    for (std::size_t i = 0; i < solve["moves"].size(); ++i) {
      EXPECT_EQ(answer["moves"][i]["value"], solve["moves"][i]["value"]);
    }
  };
  check(without.get("/api/v1/position?position=2,2/2,2"), "2,2/2,2");
  check(without.get("/api/v1/position?game=rio-kadalis&position=start&pits=2"), "start --game rio-kadalis --pits 2");
  check(server().get("/api/v1/position?position=2,2,1/2,0,1"), "2,2,1/2,0,1");          // level 8 is not there
  check(server().get("/api/v1/position?game=oware&position=1,1,1/1,0,0"), "1,1,1/1,0,0 --game oware");
  const Json none = get("position?position=200,0/0,55&pit-limit=0");
  EXPECT_EQ(none["from"], "none");
  EXPECT_EQ(none["value"], nullptr);
  EXPECT_EQ(none["moves"][0]["value"], nullptr);
  EXPECT_NE(none["why"].get<std::string>().find("255 seeds"), std::string::npos);
  EXPECT_TRUE(without.get("/api/v1/tables").json()["tables"].empty());
  EXPECT_TRUE(without.get("/api/v1/levels").json()["levels"].empty());
}

TEST_F(CliServe, WhatIsNotKnownIsSearchedAgainWhenAskedAgain) {
  Server without({});
  for (unsigned i = 0; i < 2; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const Json answer = without.get("/api/v1/position?position=4,4,4,4/4,4,4,4").json();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(answer["from"], "none") << answer;
    EXPECT_GT(seconds.count(), 0.2);  // what has been kept comes within a millisecond
  }
}

// Levels 6 to 8 only: the position and its moves stand in tables, what follows does not.
TEST_F(CliServe, ALineThatLeavesTheTablesIsSearched) {
  const std::string folder = file("few");
  ASSERT_EQ(run(words_of("build --pits 3 --seeds 8 --distance --out " + folder)).exit_code, 0);
  std::size_t removed = 0;
  for (const auto& table : tables_in(folder)) {
    if (table.filename().string() < "urim-2x3-2e2f1f19c3ee-006") removed += std::filesystem::remove(table) ? 1 : 0;
  }
  ASSERT_EQ(removed, 12U);
  Server few({"--tables", folder});
  const Json position = few.get("/api/v1/position?position=1,1,1/1,2,2").json();
  EXPECT_EQ(position["from"], "tables") << position;
  const HttpAnswer answer = few.get("/api/v1/line?position=1,1,1/1,2,2");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json line = answer.json();
  EXPECT_EQ(line["from"], "search") << line;
  EXPECT_EQ(line["value"], position["value"]);
  EXPECT_EQ(line["value"], cli("solve 1,1,1/1,2,2")["value"]);
  EXPECT_TRUE(line["end"] == "game-over" || line["end"] == "repetition") << line;
}

TEST_F(CliServe, TheStepsOfAMoveLeadToItsResult) {
  for (const char* query : {"position=1,0,2/0,1,1", "game=rio-kadalis&position=4,x,4/4,4,4",
                            "game=rio-kadalis&endless-sow=draw&position=0,1,0,1,2/0,1,0,2,1"}) {
    const Json position = get(std::string("position?") + query);
    for (const Json& expected : position["moves"]) {
      const Json move = get(std::string("move?") + query + "&pit=" + std::to_string(expected["pit"].get<int>()));
      for (const char* key : {"pit", "result", "captured", "captured_opponent", "ends"}) {
        EXPECT_EQ(move[key], expected[key]) << move;
      }
      // Rows by side and pit, from the mover's side; closed holes are -1 and never touched.
      std::map<std::string, std::vector<int>> board;
      std::istringstream rows(position["position"].get<std::string>());
      for (const char* side : {"mover", "opponent"}) {
        std::string row;
        std::getline(rows, row, '/');
        std::istringstream pits(row);
        for (std::string pit; std::getline(pits, pit, ',');) board[side].push_back(pit == "x" ? -1 : std::stoi(pit));
      }
      int hand = 0, laps = 0;
      std::map<std::string, int> taken;
      for (const Json& step : move["steps"]) {
        if (step["do"] == "repeat") continue;
        int& seeds = board[step["side"]].at(step["pit"].get<std::size_t>() - 1);
        ASSERT_GE(seeds, 0) << step;
        if (step["do"] == "lift") {
          hand = std::exchange(seeds, 0);
          ++laps;
          EXPECT_EQ(step["seeds"], hand);
        } else if (step["do"] == "drop") {
          --hand;
          EXPECT_EQ(step["seeds"], ++seeds);
        } else {
          EXPECT_EQ(step["do"], "take");
          EXPECT_EQ(step["seeds"], seeds);
          taken[step["to"]] += std::exchange(seeds, 0);
        }
      }
      EXPECT_EQ(hand, 0);
      EXPECT_EQ(taken["mover"], move["captured"]);
      EXPECT_EQ(taken["opponent"], move["captured_opponent"]);
      EXPECT_EQ(move.value("laps", laps), laps);
      EXPECT_EQ(move["steps"].back()["do"] == "repeat", move["ends"] == "endless");
      if (move["result"].is_null()) continue;
      std::string result;
      for (const char* side : {"opponent", "mover"}) {
        for (const int seeds : board[side]) {
          result += (result.empty() || result.back() == '/' ? "" : ",") + (seeds < 0 ? "x" : std::to_string(seeds));
        }
        if (*side == 'o') result += "/";
      }
      EXPECT_EQ(move["result"], result) << move;
    }
  }
}

TEST_F(CliServe, OtherRecordsAreThoseOfTheVerbs) {
  build_more("--pits 2 --seeds 4 --pit-limit 5");
  build_more("--game rio-kadalis --pits 2");
  const Json games = get("games")["games"];
  const std::vector<Json> rules = run(words_of("rules --json")).records();
  ASSERT_EQ(games.size(), rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) EXPECT_EQ(games[i], rules[i]);
  EXPECT_EQ(get("rules?game=awari"), cli("rules --game awari"));
  const Json version = cli("version");
  const Json short_version = get("version");
  EXPECT_EQ(short_version.size(), 3U);
  for (const auto& [key, value] : short_version.items()) EXPECT_EQ(value, version[key]);

  const std::string t = " --tables " + tables();
  Json line = get("line?position=1,1,1/1,1,0&captured=3,1");
  EXPECT_EQ(line["from"], "tables");
  line.erase("from");
  EXPECT_EQ(line, cli("line 1,1,1/1,1,0 --captured 3,1" + t));
  EXPECT_EQ(get("line?position=1,1,1/1,1,0&max-plies=1")["plies"], 1);
  const std::vector<Json> levels = run(words_of("stats --pits 3 --game urim --json" + t)).records();
  ASSERT_EQ(levels.size(), 7U);
  const Json served = get("levels?pits=3");
  EXPECT_EQ(served["levels"], Json(levels));
  EXPECT_TRUE(served["left_out"].empty() && served["faults"].empty()) << served;
  EXPECT_EQ(get("levels?pit-limit=5")["levels"].size(), 5U);
  EXPECT_EQ(get("levels?pit-limit=6")["levels"].size(), 0U);

  const Json list = get("tables");
  EXPECT_EQ(list["tables"].size(), tables_in(tables()).size());
  EXPECT_TRUE(list["faults"].empty());
  int with_option = 0, rounds = 0, distances = 0;
  for (const Json& table : list["tables"]) {
    with_option += table["options"] == Json{{"pit-limit", "5"}};
    rounds += !table["root"].is_null();
    distances += table["kind"] == "distances";
  }
  EXPECT_EQ(with_option, 5);
  EXPECT_EQ(distances, 7);
  EXPECT_EQ(rounds, 4);
}

// Lines of play keep the value to the end, however they were found.
TEST_F(CliServe, LinesWithoutDistancesKeepTheValueToo) {
  build_more("--game rio-kadalis --pits 2");
  for (const char* query : {"game=rio-kadalis&position=start&pits=2", "position=2,2/2,2",
                            "position=2,0/1,1&pit-limit=5",
                            "game=rio-kadalis&position=4,x,4/4,4,4"}) {
    const Json line = get(std::string("line?") + query);
    ASSERT_EQ(line["plies"], line["line"].size()) << line;
    ASSERT_GT(line["line"].size(), 0U);
    int gained = 0;
    for (std::size_t i = 0; i < line["line"].size(); ++i) {
      const Json& ply = line["line"][i];
      const int sign = i % 2 == 0 ? 1 : -1;
      EXPECT_EQ(gained + sign * ply["value"].get<int>(), line["value"]) << ply;
      gained += sign * (ply["captured"].get<int>() - ply["captured_opponent"].get<int>());
      EXPECT_EQ(ply["score"]["mover"].get<int>() - ply["score"]["opponent"].get<int>(), gained);
    }
    EXPECT_TRUE(line["end"] == "game-over" || line["end"] == "repetition") << line;
  }
  const Json none = get("line?position=200,0/0,55&pit-limit=0");
  EXPECT_EQ(none["end"], "unknown");
  EXPECT_EQ(none["from"], "none");
  EXPECT_EQ(none["plies"], 0);
}

TEST_F(CliServe, BadRequestsAreExplained) {
  const std::string p = std::string(kApi) + "position";
  expect_error(p, 400, {"position", "needed"});
  expect_error(p + "?position=", 400, {"''"});
  expect_error(p + "?position=3,3/3", 400, {"rows differ"});
  expect_error(p + "?position=3,3/x,3", 400, {"closed"});
  expect_error(p + "?position=18,0/1,1", 400, {"pit limit 17"});
  expect_error(p + "?position=300,0/1,1&pit-limit=0", 400, {"255"});
  expect_error(p + "?position=200,200/1,1&pit-limit=0", 400, {"255"});
  expect_error(p + "?position=-", 400, {"'-'"});
  expect_error(p + "?position=start&pits=9", 400, {"pits", "9"});
  expect_error(p + "?position=start&pits=2&pits=2", 400, {"pits", "twice"});
  expect_error(p + "?position=start&seeds-per-pit=99999999999", 400, {"seeds-per-pit"});
  expect_error(p + "?position=start&game=chess", 400, {"chess", "urim"});
  expect_error(p + "?position=start&endless-sow=draw", 400, {"endless-sow", "rio-kadalis"});
  expect_error(p + "?position=start&trigger=2;3", 400, {"trigger"});
  expect_error(p + "?position=start&tables=/etc", 400, {"'tables'", "no parameter"});
  for (const char* file : {"record=/etc/passwd", "out=/tmp/x", "ply=1", "host=x"}) {
    expect_error(p + "?position=start&" + file, 400, {"no parameter"});
  }
  expect_error(p + "?position=start&json=1", 400, {"'json'"});
  expect_error(p + "?position", 400, {"no value"});
  expect_error(p + "?=1", 400, {"no parameter"});
  expect_error(p + "?position=%2", 400, {"hexadecimal"});
  expect_error(p + "?position=%zz", 400, {"hexadecimal"});
  expect_error(p + "?position=start%00", 400, {"control character"});
  expect_error(p + "?position=%ff%fe", 400, {});
  // From the bytes that are read on, whoever counts them: this program, and above 8 KiB cpp-httplib.
  expect_error(p + "?position=" + std::string(4096 - p.size() - 10, '1'), 400, {"position"});
  expect_error(p + "?position=" + std::string(4097 - p.size() - 10, '1'), 414, {"4097", "4096"});
  expect_error("/" + std::string(8000, 'a'), 414, {"4096"});
  expect_error("/" + std::string(9000, 'a'), 414, {"long"});
  std::string many = p + "?";
  for (int i = 0; i < 40; ++i) many += "&a" + std::to_string(i) + "=1";
  expect_error(many, 400, {"32 parameters"});
  const std::string m = std::string(kApi) + "move?position=0,1/2,0";
  expect_error(m, 400, {"pit", "needed"});
  for (const char* pit : {"1", "0", "3", "-1", "2x", "99999999999999999999", ""}) {
    expect_error(m + "&pit=" + pit, 400, {"pit"});
  }
  expect_error(std::string(kApi) + "move?game=rio-kadalis&position=2,0,1,0,2,1/0,2,1,0,2,1&pit=1", 400, {"legal"});
  expect_error(std::string(kApi) + "line?position=start&max-plies=1001", 400, {"max-plies", "1000"});
  expect_error(std::string(kApi) + "line?position=start&captured=1", 400, {"captured"});
  expect_error(std::string(kApi) + "levels?position=start", 400, {"'position'"});
  expect_error(std::string(kApi) + "rules", 400, {"game"});
  expect_error(std::string(kApi) + "games?x=1", 400, {"takes none"});
  expect_error(std::string(kApi) + "nothing", 404, {"position", "levels"});
  expect_error(kApi, 404, {});
  expect_error("/api/v2/games", 404, {});
}

TEST_F(CliServe, NoPathLeadsToAFile) {
  const std::string inside = tables_in(tables()).front().filename().string();
  for (const std::string& path :
       {std::string("/../../../../etc/passwd"), std::string("/%2e%2e/%2e%2e/etc/passwd"), std::string("//etc/passwd"),
        std::string("/..\\..\\etc\\passwd"), "/" + inside, "/t/" + inside, std::string("/assets/../index.html/.."),
        std::string("/./index.html"), std::string("/index.html%00.js"), std::string("/proc/self/environ"),
        std::string("/api/v1/../../etc/passwd"), std::string("/api/v1/tables/") + inside}) {
    expect_error(path, 404);
  }
  expect_error(std::string(kApi) + "position?position=/etc/passwd", 400);
  expect_error(std::string(kApi) + "position?position=../../etc/passwd", 400);
}

TEST_F(CliServe, RequestsThatAreNoneAreRefused) {
  const unsigned port = server().port();
  const auto raw = [&](const std::string& bytes) {
    HttpClient client(port);
    client.send(bytes);
    return client.receive();
  };
  EXPECT_EQ(raw("rubbish\r\n\r\n").status, 400);
  EXPECT_EQ(raw(std::string("\0\x01\xff\r\n\r\n", 7)).status, 400);
  EXPECT_EQ(raw("GET / HTTP/9.9\r\n\r\n").status, 400);
  EXPECT_EQ(raw("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n\r\n").status, 414);
  EXPECT_EQ(raw("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'a') + "\r\n\r\n").status, 400);
  std::string headers;
  for (int i = 0; i < 10'000; ++i) headers += "X: y\r\n";
  EXPECT_EQ(raw("GET / HTTP/1.1\r\n" + headers + "\r\n").status, 400);
  std::string ranges = "bytes=0-1";
  for (int i = 0; i < 1500; ++i) ranges += ",0-1";
  EXPECT_EQ(raw("GET / HTTP/1.1\r\nRange: " + ranges + "\r\n\r\n").status, 200);
  EXPECT_EQ(raw("GET / HTTP/1.1\r\nRange: bytes=9-5\r\n\r\n").json()["status"], 416);
  EXPECT_EQ(raw("POST /api/v1/record?" + std::string(5000, 'a') + " HTTP/1.1\r\nContent-Length: 0\r\n\r\n").status, 414);
  EXPECT_EQ(raw("PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx").status, 405);
  EXPECT_EQ(raw("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx").status, 405);
  EXPECT_EQ(raw("POST /api/v1/record HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n").status, 413);
  // A body where none belongs is not taken for a second request.
  HttpClient client(port);
  const std::string second = "GET /api/v1/games HTTP/1.1\r\n\r\n";
  const std::string length = "Content-Length: " + std::to_string(second.size()) + "\r\n";
  EXPECT_EQ(client.request("GET", "/api/v1/version", length, second).status, 200);
  EXPECT_EQ(client.receive().status, 0);
  EXPECT_EQ(get("games")["games"].size(), 4U);  // it is still there
}

TEST_F(CliServe, GameRecordsAreRead) {
  const std::string text = "retrosow record 1\ngame: urim\nstart: 1,1/1,1\nfirst: Ana\n\n1. 1 1\n";
  const HttpAnswer answer = post_record(text, "text/plain");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json record = answer.json();
  EXPECT_EQ(record["game"], "urim");
  EXPECT_EQ(record["start"], "1,1/1,1");
  EXPECT_EQ(record["moves"], (Json{1, 1}));
  ASSERT_EQ(record["positions"].size(), 3U);
  EXPECT_EQ(record["positions"][1], get("move?position=1,1/1,1&pit=1")["result"]);
  EXPECT_EQ(record["players"], (Json{"Ana", ""}));
  for (const char* wrong : {"", "rubbish", "retrosow record 1\ngame: urim\nstart: 1,1/1,1\n\n1. 7\n",
                            "retrosow record 2\ngame: urim\nstart: 1,1/1,1\n"}) {
    const HttpAnswer refused = post_record(wrong, "");
    EXPECT_EQ(refused.status, 400) << refused.body;
    EXPECT_FALSE(refused.json()["error"].get<std::string>().empty());
  }
  EXPECT_NE(post_record("retrosow record 2\n", "").body.find("version"), std::string::npos);
}

TEST_F(CliServe, GameRecordsLoseNothing) {
  const Json agreed = post_record(
                          "retrosow record 1\ngame: urim\ncaptured: 5 2\nfirst: Ana\nsecond: Zé\ndate: 2026-11-30\n"
                          "start: 1,0/1,0\n; two seeds\n; are left\n\n1. 1 1 ; a step\n2. 2 2\nend: endless\n", "").json();
  EXPECT_EQ(agreed["captured"], (Json{5, 2})) << agreed;
  EXPECT_EQ(agreed["players"], (Json{"Ana", "Zé"}));
  EXPECT_EQ(agreed["date"], "2026-11-30");
  const Json& round = agreed["rounds"][0];
  EXPECT_EQ(round["comments"], (Json{"two seeds\nare left", "", "a step", "", ""}));
  EXPECT_EQ(round["taken"], (Json{{5, 2}, {5, 2}, {5, 2}, {5, 2}, {5, 2}}));
  EXPECT_EQ(round["end"], "endless");
  EXPECT_EQ(round["result"], (Json{6, 3}));
  EXPECT_EQ(agreed["winner"], nullptr);

  // The match of the specification.
  const std::string document = text_of_file(std::string(RETROSOW_SOURCE_DIR) + "/solver/cli/RECORD.md");
  const std::size_t begin = document.find("```\n", document.find("## Matches")) + 4;
  const Json match = post_record(document.substr(begin, document.find("```", begin) - begin), "").json();
  ASSERT_EQ(match["rounds"].size(), 2U) << match;
  EXPECT_TRUE(match["match"]);
  EXPECT_EQ(match["rounds"][0]["totals"], (Json{12, 12}));
  EXPECT_EQ(match["rounds"][0]["result"], (Json{6, 18}));
  EXPECT_EQ(match["rounds"][1]["totals"], (Json{6, 18}));
  EXPECT_EQ(match["rounds"][1]["starter"], "second");
  EXPECT_EQ(match["rounds"][1]["moves"].size(), 7U);
  EXPECT_EQ(match["winner"], "second");
  for (const Json& played : match["rounds"]) {
    ASSERT_EQ(played["taken"].size(), played["moves"].size() + 1);
    std::vector<int> both = played["taken"][0];
    const bool second = played["starter"] == "second";
    for (std::size_t i = 0; i < played["moves"].size(); ++i) {
      const Json move = get("move?game=rio-kadalis&position=" + played["positions"][i].get<std::string>() +
                            "&pit=" + std::to_string(played["moves"][i].get<int>()));
      const std::size_t mover = (i % 2 == 1) == second ? 0 : 1;
      both[mover] += move["captured"].get<int>();
      both[1 - mover] += move["captured_opponent"].get<int>();
      EXPECT_EQ(played["taken"][i + 1], Json(both)) << "move " << i;
    }
  }
}

TEST_F(CliServe, GameRecordsMayBeLargeAndOfAnyContentType) {
  // A record of the given size: comments of many lines.
  const auto record = [](std::size_t bytes) {
    std::string text = "retrosow record 1\ngame: urim\nstart: 1,1/1,1\n";
    while (text.size() < bytes) text += "; " + std::string(std::min<std::size_t>(bytes - text.size(), 803) - 3, '=') + "\n";
    return text;
  };
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
                           "multipart/form-data; boundary=b", "application/octet-stream"}) {
    for (const std::size_t bytes : {60U, 9000U, 1U << 20}) {
      const HttpAnswer answer = post_record(record(bytes - bytes % 803 + 50), type);
      EXPECT_EQ(answer.status, 200) << type << " " << bytes << " " << answer.body.substr(0, 200);
    }
    EXPECT_EQ(post_record(std::string((1U << 20) + 1, ';'), type).status, 413) << type;
  }
}

TEST_F(CliServe, DamagedAndMissingTablesGiveErrorsAndNoCrash) {
  const std::string folder = file("broken");
  std::filesystem::copy(tables(), folder);
  const auto level = [&](const std::string& seeds) {
    for (const auto& path : tables_in(folder)) {
      const std::string name = path.filename().string();
      if (name.starts_with("urim-2x3-") && name.ends_with("-00" + seeds + ".rsow")) return path;
    }
    throw std::runtime_error("no table of level " + seeds);
  };
  const std::filesystem::path five = level("5"), four = level("4"), three = level("3");
  damage(five, std::filesystem::file_size(five) - 10);  // in the last block
  std::filesystem::resize_file(four, 100);
  std::filesystem::remove(three);
  Server broken({"--tables", folder});
  const auto status = [&](const std::string& position) {
    const HttpAnswer answer = broken.get(std::string(kApi) + "position?position=" + position);
    if (answer.status != 200) {
      EXPECT_EQ(answer.json()["status"], answer.status);
      EXPECT_EQ(answer.body.find(folder), std::string::npos) << answer.body;
    }
    return answer;
  };
  // Nothing is known, but the board can be played on.
  for (const auto& [position, path] : {std::pair("1,1,1/1,1,0", five), std::pair("1,1,1/1,0,0", four)}) {
    for (const char* verb : {"position", "line"}) {
      const HttpAnswer answer = broken.get(kApi + std::string(verb) + "?position=" + position);
      ASSERT_EQ(answer.status, 200) << answer.body;
      const Json record = answer.json();
      EXPECT_EQ(record["from"], "none");
      EXPECT_EQ(record["damaged"], true);
      EXPECT_EQ(record["value"], nullptr);
      EXPECT_NE(record["why"].get<std::string>().find(path.filename().string()), std::string::npos) << record;
      EXPECT_EQ(answer.body.find(folder), std::string::npos) << answer.body;
      EXPECT_TRUE(record.contains("line") || record["moves"].size() == 3) << record;
    }
  }
  EXPECT_FALSE(get("position?position=200,0/0,55&pit-limit=0").contains("damaged"));
  EXPECT_EQ(status("1,1,1/0,0,0").json()["from"], "search");
  EXPECT_EQ(status("1,1,0/0,0,0").json()["from"], "tables");
  const Json list = broken.get(std::string(kApi) + "tables").json();
  ASSERT_EQ(list["faults"].size(), 1U) << list;
  EXPECT_EQ(list["faults"][0]["file"], four.filename().string());
  const Json levels = broken.get(std::string(kApi) + "levels?pits=3").json();
  EXPECT_EQ(levels["faults"].size(), 1U) << levels["faults"];
  EXPECT_EQ(levels["levels"].size(), 4U);
  EXPECT_EQ(broken.end().exit_code, 130);
}

// A line that leads to a missing level is searched for instead, and that search meets the damaged level below.
TEST_F(CliServe, DamageBelowAMissingLevelIsTold) {
  const std::string folder = file("broken-below");
  std::filesystem::copy(tables(), folder);
  for (const auto& path : tables_in(folder)) {
    const std::string name = path.filename().string();
    if (!name.starts_with("urim-2x3-")) continue;
    if (name.find("-003") != std::string::npos) std::filesystem::remove(path);
    if (name.ends_with("-002.rsow")) damage(path, std::filesystem::file_size(path) - 10);
  }
  Server broken({"--tables", folder});
  unsigned damaged = 0;
  for_each_board_up_to(6, 4, 17, [&](const std::vector<int>& board) {
    const HttpAnswer answer = broken.get(std::string(kApi) + "line?position=" + text_of(board, {3, 3}));
    ASSERT_EQ(answer.status, 200) << answer.body;
    const Json record = answer.json();
    if (!record.contains("damaged")) return;
    ++damaged;
    EXPECT_EQ(record["value"], nullptr) << record;
    EXPECT_NE(record["why"].get<std::string>().find("-002.rsow"), std::string::npos) << record;
  });
  EXPECT_GT(damaged, 0U);
  EXPECT_EQ(broken.end().exit_code, 130);
}

TEST_F(CliServe, ManyClientsAtOnceGetTheirOwnAnswers) {
  const Words targets = {"position?position=1,0,2/0,1,1", "position?position=0,0,0/1,2,0", "games",
                         "move?position=1,0,2/0,1,1&pit=3", "line?position=1,1,1/1,1,0", "levels?pits=3",
                         "position?position=2,2,1/2,0,1", "position?position=wrong"};
  std::vector<std::string> expected;
  for (const std::string& target : targets) expected.push_back(server().get(kApi + target).body);
  std::vector<std::unique_ptr<HttpClient>> silent;
  for (int i = 0; i < 100; ++i) silent.push_back(std::make_unique<HttpClient>(server().port()));
  std::vector<std::string> faults(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < faults.size(); ++t) {
    threads.emplace_back([&, t] {
      HttpClient client(server().port());
      for (std::size_t i = 0; i < 25; ++i) {
        const std::size_t which = (t + i) % targets.size();
        if (client.get(kApi + targets[which]).body != expected[which]) faults[t] = targets[which];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(faults, std::vector<std::string>(8));
  // What all ask for at once is searched for once.
  threads.clear();
  std::vector<std::string> searched(8);
  for (std::string& body : searched) {
    threads.emplace_back([&] { body = server().get("/api/v1/position?position=3,2,1/2,1,2").body; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(searched, std::vector<std::string>(8, searched.front()));
  EXPECT_EQ(Json::parse(searched.front())["from"], "search");
  for (auto& client : silent) EXPECT_EQ(client->get("/api/v1/version").status, 200);
}

TEST_F(CliServe, ThePageIsServedWithItsRights) {
  HttpClient client(server().port());
  const HttpAnswer page = client.get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_TRUE(page.headers.at("content-security-policy").starts_with("default-src 'none'; script-src 'self'"));
  EXPECT_EQ(page.headers.at("x-content-type-options"), "nosniff");
  EXPECT_EQ(page.body, text_of_file(std::string(RETROSOW_SOURCE_DIR) + "/solver/web/page/index.html"));
  const HttpAnswer again = client.request("GET", "/", "If-None-Match: " + page.headers.at("etag") + "\r\n");
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  const HttpAnswer head = client.request("HEAD", "/");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), std::to_string(page.body.size()));
  EXPECT_EQ(client.get("/api/v1/games").headers.at("cache-control"), "no-store");
  EXPECT_EQ(client.get("/api/v1/games").headers.at("content-type"), "application/json; charset=utf-8");
}

}  // namespace
}  // namespace retrosow::test
