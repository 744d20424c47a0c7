#include "tables/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

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

// Closes, and deletes unless it was kept.
class PartialFile {
 public:
  explicit PartialFile(const std::filesystem::path& path) : path_(path) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor_ < 0) throw write_error(path_, "cannot be created");
  }
  ~PartialFile() {
    ::close(descriptor_);
    if (!kept_) ::unlink(path_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw write_error(path_, "cannot be written");
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void rename_to(const std::filesystem::path& path) {
    if (::fsync(descriptor_) != 0) throw write_error(path_, "cannot be flushed to disk");
    if (::rename(path_.c_str(), path.c_str()) != 0) {
      throw write_error(path, "cannot be renamed to its final name");
    }
    kept_ = true;
  }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool kept_ = false;
};

}  // namespace

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  PartialFile file(path.string() + ".partial");
  file.write(text);
  file.rename_to(path);
}

}  // namespace retrosow
