#include "solver/possible_results.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <span>
#include <vector>

#include "bitboard/notation.h"
#include "solver/random.h"
#include "tables/key_table.h"
#include "tables/parallel.h"
#include "tables/stopwatch.h"

namespace retrosow {
namespace {

// The results that any play of a round can bring, found from its start downwards.
//
// A position carries one bit for each number of fours that the starter can have taken when it arises, and for each
// player who can be to move then:
//
//   bit i        with 4i stones taken, the starter to move
//   bit 32 + i   the same, the other to move
//
// Levels follow each other downwards. In a level the bits are carried along quiet moves until nothing is new (in waves: a
// position is played again for the bits that it got since), and by the other moves into lower levels. Where a round ends
// they say the results. Play that never ends stays in a level, in positions that are left when those without a move among
// them have been struck out, again and again.
//
// A bit is carried on only where a result that has not been found can come of it: from 4i to that and all stones on the
// board. Of a large round nearly all results are found by playing at random first, so that little is left to carry.
//
// Tried, on one core of a busy AMD EPYC: without playing at random 278 s of processor time for the eight rounds of 2x6, 76 M
// positions, where this takes 16 s with reading them.
class ResultFinder {
 public:
  ResultFinder(const Round& round, std::uint64_t memory_bytes, unsigned threads,
               const RunControl& control)
      : round_(round),
        memory_bytes_(memory_bytes),
        stones_(total_seeds(round.root)),
        code_(round.shape, stones_),
        control_(control),
        generator_(round.rules, round.shape),
        workers_(worker_count(threads)) {}

  ResultSet run() {
    find_odd_rests();
    if (round_.positions >= kPositionsToPlay) play_at_random();
    if (all_found()) return found_;
    refuse_above_memory();
    insert_keys();
    set_bits(levels_.back().bits[index_in(levels_.back(), round_.root, round_.shape)], 1);
    for (std::size_t level = levels_.size(); level-- > 0;) {
      find_results(level);
      levels_[level] = {};
    }
    return found_;
  }

 private:
  using Slot = KeyTable::Slot;
  using Bits = std::uint64_t;
  static constexpr unsigned kOther = 32;  // the first bit with the other to move
  static constexpr Bits kStarters = 0xffff'ffff;
  static constexpr std::uint64_t kPositionsToPlay = 100'000;  // a smaller round is done as soon
  static constexpr std::size_t kTask = 1024;  // positions or slots that a worker takes at once
  static constexpr std::size_t kSlotTask = 1U << 14;
  static constexpr std::size_t kAhead = 32;  // children whose slots are on their way into the cache

  struct Level {
    KeyTable keys;
    HugeArray<Bits> bits;  // by slot
  };
  struct Child {
    std::size_t level;
    KeyTable::Code code;
    Slot home;
    Bits bits;
  };
  struct Worker {
    std::array<Child, kAhead> children;
    std::size_t count = 0;
    std::vector<Slot> slots;
    ResultSet found;
  };

  void refuse_above_memory() const {
    // Moves in vectors, which may hold twice what is in them, and waves of slots.
    const std::uint64_t moves = std::max(round_.shape.mover_pits, round_.shape.opponent_pits);
    std::uint64_t needed = 0, largest = 0;
    for (const RoundLevel& level : round_.levels) {
      const std::uint64_t positions = level.keys.size();
      const std::uint64_t bits = HugeArray<Bits>::memory_bytes(KeyTable::slots_for(positions));
      needed += KeyTable::memory_bytes(code_, positions) + bits;
      largest = std::max(largest, bits + positions * 2 * sizeof(Slot) * (moves + 4));
    }
    needed += largest;
    if (memory_bytes_ == 0 || needed <= memory_bytes_) return;
    throw limit_error("finding what the round from " + format_position(round_.root, round_.shape) +
                      " can bring needs " + mebibytes(needed) +
                      " of memory beside its values; left are " + mebibytes(memory_bytes_));
  }

  // Returns what was set before.
  static Bits set_bits(Bits& word, Bits bits) {
    const std::atomic_ref shared(word);
    const Bits before = shared.load(std::memory_order_relaxed);
    if ((before & bits) == bits) return before;
    return shared.fetch_or(bits, std::memory_order_relaxed);
  }

  template <typename F>
  void for_tasks(std::size_t size, std::size_t task_size, F&& f) {
    parallel_loop(static_cast<unsigned>(workers_.size()), (size + task_size - 1) / task_size,
                  [&](unsigned worker, std::size_t task) {
                    control_.check_stop();
                    f(workers_[worker], task * task_size, std::min(size, (task + 1) * task_size));
                  });
  }

  // Whether a player of such a level or a lower one can be left with an odd number in his row: only where his holes are
  // endless sows that may not be chosen.
  void find_odd_rests() {
    std::atomic<bool> odd = false;
    for (const RoundLevel& level : round_.levels) {
      if (round_.rules.endless_sow == EndlessSow::kForbid && level.endless_moves != 0) {
        for_tasks(odd ? 0 : level.keys.size(), kSlotTask,
                  [&](Worker&, std::size_t begin, std::size_t end) {
                    MoveList list;
                    for (; begin < end; ++begin) {
                      const auto [position, shape] =
                          position_of_key(level.keys[begin], round_.shape);
                      generator_.generate(position, shape, list);
                      if (list.legal == 0 && generator_.end(position, shape).mover % 2 != 0)
                        odd = true;
                    }
                  });
      }
      odd_rests_.push_back(odd);
    }
  }

  // Until no result has been new for a while. Both sides help to bring the starter, or the other, many stones, some
  // games more than others.
  void play_at_random() {
    const std::uint64_t patience = std::clamp<std::uint64_t>(round_.positions / 400, 100, 200000);
    SplitMix64 random(1);
    for (std::uint64_t vain = 0; vain < patience && !all_found(); ++vain) {
      control_.check_stop();
      const ResultSet before = found_;
      play_one_at_random(random);
      if (found_ != before) vain = 0;
    }
  }

  void play_one_at_random(SplitMix64& random) {
    constexpr unsigned kMostPlies = 400;
    const bool for_starter = random.below(2) != 0;
    const unsigned eighths = random.below(9);  // of the moves that help
    Position position = round_.root;
    Shape shape = round_.shape;
    unsigned seeds = stones_, starters = 0;
    bool starter_moves = true;
    std::vector<Position> seen;  // keys, of this level
    MoveList list;
    for (unsigned ply = 0; ply < kMostPlies; ++ply) {
      const Position key = round_key(position, shape, round_.shape);
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) found_.set(starters + seeds / 2);
      seen.push_back(key);
      generator_.generate(position, shape, list);
      if (list.legal == 0) {
        const EndResult rest = generator_.end(position, shape);
        found_.set(starters + (starter_moves ? rest.mover : rest.opponent));
        return;
      }
      const bool help = random.below(8) < eighths;
      unsigned move = 0;
      int best = std::numeric_limits<int>::min();
      for_each_move(list, [&](unsigned pit) {
        const int gain = int{list.captured[pit]} - list.captured_opponent[pit];
        const int wish = (help ? (for_starter == starter_moves ? gain : -gain) : 0) * 16 +
                         static_cast<int>(random.below(16));
        if (wish > best) {
          best = wish;
          move = pit;
        }
      });
      const unsigned taken = list.captured[move], lost = list.captured_opponent[move];
      starters += starter_moves ? taken : lost;
      seeds -= taken + lost;
      if (has_bit(list.endless, move)) {
        found_.set(starters + seeds / 2);
        return;
      }
      if (taken + lost != 0) seen.clear();
      position = list.result[move];
      shape = shape.swapped();
      starter_moves = !starter_moves;
    }
  }

  void insert_keys() {
    levels_.resize(round_.levels.size());
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const std::vector<Position>& keys = round_.levels[i].keys;
      Level& level = levels_[i];
      level.keys = KeyTable(code_, keys.size());
      level.bits = HugeArray<Bits>(level.keys.slots());
      for_tasks(keys.size(), kTask, [&](Worker&, std::size_t begin, std::size_t end) {
        for (; begin < end; ++begin) {
          const KeyTable::Code code = code_.code(keys[begin]);
          level.keys.insert(code, level.keys.home(code));
        }
      });
    }
  }

  Slot index_in(const Level& level, const Position& position, Shape shape) const {
    const Slot slot = level.keys.find(code_.code(round_key(position, shape, round_.shape)));
    if (slot == KeyTable::kNone) throw not_whole();
    return slot;
  }
  Error not_whole() const {
    return {ErrorClass::kIo, "the round from " + format_position(round_.root, round_.shape) +
                                 " is not whole: positions that moves lead to are not there"};
  }

  bool all_found() const { return useful_bits(round_.levels.size() - 1) == 0; }

  // Bits of a level of which results can come that have not been found.
  Bits useful_bits(std::size_t level) const {
    const unsigned seeds = round_.levels[level].seeds;
    Bits bits = 0;
    for (unsigned i = 0; 4 * i + seeds <= stones_; ++i) {
      for (unsigned x = 4 * i; x <= 4 * i + seeds; x += odd_rests_[level] ? 1U : 2U) {
        if (!found_[x]) bits |= Bits{1} << i;
      }
    }
    return bits | bits << kOther;
  }

  // Puts the bits that are wanted into fresh_, and the slots that have some into the next wave.
  void pick_slots(const Level& level, Bits wanted) {
    for_tasks(level.keys.slots(), kSlotTask,
              [&](Worker& worker, std::size_t begin, std::size_t end) {
                for (; begin < end; ++begin) {
                  fresh_[begin] = level.bits[begin] & wanted;
                  if (fresh_[begin] != 0) worker.slots.push_back(static_cast<Slot>(begin));
                }
              });
  }

  void find_results(std::size_t number) {
    const unsigned seeds = round_.levels[number].seeds;
    report(seeds);
    Level& level = levels_[number];
    Bits useful = useful_bits(number);
    if (useful == 0) return;
    fresh_.make_room(level.keys.slots());
    pick_slots(level, useful);
    std::vector<Slot> wave;
    while (take_slots(wave)) {
      for_tasks(wave.size(), kTask, [&](Worker& worker, std::size_t begin, std::size_t end) {
        for (; begin < end; ++begin) {
          const std::atomic_ref fresh(fresh_[wave[begin]]);
          // All of it: a slot whose word is not 0 counts as one of the wave.
          const Bits bits = fresh.exchange(0, std::memory_order_relaxed) & useful;
          if (bits != 0) play(worker, number, wave[begin], bits);
        }
        insert(worker, number);
      });
      take_found();
      useful = useful_bits(number);
    }
    find_endless_play(number);
    done_ += round_.levels[number].keys.size();
  }

  bool take_slots(std::vector<Slot>& slots) {
    slots.clear();
    for (Worker& worker : workers_) {
      slots.insert(slots.end(), worker.slots.begin(), worker.slots.end());
      worker.slots.clear();
    }
    return !slots.empty();
  }
  void take_found() {
    for (const Worker& worker : workers_) found_ |= worker.found;
  }

  // Results of a position, with `to_starter` more stones for him if he is to move, `to_other` if the other is.
  static void add_results(ResultSet& found, Bits bits, unsigned to_starter, unsigned to_other) {
    for (; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(bits));
      found.set(bit < kOther ? 4 * bit + to_starter : 4 * (bit - kOther) + to_other);
    }
  }

  void play(Worker& worker, std::size_t number, Slot slot, Bits bits) {
    const unsigned seeds = round_.levels[number].seeds;
    const auto [position, shape] =
        position_of_key(code_.key(levels_[number].keys.code(slot)), round_.shape);
    MoveList list;
    generator_.generate(position, shape, list);
    if (list.legal == 0) {
      const EndResult rest = generator_.end(position, shape);
      add_results(worker.found, bits, rest.mover, rest.opponent);
    }
    for_each_move(list, [&](unsigned pit) {
      const unsigned taken = list.captured[pit], lost = list.captured_opponent[pit];
      if (has_bit(list.endless, pit)) {
        const unsigned half = (seeds - taken - lost) / 2;
        add_results(worker.found, bits, taken + half, lost + half);
        return;
      }
      if (worker.count == kAhead) insert(worker, number);
      Child& child = worker.children[worker.count++];
      child.level = taken + lost == 0 ? number : level_of(seeds - taken - lost);
      child.code = code_.code(round_key(list.result[pit], shape.swapped(), round_.shape));
      child.bits = (bits & kStarters) << (taken / 4) << kOther | bits >> kOther << (lost / 4);
      const Level& level = levels_[child.level];
      child.home = level.keys.home(child.code);
      level.keys.prefetch(child.home);
      __builtin_prefetch(level.bits.data() + child.home, 1);
    });
  }

  void insert(Worker& worker, std::size_t number) {
    for (const Child& child : std::span(worker.children).first(worker.count)) {
      Level& level = levels_[child.level];
      const Slot slot = level.keys.find(child.code, child.home);
      if (slot == KeyTable::kNone) throw not_whole();
      const Bits fresh = child.bits & ~set_bits(level.bits[slot], child.bits);
      if (fresh == 0 || child.level != number) continue;
      const std::atomic_ref waiting(fresh_[slot]);
      if (waiting.fetch_or(fresh, std::memory_order_relaxed) == 0) worker.slots.push_back(slot);
    }
    worker.count = 0;
  }

  std::size_t level_of(unsigned seeds) const {
    const auto found =
        std::lower_bound(round_.levels.begin(), round_.levels.end(), seeds,
                         [](const RoundLevel& level, unsigned s) { return level.seeds < s; });
    if (found == round_.levels.end() || found->seeds != seeds) throw not_whole();
    return static_cast<std::size_t>(found - round_.levels.begin());
  }

  // Results of play that never leaves the level.
  void find_endless_play(std::size_t number) {
    const unsigned seeds = round_.levels[number].seeds;
    Level& level = levels_[number];
    Bits wanted = 0;
    for (unsigned i = 0; 4 * i + seeds <= stones_; ++i) {
      if (!found_[4 * i + seeds / 2]) wanted |= Bits{1} << i;
    }
    wanted |= wanted << kOther;
    if (wanted == 0) return;
    // Where quiet moves lead to from a position with a wanted bit, there is that bit, too.
    pick_slots(level, wanted);
    std::vector<Slot> left;
    take_slots(left);
    struct Quiet {
      std::vector<Slot> children;
      std::vector<std::uint32_t> ends;  // of a position's children
    };
    std::vector<Quiet> tasks((left.size() + kTask - 1) / kTask);
    for_tasks(left.size(), kTask, [&](Worker&, std::size_t begin, std::size_t end) {
      Quiet& quiet = tasks[begin / kTask];
      MoveList list;
      for (; begin < end; ++begin) {
        const auto [position, shape] =
            position_of_key(code_.key(level.keys.code(left[begin])), round_.shape);
        generator_.generate(position, shape, list);
        for_each_move(list, [&](unsigned pit) {
          if (has_bit(list.endless, pit) || list.captured[pit] + list.captured_opponent[pit] != 0)
            return;
          quiet.children.push_back(index_in(level, list.result[pit], shape.swapped()));
        });
        quiet.ends.push_back(static_cast<std::uint32_t>(quiet.children.size()));
      }
    });
    for (std::atomic<bool> changed = true; changed;) {
      changed = false;
      for_tasks(left.size(), kTask, [&](Worker&, std::size_t begin, std::size_t end) {
        const Quiet& quiet = tasks[begin / kTask];
        for (std::size_t i = 0; i < end - begin; ++i) {
          const std::size_t first = i == 0 ? 0 : quiet.ends[i - 1];
          const auto children = std::span(quiet.children).subspan(first, quiet.ends[i] - first);
          const std::atomic_ref here(fresh_[left[begin + i]]);
          if (here.load(std::memory_order_relaxed) == 0) continue;
          const bool goes_on = std::any_of(children.begin(), children.end(), [&](Slot child) {
            return std::atomic_ref(fresh_[child]).load(std::memory_order_relaxed) != 0;
          });
          if (goes_on) continue;
          here.store(0, std::memory_order_relaxed);
          changed = true;
        }
      });
    }
    for (const Slot slot : left) add_results(found_, fresh_[slot], seeds / 2, seeds / 2);
  }

  void report(unsigned seeds) const {
    control_.check_stop();
    if (!control_.progress) return;
    control_.progress({"results", seeds, 0, done_, round_.positions, watch_.seconds()});
  }

  const Round& round_;
  std::uint64_t memory_bytes_;
  unsigned stones_;
  KeyCode code_;
  const RunControl& control_;
  MoveGenerator generator_;
  std::vector<Worker> workers_;
  std::vector<Level>
      levels_;             // by number, ascending by seeds; those above the one in work are gone
  HugeArray<Bits> fresh_;  // of the level in work, by slot: bits that are still to be carried on
  ResultSet found_;
  std::vector<bool> odd_rests_;  // by level number
  std::uint64_t done_ = 0;
  Stopwatch watch_;
};

}  // namespace

ResultSet possible_results(const Round& round, std::uint64_t memory_bytes, unsigned threads,
                           const RunControl& control) {
  return ResultFinder(round, memory_bytes, threads, control).run();
}

}  // namespace retrosow
