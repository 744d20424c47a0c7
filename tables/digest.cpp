#include "tables/digest.h"

#include <xxhash.h>

#include <new>

namespace retrosow {
namespace {

Digest from_hash(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  Digest digest;
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) digest.bytes[i] = canonical.digest[i];
  return digest;
}

}  // namespace

std::string Digest::hex() const {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

Digest digest_of(std::span<const std::byte> data) { return from_hash(XXH3_128bits(data.data(), data.size())); }

struct StreamingDigest::State {
  XXH3_state_t* hash = nullptr;
  ~State() { XXH3_freeState(hash); }
};

StreamingDigest::StreamingDigest() : state_(std::make_unique<State>()) {
  state_->hash = XXH3_createState();
  if (state_->hash == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_->hash);
}
StreamingDigest::~StreamingDigest() = default;

void StreamingDigest::add(std::span<const std::byte> data) {
  XXH3_128bits_update(state_->hash, data.data(), data.size());
}

Digest StreamingDigest::digest() const { return from_hash(XXH3_128bits_digest(state_->hash)); }

std::uint64_t checksum_of(std::span<const std::byte> data) { return XXH3_64bits(data.data(), data.size()); }

Digest rules_digest(const RuleSet& rules) {
  const std::string family = family_of(rules.game) == Family::kUrim ? "urim" : "rio-kadalis";
  const std::string text = family + ' ' + canonical_text(rules);
  return digest_of(std::as_bytes(std::span(text)));
}

}  // namespace retrosow
