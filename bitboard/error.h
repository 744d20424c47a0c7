// Typed errors: every library of the toolkit reports bad input by throwing Error.
//
// The libraries never print, exit or abort on input. The class of an error decides the exit code of
// the command line (see error_exit_code); the message says what is wrong, where, and what would be
// right. A wrong *program* is an assertion instead.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace retrosow {

enum class ErrorClass : std::uint8_t {
  kUsage,        // a malformed position, an unknown option, a value out of range
  kIo,           // input / output, or a table that is not there
  kCorrupt,      // data that does not match its checksum, size or format
  kUnsupported,  // a format version or rule set that this build does not handle
  kLimit,        // memory, disk, size or search limit reached
  kInterrupted,  // stopped by the user or by a signal
};

class Error : public std::runtime_error {
 public:
  Error(ErrorClass error_class, const std::string& message)
      : std::runtime_error(message), class_(error_class) {}

  ErrorClass error_class() const noexcept { return class_; }

  // Where a file is concerned: its path, the byte offset of the fault, and the two values that differ.
  std::string path;
  std::optional<std::uint64_t> offset;
  std::string expected;
  std::string found;

 private:
  ErrorClass class_;
};

// The exit code that stands for an error class: 2 usage, 3 io, 4 corrupt, 5 unsupported, 6 limit,
// 130 interrupted. (1 stands for "disproved", no error; 70 for a fault of the program.)
constexpr int error_exit_code(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::kUsage: return 2;
    case ErrorClass::kIo: return 3;
    case ErrorClass::kCorrupt: return 4;
    case ErrorClass::kUnsupported: return 5;
    case ErrorClass::kLimit: return 6;
    case ErrorClass::kInterrupted: return 130;
  }
  return 70;
}

// What an error says, on one line: its message, and path, offset, expected and found where they are
// set and not in the message already; printable.
std::string error_text(const Error& error);
// Text on one line: control characters, and what is no UTF-8, both of which may come from names of files, are shown as \xNN.
std::string printable(std::string_view text);
// Bytes of the UTF-8 character that `text` begins with; 0 where it begins with none. Pre: not empty.
std::size_t utf8_length(std::string_view text);

// "12 MiB (12345678 bytes)", the former rounded up: for errors.
std::string mebibytes(std::uint64_t bytes);

inline Error usage_error(const std::string& message) { return {ErrorClass::kUsage, message}; }
inline Error limit_error(const std::string& message) { return {ErrorClass::kLimit, message}; }

}  // namespace retrosow
