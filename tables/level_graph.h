// The moves of a level of the Urim family as a graph on half-board tables (bitboard/half_board.h): what the
// passes of the builder share.
//
// Most quiet moves are in the tables, forwards and backwards. The others are *linked*: moves of
// boards with an empty opponent's half (feeding looks at all moves together), and coupled receptions. Their
// predecessors are kept in a sorted list.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bitboard/half_board.h"

namespace retrosow {

// Where boards stand in the index of every level up to `seeds`.
class LevelBases {
 public:
  LevelBases(const HalfBoard& half_board, unsigned seeds) {
    for (unsigned m = 0; m <= seeds; ++m) {
      std::vector<LevelIndex> base = {0};
      for (unsigned s = 0; s <= m; ++s) {
        base.push_back(base.back() + LevelIndex{half_board.count(s)} * half_board.count(m - s));
      }
      base_.push_back(std::move(base));
    }
  }
  // The first index, in the level of `seeds`, of the boards with `opponent_seeds` in the opponent's half.
  LevelIndex of(unsigned seeds, unsigned opponent_seeds) const { return base_[seeds][opponent_seeds]; }
  LevelIndex size(unsigned seeds) const { return base_[seeds].back(); }
  // The seeds in the opponent's half of a board. Pre: index < size(seeds).
  unsigned opponent_seeds(unsigned seeds, LevelIndex index) const {
    const std::vector<LevelIndex>& base = base_[seeds];
    return static_cast<unsigned>(std::upper_bound(base.begin(), base.end(), index) - base.begin()) - 1;
  }

 private:
  std::vector<std::vector<LevelIndex>> base_;
};

// A quiet move that the half-board tables do not describe.
struct Link {
  LevelIndex child;
  LevelIndex parent;
  auto operator<=>(const Link&) const = default;
};

// Which positions have links to them, by chunks of positions: few do, and they lie close together.
class LinkedChunks {
 public:
  LinkedChunks(LevelIndex size, std::span<const Link> links) : marks_(words_for(size)) {
    for (const Link& link : links) marks_[word_of(link.child)] |= bit_of(link.child);
  }
  bool maybe(LevelIndex child) const { return (marks_[word_of(child)] & bit_of(child)) != 0; }
  static std::uint64_t memory_bytes(LevelIndex size) { return words_for(size) * sizeof(std::uint64_t); }

 private:
  static constexpr unsigned kChunkShift = 6;
  static std::size_t word_of(LevelIndex index) { return static_cast<std::size_t>(index >> (kChunkShift + 6)); }
  static std::uint64_t bit_of(LevelIndex index) { return std::uint64_t{1} << (index >> kChunkShift & 63); }
  static std::size_t words_for(LevelIndex size) { return word_of(size) + 1; }

  std::vector<std::uint64_t> marks_;
};

// Takes positions of one level and finds their predecessors by quiet moves, with the memory accesses of many
// positions in flight: a position waits a little between the request of its tables and their use.
//
// Derived has `void found(LevelIndex predecessor, std::uint8_t payload)`, which is called once for every
// predecessor of every position, with the payload of that position.
// Thread: one stream for each worker.
template <typename Derived>
class PredecessorStream {
 public:
  struct Item {
    std::uint32_t opponent, mover;  // half numbers
    std::uint8_t mover_seeds;
    std::uint8_t payload;
    bool linked;  // some predecessors are in the list of links
  };

  // `links` is sorted, and outlives the stream.
  PredecessorStream(const HalfBoard& half_board, const LevelBases& bases, unsigned seeds, std::span<const Link> links)
      : half_board_(half_board), bases_(bases), seeds_(seeds), links_(links) {
    for (const Crossing& crossing : half_board.crossings()) crossed_.push_back(crossing.seeds);
    for (unsigned s = 0; s <= seeds; ++s) {
      base_.push_back(bases.of(seeds, s));
      row_length_.push_back(half_board.count(seeds - s));
    }
    base_.push_back(bases.size(seeds));
  }

 protected:
  // Takes a position. Its predecessors may be told later, the last of them by finish().
  void enter(LevelIndex index, std::uint8_t payload, bool linked) {
    // Positions come in runs of equal numbers of seeds in their halves.
    if (index < base_[here_] || index >= base_[here_ + 1]) here_ = bases_.opponent_seeds(seeds_, index);
    const LevelIndex offset = index - base_[here_];
    const LevelIndex length = row_length_[here_];
    const Item item{half_board_.id(here_, static_cast<std::uint32_t>(offset / length)),
                    half_board_.id(seeds_ - here_, static_cast<std::uint32_t>(offset % length)),
                    static_cast<std::uint8_t>(seeds_ - here_), payload, linked};
    half_board_.prefetch(item.opponent, item.mover);
    if (last_ - first_ >= kAhead / 2) half_board_.prefetch_sowers(ahead_[(last_ - kAhead / 2) % kAhead].opponent);
    if (last_ - first_ == kAhead) expand(ahead_[first_++ % kAhead]);
    ahead_[last_++ % kAhead] = item;
  }

  void finish() {
    while (first_ != last_) expand(ahead_[first_++ % kAhead]);
  }

 private:
  static constexpr std::size_t kAhead = 16;  // positions whose tables are requested

  // Boards with an empty opponent's half are linked, so they are left out here.
  void expand(const Item& item) {
    Derived& derived = static_cast<Derived&>(*this);
    const std::span<const std::uint32_t> origins = half_board_.origins(item.mover);
    const bool more = origins.back() != 0;
    for (const Sower sower : half_board_.sowers(item.opponent)) {
      const unsigned crossing = sower.crossing();
      const unsigned crossed = crossed_[crossing];
      if (crossed >= item.mover_seeds) continue;
      const unsigned b = item.mover_seeds - crossed;
      const LevelIndex column = base_[b] + sower.rank();
      if (origins[crossing] != kNoHalf) derived.found(column + origins[crossing] * row_length_[b], item.payload);
      if (!more) continue;
      for (const HalfBoard::MoreOrigin& origin : half_board_.more_origins(item.mover)) {
        if (origin.crossing == crossing) derived.found(column + origin.rank * row_length_[b], item.payload);
      }
    }
    if (item.linked) tell_links(item);
  }

  void tell_links(const Item& item) {
    const unsigned b = seeds_ - item.mover_seeds;
    const LevelIndex index = base_[b] + LevelIndex{item.opponent - half_board_.first_id(b)} * row_length_[b] +
                             (item.mover - half_board_.first_id(item.mover_seeds));
    for (auto at = std::lower_bound(links_.begin(), links_.end(), Link{index, 0});
         at != links_.end() && at->child == index; ++at) {
      static_cast<Derived&>(*this).found(at->parent, item.payload);
    }
  }

  const HalfBoard& half_board_;
  const LevelBases& bases_;
  unsigned seeds_;
  std::span<const Link> links_;
  std::vector<std::uint8_t> crossed_;
  std::vector<LevelIndex> base_, row_length_;  // by seeds in the opponent's half
  unsigned here_ = 0;                          // seeds in the opponent's half of the last position
  std::array<Item, kAhead> ahead_{};
  std::size_t first_ = 0, last_ = 0;
};

}  // namespace retrosow
