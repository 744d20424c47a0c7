// Digests: XXH3-128 of values and of rules, as 32 hex digits (the form `xxhsum -H2` prints).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bitboard/rules.h"

namespace retrosow {

struct Digest {
  std::array<std::uint8_t, 16> bytes{};  // canonical (big-endian) order: hex() prints them in turn

  std::string hex() const;
  bool operator==(const Digest&) const = default;
};

Digest digest_of(std::span<const std::byte> data);

// The digest of data that comes in pieces.
class StreamingDigest {
 public:
  StreamingDigest();
  ~StreamingDigest();
  StreamingDigest(const StreamingDigest&) = delete;
  StreamingDigest& operator=(const StreamingDigest&) = delete;
  void add(std::span<const std::byte> data);
  Digest digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::uint64_t checksum_of(std::span<const std::byte> data);  // XXH3-64

// Digest of the text "<family> <canonical text>", family `urim` or `rio-kadalis`: what changes values and
// nothing else.
Digest rules_digest(const RuleSet& rules);

}  // namespace retrosow
