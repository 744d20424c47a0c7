// What is known of a position: by table files, else by a short search. The explorer asks it.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <semaphore>
#include <string>

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
  std::optional<Line> line;           // by search: a line of perfect play
  std::string why;                    // kNone: why nothing is known
  bool busy = false;                  // kNone: it may be known when asked again
};

// Thread: any number of threads ask at once.
class Oracle {
 public:
  // Of one search: positions, seconds, and the searches that run at once; others wait for their turn so long.
  static constexpr std::uint64_t kSearchNodes = 300'000;
  static constexpr double kSearchSeconds = 2;
  static constexpr unsigned kSearches = 2;
  static constexpr std::chrono::seconds kPatience{4};

  // Without a folder every answer comes from a search.
  // Fails: io error if the folder cannot be read.
  explicit Oracle(std::optional<std::filesystem::path> tables);

  // Fails: corrupt error where a table that is needed is damaged; interrupted error.
  Knowledge ask(const RuleChoice& choice, const Board& board);

  const std::optional<std::filesystem::path>& path() const { return path_; }
  // Null where there is none.
  const TableFolder* folder() const { return folder_ ? &*folder_ : nullptr; }

 private:
  Knowledge search(const RuleChoice& choice, const Board& board);

  std::optional<std::filesystem::path> path_;
  std::optional<TableFolder> folder_;
  std::counting_semaphore<kSearches> searches_{kSearches};
};

}  // namespace retrosow::cli
