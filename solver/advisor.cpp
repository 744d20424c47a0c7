#include "solver/advisor.h"

#include <algorithm>
#include <cassert>

#include "tables/build.h"

namespace retrosow {
namespace {

constexpr std::uint64_t kSearchReach = 30;         // boards of a level and below that a search may do without
constexpr std::uint64_t kEstimateNodes = 300'000;  // of the last depth that is finished, about
constexpr unsigned kMaxEstimateDepth = 30;
constexpr std::uint64_t kTranspositionBytes = std::uint64_t{64} << 20;

bool has_bit(std::uint8_t bits, unsigned slot) { return ((bits >> slot) & 1U) != 0; }

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
    std::stable_sort(order.begin(), order.begin() + count, [&](unsigned a, unsigned b) {
      return gain_of(list, a) > gain_of(list, b);
    });
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
  std::optional<Advice> advice = from_tables(position, shape);
  if (!advice) advice = from_solver(position, shape);
  if (!advice) advice = Estimator(generator(shape), folder(), options_.control).run(position, shape);
  advice_ = std::move(*advice);
  assert(!advice_.evaluation.moves.empty());
  asked_.emplace(position, shape);
  return advice_;
}

std::optional<Advice> Advisor::from_tables(const Position& position, Shape shape) {
  if (!folder_ || !folder_->value(position, shape)) return std::nullopt;
  const MoveGenerator& moves = generator(shape);
  Advice advice;
  advice.source = Advice::Source::kTables;
  try {
    advice.evaluation = evaluate(moves, *folder_, position, shape);
  } catch (const Error& error) {
    // A level below, to which a capture leads, is not there.
    if (error.error_class() == ErrorClass::kIo) return std::nullopt;
    throw;
  }
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
      const auto behind = folder_->distance(list.result[move.slot], shape.swapped());
      if (!behind) all_known = false;
      plies = behind.value_or(kNoDistance);
    }
    if (!best || (value > 0 ? plies < *best : value < 0 && plies > *best)) {
      best = plies;
      advice.slot = move.slot;
    }
  }
  if (!all_known) {
    const Line line = perfect_line(moves, *folder_, position, shape, 1);
    if (!line.slots.empty()) advice.slot = line.slots.front();
  }
  return advice;
}

std::optional<Advice> Advisor::from_solver(const Position& position, Shape shape) {
  const unsigned seeds = total_seeds(position);
  if (seeds > kMaxLevelSeeds) return std::nullopt;
  const Rows rows = std::minmax<unsigned>(shape.mover_pits, shape.opponent_pits);
  if (const auto found = too_many_seeds_.find(rows);
      found != too_many_seeds_.end() && seeds >= found->second) {
    return std::nullopt;
  }
  SolveOptions options;
  options.method = Method::kTables;
  if (family_of(rules_.game) == Family::kUrim) {
    const std::uint64_t boards = positions_of_levels(shape.mover_pits, rules_.pit_limit, 0, seeds);
    if (boards / kSearchReach > options_.limit_nodes) return std::nullopt;
    if (boards > options_.limit_nodes) options.method = Method::kSearch;
  }
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
    too_many_seeds_[rows] = seeds;
    return std::nullopt;
  }
  Advice advice;
  advice.source = solution.search ? Advice::Source::kSearch : Advice::Source::kSolved;
  advice.evaluation = std::move(solution.evaluation);
  advice.line = std::move(solution.line);
  advice.slot = advice.line.slots.front();
  return advice;
}

Line Advisor::line(const Position& position, Shape shape, unsigned max_plies) {
  const Advice& advice = advise(position, shape);
  if (advice.source == Advice::Source::kTables) {
    return perfect_line(generator(shape), *folder_, position, shape, max_plies);
  }
  Line line = advice.line;
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
