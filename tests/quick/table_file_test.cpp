// Table files: what is written is read back, and no damage goes unnoticed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bitboard/notation.h"
#include "tables/table_file.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/solving.h"
#include "tests/support/table_bytes.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kBlock = TableWriter::kBlockValues;

struct WrittenRound {
  Round round;
  std::vector<fs::path> files;
};

WrittenRound write_round(const ScratchFolder& folder, const std::string& root) {
  const auto [position, shape] = placed(root);
  WrittenRound written{solve_round_of(rio_rules(EndlessSow::kDraw), position, shape), {}};
  write_round_files(folder.path(), written.round);
  written.files = files_ending(folder.path(), ".rsow");
  return written;
}

// ---- Round trips ----

TEST(TableFile, LevelsAreReadBackAsWritten) {
  for (const RuleSet& rules : urim_rule_sets()) {
    const ScratchFolder folder;
    const LevelSolver solver(rules, 2, 7);
    const LevelValues levels = solve_levels(solver, 7);
    for (const unsigned seeds : {0U, 3U, 7U}) {
      const TableReader reader(write_level(folder, rules, 2, seeds, levels[seeds]));
      EXPECT_EQ(reader.read_all(), levels[seeds]);
      const TableHeader& header = reader.header();
      EXPECT_EQ(header.format_version, kRanksVersion);
      EXPECT_EQ(header.index, IndexKind::kRanks);
      EXPECT_EQ(header.packing, Packing::kContexts);
      EXPECT_TRUE(same_rules(header.rules, rules));
      EXPECT_EQ(header.rules.game, rules.game);
      EXPECT_EQ(header.shape, equal_rows(2));
      EXPECT_EQ(header.seeds, seeds);
      EXPECT_EQ(header.positions, levels[seeds].size());
      EXPECT_EQ(header.digest, digest_of(std::as_bytes(std::span(levels[seeds]))));
      EXPECT_EQ(header.rules_digest, rules_digest(rules));
      EXPECT_NE(header.builder.find("retrosow"), std::string::npos);
      EXPECT_EQ(reader.file_bytes(), fs::file_size(reader.path()));
    }
    EXPECT_TRUE(files_ending(folder.path(), ".partial").empty());
  }
}

TEST(TableFile, ALevelWithoutBoardsIsAFileWithoutBlocks) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules("pit-limit=1");
  const TableReader reader(write_level(folder, rules, 1, 3, {}));
  EXPECT_EQ(reader.header().positions, 0U);
  EXPECT_TRUE(reader.read_all().empty());
  EXPECT_EQ(reader.header().digest.hex(),
            "99aa06d3014798d86001c324468d497f");  // of the empty string
}

TEST(TableFile, EveryPositionOfALevelIsProbedRight) {
  const ScratchFolder folder;
  const RuleSet rules = urim_rules("pit-limit=5");
  const LevelSolver solver(rules, 3, 7);
  const LevelValues levels = solve_levels(solver, 7);
  const LevelSource source(solver.halves(), levels);
  const TableReader reader(write_level(folder, rules, 3, 7, levels[7]));
  reference::for_each_board(3, 7, 5, [&](const std::vector<int>& board) {
    const Position position = position_of(board, equal_rows(3));
    ASSERT_EQ(reader.value(position, equal_rows(3)), source.value(position, equal_rows(3)));
  });
  EXPECT_EQ(reader.value(placed("1,0,0/0,0,0").position, equal_rows(3)), std::nullopt);
  EXPECT_EQ(reader.value(placed("1,2/2,2").position, equal_rows(2)), std::nullopt);
}

TEST(TableFile, RoundsAreReadBackAsWritten) {
  for (const char* root : {"4,4/4,4", "x,4,4/4,4,4", "4,4,4/x,4,x", "2,3,1/1,0,4"}) {
    const ScratchFolder folder;
    const auto [round, files] = write_round(folder, root);
    ASSERT_EQ(files.size(), round.levels.size());
    std::size_t seen = 0;
    for (const fs::path& path : files) {
      const TableReader reader(path);
      const TableHeader& header = reader.header();
      EXPECT_EQ(header.index, IndexKind::kKeys);
      EXPECT_EQ(header.format_version, kKeysVersion);
      EXPECT_EQ(header.packing, Packing::kPrefixes);
      EXPECT_EQ(header.shape, round.shape);
      EXPECT_EQ(header.root, round.root);
      EXPECT_TRUE(same_rules(header.rules, round.rules));
      for (const RoundLevel& level : round.levels) {
        if (level.seeds != header.seeds) continue;
        ++seen;
        EXPECT_EQ(reader.read_all(), level.values);
        EXPECT_EQ(reader.read_keys(), level.keys);
        EXPECT_NO_THROW(reader.check());
        EXPECT_EQ(header.digest, digest_of(std::as_bytes(std::span(level.values))));
        for (std::size_t i = 0; i < level.keys.size(); ++i) {
          const auto [position, shape] = position_of_key(level.keys[i], round.shape);
          ASSERT_EQ(reader.value(position, shape), level.values[i]);
        }
      }
    }
    EXPECT_EQ(seen, files.size());
  }
}

TEST(TableFile, APositionThatTheRoundDoesNotReachHasNoValue) {
  const ScratchFolder folder;
  const auto [round, files] = write_round(folder, "x,4,4/4,4,4");
  for (const fs::path& path : files) {
    const TableReader reader(path);
    std::size_t absent = 0;
    for_each_board_up_to(5, reader.header().seeds, 0, [&](const std::vector<int>& board) {
      for (const Shape shape : {rows(2, 3), rows(3, 2)}) {
        const Position position = position_of(board, shape);
        if (total_seeds(position) != reader.header().seeds) continue;
        const std::optional<int> expected = RoundSource(round).value(position, shape);
        ASSERT_EQ(reader.value(position, shape), expected);
        absent += !expected.has_value();
      }
    });
    EXPECT_GT(absent, 0U);
    EXPECT_EQ(reader.value(round.root, rows(1, 4)), std::nullopt);
    if (reader.header().seeds > 8) break;  // the levels above are the same over again
  }
}

TEST(TableFile, AFileOfManyBlocksIsReadBackAndProbedRight) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 6, 7);
  const std::vector<Value> values = made_up_values(6, 17, 7);
  const HalfRanks halves(6, 17, 7);
  const LevelRanks ranks(halves, 7);
  for (const std::size_t blocks : {0U, 1U, 2U, 64U}) {
    const TableReader reader(path, blocks == 0 ? 0 : blocks * kBlock + 200);
    ASSERT_EQ(reader.header().blocks, 4U);
    EXPECT_EQ(reader.read_all(), values);
    EXPECT_NO_THROW(reader.check());
    RandomNumbers random(15);
    for (unsigned i = 0; i < 100; ++i) {
      // At first the ends of the blocks.
      const LevelIndex index =
          i < 12 ? kBlock * (i / 4 + 1) + i % 4 - 2 : random.next() % values.size();
      ASSERT_EQ(reader.value(ranks.unrank(index), equal_rows(6)), values[index]);
    }
    ASSERT_EQ(reader.value(ranks.unrank(0), equal_rows(6)), values.front());
    ASSERT_EQ(reader.value(ranks.unrank(values.size() - 1), equal_rows(6)), values.back());
  }
}

TEST(TableFile, BlocksOfAnySizeAreReadBackAndProbedRight) {
  const RuleSet rules = urim_rules();
  const std::vector<Value> values = solve_levels(rules, 3, 9)[9];
  for (const std::uint32_t block_values : {1U, 7U, 63U, 64U, 777U, 65536U}) {
    const ScratchFolder folder;
    TableHeader header = level_header(rules, 3, 9);
    header.block_values = block_values;
    write_table(folder.path(), header, values);
    const TableReader reader(folder / table_file_name(header), 1000);
    EXPECT_EQ(reader.header().block_values, block_values);
    EXPECT_EQ(reader.read_all(), values) << block_values;
    const HalfRanks halves(3, rules.pit_limit, 9);
    const LevelRanks ranks(halves, 9);
    for (LevelIndex at = 0; at < values.size(); ++at) {
      ASSERT_EQ(reader.value(ranks.unrank(at), equal_rows(3)), values[at]) << block_values << ' ' << at;
    }
  }
}

TEST(TableFile, DistancesAreReadBackProbedAndCopied) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_distances(folder, 6, 7);
  const std::vector<std::uint16_t> distances = made_up_distances(6, 17, 7);
  const std::vector<Value> values_there = made_up_values(6, 17, 7);
  const HalfRanks halves(6, 17, 7);
  const LevelRanks ranks(halves, 7);
  for (const std::size_t blocks : {0U, 1U, 64U}) {
    const TableReader reader(path, blocks == 0 ? 0 : 2 * blocks * kBlock + 200);
    EXPECT_EQ(reader.header().kind, TableKind::kDistances);
    EXPECT_EQ(reader.header().packing, Packing::kPlanes);
    EXPECT_EQ(reader.header().digest, digest_of(std::as_bytes(std::span(distances))));
    EXPECT_EQ(reader.header().values_digest,
              digest_of(std::as_bytes(std::span(values_there))));
    EXPECT_EQ(reader.read_all_distances(), distances);
    EXPECT_NO_THROW(reader.check());
    std::vector<std::uint16_t> out(2 * kBlock);
    reader.copy_distances(kBlock - 5, out);
    EXPECT_TRUE(std::equal(out.begin(), out.end(), distances.begin() + kBlock - 5));
    RandomNumbers random(18);
    for (unsigned i = 0; i < 100; ++i) {
      const LevelIndex index =
          i < 12 ? kBlock * (i / 4 + 1) + i % 4 - 2 : random.next() % distances.size();
      ASSERT_EQ(reader.distance(ranks.unrank(index), equal_rows(6)), distances[index]);
    }
    EXPECT_EQ(reader.value(ranks.unrank(0), equal_rows(6)), std::nullopt);
  }
  const TableReader values(write_made_up_level(folder, 6, 7));
  EXPECT_EQ(values.distance(ranks.unrank(0), equal_rows(6)), std::nullopt);
}

TEST(TableFile, AnyRunOfValuesCanBeCopied) {
  const ScratchFolder folder;
  const TableReader reader(write_made_up_level(folder, 6, 7));
  const std::vector<Value> values = made_up_values(6, 17, 7);
  RandomNumbers random(17);
  for (unsigned i = 0; i < 40; ++i) {
    const auto first = static_cast<std::size_t>(random.next() % values.size());
    std::size_t count = random.below(static_cast<unsigned>(values.size() - first) + 1);
    if (i % 4 == 0) count = 0;
    if (i % 4 == 1) count = values.size() - first;
    std::vector<Value> out(count, Value{99});
    reader.copy_values(first, out);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    ASSERT_EQ(out, std::vector<Value>(begin, begin + static_cast<std::ptrdiff_t>(count)));
  }
}

TEST(TableFile, ThreadsThatShareAOneBlockCacheAllReadTheTruth) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 6, 7);
  const TableReader reader(path, kBlock + 200);
  const std::vector<Value> values = reader.read_all();
  const HalfRanks halves(6, 17, 7);
  const LevelRanks ranks(halves, 7);
  std::atomic<int> wrong = 0, probes = 0;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      RandomNumbers random(thread);
      for (int i = 0; i < 150; ++i) {
        const LevelIndex index = random.next() % values.size();
        wrong += reader.value(ranks.unrank(index), equal_rows(6)) != values[index];
        ++probes;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(probes, 600);
}

TEST(TableFile, AFileWrittenBlockByBlockIsTheSameFile) {
  const ScratchFolder at_once, by_block;
  const std::vector<Value> values = made_up_values(6, 17, 6);
  const RuleSet rules = urim_rules();
  const fs::path path = write_level(at_once, rules, 6, 6, values);
  const std::span<const Value> first(values.data(), kBlock),
      second(values.data() + kBlock, values.size() - kBlock);
  {
    TableWriter writer(by_block.path(), level_header(rules, 6, 6), values.size());
    const TableWriter::Block last = writer.pack(kBlock, second, {});
    writer.append(writer.pack(0, first, {}), first);
    writer.append(last, second);
    EXPECT_TRUE(files_ending(by_block.path(), ".rsow").empty());  // not before it is whole
    writer.finish();
  }
  EXPECT_EQ(read_bytes(by_block / path.filename().string()), read_bytes(path));
  EXPECT_EQ(files_ending(by_block.path(), "").size(), 1U);
}

TEST(TableFile, AFileThatIsNotFinishedDeletesItself) {
  const ScratchFolder folder;
  const std::vector<Value> values = made_up_values(6, 17, 6);
  {
    TableWriter writer(folder.path(), level_header(urim_rules(), 6, 6), values.size());
    const std::span<const Value> first(values.data(), kBlock);
    writer.append(writer.pack(0, first, {}), first);
    EXPECT_EQ(files_ending(folder.path(), ".partial").size(), 1U);
  }
  EXPECT_TRUE(files_ending(folder.path(), "").empty());
}

TEST(TableFile, TheSameLevelIsTheSameFileByteForByte) {
  const ScratchFolder first, second;
  const fs::path a = write_made_up_level(first, 3, 6), b = write_made_up_level(second, 3, 6);
  EXPECT_EQ(a.filename(), b.filename());
  EXPECT_EQ(read_bytes(a), read_bytes(b));
}

TEST(TableFile, NamesTellRulesBoardRootAndSeedsApart) {
  std::set<std::string> names;
  std::size_t headers = 0;
  const auto add = [&](const TableHeader& header) {
    ++headers;
    names.insert(table_file_name(header));
    EXPECT_TRUE(table_file_name(header).ends_with(".rsow"));
  };
  for (const char* options : {"", "pit-limit=5", "grand-slam=leave"}) {
    for (const unsigned pits : {6U, 7U}) {
      for (const unsigned seeds : {0U, 12U, 120U})
        add(level_header(urim_rules(options), pits, seeds));
    }
  }
  for (const char* root : {"4,4/4,4", "4,4/4,3", "x,4,4/4,4,4", "4,4,4/x,4,4"}) {
    const auto [position, shape] = placed(root);
    for (const EndlessSow endless : {EndlessSow::kForbid, EndlessSow::kDraw}) {
      add(round_header(rio_rules(endless), position, shape, 7));
    }
  }
  EXPECT_EQ(names.size(), headers);
  // Oware and urim with the same rules share a table.
  EXPECT_EQ(table_file_name(level_header(preset(Game::kAwari), 6, 4)),
            table_file_name(level_header(
                urim_rules("pit-limit=0 trigger=2,3 chain=2,3 starvation=leave"), 6, 4)));
}

// ---- Damage ----

TEST(TableFile, EveryFlippedBitIsNoticed) {
  const ScratchFolder folder;
  for (const fs::path& path : small_files(folder)) {
    const Bytes right = read_bytes(path);
    ASSERT_LT(right.size(), 2500U);
    for (std::size_t at = 0; at < right.size(); ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        Bytes wrong = right;
        wrong[at] = static_cast<std::uint8_t>(wrong[at] ^ (1U << bit));
        ASSERT_EQ(refusal_fault(path, wrong,
                                "bit " + std::to_string(bit) + " of byte " + std::to_string(at)),
                  "");
      }
    }
    write_bytes(path, right);
    EXPECT_NO_THROW(read_everything(path));
  }
}

TEST(TableFile, EveryCutIsNoticed) {
  const ScratchFolder folder;
  for (const fs::path& path : small_files(folder)) {
    const Bytes right = read_bytes(path);
    for (std::size_t length = 0; length < right.size(); ++length) {
      const Bytes cut(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(length));
      ASSERT_EQ(refusal_fault(path, cut, "a cut to " + std::to_string(length) + " bytes"), "");
    }
  }
}

TEST(TableFile, BytesBehindTheEndAreNoticed) {
  const ScratchFolder folder;
  for (const fs::path& path : small_files(folder)) {
    for (const std::size_t more : {1U, 8U, 5000U}) {
      Bytes longer = read_bytes(path);
      const Bytes right = longer;
      longer.insert(longer.end(), more, 0);
      EXPECT_EQ(refusal_fault(path, longer, "an appendix"), "");
      write_bytes(path, right);
    }
  }
}

TEST(TableFile, AProbeOfADamagedBlockIsRefusedAndOthersAreServed) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 6, 6);
  const std::vector<Value> values = made_up_values(6, 17, 6);
  Bytes bytes = read_bytes(path);
  const std::size_t second = get_field<std::uint64_t>(bytes, entry_of(bytes, 1));
  bytes[second + 100] ^= 1;
  write_bytes(path, bytes);
  const TableReader reader(path);
  const HalfRanks halves(6, 17, 6);
  const LevelRanks ranks(halves, 6);
  EXPECT_EQ(reader.value(ranks.unrank(0), equal_rows(6)), values[0]);
  EXPECT_EQ(reader.value(ranks.unrank(kBlock - 1), equal_rows(6)), values[kBlock - 1]);
  for (const LevelIndex index : {LevelIndex{kBlock}, ranks.size() - 1}) {
    const auto error = error_from([&] { (void)reader.value(ranks.unrank(index), equal_rows(6)); });
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt);
    EXPECT_EQ(error->offset, second);
  }
  EXPECT_EQ(refusal_fault(path, bytes, "a damaged block"), "");
}

TEST(TableFile, IsRefusedBlockByBlockWhenItIsCutShortAfterItWasOpened) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 4, 12);
  const std::vector<Value> values = made_up_values(4, 17, 12);
  const TableReader reader(path);
  const HalfRanks halves(4, 17, 12);
  const LevelRanks ranks(halves, 12);
  const Shape shape = reader.header().shape;
  const Position first = ranks.unrank(0), last = ranks.unrank(ranks.size() - 1);
  EXPECT_EQ(reader.value(first, shape), values.front());
  const std::uint64_t whole = reader.file_bytes();
  // Within a page, between two, and to nothing.
  for (const std::uint64_t left : {whole / 2, std::uint64_t{8192}, std::uint64_t{0}}) {
    ASSERT_LT(left, whole);
    fs::resize_file(path, left);
    try {
      reader.value(last, shape);
      ADD_FAILURE() << "read from a file of " << left << " bytes";
    } catch (const Error& error) {
      EXPECT_EQ(error.error_class(), ErrorClass::kCorrupt) << left;
      EXPECT_EQ(error.path, path.string()) << left;
    }
    EXPECT_THROW(reader.check(), Error) << left;
    EXPECT_EQ(reader.value(first, shape), values.front()) << "its block was decoded before";
  }
}

// ---- Fields that make no sense, under checksums that are right ----

struct WrongField {
  const char* what;
  std::function<void(Bytes&)> change;
  ErrorClass expected;
};

void expect_refused(const fs::path& path, const std::vector<WrongField>& fields) {
  const Bytes right = read_bytes(path);
  for (const WrongField& field : fields) {
    Bytes wrong = right;
    field.change(wrong);
    seal_header(wrong);
    write_bytes(path, wrong);
    const std::optional<Error> error = error_from([&] { read_everything(path); });
    ASSERT_TRUE(error.has_value()) << field.what << " went unnoticed";
    EXPECT_EQ(error->error_class(), field.expected) << field.what << ": " << error->what();
    EXPECT_EQ(error->path, path.string()) << field.what;
  }
  write_bytes(path, right);
}

template <typename T>
std::function<void(Bytes&)> setting(std::size_t offset, T value) {
  return [=](Bytes& bytes) { set_field(bytes, offset, value); };
}

std::function<void(Bytes&)> replacing(std::string before, std::string after) {
  return [=](Bytes& bytes) {
    const auto at = std::search(bytes.begin(), bytes.end(), before.begin(), before.end());
    if (at == bytes.end() || before.size() != after.size())
      throw std::logic_error("test: " + before);
    std::copy(after.begin(), after.end(), at);
  };
}

TEST(TableFile, HeaderFieldsThatMakeNoSenseAreRefused) {
  using U8 = std::uint8_t;
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  const ErrorClass corrupt = ErrorClass::kCorrupt, unsupported = ErrorClass::kUnsupported;
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 3, 5);
  expect_refused(
      path, {
                {"version 0", setting(kVersionAt, U32{0}), unsupported},
                {"version 2", setting(kVersionAt, U32{2}), unsupported},
                {"version 2^31", setting(kVersionAt, U32{1} << 31), unsupported},
                {"no index kind", setting(kIndexKindAt, U8{0}), corrupt},
                {"an unknown index kind", setting(kIndexKindAt, U8{3}), corrupt},
                {"keys for Urim", setting(kIndexKindAt, U8{2}), corrupt},
                {"another family", setting(kFamilyAt, U8{1}), corrupt},
                {"an unknown family", setting(kFamilyAt, U8{7}), corrupt},
                {"no pits", setting(kMoverPitsAt, U16{0}), corrupt},
                {"rows that differ", setting(kMoverPitsAt, U8{2}), corrupt},
                {"nine pits", setting(kMoverPitsAt, U16{0x0909}), corrupt},
                {"four pits", setting(kMoverPitsAt, U16{0x0404}), corrupt},
                {"128 seeds", setting(kSeedsAt, U32{128}), corrupt},
                {"2^32 - 1 seeds", setting(kSeedsAt, ~U32{0}), corrupt},
                {"another number of seeds", setting(kSeedsAt, U32{4}), corrupt},
                {"one position more", setting(kPositionsAt, U64{253}), corrupt},
                {"2^64 - 1 positions", setting(kPositionsAt, ~U64{0}), corrupt},
                {"no values in a block", setting(kBlockValuesAt, U32{0}), corrupt},
                {"too many values in a block", setting(kBlockValuesAt, U32{1} << 30), corrupt},
                {"two blocks", setting(kBlocksAt, U32{2}), corrupt},
                {"2^32 - 1 blocks", setting(kBlocksAt, ~U32{0}), corrupt},
                {"no packing", setting(kPackingAt, U8{0}), corrupt},
                {"an unknown packing", setting(kPackingAt, U8{9}), corrupt},
                {"the packing of rounds", setting(kPackingAt, U8{2}), corrupt},
                {"another digest", setting(kDigestAt, U64{1}), corrupt},
                {"another rules digest", setting(kRulesDigestAt, U64{1}), corrupt},
                {"an unknown game", replacing("urim", "umir"), unsupported},
                {"an unknown option", replacing("pit-limit=", "pot-limit="), unsupported},
                {"an unknown value", replacing("=skip", "=skid"), unsupported},
                {"other rules than the digest's", replacing("trigger=2,3", "trigger=2,4"), corrupt},
                {"a text longer than the header", setting(kTextsAt, U16{60000}), corrupt},
            });
}

TEST(TableFile, FieldsOfARoundThatMakeNoSenseAreRefused) {
  using U8 = std::uint8_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  const ErrorClass corrupt = ErrorClass::kCorrupt;
  const ScratchFolder folder;
  const fs::path path = small_files(folder).back();
  ASSERT_EQ(TableReader(path).header().index, IndexKind::kKeys);
  expect_refused(path, {
                           {"ranks for Rio Kadalis", setting(kIndexKindAt, U8{1}), corrupt},
                           {"another family", setting(kFamilyAt, U8{0}), corrupt},
                           {"nine holes", setting(kMoverPitsAt, U8{9}), corrupt},
                           {"the packing of levels", setting(kPackingAt, U8{1}), corrupt},
                           {"no positions and a block", setting(kPositionsAt, U64{0}), corrupt},
                           {"one position", setting(kPositionsAt, U64{1}), corrupt},
                           {"more positions than the file holds",
                            [](Bytes& bytes) {
                              set_field(bytes, kPositionsAt, U64{1} << 40);
                              set_field(bytes, kBlockValuesAt, U32{1} << 24);
                              set_field(bytes, kBlocksAt, U32{1} << 16);
                            },
                            corrupt},
                           // Rounded up to blocks, 2^64 - 1 is 0 in 64 bits.
                           {"2^64 - 1 positions in no block",
                            [](Bytes& bytes) {
                              set_field(bytes, kPositionsAt, ~U64{0});
                              set_field(bytes, kBlocksAt, U32{0});
                            },
                            corrupt},
                       });
}

TEST(TableFile, FieldsOfDistancesThatMakeNoSenseAreRefused) {
  using U8 = std::uint8_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  const ErrorClass corrupt = ErrorClass::kCorrupt, unsupported = ErrorClass::kUnsupported;
  const ScratchFolder folder;
  const fs::path path = write_made_up_distances(folder, 3, 5);
  std::vector<WrongField> fields = {
      {"version 0", setting(kVersionAt, U32{0}), unsupported},
      {"version 2", setting(kVersionAt, U32{2}), unsupported},
      {"no index kind", setting(kIndexKindAt, U8{0}), corrupt},
      {"keys", setting(kIndexKindAt, U8{2}), corrupt},
      {"another family", setting(kFamilyAt, U8{1}), corrupt},
      {"rows that differ", setting(kMoverPitsAt, U8{2}), corrupt},
      {"nine pits", setting(kMoverPitsAt, std::uint16_t{0x0909}), corrupt},
      {"another number of seeds", setting(kSeedsAt, U32{4}), corrupt},
      {"128 seeds", setting(kSeedsAt, U32{128}), corrupt},
      {"one position more", setting(kPositionsAt, U64{253}), corrupt},
      {"no values in a block", setting(kBlockValuesAt, U32{0}), corrupt},
      {"too many values in a block", setting(kBlockValuesAt, U32{65537}), corrupt},
      {"two blocks", setting(kBlocksAt, U32{2}), corrupt},
      {"no block", setting(kBlocksAt, U32{0}), corrupt},
      {"another digest", setting(kDigestAt, U64{1}), corrupt},
      {"another rules digest", setting(kRulesDigestAt, U64{1}), corrupt},
      {"a root", setting(kRootAt, U8{1}), corrupt},
      {"the packing of values", setting(kPackingAt, U8{1}), corrupt},
      {"the packing of rounds", setting(kPackingAt, U8{2}), corrupt},
      {"an unknown packing", setting(kPackingAt, U8{4}), corrupt},
      {"the kind of values", setting(kKindAt, U8{0}), corrupt},
      {"the kind of guarantees", setting(kKindAt, U8{2}), unsupported},
      {"an unknown kind", setting(kKindAt, U8{3}), unsupported},
      {"an unknown game", replacing("urim", "umir"), unsupported},
      {"an unknown option", replacing("pit-limit=", "pot-limit="), unsupported},
      {"other rules than the digest's", replacing("trigger=2,3", "trigger=2,4"), corrupt},
  };
  for (std::size_t i = 0; i < 14; ++i) {
    fields.push_back({"a reserved byte", setting(kReservedAt + i, U8{1}), corrupt});
  }
  expect_refused(path, fields);
}

TEST(TableFile, FieldsThatAFileOfValuesDoesNotHaveMustBeZero) {
  using U8 = std::uint8_t;
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 3, 5);
  std::vector<WrongField> fields = {
      {"the kind of distances", setting(kKindAt, U8{1}), ErrorClass::kCorrupt},
      {"the kind of guarantees", setting(kKindAt, U8{2}), ErrorClass::kUnsupported},
      {"an unknown kind", setting(kKindAt, U8{3}), ErrorClass::kUnsupported}};
  for (std::size_t i = 0; i < 16; ++i) {
    fields.push_back({"a root", setting(kRootAt + i, U8{1}), ErrorClass::kCorrupt});
    fields.push_back({"a digest of values", setting(kValuesDigestAt + i, U8{1}), ErrorClass::kCorrupt});
  }
  for (std::size_t i = 0; i < 14; ++i) {
    fields.push_back({"a reserved byte", setting(kReservedAt + i, U8{1}), ErrorClass::kCorrupt});
  }
  expect_refused(path, fields);
}

TEST(TableFile, GuaranteesHaveAFormatOfTheirOwn) {
  using U8 = std::uint8_t;
  const ScratchFolder folder;
  const fs::path path = write_made_up_guarantees(folder, 6, 6);
  const TableReader reader(path);
  EXPECT_EQ(reader.header().format_version, kGuaranteesVersion);
  EXPECT_EQ(reader.header().blocks, 2U);
  EXPECT_EQ(reader.read_all_guarantees(), made_up_guarantees(6, 17, 6));
  std::vector<WrongField> fields = {
      {"the version of values", setting(kVersionAt, std::uint32_t{1}), ErrorClass::kUnsupported},
      {"the version of rounds", setting(kVersionAt, std::uint32_t{2}), ErrorClass::kUnsupported},
      {"a later version", setting(kVersionAt, std::uint32_t{4}), ErrorClass::kUnsupported},
      {"the kind of values", setting(kKindAt, U8{0}), ErrorClass::kUnsupported},
      {"an unknown kind", setting(kKindAt, U8{3}), ErrorClass::kUnsupported},
      {"the packing of values", setting(kPackingAt, U8{1}), ErrorClass::kCorrupt}};
  for (std::size_t i = 0; i < 16; ++i) {
    fields.push_back({"a digest of values", setting(kValuesDigestAt + i, U8{1}), ErrorClass::kCorrupt});
  }
  expect_refused(path, fields);
}

TEST(TableFile, GuaranteesThatTakeMoreThanThereIsAreDamage) {
  // A block whose parts are whole, but whose mover takes more at least than at most.
  const ScratchFolder folder;
  std::vector<Guarantee> guarantees = made_up_guarantees(3, 17, 5);
  const TableHeader header = guarantee_header(urim_rules(), 3, 5);
  for (const Guarantee pair : {Guarantee{3, 3}, Guarantee{0, 6}, Guarantee{6, 0}, Guarantee{255, 0}}) {
    guarantees[7] = pair;
    write_table(folder.path(), header, guarantees);
    const auto error = error_from([&] { TableReader(folder / table_file_name(header)).check(); });
    ASSERT_TRUE(error.has_value()) << int{pair.mover};
    EXPECT_EQ(error->error_class(), ErrorClass::kCorrupt);
  }
}

TEST(TableFile, HeaderLengthsThatMakeNoSenseAreRefused) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 3, 5);
  const Bytes right = read_bytes(path);
  for (const std::uint32_t length :
       {0U, 7U, 8U, 16U, 24U, 104U, 112U, 0x7fff'fff8U, 0xffff'fff8U}) {
    Bytes wrong = right;
    set_field(wrong, kHeaderLengthAt, length);
    if (length >= 8 && length <= wrong.size()) seal_header(wrong);
    EXPECT_EQ(refusal_fault(path, wrong, "header length " + std::to_string(length)), "");
  }
}

class IndexEntries : public testing::TestWithParam<TableKind> {};
INSTANTIATE_TEST_SUITE_P(TableFile, IndexEntries,
                         testing::Values(TableKind::kValues, TableKind::kDistances, TableKind::kGuarantees),
                         [](const auto& kind) { return std::string(kind_name(kind.param)); });

TEST_P(IndexEntries, ThatMakeNoSenseAreRefused) {
  const ScratchFolder folder;
  const fs::path path = GetParam() == TableKind::kValues      ? write_made_up_level(folder, 6, 6)
                        : GetParam() == TableKind::kDistances ? write_made_up_distances(folder, 6, 6)
                                                              : write_made_up_guarantees(folder, 6, 6);
  const Bytes right = read_bytes(path);
  ASSERT_EQ(get_field<std::uint32_t>(right, kBlocksAt), 2U);
  const auto changed = [&](std::size_t offset, std::uint64_t by) {
    Bytes wrong = right;
    set_field(wrong, offset, get_field<std::uint64_t>(wrong, offset) + by);
    seal_index(wrong);
    return wrong;
  };
  for (const std::size_t block : {0U, 1U}) {
    const std::size_t entry = entry_of(right, block);
    EXPECT_EQ(refusal_fault(path, changed(entry, 1), "a block's offset"), "");
    EXPECT_EQ(refusal_fault(path, changed(entry, std::uint64_t{1} << 63), "a far offset"), "");
    EXPECT_EQ(refusal_fault(path, changed(entry + 8, 1), "a block's length"), "");
    EXPECT_EQ(refusal_fault(path, changed(entry + 8, ~std::uint64_t{0}), "a shorter block"), "");
    EXPECT_EQ(refusal_fault(path, changed(entry + 8, std::uint64_t{1} << 63), "a huge block"), "");
    EXPECT_EQ(refusal_fault(path, changed(entry + 16, 1), "a block's checksum"), "");
    EXPECT_EQ(refusal_fault(path, changed(entry + 24, 1), "reserved bytes"), "");
    EXPECT_EQ(refusal_fault(path, changed(entry + 32, 1), "a key of ranks"), "");
    EXPECT_EQ(refusal_fault(path, changed(entry + 40, 1), "a key of ranks"), "");
  }
}

TEST(TableFile, ABlockThatDecodesToSomethingElseIsRefused) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 6, 6);
  const Bytes right = read_bytes(path);
  // The last block cut short, under checksums that are right.
  Bytes wrong = right;
  wrong.pop_back();
  const std::size_t last = entry_of(wrong, 1);
  set_field(wrong, last + 8, get_field<std::uint64_t>(wrong, last + 8) - 1);
  seal_block(wrong, 1);
  EXPECT_EQ(refusal_fault(path, wrong, "a cut block"), "");
}

// Bytes changed under checksums that are right: a reader must survive whatever it then unpacks, and what
// it lets through must have the digest of the header.
TEST(TableFile, NoBlockHoweverMadeUpIsBelievedOrDoesHarm) {
  const ScratchFolder folder;
  std::vector<fs::path> files = small_files(folder);
  files.push_back(write_made_up_level(folder, 6, 6));
  files.push_back(write_made_up_distances(folder, 6, 6));
  RandomNumbers random(16);
  for (const fs::path& path : files) {
    const Bytes right = read_bytes(path);
    const auto contents = [&](const TableReader& reader) {
      // As numbers of one type, of whichever kind.
      std::vector<int> all;
      if (reader.header().kind == TableKind::kValues) {
        for (const Value value : reader.read_all()) all.push_back(value);
      } else if (reader.header().kind == TableKind::kDistances) {
        for (const std::uint16_t distance : reader.read_all_distances()) all.push_back(distance);
      } else {
        for (const Guarantee pair : reader.read_all_guarantees()) all.push_back(256 * pair.mover + pair.opponent);
      }
      return all;
    };
    const std::vector<int> values = contents(TableReader(path));
    const std::uint32_t blocks = get_field<std::uint32_t>(right, kBlocksAt);
    unsigned refused = 0;
    for (int i = 0; i < 300; ++i) {
      Bytes wrong = right;
      const std::size_t block = random.below(blocks);
      const std::size_t entry = entry_of(right, block);
      const std::size_t from = get_field<std::uint64_t>(right, entry);
      const auto length = static_cast<unsigned>(get_field<std::uint64_t>(right, entry + 8));
      // Often in the first bytes, where a block describes itself.
      const unsigned within = random.one_in(2) ? std::min(length, 40U) : length;
      for (unsigned change = 0; change <= random.below(3); ++change) {
        wrong[from + random.below(within)] = static_cast<std::uint8_t>(random.below(256));
      }
      seal_block(wrong, block);
      write_bytes(path, wrong);
      try {
        const TableReader reader(path);
        (void)reader.read_keys();
        EXPECT_EQ(contents(reader), values) << "wrong values were believed";
      } catch (const Error& error) {
        EXPECT_EQ(error.error_class(), ErrorClass::kCorrupt) << error.what();
        ++refused;
      }
    }
    // Of a round some changes are to keys, which no digest covers.
    EXPECT_GT(refused, 150U);
  }
}

TEST(TableFile, WhatIsNoTableIsRefused) {
  const ScratchFolder folder;
  const fs::path path = folder / "no.rsow";
  const auto class_of = [](const fs::path& file) {
    const std::optional<Error> error = error_from([&] { read_everything(file); });
    return error ? std::optional<ErrorClass>(error->error_class()) : std::nullopt;
  };
  EXPECT_EQ(class_of(path), ErrorClass::kIo);
  EXPECT_EQ(class_of(folder.path()), ErrorClass::kIo);
  write_bytes(path, Bytes{});
  EXPECT_EQ(class_of(path), ErrorClass::kCorrupt);
  write_bytes(path, Bytes(5000, 0));
  EXPECT_EQ(class_of(path), ErrorClass::kCorrupt);
  write_bytes(path, Bytes(5000, '\n'));
  EXPECT_EQ(class_of(path), ErrorClass::kCorrupt);
  const auto error = error_from([&] { read_everything(path); });
  EXPECT_NE(std::string(error->what()).find(path.string()), std::string::npos);
}

// ---- Writing ----

TEST(TableFile, AFolderThatIsNotThereCannotBeWrittenTo) {
  const ScratchFolder folder;
  const std::vector<Value> values = made_up_values(2, 17, 2);
  const auto error = error_from(
      [&] { write_table(folder / "nowhere", level_header(urim_rules(), 2, 2), values); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kIo);
  EXPECT_NE(std::string(error->what()).find("nowhere"), std::string::npos) << error->what();
}

TEST(TableFile, AWriteThatFailsLeavesNothingAndKeepsTheOldFile) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 2, 5);
  const Bytes before = read_bytes(path);
  // No file may grow beyond 100 bytes for a moment.
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  rlimit small = limit;
  small.rlim_cur = 100;
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::optional<Error> error = error_from([&] { write_made_up_level(folder, 2, 5); });
  setrlimit(RLIMIT_FSIZE, &limit);
  signal(SIGXFSZ, old_handler);
  ASSERT_TRUE(error.has_value());
  EXPECT_TRUE(error->error_class() == ErrorClass::kIo ||
              error->error_class() == ErrorClass::kLimit);
  EXPECT_TRUE(files_ending(folder.path(), ".partial").empty());
  EXPECT_EQ(files_ending(folder.path(), "").size(), 1U);
  EXPECT_EQ(read_bytes(path), before);
}

}  // namespace
}  // namespace retrosow::test
