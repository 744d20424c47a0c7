#include "solver/cli/level_stats.h"

#include <array>

#include "solver/cli/table_stream.h"

namespace retrosow::cli {
namespace {

Json relay_json(const RelayMove& move) {
  const Board board = board_of_move(move);
  return {
      {"position", format_board(board)}, {"pit", board.shown_pit(move.slot)}, {"laps", move.laps}};
}

}  // namespace

bool equal_rows(const TableHeader& header) {
  return header.shape.mover_pits == header.shape.opponent_pits;
}

const char* scope_of(const TableHeader& header) {
  return header.index == IndexKind::kRanks ? "all" : "reachable";
}

std::string start_of(const TableHeader& header) {
  return header.index == IndexKind::kKeys ? format_board(board_of(header.root, header.shape)) : "";
}

Board board_of_move(const RelayMove& move) { return board_of(move.position, move.shape); }

Histogram count_values(const TableReader& table, const OnRead& on_read) {
  Histogram histogram;
  std::array<std::uint64_t, 256> counts{};
  stream_values(table, [&](LevelIndex, std::span<const Value> values) {
    for (const Value value : values) ++counts[static_cast<std::uint8_t>(value)];
    on_read(values.size());
  });
  for (int value = -128; value < 128; ++value) {
    histogram.add(value, counts[static_cast<std::uint8_t>(value)]);
  }
  return histogram;
}

LongestDistance find_longest(const TableReader& values, const TableReader& distances,
                             std::uint64_t draws, const OnRead& on_read) {
  LongestDistance longest;
  longest.digest = distances.header().digest;
  LevelIndex example = 0;
  std::uint64_t without = 0;
  stream_distances(distances, [&](LevelIndex first, std::span<const std::uint16_t> block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (block[i] == kNoDistance) {
        ++without;
      } else if (!longest.plies || block[i] > *longest.plies) {
        longest.plies = block[i];
        longest.positions = 1;
        example = first + i;
      } else if (block[i] == *longest.plies) {
        ++longest.positions;
      }
    }
    on_read(block.size());
  });
  if (without != draws) {
    Error error(ErrorClass::kCorrupt, distances.path().string() + ": " + std::to_string(without) +
                                          " positions without a distance, but " +
                                          std::to_string(draws) + " of value 0");
    error.path = distances.path().string();
    error.expected = std::to_string(draws);
    error.found = std::to_string(without);
    throw error;
  }
  if (longest.plies) longest.example = format_board(PositionLister(values).at(example));
  return longest;
}

const TableReader* guarantees_of(const TableFolder& folder, const TableReader& values) {
  const TableHeader& header = values.header();
  return folder.find(header.rules, header.shape, header.seeds, TableKind::kGuarantees);
}

ForcedCounts count_forced(const TableReader& guarantees, const OnRead& on_read) {
  const unsigned seeds = guarantees.header().seeds;
  ForcedCounts counts;
  counts.digest = guarantees.header().digest;
  stream_guarantees(guarantees, [&](LevelIndex, std::span<const Guarantee> block) {
    for (const Guarantee pair : block) {
      if (value_forced(pair, seeds)) ++counts.values;
      if (!outcome_forced(pair, seeds)) continue;
      const bool win = least_difference(pair, seeds) > 0, loss = greatest_difference(pair, seeds) < 0;
      ++(win ? counts.wins : loss ? counts.losses : counts.draws);
    }
    on_read(block.size());
  });
  return counts;
}

Json level_record(const TableHeader& header, const LevelStats& level) {
  const Histogram& histogram = level.values;
  Json record = {{"game", game_name(header.rules.game)}, {"rules", canonical_text(header.rules)}};
  if (equal_rows(header)) {
    record["pits"] = header.shape.mover_pits;
  } else {
    record["rows"] = {header.shape.mover_pits, header.shape.opponent_pits};
  }
  record["seeds"] = header.seeds;
  record["scope"] = scope_of(header);
  if (header.index == IndexKind::kKeys) record["start"] = start_of(header);
  record["positions"] = histogram.positions;
  record["wins"] = histogram.wins;
  record["draws"] = histogram.draws;
  record["losses"] = histogram.losses;
  Json values = Json::object();
  for (const auto& [value, count] : histogram.counts) values[std::to_string(value)] = count;
  record["values"] = std::move(values);
  record["digest"] = header.digest.hex();
  if (header.index == IndexKind::kKeys) {
    record["keys_digest"] = header.keys_digest.hex();
    record["endless_moves"] = header.endless_moves;
  }
  if (level.endless) {
    Json moves = Json::array();
    for (const RelayMove& move : *level.endless) moves.push_back(relay_json(move));
    record["endless"] = std::move(moves);
  }
  if (level.longest_relay) record["longest_relay"] = relay_json(*level.longest_relay);
  if (level.moves) {
    const MoveCounts& moves = *level.moves;
    record["moves"] = {{"over", moves.over},
                       {"legal", moves.legal},
                       {"captures", moves.captures},
                       {"captured", moves.captured},
                       {"captured_opponent", moves.captured_opponent}};
  }
  if (level.longest) {
    const LongestDistance& longest = *level.longest;
    record["longest_distance"] = longest.plies ? Json(*longest.plies) : Json(nullptr);
    record["longest_distance_positions"] = longest.positions;
    record["longest_distance_position"] = longest.plies ? Json(longest.example) : Json(nullptr);
    record["distance_digest"] = longest.digest.hex();
  }
  if (level.forced) {
    const ForcedCounts& forced = *level.forced;
    record["forced"] = {{"values", forced.values},
                        {"wins", forced.wins},
                        {"draws", forced.draws},
                        {"losses", forced.losses}};
    record["guarantee_digest"] = forced.digest.hex();
  }
  return record;
}

}  // namespace retrosow::cli
