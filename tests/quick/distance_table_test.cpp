// Tables of distances: found for every position through the table of values that they go with.
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/boards.h"
#include "tests/support/distance_files.h"
#include "tests/support/line_check.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

// The first position of a folder whose distance is not the reference's, or an empty text.
std::string folder_fault(const TableFolder& tables) {
  for (const TableReader& table : tables.files()) {
    const TableHeader& header = table.header();
    if (header.kind != TableKind::kValues) continue;
    const TableReader* file = tables.distances_of(table);
    if (file == nullptr) return "no distances of " + table.path().string();
    const std::vector<std::uint16_t> expected = reference_distances(table);
    std::vector<Position> keys(header.index == IndexKind::kKeys ? expected.size() : 0);
    if (!keys.empty()) table.copy_keys(0, keys);
    const HalfRanks halves(header.shape.mover_pits, header.rules.pit_limit, header.seeds);
    for (LevelIndex at = 0; at < expected.size(); ++at) {
      const RoundPosition here =
          keys.empty() ? RoundPosition{LevelRanks(halves, header.seeds).unrank(at), header.shape}
                       : position_of_key(keys[at], header.shape);
      const std::string text = text_of(board_of(here.position, here.shape), here.shape);
      if (table.index_of(here.position, here.shape) != at) return text + ": another index";
      if (file->distance_at(at) != expected[at]) return text + ": another distance";
      if (tables.distance(here.position, here.shape) != expected[at]) return text + ": not found";
    }
  }
  return "";
}

TEST(DistanceTables, AreFoundForEveryPositionOfLevelsAndRounds) {
  const ScratchFolder folder;
  const LevelValues levels = solve_levels(urim_rules(), 3, 4);
  for (unsigned seeds = 0; seeds < levels.size(); ++seeds) {
    write_table(folder.path(), level_header(urim_rules(), 3, seeds), levels[seeds]);
  }
  add_distances(folder.path());
  EXPECT_EQ(folder_fault(TableFolder(folder.path(), urim_rules())), "");
  for (const char* root : {"4,4/4,4", "x,2,2/1,2,1"}) {
    const ScratchFolder round;
    const auto [position, shape] = placed(root);
    write_round_files(round.path(),
                      solve_round_of(rio_rules(EndlessSow::kForbid), position, shape));
    add_distances(round.path());
    EXPECT_EQ(folder_fault(TableFolder(round.path(), rio_rules(EndlessSow::kForbid))), "") << root;
  }
}

TEST(DistanceTables, WrongOnesWouldBeNoticed) {
  const ScratchFolder folder;
  const auto [position, shape] = placed("4,4/4,4");
  write_round_files(folder.path(), solve_round_of(rio_rules(EndlessSow::kForbid), position, shape));
  add_distances(folder.path());
  const TableFolder tables(folder.path(), rio_rules(EndlessSow::kForbid));
  const TableReader* level = tables.find(rio_rules(EndlessSow::kForbid), shape, 12);
  std::vector<std::uint16_t> distances = reference_distances(*level);
  distances.back() = static_cast<std::uint16_t>(distances.back() + 1);
  write_distances(folder.path(), level->header(), distances);
  EXPECT_NE(folder_fault(TableFolder(folder.path(), rio_rules(EndlessSow::kForbid))), "");
}

TEST(DistanceTables, PositionsThatAFileDoesNotHoldHaveNoIndex) {
  const ScratchFolder folder;
  const auto [position, shape] = placed("4,4/4,4");
  write_round_files(folder.path(), solve_round_of(rio_rules(EndlessSow::kForbid), position, shape));
  add_distances(folder.path());
  const TableFolder tables(folder.path(), rio_rules(EndlessSow::kForbid));
  const TableReader* level = tables.find(rio_rules(EndlessSow::kForbid), shape, 4);
  EXPECT_EQ(level->index_of(placed("0,0/4,0").position, shape), std::nullopt);
  EXPECT_EQ(level->index_of(position, shape), std::nullopt);  // of another level
  EXPECT_EQ(tables.distance(placed("0,0/4,0").position, shape), std::nullopt);
  // Distances hold no keys; the values that they go with do.
  const TableReader* distances = tables.distances_of(*level);
  ASSERT_NE(distances, nullptr);
  EXPECT_EQ(distances->index_of(level->read_keys().empty() ? position : level->read_keys().front(),
                                shape),
            std::nullopt);
  EXPECT_EQ(tables.distances_of(*distances), nullptr);
}

}  // namespace
}  // namespace retrosow::test
