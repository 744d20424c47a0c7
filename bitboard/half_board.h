// Half-board tables: moves of the Urim family as look-ups on the two halves of a board.
//
// Cut a board into the mover's half A and the opponent's half B. Sowing pit i of A gives, by A alone, a
// new half A', the number x of seeds that cross over, and whether the last one lands across. What they
// do there depends on B and (x, lands) alone: a new half B' and the seeds captured. The pair (x, lands)
// is a *crossing*; there are few of them (15 on 2x6 with a pit limit of 17). So
//
//   (A, i)        -> (A', crossing)          sower moves
//   (B, crossing) -> (B', captured)          receptions
//
// and the child, seen by the opponent, has A' as its opponent's half and B' as its mover's half: with
// the ranks of rank.h its index is base(a') + rank(A') * count(b') + rank(B').
//
// Receptions come in three kinds. Quiet: nothing is captured; these are also tabulated backwards, as
// the halves B that become B'. Special ones are listed by crossing and by the seeds of B:
//
//   capture   captured > 0
//   illegal   the pit limit or the grand-slam rule forbids the move for this B
//   coupled   under pit-limit-rule skip, full pits of B send seeds back to A that would otherwise have
//             stayed across: the move has to be made on the whole board (B = 17,0,0,0,0,0 and six
//             crossing seeds)
//
// What looks at a position as a whole is left to the user of the tables: feeding (only boards with an
// empty opponent's half) and starvation (captures marked `starves`).
//
// Memory: 4 (crossings + 1) + 8 k + ~4 k bytes for each half of up to max_seeds seeds, and 12 bytes for
// each special reception; memory_bytes() tells before anything is allocated.
// Thread: const use is safe.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bitboard/moves.h"
#include "bitboard/rank.h"

namespace retrosow {

inline constexpr std::uint32_t kNoHalf = 0xffff'ffff;

struct Crossing {
  std::uint8_t seeds = 0;  // x
  bool lands = false;      // the last seed falls across; false: in the mover's own row
  bool operator==(const Crossing&) const = default;
};

// What sowing one pit does to the mover's half.
struct SowerMove {
  std::uint32_t rank = kNoHalf;  // of A' among the halves with its seeds; kNoHalf: no such move
  std::uint8_t seeds = 0;        // in A'
  std::uint8_t crossing = 0;     // index into crossings()
  std::uint8_t pit = 0;
};

enum class ReceptionKind : std::uint8_t { kCapture, kIllegal, kCoupled };

// A special reception: what a crossing does to the opponent's half `rank`.
struct Reception {
  std::uint32_t rank = 0;         // of B
  std::uint32_t result_rank = 0;  // of B', kCapture
  std::uint8_t captured = 0;      // seeds, kCapture
  ReceptionKind kind = ReceptionKind::kCapture;
  bool starves = false;           // leaves B' empty
};

// A sower of a half A': the half A, by rank, and the crossing by which it becomes A'. The seeds of A are those
// of A' and of the crossing together.
struct Sower {
  std::uint32_t packed;
  std::uint32_t rank() const { return packed >> 8; }
  std::uint8_t crossing() const { return static_cast<std::uint8_t>(packed); }
};

class HalfBoard {
 public:
  // `check_stop`, if there is one, is called again and again while the tables are made, and may throw to stop it.
  // Fails: limit error where a level has more than 2^24 halves with equal seeds.
  // Cost: 2.5 s for the 4.4 million halves of 2x6 up to 36 seeds (AMD EPYC).
  HalfBoard(const RuleSet& rules, unsigned pits, unsigned max_seeds, const std::function<void()>& check_stop = {});

  const HalfRanks& ranks() const { return ranks_; }
  unsigned pits() const { return ranks_.pits(); }
  const std::vector<Crossing>& crossings() const { return crossings_; }

  // A half by number: halves with fewer seeds first, then by rank.
  std::uint32_t id(unsigned seeds, std::uint32_t rank) const { return first_id_[seeds] + rank; }
  std::uint32_t first_id(unsigned seeds) const { return first_id_[seeds]; }
  std::uint32_t halves() const { return first_id_.back(); }
  std::uint32_t count(unsigned seeds) const { return first_id_[seeds + 1] - first_id_[seeds]; }

  // The moves of a half; `pits()` entries, those without a move at the end.
  std::span<const SowerMove> moves(std::uint32_t id) const { return {moves_.data() + std::size_t{id} * pits(), pits()}; }
  unsigned move_count(std::uint32_t id) const { return move_count_[id]; }

  // The special receptions of halves with `seeds` seeds, ascending by rank.
  std::span<const Reception> special(unsigned crossing, unsigned seeds) const {
    return special_[crossing * (ranks_.max_seeds() + 1) + seeds];
  }

  // The halves that some sowing turns into this one.
  std::span<const Sower> sowers(std::uint32_t id) const {
    return {sowers_.data() + first_sower_[id], first_sower_[id + 1] - first_sower_[id]};
  }

  // Backward receptions of B': one word a crossing, the rank of the half that becomes B' quietly, or
  // kNoHalf. Its seeds are those of B' less those of the crossing. The last word is 1 if some crossing has
  // more such halves (pit-limit-rule skip), which more_origins lists.
  std::span<const std::uint32_t> origins(std::uint32_t id) const {
    return {origins_.data() + std::size_t{id} * origin_words(), origin_words()};
  }
  std::size_t origin_words() const { return crossings_.size() + 1; }
  struct MoreOrigin {
    std::uint32_t id = 0;        // of B'
    std::uint8_t crossing = 0;
    std::uint32_t rank = 0;      // of B
    auto operator<=>(const MoreOrigin&) const = default;
  };
  std::span<const MoreOrigin> more_origins(std::uint32_t id) const;

  // Asks for the memory that sowers(opponent) and origins(mover) will need, and then for the sowers.
  void prefetch(std::uint32_t opponent, std::uint32_t mover) const {
    __builtin_prefetch(&first_sower_[opponent]);
    __builtin_prefetch(&origins_[std::size_t{mover} * origin_words()]);
  }
  void prefetch_sowers(std::uint32_t opponent) const { __builtin_prefetch(sowers_.data() + first_sower_[opponent]); }

  // The half's pits as lanes, the last pit in byte 0.
  std::uint64_t lanes(std::uint32_t id) const { return lanes_[id]; }

  static std::uint64_t memory_bytes(const RuleSet& rules, unsigned pits, unsigned max_seeds);
  // Throws what the constructor would for this board. Cost: nothing to speak of.
  static void refuse_too_large(const RuleSet& rules, unsigned pits, unsigned max_seeds);

 private:
  void find_sower_moves(const RuleSet& rules, const std::function<void()>& check_stop);
  void find_receptions(const RuleSet& rules, const std::function<void()>& check_stop);
  void list_sowers();

  HalfRanks ranks_;
  std::vector<std::uint32_t> first_id_;
  std::vector<std::uint64_t> lanes_;
  std::vector<Crossing> crossings_;
  std::vector<SowerMove> moves_;
  std::vector<std::uint8_t> move_count_;
  std::vector<std::vector<Reception>> special_;
  std::vector<std::uint32_t> origins_;
  std::vector<MoreOrigin> more_origins_;
  std::vector<std::uint32_t> first_sower_;
  std::vector<Sower> sowers_;
};

}  // namespace retrosow
