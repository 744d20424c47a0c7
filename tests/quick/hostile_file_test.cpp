// Replays what the fuzzer does (tests/fuzz), over a seeded set of mutated files: no sanitizer sees more here than
// the preset has, but every build runs it.
#include "tests/support/hostile_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tests/support/boards.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

Bytes with_repair(std::uint8_t what, const Bytes& file) {
  Bytes input(1 + file.size(), what);
  std::copy(file.begin(), file.end(), input.begin() + 1);
  return input;
}

// Bytes, words and lengths changed, pieces copied and cut out, often in the first 120 bytes.
Bytes mutated(const Bytes& file, RandomNumbers& random) {
  Bytes bytes = file;
  for (unsigned changes = 1 + random.below(3); changes > 0 && bytes.size() > 16; --changes) {
    const auto size = static_cast<unsigned>(bytes.size());
    const std::size_t at = random.below(random.one_in(2) ? std::min(size, 120U) : size - 8);
    switch (random.below(6)) {
      case 0: bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1U << random.below(8))); break;
      case 1: bytes[at] = static_cast<std::uint8_t>(random.next()); break;
      case 2: set_field(bytes, std::min<std::size_t>(at, size - 8), random.next() >> random.below(64)); break;
      case 3: set_field(bytes, std::min<std::size_t>(at, size - 8), ~std::uint64_t{0} << random.below(64)); break;
      case 4: bytes.resize(size - random.below(std::min(size, 40U))); break;
      default: bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), random.below(9), 0);
    }
  }
  return bytes;
}

TEST(HostileFile, RightFilesAreAcceptedWithAndWithoutRepair) {
  const ScratchFolder folder;
  for (const fs::path& path : small_files(folder)) {
    const Bytes file = read_bytes(path);
    for (const unsigned what : {0U, 1U, 3U, 7U, 15U, 31U, 63U}) {
      bool accepted = false;
      EXPECT_EQ(hostile_file_fault(folder / "hostile.rsow", with_repair(static_cast<std::uint8_t>(what), file), &accepted), "");
      EXPECT_TRUE(accepted) << path << ", repaired " << what;
    }
  }
}

TEST(HostileFile, NoMutationIsAFault) {
  const ScratchFolder folder;
  RandomNumbers random(2024);
  for (const fs::path& path : small_files(folder)) {
    const Bytes file = read_bytes(path);
    unsigned accepted_files = 0;
    for (unsigned i = 0; i < 1500; ++i) {
      const Bytes input = with_repair(static_cast<std::uint8_t>(random.below(64)), mutated(file, random));
      bool accepted = false;
      ASSERT_EQ(hostile_file_fault(folder / "hostile.rsow", input, &accepted), "") << path << ", mutation " << i;
      accepted_files += accepted;
    }
    EXPECT_LT(accepted_files, 300U);  // those whose change is in the builder's name, say
  }
}

// Found by reading the reader with the fuzzer in mind.
TEST(HostileFile, PositionsThatRoundUpToNoBlockAreRefused) {
  const ScratchFolder folder;
  for (const fs::path& path : small_files(folder)) {
    Bytes file = read_bytes(path);
    set_field(file, kPositionsAt, ~std::uint64_t{0});
    set_field(file, kBlocksAt, std::uint32_t{0});
    file.resize(entry_of(file, 0) + 8);
    seal_header(file);
    seal_index(file);
    EXPECT_EQ(refusal_fault(folder / "hostile.rsow", file, "2^64 - 1 positions in no block"), "");
  }
}

// Found by the fuzzer: after some 65,000 refused files nothing could be mapped any more.
TEST(HostileFile, ARefusedFileDoesNotStayMapped) {
  const ScratchFolder folder;
  const fs::path path = write_made_up_level(folder, 2, 5);
  Bytes file = read_bytes(path);
  file[kSeedsAt] ^= 1;
  write_bytes(path, file);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(error_from([&] { read_everything(path); }).has_value());
  std::ifstream maps("/proc/self/maps");
  ASSERT_TRUE(maps);
  for (std::string line; std::getline(maps, line);) {
    EXPECT_EQ(line.find(path.filename().string()), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace retrosow::test
