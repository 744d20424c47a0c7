// What the tables of a folder say about a position: value and distance of the position and of every move.
//
// Every answer is checked against its neighbours: a value must be that of the best move, a distance
// that of the moves that keep the value, guarantees those behind the moves. What contradicts itself is damaged, whatever
// its checksums say.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bitboard/moves.h"
#include "bitboard/notation.h"
#include "tables/table_file.h"
#include "tables/values.h"

namespace retrosow {

// Plies to the next capture (or other exit) or the end, under play that keeps the value, the winner
// hurrying and the loser delaying.
struct PlyDistances {
  std::uint16_t position = kNoDistance;
  // Of each move of the evaluation: if it is played, 1 for a capture, else 1 more than behind it;
  // kNoDistance where the move's value is 0. So the position's is the least (value above 0) or
  // greatest (below 0) of its best moves.
  std::vector<std::uint16_t> moves;
};

// What each side can be sure of, and behind each move of the evaluation, for the player to move and his opponent.
struct MoveGuarantees {
  Guarantee position;
  std::vector<Guarantee> moves;
};

// The best moves that also make progress, as places in `moves`: those of least distance where the value is
// above 0, of greatest where it is below, all best ones where it is 0. Playing only these carries a won
// position to its win; other best moves can go round for ever.
std::vector<std::size_t> progress_moves(int value, const Evaluation& moves,
                                        const PlyDistances& plies);

struct Probed {
  const TableReader* table = nullptr;      // that the value comes from
  const TableReader* distances = nullptr;  // that go with it; null where there are none
  int value = 0;
  Evaluation moves;
  PlyDistances plies;  // with distances
};

struct ProbedGuarantees {
  const TableReader* table = nullptr;  // of the board's level; null where there are none
  MoveGuarantees sure;                 // with a table
};

// Thread: const use from any number of threads.
class Prober {
 public:
  // Opens the folder. Fails: io error if it is not there. Files that cannot be used are faults of folder().
  Prober(const std::filesystem::path& path, const RuleSet& rules,
         std::size_t cache_bytes = BlockCache::kDefaultBytes);
  // Of a folder that is open already and outlives this; `path` is its name in messages.
  Prober(const std::filesystem::path& path, const TableFolder& folder, const RuleSet& rules);
  Prober(const Prober&) = delete;
  Prober& operator=(const Prober&) = delete;

  // Pre, here and below: the rules allow the board (parse_board, validate_position).
  // Fails: io error that says which level is missing and what is there; limit error above kMaxLevelSeeds;
  // corrupt error where a file that is needed is damaged or contradicts itself. Where a level is missing and the folder
  // has faulty files that may be of these rules, the error has their class (worst_class).
  Probed probe(const Board& board) const;

  // What each side can be sure of, where the folder says it. Pre: `found` is what probe says of the board.
  // Fails: as probe, for the guarantees of this level and of those that moves lead to.
  ProbedGuarantees guarantees(const Board& board, const Probed& found) const;

  // The value or distance alone, as it stands in the table: one look-up, no check. Nothing where no table holds it.
  std::optional<int> value(const Board& board) const;
  std::optional<std::uint16_t> distance(const Board& board) const;

  // The error for a level that has values, but no distances: io.
  Error missing_distances(const Board& board, const Probed& found) const;

  // Whether a file holds the board, or one that could is faulty: probe then answers or says what is wrong.
  bool should_know(const Board& board) const;

  // Pre: a table holds boards of that shape, as of every board that was probed.
  const MoveGenerator& generator(Shape shape) const;

  const RuleSet& rules() const { return rules_; }
  const TableFolder& folder() const { return *folder_; }
  const ValueSource& values() const { return tables_; }
  // The tables of values of these rules.
  const std::vector<const TableReader*>& tables() const { return tables_.all(); }

 private:
  // The tables of values of one rule set.
  class RuleTables : public ValueSource {
   public:
    RuleTables(const TableFolder& folder, const RuleSet& rules);
    std::optional<int> value(const Position& position, Shape shape) const override;
    // Calls f with those of the level and rows of a position, until it returns true.
    template <typename F>
    void find(const Position& position, Shape shape, F&& f) const;
    const std::vector<const TableReader*>& all() const { return all_; }

   private:
    std::vector<const TableReader*> all_;
    std::array<std::vector<const TableReader*>, kMaxLevelSeeds + 1> of_level_;
  };
  struct ShapeMoves {
    Shape shape;
    MoveGenerator generator;  // serves both sides to move
  };

  static std::vector<ShapeMoves> generators_of(const std::vector<const TableReader*>& tables,
                                               const RuleSet& rules);
  void find_value(const Board& board, Probed& found) const;
  void find_distances(const Board& board, Probed& found) const;
  // The distance behind a move that stays in the level, from the position that it leads to.
  std::uint16_t distance_behind(const Probed& found, const Position& child, Shape shape,
                                int child_value) const;
  Evaluation look_ahead(const Board& board) const;
  Error missing(const Board& board, bool level_there) const;
  // An io error; of the class of the faulty files, where one of them may be what is missing.
  Error not_there(const std::string& text) const;

  RuleSet rules_;
  std::string canonical_;
  std::filesystem::path path_;
  std::optional<TableFolder> own_folder_;
  const TableFolder* folder_;
  RuleTables tables_;
  std::vector<ShapeMoves> generators_;        // of every shape in tables_
  std::vector<TableFolder::Fault> own_faults_;  // that may be of these rules
};

}  // namespace retrosow
