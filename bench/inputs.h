// Inputs: seeded sets of boards, the same on every machine.
//
//   mixed    boards of the Urim family with 8 to 36 seeds, as many of each count; within a count every
//            board of the level is as likely as any other. What a table builder meets.
//   played   different boards that random play from the start reaches, in random order. What a search
//            and a game meet: full at first, emptier later. The only kind for Rio Kadalis, since most of
//            its boards never come up in play.
//
// On every board some move is legal. Random numbers are std::mt19937_64, whose output the C++ standard
// fixes. Thread: pure functions.
//
// Why so many boards: a processor learns the branches of a short set by heart in a few passes.
// Tried: 4096 boards. Kernels with a branch for each pit or lap then look far too good, the others do
// not. Million items per second, median of 9 repetitions of 0.1 s, on an AMD EPYC of family 25, model 17,
// g++ 12.2 -O3, commit a4c3ca8:
//
//   boards a pass                  4096   16384   65536   262144
//   Relay/2x6/played/sse41         93.4    28.4    28.3     28.3
//   Generate/2x6/played/sse41      37.8    23.1    22.6     23.0
//   Generate/2x6/played/avx512     45.3    45.2    45.1     44.6
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bitboard/moves.h"
#include "bitboard/position.h"
#include "bitboard/rules.h"

namespace retrosow::bench {

inline constexpr std::uint64_t kInputSeed = 20240601;
inline constexpr unsigned kBoards = 32768;  // of a set
inline constexpr unsigned kLeastSeeds = 8, kMostSeeds = 36;

enum class Mix : std::uint8_t { kMixed, kPlayed };
inline constexpr Mix kAllMixes[] = {Mix::kMixed, Mix::kPlayed};

const char* mix_name(Mix mix);
std::string board_name(unsigned pits);  // 2x6

// kBoards boards of two rows of `pits`. Pre: kMixed only for the Urim family.
std::vector<Position> make_boards(const RuleSet& rules, unsigned pits, Mix mix);

// One pit for each board, drawn from those that can be sown.
std::vector<std::uint8_t> draw_pits(const RuleSet& rules, unsigned pits,
                                    const std::vector<Position>& boards);

// Numbers below `bound`. Pre: bound > 0.
std::vector<std::uint64_t> draw_numbers(std::uint64_t bound, unsigned count);

}  // namespace retrosow::bench
