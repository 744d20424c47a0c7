// Table files as bytes, to be damaged on purpose. Offsets are those of tables/FORMAT.md.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitboard/error.h"

namespace retrosow::test {

using Bytes = std::vector<std::uint8_t>;

Bytes read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);

template <typename T>
T get_field(const Bytes& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <typename T>
void set_field(Bytes& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// Offsets of header fields.
inline constexpr std::size_t kHeaderLengthAt = 8, kVersionAt = 12, kIndexKindAt = 16,
                             kFamilyAt = 17, kMoverPitsAt = 18, kOpponentPitsAt = 19, kSeedsAt = 20,
                             kPositionsAt = 24, kBlockValuesAt = 32, kBlocksAt = 36, kDigestAt = 40,
                             kRulesDigestAt = 56, kRootAt = 72, kPackingAt = 88, kKindAt = 89, kReservedAt = 90,
                             kValuesDigestAt = 104, kTextsAt = 120;

std::size_t header_bytes_of(const Bytes& bytes);
// The offset of the index entry of a block.
std::size_t entry_of(const Bytes& bytes, std::size_t block);

// Make the checksums right again after a change, so that only the meaning can be wrong.
void seal_header(Bytes& bytes);
void seal_index(Bytes& bytes);
void seal_block(Bytes& bytes, std::size_t block);

// The error of an action, or nothing.
std::optional<Error> error_from(const std::function<void()>& action);

}  // namespace retrosow::test
