// A file of results: it is there whole, or not at all.
//
// Written under another name in the same folder and renamed at the end, so that a failed or interrupted
// run leaves nothing and harms no older file. A link stays a link, and what it leads to is written, whether it
// is there already or not. What is no regular file (a device, a pipe) is written to directly, and standard output,
// named `-`, through print.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace retrosow::cli {

class OutputFile {
 public:
  // Fails: io error; limit error where the disk is full.
  explicit OutputFile(const std::string& name);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool standard_output() const { return descriptor_ < 0 && path_.empty(); }
  std::uint64_t bytes() const { return bytes_; }

  // Buffered. Fails: io error; limit error where the disk is full or the file too large.
  void write(std::string_view data);
  // Flushes to disk and gives the file its name.
  void finish();

 private:
  void flush();
  [[noreturn]] void fail(const std::string& doing) const;

  std::filesystem::path path_;     // empty: standard output
  std::filesystem::path partial_;  // empty: written directly
  int descriptor_ = -1;
  std::string buffer_;
  std::uint64_t bytes_ = 0;
};

// Where a file of this name is written: the end of its links. Fails: io error if they lead round in a circle.
std::filesystem::path output_target(const std::string& name);

// Whether the name is one of standard output itself, as /dev/stdout is, or of the file that it goes to.
bool is_standard_output(const std::string& name);

// Whether standard output is a terminal.
bool output_is_terminal();

}  // namespace retrosow::cli
