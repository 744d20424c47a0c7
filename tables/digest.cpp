#include "tables/digest.h"

#include <xxhash.h>

namespace retrosow {

std::string Digest::hex() const {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

Digest digest_of(std::span<const std::byte> data) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(data.data(), data.size()));
  Digest digest;
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) digest.bytes[i] = canonical.digest[i];
  return digest;
}

std::uint64_t checksum_of(std::span<const std::byte> data) { return XXH3_64bits(data.data(), data.size()); }

Digest rules_digest(const RuleSet& rules) {
  const std::string family = family_of(rules.game) == Family::kUrim ? "urim" : "rio-kadalis";
  const std::string text = family + ' ' + canonical_text(rules);
  return digest_of(std::as_bytes(std::span(text)));
}

}  // namespace retrosow
