// What is known of a position: by table files, else by a short search. The explorer asks it.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <semaphore>
#include <string>

#include "bitboard/error.h"
#include "solver/cli/evaluation_output.h"
#include "solver/cli/rule_options.h"
#include "solver/cli/table_probe.h"
#include "solver/solve.h"

namespace retrosow::cli {

struct Knowledge {
  enum class From : unsigned char { kTables, kSearch, kNone };
  From from = From::kNone;
  std::optional<int> value;
  std::optional<Evaluation> moves;    // by search only where they are proved, too
  std::optional<PlyDistances> plies;  // from tables with distances
  std::optional<Line> line;           // of perfect play, where it is asked for and there are no distances to play by
  std::string why;                    // kNone: why nothing is known; empty where `damage` says it
  std::optional<Error> damage;        // kNone: what is wrong with a table that is needed
  bool busy = false;                  // with more time there may be more: when it is asked for again
};

// Thread: any number of threads ask at once.
class Oracle {
 public:
  // Of one search: positions, seconds, and the searches that run at once; others wait for their turn so long.
  static constexpr std::uint64_t kSearchNodes = 3'000'000;
  static constexpr double kSearchSeconds = 3;
  static constexpr unsigned kSearches = 2;
  static constexpr std::chrono::seconds kPatience{4};
  // Of a line from tables without distances: positions among which progress is looked for.
  static constexpr std::uint64_t kLineNodes = 200'000;

  // Without a folder every answer comes from a search.
  // Fails: io error if the folder cannot be read.
  explicit Oracle(const std::optional<std::filesystem::path>& tables);

  // Fails: interrupted error.
  Knowledge ask(const RuleChoice& choice, const Board& board, bool with_line = false);

  // The same without tables of the position itself; below it they serve.
  // Fails: interrupted error.
  Knowledge search(const RuleChoice& choice, const Board& board);

  // Without links and dots, so that it is found in messages.
  const std::optional<std::filesystem::path>& path() const { return path_; }
  // Null where there is none.
  const TableFolder* folder() const { return folder_ ? &*folder_ : nullptr; }

 private:
  // Both fail with a corrupt error where a table that is needed is damaged.
  Knowledge find(const RuleChoice& choice, const Board& board, bool with_line);
  Knowledge search_below(const RuleChoice& choice, const Board& board);

  // The right to compute for a while, which not many have at once.
  class Turn {
   public:
    explicit Turn(Oracle& oracle) : searches_(oracle.searches_), mine_(searches_.try_acquire_for(kPatience)) {}
    ~Turn() {
      if (mine_) searches_.release();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    // False where it did not come in time.
    bool is_mine() const { return mine_; }

   private:
    std::counting_semaphore<kSearches>& searches_;
    bool mine_;
  };

  std::optional<std::filesystem::path> path_;
  std::optional<TableFolder> folder_;
  std::counting_semaphore<kSearches> searches_{kSearches};
};

}  // namespace retrosow::cli
