#include "tables/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace retrosow {
namespace {

// oneTBB orders the calls of a loop behind its start and before its end. The packaged library is not
// instrumented, so the thread sanitizer cannot see that; it sees the same order in this counter.
std::atomic<unsigned> handover{0};

void hand_over() { handover.fetch_add(1, std::memory_order_acq_rel); }

// Arenas that no loop is using. What an arena has taken is not given back for long, so that one for every loop of a
// build with many short rounds would add up to more than the build itself.
class ArenaPool {
 public:
  using Arena = std::unique_ptr<tbb::task_arena>;

  Arena take(unsigned workers) {
    const std::lock_guard lock(mutex_);
    std::vector<Arena>& free = free_[workers];
    if (free.empty()) return std::make_unique<tbb::task_arena>(static_cast<int>(workers));
    Arena arena = std::move(free.back());
    free.pop_back();
    return arena;
  }
  void give_back(unsigned workers, Arena arena) {
    const std::lock_guard lock(mutex_);
    free_[workers].push_back(std::move(arena));
  }

 private:
  std::mutex mutex_;
  std::map<unsigned, std::vector<Arena>> free_;  // by workers
};

// An arena for as long as a loop lasts.
class LoopArena {
 public:
  explicit LoopArena(unsigned workers) : workers_(workers), arena_(pool().take(workers)) {}
  ~LoopArena() { pool().give_back(workers_, std::move(arena_)); }
  LoopArena(const LoopArena&) = delete;
  LoopArena& operator=(const LoopArena&) = delete;
  tbb::task_arena& operator*() const { return *arena_; }

 private:
  static ArenaPool& pool() {
    static ArenaPool arenas;
    return arenas;
  }
  unsigned workers_;
  ArenaPool::Arena arena_;
};

// Those that this process may run on, which can be fewer than the machine has.
unsigned usable_cores() { return static_cast<unsigned>(std::max(1, tbb::info::default_concurrency())); }

}  // namespace

unsigned worker_count(unsigned threads) { return threads != 0 ? threads : usable_cores(); }

void parallel_loop(unsigned workers, std::size_t count,
                   const std::function<void(unsigned worker, std::size_t i)>& f) {
  // More threads than cores are a wish like any other; the arena alone would be cut down, with a warning.
  std::optional<tbb::global_control> allowed;
  if (workers > usable_cores()) {
    allowed.emplace(tbb::global_control::max_allowed_parallelism, workers);
  }
  const LoopArena arena(workers);
  const auto body = [&f](std::size_t i) {
    hand_over();
    f(static_cast<unsigned>(tbb::this_task_arena::current_thread_index()), i);
    hand_over();
  };
  hand_over();  // with everything that the calls read, `body` itself included
  (*arena).execute([&] { tbb::parallel_for(std::size_t{0}, count, body); });
  hand_over();
}

}  // namespace retrosow
