#include "solver/cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "solver/cli/signals.h"

namespace retrosow::cli {
namespace {

[[noreturn]] void fail_to_write(int error_number) {
  if (interrupted()) throw Error(ErrorClass::kInterrupted, "interrupted");
  if (error_number == EPIPE) throw ClosedPipe{};
  const bool full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
  throw Error(full ? ErrorClass::kLimit : ErrorClass::kIo,
              std::string("cannot write to standard output: ") + std::strerror(error_number));
}

}  // namespace

void secure_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // open takes the lowest free number, which is this one. Reading where writing is wanted and the
    // other way round: any use fails like that of the closed descriptor.
    static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_to_write(errno);
}

void print_record(const Json& record) {
  print(record_text(record));
  flush_output();
}

void flush_output() {
  if (std::fflush(stdout) != 0) fail_to_write(errno);
}

void close_output() {
  flush_output();
  if (std::fclose(stdout) != 0) fail_to_write(errno);
}

std::string record_text(const Json& record) {
  return record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void complain(std::string_view text) {
  const std::string line = "retrosow: " + printable(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

double record_seconds(double seconds) { return std::round(seconds * 1e6) / 1e6; }

}  // namespace retrosow::cli
