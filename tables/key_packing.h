// Packs the keys of a block of a round, each by where it differs from the one before it.
//
// Keys ascend, so a key is its predecessor as far as some lane from the top, more in that lane, and
// anything below; the last pit (lane 0) is what is missing from the stones of the level:
//
//   first key   stands in the block index
//   others      one byte: the highest lane L that differs; then the increase of lane L, and lanes L - 1 .. 1
//
// The bytes L come first, in the order of keys; then a run of bytes for each lane from 15 down to 1. Like stands by
// like there, which is what the compression behind it lives on. FORMAT.md has an example.
// Cost: 2x6, level 24: 0.74 bytes a key through zstd, where the lanes as they are take 1.17.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bitboard/position.h"

namespace retrosow {

// What all keys of a level have in common.
struct KeyForm {
  unsigned seeds = 0;   // of the level
  bool marked = false;  // lane 15 is the mark of swapped sides, no pit: rows of different length
};

// Appends to `out`. Pre: the keys are of one level and ascend.
void pack_keys(std::span<const Position> keys, std::vector<std::byte>& out);

// Fills keys[1] and on; keys[0] is there. False where `packed` is not what pack_keys makes: too short, too long, a
// lane that does not rise, another number of stones than the level has.
bool unpack_keys(const KeyForm& form, std::span<const std::byte> packed, std::span<Position> keys);

}  // namespace retrosow
