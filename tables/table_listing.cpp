#include "tables/table_listing.h"

#include <algorithm>

#include "bitboard/error.h"

namespace retrosow {
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
  struct Level {
    unsigned seeds = 0;
    bool values = false, distances = false, guarantees = false;
    bool same_as(const Level& other) const {
      return values == other.values && distances == other.distances && guarantees == other.guarantees;
    }
  };
  struct Group {
    std::string name;
    std::vector<Level> levels;
  };
  std::vector<Group> groups;
  for (const TableReader& file : files) {
    const TableHeader& header = file.header();
    const std::string name = group_text(header);
    if (groups.empty() || groups.back().name != name) groups.push_back({name, {}});
    std::vector<Level>& levels = groups.back().levels;
    if (levels.empty() || levels.back().seeds != header.seeds) levels.push_back({header.seeds});
    Level& level = levels.back();
    switch (header.kind) {
      case TableKind::kValues: level.values = true; break;
      case TableKind::kDistances: level.distances = true; break;
      case TableKind::kGuarantees: level.guarantees = true; break;
    }
  }
  if (groups.empty()) return "no tables";
  // Runs of levels that follow each other and hold the same.
  const auto levels_text = [](const std::vector<Level>& levels) {
    std::string text;
    for (std::size_t first = 0; first < levels.size();) {
      const Level& level = levels[first];
      std::size_t end = first + 1;
      while (end < levels.size() && levels[end].seeds == levels[end - 1].seeds + 1 &&
             levels[end].same_as(level)) {
        ++end;
      }
      text += (first == 0 ? "" : ", ") + std::to_string(level.seeds);
      if (end > first + 1) text += ".." + std::to_string(levels[end - 1].seeds);
      if (level.distances || level.guarantees) text += " with ";
      if (level.distances) text += level.guarantees ? "distances and " : "distances";
      if (level.guarantees) text += "guarantees";
      if (!level.values) text += " only";
      first = end;
    }
    return text;
  };
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), kMaxGroups); ++i) {
    text += (i == 0 ? "" : "; ") + groups[i].name + " levels " + levels_text(groups[i].levels);
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

}  // namespace retrosow
