// Fuzzes the reader of table files with libFuzzer: bytes that are a file, checksums made right on request.
//
//   cmake --preset fuzz && cmake --build --preset fuzz
//   build/fuzz/bin/table_reader_fuzz --seeds FOLDER     writes small right files to begin with
//   build/fuzz/bin/table_reader_fuzz FOLDER -max_total_time=300 -max_len=8192
//
// An input is a byte of Repair bits (tests/support/hostile_file.h), then the file. tests/quick/hostile_file_test.cpp
// runs the same function over a seeded set of mutated files, without clang.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/hostile_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/table_files.h"

namespace {

using namespace retrosow::test;

void write_seeds(const std::filesystem::path& folder) {
  const ScratchFolder scratch;
  std::filesystem::create_directories(folder);
  for (const std::filesystem::path& path : small_files(scratch)) {
    const Bytes file = read_bytes(path);
    for (const std::uint8_t what : {0, 1, 3, 7, 15, 63}) {
      Bytes input = {what};
      input.insert(input.end(), file.begin(), file.end());
      write_bytes(folder / (path.stem().string() + "-" + std::to_string(what)), input);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc == 3 && std::string((*argv)[1]) == "--seeds") {
    write_seeds((*argv)[2]);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ScratchFolder folder;
  const std::string fault = hostile_file_fault(folder / "hostile.rsow", {data, size});
  if (!fault.empty()) {
    std::fprintf(stderr, "fault: %s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
