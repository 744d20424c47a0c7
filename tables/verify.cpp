#include "tables/verify.h"

#include <algorithm>
#include <mutex>

#include "bitboard/moves.h"
#include "tables/check.h"
#include "tables/level_tiles.h"
#include "tables/lower_levels.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

// What a board must have, from the moves and the tables of its children.
class Examiner {
 public:
  Examiner(const RuleSet& rules, unsigned pits, const std::vector<LevelRanks>& ranks, LowerLevels& values,
           LowerDistances* distances, unsigned seeds)
      : shape_{static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)},
        generator_(rules, shape_, KernelId::kPortable),
        ranks_(ranks),
        values_(values),
        seeds_(seeds) {
    if (distances != nullptr) distances_.emplace(*distances);
  }

  void begin_task() {
    values_.begin_task();
    if (distances_) distances_->begin_task();
  }
  void end_task() {
    values_.end_task();
    if (distances_) distances_->end_task();
  }

  // What is wrong with the board, or an empty text.
  std::string fault(const Position& position, LevelIndex index) {
    const int value = values_.value(seeds_, index);
    MoveList list;
    generator_.generate(position, shape_, list);
    if (list.legal == 0) {
      const int end = generator_.end(position, shape_).value();
      if (value != end) return "value " + std::to_string(value) + ", the game is over with " + std::to_string(end);
      return distance_fault(index, value == 0 ? kNoDistance : 0);
    }
    int best = -256;
    unsigned least = kNoDistance, greatest = 0;  // over moves that have the best value so far
    for_each_move(list, [&](unsigned slot) {
      const Position& child = list.result[slot];
      const unsigned captured = list.captured[slot];
      const unsigned left = seeds_ - captured;
      const LevelIndex at = ranks_[left].rank(child);
      const int outcome = static_cast<int>(captured) - values_.value(left, at);
      if (outcome < best) return;
      if (outcome > best) {
        best = outcome;
        least = kNoDistance;
        greatest = 0;
      }
      if (!distances_ || value == 0) return;
      const unsigned behind = captured != 0 ? 0 : distances_->value(seeds_, at);
      least = std::min(least, behind);
      greatest = std::max(greatest, behind);
    });
    if (value != best) return "value " + std::to_string(value) + ", the best move has " + std::to_string(best);
    if (value == 0) return distance_fault(index, kNoDistance);
    return distance_fault(index, std::min<unsigned>(1 + (value > 0 ? least : greatest), kNoDistance));
  }

 private:
  std::string distance_fault(LevelIndex index, unsigned wanted) const {
    if (!distances_) return "";
    const unsigned found = distances_->value(seeds_, index);
    const auto plies = [](unsigned distance) {
      return distance == kNoDistance ? std::string("none") : std::to_string(distance) + " plies";
    };
    // A value that is not 0 has a distance, so that "one more than none" is none of them.
    if (found == wanted && (found != kNoDistance || values_.value(seeds_, index) == 0)) return "";
    return "distance " + plies(found) + ", the moves give " + plies(wanted);
  }

  Shape shape_;
  MoveGenerator generator_;
  const std::vector<LevelRanks>& ranks_;
  LowerLevels::Reader values_;
  std::optional<LowerDistances::Reader> distances_;
  unsigned seeds_;
};

// The tables of one size, ascending by level.
struct Tables {
  std::vector<const TableReader*> values, distances;  // null: no distances
};

Tables tables_of(const TableFolder& folder, const RuleSet& rules, Shape shape) {
  const Digest digest = rules_digest(rules);
  Tables tables;
  for (const TableReader& file : folder.files()) {
    const TableHeader& header = file.header();
    if (header.index != IndexKind::kRanks || header.rules_digest != digest || header.shape != shape) continue;
    if (header.kind == TableKind::kGuarantees) continue;  // verify_guarantees.cpp
    auto& list = header.kind == TableKind::kValues ? tables.values : tables.distances;
    if (list.size() <= header.seeds) list.resize(header.seeds + 1, nullptr);
    list[header.seeds] = &file;
  }
  // Distances without values are a hole, too.
  const std::size_t levels = std::max(tables.values.size(), tables.distances.size());
  tables.values.resize(levels, nullptr);
  tables.distances.resize(levels, nullptr);
  return tables;
}

// Why there is no table of a level. A file that is there and cannot be used is not a missing one.
Error hole(const TableFolder& folder, const RuleSet& rules, unsigned pits, unsigned seeds) {
  const TableHeader wanted = level_header(rules, pits, seeds);
  const std::string name = table_file_name(wanted);
  const std::string level = "the table of level " + std::to_string(seeds) + " of " + std::string(game_name(rules.game)) +
                            " 2x" + std::to_string(pits) + " (" + canonical_text(rules) + ")";
  for (const TableFolder::Fault& fault : folder.faults()) {
    const bool explains = fault.header ? fault.header->kind == TableKind::kValues && table_file_name(*fault.header) == name
                                       : fault.path.filename() == name;
    if (!explains) continue;
    Error error(fault.error.error_class(), level + " cannot be used, and other tables rest on it: " + fault.error.what());
    error.path = fault.path.string();
    return error;
  }
  return Error(ErrorClass::kIo, level + " is missing, and other tables rest on it");
}

}  // namespace

void keep_first(std::vector<VerifyFault>& faults, std::size_t count) {
  const auto before = [](const VerifyFault& a, const VerifyFault& b) { return a.index < b.index; };
  if (faults.size() > count) {
    std::nth_element(faults.begin(), faults.begin() + static_cast<std::ptrdiff_t>(count), faults.end(), before);
    faults.resize(count);
  }
  std::sort(faults.begin(), faults.end(), before);
}

Verification verify_levels(const TableFolder& folder, const RuleSet& rules, unsigned pits,
                           const VerifyOptions& options) {
  const Shape shape{static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)};
  const Tables tables = tables_of(folder, rules, shape);
  if (tables.values.empty()) throw hole(folder, rules, pits, 0);
  for (unsigned seeds = 0; seeds < tables.values.size(); ++seeds) {
    if (tables.values[seeds] == nullptr) throw hole(folder, rules, pits, seeds);
  }
  const unsigned top = static_cast<unsigned>(tables.values.size()) - 1;
  const HalfRanks halves(pits, rules.pit_limit, top);
  std::vector<LevelRanks> ranks;
  for (unsigned seeds = 0; seeds <= top; ++seeds) ranks.emplace_back(halves, seeds);
  const unsigned threads = worker_count(options.threads);
  std::uint64_t total = 0, done = 0;
  for (const TableReader* file : tables.values) total += file->header().positions;

  // Every block against its checksum, and what is in them against the digests.
  std::vector<const TableReader*> files;
  for (unsigned seeds = 0; seeds <= top; ++seeds) {
    files.push_back(tables.values[seeds]);
    if (tables.distances[seeds] != nullptr) files.push_back(tables.distances[seeds]);
  }
  std::uint64_t stored = 0, checked = 0;
  for (const TableReader* file : files) stored += file->header().positions;
  const Stopwatch check_watch;
  for (const TableReader* file : files) {
    check_file(*file, threads, options.control, [&](std::uint64_t positions) {
      if (!options.control.progress) return;
      options.control.progress({"check", file->header().seeds, top, checked + positions, stored, check_watch.seconds()});
    });
    checked += file->header().positions;
  }

  // Half of the memory for each kind: distances are twice as large, but of one level only.
  const std::uint64_t half_of_memory =
      options.memory_bytes == 0 ? 0 : std::max<std::uint64_t>(options.memory_bytes / 2, 1);
  LowerLevels values([&](unsigned seeds, LevelIndex first,
                         std::span<Value> out) { tables.values[seeds]->copy_values(first, out); },
                     half_of_memory);
  const Stopwatch run_watch;
  Verification verification;
  verification.proved = true;
  for (unsigned seeds = 0; seeds <= top; ++seeds) {
    const Stopwatch level_watch;
    const TableReader& file = *tables.values[seeds];
    const TableReader* distance_file = tables.distances[seeds];
    VerifiedLevel level;
    level.seeds = seeds;
    level.positions = file.header().positions;
    level.distances = distance_file != nullptr;
    level.digest = file.header().digest;
    values.add_level(level.positions);
    std::optional<LowerDistances> distances;
    if (distance_file != nullptr) {
      distances.emplace([&](unsigned, LevelIndex first,
                            std::span<std::uint16_t> out) { distance_file->copy_distances(first, out); },
                        half_of_memory);
      for (unsigned lower = 0; lower < seeds; ++lower) distances->add_level(0);
      distances->add_level(level.positions);
    }
    std::vector<std::unique_ptr<Examiner>> examiners;
    for (unsigned worker = 0; worker < threads; ++worker) {
      examiners.push_back(
          std::make_unique<Examiner>(rules, pits, ranks, values, distances ? &*distances : nullptr, seeds));
    }
    const std::vector<Tile> tiles = tiles_of(halves, seeds);
    std::mutex mutex;  // guards the faults and the progress
    std::vector<VerifyFault> faults;
    std::uint64_t looked_at = 0;
    parallel_loop(threads, tiles.size(), [&](unsigned worker, std::size_t number) {
      Examiner& examiner = *examiners[worker];
      examiner.begin_task();
      const Tile& tile = tiles[number];
      for_boards_of(tile, halves, pits, seeds, [](LevelIndex) { return true; }, [&](LevelIndex index, const Position& position) {
        std::string what = examiner.fault(position, index);
        if (what.empty()) return;
        const std::lock_guard lock(mutex);
        ++level.faults;
        faults.push_back({seeds, index, position, shape, std::move(what)});
        if (faults.size() >= 2 * options.max_faults + 2) keep_first(faults, options.max_faults);
      });
      examiner.end_task();
      const std::lock_guard lock(mutex);
      options.control.check_stop();
      looked_at += tile.boards();
      if (options.control.progress) {
        options.control.progress({"verify", seeds, top, done + looked_at, total, run_watch.seconds()});
      }
    });
    done += level.positions;
    keep_first(faults, options.max_faults);
    verification.faults.insert(verification.faults.end(), faults.begin(), faults.end());
    verification.fault_count += level.faults;
    verification.proved = verification.proved && level.distances && level.faults == 0;
    level.seconds = level_watch.seconds();
    verification.levels.push_back(level);
  }
  return verification;
}

}  // namespace retrosow
