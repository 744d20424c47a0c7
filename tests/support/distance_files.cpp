#include "tests/support/distance_files.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "bitboard/notation.h"
#include "tests/reference/solve_reference.h"
#include "tests/support/boards.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

// What the reference knows about the positions of tables, solved once for tables of the same origin.
class Solutions {
 public:
  // Pre: no other table of the same origin that is asked for later has more than `max_seeds`.
  std::vector<std::uint16_t> distances(const TableReader& values, unsigned max_seeds) {
    const TableHeader& header = values.header();
    const std::string origin = header.rules_digest.hex() + std::to_string(header.shape.mover_pits) +
                               std::to_string(header.shape.opponent_pits) +
                               format_position(header.root, header.shape);
    const std::vector<Value> stored = values.read_all();
    std::vector<std::uint16_t> distances;
    const auto add = [&](const reference::Solved& solved) {
      if (solved.value != stored[distances.size()]) {
        throw std::runtime_error("the reference has another value in " + values.path().string());
      }
      distances.push_back(solved.distance == reference::kNoDistance
                              ? kNoDistance
                              : static_cast<std::uint16_t>(solved.distance));
    };
    if (header.index == IndexKind::kRanks) {
      std::unique_ptr<reference::UrimSolution>& solution = urim_[origin];
      if (!solution) {
        solution = std::make_unique<reference::UrimSolution>(
            reference_rules(header.rules, header.shape.mover_pits), static_cast<int>(max_seeds));
      }
      const HalfRanks halves(header.shape.mover_pits, header.rules.pit_limit, header.seeds);
      const LevelRanks ranks(halves, header.seeds);
      for (LevelIndex at = 0; at < header.positions; ++at) {
        add(solution->at(board_of(ranks.unrank(at), header.shape)));
      }
      return distances;
    }
    std::unique_ptr<reference::RioSolution>& solution = rio_[origin];
    if (!solution) {
      solution = std::make_unique<reference::RioSolution>(
          reference_rules(header.rules),
          rio_position_of(board_of(header.root, header.shape), header.shape));
    }
    for (const Position& key : values.read_keys()) {
      const auto [position, shape] = position_of_key(key, header.shape);
      add(solution->at(rio_position_of(board_of(position, shape), shape)));
    }
    return distances;
  }

 private:
  std::map<std::string, std::unique_ptr<reference::UrimSolution>> urim_;
  std::map<std::string, std::unique_ptr<reference::RioSolution>> rio_;
};

}  // namespace

void write_distances(const std::filesystem::path& folder, const TableHeader& values,
                     const std::vector<std::uint16_t>& distances) {
  write_table(folder, distance_header(values), distances);
}

std::vector<std::uint16_t> reference_distances(const TableReader& values) {
  return Solutions().distances(values, values.header().seeds);
}

void add_distances(const std::filesystem::path& folder, unsigned first, unsigned last) {
  const TableFolder tables(folder);
  unsigned max_seeds = 0;
  for (const TableReader& table : tables.files()) {
    if (table.header().seeds <= last) max_seeds = std::max(max_seeds, table.header().seeds);
  }
  Solutions solutions;
  for (const TableReader& table : tables.files()) {
    const TableHeader& header = table.header();
    if (header.kind != TableKind::kValues || header.seeds < first || header.seeds > last) continue;
    unsigned most = 0;  // seeds of tables of the same rules and rows
    for (const TableReader& other : tables.files()) {
      const TableHeader& h = other.header();
      if (h.rules_digest == header.rules_digest && h.shape == header.shape &&
          h.seeds <= max_seeds) {
        most = std::max(most, h.seeds);
      }
    }
    write_distances(folder, header, solutions.distances(table, most));
  }
}

}  // namespace retrosow::test
