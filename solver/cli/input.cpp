#include "solver/cli/input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "bitboard/error.h"
#include "solver/cli/signals.h"

namespace retrosow::cli {

std::optional<std::string> read_line() {
  std::string line;
  int c = 0;
  bool any = false;
  while ((c = std::getc(stdin)) != EOF) {
    any = true;
    if (c == '\n') break;
    if (line.size() <= kMaxLineBytes) line += static_cast<char>(c);
  }
  if (c == EOF && std::ferror(stdin) != 0) {
    const int error_number = errno;
    check_interrupted();
    throw Error(ErrorClass::kIo,
                std::string("cannot read standard input: ") + std::strerror(error_number));
  }
  if (!any) return std::nullopt;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

}  // namespace retrosow::cli
