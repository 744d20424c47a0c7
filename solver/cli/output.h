// Standard output and standard error: records, text, errors, remarks.
//
// Results go through print and print_record only, so that a failed write (a full disk, a pipe that
// nobody reads any more) is noticed and ends the run, with exit code 6 or 3.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "bitboard/error.h"

namespace retrosow::cli {

// Keys keep the order in which they are added: it is part of what users see.
using Json = nlohmann::ordered_json;

// The exit code of an exception that should not be: a fault of the program. That of sysexits.h (EX_SOFTWARE), and
// none of error_exit_code's nor 1, which says that `verify` disproved a table.
inline constexpr int kInternalError = 70;

// Makes sure that descriptors 0, 1 and 2 are open, so that no file of the program can end up under
// them. A standard output that was closed stays unusable. Call first.
void secure_standard_streams();

// Buffered; print_record and flush_output hand everything on. Fails: io error if it cannot be written;
// limit error where the disk is full or the file too large.
void print(std::string_view text);
void print_record(const Json& record);
void flush_output();
// The last call: also notices what only closing the file shows.
void close_output();

// Thrown in place of an io error when the reader of standard output has gone: nothing needs saying.
struct ClosedPipe {};

// One line of JSON. Bytes that are not UTF-8 are replaced.
std::string record_text(const Json& record);

// Prints `retrosow: TEXT` on standard error, on one line: control characters, which may come from names of files,
// are shown as \xNN.
void complain(std::string_view text);

// A duration as records hold it: rounded to microseconds.
double record_seconds(double seconds);

}  // namespace retrosow::cli
