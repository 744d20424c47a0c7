#include "tables/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace retrosow {
namespace {

// oneTBB orders the calls of a loop behind its start and before its end. The packaged library is not
// instrumented, so the thread sanitizer cannot see that; it sees the same order in this counter.
std::atomic<unsigned> handover{0};

void hand_over() { handover.fetch_add(1, std::memory_order_acq_rel); }

}  // namespace

unsigned worker_count(unsigned threads) {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

void parallel_loop(unsigned workers, std::size_t count,
                   const std::function<void(unsigned worker, std::size_t i)>& f) {
  // More threads than cores are a wish like any other; the arena alone would be cut down, with a warning.
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, workers);
  tbb::task_arena arena(static_cast<int>(workers));
  const auto body = [&f](std::size_t i) {
    hand_over();
    f(static_cast<unsigned>(tbb::this_task_arena::current_thread_index()), i);
    hand_over();
  };
  hand_over();  // with everything that the calls read, `body` itself included
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body); });
  hand_over();
}

}  // namespace retrosow
