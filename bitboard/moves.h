// Moves: the list of a position's legal moves with their results, for both families.
//
// The list is made by one kernel, chosen once; all kernels give the same list:
//
//   portable   plain C++, every machine; also the path for rare cases of the others
//   sse41      one move at a time in 128-bit registers
//   avx512     four moves at a time in 512-bit registers (needs AVX-512 F, BW, VL, DQ)
//
// The best one that the processor has is the default; the environment variable RETROSOW_KERNEL (or a
// name passed here) forces another.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "bitboard/position.h"
#include "bitboard/rules.h"

namespace retrosow {

// Slot i describes the move of the mover's pit i (0-based). Only slots whose bit is set in `legal` mean
// anything; kernels leave the others undefined.
struct alignas(64) MoveList {
  std::array<Position, kMaxPits> result;             // seen by the opponent, who is to move
  std::array<std::uint8_t, kMaxPits> captured{};     // by the mover
  std::array<std::uint8_t, kMaxPits> captured_opponent{};  // fours that fell to the opponent
  std::array<std::uint32_t, kMaxPits> laps{};        // Rio Kadalis; endless: until the state repeats
  std::uint8_t legal = 0;      // bit i: pit i may be played
  std::uint8_t grand_slam = 0; // bit i: takes, or would have taken, all of the opponent's seeds
  std::uint8_t binikh = 0;     // bit i: ended by the last stone making four
  std::uint8_t endless = 0;    // bit i: endless sow; legal under --endless-sow draw only, no result

  unsigned count() const { return static_cast<unsigned>(std::popcount(legal)); }
};

// Of the bits of a move list, or of the closed holes of a board.
constexpr bool has_bit(std::uint8_t bits, unsigned slot) { return ((bits >> slot) & 1U) != 0; }

// Calls f(slot) for every legal move, in ascending order of pits.
template <typename F>
void for_each_move(const MoveList& list, F&& f) {
  for (unsigned bits = list.legal; bits != 0; bits &= bits - 1) {
    f(static_cast<unsigned>(std::countr_zero(bits)));
  }
}

// How a legal move ends, as JSON and tables of moves say it: "plain", "capture", "grand-slam"; in Rio Kadalis "empty",
// "binikh", "endless".
const char* end_of_move(Family family, const MoveList& list, unsigned slot);

// What each side takes when the player to move has no legal move.
struct EndResult {
  unsigned mover = 0;
  unsigned opponent = 0;
  int value() const { return static_cast<int>(mover) - static_cast<int>(opponent); }
};

enum class KernelId : std::uint8_t { kPortable, kSse41, kAvx512 };

std::string_view kernel_name(KernelId kernel);
// Kernels built in and supported by this processor, slowest first.
std::span<const KernelId> available_kernels();
// The forced kernel if RETROSOW_KERNEL is set, else the best available.
// Fails: usage error if the variable names no kernel that is available.
KernelId chosen_kernel();
// Fails: usage error that lists the available kernels.
KernelId parse_kernel(std::string_view name);

struct SowContext;    // sow_context.h
struct RelayContext;

// Generates moves of one rule set on boards of one pair of rows (either side to move).
// Thread: const use from any number of threads.
class MoveGenerator {
 public:
  MoveGenerator(const RuleSet& rules, Shape shape) : MoveGenerator(rules, shape, chosen_kernel()) {}
  MoveGenerator(const RuleSet& rules, Shape shape, KernelId kernel);
  ~MoveGenerator();
  MoveGenerator(MoveGenerator&&) noexcept;
  MoveGenerator& operator=(MoveGenerator&&) noexcept;

  // All legal moves. Pre: `position` passes validate_position, `shape` is this generator's or swapped.
  void generate(const Position& position, Shape shape, MoveList& out) const {
    generate_(*this, position, shape, out);
  }

  // The same for a single pit: only slot `pit` is filled, its bit in `legal` says whether sowing it is
  // possible; the rules that look at the other moves (feeding, starvation) are not applied.
  // Pre: the pit is not empty.
  void sow(const Position& position, Shape shape, unsigned pit, MoveList& out) const {
    sow_(*this, position, shape, pit, out);
  }

  // Pre: no legal move.
  EndResult end(const Position& position, Shape shape) const;

  const RuleSet& rules() const { return rules_; }
  KernelId kernel() const { return kernel_; }
  const SowContext& sow_context() const { return *sow_context_; }
  const RelayContext& relay_context() const { return *relay_context_; }

  using GenerateFunction = void (*)(const MoveGenerator&, const Position&, Shape, MoveList&);
  using SowFunction = void (*)(const MoveGenerator&, const Position&, Shape, unsigned, MoveList&);

 private:
  RuleSet rules_;
  KernelId kernel_;
  std::unique_ptr<const SowContext> sow_context_;      // Urim family
  std::unique_ptr<const RelayContext> relay_context_;  // Rio Kadalis
  GenerateFunction generate_ = nullptr;
  SowFunction sow_ = nullptr;
};

// A kernel's entry points.
struct MoveFunctions {
  MoveGenerator::GenerateFunction generate = nullptr;
  MoveGenerator::SowFunction sow = nullptr;
};

}  // namespace retrosow
