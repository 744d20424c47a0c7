// How values are shown: the fields that `solve` and `probe` share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/cli/arguments.h"
#include "solver/cli/output.h"
#include "solver/cli/rule_options.h"
#include "tables/prober.h"

namespace retrosow::cli {

// What mover and opponent hold already: `--captured A,B`.
struct Captured {
  unsigned mover = 0;
  unsigned opponent = 0;
};
OptionSpec captured_option();
// A game record says it itself.
std::optional<Captured> read_captured(const Arguments& arguments, const RuleChoice& choice);

// {"mover":5,"opponent":3,"forced":true,"outcome_forced":true}: forced, the value whatever endless play is worth; the
// outcome, its sign.
Json guarantee_json(Guarantee guarantee, unsigned seeds);
// "5 of 8 seeds, the opponent 3: the value is forced anyway"
std::string guarantee_text(Guarantee guarantee, unsigned seeds, std::string_view unit);

// The pits, as shown, of progress_moves.
std::vector<unsigned> progress_pits(const Board& board, int value, const Evaluation& moves,
                                    const PlyDistances& plies);

// The pits, as shown, of every move that keeps the value.
std::vector<unsigned> best_pits(const Board& board, int value, const Evaluation& moves);

// A distance as JSON: null for none.
Json distance_json(std::uint16_t distance);

// "5 plies to the next capture or the end", or "none at value 0"
std::string distance_text(std::uint16_t distance);

// "win", "draw" or "loss": the sign of a value.
std::string_view outcome_name(int value);

// {"game":…,"rules":…,"position":…}: how every record about a position begins.
Json position_record(const RuleChoice& choice, const Board& board);

// Adds value and outcome, with `moves` also moves and best, with `plies` also distances and progress, with `sure` also
// guarantees.
void add_evaluation(Json& record, const Board& board, int value, const Evaluation* moves,
                    const PlyDistances* plies = nullptr, const MoveGuarantees* sure = nullptr);

// Adds final and, in the Urim family, match_points.
//   final    = captured + half of (n + value), half of (n - value), n seeds on the board
//   points   = 2 for 4x >= 3T, 1 for 2x > T, else 0, with x of T seeds in the end
void add_final(Json& record, const RuleChoice& choice, const Board& board, int value,
               const Captured& captured);

// The same for people, several lines.
std::string evaluation_text(const RuleChoice& choice, const Board& board, int value,
                            const Evaluation* moves, const std::optional<Captured>& captured,
                            const PlyDistances* plies = nullptr, const MoveGuarantees* sure = nullptr);

// "final    20.5 : 15.5 seeds" and, in the Urim family, the match points, a line each.
std::string final_text(const RuleChoice& choice, const Board& board, int value,
                       const Captured& captured);

// "2,5"
std::string joined(const std::vector<unsigned>& numbers);

// The same on one line: "POSITION  value +4  win  distance 5 plies  best 2,5  progress 5".
std::string evaluation_line(const Board& board, int value, const Evaluation* moves,
                            const PlyDistances* plies = nullptr, const MoveGuarantees* sure = nullptr);

}  // namespace retrosow::cli
