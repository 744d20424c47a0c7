// tests/quick/table_file_test.cpp, further.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/table_bytes.h"
#include "tests/support/table_files.h"

namespace retrosow::test {
namespace {

TEST(TableFileFull, AFlippedBitInAFileOfManyBlocksIsNoticed) {
  const ScratchFolder folder;
  const std::filesystem::path path = write_made_up_level(folder, 6, 8);
  const Bytes right = read_bytes(path);
  for (std::size_t at = 0; at < right.size(); at += 7) {
    Bytes wrong = right;
    wrong[at] = static_cast<std::uint8_t>(wrong[at] ^ (1U << at % 8));
    ASSERT_EQ(refusal_fault(path, wrong, "a flip in byte " + std::to_string(at)), "");
  }
}

}  // namespace
}  // namespace retrosow::test
