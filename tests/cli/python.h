// Runs scripts/decode_table.py and scripts/prove_table.py, and makes tables for them.
//
// Everything is inline: test programs take in test files only.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bitboard/rank.h"
#include "tables/table_file.h"
#include "tests/cli/program.h"
#include "tests/reference/solve_reference.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_bytes.h"

namespace retrosow::test {

// python3 with these words. The scripts can be imported; no byte code is left in the source tree.
inline Outcome python(const Words& words) {
  StartOptions setup;
  setup.program = "python3";
  setup.environment = {"PYTHONPATH=" RETROSOW_SOURCE_DIR "/scripts", "PYTHONDONTWRITEBYTECODE=1"};
  return run(words, setup);
}
inline std::string script(const std::string& name) {
  return RETROSOW_SOURCE_DIR "/scripts/" + name;
}
inline Outcome decode(const Words& words) {
  return python(Words{script("decode_table.py")} + words);
}
inline Outcome prove(const Words& words) { return python(Words{script("prove_table.py")} + words); }

// Why the scripts cannot read tables here, or an empty string.
inline const std::string& no_python() {
  static const std::string reason = [] {
    const Outcome r = python({"-c",
                              "import sys, decode_table\n"
                              "sys.exit(None if decode_table.can_unpack() else 77)"});
    EXPECT_TRUE(r.exit_code == 0 || r.exit_code == 77 || r.exit_code == 127) << r;
    if (r.exit_code == 127) return "python3 is not here";
    return r.exit_code == 77
               ? "python3 has no module zstandard and there is no command zstd (Debian: zstd)"
               : "";
  }();
  return reason;
}

// Tests that read tables.
class PythonTables : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(no_python(), "");  // scripts/test installs what is needed
  }

  ScratchFolder folder_;
};

// Runs a script's main() for each list of words in one run of Python, which takes its time to start.
inline std::vector<Outcome> run_each(const std::string& module, const std::vector<Words>& calls) {
  const Outcome all = python({"-c",
                              "import contextlib, io, json, sys, " + module +
                                  "\n"
                                  "for words in json.loads(sys.argv[1]):\n"
                                  "    out, err = io.StringIO(), io.StringIO()\n"
                                  "    with contextlib.redirect_stdout(out), "
                                  "contextlib.redirect_stderr(err):\n"
                                  "        code = " +
                                  module +
                                  ".main(words)\n"
                                  "    print(json.dumps([code, out.getvalue(), err.getvalue()]))\n",
                              Json(calls).dump()});
  EXPECT_EQ(all.exit_code, 0) << all;
  std::vector<Outcome> outcomes;
  std::istringstream lines(all.out);
  for (std::string line; std::getline(lines, line);) {
    const Json one = Json::parse(line);
    Outcome outcome;
    outcome.exit_code = one[0];
    outcome.out = one[1];
    outcome.err = one[2];
    outcomes.push_back(outcome);
  }
  EXPECT_EQ(outcomes.size(), calls.size());
  outcomes.resize(calls.size());
  return outcomes;
}

// A level as brute force solves it, in index order.
struct SolvedLevel {
  std::vector<Value> values;
  std::vector<std::uint16_t> distances;
  std::vector<std::string> positions;
};

inline SolvedLevel solved_level(const reference::UrimSolution& solution, unsigned seeds) {
  const reference::UrimRules& rules = solution.rules();
  const Shape shape = equal_rows(static_cast<unsigned>(rules.pits));
  const HalfRanks halves(shape.mover_pits, static_cast<unsigned>(rules.pit_limit), seeds);
  const LevelRanks ranks(halves, seeds);
  SolvedLevel level;
  level.values.resize(ranks.size());
  level.distances.resize(ranks.size());
  level.positions.resize(ranks.size());
  solution.for_each(static_cast<int>(seeds),
                    [&](const std::vector<int>& board, const reference::Solved& solved) {
                      const LevelIndex index = ranks.rank(position_of(board, shape));
                      level.values[index] = static_cast<Value>(solved.value);
                      level.distances[index] = solved.distance == reference::kNoDistance
                                                   ? kNoDistance
                                                   : static_cast<std::uint16_t>(solved.distance);
                      level.positions[index] = text_of(board, shape);
                    });
  return level;
}

// Writes the values, and beside them the distances of these values, whatever they are.
inline std::filesystem::path write_values(const std::filesystem::path& folder, const RuleSet& rules,
                                          unsigned pits, unsigned seeds, const SolvedLevel& level) {
  const TableHeader header = level_header(rules, pits, seeds);
  write_table(folder, header, level.values);
  return folder / table_file_name(header);
}
inline std::filesystem::path write_distances(const std::filesystem::path& folder,
                                             const std::filesystem::path& values,
                                             const SolvedLevel& level) {
  const TableHeader header = distance_header(TableReader(values).header());
  write_table(folder, header, level.distances);
  return folder / table_file_name(header);
}
inline void write_levels(const std::filesystem::path& folder, const RuleSet& rules, unsigned pits,
                         const std::vector<SolvedLevel>& levels) {
  for (unsigned seeds = 0; seeds < levels.size(); ++seeds) {
    write_distances(folder, write_values(folder, rules, pits, seeds, levels[seeds]), levels[seeds]);
  }
}

inline std::vector<SolvedLevel> solved_levels(const RuleSet& rules, unsigned pits,
                                              unsigned max_seeds) {
  const reference::UrimSolution solution(reference_rules(rules, pits), static_cast<int>(max_seeds));
  std::vector<SolvedLevel> levels;
  for (unsigned seeds = 0; seeds <= max_seeds; ++seeds) {
    levels.push_back(solved_level(solution, seeds));
  }
  return levels;
}

// Reads all files in one run of Python and expects what the C++ reader finds in them.
inline void expect_read_alike(const std::vector<std::filesystem::path>& files) {
  Words words = {"-c",
                 "import sys, decode_table\n"
                 "for path in sys.argv[1:]:\n"
                 "    table = decode_table.read_table(path)\n"
                 "    with open(path + '.raw', 'wb') as out:\n"
                 "        out.write(table.raw())\n"
                 "        out.write(b''.join(table.keys or ()))\n"};
  for (const auto& file : files) words.push_back(file);
  const Outcome r = python(words);
  ASSERT_EQ(r.exit_code, 0) << r;
  for (const auto& file : files) {
    const TableReader reader(file);
    std::string expected;
    const auto add = [&expected](const auto& list) {
      const std::span<const std::byte> bytes = std::as_bytes(std::span(list));
      expected.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    if (reader.header().kind == TableKind::kDistances) {
      add(reader.read_all_distances());
    } else if (reader.header().kind == TableKind::kGuarantees) {
      add(reader.read_all_guarantees());
    } else {
      add(reader.read_all());
      if (reader.header().index == IndexKind::kKeys) add(reader.read_keys());
    }
    EXPECT_TRUE(text_of_file(file.string() + ".raw") == expected) << file;
  }
}

}  // namespace retrosow::test
