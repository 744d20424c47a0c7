// Files that are complete or not there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace retrosow {

// Writes to `path`.partial and renames it at the end; without commit() the unfinished file is deleted. Whatever happens,
// power loss included, `path` is what it was or the whole new file.
// Fails: io error; limit error when the disk is full.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> data);
  void write_at_start(std::span<const std::byte> data);
  void commit();
  // Makes the new name last as well. Which of the two files is there after power loss is otherwise left to chance.
  void flush_folder() const;

 private:
  std::filesystem::path path_, partial_;
  int descriptor_ = -1;  // -1: committed
};

// Writes a text as an AtomicFile; the folder is not flushed.
void write_text_file(const std::filesystem::path& path, std::string_view text);

// All of a file; nothing where there is none. Fails: io error if it cannot be read or is no regular file.
std::optional<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace retrosow
