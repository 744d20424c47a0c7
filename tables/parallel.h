// Parallel loops of the build side; the only place that knows oneTBB.
#pragma once

#include <cstddef>
#include <functional>

namespace retrosow {

// 0 stands for all cores.
unsigned worker_count(unsigned threads);

// Calls f(worker, i) for every i below `count`, by up to `workers` threads, and returns when all are done.
// At any time at most one call runs with the same `worker`, 0 <= worker < workers.
// What was written before the call is seen by f, and what f wrote is seen after it.
// Fails: rethrows an exception of f once all running calls have ended; the others are not begun.
void parallel_loop(unsigned workers, std::size_t count,
                   const std::function<void(unsigned worker, std::size_t i)>& f);

}  // namespace retrosow
