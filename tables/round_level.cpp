#include "tables/round_level.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <span>
#include <string>

#include "bitboard/notation.h"
#include "tables/parallel.h"
#include "tables/table_file.h"

namespace retrosow {
namespace {

using Slot = KeyTable::Slot;

// The word of a slot. Slots without a key stay 0 and are nobody's predecessor.
constexpr std::uint16_t kBest = 0x00ff;  // best + 128; 0: no move is known
constexpr int kBestBias = 128;
constexpr std::uint16_t kOpenOne = 0x0100, kOpen = 0x0f00;
constexpr std::uint16_t kFinal = 0x1000;
constexpr std::uint16_t kOver = 0x2000;  // the round is over here

int best_of(std::uint16_t word) { return int{word & kBest} - kBestBias; }
std::uint16_t with_best(std::uint16_t word, int best) {
  return static_cast<std::uint16_t>((word & ~unsigned{kBest}) | static_cast<unsigned>(best + kBestBias));
}

constexpr std::uint64_t kSolverSlotsPerTask = 1U << 14;
constexpr std::size_t kWaveTask = 2048;     // slots of a wave that a worker takes at once
constexpr std::size_t kLookUpsAhead = 64;          // look-ups on their way into the cache
constexpr std::size_t kPredecessorAhead = 8;  // slots of a wave

class Solver {
 public:
  Solver(const RoundLevelTask& task, RoundWorkspace& workspace, const RunControl& control)
      : task_(task),
        control_(control),
        level_(task.round->levels[task.level]),
        keys_(level_.keys),
        workers_(task.workers),
        tasks_(static_cast<std::size_t>((keys_.slots() + kSolverSlotsPerTask - 1) / kSolverSlotsPerTask)),
        words_(workspace.words),
        distances_(workspace.distances),
        open_(workspace.open),
        exits_(workspace.exits),
        first_(workspace.first),
        predecessors_(workspace.predecessors) {
    words_.make_room(keys_.slots());
    exits_.make_room(keys_.slots());
    first_.make_room(keys_.slots() + 1);
    if (task.distances) {
      distances_.make_room(keys_.slots());
      open_.make_room(keys_.slots());
    }
    parallel_loop(task.workers, tasks_.size(), [&](unsigned, std::size_t at) {
      const std::uint64_t first = at * kSolverSlotsPerTask;
      const auto count = static_cast<std::ptrdiff_t>(std::min(kSolverSlotsPerTask, keys_.slots() - first));
      std::fill_n(words_.data() + first, count, std::uint16_t{0});
      std::fill_n(first_.data() + first, count, 0U);
      if (!task.distances) return;
      std::fill_n(distances_.data() + first, count, kNoDistance);
      std::fill_n(open_.data() + first, count, std::uint8_t{0});
    });
    for (Worker& worker : workers_) worker.raised.resize(level_.seeds + 1);
  }

  SlotValues run() {
    play_all();
    link();
    SlotValues values;
    if (!task_.known) values = solve_values();
    if (task_.distances) solve_distances(task_.known ? (*task_.values)[task_.level] : values);
    return values;
  }

 private:
  struct Child {
    KeyTable::Code key;
    KeyTable::Slot home;
    unsigned level;
    Slot parent;
    int gain;
  };
  struct Worker {
    std::array<Child, kLookUpsAhead> children;
    std::size_t count = 0;
    std::vector<Slot> next;                 // of the wave to come
    std::vector<std::vector<Slot>> raised;  // by best: slots that got it
  };
  // The quiet moves of the slots of a task, in their order: where they lead.
  struct Task {
    std::vector<Slot> children;
  };

  void done(double share) const {
    control_.check_stop();
    if (task_.on_done) task_.on_done(share);
  }
  double moves_share() const { return task_.distances ? (task_.known ? 0.7 : 0.6) : 0.8; }

  template <typename F>
  void for_slots(F&& f) {
    parallel_loop(task_.workers, tasks_.size(), [&](unsigned worker, std::size_t task) {
      const std::uint64_t first = task * kSolverSlotsPerTask, end = std::min(first + kSolverSlotsPerTask, keys_.slots());
      for (std::uint64_t slot = first; slot < end; ++slot) {
        if (keys_.full(slot)) f(worker, task, static_cast<Slot>(slot));
      }
    });
  }

  // ---- Moves ----

  void play_all() {
    std::atomic<std::size_t> played{0};
    const std::size_t every = std::max<std::size_t>(1, tasks_.size() / 64);
    std::mutex mutex;
    parallel_loop(task_.workers, tasks_.size(), [&](unsigned number, std::size_t at) {
      Worker& worker = workers_[number];
      const std::uint64_t first = at * kSolverSlotsPerTask, end = std::min(first + kSolverSlotsPerTask, keys_.slots());
      for (std::uint64_t slot = first; slot < end; ++slot) {
        if (keys_.full(slot)) play(worker, tasks_[at], static_cast<Slot>(slot));
      }
      resolve(worker, tasks_[at]);
      const std::size_t count = played.fetch_add(1) + 1;
      if (count % every == 0) {
        const std::lock_guard lock(mutex);
        done(moves_share() * static_cast<double>(count) / static_cast<double>(tasks_.size()));
      }
    });
  }

  void play(Worker& worker, Task& task, Slot slot) {
    const auto [position, shape] = position_of_key(key_of(slot), task_.round->shape);
    MoveList list;
    task_.generator->generate(position, shape, list);
    if (list.legal == 0) {
      words_[slot] = with_best(kOver, task_.generator->end(position, shape).value());
      return;
    }
    int best = -kBestBias;
    unsigned open = 0;
    // Look-ups that are under way raise the word, so it must be there before they end.
    for_each_move(list, [&](unsigned move) {
      const int gain = int{list.captured[move]} - int{list.captured_opponent[move]};
      if (has_bit(list.endless, move)) {
        best = std::max(best, gain);
      } else if (list.captured[move] + list.captured_opponent[move] == 0) {
        ++open;
      }
    });
    words_[slot] = with_best(static_cast<std::uint16_t>(open * kOpenOne), best);
    for_each_move(list, [&](unsigned move) {
      if (has_bit(list.endless, move)) return;
      if (worker.count == kLookUpsAhead) resolve(worker, task);
      Child& child = worker.children[worker.count++];
      child.level = task_.level + (unsigned{list.captured[move]} + list.captured_opponent[move]) / 4;
      child.key = task_.round->code.code(round_key(list.result[move], shape.swapped(), task_.round->shape));
      child.parent = slot;
      child.gain = int{list.captured[move]} - int{list.captured_opponent[move]};
      const KeyTable& keys = task_.round->levels[child.level].keys;
      child.home = keys.home(child.key);
      keys.prefetch(child.home);
      if (child.level != task_.level) __builtin_prefetch((*task_.values)[child.level].data() + child.home);
    });
  }

  void resolve(Worker& worker, Task& task) {
    for (const Child& child : std::span(worker.children).first(worker.count)) {
      const Slot slot = task_.round->levels[child.level].keys.find(child.key, child.home);
      if (slot == KeyTable::kNone) throw missing(task_.round->code.key(child.key), child.level);
      if (child.level == task_.level) {
        task.children.push_back(slot);
        std::atomic_ref(first_[slot]).fetch_add(1, std::memory_order_relaxed);
      } else {
        std::uint16_t& word = words_[child.parent];
        word = with_best(word, std::max(best_of(word), child.gain - (*task_.values)[child.level][slot]));
      }
    }
    worker.count = 0;
  }

  Position key_of(Slot slot) const { return task_.round->code.key(keys_.code(slot)); }

  Error missing(const Position& key, unsigned level) const {
    const auto [position, shape] = position_of_key(key, task_.round->shape);
    return {ErrorClass::kCorrupt,
            format_position(position, shape) + " can be reached and is not among the positions of level " +
                std::to_string(task_.round->levels[level].seeds)};
  }

  // Predecessors, from the children of the tasks.
  void link() {
    std::uint64_t sum = 0;
    for (std::uint64_t slot = 0; slot < keys_.slots(); ++slot) {
      sum += first_[slot];
      first_[slot] = static_cast<std::uint32_t>(sum);  // the end, from which its list is filled downwards
    }
    if (sum > 0xffff'ffff) throw limit_error("a level of the round has more quiet moves than 32 bits count");
    first_[keys_.slots()] = static_cast<std::uint32_t>(sum);
    predecessors_.make_room(sum);
    parallel_loop(task_.workers, tasks_.size(), [&](unsigned, std::size_t at) {
      const std::vector<Slot> children = std::move(tasks_[at].children);
      const std::uint64_t first = at * kSolverSlotsPerTask, end = std::min(first + kSolverSlotsPerTask, keys_.slots());
      std::size_t next = 0;
      for (std::uint64_t slot = first; slot < end && next < children.size(); ++slot) {
        exits_[slot] = static_cast<Value>(best_of(words_[slot]));
        for (unsigned open = (words_[slot] & kOpen) / kOpenOne; open > 0; --open) {
          __builtin_prefetch(first_.data() + children[std::min(next + kLookUpsAhead, children.size() - 1)], 1);
          const std::uint32_t place =
              std::atomic_ref(first_[children[next++]]).fetch_sub(1, std::memory_order_relaxed) - 1;
          predecessors_[place] = static_cast<Slot>(slot);
        }
      }
    });
    for_slots([&](unsigned, std::size_t, Slot slot) { exits_[slot] = static_cast<Value>(best_of(words_[slot])); });
    done(moves_share() + 0.05);
  }

  // Calls f(worker, predecessor, slot) for all predecessors of the slots of a wave, each word being asked for ahead; what
  // workers leave in `next` is the wave that is returned.
  template <typename Prefetch, typename F>
  std::vector<Slot> follow(const std::vector<Slot>& wave, Prefetch&& prefetch, F&& f) {
    struct Edge {
      Slot predecessor, slot;
    };
    const auto follow_task = [&](unsigned number, std::size_t task) {
      Worker& worker = workers_[number];
      const std::size_t begin = task * kWaveTask, end = std::min(begin + kWaveTask, wave.size());
      std::array<Edge, kLookUpsAhead> edges;
      std::size_t count = 0;
      const auto flush = [&] {
        for (const Edge& edge : std::span(edges).first(count)) f(worker, edge.predecessor, edge.slot);
        count = 0;
      };
      for (std::size_t i = begin; i < end; ++i) {
        if (i + 2 * kPredecessorAhead < end) __builtin_prefetch(first_.data() + wave[i + 2 * kPredecessorAhead]);
        if (i + kPredecessorAhead < end) {
          __builtin_prefetch(predecessors_.data() + first_[wave[i + kPredecessorAhead]]);
        }
        const Slot slot = wave[i];
        for (std::uint32_t at = first_[slot]; at < first_[slot + 1]; ++at) {
          const Slot predecessor = predecessors_[at];
          prefetch(predecessor);
          edges[count++] = {predecessor, slot};
          if (count == kLookUpsAhead) flush();
        }
      }
      flush();
    };
    const std::size_t tasks = (wave.size() + kWaveTask - 1) / kWaveTask;
    if (tasks <= 1) {
      for (std::size_t task = 0; task < tasks; ++task) follow_task(0, task);
    } else {
      parallel_loop(task_.workers, tasks, follow_task);
    }
    return take_next();
  }

  std::vector<Slot> take_next() {
    std::vector<Slot> next;
    for (Worker& worker : workers_) {
      if (next.empty()) {
        next.swap(worker.next);
      } else {
        next.insert(next.end(), worker.next.begin(), worker.next.end());
        worker.next.clear();
      }
    }
    return next;
  }

  // ---- Values ----

  SlotValues solve_values() {
    for_slots([&](unsigned number, std::size_t, Slot slot) {
      std::uint16_t& word = words_[slot];
      if ((word & kOpen) == 0) {
        word |= kFinal;
        workers_[number].next.push_back(slot);
      } else if (best_of(word) > 0) {
        workers_[number].raised[static_cast<std::size_t>(best_of(word))].push_back(slot);
      }
    });
    for (int threshold = static_cast<int>(level_.seeds); threshold > 0; --threshold) {
      for (Worker& worker : workers_) {
        for (const Slot slot : worker.raised[static_cast<std::size_t>(threshold)]) {
          std::uint16_t& word = words_[slot];
          if ((word & kFinal) != 0) continue;  // by another way, or a second time in the lists
          assert(best_of(word) == threshold);
          word |= kFinal;
          worker.next.push_back(slot);
        }
        std::vector<Slot>().swap(worker.raised[static_cast<std::size_t>(threshold)]);
      }
      for (std::vector<Slot> wave = take_next(); !wave.empty();) {
        control_.check_stop();
        wave = follow(
            wave, [&](Slot predecessor) { __builtin_prefetch(&words_[predecessor], 1); },
            [&](Worker& worker, Slot predecessor, Slot slot) {
              tell(worker, predecessor, -best_of(words_[slot]), threshold);
            });
      }
    }
    SlotValues values(keys_.slots());
    for_slots([&](unsigned, std::size_t, Slot slot) {
      values[slot] = (words_[slot] & kFinal) != 0 ? static_cast<Value>(best_of(words_[slot])) : Value{0};
    });
    done(task_.distances ? moves_share() + 0.2 : 1);
    return values;
  }

  // One of the predecessor's quiet moves has this value.
  void tell(Worker& worker, Slot predecessor, int value, int threshold) {
    const std::atomic_ref word(words_[predecessor]);
    std::uint16_t old = word.load(std::memory_order_relaxed), now;
    int best;
    do {
      if ((old & kFinal) != 0) return;
      best = std::max(best_of(old), value);
      now = with_best(static_cast<std::uint16_t>(old - kOpenOne), best);
      if (best >= threshold || (now & kOpen) == 0) now |= kFinal;
    } while (!word.compare_exchange_weak(old, now, std::memory_order_relaxed));
    if ((now & kFinal) != 0) {
      worker.next.push_back(predecessor);
    } else if (best > 0 && best > best_of(old)) {
      worker.raised[static_cast<std::size_t>(best)].push_back(predecessor);
    }
  }

  // ---- Distances ----

  // `open`: of lost positions, the quiet moves that keep the value and lead where no distance is known.
  void solve_distances(const SlotValues& values) {
    for_slots([&](unsigned number, std::size_t, Slot slot) {
      if (values[slot] > 0) workers_[number].next.push_back(slot);
    });
    follow(
        take_next(), [&](Slot predecessor) { __builtin_prefetch(values.data() + predecessor); },
        [&](Worker&, Slot predecessor, Slot slot) {
          if (values[predecessor] != -values[slot]) return;
          std::atomic_ref(open_[predecessor]).fetch_add(1, std::memory_order_relaxed);
        });
    done(moves_share() + 0.25);

    std::vector<std::vector<Slot>> exits(task_.workers);  // positions at distance 1 by an exit
    for_slots([&](unsigned number, std::size_t, Slot slot) {
      if (values[slot] == 0) return;
      if ((words_[slot] & kOver) != 0) {
        distances_[slot] = 0;
        workers_[number].next.push_back(slot);
      } else if (exits_[slot] == values[slot] && open_[slot] == 0) {
        distances_[slot] = 1;
        exits[number].push_back(slot);
      }
    });
    std::vector<Slot> wave = take_next();
    for (unsigned distance = 0; distance < 2 || !wave.empty(); ++distance) {
      control_.check_stop();
      if (distance + 1 >= kNoDistance) throw limit_error("a distance of more plies than 16 bits count");
      if (distance == 1) {
        for (const std::vector<Slot>& list : exits) wave.insert(wave.end(), list.begin(), list.end());
      }
      const auto next = static_cast<std::uint16_t>(distance + 1);
      wave = follow(
          wave, [&](Slot predecessor) { __builtin_prefetch(distances_.data() + predecessor, 1); },
          [&](Worker& worker, Slot predecessor, Slot slot) {
            if (values[predecessor] != -values[slot]) return;
            if (values[predecessor] < 0 &&
                std::atomic_ref(open_[predecessor]).fetch_sub(1, std::memory_order_relaxed) != 1) {
              return;
            }
            std::uint16_t none = kNoDistance;
            if (std::atomic_ref(distances_[predecessor]).compare_exchange_strong(none, next, std::memory_order_relaxed)) {
              worker.next.push_back(predecessor);
            }
          });
    }
    for_slots([&](unsigned, std::size_t, Slot slot) {
      if (values[slot] != 0 && distances_[slot] == kNoDistance) throw endless(slot, values[slot]);
    });
    done(1);
  }

  Error endless(Slot slot, int value) const {
    const auto [position, shape] = position_of_key(key_of(slot), task_.round->shape);
    return {ErrorClass::kCorrupt, "level " + std::to_string(level_.seeds) + ": " + format_position(position, shape) +
                                      " has value " + std::to_string(value) +
                                      ", but no way to it ends; `verify` finds what is wrong"};
  }

  const RoundLevelTask& task_;
  const RunControl& control_;
  const RoundLevelKeys& level_;
  const KeyTable& keys_;
  std::vector<Worker> workers_;
  std::vector<Task> tasks_;
  // Of the workspace, by slot:
  HugeArray<std::uint16_t>&words_, &distances_;
  HugeArray<std::uint8_t>& open_;
  HugeArray<Value>& exits_;        // the best exit, or the end; -kBestBias without one
  HugeArray<std::uint32_t>& first_;  // where its predecessors begin
  HugeArray<Slot>& predecessors_;
};

std::uint64_t level_memory(std::uint64_t slots, std::uint64_t positions, std::uint64_t quiet_moves, bool distances) {
  constexpr std::uint64_t kPages = std::uint64_t{16} << 20;  // what rounding up to pages takes
  const std::uint64_t by_slot = 2 + 1 + 4 + (distances ? 2 + 1 : 0);  // words, exits, begins of lists
  // What is raised and a wave, and keys in order; children and predecessors.
  return kPages + slots * by_slot + positions * (3 * sizeof(Slot) + sizeof(KeySlot)) + quiet_moves * 3 * sizeof(Slot);
}

}  // namespace

RoundWorkspace::RoundWorkspace(const RoundPositions& round, bool with_distances) {
  std::uint64_t slots = 0, positions = 0;
  for (const RoundLevelKeys& level : round.levels) {
    slots = std::max(slots, level.keys.slots());
    positions = std::max(positions, level.positions);
  }
  words.make_room(slots);
  exits.make_room(slots);
  first.make_room(slots + 1);
  sorted.make_room(positions);
  if (!with_distances) return;
  distances.make_room(slots);
  open.make_room(slots);
}

SlotValues solve_round_level(const RoundLevelTask& task, RoundWorkspace& workspace, const RunControl& control) {
  return Solver(task, workspace, control).run();
}

std::span<const KeySlot> sort_keys(const RoundLevelKeys& level, RoundWorkspace& workspace, unsigned workers) {
  workspace.sorted.make_room(level.positions);
  const KeyTable& keys = level.keys;
  std::size_t count = 0;
  for (std::uint64_t slot = 0; slot < keys.slots(); ++slot) {
    if (!keys.full(slot)) continue;
    const KeyTable::Code code = keys.code(slot);
    workspace.sorted[count++] = {code.high == 0 ? code.low : code.high, static_cast<Slot>(slot)};
  }
  const std::span<KeySlot> sorted(workspace.sorted.data(), count);
  parallel_sort(workers, sorted, [&](const KeySlot& a, const KeySlot& b) {
    if (a.order != b.order) return a.order < b.order;
    return keys.code(a.slot).low < keys.code(b.slot).low;  // narrow codes differ, but for a itself
  });
  return sorted;
}

std::uint64_t round_keys_memory(const RoundPositions& round) {
  std::uint64_t bytes = 0;
  for (const RoundLevelKeys& level : round.levels) bytes += level.keys.memory_bytes() + level.keys.slots();
  return bytes;
}

std::uint64_t round_level_memory(const RoundLevelKeys& level, bool distances) {
  return level_memory(level.keys.slots(), level.positions, level.quiet_moves, distances);
}

std::uint64_t round_solving_memory(const RoundPositions& round, bool distances) {
  // The workspace grows to the largest of each kind.
  std::uint64_t slots = 0, positions = 0, quiet_moves = 0;
  for (const RoundLevelKeys& level : round.levels) {
    slots = std::max(slots, level.keys.slots());
    positions = std::max(positions, level.positions);
    quiet_moves = std::max(quiet_moves, level.quiet_moves);
  }
  return round_keys_memory(round) + level_memory(slots, positions, quiet_moves, distances);
}

}  // namespace retrosow
