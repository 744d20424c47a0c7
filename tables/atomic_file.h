// Files that are complete or not there, and files that never are.
#pragma once

#include <cstddef>
#include <cstdint>
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

// Room on disk for what a run reads again itself. The file loses its name as soon as it is open, so that nothing is left of it
// however the run ends; what is there under the name `path`.partial is replaced. The space is free again with the end of this.
// Fails: as AtomicFile.
class ScratchFile {
 public:
  explicit ScratchFile(const std::filesystem::path& path);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  void append(std::span<const std::byte> data);
  std::uint64_t size() const { return size_; }
  // Pre: offset + out.size() <= size(). Thread: any, but not while something is appended. Fails: io error.
  void read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::filesystem::path partial_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// Writes a text as an AtomicFile; the folder is not flushed.
void write_text_file(const std::filesystem::path& path, std::string_view text);

// All of a file; nothing where there is none. Fails: io error if it cannot be read or is no regular file.
std::optional<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace retrosow
