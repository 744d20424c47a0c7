#include "solver/cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "bitboard/error.h"
#include "solver/cli/output.h"
#include "solver/cli/signals.h"

namespace retrosow::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

}  // namespace

OutputFile::OutputFile(const std::string& name) {
  if (name == "-") return;
  path_ = output_target(name);
  std::error_code code;
  const fs::file_status status = fs::status(path_, code);
  if (fs::is_directory(status)) {
    Error error(ErrorClass::kIo, name + ": is a folder; give the name of a file");
    error.path = name;
    throw error;
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot be opened");
    return;
  }
  std::string partial = path_.string() + ".XXXXXX.partial";
  descriptor_ = ::mkostemps(partial.data(), static_cast<int>(std::strlen(".partial")), O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot be created");
  partial_ = partial;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  static_cast<void>(::fchmod(descriptor_, 0666 & ~mask));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!partial_.empty()) ::unlink(partial_.c_str());
}

void OutputFile::write(std::string_view data) {
  bytes_ += data.size();
  if (standard_output()) {
    print(data);
    return;
  }
  buffer_ += data;
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) {
      check_interrupted();
      continue;
    }
    if (written < 0) fail("cannot be written");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void OutputFile::finish() {
  if (standard_output()) {
    flush_output();
    return;
  }
  flush();
  if (!partial_.empty() && ::fsync(descriptor_) != 0) fail("cannot be flushed to disk");
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("cannot be closed");
  if (partial_.empty()) return;
  if (::rename(partial_.c_str(), path_.c_str()) != 0) fail("cannot be renamed to its final name");
  partial_.clear();
}

void OutputFile::fail(const std::string& doing) const {
  const int code = errno;
  if (code == EPIPE) throw ClosedPipe{};
  const bool limit = code == ENOSPC || code == EDQUOT || code == EFBIG;
  Error error(limit ? ErrorClass::kLimit : ErrorClass::kIo,
              path_.string() + ": " + doing + ": " + std::strerror(code));
  error.path = path_.string();
  throw error;
}

fs::path output_target(const std::string& name) {
  constexpr unsigned kMaxLinks = 40;  // as many as the kernel follows
  fs::path path = name;
  std::error_code code;
  for (unsigned links = 0; fs::is_symlink(path, code); ++links) {
    if (fs::exists(path, code)) {
      // Of a link that stands for an open file (/dev/fd/3) the end may have no name: then it is opened as it is.
      const fs::path target = fs::canonical(path, code);
      return code ? path : target;
    }
    const fs::path target = fs::read_symlink(path, code);
    if (code || links == kMaxLinks) {
      Error error(ErrorClass::kIo, name + ": " + (code ? "is a link that cannot be read: " + code.message()
                                                       : "is a link that leads back to itself"));
      error.path = name;
      throw error;
    }
    path = path.parent_path() / target;  // `target` alone where it is absolute
  }
  return path;
}

bool is_standard_output(const std::string& name) {
  // One that was closed when the program started is open for reading only.
  const int mode = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY) return false;
  struct stat file {}, output {};
  return ::stat(name.c_str(), &file) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 &&
         file.st_dev == output.st_dev && file.st_ino == output.st_ino;
}

bool output_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

}  // namespace retrosow::cli
