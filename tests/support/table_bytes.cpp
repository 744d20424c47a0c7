#include "tests/support/table_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tables/digest.h"

namespace retrosow::test {
namespace {

constexpr std::size_t kEntryBytes = 48;

std::uint64_t checksum(const Bytes& bytes, std::size_t from, std::size_t to) {
  return checksum_of(std::as_bytes(std::span(bytes).subspan(from, to - from)));
}

}  // namespace

Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_bytes(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
  // Over the old bytes: a file that is cut to nothing and written again goes to the disk each time.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) throw std::runtime_error("cannot write " + path.string());
  const ssize_t written = ::pwrite(descriptor, bytes.data(), bytes.size(), 0);
  const bool whole =
      written == static_cast<ssize_t>(bytes.size()) && ::ftruncate(descriptor, written) == 0;
  ::close(descriptor);
  if (!whole) throw std::runtime_error("cannot write " + path.string());
}

std::size_t header_bytes_of(const Bytes& bytes) {
  return get_field<std::uint32_t>(bytes, kHeaderLengthAt);
}

std::size_t entry_of(const Bytes& bytes, std::size_t block) {
  return header_bytes_of(bytes) + block * kEntryBytes;
}

void seal_header(Bytes& bytes) {
  const std::size_t at = header_bytes_of(bytes) - 8;
  set_field(bytes, at, checksum(bytes, 0, at));
}

void seal_index(Bytes& bytes) {
  const std::size_t from = entry_of(bytes, 0);
  const std::size_t to = entry_of(bytes, get_field<std::uint32_t>(bytes, kBlocksAt));
  set_field(bytes, to, checksum(bytes, from, to));
}

void seal_block(Bytes& bytes, std::size_t block) {
  const std::size_t entry = entry_of(bytes, block);
  const std::size_t from = get_field<std::uint64_t>(bytes, entry);
  const std::size_t length = get_field<std::uint64_t>(bytes, entry + 8);
  set_field(bytes, entry + 16, checksum(bytes, from, from + length));
  seal_index(bytes);
}

std::optional<Error> error_from(const std::function<void()>& action) {
  try {
    action();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace retrosow::test
