#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>

#include "bitboard/moves.h"
#include "tables/check.h"
#include "tables/level_tiles.h"
#include "tables/lower_levels.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"
#include "tables/verify.h"

namespace retrosow {
namespace {

// Pairs of lower levels are decoded as 16-bit numbers.
std::uint16_t as_number(Guarantee pair) { return std::bit_cast<std::uint16_t>(pair); }
Guarantee as_pair(std::uint16_t number) { return std::bit_cast<Guarantee>(number); }

// Which numbers of a position are grounded.
constexpr std::uint8_t kMoverGrounded = 1, kOpponentGrounded = 2, kBothGrounded = 3;

// A level in work.
struct LevelPairs {
  unsigned seeds = 0;
  std::vector<Guarantee> pairs;
  std::unique_ptr<std::atomic<std::uint8_t>[]> grounded;
};

std::string text_of(Guarantee pair) {
  return std::to_string(pair.mover) + " and " + std::to_string(pair.opponent);
}

class GuaranteeExaminer {
 public:
  GuaranteeExaminer(const RuleSet& rules, unsigned pits, const std::vector<LevelRanks>& ranks, LowerDistances& lower,
                    LevelPairs& level)
      : shape_{static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)},
        generator_(rules, shape_, KernelId::kPortable),
        ranks_(ranks),
        lower_(lower),
        level_(level) {}

  void begin_task() { lower_.begin_task(); }
  void end_task() { lower_.end_task(); }

  // Grounds what can be grounded. What the moves make of the position's pair is left in `expected`.
  // Thread: any order is right, since a number is only grounded by what is grounded already.
  void examine(const Position& position, LevelIndex index, Guarantee& expected) {
    const Guarantee pair = level_.pairs[index];
    MoveList list;
    generator_.generate(position, shape_, list);
    bool mover = pair.mover == 0, opponent = true;
    if (list.legal == 0) {
      const EndResult end = generator_.end(position, shape_);
      expected = {static_cast<std::uint8_t>(end.mover), static_cast<std::uint8_t>(end.opponent)};
      mover = true;
    } else {
      unsigned most = 0, least = 255;
      for_each_move(list, [&](unsigned slot) {
        const unsigned captured = list.captured[slot];
        const unsigned left = level_.seeds - captured;
        const LevelIndex at = ranks_[left].rank(list.result[slot]);
        const Guarantee child = captured != 0 ? as_pair(lower_.value(left, at)) : level_.pairs[at];
        most = std::max(most, captured + child.opponent);
        least = std::min<unsigned>(least, child.mover);
        const std::uint8_t grounded =
            captured != 0 ? kBothGrounded : level_.grounded[at].load(std::memory_order_relaxed);
        if ((grounded & kOpponentGrounded) != 0 && captured + child.opponent >= pair.mover) mover = true;
        if ((grounded & kMoverGrounded) == 0) opponent = false;
      });
      expected = {static_cast<std::uint8_t>(most), static_cast<std::uint8_t>(least)};
    }
    if (pair.opponent == 0) opponent = true;
    level_.grounded[index].fetch_or(
        static_cast<std::uint8_t>((mover ? kMoverGrounded : 0) | (opponent ? kOpponentGrounded : 0)),
        std::memory_order_relaxed);
  }

 private:
  Shape shape_;
  MoveGenerator generator_;
  const std::vector<LevelRanks>& ranks_;
  LowerDistances::Reader lower_;
  LevelPairs& level_;
};

std::vector<const TableReader*> guarantees_of(const TableFolder& folder, const RuleSet& rules, unsigned pits) {
  const Shape shape{static_cast<std::uint8_t>(pits), static_cast<std::uint8_t>(pits)};
  std::vector<const TableReader*> files;
  for (unsigned seeds = kMaxLevelSeeds + 1; seeds-- > 0;) {
    const TableReader* file = folder.find(rules, shape, seeds, TableKind::kGuarantees);
    if (file == nullptr && files.empty()) continue;
    if (file == nullptr) {
      throw Error(ErrorClass::kIo, "the guarantees of level " + std::to_string(seeds) + " of " +
                                       std::string(game_name(rules.game)) + " 2x" + std::to_string(pits) + " (" +
                                       canonical_text(rules) + ") are missing, and the levels above rest on them");
    }
    files.push_back(file);
  }
  std::reverse(files.begin(), files.end());
  return files;
}

}  // namespace

VerifiedGuarantees verify_guarantees(const TableFolder& folder, const RuleSet& rules, unsigned pits,
                                     const VerifyOptions& options) {
  const Stopwatch watch;
  VerifiedGuarantees verified;
  const std::vector<const TableReader*> files = guarantees_of(folder, rules, pits);
  verified.levels = files.size();
  if (files.empty()) return verified;
  const Shape shape = files.front()->header().shape;
  const unsigned top = static_cast<unsigned>(files.size()) - 1;
  const HalfRanks halves(pits, rules.pit_limit, top);
  std::vector<LevelRanks> ranks;
  for (unsigned seeds = 0; seeds <= top; ++seeds) ranks.emplace_back(halves, seeds);
  const unsigned threads = worker_count(options.threads);
  std::uint64_t total = 0;
  for (const TableReader* file : files) {
    check_file(*file, threads, options.control);
    total += file->header().positions;
  }

  LowerDistances lower(
      [&](unsigned seeds, LevelIndex first, std::span<std::uint16_t> out) {
        std::vector<Guarantee> pairs(out.size());
        files[seeds]->copy_guarantees(first, pairs);
        std::transform(pairs.begin(), pairs.end(), out.begin(), as_number);
      },
      options.memory_bytes);
  for (unsigned seeds = 0; seeds <= top; ++seeds) {
    LevelPairs level;
    level.seeds = seeds;
    level.pairs = files[seeds]->read_all_guarantees();
    level.grounded = std::make_unique<std::atomic<std::uint8_t>[]>(level.pairs.size());
    std::vector<std::unique_ptr<GuaranteeExaminer>> examiners;
    for (unsigned worker = 0; worker < threads; ++worker) {
      examiners.push_back(std::make_unique<GuaranteeExaminer>(rules, pits, ranks, lower, level));
    }
    const std::vector<Tile> tiles = tiles_of(halves, seeds);
    std::mutex mutex;  // guards the faults and the control
    std::vector<VerifyFault> faults;
    std::uint64_t looked_at = 0;
    // Calls use(examiner, index, position) for the boards that `wanted` picks.
    const auto sweep = [&](auto&& wanted, auto&& use) {
      parallel_loop(threads, tiles.size(), [&](unsigned worker, std::size_t number) {
        GuaranteeExaminer& examiner = *examiners[worker];
        examiner.begin_task();
        for_boards_of(tiles[number], halves, pits, seeds, wanted,
                      [&](LevelIndex index, const Position& position) { use(examiner, index, position); });
        examiner.end_task();
        const std::lock_guard lock(mutex);
        options.control.check_stop();
      });
    };
    const auto add_fault = [&](LevelIndex index, const Position& position, std::string what) {
      const std::lock_guard lock(mutex);
      ++verified.fault_count;
      faults.push_back({seeds, index, position, shape, std::move(what)});
      if (faults.size() >= 2 * options.max_faults + 2) keep_first(faults, options.max_faults);
    };
    const auto report = [&] {
      if (options.control.progress) {
        options.control.progress({"guarantees", seeds, top, verified.positions + looked_at, total, watch.seconds()});
      }
    };

    sweep([](LevelIndex) { return true; },
          [&](GuaranteeExaminer& examiner, LevelIndex index, const Position& position) {
            Guarantee expected;
            examiner.examine(position, index, expected);
            if (level.pairs[index] == expected) return;
            add_fault(index, position, "guarantees " + text_of(level.pairs[index]) + ", the moves give " + text_of(expected));
          });
    const auto open = [&](LevelIndex index) {
      return level.grounded[index].load(std::memory_order_relaxed) != kBothGrounded;
    };
    const auto open_positions = [&] {
      std::uint64_t count = 0;
      for (LevelIndex index = 0; index < level.pairs.size(); ++index) {
        const std::uint8_t grounded = level.grounded[index].load(std::memory_order_relaxed);
        count += ((grounded & kMoverGrounded) == 0 ? 1U : 0U) + ((grounded & kOpponentGrounded) == 0 ? 1U : 0U);
      }
      return count;
    };
    for (std::uint64_t left = open_positions(), before = left + 1; left != 0 && left != before;) {
      looked_at = level.pairs.size() - std::min<std::uint64_t>(left, level.pairs.size());
      report();
      sweep(open, [](GuaranteeExaminer& examiner, LevelIndex index, const Position& position) {
        Guarantee expected;
        examiner.examine(position, index, expected);
      });
      before = left;
      left = open_positions();
    }
    if (faults.empty()) {  // else what rests on the wrong ones is left over as well
      sweep(open, [&](GuaranteeExaminer&, LevelIndex index, const Position& position) {
        add_fault(index, position, "guarantees " + text_of(level.pairs[index]) + ", more than can be forced");
      });
    }
    keep_first(faults, options.max_faults);
    verified.faults.insert(verified.faults.end(), faults.begin(), faults.end());
    verified.positions += level.pairs.size();
    lower.add_level(level.pairs.size());
    looked_at = 0;
    report();
  }
  verified.seconds = watch.seconds();
  return verified;
}

}  // namespace retrosow
