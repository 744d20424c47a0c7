#include "solver/advisor.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>

#include "tables/build.h"

namespace retrosow {
namespace {

constexpr std::uint64_t kSearchReach =
    30;  // boards of a level and below that a search may do without
constexpr std::uint64_t kEstimateNodes = 300'000;  // of the last depth that is finished, about
constexpr unsigned kMaxEstimateDepth = 30;
// A round with so many open holes and more stones on the board is not worth a trial below the number of positions that
// the one from the start of 2x6 has.
constexpr unsigned kLargePits = 12, kLargeStones = 24;
constexpr std::uint64_t kLargeRound = 46'800'000;
constexpr std::uint64_t kTranspositionBytes = std::uint64_t{64} << 20;

int gain_of(const MoveList& list, unsigned slot) {
  return int{list.captured[slot]} - int{list.captured_opponent[slot]};
}

// Plain alpha-beta to a fixed depth, deepened while it is cheap.
class Estimator {
 public:
  Estimator(const MoveGenerator& generator, const ValueSource* known, const RunControl& control)
      : generator_(generator), known_(known), control_(control) {}

  Advice run(const Position& position, Shape shape) {
    Advice advice;
    std::uint64_t before = 0;
    for (unsigned depth = 1; depth <= kMaxEstimateDepth; ++depth) {
      nodes_ = 0;
      advice = at_depth(position, shape, depth);
      // The next depth takes some times longer.
      if (nodes_ > kEstimateNodes / 4 || nodes_ == before) break;
      before = nodes_;
    }
    return advice;
  }

 private:
  using Variation = std::vector<unsigned>;

  Advice at_depth(const Position& position, Shape shape, unsigned depth) {
    Advice advice;
    advice.depth_plies = depth;
    advice.line.end = Line::End::kCut;
    MoveList list;
    generator_.generate(position, shape, list);
    for_each_move(list, [&](unsigned slot) {
      Variation variation;
      int value = gain_of(list, slot);
      if (!has_bit(list.endless, slot)) {
        value -= search(list.result[slot], shape.swapped(), depth - 1, -kMaxSearchValue,
                        kMaxSearchValue, variation);
      }
      if (advice.evaluation.moves.empty() || value > advice.evaluation.value) {
        advice.evaluation.value = value;
        advice.slot = slot;
        advice.line.slots = {slot};
        advice.line.slots.insert(advice.line.slots.end(), variation.begin(), variation.end());
      }
      advice.evaluation.moves.push_back({slot, value});
    });
    return advice;
  }

  int search(const Position& position, Shape shape, unsigned depth, int alpha, int beta,
             Variation& variation) {
    if (++nodes_ % 4096 == 0) control_.check_stop();
    variation.clear();
    if (known_ != nullptr) {
      if (const auto value = known_->value(position, shape)) return *value;
    }
    MoveList list;
    generator_.generate(position, shape, list);
    if (list.legal == 0) return generator_.end(position, shape).value();
    if (depth == 0) return 0;
    std::array<unsigned, kMaxPits> order{};
    unsigned count = 0;
    for_each_move(list, [&](unsigned slot) { order[count++] = slot; });
    std::stable_sort(order.begin(), order.begin() + count,
                     [&](unsigned a, unsigned b) { return gain_of(list, a) > gain_of(list, b); });
    int best = -2 * kMaxSearchValue;
    Variation below;
    for (unsigned i = 0; i < count && best < beta; ++i) {
      const unsigned slot = order[i];
      const int gain = gain_of(list, slot);
      int value = gain;
      below.clear();
      if (!has_bit(list.endless, slot)) {
        value -= search(list.result[slot], shape.swapped(), depth - 1, gain - beta,
                        gain - std::max(alpha, best), below);
      }
      if (value <= best) continue;
      best = value;
      variation = {slot};
      variation.insert(variation.end(), below.begin(), below.end());
    }
    return best;
  }

  const MoveGenerator& generator_;
  const ValueSource* known_;
  const RunControl& control_;
  std::uint64_t nodes_ = 0;
};

}  // namespace

Advisor::Advisor(const RuleSet& rules, const AdvisorOptions& options)
    : rules_(rules), options_(options) {
  if (options_.tables) folder_.emplace(*options_.tables, rules_);
}

Advisor::~Advisor() = default;

const MoveGenerator& Advisor::generator(Shape shape) {
  auto& found = generators_[std::minmax<unsigned>(shape.mover_pits, shape.opponent_pits)];
  if (found == nullptr) found = std::make_unique<MoveGenerator>(rules_, shape);
  return *found;
}

const Advice& Advisor::advise(const Position& position, Shape shape) {
  if (asked_ && asked_->first == position && asked_->second == shape) return advice_;
  asked_.reset();
  std::optional<Advice> advice;
  if (folder_) {
    try {
      advice = from_source(*folder_, &*folder_, position, shape);
    } catch (const Error& error) {
      // A level below, to which a capture leads, is not there.
      if (error.error_class() != ErrorClass::kIo) throw;
    }
  }
  if (!advice) {
    advice = family_of(rules_.game) == Family::kUrim ? from_solver(position, shape)
                                                     : from_round(position, shape);
  }
  if (!advice)
    advice = Estimator(generator(shape), folder(), options_.control).run(position, shape);
  advice_ = std::move(*advice);
  assert(!advice_.evaluation.moves.empty());
  asked_.emplace(position, shape);
  return advice_;
}

std::optional<Advice> Advisor::from_source(const ValueSource& source, const TableFolder* distances,
                                           const Position& position, Shape shape) {
  if (!source.value(position, shape)) return std::nullopt;
  const MoveGenerator& moves = generator(shape);
  Advice advice;
  advice.source = Advice::Source::kTables;
  advice.evaluation = evaluate(moves, source, position, shape);
  const int value = advice.evaluation.value;
  MoveList list;
  moves.generate(position, shape, list);
  std::optional<unsigned> best;  // plies to the next capture or the end, 1 less
  bool all_known = true;
  for (const MoveValue& move : advice.evaluation.moves) {
    if (move.value != value) continue;
    const bool exits = has_bit(list.endless, move.slot) ||
                       list.captured[move.slot] + list.captured_opponent[move.slot] != 0;
    unsigned plies = 0;
    if (!exits && value != 0) {
      std::optional<std::uint16_t> behind;
      if (distances != nullptr)
        behind = distances->distance(list.result[move.slot], shape.swapped());
      if (!behind) all_known = false;
      plies = behind.value_or(kNoDistance);
    }
    if (!best || (value > 0 ? plies < *best : value < 0 && plies > *best)) {
      best = plies;
      advice.slot = move.slot;
    }
  }
  if (!all_known) {
    const Line line = perfect_line(moves, source, position, shape, 1);
    if (!line.slots.empty()) advice.slot = line.slots.front();
  }
  return advice;
}

bool Advisor::given_up(const Position& position, Shape shape) const {
  const auto found =
      too_many_seeds_.find(std::minmax<unsigned>(shape.mover_pits, shape.opponent_pits));
  return found != too_many_seeds_.end() && total_seeds(position) >= found->second;
}

std::optional<Advice> Advisor::from_solver(const Position& position, Shape shape) {
  const unsigned seeds = total_seeds(position);
  if (seeds > kMaxLevelSeeds || given_up(position, shape)) return std::nullopt;
  SolveOptions options;
  options.method = Method::kTables;
  const std::uint64_t boards = positions_of_levels(shape.mover_pits, rules_.pit_limit, 0, seeds);
  if (boards / kSearchReach > options_.limit_nodes) return std::nullopt;
  if (boards > options_.limit_nodes) options.method = Method::kSearch;
  options.tables = options_.tables;
  options.limit_nodes = options_.limit_nodes;
  options.memory_bytes = options_.memory_bytes;
  options.transposition_bytes = kTranspositionBytes;
  if (options.method == Method::kSearch) options.threads = 1;  // else the limit depends on luck
  options.control = options_.control;
  Solution solution;
  try {
    solution = solve(rules_, position, shape, options);
  } catch (const Error& error) {
    if (error.error_class() != ErrorClass::kLimit) throw;
  }
  if (!solution.moves_proved || solution.line.slots.empty()) {
    too_many_seeds_[std::minmax<unsigned>(shape.mover_pits, shape.opponent_pits)] = seeds;
    return std::nullopt;
  }
  Advice advice;
  advice.source = solution.search ? Advice::Source::kSearch : Advice::Source::kSolved;
  advice.evaluation = std::move(solution.evaluation);
  advice.line = std::move(solution.line);
  advice.slot = advice.line.slots.front();
  return advice;
}

std::optional<Advice> Advisor::from_round(const Position& position, Shape shape) {
  const unsigned stones = total_seeds(position);
  if (!round_ || !RoundSource(*round_).value(position, shape)) {
    if (stones > kMaxLevelSeeds || given_up(position, shape)) return std::nullopt;
    if (shape.pits() >= kLargePits && stones > kLargeStones && options_.limit_nodes < kLargeRound) {
      return std::nullopt;
    }
    round_.reset();
    std::atomic<bool> too_many{false};
    RunControl control = options_.control;
    control.progress = [&](const Progress& progress) {
      if (progress.done > options_.limit_nodes) too_many = true;
      if (options_.control.progress) options_.control.progress(progress);
    };
    control.stop = [&] { return too_many || (options_.control.stop && options_.control.stop()); };
    try {
      round_ = solve_round(rules_, position, shape, options_.memory_bytes, control);
      // The same answer however often progress was told.
      if (round_->positions > options_.limit_nodes) too_many = true;
    } catch (const Error& error) {
      const bool limit = error.error_class() == ErrorClass::kLimit;
      if (!limit && !(too_many && error.error_class() == ErrorClass::kInterrupted)) throw;
      too_many = true;
    }
    if (too_many) {
      round_.reset();
      options_.control.check_stop();
      too_many_seeds_[std::minmax<unsigned>(shape.mover_pits, shape.opponent_pits)] = stones;
      return std::nullopt;
    }
  }
  std::optional<Advice> advice = from_source(RoundSource(*round_), nullptr, position, shape);
  advice->source = Advice::Source::kSolved;
  return advice;
}

Line Advisor::line(const Position& position, Shape shape, unsigned max_plies) {
  const Advice& advice = advise(position, shape);
  Line line = advice.line;
  if (advice.source == Advice::Source::kTables) {
    try {
      return perfect_line(generator(shape), *folder_, position, shape, max_plies);
    } catch (const Error& error) {
      // A level further on is not there.
      if (error.error_class() != ErrorClass::kIo) throw;
      line = {{advice.slot}, Line::End::kCut};
    }
  }
  if (advice.source == Advice::Source::kSolved && advice.line.slots.empty()) {
    return perfect_line(generator(shape), RoundSource(*round_), position, shape, max_plies);
  }
  if (line.slots.size() > max_plies) {
    line.slots.resize(max_plies);
    line.end = Line::End::kCut;
  }
  return line;
}

unsigned choose_slot(const Advice& advice, unsigned strength, SplitMix64& random) {
  if (random.below(kMaxStrength) < strength) return advice.slot;
  const std::vector<MoveValue>& moves = advice.evaluation.moves;
  return moves[random.below(static_cast<unsigned>(moves.size()))].slot;
}

}  // namespace retrosow
