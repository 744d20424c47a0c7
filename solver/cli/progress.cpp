#include "solver/cli/progress.h"

#include <unistd.h>

#include <cstdio>

#include "solver/cli/signals.h"
#include "solver/cli/text_table.h"

namespace retrosow::cli {

ProgressLine::ProgressLine(const Arguments& arguments) {
  terminal_ = ::isatty(STDERR_FILENO) == 1;
  enabled_ = !arguments.quiet() && (arguments.progress() == ProgressMode::kAlways ||
                                    (arguments.progress() == ProgressMode::kAuto && terminal_));
}

ProgressLine::~ProgressLine() { finish(); }

RunControl ProgressLine::control() {
  RunControl control;
  control.stop = interrupted;
  if (enabled_) control.progress = [this](const Progress& progress) { report(progress); };
  return control;
}

void ProgressLine::report(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(1000);
  if (last_ && now - *last_ < pause) {
    unwritten_ = progress;
    return;
  }
  last_ = now;
  write(progress);
}

void ProgressLine::write(const Progress& progress) {
  const std::string text = progress_text(progress);
  unwritten_.reset();  // perhaps what was written
  std::fputs((terminal_ ? "\r" + text + "\x1b[K" : text + "\n").c_str(), stderr);
  std::fflush(stderr);
  line_open_ = terminal_;
}

void ProgressLine::finish() {
  if (unwritten_ && !terminal_) write(*unwritten_);
  unwritten_.reset();
  clear();
  last_.reset();
}

void ProgressLine::clear() {
  if (line_open_) std::fputs("\r\x1b[K", stderr);
  line_open_ = false;
}

std::string progress_text(const Progress& progress) {
  std::string text = progress.phase + ": level " + std::to_string(progress.level) + " of " +
                     std::to_string(progress.last_level);
  const double rate = progress.elapsed_seconds > 0
                          ? static_cast<double>(progress.done - progress.found) / progress.elapsed_seconds
                          : 0;
  if (rate > 0) text += ", " + short_number(rate) + " positions/s";
  text += ", " + grouped(progress.done);
  if (progress.total == 0) return text + " positions";
  text += " / " + grouped(progress.total);
  const auto done = static_cast<double>(progress.done), total = static_cast<double>(progress.total);
  char share[32];
  std::snprintf(share, sizeof share, ", %.1f %%", 100 * done / total);
  text += share;
  // Small levels are slow for their size, so the first rates promise nothing.
  constexpr double kShareThatTells = 0.02;
  if (rate > 0 && progress.done < progress.total && done >= kShareThatTells * total)
    text += ", " + duration((total - done) / rate) + " left";
  return text;
}

}  // namespace retrosow::cli
