#include "tables/round_positions.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <string>

#include "tables/build_files.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

constexpr std::size_t kTaskPositions = 256;
constexpr std::size_t kLeastBatch = 256, kMostBatch = std::size_t{1} << 16;
constexpr std::size_t kSlotsPerTask = std::size_t{1} << 16;
constexpr std::size_t kAhead = 64;  // children whose slots are on their way into the cache

class Enumerator {
 public:
  Enumerator(const RuleSet& rules, const Position& root, Shape shape, std::uint64_t memory_bytes, unsigned workers,
             const RunControl& control)
      : round_(empty_round(rules, root, shape)),
        generator_(rules, shape),
        memory_bytes_(memory_bytes),
        control_(control),
        workers_(workers) {
    for (Worker& worker : workers_) worker.levels.resize(round_.levels.size());
    make_room(0, 1);
    KeyTable& top = round_.levels[0].keys;
    const KeyTable::Code key = round_.code.code(round_key(root, shape, shape));
    top.insert(key, top.home(key));
    round_.levels[0].positions = 1;
  }

  RoundPositions run() {
    for (unsigned level = 0; level < round_.levels.size(); ++level) enumerate(level);
    return std::move(round_);
  }

 private:
  struct Child {
    KeyTable::Code key;
    KeyTable::Slot home;
    unsigned level;
  };
  struct Counts {
    std::uint64_t found = 0, moves = 0, quiet_moves = 0, endless_moves = 0;
  };
  struct Worker {
    std::array<Child, kAhead> children;
    std::size_t count = 0;
    std::vector<KeyTable::Code> found;  // new keys of the level in work
    std::vector<Counts> levels;
  };

  void enumerate(unsigned level) {
    RoundLevelKeys& here = round_.levels[level];
    std::vector<KeyTable::Code> wave = keys_of(here);
    while (!wave.empty()) {
      waiting_ = wave.size();
      for (std::size_t first = 0; first < wave.size();) {
        // A batch is small beside the level, so that room for the most that it can add is no waste.
        const std::size_t size = std::min(
            {wave.size() - first, kMostBatch, std::max(kLeastBatch, static_cast<std::size_t>(here.positions / 16))});
        play(level, std::span<const KeyTable::Code>(wave).subspan(first, size));
        first += size;
        report(level);
      }
      wave.clear();
      waiting_ = 0;
      for (Worker& worker : workers_) {
        wave.insert(wave.end(), worker.found.begin(), worker.found.end());
        worker.found.clear();
      }
    }
    if (here.keys.room() / 8 > here.positions / 5) rebuild(level, here.positions);
  }

  // Those from above, in any order.
  static std::vector<KeyTable::Code> keys_of(const RoundLevelKeys& level) {
    std::vector<KeyTable::Code> keys;
    keys.reserve(level.positions);
    for (std::uint64_t slot = 0; slot < level.keys.slots(); ++slot) {
      if (level.keys.full(slot)) keys.push_back(level.keys.code(slot));
    }
    return keys;
  }

  void play(unsigned level, std::span<const KeyTable::Code> batch) {
    const std::uint64_t most = batch.size() * std::max(round_.shape.mover_pits, round_.shape.opponent_pits);
    // A move takes at most what lies there: levels below are reached by any of them.
    for (unsigned below = level; below < round_.levels.size(); ++below) make_room(below, most);
    const std::size_t tasks = (batch.size() + kTaskPositions - 1) / kTaskPositions;
    parallel_loop(static_cast<unsigned>(workers_.size()), tasks, [&](unsigned number, std::size_t task) {
      Worker& worker = workers_[number];
      const std::size_t first = task * kTaskPositions;
      for (const KeyTable::Code& key : batch.subspan(first, std::min(kTaskPositions, batch.size() - first))) {
        play(worker, level, round_.code.key(key));
      }
      insert(worker, level);
    });
    for (Worker& worker : workers_) {
      for (unsigned below = level; below < round_.levels.size(); ++below) {
        RoundLevelKeys& counted = round_.levels[below];
        Counts& counts = worker.levels[below];
        counted.positions += counts.found;
        if (below == level) waiting_ += counts.found;
        counted.moves += counts.moves;
        counted.quiet_moves += counts.quiet_moves;
        counted.endless_moves += counts.endless_moves;
        counts = {};
      }
    }
    played_ += batch.size();
  }

  void play(Worker& worker, unsigned level, const Position& key) {
    const auto [position, shape] = position_of_key(key, round_.shape);
    MoveList list;
    generator_.generate(position, shape, list);
    Counts& counts = worker.levels[level];
    counts.moves += list.count();
    counts.endless_moves += static_cast<unsigned>(std::popcount(list.endless));
    for_each_move(list, [&](unsigned slot) {
      if (has_bit(list.endless, slot)) return;
      const unsigned fours = (unsigned{list.captured[slot]} + list.captured_opponent[slot]) / 4;
      if (fours == 0) ++counts.quiet_moves;
      if (worker.count == kAhead) insert(worker, level);
      Child& child = worker.children[worker.count++];
      child.key = round_.code.code(round_key(list.result[slot], shape.swapped(), round_.shape));
      child.level = level + fours;
      const KeyTable& keys = round_.levels[child.level].keys;
      child.home = keys.home(child.key);
      keys.prefetch(child.home);
    });
  }

  void insert(Worker& worker, unsigned level) {
    for (const Child& child : std::span(worker.children).first(worker.count)) {
      if (!round_.levels[child.level].keys.insert(child.key, child.home)) continue;
      ++worker.levels[child.level].found;
      if (child.level == level) worker.found.push_back(child.key);
    }
    worker.count = 0;
  }

  void make_room(unsigned level, std::uint64_t more) {
    const RoundLevelKeys& here = round_.levels[level];
    const std::uint64_t wanted = here.positions + more;
    if (wanted > here.keys.room()) rebuild(level, std::max(wanted, 2 * here.positions));
  }

  void rebuild(unsigned level, std::uint64_t room) {
    allow(KeyTable::memory_bytes(round_.code, room));
    KeyTable& old = round_.levels[level].keys;
    KeyTable rebuilt(round_.code, room);
    const std::size_t tasks = static_cast<std::size_t>((old.slots() + kSlotsPerTask - 1) / kSlotsPerTask);
    parallel_loop(static_cast<unsigned>(workers_.size()), tasks, [&](unsigned, std::size_t task) {
      const std::uint64_t first = task * kSlotsPerTask, end = std::min(first + kSlotsPerTask, old.slots());
      std::array<std::pair<KeyTable::Code, KeyTable::Slot>, kAhead> ahead;
      std::size_t count = 0;
      const auto insert_all = [&] {
        for (std::size_t i = 0; i < count; ++i) rebuilt.insert(ahead[i].first, ahead[i].second);
        count = 0;
      };
      for (std::uint64_t slot = first; slot < end; ++slot) {
        if (!old.full(slot)) continue;
        const KeyTable::Code key = old.code(slot);
        const KeyTable::Slot home = rebuilt.home(key);
        rebuilt.prefetch(home);
        ahead[count++] = {key, home};
        if (count == kAhead) insert_all();
      }
      insert_all();
    });
    old = std::move(rebuilt);
  }

  void allow(std::uint64_t more_bytes) {
    const std::uint64_t needed = round_.memory_bytes() + 2 * sizeof(KeyTable::Code) * waiting_ + more_bytes;
    round_.peak_bytes = std::max(round_.peak_bytes, needed);
    if (memory_bytes_ == 0 || needed <= memory_bytes_) return;
    throw limit_error("enumerating the round needs " + mebibytes(needed) + " of memory at least, for " +
                      std::to_string(std::max<std::uint64_t>(1, round_.positions())) +
                      " of its positions; allowed are " + mebibytes(memory_bytes_));
  }

  void report(unsigned level) const {
    control_.check_stop();
    if (!control_.progress) return;
    control_.progress({"enumerate", round_.levels[level].seeds, round_.levels.front().seeds, played_, 0,
                       watch_.seconds()});
  }

  RoundPositions round_;
  MoveGenerator generator_;
  std::uint64_t memory_bytes_;
  const RunControl& control_;
  const Stopwatch watch_;
  std::vector<Worker> workers_;
  std::uint64_t played_ = 0;
  std::uint64_t waiting_ = 0;  // positions of the wave in work and of the one to come
};

}  // namespace

std::uint64_t RoundPositions::positions() const {
  std::uint64_t sum = 0;
  for (const RoundLevelKeys& level : levels) sum += level.positions;
  return sum;
}

std::uint64_t RoundPositions::moves() const {
  std::uint64_t sum = 0;
  for (const RoundLevelKeys& level : levels) sum += level.moves;
  return sum;
}

std::uint64_t RoundPositions::memory_bytes() const {
  std::uint64_t sum = 0;
  for (const RoundLevelKeys& level : levels) sum += level.keys.memory_bytes();
  return sum;
}

RoundPositions empty_round(const RuleSet& rules, const Position& root, Shape shape) {
  assert(family_of(rules.game) == Family::kRioKadalis);
  const unsigned seeds = total_seeds(root);
  if (seeds > kMaxLevelSeeds) {
    throw limit_error(std::to_string(seeds) + " stones on the board; values are solved for at most " +
                      std::to_string(kMaxLevelSeeds));
  }
  RoundPositions round{rules, root, shape, KeyCode(shape, seeds), {}, 0};
  round.levels.resize(seeds / 4 + 1);
  for (unsigned i = 0; i < round.levels.size(); ++i) round.levels[i].seeds = seeds - 4 * i;
  return round;
}

RoundPositions enumerate_round(const RuleSet& rules, const Position& root, Shape shape, std::uint64_t memory_bytes,
                               unsigned workers, const RunControl& control) {
  return Enumerator(rules, root, shape, memory_bytes, workers, control).run();
}

}  // namespace retrosow
