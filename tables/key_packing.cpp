#include "tables/key_packing.h"

#include <array>

namespace retrosow {
namespace {

unsigned highest_difference(const Position& a, const Position& b) {
  unsigned lane = kLanes - 1;
  while (lane > 0 && a.lanes[lane] == b.lanes[lane]) --lane;
  return lane;
}

}  // namespace

void pack_keys(std::span<const Position> keys, std::vector<std::byte>& out) {
  std::array<std::vector<std::byte>, kLanes> lanes;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const Position &before = keys[i - 1], &key = keys[i];
    const unsigned top = highest_difference(before, key);
    out.push_back(static_cast<std::byte>(top));
    lanes[top].push_back(static_cast<std::byte>(key.lanes[top] - before.lanes[top]));
    for (unsigned lane = top; lane-- > 1;) lanes[lane].push_back(static_cast<std::byte>(key.lanes[lane]));
  }
  for (unsigned lane = kLanes; lane-- > 1;) out.insert(out.end(), lanes[lane].begin(), lanes[lane].end());
}

bool unpack_keys(const KeyForm& form, std::span<const std::byte> packed, std::span<Position> keys) {
  const std::size_t others = keys.size() - 1;
  if (packed.size() < others) return false;
  // Where the run of each lane begins: lane l has a byte for every key that differs in a lane from l up.
  std::array<std::size_t, kLanes> count{}, next{};
  for (const std::byte top : packed.first(others)) {
    const auto lane = static_cast<unsigned>(top);
    if (lane == 0 || lane >= kLanes) return false;
    ++count[lane];
  }
  std::size_t at = others, bytes = 0;
  for (unsigned lane = kLanes; lane-- > 1;) {
    next[lane] = at;
    bytes += count[lane];
    at += bytes;
  }
  if (at != packed.size()) return false;

  const unsigned pits = form.marked ? kLanes - 1 : kLanes;
  const auto stones_above_last = [&](const Position& key) {
    unsigned stones = 0;
    for (unsigned lane = 1; lane < pits; ++lane) stones += key.lanes[lane];
    return stones;
  };
  if (stones_above_last(keys[0]) + keys[0].lanes[0] != form.seeds) return false;
  for (std::size_t i = 1; i <= others; ++i) {
    const auto top = static_cast<unsigned>(packed[i - 1]);
    Position key = keys[i - 1];
    const unsigned risen = key.lanes[top] + static_cast<unsigned>(packed[next[top]++]);
    if (risen == key.lanes[top] || risen > (top < pits ? form.seeds : 1)) return false;
    key.lanes[top] = static_cast<std::uint8_t>(risen);
    for (unsigned lane = top; lane-- > 1;) key.lanes[lane] = static_cast<std::uint8_t>(packed[next[lane]++]);
    const unsigned stones = stones_above_last(key);
    if (stones > form.seeds) return false;
    key.lanes[0] = static_cast<std::uint8_t>(form.seeds - stones);
    keys[i] = key;
  }
  return true;
}

}  // namespace retrosow
