#include "tables/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "bitboard/error.h"

namespace retrosow {
namespace {

Error write_error(const std::filesystem::path& path, const std::string& doing) {
  const int code = errno;
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  Error error(full ? ErrorClass::kLimit : ErrorClass::kIo,
              path.string() + ": " + doing + ": " + std::strerror(code));
  error.path = path.string();
  return error;
}

Error io_error(const std::filesystem::path& path, const std::string& what) {
  Error error(ErrorClass::kIo, path.string() + ": " + what);
  error.path = path.string();
  return error;
}

void write_all(int descriptor, std::span<const std::byte> data, const std::filesystem::path& path) {
  while (!data.empty()) {
    const ssize_t written = ::write(descriptor, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw write_error(path, "cannot be written");
    data = data.subspan(static_cast<std::size_t>(written));
  }
}

class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

 private:
  int descriptor_;
};

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : path_(path), partial_(path.string() + ".partial") {
  descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw write_error(partial_, "cannot be created");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(partial_.c_str());
}

void AtomicFile::write(std::span<const std::byte> data) { write_all(descriptor_, data, partial_); }

void AtomicFile::write_at_start(std::span<const std::byte> data) {
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) throw write_error(partial_, "cannot be rewound");
  write(data);
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) throw write_error(partial_, "cannot be flushed to disk");
  if (::rename(partial_.c_str(), path_.c_str()) != 0) throw write_error(path_, "cannot be renamed to its final name");
  ::close(descriptor_);
  descriptor_ = -1;
}

void AtomicFile::flush_folder() const {
  const int folder = ::open(path_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // the file itself is safe
  ::fsync(folder);
  ::close(folder);
}

ScratchFile::ScratchFile(const std::filesystem::path& path) : partial_(path.string() + ".partial") {
  descriptor_ = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor_ < 0) throw write_error(partial_, "cannot be created");
  if (::unlink(partial_.c_str()) != 0) {
    const Error error = write_error(partial_, "cannot be removed while it is open");
    ::close(descriptor_);
    throw error;
  }
}

ScratchFile::~ScratchFile() { ::close(descriptor_); }

void ScratchFile::append(std::span<const std::byte> data) {
  write_all(descriptor_, data, partial_);
  size_ += data.size();
}

void ScratchFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw io_error(partial_, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) throw io_error(partial_, "is shorter than what was written to it");
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

std::optional<std::string> read_text_file(const std::filesystem::path& path) {
  // Without O_NONBLOCK a pipe under this name would be waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return std::nullopt;
  if (descriptor < 0) throw io_error(path, std::string("cannot be read: ") + std::strerror(errno));
  const OpenFile closer(descriptor);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) throw io_error(path, std::string("cannot be read: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) {
    throw io_error(path, S_ISDIR(status.st_mode) ? "is a folder, not a file" : "is not a regular file");
  }
  std::string text;
  std::array<char, 1 << 14> buffer;
  while (true) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw io_error(path, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace retrosow
