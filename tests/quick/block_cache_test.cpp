// The cache of decoded blocks: its bound, and that what it gives is what was put in.
#include "tables/block_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "tables/table_file.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

// A block whose every byte follows from its key.
std::byte byte_of(BlockCache::Key key) {
  return static_cast<std::byte>((key.file * 131 + key.block * 7) & 255);
}

BlockCache::Block block_of(BlockCache::Key key, std::uint32_t bytes) {
  BlockCache::Block block{std::make_unique<std::byte[]>(bytes), bytes};
  std::memset(block.data.get(), static_cast<int>(byte_of(key)), bytes);
  return block;
}

std::uint32_t bytes_of(BlockCache::Key key) { return 100 + (key.block * 2654435761U) % 30000; }

TEST(BlockCache, GivesBackWhatWasPutIn) {
  BlockCache cache(1 << 20);
  const std::uint32_t files[] = {cache.add_file(), cache.add_file()};
  ASSERT_NE(files[0], files[1]);
  for (const std::uint32_t file : files) {
    for (std::uint32_t block = 0; block < 10; ++block) {
      EXPECT_FALSE(cache.visit({file, block}, [](const std::byte*) {}));
      cache.insert({file, block}, block_of({file, block}, 5000));
    }
  }
  for (const std::uint32_t file : files) {
    for (std::uint32_t block = 0; block < 10; ++block) {
      std::byte seen[2]{};
      EXPECT_TRUE(cache.visit({file, block}, [&](const std::byte* data) {
        seen[0] = data[0];
        seen[1] = data[4999];
      }));
      EXPECT_EQ(seen[0], byte_of({file, block}));
      EXPECT_EQ(seen[1], byte_of({file, block}));
    }
  }
}

// After every step the bytes that the cache says it holds are those of the blocks that are there, and of
// its table, and no more than the budget.
TEST(BlockCache, NeverHoldsMoreThanItsBudget) {
  for (const std::size_t budget : {0U, 1U, 63U, 64U, 65U, 200U, 5000U, 20000U, 100000U, 1000000U}) {
    BlockCache cache(budget);
    const std::uint32_t file = cache.add_file();
    const std::size_t table = cache.bytes();
    EXPECT_LE(table, budget);
    RandomNumbers random(budget);
    for (unsigned step = 0; step < 400; ++step) {
      const BlockCache::Key key{file, random.below(120)};
      if (!cache.visit(key, [](const std::byte*) {})) cache.insert(key, block_of(key, bytes_of(key)));
      std::size_t held = table;
      if (step % 20 == 0) {
        for (std::uint32_t block = 0; block < 120; ++block) {
          const bool there = cache.visit({file, block}, [](const std::byte*) {});
          held += there ? bytes_of({file, block}) : 0;
        }
        ASSERT_EQ(cache.bytes(), held) << "budget " << budget << ", step " << step;
      }
      ASSERT_LE(cache.bytes(), budget) << "step " << step;
    }
  }
}

TEST(BlockCache, FilesOfOneBlockSizeFillMostOfTheBudget) {
  constexpr std::uint32_t kBytes = 8192;
  BlockCache cache(std::size_t{4} << 20);
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t file = cache.add_file();
    for (std::uint32_t block = 0; block < 1000; ++block) {
      cache.insert({file, block}, block_of({file, block}, kBytes));
    }
    EXPECT_GT(cache.bytes(), cache.budget_bytes() * 9 / 10);
  }
  // 480 blocks that fit are all kept, however often others of them are visited.
  const std::uint32_t file = cache.add_file();
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t block = 0; block < 480; ++block) {
      const BlockCache::Key key{file, block};
      if (!cache.visit(key, [](const std::byte*) {})) cache.insert(key, block_of(key, kBytes));
    }
  }
  std::uint32_t there = 0;
  for (std::uint32_t block = 0; block < 480; ++block) {
    there += cache.visit({file, block}, [](const std::byte*) {});
  }
  EXPECT_EQ(there, 480U);
}

TEST(BlockCache, BlocksThatAreVisitedOutlastThoseThatAreNot) {
  BlockCache cache(64 * 8192);
  const std::uint32_t file = cache.add_file();
  const auto touch = [&](std::uint32_t block) {
    const BlockCache::Key key{file, block};
    const bool there = cache.visit(key, [](const std::byte*) {});
    if (!there) cache.insert(key, block_of(key, 8192));
    return there;
  };
  unsigned again = 0;
  for (std::uint32_t step = 0; step < 2000; ++step) {
    touch(1000 + step);                         // each once
    again += touch(step % 8) && step >= 8;      // eight over and over
  }
  EXPECT_GT(again, 1800U);
}

TEST(BlockCache, ThreadsAtATinyBudgetReadOnlyTheTruthAndKeepTheBound) {
  for (const std::size_t budget : {4000U, 30000U, 200000U}) {
    BlockCache cache(budget);
    const std::uint32_t file = cache.add_file();
    std::atomic<unsigned> wrong = 0, above = 0, hits = 0;
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        RandomNumbers random(thread);
        for (int i = 0; i < 3000; ++i) {
          const BlockCache::Key key{file, random.below(random.one_in(2) ? 4 : 60)};
          const std::uint32_t bytes = 100 + (key.block * 2654435761U) % 3000;
          const bool there = cache.visit(key, [&](const std::byte* data) {
            wrong += data[0] != byte_of(key) || data[bytes - 1] != byte_of(key);
          });
          hits += there;
          if (!there) cache.insert(key, block_of(key, bytes));
          above += cache.bytes() > budget;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(above, 0U);
    EXPECT_GT(hits, 0U);
  }
}

// ---- Through table files ----

TEST(BlockCache, EveryBoardOfSmallLevelsHasItsValueWhateverTheBudget) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules("pit-limit=5");
  const LevelSolver solver(rules, 3, 7);
  const LevelValues levels = solve_levels(solver, 7);
  const LevelSource source(solver.halves(), levels);
  for (unsigned seeds = 0; seeds <= 7; ++seeds) write_level(folder, rules, 3, seeds, levels[seeds]);
  for (const std::size_t budget : {std::size_t{0}, std::size_t{100}, std::size_t{700}, std::size_t{6000},
                                   BlockCache::kDefaultBytes}) {
    const TableFolder tables(folder.path(), rules, budget);
    for (unsigned seeds = 0; seeds <= 7; ++seeds) {
      const LevelRanks ranks(solver.halves(), seeds);
      for (LevelIndex i = 0; i < ranks.size(); ++i) {
        const Position board = ranks.unrank(i);
        ASSERT_EQ(tables.value(board, equal_rows(3)), source.value(board, equal_rows(3)));
        ASSERT_LE(tables.cache().bytes(), budget);
      }
    }
  }
}

TEST(BlockCache, OneCacheServesAllFilesOfAFolderFromManyThreads) {
  const ScratchFolder folder;
  for (const unsigned seeds : {6U, 7U}) {
    write_made_up_level(folder, 6, seeds);
    write_made_up_distances(folder, 6, seeds);
  }
  for (const std::size_t budget : {std::size_t{9000}, std::size_t{40000}, BlockCache::kDefaultBytes}) {
    const TableFolder tables(folder.path(), urim_rules(), budget);
    ASSERT_EQ(tables.files().size(), 4U);
    std::atomic<unsigned> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < 2; ++thread) {
      threads.emplace_back([&, thread] {
        const unsigned seeds = 6 + thread % 2;
        RandomNumbers random(thread);
        for (int i = 0; i < 300; ++i) {
          const unsigned level = random.one_in(2) ? seeds : 13 - seeds;
          const HalfRanks halves(6, 17, level);
          const LevelRanks ranks(halves, level);
          static const std::vector<Value> values[] = {made_up_values(6, 17, 6), made_up_values(6, 17, 7)};
          static const std::vector<std::uint16_t> distances[] = {made_up_distances(6, 17, 6),
                                                                 made_up_distances(6, 17, 7)};
          const LevelIndex index = random.next() % ranks.size();
          const Position board = ranks.unrank(index);
          wrong += tables.value(board, equal_rows(6)) != values[level - 6][index];
          wrong += tables.distance(board, equal_rows(6)) != distances[level - 6][index];
          wrong += tables.cache().bytes() > budget;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0U);
  }
}

}  // namespace
}  // namespace retrosow::test
