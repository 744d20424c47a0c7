// The contract's fast parts: every known move, every error case.
#include "tests/cli/contract.h"

namespace retrosow::test {
namespace {

void expect_moves(const std::string& game, const std::string& name) {
  std::size_t checked = 0;
  for (const auto& [rules, cases] : by_rules(read_json_lines("moves-" + name + ".jsonl"))) {
    std::string input;
    for (const auto& c : cases) input += c["position"].get<std::string>() + "\n";
    const Outcome r =
        run(Words{"moves", "-", "--json"} + option_words(game, nlohmann::json::parse(rules)),
            {.input = input});
    EXPECT_EQ(r.exit_code, 0) << game << " " << rules << "\n" << r.err;
    const std::vector<Json> out = r.records();
    ASSERT_EQ(out.size(), cases.size()) << game << " " << rules;
    for (std::size_t i = 0; i < cases.size(); ++i, ++checked) {
      const auto& c = cases[i];
      const Json* move = nullptr;
      nlohmann::json legal = nlohmann::json::array();
      for (const Json& m : out[i]["moves"]) {
        legal.push_back(m["pit"].get<int>());
        if (m["pit"].get<int>() == c["pit"].get<int>()) move = &m;
      }
      if (c.value("endless", false)) {  // --endless-sow forbid
        EXPECT_EQ(move, nullptr) << c;
        continue;
      }
      ASSERT_NE(move, nullptr) << c << "\n" << out[i];
      EXPECT_EQ((*move)["result"].get<std::string>(), c["result"].get<std::string>()) << c;
      EXPECT_EQ((*move)["captured"].get<int>(), c["captured"].get<int>()) << c;
      EXPECT_EQ((*move)["captured_opponent"].get<int>(), c["captured_opponent"].get<int>()) << c;
      if (c.contains("legal")) {
        EXPECT_EQ(legal, c["legal"]) << c;
      }
    }
  }
  EXPECT_GT(checked, 300U);
}

TEST(CliContract, MovesOfUrimAreKnown) { expect_moves("urim", "urim"); }
TEST(CliContract, MovesOfOwareAreKnown) { expect_moves("oware", "oware"); }
TEST(CliContract, MovesOfRioKadalisAreKnown) { expect_moves("rio-kadalis", "rio-kadalis"); }
TEST(CliContract, MovesUnderEveryOptionAreKnown) { expect_moves("urim", "options"); }

TEST(CliContract, ErrorsHaveTheirExitCodes) {
  const std::vector<std::pair<Words, int>> cases = {
      {{"moves", "3,3/3"}, 2},
      {{"moves", "3,3,3,3,3,3/3,3,3,3,3,-1"}, 2},
      {{"moves", "3,3,3,3,3,3/3,3,3,3,3,x", "--game", "urim"}, 2},
      {{"moves", "18,0,0,0,0,0/0,0,0,0,0,1", "--game", "urim"}, 2},
      {{"moves", "a/b"}, 2},
      {{"moves", "start", "--game", "chess"}, 2},
      {{"moves", "start", "--game", "urim", "--direction", "cw"}, 2},
      {{"moves", "start", "--pits", "6x"}, 2},
      {{"nonsense"}, 2},
      {{"build", "--seeds", "-1", "--out", "x"}, 2},
      {{"probe", "--tables", "/nonexistent", "start"}, 3},
      {{"--help"}, 0},
      {{"version", "--json"}, 0},
      {{"rules", "--json"}, 0},
      {{"perft", "--depth", "4", "--json"}, 0}};
  for (const auto& [words, code] : cases) {
    const Outcome r = run(words);
    EXPECT_EQ(r.exit_code, code) << words.back() << "\n" << r;
    EXPECT_EQ(r.out.empty(), code != 0) << r;
    EXPECT_EQ(r.err.empty(), code == 0) << r;
  }
}

TEST(CliContract, BadLineOfABatchIsReportedAndTheOthersAnswered) {
  const Outcome r = run({"moves", "-", "--json"}, {.input = "start\nrubbish\nstart\n"});
  EXPECT_EQ(r.exit_code, 2);
  const std::vector<Json> out = r.records();
  ASSERT_EQ(out.size(), 3U);
  EXPECT_TRUE(out[0].contains("moves"));
  EXPECT_EQ(out[1]["line"], 2);
  EXPECT_TRUE(out[1].contains("error"));
  EXPECT_EQ(out[0], out[2]);
}

}  // namespace
}  // namespace retrosow::test
