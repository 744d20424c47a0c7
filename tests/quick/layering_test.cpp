// The arrows between the folders, and what libraries never do.
//
//   bitboard <- tables <- solver <- solver/cli          bench and tests may include anything,
//                                                       nothing includes them
//
// Every source file of the tree is read as text: an include that goes against an arrow or reaches for a
// package that the folder may not use is a fault, and so is a library that prints or ends the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/test_data.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

struct Layer {
  std::string folder;                 // the deepest layer whose folder a file lies in is the file's
  std::vector<std::string> own;       // folders of this project that it may include from
  std::vector<std::string> packages;  // beginnings of other packages' headers
  bool library = true;                // must not print or end the program
};

const std::vector<Layer>& layers() {
  static const std::vector<Layer> all = {
      {"bitboard", {"bitboard"}, {}},
      {"tables", {"bitboard", "tables"}, {"xxhash.h", "zstd.h", "zstd_errors.h", "tbb/"}},
      {"solver", {"bitboard", "tables", "solver"}, {}},
      {"solver/cli", {"bitboard", "tables", "solver"}, {"boost/", "nlohmann/"}, false},
      // The references are a second opinion only as long as they share nothing.
      {"tests/reference", {"tests/reference"}, {}},
  };
  return all;
}

bool standard_header(const std::string& header) {
  static const std::string all =
      " algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat "
      "charconv chrono cinttypes climits clocale cmath codecvt compare complex concepts "
      "condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib "
      "cstring ctime cuchar cwchar cwctype deque exception execution filesystem format "
      "forward_list fstream functional future initializer_list iomanip ios iosfwd iostream "
      "istream iterator latch limits list locale map memory memory_resource mutex new "
      "numbers numeric optional ostream queue random ranges ratio regex scoped_allocator "
      "semaphore set shared_mutex source_location span sstream stack stdexcept stop_token "
      "streambuf string string_view syncstream system_error thread tuple type_traits "
      "typeindex typeinfo unordered_map unordered_set utility valarray variant vector "
      "version ";
  return all.find(" " + header + " ") != std::string::npos;
}

// Intrinsics come with the compiler; the operating system's headers are open to what stands on files.
bool system_header(const std::string& header, bool posix) {
  static const std::regex intrinsics("(imm|x86|[a-z]mm)intrin\\.h|cpuid\\.h|arm_neon\\.h");
  static const std::regex operating_system(
      "(fcntl|unistd|signal|termios|poll)\\.h|sys/[a-z]+\\.h|netinet/[a-z]+\\.h|arpa/inet\\.h");
  return standard_header(header) || std::regex_match(header, intrinsics) ||
         (posix && std::regex_match(header, operating_system));
}

// The end of the comment or literal that begins at `at`, or `at` if none does.
std::size_t skip_token(const std::string& text, std::size_t at) {
  const auto after = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string::npos ? text.size() : found + mark.size();
  };
  if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) return after("*/", at + 2);
  if (text.compare(at, 2, "R\"") == 0) {
    const std::size_t open = text.find('(', at);
    if (open == std::string::npos) return text.size();
    return after(")" + text.substr(at + 2, open - at - 2) + "\"", open);
  }
  // A quote after a digit separates digits: 1'000'000.
  const bool separator = at > 0 && std::isxdigit(static_cast<unsigned char>(text[at - 1])) != 0;
  if (text[at] == '"' || (text[at] == '\'' && !separator)) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  return at;
}

// The text with comments blanked out, and string and character literals too if `literals`.
std::string strip(const std::string& text, bool literals) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = skip_token(text, at);
    if (end == at) {
      out += text[at++];
      continue;
    }
    const bool comment = text[at] == '/';
    for (; at < end; ++at) out += comment || literals ? (text[at] == '\n' ? '\n' : ' ') : text[at];
  }
  return out;
}

const Layer* layer_of(const std::string& path) {
  const Layer* best = nullptr;
  for (const Layer& layer : layers()) {
    if (path.starts_with(layer.folder + "/") &&
        (!best || layer.folder.size() > best->folder.size())) {
      best = &layer;
    }
  }
  return best;
}

std::string line_of(const std::string& text, std::ptrdiff_t offset) {
  return std::to_string(1 + std::count(text.begin(), text.begin() + offset, '\n'));
}

// What is wrong with a file, one line a fault; `path` is relative to the root of the tree.
std::vector<std::string> faults(const std::string& path, const std::string& text) {
  const Layer* layer = layer_of(path);
  if (!layer) return {};
  std::vector<std::string> found;
  const auto fault = [&](const std::string& where, std::ptrdiff_t offset, const std::string& what) {
    found.push_back(path + ":" + line_of(where, offset) + ": " + what);
  };

  const std::string with_literals = strip(text, false);
  static const std::regex include(R"re((^|\n)[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]*))re");
  for (std::sregex_iterator it(with_literals.begin(), with_literals.end(), include), end; it != end;
       ++it) {
    const std::string header = (*it)[3];
    bool allowed = false;
    if ((*it)[2] == "\"") {
      allowed = std::ranges::any_of(layer->own, [&](const std::string& folder) {
        // solver/cli stands above solver, though inside its folder.
        const bool up = header.starts_with("solver/cli/") && layer->folder != "solver/cli";
        return header.starts_with(folder + "/") && !up;
      });
    } else {
      const bool posix = layer->folder != "bitboard" && layer->folder != "tests/reference";
      allowed = system_header(header, posix) ||
                std::ranges::any_of(layer->packages, [&](const std::string& package) {
                  return package.ends_with('/') ? header.starts_with(package) : header == package;
                });
    }
    if (!allowed)
      fault(with_literals, it->position(2), layer->folder + " must not include " + header);
  }

  if (layer->library) {
    const std::string code = strip(text, true);
    static const std::regex forbidden(
        R"(\b(cout|cerr|clog|wcout|wcerr|stdout|stderr|STDOUT_FILENO|STDERR_FILENO)\b)"
        R"(|\b(v?f?printf|puts|putchar|perror|exit|_exit|_Exit|quick_exit|abort|terminate|raise)\s*\()");
    for (std::sregex_iterator it(code.begin(), code.end(), forbidden), end; it != end; ++it) {
      // A member of one's own may be called `abort`; the C functions are called plainly or through std.
      const auto at = static_cast<std::size_t>(it->position());
      if (code.substr(0, at).ends_with('.') || code.substr(0, at).ends_with("->")) continue;
      fault(code, it->position(), "a library must not print or end the program: " + it->str());
    }
  }
  return found;
}

TEST(Layering, EveryIncludeFollowsTheArrowsAndNoLibraryPrintsOrExits) {
  const fs::path root = RETROSOW_SOURCE_DIR;
  std::map<std::string, unsigned> files;
  for (const Layer& layer : layers()) {
    ASSERT_TRUE(fs::is_directory(root / layer.folder)) << layer.folder;
    for (const auto& entry : fs::recursive_directory_iterator(root / layer.folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      const std::string path = fs::relative(entry.path(), root).generic_string();
      if (layer_of(path) != &layer) continue;
      ++files[layer.folder];
      for (const std::string& fault : faults(path, read_text(entry.path()))) ADD_FAILURE() << fault;
    }
  }
  for (const Layer& layer : layers()) EXPECT_GE(files[layer.folder], 2u) << "read too little";
}

// ------------------------------------------------------------------ negative controls of this test

TEST(Layering, AnIncludeAgainstTheArrowsIsCaught) {
  EXPECT_EQ(faults("bitboard/x.cpp", "#include \"tables/digest.h\"\n").size(), 1u);
  EXPECT_EQ(faults("bitboard/x.h", "#pragma once\n#  include <zstd.h>\n").size(), 1u);
  EXPECT_EQ(faults("bitboard/x.h", "#include <unistd.h>\n").size(), 1u);
  EXPECT_EQ(faults("bitboard/x.h", "#include \"position.h\"\n").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "#include \"solver/solve.h\"\n").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "#include <boost/program_options.hpp>\n").size(), 1u);
  EXPECT_EQ(faults("solver/x.cpp", "#include \"solver/cli/options.h\"\n").size(), 1u);
  EXPECT_EQ(faults("solver/x.cpp", "#include <nlohmann/json.hpp>\n").size(), 1u);
  EXPECT_EQ(faults("solver/cli/x.cpp", "#include \"tests/support/test_data.h\"\n").size(), 1u);
  EXPECT_EQ(faults("solver/cli/x.cpp", "#include \"bench/x.h\"\n").size(), 1u);
  EXPECT_EQ(faults("tests/reference/x.cpp", "#include \"bitboard/position.h\"\n").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "\n\n#include \"bench/x.h\"").front(),
            "tables/x.cpp:3: tables must not include bench/x.h");
}

TEST(Layering, ALibraryThatPrintsOrExitsIsCaught) {
  EXPECT_EQ(faults("bitboard/x.cpp", "void f() { std::cout << 1; }").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "void f() { printf(\"x\"); }").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "void f() { std::fprintf (stderr, \"x\"); }").size(), 2u);
  EXPECT_EQ(faults("solver/x.cpp", "void f() { std::exit(1); }").size(), 1u);
  EXPECT_EQ(faults("solver/x.cpp", "int i = 1'000; void f() { abort(); } char c = '\"';").size(),
            1u);
}

TEST(Layering, WhatIsAllowedIsNotCaught) {
  const std::string library =
      "// never std::cout << or exit(1)\n"
      "/* printf( \" */\n"
      "#include <vector>\n"
      "#include <immintrin.h>\n"
      "#include \"bitboard/position.h\"\n"
      "const char* text = \"exit(1) and // no comment, printf(\";\n"
      "const char* raw = R\"x(abort() \" )x\";\n"
      "int f() { return std::snprintf(buffer, 1'000'000, \"x\"); }\n"
      "void g() { job.abort(); on_exit(); }\n";
  EXPECT_EQ(faults("bitboard/x.cpp", library), std::vector<std::string>{});
  EXPECT_EQ(faults("tables/x.cpp", library + "#include <zstd.h>\n#include <sys/mman.h>\n"),
            std::vector<std::string>{});
  EXPECT_EQ(faults("solver/cli/x.cpp",
                   "#include <boost/program_options.hpp>\n#include \"solver/solve.h\"\n"
                   "void f() { std::cout << 1; exit(2); }\n"),
            std::vector<std::string>{});
}

}  // namespace
}  // namespace retrosow::test
