// The arrows between the folders, and what libraries never do.
//
//   bitboard <- tables <- tables' build side <- solver <- solver/cli      bench and tests may include
//                                                      <- solver/python   anything, nothing includes them
//
// Every source file of the tree is read as text: an include that goes against an arrow or reaches for a
// package that the folder may not use is a fault, and so is a library that prints or ends the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/test_data.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

struct Layer {
  std::string name;
  std::vector<std::string> paths;     // what it consists of: folders, or files without their ending
  std::vector<std::string> layers;    // that it may include, besides itself
  std::vector<std::string> packages;  // headers, or folders of headers, of other packages
  bool posix = true;                  // may use the operating system's headers
  bool library = true;                // must not print or end the program
};

const std::vector<Layer>& all_layers() {
  static const std::vector<Layer> all = {
      {"bitboard", {"bitboard"}, {}, {}, false},
      {"tables", {"tables"}, {"bitboard"}, {"xxhash.h", "zstd.h", "zstd_errors.h"}},
      {"tables' build side",
       {"tables/build", "tables/build_files", "tables/check", "tables/distance",
        "tables/distance_waves", "tables/endless_moves", "tables/estimate", "tables/forward",
        "tables/guarantee", "tables/huge_array", "tables/key_table", "tables/level_graph",
        "tables/lower_levels", "tables/member_ranks", "tables/move_counts", "tables/parallel", "tables/packed_words",
        "tables/retrograde", "tables/round_build", "tables/round_level", "tables/round_positions",
        "tables/round_solver", "tables/round_verify", "tables/threshold_rounds",
        "tables/update_queues",
        "tables/verify", "tables/verify_guarantees"},
       {"bitboard", "tables"},
       {"tbb/"}},
      {"solver", {"solver"}, {"bitboard", "tables", "tables' build side"}, {}},
      {"solver/capi", {"solver/capi"}, {"bitboard", "tables"}, {"stddef.h", "stdint.h"}},
      {"solver/cli",
       {"solver/cli"},
       {"bitboard", "tables", "tables' build side", "solver"},
       {"boost/", "nlohmann/", "httplib.h"},
       true,
       false},
      {"solver/python",
       {"solver/python"},
       {"bitboard", "tables", "tables' build side", "solver"},
       {"pybind11/"}},
      // The references are a second opinion only as long as they share nothing.
      {"tests/reference", {"tests/reference"}, {}, {}, false},
  };
  return all;
}

// The layer that a file or header belongs to, the one with the longest matching path; null for none.
const Layer* layer_of(const std::string& file) {
  const Layer* best = nullptr;
  std::size_t best_length = 0;
  for (const Layer& layer : all_layers()) {
    for (const std::string& path : layer.paths) {
      const bool inside = file.starts_with(path + "/") || file.starts_with(path + ".");
      if (inside && path.size() > best_length) {
        best = &layer;
        best_length = path.size();
      }
    }
  }
  return best;
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

// Intrinsics come with the compiler.
bool intrinsics_header(const std::string& header) {
  return header.ends_with("intrin.h") || header == "cpuid.h" || header == "arm_neon.h";
}

bool posix_header(const std::string& header) {
  return header.starts_with("sys/") || header.starts_with("netinet/") || header == "arpa/inet.h" ||
         header == "fcntl.h" || header == "unistd.h" || header == "signal.h" ||
         header == "termios.h" || header == "poll.h";
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

bool may_include(const Layer& layer, const std::string& header, bool quoted) {
  if (quoted) {
    const Layer* other = layer_of(header);
    return other != nullptr &&
           (other == &layer || std::ranges::find(layer.layers, other->name) != layer.layers.end());
  }
  const auto matches = [&](const std::string& package) {
    return package.ends_with('/') ? header.starts_with(package) : header == package;
  };
  return standard_header(header) || intrinsics_header(header) ||
         (layer.posix && posix_header(header)) || std::ranges::any_of(layer.packages, matches);
}

bool word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The first character at or behind `at` that is not a blank, or 0.
char next_visible(const std::string& code, std::size_t at) {
  at = code.find_first_not_of(" \t\n", at);
  return at == std::string::npos ? '\0' : code[at];
}

// Whether the word at begin..end of code without literals prints or ends the program.
bool prints_or_ends(const std::string& code, std::size_t begin, std::size_t end) {
  static const std::string streams =
      " cout cerr clog wcout wcerr stdout stderr STDOUT_FILENO STDERR_FILENO ";
  static const std::string functions =
      " printf fprintf vprintf vfprintf puts putchar perror exit _exit _Exit quick_exit abort "
      "terminate raise ";
  const std::string word = " " + code.substr(begin, end - begin) + " ";
  if (streams.find(word) != std::string::npos) return true;
  if (functions.find(word) == std::string::npos || next_visible(code, end) != '(') return false;
  // A member of one's own may be called `abort`; the C functions are called plainly or through std.
  const std::string_view before = std::string_view(code).substr(0, begin);
  return !before.ends_with('.') && !before.ends_with("->");
}

// What is wrong with a file, one line a fault; `path` is relative to the root of the tree.
std::vector<std::string> faults(const std::string& path, const std::string& text) {
  const Layer* layer = layer_of(path);
  if (layer == nullptr) return {};
  std::vector<std::string> found;
  const auto fault = [&](std::size_t line, const std::string& what) {
    found.push_back(path + ":" + std::to_string(line) + ": " + what);
  };

  std::istringstream lines(strip(text, false));
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string directive, header;
    words >> directive;
    if (directive == "#") {
      words >> header;
      directive += header;
    }
    if (!directive.starts_with("#include")) continue;
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string::npos) continue;
    const bool quoted = line[open] == '"';
    header = line.substr(open + 1, line.find(quoted ? '"' : '>', open + 1) - open - 1);
    if (!may_include(*layer, header, quoted)) {
      fault(number, layer->name + " must not include " + header);
    }
  }

  if (!layer->library) return found;
  const std::string code = strip(text, true);
  number = 1;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && word_character(code[end])) ++end;
    if (end == at) {
      number += code[at++] == '\n';
      continue;
    }
    if (prints_or_ends(code, at, end)) {
      fault(number, "a library must not print or end the program: " + code.substr(at, end - at));
    }
    at = end;
  }
  return found;
}

TEST(Layering, EveryIncludeFollowsTheArrowsAndNoLibraryPrintsOrExits) {
  const fs::path root = RETROSOW_SOURCE_DIR;
  std::map<std::string, unsigned> files;
  for (const std::string folder : {"bitboard", "tables", "solver", "tests/reference"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      const std::string path = fs::relative(entry.path(), root).generic_string();
      ASSERT_NE(layer_of(path), nullptr) << path;
      ++files[layer_of(path)->name];
      for (const std::string& fault : faults(path, read_text(entry.path()))) ADD_FAILURE() << fault;
    }
  }
  for (const Layer& layer : all_layers()) {
    EXPECT_GE(files[layer.name], 2u) << "read too little of " << layer.name;
  }
}

// ------------------------------------------------------------------ negative controls of this test

TEST(Layering, AnIncludeAgainstTheArrowsIsCaught) {
  EXPECT_EQ(faults("bitboard/x.cpp", "#include \"tables/digest.h\"\n").size(), 1u);
  EXPECT_EQ(faults("bitboard/x.h", "#pragma once\n#  include <zstd.h>\n").size(), 1u);
  EXPECT_EQ(faults("bitboard/x.h", "#include <unistd.h>\n").size(), 1u);
  EXPECT_EQ(faults("bitboard/x.h", "#include \"position.h\"\n").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "#include \"solver/solve.h\"\n").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "#include <boost/program_options.hpp>\n").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "#include \"tables/build.h\"\n").size(), 1u);
  EXPECT_EQ(faults("tables/x.cpp", "#include <tbb/parallel_for.h>\n").size(), 1u);
  EXPECT_EQ(faults("tables/build.cpp", "#include <tbb/parallel_for.h>\n").size(), 0u);
  EXPECT_EQ(faults("solver/x.cpp", "#include \"solver/cli/options.h\"\n").size(), 1u);
  EXPECT_EQ(faults("solver/x.cpp", "#include <nlohmann/json.hpp>\n").size(), 1u);
  EXPECT_EQ(faults("solver/capi/x.cpp", "#include \"tables/build.h\"\n").size(), 1u);
  EXPECT_EQ(faults("solver/capi/x.cpp", "#include \"solver/solve.h\"\n").size(), 1u);
  EXPECT_EQ(faults("solver/cli/x.cpp", "#include \"tests/support/test_data.h\"\n").size(), 1u);
  EXPECT_EQ(faults("solver/cli/x.cpp", "#include \"bench/x.h\"\n").size(), 1u);
  EXPECT_EQ(faults("solver/python/x.cpp", "#include \"solver/cli/output.h\"\n").size(), 1u);
  EXPECT_EQ(faults("solver/x.cpp", "#include <pybind11/pybind11.h>\n").size(), 1u);
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
