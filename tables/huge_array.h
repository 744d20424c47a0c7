// An array of zeros for as many words as a level has boards, on huge pages where the system gives them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "bitboard/error.h"

namespace retrosow {

// Fails: limit error when there is no memory.
template <typename T>
class HugeArray {
 public:
  HugeArray() = default;
  explicit HugeArray(std::uint64_t size) : bytes_((size * sizeof(T) + kPage) / kPage * kPage) {
    void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw limit_error("no memory for an array of " + std::to_string(bytes_ >> 20) + " MiB");
    // A wish: without huge pages it is only slower. A small array would not fill one.
    if (size * sizeof(T) >= kPage) ::madvise(memory, bytes_, MADV_HUGEPAGE);
    data_ = static_cast<T*>(memory);
  }
  ~HugeArray() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
  }
  HugeArray(HugeArray&& other) noexcept
      : bytes_(std::exchange(other.bytes_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  HugeArray& operator=(HugeArray&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }

  // Room for so many; contents are lost where there is none yet.
  void make_room(std::uint64_t size) {
    if (size * sizeof(T) > bytes_) *this = HugeArray(size);
  }

  T* data() const { return data_; }
  T& operator[](std::uint64_t i) const { return data_[i]; }

  static std::uint64_t memory_bytes(std::uint64_t size) { return size * sizeof(T) + kPage; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  std::size_t bytes_ = 0;
  T* data_ = nullptr;
};

}  // namespace retrosow
