// Kernel files may use instructions that the machine does not have; nothing else may end up in them.
//
// A file compiled with, say, -mavx512f is safe only as long as all of its code runs behind the question
// whether the processor has AVX-512. An inline function of a header that is not inlined there is the
// trap: the linker keeps one copy of it for the whole program, perhaps this one, and the program dies
// on a lesser machine in a place that has nothing to do with kernels. Such functions are weak symbols.
#include <gtest/gtest.h>
#include <stdio.h>

#include <sstream>
#include <string>
#include <vector>

namespace retrosow::test {
namespace {

// The lines of a listing (nm -A) with symbols that a kernel file would share with other files.
std::vector<std::string> shared_functions(const std::string& listing) {
  std::vector<std::string> found;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    for (const std::string member : {"_sse41.cpp.o:", "_avx512.cpp.o:"}) {
      const std::size_t at = line.find(member);
      if (at == std::string::npos) continue;
      // Then: address, type and name. W, V and u are the types that several files may define.
      std::istringstream words(line.substr(at + member.size()));
      std::string address, type, name;
      words >> address >> type >> name;
      const bool weak = type == "W" || type == "V" || type == "u";
      // DW.ref.: the compiler's own pointer to the exception handling routine; data, not code.
      if (weak && !name.starts_with("DW.ref.")) found.push_back(line);
    }
  }
  return found;
}

TEST(KernelSymbols, EveryFunctionInAKernelFileIsItsOwn) {
  FILE* nm = popen("'" RETROSOW_NM "' -A -C '" RETROSOW_BITBOARD_ARCHIVE "' 2>&1", "r");
  ASSERT_NE(nm, nullptr);
  std::string listing;
  for (char buffer[4096]; const std::size_t got = fread(buffer, 1, sizeof buffer, nm);) {
    listing.append(buffer, got);
  }
  ASSERT_EQ(pclose(nm), 0) << listing;
  ASSERT_NE(listing.find("moves.cpp.o"), std::string::npos) << "not a listing of the library";
  EXPECT_EQ(shared_functions(listing), std::vector<std::string>{});
}

TEST(KernelSymbols, ASharedFunctionIsCaught) {
  const std::string member = "/a path/libretrosow_bitboard.a:sow_avx512.cpp.o:";
  EXPECT_EQ(shared_functions(member + "0000000000000000 W std::vector<int>::size() const\n").size(),
            1u);
  EXPECT_EQ(
      shared_functions(member + "0000000000000000 t (anonymous namespace)::sow()\n" +  //
                       member + "                 U memcpy\n" + member +
                       "0000000000000000 V DW.ref.__gxx_personality_v0\n" +
                       "lib.a:moves.cpp.o:0000000000000000 W std::vector<int>::size() const\n"),
      std::vector<std::string>{});
}

}  // namespace
}  // namespace retrosow::test
