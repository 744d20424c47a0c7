// The contract's slower parts: tables built by the binary against known value counts.
#include "tests/cli/contract.h"

namespace retrosow::test {
namespace {

TEST(CliContractValues, OfPositionsAreKnown) {
  std::size_t checked = 0;
  for (const auto& c : read_json_lines("values.jsonl")) {
    if (!c.contains("position")) continue;
    ++checked;
    const Outcome r =
        run(Words{"solve", c["position"], "--json"} + option_words(c["game"], c["rules"]));
    EXPECT_EQ(r.exit_code, 0) << c << "\n" << r;
    const Json record = r.record();
    EXPECT_EQ(record["value"].get<int>(), c["value"].get<int>()) << c << "\n" << record;
    std::map<std::string, int> moves, expected;
    for (const Json& move : record["moves"])
      moves[std::to_string(move["pit"].get<int>())] = move["value"].get<int>();
    for (const auto& [pit, value] : c["moves"].items()) expected[pit] = value.get<int>();
    EXPECT_EQ(moves, expected) << c;
  }
  EXPECT_GT(checked, 10U);
}

TEST(CliContractValues, OfWholeLevelsAreKnown) {
  std::vector<nlohmann::json> cases;
  for (const auto& c : read_json_lines("values.jsonl")) {
    if (c.contains("seeds")) cases.push_back(c);
  }
  for (const auto& [rules, levels] : by_rules(cases)) {
    unsigned top = 0;
    for (const auto& c : levels) top = std::max(top, c["seeds"].get<unsigned>());
    TemporaryFolder folder;
    const Outcome built =
        run(Words{"build", "--seeds", std::to_string(top), "--out", folder / "t"} +
            option_words("urim", nlohmann::json::parse(rules)));
    EXPECT_EQ(built.exit_code, 0) << rules << "\n" << built;
    std::map<unsigned, Json> stats;
    for (const Json& record : run({"stats", "--tables", folder / "t", "--json"}).records()) {
      stats[record["seeds"].get<unsigned>()] = record;
    }
    for (const auto& c : levels) {
      const Json& record = stats[c["seeds"].get<unsigned>()];
      ASSERT_TRUE(record.is_object()) << c;
      EXPECT_EQ(counts_of(record["values"]), counts_of(Json(c["values"]))) << c;
      for (const char* key : {"positions", "wins", "draws", "losses"}) {
        EXPECT_EQ(record[key].get<std::uint64_t>(), c[key].get<std::uint64_t>()) << key << " " << c;
      }
    }
  }
}

TEST(CliContractValues, OfAwariArePublished) {
  constexpr unsigned kTop = 11;
  std::map<unsigned, std::map<std::string, std::uint64_t>> published;
  std::istringstream lines(read_text(data_path("awari-histograms.csv")));
  std::string line;
  std::getline(lines, line);
  ASSERT_EQ(line.substr(0, 22), "stones,value,positions");
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string stones, value, positions;
    std::getline(fields, stones, ',');
    std::getline(fields, value, ',');
    std::getline(fields, positions, ',');
    if (std::stoul(stones) <= kTop)
      published[static_cast<unsigned>(std::stoul(stones))][value] = std::stoull(positions);
  }
  ASSERT_EQ(published.size(), kTop + 1);
  TemporaryFolder folder;
  const Outcome built =
      run({"build", "--game", "awari", "--seeds", std::to_string(kTop), "--out", folder / "t"});
  EXPECT_EQ(built.exit_code, 0) << built;
  const std::vector<Json> stats = run({"stats", "--tables", folder / "t", "--json"}).records();
  ASSERT_EQ(stats.size(), kTop + 1);
  for (const Json& record : stats) {
    EXPECT_EQ(counts_of(record["values"]), published[record["seeds"].get<unsigned>()]) << record;
  }
}

}  // namespace
}  // namespace retrosow::test
