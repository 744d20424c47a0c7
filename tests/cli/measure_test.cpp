// `perft`, `bench`, `rules`, `version`.
#include <cstdio>
#include <set>

#include "tests/cli/program.h"
#include "tests/reference/rio_reference.h"
#include "tests/reference/urim_reference.h"

namespace retrosow::test {
namespace {

std::vector<Json> perft(const std::string& arguments) {
  const Outcome r = run(words_of("perft --json " + arguments));
  EXPECT_EQ(r.exit_code, 0) << r;
  return r.records();
}

TEST(CliPerft, GivesARecordPerDepth) {
  const std::vector<Json> rows = perft("--depth 6");
  ASSERT_EQ(rows.size(), 6U);
  // Depth 4 on: captures, seeds captured. Counted by hand for depths 1 and 2: no capture is possible.
  EXPECT_EQ(rows[0]["nodes"], 6);
  EXPECT_EQ(rows[1]["nodes"], 36);
  EXPECT_EQ(rows[0]["captures"], 0);
  for (std::size_t d = 0; d < rows.size(); ++d) {
    EXPECT_EQ(rows[d]["depth"], d + 1);
    EXPECT_EQ(rows[d]["position"], "3,3,3,3,3,3/3,3,3,3,3,3");
    EXPECT_EQ(rows[d]["rules"], kUrimRules);
    EXPECT_TRUE(rows[d]["seconds"].is_number());
    EXPECT_TRUE(rows[d]["nodes_per_second"].is_number_integer());
  }
}

// All sequences of moves, by the reference.
struct Counts {
  int nodes = 0, captures = 0, captured = 0, ends = 0;
};
void count_by_reference(const std::vector<int>& board, int depth, Counts& counts) {
  reference::UrimRules rules;
  rules.pits = static_cast<int>(board.size() / 2);
  for (const reference::UrimMove& move : reference::legal_moves(rules, board)) {
    if (depth > 1) {
      count_by_reference(move.result, depth - 1, counts);
      continue;
    }
    ++counts.nodes;
    counts.captured += move.captured;
    if (move.captured > 0) ++counts.captures;
    if (reference::legal_moves(rules, move.result).empty()) ++counts.ends;
  }
}

TEST(CliPerft, AgreesWithTheReference) {
  const std::vector<Json> rows = perft("--depth 7 2,1,0/1,1,2");
  for (int depth = 1; depth <= 7; ++depth) {
    Counts counts;
    count_by_reference({2, 1, 0, 1, 1, 2}, depth, counts);
    const Json& row = rows.at(static_cast<std::size_t>(depth - 1));
    EXPECT_EQ(row["nodes"], counts.nodes);
    EXPECT_EQ(row["captures"], counts.captures);
    EXPECT_EQ(row["captured"], counts.captured);
    EXPECT_EQ(row["captured_opponent"], 0);
    EXPECT_EQ(row["ends"], counts.ends);
  }
}

TEST(CliPerft, TakesGamesPositionsAndDepthZero) {
  EXPECT_EQ(perft("--depth 0").at(0)["nodes"], 1);
  EXPECT_EQ(perft("--depth 2 0,0/3,1").at(1)["nodes"], 0);
  EXPECT_EQ(perft("--depth 1 --game rio-kadalis --pits 5").at(0)["nodes"], 5);
  EXPECT_EQ(perft("--depth 1 --game rio-kadalis 4,x,4/4,4,4").at(0)["nodes"], 2);
  EXPECT_EQ(perft("--depth 1 --game awari").at(0)["position"], "4,4,4,4,4,4/4,4,4,4,4,4");
}

TEST(CliPerft, TextIsATableWithSeparators) {
  const Outcome r = run(words_of("perft --depth 6"));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_TRUE(r.out.starts_with(
      "urim  3,3,3,3,3,3/3,3,3,3,3,3\ndepth               nodes          captures  "))
      << r;
  EXPECT_NE(r.out.find("\n    6              23,555             3,286             8,041  "),
            std::string::npos)
      << r;
}

// The signature by the reference engines, from the description in solver/cli/bench_boards.h. Shares no code
// with the program.
class ReferenceSignature {
 public:
  struct Rules {
    reference::UrimRules urim;
    reference::RioRules rio;
    bool relay = false;
    unsigned mover_pits = 6, opponent_pits = 6;
  };

  void add_case(const Rules& rules) {
    state_ = ++seed_;
    for (unsigned i = 0; i < 1000; ++i) {
      const std::vector<int> board = next_board(rules, i);
      ++boards_;
      if (rules.relay) {
        add_rio(rules, board);
      } else {
        add_urim(rules, board);
      }
    }
  }
  std::string hex() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash_));
    return text;
  }
  std::uint64_t boards() const { return boards_; }
  std::uint64_t moves() const { return moves_; }

 private:
  std::uint64_t random() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  void add(unsigned byte) {
    hash_ ^= byte & 0xffU;
    hash_ *= 0x100000001b3ULL;
  }

  std::vector<int> next_board(const Rules& rules, unsigned i) {
    const unsigned all = rules.mover_pits + rules.opponent_pits;
    const unsigned pits = i % 4 == 3 ? rules.mover_pits : all;
    const unsigned limit = rules.relay || rules.urim.pit_limit == 0
                               ? 36U
                               : static_cast<unsigned>(rules.urim.pit_limit);
    const unsigned most = std::max(1U, std::min(36U, pits * limit / 2));
    const unsigned least = std::min(8U, most);
    std::vector<int> board(all, 0);
    for (unsigned n = least + i % (most - least + 1); n > 0; --n) {
      std::size_t pit = static_cast<std::size_t>(((random() >> 32) * pits) >> 32);
      while (board[pit] >= static_cast<int>(limit)) pit = (pit + 1) % pits;
      ++board[pit];
    }
    return board;
  }

  void add_urim(const Rules& rules, const std::vector<int>& board) {
    const auto moves = reference::legal_moves(rules.urim, board);
    unsigned legal = 0, slams = 0;
    for (const auto& move : moves) legal |= 1U << (move.pit - 1);
    add(legal);
    for (const auto& move : moves) {
      add(static_cast<unsigned>(move.captured));
      add(0);
      for (const int seeds : move.result) add(static_cast<unsigned>(seeds));
      if (move.grand_slam) slams |= 1U << (move.pit - 1);
    }
    add(slams);
    add(0);
    add(0);
    if (moves.empty()) {
      const auto [mover, opponent] = reference::end_result(rules.urim, board);
      add(static_cast<unsigned>(mover));
      add(static_cast<unsigned>(opponent));
    }
    moves_ += moves.size();
  }

  void add_rio(const Rules& rules, const std::vector<int>& board) {
    const auto middle = board.begin() + static_cast<std::ptrdiff_t>(rules.mover_pits);
    const reference::RioPosition position{{board.begin(), middle}, {middle, board.end()}};
    const auto moves = reference::legal_moves(rules.rio, position);
    unsigned legal = 0, binikh = 0, endless = 0;
    for (const auto& move : moves) legal |= 1U << (move.hole - 1);
    add(legal);
    for (const auto& move : moves) {
      const unsigned bit = 1U << (move.hole - 1);
      add(static_cast<unsigned>(move.captured));
      add(static_cast<unsigned>(move.captured_opponent));
      for (unsigned shift = 0; shift < 32; shift += 8)
        add(static_cast<unsigned>(move.laps) >> shift);
      if (move.ends == reference::RioEnd::kBinikh) binikh |= bit;
      if (move.ends == reference::RioEnd::kEndless) {
        endless |= bit;
        continue;
      }
      for (const int stones : move.result.mover) add(static_cast<unsigned>(stones));
      for (const int stones : move.result.opponent) add(static_cast<unsigned>(stones));
    }
    add(0);
    add(binikh);
    add(endless);
    if (moves.empty()) {
      const auto [mover, opponent] = reference::end_result(position);
      add(static_cast<unsigned>(mover));
      add(static_cast<unsigned>(opponent));
    }
    moves_ += moves.size();
  }

  std::uint64_t seed_ = 0, state_ = 0;
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
  std::uint64_t boards_ = 0, moves_ = 0;
};

ReferenceSignature reference_signature() {
  using Rules = ReferenceSignature::Rules;
  ReferenceSignature signature;
  const auto urim = [&](int pits, auto&& change) {
    Rules rules;
    rules.urim.pits = pits;
    rules.mover_pits = rules.opponent_pits = static_cast<unsigned>(pits);
    change(rules.urim);
    signature.add_case(rules);
  };
  const auto same = [](reference::UrimRules&) {};
  for (const int pits : {6, 7, 8, 3, 1}) urim(pits, same);
  urim(6, [](auto& r) { r.pit_limit = 0; });
  urim(6, [](auto& r) { r.pit_limit = 5; });
  urim(6, [](auto& r) {
    r.pit_limit = 5;
    r.pit_limit_forbids = true;
  });
  urim(6, [](auto& r) { r.trigger = {1, 4}; });
  urim(6, [](auto& r) { r.chain = {}; });
  urim(3, [](auto& r) { r.grand_slam = reference::GrandSlam::kLeave; });
  urim(3, [](auto& r) { r.grand_slam = reference::GrandSlam::kForbid; });
  urim(3, [](auto& r) { r.starvation = reference::Starvation::kLeave; });
  urim(3, [](auto& r) {
    r.pit_limit = 5;
    r.remainder = reference::Remainder::kLastMover;
  });
  urim(6, [](auto& r) { r = reference::oware_rules(6); });
  urim(6, [](auto& r) { r = reference::awari_rules(6); });
  const auto rio = [&](unsigned mover, unsigned opponent, reference::EndlessSow endless) {
    Rules rules;
    rules.relay = true;
    rules.mover_pits = mover;
    rules.opponent_pits = opponent;
    rules.rio.endless_sow = endless;
    signature.add_case(rules);
  };
  rio(6, 6, reference::EndlessSow::kForbid);
  rio(5, 5, reference::EndlessSow::kDraw);
  rio(6, 4, reference::EndlessSow::kForbid);
  rio(2, 5, reference::EndlessSow::kDraw);
  return signature;
}

TEST(CliBench, SignatureIsThatOfTheReferenceEngines) {
  const Outcome r = run({"bench", "--seconds", "0.001", "--json"});
  EXPECT_EQ(r.exit_code, 0) << r;
  const Json last = r.records().back();
  const ReferenceSignature expected = reference_signature();
  EXPECT_EQ(last["signature"], expected.hex());
  EXPECT_EQ(last["boards"], expected.boards());
  EXPECT_EQ(last["moves"], expected.moves());
  // Another number means that the search does other things than before: to be changed on purpose only.
  EXPECT_EQ(last["search_nodes"], 469'958);
}

TEST(CliBench, MeasuresEveryKernelOfThisMachine) {
  const Json version = run({"version", "--json"}).record();
  const std::vector<Json> records = run({"bench", "--seconds", "0.001", "--json"}).records();
  const std::size_t kernels = version["kernels"].size();
  ASSERT_EQ(records.size(), 5 * kernels + 2);
  for (std::size_t i = 0; i + 2 < records.size(); ++i) {
    EXPECT_EQ(records[i]["kernel"], version["kernels"][i % kernels]);
    EXPECT_GT(records[i]["items_per_second"], 0);
    EXPECT_GE(records[i]["seconds"], 0.001);
  }
  const Json& search = records[records.size() - 2];
  EXPECT_EQ(search["measurement"], "search");
  EXPECT_EQ(search["nodes"].get<std::uint64_t>() * 7,
            records.back()["search_nodes"].get<std::uint64_t>() * search["positions"].get<std::uint64_t>());
  const Outcome text = run({"bench", "--seconds", "0.001"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("\nsignature  " + records.back()["signature"].get<std::string>() + "  ("),
            std::string::npos)
      << text;
}

TEST(CliVersion, SaysWhatItIs) {
  const Json record = run({"version", "--json"}).record();
  EXPECT_EQ(record["kernels"][0], "portable");
  EXPECT_EQ(record["kernel"], record["kernels"].back());
  EXPECT_FALSE(record["version"].get<std::string>().empty());
  EXPECT_FALSE(record["commit"].get<std::string>().empty());
  const Outcome text = run({"--version"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.out, run({"version"}).out);
  EXPECT_TRUE(
      text.out.starts_with("retrosow " + record["version"].get<std::string>() + "\ncommit    "))
      << text;
}

TEST(CliVersion, KernelCanBeForcedByTheEnvironment) {
  const Json kernels = run({"version", "--json"}).record()["kernels"];
  const Outcome free = run(words_of("perft --depth 5 --json"));
  for (const Json& kernel : kernels) {
    const StartOptions forced = {.environment = {"RETROSOW_KERNEL=" + kernel.get<std::string>()}};
    EXPECT_EQ(run({"version", "--json"}, forced).record()["kernel"], kernel);
    EXPECT_NE(run(words_of("solve 1,1/1,1 --verbose"), forced)
                  .err.find("kernel " + kernel.get<std::string>()),
              std::string::npos);
    EXPECT_EQ(run(words_of("perft --depth 5 --json"), forced).records().at(4)["nodes"],
              free.records().at(4)["nodes"]);
  }
  for (const char* command :
       {"version", "moves start", "bench", "perft --depth 2", "solve 1,1/1,1"}) {
    const Outcome r = run(words_of(command), {.environment = {"RETROSOW_KERNEL=abacus"}});
    EXPECT_EQ(r.exit_code, 2) << command << "\n" << r;
    EXPECT_EQ(r.out, "");
    EXPECT_NE(r.err.find("abacus"), std::string::npos) << r;
    EXPECT_NE(r.err.find("portable"), std::string::npos) << r;
  }
}

TEST(CliRules, ListGamesOptionsDefaultsAndSources) {
  const std::vector<Json> games = run({"rules", "--json"}).records();
  ASSERT_EQ(games.size(), 4U);
  std::set<std::string> options;
  for (const Json& game : games) {
    for (const Json& option : game["options"]) {
      options.insert(option["name"]);
      EXPECT_FALSE(option["source"].get<std::string>().empty());
      EXPECT_FALSE(option["meaning"].get<std::string>().empty());
      // The default is a value that the option takes, and the one it has.
      const Outcome r = run(
          words_of("moves start --json --game " + game["game"].get<std::string>() + " --" +
                   option["name"].get<std::string>() + " " + option["default"].get<std::string>()));
      EXPECT_EQ(r.exit_code, 0) << r;
      EXPECT_EQ(r.record()["rules"], game["rules"]);
    }
  }
  EXPECT_EQ(options, (std::set<std::string>{"pit-limit", "pit-limit-rule", "trigger", "chain",
                                            "grand-slam", "starvation", "remainder", "direction",
                                            "endless-sow", "starter"}));
  EXPECT_EQ(run({"rules", "--game", "awari", "--json"}).record(), games[2]);
  EXPECT_EQ(games[0]["rules"], kUrimRules);
  EXPECT_EQ(games[0]["seeds_per_pit"], 3);
  EXPECT_EQ(games[3]["seeds_per_pit"], 4);
  const Outcome text = run({"rules", "--game", "urim"});
  EXPECT_NE(text.out.find("\n  --pit-limit  0..127; default 17\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace retrosow::test
