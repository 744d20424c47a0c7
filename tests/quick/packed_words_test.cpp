// Packed words against an array of plain ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

#include "tables/packed_words.h"

namespace retrosow::test {
namespace {

template <typename Words>
class PackedWordsTest : public ::testing::Test {
 protected:
  static constexpr LevelIndex kSize = 1008;  // a multiple of 16

  PackedWordsTest() : bytes_(Words::bytes_for(kSize)), packed_(bytes_.data()), plain_(kSize) {}

  unsigned random_word() {
    // Few different ones, so that searches find some.
    const unsigned best = random_() % 3 == 0 ? Words::kBest : random_() % 4;
    const unsigned open = random_() % 3 == 0 ? Words::kMaxOpen - random_() % 2 : random_() % 3;
    return best | open << Words::kBestBits;
  }

  void expect_equal() const {
    for (LevelIndex i = 0; i < kSize; ++i) ASSERT_EQ(packed_.get(i), plain_[i]) << i;
  }

  std::mt19937 random_{7};
  std::vector<std::uint8_t> bytes_;
  Words packed_;
  std::vector<std::uint16_t> plain_;
};

using Widths = ::testing::Types<PackedWords<10>, PackedWords<12>>;
TYPED_TEST_SUITE(PackedWordsTest, Widths);

TYPED_TEST(PackedWordsTest, AWordIsSetWithoutItsNeighbours) {
  for (int i = 0; i < 20'000; ++i) {
    const LevelIndex at = this->random_() % this->kSize;
    this->plain_[at] = static_cast<std::uint16_t>(this->random_word());
    this->packed_.set(at, this->plain_[at]);
    ASSERT_EQ(this->packed_.get(at), this->plain_[at]);
  }
  this->expect_equal();
}

TYPED_TEST(PackedWordsTest, SearchesFindWhatTheyAreAskedFor) {
  for (int round = 0; round < 20; ++round) {
    for (LevelIndex i = 0; i < this->kSize; ++i) {
      this->plain_[i] = static_cast<std::uint16_t>(this->random_word());
      this->packed_.set(i, this->plain_[i]);
    }
    for (LevelIndex first = 0; first < this->kSize; first += TypeParam::kStretch) {
      unsigned most_open = 0;
      for (unsigned i = 0; i < 16; ++i) {
        if (this->plain_[first + i] >> TypeParam::kBestBits == TypeParam::kMaxOpen) most_open |= 1U << i;
      }
      ASSERT_EQ(this->packed_.with_max_open(first), most_open);
      for (const unsigned best : {0U, 1U, 2U, 3U, 5U, TypeParam::kBest}) {
        unsigned expected = 0;
        for (unsigned i = 0; i < 16; ++i) {
          const unsigned word = this->plain_[first + i];
          if ((word & TypeParam::kBest) == best && word >> TypeParam::kBestBits != 0) expected |= 1U << i;
        }
        ASSERT_EQ(this->packed_.with_best_and_open(first, best), expected) << "best " << best;
      }
    }
  }
}

TYPED_TEST(PackedWordsTest, ThreadsWriteStretchesThatMeetWithinAByte) {
  for (auto& word : this->plain_) word = static_cast<std::uint16_t>(this->random_word());
  // Stretches of 1 to 9 words; the two threads take turns, so that they meet everywhere.
  std::vector<LevelIndex> ends = {0};
  while (ends.back() < this->kSize) {
    ends.push_back(std::min<LevelIndex>(this->kSize, ends.back() + 1 + this->random_() % 9));
  }
  const auto write_every_other = [&](std::size_t from) {
    for (std::size_t i = from; i + 1 < ends.size(); i += 2) {
      this->packed_.write(ends[i], std::span(this->plain_).subspan(ends[i], ends[i + 1] - ends[i]));
    }
  };
  std::thread other(write_every_other, 0);
  write_every_other(1);
  other.join();
  this->expect_equal();
}

}  // namespace
}  // namespace retrosow::test
