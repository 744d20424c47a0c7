// Progress of a long run on standard error: phase, level, rate, done / total, share, time left.
//
// On a terminal one line that is written over; elsewhere (--progress=always) a line about every second.
#pragma once

#include <chrono>
#include <optional>

#include "solver/cli/arguments.h"
#include "tables/run_control.h"

namespace retrosow::cli {

// Pre: outlives the runs that its control is given to.
class ProgressLine {
 public:
  explicit ProgressLine(const Arguments& arguments);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Reports here and stops the run once a signal has come.
  RunControl control();
  // Takes the line off a terminal, so that a result can stand there; the next report writes it again.
  void clear();
  // Ends the line, so that results and errors start on a clean one. The destructor does it, too.
  void finish();

 private:
  void report(const Progress& progress);
  void write(const Progress& progress);

  bool enabled_ = false;
  bool terminal_ = false;
  bool line_open_ = false;
  std::optional<std::chrono::steady_clock::time_point> last_;
  std::optional<Progress> unwritten_;
};

// "solve: level 9 of 12, 3.1 M positions/s, 167,960 / 2,704,156, 6.2 %, 0.8 s left"
std::string progress_text(const Progress& progress);

}  // namespace retrosow::cli
