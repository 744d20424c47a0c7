#include "solver/cli/table_listing.h"

#include <algorithm>

#include "solver/cli/output.h"

namespace retrosow::cli {
namespace {

// The highest `closed` of `pits` holes, as a set.
std::uint8_t last_holes(unsigned pits, unsigned closed) {
  return static_cast<std::uint8_t>(((1U << closed) - 1U) << (pits - closed));
}

std::string group_text(const TableHeader& header) {
  std::string text = std::string(game_name(header.rules.game)) + " " + rows_text(header.shape) +
                     " (" + canonical_text(header.rules) + ")";
  if (header.index == IndexKind::kKeys) {
    text += " from " + format_board(board_of(header.root, header.shape));
  }
  return text;
}

}  // namespace

Board board_of(const Position& position, Shape shape) {
  const unsigned pits = std::max<unsigned>(shape.mover_pits, shape.opponent_pits);
  return {pits, last_holes(pits, pits - shape.mover_pits),
          last_holes(pits, pits - shape.opponent_pits), position};
}

std::string rows_text(Shape shape) {
  const unsigned pits = std::max<unsigned>(shape.mover_pits, shape.opponent_pits);
  std::string text = "2x" + std::to_string(pits);
  if (shape.mover_pits != shape.opponent_pits) {
    text += " with " + std::to_string(shape.mover_pits) + " and " +
            std::to_string(shape.opponent_pits) + " open holes";
  }
  return text;
}

std::string contents_text(const std::vector<TableReader>& files) {
  constexpr std::size_t kMaxGroups = 5;
  struct Group {
    std::string name;
    std::string levels;
    unsigned first = 0, last = 0;
  };
  std::vector<Group> groups;
  const auto close_run = [](Group& group) {
    group.levels += (group.levels.empty() ? "" : ",") + std::to_string(group.first);
    if (group.last != group.first) group.levels += ".." + std::to_string(group.last);
  };
  for (const TableReader& file : files) {
    const std::string name = group_text(file.header());
    const unsigned seeds = file.header().seeds;
    if (!groups.empty() && groups.back().name == name) {
      Group& group = groups.back();
      if (seeds != group.last + 1) {
        close_run(group);
        group.first = seeds;
      }
      group.last = seeds;
      continue;
    }
    if (!groups.empty()) close_run(groups.back());
    groups.push_back({name, "", seeds, seeds});
  }
  if (groups.empty()) return "no tables";
  close_run(groups.back());
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), kMaxGroups); ++i) {
    text += (i == 0 ? "" : "; ") + groups[i].name + " levels " + groups[i].levels;
  }
  if (groups.size() > kMaxGroups)
    text += "; and " + std::to_string(groups.size() - kMaxGroups) + " more";
  return text;
}

std::string faults_text(const std::vector<TableFolder::Fault>& faults) {
  std::string text;
  for (const TableFolder::Fault& fault : faults) {
    if (!text.empty()) text += "; ";
    const std::string what = error_text(fault.error);
    if (what.find(fault.path.string()) == std::string::npos) text += fault.path.string() + ": ";
    text += what;
  }
  return text;
}

ErrorClass worst_class(const std::vector<TableFolder::Fault>& faults) {
  for (const TableFolder::Fault& fault : faults) {
    if (fault.error.error_class() == ErrorClass::kCorrupt) return ErrorClass::kCorrupt;
  }
  return faults.front().error.error_class();
}

}  // namespace retrosow::cli
