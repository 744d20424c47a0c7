// Golden files: small tables in tests/data/golden that every later reader of format versions 1 to 3 must accept, with
// the same contents, and damaged or newer ones that it must refuse, with the same class of error.
//
// Blocks may be packed otherwise by another version of libzstd, so decoded contents are compared with what
// the writer writes now, not bytes. tests/data/README.md says where the files come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tables/table_file.h"
#include "tests/reference/guarantee_reference.h"
#include "tests/reference/solve_reference.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

fs::path golden(const std::string& name) { return fs::path(RETROSOW_TEST_DATA) / "golden" / name; }

constexpr const char* kRoundRoot = "x,4,4/4,4,4";

// What stands in the golden file of a level, from the reference.
struct Level {
  RuleSet rules;
  unsigned pits, seeds;
  std::vector<Value> values;
  std::vector<std::uint16_t> distances;

  Level(const RuleSet& r, unsigned p, unsigned n) : rules(r), pits(p), seeds(n) {
    const reference::UrimSolution solution(reference_rules(rules, pits), static_cast<int>(seeds));
    const HalfRanks halves(pits, rules.pit_limit, seeds);
    const LevelRanks ranks(halves, seeds);
    values.resize(ranks.size());
    distances.resize(ranks.size());
    solution.for_each(static_cast<int>(seeds), [&](const std::vector<int>& board, reference::Solved solved) {
      const LevelIndex at = ranks.rank(position_of(board, equal_rows(pits)));
      values[at] = static_cast<Value>(solved.value);
      distances[at] = solved.value == 0 ? kNoDistance : static_cast<std::uint16_t>(solved.distance);
    });
  }
};

fs::path written_level(const ScratchFolder& folder, const Level& level) {
  return write_level(folder, level.rules, level.pits, level.seeds, level.values);
}

fs::path written_guarantees(const ScratchFolder& folder, const Level& level) {
  const HalfRanks halves(level.pits, level.rules.pit_limit, level.seeds);
  const LevelRanks ranks(halves, level.seeds);
  std::vector<Guarantee> guarantees(ranks.size());
  reference::for_each_guarantee(
      reference_rules(level.rules, level.pits), static_cast<int>(level.seeds),
      [&](const std::vector<int>& board, std::pair<int, int> sure) {
        const Position position = position_of(board, equal_rows(level.pits));
        if (total_seeds(position) != level.seeds) return;
        guarantees[ranks.rank(position)] = {static_cast<std::uint8_t>(sure.first),
                                            static_cast<std::uint8_t>(sure.second)};
      });
  const TableHeader header = guarantee_header(level.rules, level.pits, level.seeds);
  write_table(folder.path(), header, guarantees);
  return folder / table_file_name(header);
}

// The golden files as they are written now, by name.
std::map<std::string, fs::path> written_now(const ScratchFolder& folder) {
  const Level small(urim_rules(), 2, 4), limited(urim_rules("pit-limit=3 starvation=leave"), 3, 5);
  std::map<std::string, fs::path> written;
  written["urim-2x2-4.rsow"] = written_level(folder, small);
  const TableHeader header = TableReader(written["urim-2x2-4.rsow"]).header();
  written["urim-2x2-4-distance.rsow"] = write_distances(folder, header, small.distances);
  written["urim-2x2-4-guarantee.rsow"] = written_guarantees(folder, small);
  written["urim-2x3-limit3-5.rsow"] = written_level(folder, limited);
  const auto [root, shape] = placed(kRoundRoot);
  const Round round = solve_round_of(rio_rules(EndlessSow::kForbid), root, shape);
  write_round_files(folder.path(), round);
  const unsigned seeds = round.levels[1].seeds;
  written["rio-2v3.rsow"] = folder / table_file_name(round_header(round.rules, root, shape, seeds));
  return written;
}

void expect_same_header(const TableHeader& golden, const TableHeader& now) {
  EXPECT_EQ(golden.format_version, golden.kind == TableKind::kGuarantees  ? 3U
                                   : golden.index == IndexKind::kRanks ? 1U
                                                                       : 2U);
  EXPECT_EQ(now.format_version, golden.format_version);
  EXPECT_EQ(golden.index, now.index);
  EXPECT_EQ(golden.kind, now.kind);
  EXPECT_EQ(golden.packing, now.packing);
  EXPECT_EQ(canonical_text(golden.rules), canonical_text(now.rules));
  EXPECT_EQ(golden.rules_digest, now.rules_digest);
  EXPECT_EQ(golden.shape, now.shape);
  EXPECT_EQ(golden.seeds, now.seeds);
  EXPECT_EQ(golden.positions, now.positions);
  EXPECT_EQ(golden.root, now.root);
  EXPECT_EQ(golden.digest, now.digest);
  EXPECT_EQ(golden.values_digest, now.values_digest);
  EXPECT_EQ(golden.round_levels, now.round_levels);
  EXPECT_EQ(golden.endless_moves, now.endless_moves);
  EXPECT_EQ(golden.keys_digest, now.keys_digest);
}

TEST(GoldenFiles, AreAcceptedAndHoldWhatIsWrittenNow) {
  // Fixed here as well, so that neither files nor writer can change unnoticed.
  const std::map<std::string, std::string> digests = {
      {"rio-2v3.rsow", "6a04771ba40a6672d7b4263483bc4d47"},
      {"urim-2x2-4-distance.rsow", "17f770fad2aa89de96bc9abcd1182745"},
      {"urim-2x2-4-guarantee.rsow", "cc90c3a96e59c3ba07ea357224939757"},
      {"urim-2x2-4.rsow", "2f2e032bd93c2e532a6ec747218a0289"},
      {"urim-2x3-limit3-5.rsow", "112014752a45d1fe799499a725e9c1d2"},
  };
  const ScratchFolder folder;
  const auto written = written_now(folder);
  ASSERT_EQ(written.size(), digests.size());
  for (const auto& [name, path] : written) {
    SCOPED_TRACE(name);
    const TableReader reader(golden(name)), now(path);
    EXPECT_NO_THROW(reader.check());
    EXPECT_EQ(reader.header().digest.hex(), digests.at(name));
    expect_same_header(reader.header(), now.header());
    EXPECT_EQ(reader.read_keys(), now.read_keys());
    if (reader.header().kind == TableKind::kValues) {
      EXPECT_EQ(reader.read_all(), now.read_all());
    } else if (reader.header().kind == TableKind::kGuarantees) {
      EXPECT_EQ(reader.read_all_guarantees(), now.read_all_guarantees());
    } else {
      EXPECT_EQ(reader.read_all_distances(), now.read_all_distances());
    }
  }
}

TEST(GoldenFiles, AreRefusedWhereTheyAreDamagedOrNewer) {
  const std::map<std::string, ErrorClass> classes = {
      {"refused-flipped-bit.rsow", ErrorClass::kCorrupt},
      {"refused-cut.rsow", ErrorClass::kCorrupt},
      {"refused-distances-cut.rsow", ErrorClass::kCorrupt},
      {"refused-appended.rsow", ErrorClass::kCorrupt},
      {"refused-version-2.rsow", ErrorClass::kUnsupported},
      {"refused-round-version-1.rsow", ErrorClass::kUnsupported},
  };
  for (const auto& [name, expected] : classes) {
    SCOPED_TRACE(name);
    const auto error = error_from([&] { read_everything(golden(name)); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->error_class(), expected) << error->what();
    EXPECT_EQ(error->path, golden(name).string());
  }
  EXPECT_EQ(files_ending(golden("").string(), ".rsow").size(), classes.size() + 5);
}

}  // namespace
}  // namespace retrosow::test
