// What the files of the Python module share: positions as Python holds them, boards as rows of arrays, and long runs
// that leave Python running.
//
// The module has two layers. The extension `retrosow._native` (these files) binds rules and positions, and gives the
// rest as plain functions on arrays. The package `retrosow/` (Python) is what users see: it checks arrays, wraps tables
// and holds the records (dataclasses), which the extension fills by name.
//
// A board in an array is a row of 2k bytes, the pits of the player to move first, each row in its own sowing order;
// kClosedHole stands for a closed hole (Rio Kadalis).
// Thread: every function is entered with the GIL. What takes long runs without it; it then holds on to C++ objects
// alone, never to Python's.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "bitboard/moves.h"
#include "bitboard/notation.h"
#include "tables/run_control.h"

namespace retrosow::python {

namespace py = pybind11;

inline constexpr std::uint8_t kClosedHole = 255;

// A dataclass of retrosow/records.py, made from named fields.
template <typename... Fields>
py::object record(const char* name, Fields&&... fields) {
  return py::module_::import("retrosow.records").attr(name)(std::forward<Fields>(fields)...);
}

// A board with the rules that it is played by. Immutable; positions of one game share the move generator.
class GamePosition {
 public:
  GamePosition(RuleSet rules, Board board, std::shared_ptr<const MoveGenerator> generator = nullptr)
      : rules_(std::move(rules)), board_(board), generator_(std::move(generator)) {}

  const RuleSet& rules() const { return rules_; }
  const Board& board() const { return board_; }
  Shape shape() const { return board_.shape(); }
  // Made when first asked for. Pre: the GIL is held.
  const std::shared_ptr<const MoveGenerator>& generator() const {
    if (generator_ == nullptr) generator_ = std::make_shared<const MoveGenerator>(rules_, shape());
    return generator_;
  }
  GamePosition after(const Position& result) const {
    return {rules_, board_.after(result), generator()};
  }

 private:
  RuleSet rules_;
  Board board_;
  mutable std::shared_ptr<const MoveGenerator> generator_;
};

// A RuleSet, or the name of a game, which stands for its preset. Fails: usage error; TypeError for anything else.
RuleSet rules_of(const py::object& game_or_rules);

// The board in a row of 2 * pits bytes. Fails: as parse_board.
Board board_of_row(const RuleSet& rules, const std::uint8_t* row, unsigned pits);
// Fails: limit error where a hole holds kClosedHole stones, which the row could not tell from a closed one.
void write_row(const Board& board, std::uint8_t* row);

// Calls job(control) on a thread of its own while this thread waits without the GIL, looks for signals and passes
// progress on to `on_progress` (a callable, or None) some times a second. A signal handler or a callable that
// raises (KeyboardInterrupt) stops the job, and that exception is passed on.
// Pre: `job` touches no Python object, and asks control.stop. Fails: what the job throws.
template <typename Job>
void run_long(const py::object& on_progress, Job&& job) {
  constexpr std::chrono::milliseconds kLook{50};
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;  // under the mutex, as the next
  std::optional<Progress> latest;
  std::atomic<bool> stop{false};
  std::exception_ptr failure, raised;  // of the job, in Python

  RunControl control;
  control.stop = [&] { return stop.load(std::memory_order_relaxed); };
  if (!on_progress.is_none()) {
    control.progress = [&](const Progress& progress) {
      const std::lock_guard lock(mutex);
      latest = progress;
    };
  }
  std::thread worker([&] {
    try {
      job(std::as_const(control));
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
  });
  for (bool finished = false; !finished;) {
    std::optional<Progress> progress;
    {
      const py::gil_scoped_release release;
      std::unique_lock lock(mutex);
      finished = ended.wait_for(lock, kLook, [&] { return done; });
      std::swap(progress, latest);
    }
    if (raised) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (progress) {
        on_progress(record("Progress", progress->phase, progress->level, progress->last_level,
                           progress->done, progress->total, progress->elapsed_seconds));
      }
    } catch (py::error_already_set&) {
      raised = std::current_exception();
      stop = true;
    }
  }
  worker.join();
  if (raised) std::rethrow_exception(raised);
  if (failure) std::rethrow_exception(failure);
}

// The other file of the module.
void bind_tables_and_solving(py::module_& module);

}  // namespace retrosow::python
