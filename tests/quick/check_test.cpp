// The check of a folder: no byte of a file can change unnoticed, and the fault of one does not hide another's.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tables/build.h"
#include "tables/check.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_bytes.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

CheckedFolder check(const ScratchFolder& folder, unsigned threads = 1) {
  CheckOptions options;
  options.threads = threads;
  return check_folder(folder.path(), options);
}

// Distances that go with a file of values, made up.
fs::path write_made_up_distances_of(const ScratchFolder& folder, const fs::path& values) {
  const TableReader reader(values);
  TableHeader header = distance_header(reader.header());
  const fs::path path = folder / table_file_name(header);
  TableWriter writer(folder.path(), header, reader.header().positions);
  std::vector<std::uint16_t> distances(static_cast<std::size_t>(reader.header().positions));
  for (std::size_t i = 0; i < distances.size(); ++i)
    distances[i] = static_cast<std::uint16_t>(i * 7 % 1000);
  writer.append(writer.pack(distances), std::span<const std::uint16_t>(distances));
  writer.finish();
  return path;
}

// Small files in one folder, one of every kind is returned.
std::vector<fs::path> write_files(const ScratchFolder& folder) {
  std::vector<fs::path> files = small_files(folder);
  files.push_back(write_made_up_distances_of(folder, files.front()));
  std::sort(files.begin(), files.end());
  return files;
}

std::string names_of_damaged(const CheckedFolder& checked) {
  std::string names;
  for (const CheckedFile& file : checked.files) {
    if (file.error) names += (names.empty() ? "" : " ") + file.path.filename().string();
  }
  return names;
}

TEST(Check, WholeFilesOfEveryKindAreFoundWhole) {
  const ScratchFolder folder;
  write_files(folder);
  const std::vector<fs::path> files = files_ending(folder.path(), ".rsow");
  for (const unsigned threads : {1U, 4U}) {
    const CheckedFolder checked = check(folder, threads);
    ASSERT_EQ(checked.files.size(), files.size());
    EXPECT_EQ(names_of_damaged(checked), "");
    for (std::size_t i = 0; i < files.size(); ++i) {
      EXPECT_EQ(checked.files[i].path, files[i]);
      EXPECT_EQ(checked.files[i].bytes, fs::file_size(files[i]));
      ASSERT_TRUE(checked.files[i].header.has_value());
    }
  }
}

TEST(Check, EveryByteTurnedOverIsFoundInItsFileAlone) {
  const ScratchFolder folder;
  for (const fs::path& path : write_files(folder)) {
    const Bytes right = read_bytes(path);
    for (std::size_t at = 0; at < right.size(); ++at) {
      Bytes wrong = right;
      wrong[at] = static_cast<std::uint8_t>(wrong[at] ^ (1U << (at % 8)));
      write_bytes(path, wrong);
      const CheckedFolder checked = check(folder);
      ASSERT_EQ(names_of_damaged(checked), path.filename().string()) << at;
      for (const CheckedFile& file : checked.files) {
        if (!file.error) continue;
        ASSERT_EQ(file.error->error_class(), ErrorClass::kCorrupt) << file.error->what();
        ASSERT_EQ(file.error->path, path.string());
        ASSERT_TRUE(file.error->offset.has_value()) << file.error->what();
        ASSERT_FALSE(file.error->expected.empty() || file.error->found.empty())
            << file.error->what();
      }
    }
    write_bytes(path, right);
  }
  EXPECT_EQ(names_of_damaged(check(folder)), "");
}

TEST(Check, AFileCutAnywhereOrGrownIsFound) {
  const ScratchFolder folder;
  for (const fs::path& path : write_files(folder)) {
    const Bytes right = read_bytes(path);
    for (std::size_t keep = 0; keep <= right.size() + 1; keep += keep < 130 ? 1 : 7) {
      if (keep == right.size()) continue;
      Bytes wrong = right;
      wrong.resize(keep);
      write_bytes(path, wrong);
      ASSERT_EQ(names_of_damaged(check(folder)), path.filename().string()) << keep;
    }
    write_bytes(path, right);
  }
}

TEST(Check, OfSeveralDamagedBlocksTheFirstIsNamedForAnyThreads) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 6, 10);  // 352,716 boards: 44 blocks
  const Bytes right = read_bytes(path);
  const auto block_at = [&](std::size_t block) {
    return get_field<std::uint64_t>(right, entry_of(right, block));
  };
  ASSERT_EQ(names_of_damaged(check(folder, 3)), "");
  for (const std::size_t first : {0, 7, 16, 17, 42}) {
    Bytes wrong = right;
    for (const std::size_t block : {first, std::size_t{43}}) wrong[block_at(block) + 3] ^= 16;
    write_bytes(path, wrong);
    for (const unsigned threads : {1U, 3U}) {
      const CheckedFolder checked = check(folder, threads);
      ASSERT_TRUE(checked.files.front().error.has_value());
      EXPECT_EQ(checked.files.front().error->offset, block_at(first));
    }
  }
}

TEST(Check, ValuesThatDoNotHaveTheirDigestAreFoundThoughEveryChecksumIsRight) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 3, 6);
  Bytes bytes = read_bytes(path);
  bytes[kDigestAt] ^= 1;
  seal_header(bytes);
  write_bytes(path, bytes);
  const CheckedFolder checked = check(folder);
  ASSERT_EQ(names_of_damaged(checked), path.filename().string());
  EXPECT_EQ(checked.files.front().error->offset, 40U);
}

TEST(Check, AFileOfALaterVersionIsUnsupportedAndNotDamaged) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 3, 6);
  Bytes bytes = read_bytes(path);
  set_field<std::uint32_t>(bytes, kVersionAt, 2);
  seal_header(bytes);
  write_bytes(path, bytes);
  const CheckedFolder checked = check(folder);
  ASSERT_TRUE(checked.files.front().error.has_value());
  EXPECT_EQ(checked.files.front().error->error_class(), ErrorClass::kUnsupported);
}

TEST(Check, DistancesOfOtherValuesAreFound) {
  const ScratchFolder folder;
  const fs::path values = write_made_up_level(folder, 3, 6);
  const fs::path distances = write_made_up_distances_of(folder, values);
  ASSERT_EQ(names_of_damaged(check(folder)), "");
  std::vector<Value> others = TableReader(values).read_all();
  ++others[5];
  write_level(folder, urim_rules(), 3, 6, others);
  const CheckedFolder checked = check(folder);
  EXPECT_EQ(names_of_damaged(checked), distances.filename().string());
  fs::remove(values);  // alone they are whole
  EXPECT_EQ(names_of_damaged(check(folder)), "");
}

TEST(Check, LeftoversAreListedAndOtherFilesPassedOver) {
  const ScratchFolder folder;
  write_made_up_level(folder, 2, 3);
  const std::string name = table_file_name(level_header(urim_rules(), 2, 4)) + ".partial";
  write_bytes(folder / name, Bytes(3, 0));
  write_bytes(folder / "MANIFEST.json.partial", Bytes(3, 0));
  write_bytes(folder / "notes.txt", Bytes(3, 0));
  write_bytes(folder / "film.partial", Bytes(3, 0));
  const CheckedFolder checked = check(folder);
  EXPECT_EQ(checked.files.size(), 1U);
  EXPECT_EQ(checked.leftovers,
            (std::vector<fs::path>{folder / "MANIFEST.json.partial", folder / name}));
}

TEST(Check, AFolderThatIsNotThereIsAnIoError) {
  const auto error = error_from([] { check_folder("/nonexistent/folder", {}); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kIo);
}

TEST(Check, StopsWhenItIsToldTo) {
  const ScratchFolder folder;
  write_made_up_level(folder, 3, 6);
  CheckOptions options;
  options.control.stop = [] { return true; };
  const auto error = error_from([&] { check_folder(folder.path(), options); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kInterrupted);
}

TEST(Check, AFileAloneStopsInTheMiddleWhenItIsToldTo) {
  const ScratchFolder folder;
  const TableReader file(write_made_up_level(folder, 6, 12));
  ASSERT_GT(file.header().blocks, 40U);
  unsigned calls = 0;
  const auto stopped = error_from([&] {
    file.check([&] {
      if (++calls == 2) throw Error(ErrorClass::kInterrupted, "interrupted");
    });
  });
  ASSERT_TRUE(stopped.has_value());
  EXPECT_EQ(stopped->error_class(), ErrorClass::kInterrupted);
  calls = 0;
  EXPECT_NO_THROW(file.check([&] { ++calls; }));
  EXPECT_EQ(calls, 1 + file.header().blocks / 16);
  RunControl control;
  unsigned asked = 0;
  std::uint64_t seen = 0;
  control.stop = [&] { return ++asked == 2; };
  const auto error =
      error_from([&] { check_file(file, 1, control, [&](std::uint64_t done) { seen = done; }); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->error_class(), ErrorClass::kInterrupted);
  EXPECT_GT(seen, 0U);
  EXPECT_LT(seen, file.header().positions);
}

TEST(Check, AWrongCopyUnderAnotherNameIsTheFaultAndNotTheDistances) {
  const ScratchFolder folder, elsewhere;
  const fs::path values = write_made_up_level(folder, 3, 4);
  write_made_up_distances(folder, 3, 4);
  std::vector<Value> others = made_up_values(3, 17, 4);
  others[7] = static_cast<Value>(others[7] + 2);
  const fs::path other = write_level(elsewhere, urim_rules(), 3, 4, others);
  for (const char* name : {"aaa.rsow", "zzz.rsow"}) {
    fs::copy_file(other, folder / name);
    const CheckedFolder checked = check_folder(folder.path(), {});
    for (const CheckedFile& file : checked.files) {
      EXPECT_EQ(file.error.has_value(), file.path.filename() == name) << file.path;
      if (!file.error) continue;
      EXPECT_EQ(file.error->error_class(), ErrorClass::kCorrupt);
      EXPECT_NE(std::string(file.error->what()).find(values.string()), std::string::npos);
    }
    fs::remove(folder / name);
  }
}

TEST(Check, ProgressGoesUpToAllPositions) {
  const ScratchFolder folder;
  write_made_up_level(folder, 6, 9);
  write_made_up_level(folder, 6, 5);
  CheckOptions options;
  options.threads = 1;
  std::uint64_t last = 0, total = 0;
  options.control.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.done, last);
    last = progress.done;
    total = progress.total;
  };
  check_folder(folder.path(), options);
  EXPECT_EQ(total, 167'960U + 4'368U);
  EXPECT_EQ(last, total);
}

TEST(Check, AFileThatIsNotTheListedOneIsAFaultWhateverDiffers) {
  const ScratchFolder folder;
  write_made_up_level(folder, 3, 6);
  const CheckedFolder checked = check(folder);
  const CheckedFile& file = checked.files.front();
  const ManifestEntry right =
      manifest_entry(file.path.filename().string(), *file.header, file.bytes);
  ASSERT_FALSE(manifest_fault(file, right).has_value());
  const std::vector<std::function<void(ManifestEntry&)>> changes = {
      [](ManifestEntry& e) { e.kind = TableKind::kDistances; },
      [](ManifestEntry& e) { e.game = "awari"; },
      [](ManifestEntry& e) { e.rules += " "; },
      [](ManifestEntry& e) { e.shape = rows(3, 2); },
      [](ManifestEntry& e) { e.start = "1/1"; },
      [](ManifestEntry& e) { ++e.seeds; },
      [](ManifestEntry& e) { ++e.positions; },
      [](ManifestEntry& e) { ++e.bytes; },
      [](ManifestEntry& e) { e.digest[0] ^= 1; }};
  for (const auto& change : changes) {
    ManifestEntry other = right;
    change(other);
    const auto fault = manifest_fault(file, other);
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->error_class(), ErrorClass::kCorrupt);
    EXPECT_EQ(fault->path, file.path.string());
    EXPECT_NE(std::string(fault->what()).find("MANIFEST.json"), std::string::npos);
  }
}

}  // namespace
}  // namespace retrosow::test
