// `probe`, `line`, `stats` with distance tables: every answer against brute force.
#include <functional>
#include <memory>

#include "bitboard/notation.h"
#include "tests/cli/program.h"
#include "tests/support/boards.h"
#include "tests/support/distance_files.h"
#include "tests/support/line_check.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

// Where a position is looked up by its text: the reference, and how to read the text for it.
struct Known {
  std::unique_ptr<Oracle> oracle;
  std::vector<std::string> positions;
};

Json json_of(int distance) {
  return distance == reference::kNoDistance ? Json(nullptr) : Json(distance);
}

// Of a known move: 1 for what leaves the level or the game, else 1 more than behind it; none at value 0.
Json distance_of(const Oracle& oracle, const KnownMove& move, Shape shape) {
  if (move.value == 0) return nullptr;
  if (move.captures || move.endless) return 1;
  return 1 + oracle.solved(move.result, shape.swapped()).distance;
}

// What is wrong with the distances of a record of `probe`. Boards without closed holes.
std::string probe_fault(const Oracle& oracle, const Json& record) {
  const std::string text = record["position"].get<std::string>();
  const auto [position, shape] = placed(text);
  const reference::Solved solved = oracle.solved(position, shape);
  if (record["value"] != solved.value) return text + ": another value";
  if (!record.contains("distance")) return text + ": no distance";
  if (record["distance"] != json_of(solved.distance)) return text + ": another distance";
  const std::vector<KnownMove> moves = oracle.moves(position, shape);
  if (record["moves"].size() != moves.size()) return text + ": other moves";
  Json progress = Json::array();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Json distance = distance_of(oracle, moves[i], shape);
    if (record["moves"][i]["distance"] != distance) {
      return text + ": another distance of pit " + std::to_string(moves[i].slot + 1);
    }
    if (moves[i].value != solved.value) continue;
    if (solved.value == 0 || distance == json_of(solved.distance)) {
      progress.push_back(moves[i].slot + 1);
    }
  }
  if (record["progress"] != progress) return text + ": other moves that make progress";
  if (!moves.empty() && progress.empty()) return text + ": no move makes progress";
  return "";
}

// What is wrong with a record of `line`. Boards without closed holes.
std::string played_fault(const Oracle& oracle, const Json& record, unsigned own = 0,
                         unsigned other = 0) {
  const std::string text = record["position"].get<std::string>();
  const auto [position, shape] = placed(text);
  const reference::Solved root = oracle.solved(position, shape);
  if (record["value"] != root.value) return text + ": another value";
  if (record["distance"] != json_of(root.distance)) return text + ": another distance";
  if (record["plies"] != record["line"].size()) return text + ": another number of plies";
  Line line;
  unsigned score[2] = {own, other};
  Position here = position;
  Shape side = shape;
  std::map<std::string, std::size_t> stood;  // plies before a position stood, by whose turn it is
  for (std::size_t ply = 0; ply < record["line"].size(); ++ply) {
    const Json& step = record["line"][ply];
    const std::string at = text + ", ply " + std::to_string(ply + 1);
    if (step["position"] != format_position(here, side)) return at + ": another position";
    if (step["value"] != oracle.solved(here, side).value) return at + ": another value";
    if (step["distance"] != json_of(oracle.solved(here, side).distance)) {
      return at + ": another distance";
    }
    stood.emplace(format_position(here, side) + (ply % 2 == 0 ? "+" : "-"), ply);
    const std::vector<KnownMove> moves = oracle.moves(here, side);
    const auto move = std::find_if(moves.begin(), moves.end(), [&](const KnownMove& known) {
      return known.slot + 1 == step["pit"].get<unsigned>();
    });
    if (move == moves.end()) return at + ": not a legal move";
    const int gain = step["captured"].get<int>() - step["captured_opponent"].get<int>();
    if (gain != move->gain) return at + ": takes something else";
    score[ply % 2] += step["captured"].get<unsigned>();
    score[1 - ply % 2] += step["captured_opponent"].get<unsigned>();
    if (step["score"] != Json{{"mover", score[0]}, {"opponent", score[1]}}) {
      return at + ": another score";
    }
    line.slots.push_back(move->slot);
    if (move->endless) continue;
    here = move->result;
    side = side.swapped();
  }
  const std::string end = record["end"].get<std::string>();
  if (end == "repetition") {
    line.end = Line::End::kRepetition;
    const auto first =
        stood.find(format_position(here, side) + (record["line"].size() % 2 == 0 ? "+" : "-"));
    if (first == stood.end() || record["first_ply"] != first->second) {
      return text + ": repeats another ply";
    }
  } else if (end != "game-over" && end != "endless-sow") {
    return text + ": ends by " + end;
  }
  if (end != "endless-sow" && record["end_position"] != format_position(here, side)) {
    return text + ": ends elsewhere";
  }
  const double seeds = total_seeds(position);
  if (record["final"]["mover"].get<double>() != own + (seeds + root.value) / 2 ||
      record["final"]["opponent"].get<double>() != other + (seeds - root.value) / 2) {
    return text + ": another final count";
  }
  return line_fault(oracle, position, shape, line);
}

class CliDistances : public ::testing::Test {
 protected:
  std::string folder(const std::string& name) const { return root_ / name; }
  void build(const std::string& name, const std::string& options) const {
    const Outcome r = run(words_of("build --out " + folder(name) + " " + options));
    EXPECT_EQ(r.exit_code, 0) << r;
  }
  // Levels 0 to `seeds` with values, those up to `distances` with distances.
  void build_both(const std::string& name, unsigned pits, unsigned seeds,
                  unsigned distances) const {
    build(name, "--pits " + std::to_string(pits) + " --seeds " + std::to_string(seeds));
    add_distances(folder(name), 0, distances);
  }
  Outcome ask(const std::string& verb, const std::string& name, const std::string& rest) const {
    return run(words_of(verb + " --tables " + folder(name) + " " + rest));
  }
  std::string distance_file(const std::string& name, unsigned seeds) const {
    const std::string number = std::to_string(seeds);
    for (const fs::path& file : tables_in(folder(name))) {
      const std::string ending = std::string(3 - number.size(), '0') + number + "-distance.rsow";
      if (file.string().ends_with(ending)) return file.string();
    }
    ADD_FAILURE() << "no distances of level " << seeds;
    return "";
  }

  // All boards of the Urim family up to so many seeds.
  static Known known_urim(const RuleSet& rules, unsigned pits, unsigned seeds) {
    static std::vector<std::unique_ptr<reference::UrimSolution>> solutions;
    solutions.push_back(std::make_unique<reference::UrimSolution>(reference_rules(rules, pits),
                                                                  static_cast<int>(seeds)));
    Known known{std::make_unique<UrimOracle>(*solutions.back()), {}};
    for_each_board_up_to(2 * pits, seeds, rules.pit_limit, [&](const std::vector<int>& board) {
      known.positions.push_back(text_of(board, equal_rows(pits)));
    });
    return known;
  }
  // All that can be reached from a position of rows without closed holes.
  static Known known_round(const RuleSet& rules, const std::string& root, unsigned stones) {
    static std::vector<std::unique_ptr<reference::RioSolution>> solutions;
    const auto [position, shape] = placed(root);
    solutions.push_back(std::make_unique<reference::RioSolution>(
        reference_rules(rules), rio_position_of(board_of(position, shape), shape)));
    Known known{std::make_unique<RioOracle>(*solutions.back()), {}};
    for (unsigned level = 0; level <= stones; ++level) {
      solutions.back()->for_each(
          static_cast<int>(level), [&](const reference::RioPosition& p, reference::Solved) {
            known.positions.push_back(format_position(position_of(p), shape_of(p)));
          });
    }
    return known;
  }

  using Fault = std::function<std::string(const Oracle&, const Json&)>;
  void expect_right(const std::string& verb, const std::string& name, const std::string& options,
                    const Known& known, const Fault& fault) const {
    std::string input;
    for (const std::string& position : known.positions) input += position + "\n";
    const Outcome r = run(words_of(verb + " - --json --tables " + folder(name) + " " + options),
                          {.input = input});
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    const std::vector<Json> records = r.records();
    ASSERT_EQ(records.size(), known.positions.size());
    for (const Json& record : records) {
      ASSERT_EQ(fault(*known.oracle, record), "") << record;
    }
  }
  void expect_both_right(const std::string& name, const std::string& options,
                         const Known& known) const {
    expect_right("probe", name, options, known, probe_fault);
    expect_right("line", name, options, known, [](const Oracle& oracle, const Json& record) {
      return played_fault(oracle, record);
    });
  }

 private:
  TemporaryFolder root_;
};

TEST_F(CliDistances, ProbeAndLineAgreeWithBruteForceOnAllSmallBoardsOfUrim) {
  build_both("t", 3, 6, 6);
  expect_both_right("t", "", known_urim(urim_rules(), 3, 6));
  build("f", "--pits 2 --seeds 7 --grand-slam forbid --pit-limit 3");
  add_distances(folder("f"));
  expect_both_right("f", "--grand-slam forbid --pit-limit 3",
                    known_urim(urim_rules("grand-slam=forbid pit-limit=3"), 2, 7));
}

TEST_F(CliDistances, ProbeAndLineAgreeWithBruteForceOnWholeRounds) {
  build("t", "--game rio-kadalis 3,3,3/3,3,3");
  add_distances(folder("t"));
  expect_both_right("t", "--game rio-kadalis",
                    known_round(rio_rules(EndlessSow::kForbid), "3,3,3/3,3,3", 18));
  build("d", "--game rio-kadalis --endless-sow draw 2,1,2/1,2,2");
  add_distances(folder("d"));
  expect_both_right("d", "--game rio-kadalis --endless-sow draw",
                    known_round(rio_rules(EndlessSow::kDraw), "2,1,2/1,2,2", 10));
}

TEST_F(CliDistances, WrongRecordsWouldBeNoticed) {  // the oracles' own check
  build_both("t", 3, 6, 6);
  const Known known = known_urim(urim_rules(), 3, 6);
  const auto changed = [](Json record, const std::string& pointer, const Json& value) {
    record[Json::json_pointer(pointer)] = value;
    return record;
  };
  const Json probed = ask("probe", "t", "1,1,0/0,0,2 --json").record();
  EXPECT_EQ(probe_fault(*known.oracle, probed), "");
  ASSERT_NE(probed["value"], 0);
  ASSERT_GE(probed["moves"].size(), 2U);
  for (const Json& wrong :
       {changed(probed, "/distance", probed["distance"].get<int>() + 1),
        changed(probed, "/distance", nullptr), changed(probed, "/moves/1/distance", 77),
        changed(probed, "/progress", Json::array()), changed(probed, "/progress", {1, 2, 3})}) {
    EXPECT_NE(probe_fault(*known.oracle, wrong), "") << wrong;
  }
  const Json played = ask("line", "t", "1,1,0/0,0,2 --json").record();
  EXPECT_EQ(played_fault(*known.oracle, played), "");
  ASSERT_GE(played["line"].size(), 2U);
  for (const Json& wrong :
       {changed(played, "/line/0/score/mover", 9), changed(played, "/line/1/distance", 77),
        changed(played, "/line/0/pit", 3), changed(played, "/line/0/captured", 1),
        changed(played, "/final/mover", 0.5), changed(played, "/end", "max-plies"),
        changed(played, "/end_position", "0,0,0/0,0,0"), changed(played, "/plies", 0)}) {
    EXPECT_NE(played_fault(*known.oracle, wrong), "") << wrong;
  }
  // A line whose moves keep the value and make no progress.
  const Json drawn = ask("line", "t", "1,1,0/0,1,1 --json").record();
  ASSERT_EQ(drawn["end"], "repetition");
  EXPECT_NE(played_fault(*known.oracle, changed(drawn, "/first_ply", 1000)), "");
  EXPECT_NE(played_fault(*known.oracle, changed(drawn, "/end", "game-over")), "");
}

TEST_F(CliDistances, ProbeWithoutDistancesIsAsItWas) {
  build("t", "--pits 3 --seeds 5");
  const Outcome json = ask("probe", "t", "0,1,1/1,1,1 --json");
  const Outcome text = ask("probe", "t", "0,1,1/1,1,1");
  EXPECT_FALSE(json.record().contains("distance"));
  EXPECT_FALSE(json.record().contains("progress"));
  EXPECT_FALSE(json.record()["moves"][0].contains("distance"));
  EXPECT_EQ(text.out.find("distance"), std::string::npos) << text;
  // Distances of other levels change nothing either.
  add_distances(folder("t"), 0, 4);
  EXPECT_EQ(ask("probe", "t", "0,1,1/1,1,1 --json").out, json.out);
  EXPECT_EQ(ask("probe", "t", "0,1,1/1,1,1").out, text.out);
}

TEST_F(CliDistances, ProbeTextShowsPliesAndMarksProgress) {
  build_both("t", 3, 6, 6);
  const Json record = ask("probe", "t", "0,1,2/1,1,0 --json").record();
  const Outcome r = ask("probe", "t", "0,1,2/1,1,0");
  const std::string plies = std::to_string(record["distance"].get<int>());
  EXPECT_NE(r.out.find("\ndistance " + plies + (plies == "1" ? " ply" : " plies") +
                       " to the next capture or the end\n"),
            std::string::npos)
      << r;
  EXPECT_NE(r.out.find("\nprogress "), std::string::npos) << r;
  EXPECT_NE(r.out.find("pit  value  plies\n"), std::string::npos) << r;
  EXPECT_NE(r.out.find("  best, makes progress\n"), std::string::npos) << r;
  EXPECT_NE(r.out.find("-distance.rsow\n"), std::string::npos) << r;
  const Outcome over = ask("probe", "t", "0,0,0/1,2,0");
  EXPECT_NE(over.out.find("\ndistance 0 plies, the game is over\nbest     none"), std::string::npos)
      << over;
  const Outcome drawn = ask("probe", "t", "1,1,1/1,1,1");
  EXPECT_NE(drawn.out.find("\ndistance none at value 0\n"), std::string::npos) << drawn;
  const Outcome batch =
      run(words_of("probe - --tables " + folder("t")), {.input = "1,1,1/1,1,1\n0,0,0/1,2,0\n"});
  EXPECT_EQ(batch.out,
            "1,1,1/1,1,1  value 0  draw  distance none  best 1,2,3  progress 1,2,3\n"
            "0,0,0/1,2,0  value -3  loss  distance 0 plies  best none\n");
}

TEST_F(CliDistances, DistancesThatContradictEachOtherAreDamage) {
  build("t", "--pits 3 --seeds 5");
  const TableFolder tables(folder("t"));
  const TableReader* level = tables.find(urim_rules(), equal_rows(3), 5);
  ASSERT_NE(level, nullptr);
  const std::vector<std::uint16_t> right = reference_distances(*level);
  const LevelIndex at = level->index_of(placed("0,1,1/1,1,1").position, equal_rows(3)).value();
  const int value = level->value(placed("0,1,1/1,1,1").position, equal_rows(3)).value();
  ASSERT_NE(value, 0);
  ASSERT_NE(right[at], kNoDistance);
  for (const std::uint16_t wrong :
       {static_cast<std::uint16_t>(right[at] + 1), static_cast<std::uint16_t>(right[at] + 2),
        std::uint16_t{0}, kNoDistance}) {
    std::vector<std::uint16_t> distances = right;
    distances[at] = wrong;
    write_distances(folder("t"), level->header(), distances);
    for (const char* verb : {"probe", "line"}) {
      expect_error(std::string(verb) + " 0,1,1/1,1,1 --tables " + folder("t"), 4,
                   {"contradicts", "0,1,1/1,1,1", "distance", "-005-distance.rsow"});
    }
  }
  write_distances(folder("t"), level->header(), right);
  EXPECT_EQ(ask("probe", "t", "0,1,1/1,1,1").exit_code, 0);
}

TEST_F(CliDistances, DamagedDistancesAreNamedAndExitWithFour) {
  build_both("t", 3, 5, 5);
  const std::string file = distance_file("t", 5);
  const std::uint64_t size = fs::file_size(file);
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{30}, size / 2, size - 1}) {
    damage(file, offset);
    for (const char* verb : {"probe", "line"}) {
      const Outcome r = ask(verb, "t", "0,1,1/1,1,1 --json");
      EXPECT_EQ(r.exit_code, 4) << verb << offset << "\n" << r;
      EXPECT_EQ(r.out, "");
      EXPECT_NE(r.err.find(file), std::string::npos) << r;
    }
    const Outcome other = ask("probe", "t", "0,0,1/1,1,1 --json");  // level 4 is whole
    EXPECT_EQ(other.exit_code, 0) << other;
    EXPECT_TRUE(other.record().contains("distance"));
    const Outcome counted = ask("stats", "t", "--json");
    EXPECT_EQ(counted.exit_code, 4) << counted;
    EXPECT_NE(counted.err.find(file), std::string::npos) << counted;
    ASSERT_EQ(counted.records().size(), 6U);  // the values are listed
    EXPECT_TRUE(counted.records()[4].contains("longest_distance"));
    EXPECT_FALSE(counted.records()[5].contains("longest_distance"));
    damage(file, offset);
  }
  // Distances of other values.
  build("u", "--pits 3 --seeds 5 --remainder last-mover");
  EXPECT_EQ(ask("probe", "t", "0,1,1/1,1,1").exit_code, 0);
  TableHeader header = TableReader(distance_file("t", 5)).header();
  header.kind = TableKind::kValues;
  header.digest = Digest{};
  header.values_digest = Digest{};
  write_distances(folder("t"), header, std::vector<std::uint16_t>(header.positions, 1));
  for (const char* verb : {"probe", "line"}) {
    const Outcome r = ask(verb, "t", "0,1,1/1,1,1");
    EXPECT_EQ(r.exit_code, 4) << r;
    EXPECT_NE(r.err.find("other values"), std::string::npos) << r;
  }
}

TEST_F(CliDistances, LineAsksForDistancesWhereALevelHasNone) {
  build("t", "--pits 3 --seeds 6");
  const std::string line = "line --tables " + folder("t") + " ";
  expect_error(line + "1,1,1/1,1,1", 3,
               {"no distances of level 6", "retrosow build --distance", "--pits 3 --seeds 6",
                "--out " + folder("t")});
  // The level that the line starts in has them, one that it comes to has not.
  add_distances(folder("t"), 6, 6);
  bool met = false;
  for (const char* position : {"2,0,1/1,1,1", "1,1,1/1,1,1", "0,1,2/1,1,1", "0,0,3/1,1,1"}) {
    const Outcome r = ask("line", "t", position);
    if (r.exit_code == 0) continue;
    met = true;
    EXPECT_EQ(r.exit_code, 3) << r;
    EXPECT_NE(r.err.find("retrosow build --distance"), std::string::npos) << r;
  }
  EXPECT_TRUE(met);
  expect_error(line + "1,1,1/1,1,3", 3, {"level 8", "levels 0..5, 6 with distances"});
  build("r", "--game rio-kadalis --endless-sow draw 4,x/4,4");
  expect_error("line --tables " + folder("r") + " --game rio-kadalis --endless-sow draw 4,x/4,4", 3,
               {"no distances of level 12", "retrosow build --distance", "--game rio-kadalis",
                "--endless-sow draw", "4,x/4,4"});
}

TEST_F(CliDistances, TheCommandThatLineGivesCanBePastedIntoAShell) {
  const std::string name = "it's $HOME; tables";
  const StartOptions in_root = {.folder = folder("")};
  for (const std::string& out : Words{name, "plain"}) {
    ASSERT_EQ(run({"build", "--pits", "2", "--seeds", "3", "--out", out}, in_root).exit_code, 0);
    const Words line = {"line", "1,1/1,0", "--tables", out};
    const Outcome r = run(line, in_root);
    ASSERT_EQ(r.exit_code, 3) << r;
    const std::size_t begin = r.err.find('`'), end = r.err.rfind('`');
    ASSERT_LT(begin, end) << r;
    std::string command = r.err.substr(begin + 1, end - begin - 1);
    ASSERT_TRUE(command.starts_with("retrosow ")) << command;
    command = "'" RETROSOW_BINARY "'" + command.substr(8);
    const Outcome shell = run({"-c", command}, {.folder = folder(""), .program = "sh"});
    EXPECT_EQ(shell.exit_code, 0) << command << "\n" << shell;
    EXPECT_EQ(run(line, in_root).exit_code, 0);
  }
}

TEST_F(CliDistances, LineKeepsScoreFromWhatIsCapturedAlready) {
  build_both("t", 3, 6, 6);
  const Known known = known_urim(urim_rules(), 3, 6);
  const Json plain = ask("line", "t", "1,1,0/0,0,2 --json").record();
  EXPECT_FALSE(plain.contains("match_points"));
  const Json record = ask("line", "t", "1,1,0/0,0,2 --captured 14,17 --json").record();
  EXPECT_EQ(played_fault(*known.oracle, record, 14, 17), "") << record;
  EXPECT_TRUE(record.contains("match_points"));
  EXPECT_EQ(record["line"].size(), plain["line"].size());
}

TEST_F(CliDistances, LineNamesThePositionThatRepeats) {
  build_both("t", 3, 6, 6);
  const Json record = ask("line", "t", "1,1,0/0,1,1 --json").record();
  ASSERT_EQ(record["end"], "repetition") << record;
  const std::size_t first = record["first_ply"].get<std::size_t>();
  EXPECT_LT(first, record["line"].size());
  EXPECT_EQ((record["line"].size() - first) % 2, 0U);
  EXPECT_EQ(record["line"][first]["position"], record["end_position"]);
  const Outcome r = ask("line", "t", "1,1,0/0,1,1");
  const std::string position = record["end_position"].get<std::string>();
  EXPECT_NE(r.out.find("\nend      " + position + " repeats after "), std::string::npos) << r;
  EXPECT_NE(r.out.find("it stood there after " + std::to_string(first)), std::string::npos) << r;
}

TEST_F(CliDistances, LineTextIsATableOfPliesWithAnEnd) {
  build_both("t", 3, 6, 6);
  const Outcome r = ask("line", "t", "1,1,0/0,0,2 --captured 2,1");
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_NE(r.out.find("\nply  player    pit  captured  "), std::string::npos) << r;
  EXPECT_NE(r.out.find("  score  value  plies to go  position\n"), std::string::npos) << r;
  EXPECT_NE(r.out.find("\n  1  to move "), std::string::npos) << r;
  EXPECT_NE(r.out.find("\nfinal    "), std::string::npos) << r;
  EXPECT_NE(r.out.find("\nend      "), std::string::npos) << r;
  const Outcome over = ask("line", "t", "0,0,0/1,2,0");
  EXPECT_NE(over.out.find("\nend      the game is over after 0 plies at 0,0,0/1,2,0; what is left: "
                          "0 : 3 seeds\n"),
            std::string::npos)
      << over;
  const Outcome batch =
      run(words_of("line - --tables " + folder("t")), {.input = "0,0,0/1,2,0\nrubbish\n\n"});
  EXPECT_EQ(batch.exit_code, 2);
  EXPECT_TRUE(batch.out.starts_with(
      "0,0,0/1,2,0  value -3  loss  distance 0 plies  line none  game-over\nline 2: error: "))
      << batch;
}

TEST_F(CliDistances, LineStopsAtMaxPlies) {
  build_both("t", 3, 6, 6);
  const Json whole = ask("line", "t", "1,1,1/1,1,1 --json").record();
  const Json cut = ask("line", "t", "1,1,1/1,1,1 --json --max-plies 2").record();
  EXPECT_EQ(cut["end"], "max-plies");
  ASSERT_EQ(cut["line"].size(), 2U);
  EXPECT_EQ(cut["line"][1], whole["line"][1]);
  EXPECT_EQ(cut["end_position"], whole["line"][2]["position"]);
  EXPECT_EQ(ask("line", "t", "0,0,0/1,2,0 --json --max-plies 0").record()["end"], "game-over");
  for (const char* wrong : {"-1", "x", "1.5", "10000001"}) {
    expect_error("line start --tables x --max-plies " + std::string(wrong), 2, {"--max-plies"});
  }
}

TEST_F(CliDistances, LineShowsPitsAsTheyAreWrittenWhereHolesAreClosed) {
  build("t", "--game rio-kadalis 4,x,4/4,4,4");
  add_distances(folder("t"));
  const Json record = ask("line", "t", "x,4,4/4,4,4 --game rio-kadalis --json").record();
  ASSERT_GE(record["line"].size(), 2U);
  for (std::size_t ply = 0; ply < record["line"].size(); ++ply) {
    const std::string position = record["line"][ply]["position"].get<std::string>();
    const std::size_t closed = position.find('x');
    EXPECT_EQ(closed, ply % 2 == 0 ? 0U : 6U) << position;
    if (ply % 2 == 0) {
      EXPECT_GE(record["line"][ply]["pit"], 2);
    }
  }
}

// The longest of a table's distances, as `stats` is to say it.
Json longest_of(const TableFolder& tables, const Json& record, const RuleSet& rules, Shape shape) {
  const TableReader* table = tables.find(rules, shape, record["seeds"].get<unsigned>());
  const std::vector<std::uint16_t> distances = reference_distances(*table);
  int longest = -1;
  std::size_t count = 0;
  for (const std::uint16_t distance : distances) {
    if (distance == kNoDistance || distance < longest) continue;
    count = distance == longest ? count + 1 : 1;
    longest = distance;
  }
  return {longest < 0 ? Json(nullptr) : Json(longest), count};
}

TEST_F(CliDistances, StatsSayTheLongestDistanceAndAnExample) {
  build_both("t", 3, 6, 6);
  build("t", "--game rio-kadalis --pits 3");
  add_distances(folder("t"));
  const Known known = known_urim(urim_rules(), 3, 6);
  const Known round = known_round(rio_rules(EndlessSow::kForbid), "4,4,4/4,4,4", 24);
  const TableFolder tables(folder("t"));
  const std::vector<Json> records = ask("stats", "t", "--json").records();
  bool any_long = false;
  for (const Json& record : records) {
    const bool urim = record["game"] == "urim";
    const Json expected = longest_of(
        tables, record, urim ? urim_rules() : rio_rules(EndlessSow::kForbid), equal_rows(3));
    EXPECT_EQ((Json{record["longest_distance"], record["longest_distance_positions"]}), expected)
        << record;
    EXPECT_EQ(record["distance_digest"].get<std::string>().size(), 32U);
    EXPECT_NE(record["distance_digest"], record["digest"]);
    if (record["longest_distance"].is_null()) {
      EXPECT_TRUE(record["longest_distance_position"].is_null());
      continue;
    }
    const auto [position, shape] = placed(record["longest_distance_position"].get<std::string>());
    EXPECT_EQ(total_seeds(position), record["seeds"].get<unsigned>());
    EXPECT_EQ((urim ? known : round).oracle->solved(position, shape).distance,
              record["longest_distance"].get<int>());
    any_long = any_long || record["longest_distance"].get<int>() > 2;
  }
  EXPECT_TRUE(any_long);
}

TEST_F(CliDistances, StatsShowDistancesAsTextAndCsvWhereTheyAre) {
  build("t", "--pits 3 --seeds 4");
  const std::string plain = ask("stats", "t", "").out;
  EXPECT_EQ(plain.find("distance"), std::string::npos);
  EXPECT_TRUE(ask("stats", "t", "--csv")
                  .out.starts_with("game,rules,pits,seeds,scope,start,positions,wins,draws,losses,"
                                   "value,count,longest_distance\n"));
  EXPECT_NE(ask("stats", "t", "--csv").out.find(",-4,17,\n"), std::string::npos);
  add_distances(folder("t"), 3, 4);
  const Json last = ask("stats", "t", "--json").records().at(4);
  const std::string longest = std::to_string(last["longest_distance"].get<int>());
  EXPECT_NE(ask("stats", "t", "--csv").out.find(",-4,17," + longest + "\n"), std::string::npos);
  const Outcome text = ask("stats", "t", "");
  EXPECT_NE(text.out.find("greatest value  longest distance  positions with it  one of them  "),
            std::string::npos)
      << text;
  EXPECT_NE(text.out.find("  " + longest + (longest == "1" ? " ply  " : " plies  ")),
            std::string::npos)
      << text;
  EXPECT_NE(text.out.find(last["distance_digest"].get<std::string>()), std::string::npos) << text;
}

TEST_F(CliDistances, StatsNoticeDistancesWhereTheValueIsZero) {
  build("t", "--pits 3 --seeds 5");
  const TableFolder tables(folder("t"));
  const TableReader* level = tables.find(urim_rules(), equal_rows(3), 5);
  std::vector<std::uint16_t> distances = reference_distances(*level);
  const auto none = std::find(distances.begin(), distances.end(), kNoDistance);
  ASSERT_NE(none, distances.end());
  *none = 3;
  write_distances(folder("t"), level->header(), distances);
  const Outcome r = ask("stats", "t", "--json");
  EXPECT_EQ(r.exit_code, 4) << r;
  EXPECT_NE(r.err.find("without a distance"), std::string::npos) << r;
  EXPECT_EQ(r.records().size(), 6U);
}

TEST_F(CliDistances, ContentsNameALevelOnce) {
  build("t", "--pits 3 --seeds 6");
  add_distances(folder("t"), 2, 4);
  expect_error("probe 3,3,3/3,3,3 --tables " + folder("t"), 3,
               {"levels 0..1, 2..4 with distances, 5..6"});
  for (const fs::path& file : tables_in(folder("t"))) {
    if (file.string().ends_with("-004.rsow")) fs::remove(file);
  }
  expect_error("probe 3,3,3/3,3,3 --tables " + folder("t"), 3,
               {"levels 0..1, 2..3 with distances, 4 with distances only, 5..6"});
}

}  // namespace
}  // namespace retrosow::test
