// `export`: every format against an index order written down from FORMAT.md, and files that are there
// whole or not at all.
#include <sys/resource.h>

#include <csignal>
#include <cstring>

#include "tests/cli/program.h"
#include "tests/reference/solve_reference.h"
#include "tests/support/boards.h"
#include "tests/support/distance_files.h"
#include "tests/support/rule_sets.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string position;
  int value = 0;
  int distance = reference::kNoDistance;
  bool operator==(const Row&) const = default;
};

// A level of 2xk boards in index order: by the seeds of the opponent's row, by that row, by the mover's.
std::vector<Row> level_in_order(const RuleSet& rules, unsigned pits, unsigned seeds) {
  const reference::UrimSolution solution(reference_rules(rules, pits), static_cast<int>(seeds));
  std::vector<std::pair<std::vector<int>, Row>> boards;
  solution.for_each(
      static_cast<int>(seeds), [&](const std::vector<int>& board, reference::Solved solved) {
        std::vector<int> key = {0};
        for (unsigned i = 0; i < pits; ++i) key[0] += board[pits + i];
        key.insert(key.end(), board.begin() + pits, board.end());
        key.insert(key.end(), board.begin(), board.begin() + pits);
        boards.push_back({key, {text_of(board, equal_rows(pits)), solved.value, solved.distance}});
      });
  std::sort(boards.begin(), boards.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Row> rows;
  for (const auto& [key, row] : boards) rows.push_back(row);
  return rows;
}

std::string csv_of(const std::vector<Row>& rows, bool distances) {
  std::string text = distances ? "index,position,distance\n" : "index,position,value\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += std::to_string(i) + ",\"" + rows[i].position + "\",";
    if (!distances) text += std::to_string(rows[i].value);
    if (distances && rows[i].distance != reference::kNoDistance) {
      text += std::to_string(rows[i].distance);
    }
    text += "\n";
  }
  return text;
}

std::string raw_of(const std::vector<Row>& rows, bool distances) {
  std::string bytes;
  for (const Row& row : rows) {
    if (!distances) {
      bytes += static_cast<char>(row.value);
      continue;
    }
    const unsigned distance =
        row.distance == reference::kNoDistance ? 65535U : static_cast<unsigned>(row.distance);
    bytes += static_cast<char>(distance & 0xff);
    bytes += static_cast<char>(distance >> 8);
  }
  return bytes;
}

// What is wrong with a .npy file of one dimension, by NumPy's description of the format.
std::string npy_fault(const std::string& file, const std::string& type, const std::string& data) {
  if (!file.starts_with(std::string("\x93NUMPY\x01\x00", 8))) return "another magic or version";
  if (file.size() < 10) return "too short";
  const std::size_t length =
      static_cast<unsigned char>(file[8]) + 256U * static_cast<unsigned char>(file[9]);
  if ((10 + length) % 64 != 0) return "the data are not aligned";
  if (file.size() < 10 + length) return "cut off";
  const std::string header = file.substr(10, length);
  if (header.back() != '\n') return "the header does not end its line";
  const std::size_t item = type == "|i1" ? 1 : 2;
  const std::string literal = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" +
                              std::to_string(data.size() / item) + ",), }";
  if (!header.starts_with(literal)) return "another header: " + header;
  if (header.find_first_not_of(' ', literal.size()) != header.size() - 1)
    return "junk in the header";
  if (file.substr(10 + length) != data) return "other data";
  return "";
}

class CliExport : public ::testing::Test {
 protected:
  CliExport() {
    build("--pits 3 --seeds 6");
    add_distances(root_ / "t", 5, 5);
  }
  std::string path(const std::string& name) const { return root_ / name; }
  void build(const std::string& options) const {
    const Outcome r = run(words_of("build --out " + path("t") + " " + options));
    EXPECT_EQ(r.exit_code, 0) << r;
  }
  std::string command(const std::string& options) const {
    return "export --tables " + path("t") + " " + options;
  }
  Outcome ask(const std::string& options, const StartOptions& setup = {}) const {
    return run(words_of(command(options)), setup);
  }
  // The files that lie beside the folder of tables.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(root_.path())) {
      if (!entry.is_directory()) names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  TemporaryFolder root_;
};

TEST_F(CliExport, ListsValuesInIndexOrderInEveryFormat) {
  const std::vector<Row> rows = level_in_order(urim_rules(), 3, 5);
  const Outcome csv = ask("--level 5 --pits 3");
  EXPECT_EQ(csv.exit_code, 0) << csv;
  EXPECT_EQ(csv.out, csv_of(rows, false));
  EXPECT_EQ(ask("--level 5 --pits 3 --format raw").out, raw_of(rows, false));
  EXPECT_EQ(npy_fault(ask("--level 5 --pits 3 --format npy").out, "|i1", raw_of(rows, false)), "");
  EXPECT_EQ(ask("--level 5 --pits 3 --format csv --what values --out -").out, csv.out);
}

TEST_F(CliExport, ListsDistancesInIndexOrderInEveryFormat) {
  const std::vector<Row> rows = level_in_order(urim_rules(), 3, 5);
  const std::string what = "--level 5 --pits 3 --what distances --format ";
  EXPECT_EQ(ask(what + "csv").out, csv_of(rows, true));
  EXPECT_EQ(ask(what + "raw").out, raw_of(rows, true));
  EXPECT_EQ(npy_fault(ask(what + "npy").out, "<u2", raw_of(rows, true)), "");
}

TEST_F(CliExport, WrongOutputWouldBeNoticed) {  // the oracles' own check
  std::vector<Row> rows = level_in_order(urim_rules(), 3, 5);
  const std::string csv = ask("--level 5 --pits 3").out;
  const std::string npy = ask("--level 5 --pits 3 --format npy").out;
  const std::string data = raw_of(rows, false);
  std::swap(rows[1], rows[2]);
  EXPECT_NE(csv, csv_of(rows, false));
  EXPECT_NE(npy_fault(npy, "<u2", data), "");
  EXPECT_NE(npy_fault(npy + "x", "|i1", data), "");
  EXPECT_NE(npy_fault(npy.substr(0, npy.size() - 1), "|i1", data), "");
  EXPECT_NE(npy_fault(npy.substr(1), "|i1", data), "");
  EXPECT_NE(npy_fault("\x93NUMPY\x02" + npy.substr(7), "|i1", data), "");
  for (const std::size_t at : {8U, 20U, 60U}) {
    std::string wrong = npy;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    EXPECT_NE(npy_fault(wrong, "|i1", data), "") << at;
  }
}

TEST_F(CliExport, LevelsOfSeveralBlocksComeWholeAndInOrder) {
  build("--pits 3 --seeds 11");
  const std::vector<Row> rows = level_in_order(urim_rules(), 3, 11);
  ASSERT_GT(rows.size(), 2 * TableWriter::kBlockValues / 4U);
  EXPECT_EQ(ask("--level 11 --pits 3").out, csv_of(rows, false));
  build("--pits 6 --seeds 8");
  const Outcome raw = ask("--level 8 --format raw");  // 75,582 boards, pits by default 6
  EXPECT_EQ(raw.out.size(), 75'582U);
  const Outcome csv = ask("--level 8");
  std::istringstream lines(csv.out);
  std::string line;
  std::getline(lines, line);
  for (std::size_t i = 0; i < raw.out.size(); ++i) {
    std::getline(lines, line);
    ASSERT_TRUE(line.starts_with(std::to_string(i) + ",\"")) << line;
    const int value = static_cast<signed char>(raw.out[i]);
    ASSERT_TRUE(line.ends_with("\"," + std::to_string(value))) << line;
  }
}

TEST_F(CliExport, RuleOptionsPickTheTable) {
  build("--pits 3 --seeds 5 --remainder last-mover");
  EXPECT_EQ(ask("--level 5 --pits 3 --remainder last-mover").out,
            csv_of(level_in_order(urim_rules("remainder=last-mover"), 3, 5), false));
  EXPECT_EQ(ask("--level 5 --pits 3").out, csv_of(level_in_order(urim_rules(), 3, 5), false));
  expect_error(command("--level 5 --pits 3 --grand-slam leave"), 3,
               {"level 5", "grand-slam=leave", "levels 0..4, 5 with distances, 6"});
}

TEST_F(CliExport, LevelsOfARoundListTheirKeys) {
  build("--game rio-kadalis --pits 3");
  build("--game rio-kadalis 4,x,4/4,4,4");
  add_distances(path("t"));
  const TableFolder tables(path("t"));
  unsigned checked = 0;
  for (const TableReader& table : tables.files()) {
    const TableHeader& header = table.header();
    if (header.kind != TableKind::kValues || header.index != IndexKind::kKeys) continue;
    const bool unequal = header.shape != equal_rows(3);
    const std::string options = "--game rio-kadalis --level " + std::to_string(header.seeds) +
                                (unequal ? " x,4,4/4,4,4" : " start --pits 3");
    const std::vector<Position> keys = table.read_keys();
    const std::vector<Value> values = table.read_all();
    const std::vector<std::uint16_t> distances = reference_distances(table);
    std::string csv = "index,position,value\n", plies = "index,position,distance\n";
    for (std::size_t i = 0; i < keys.size(); ++i) {
      // Where the rows differ, lane 15 says that the player to move has the other row.
      const bool swapped = unequal && keys[i].lanes[15] == 1;
      std::string position;
      for (unsigned pit = 0; pit < header.shape.pits(); ++pit) {
        const unsigned movers =
            swapped ? header.shape.opponent_pits : unsigned{header.shape.mover_pits};
        if (pit == movers && movers == 2) position += ",x";
        position += pit == 0 ? "" : pit == movers ? "/" : ",";
        position += std::to_string(keys[i].lanes[header.shape.pits() - 1 - pit]);
        if (pit + 1 == header.shape.pits() && unequal && movers == 3) position += ",x";
      }
      const std::string row = std::to_string(i) + ",\"" + position + "\",";
      csv += row + std::to_string(values[i]) + "\n";
      plies += row + (distances[i] == kNoDistance ? "" : std::to_string(distances[i])) + "\n";
    }
    EXPECT_EQ(ask(options).out, csv) << options;
    EXPECT_EQ(ask(options + " --what distances").out, plies) << options;
    ++checked;
  }
  EXPECT_GT(checked, 4U);
  // Both rounds have a level 8; without a position it is not clear which is meant.
  expect_error(command("--game rio-kadalis --level 8"), 2, {"4,4,4/4,4,4", "4,4,x/4,4,4"});
  expect_error(command("--game rio-kadalis --level 8 4,4/4,4"), 3, {"from 4,4/4,4", "there: "});
  expect_error(command("--level 4 start"), 2, {"'start'", "urim"});
}

TEST_F(CliExport, TheIndexOrderIsSaidInWordsBesideTheData) {
  const Outcome r = ask("--level 5 --pits 3 --format raw");
  for (const char* part : {"252 values of level 5, urim 2x3", kUrimRules, "a signed byte each",
                           "index order: all boards of two rows of 3 pits with n = 5 seeds",
                           "no pit above 17", "rank(B) * count(n - b) + rank(A)"}) {
    EXPECT_NE(r.err.find(part), std::string::npos) << part << "\n" << r;
  }
  EXPECT_NE(ask("--level 5 --pits 3 --format raw --what distances").err.find("65535 for none"),
            std::string::npos);
  EXPECT_EQ(ask("--level 5 --pits 3 --quiet").err, "");
}

TEST_F(CliExport, FilesAreWrittenUnderTheirNameAndRecordedAsJson) {
  const std::string data = raw_of(level_in_order(urim_rules(), 3, 5), false);
  const Outcome r = ask("--level 5 --pits 3 --format raw --json --out " + path("v.raw"));
  EXPECT_EQ(r.exit_code, 0) << r;
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(text_of_file(path("v.raw")), data);
  const Json record = r.record();
  EXPECT_EQ(record["positions"], 252);
  EXPECT_EQ(record["bytes"], 252);
  EXPECT_EQ(record["out"], path("v.raw"));
  EXPECT_EQ(record["type"], "|i1");
  EXPECT_NE(record["index_rule"].get<std::string>().find("n = 5 seeds"), std::string::npos);
  // An older file is replaced, and nothing else comes beside it.
  EXPECT_EQ(ask("--level 4 --pits 3 --format raw --out " + path("v.raw")).out, "");
  EXPECT_EQ(text_of_file(path("v.raw")), raw_of(level_in_order(urim_rules(), 3, 4), false));
  EXPECT_EQ(files(), (std::vector<std::string>{"v.raw"}));
  // A link stays a link.
  fs::create_symlink(path("v.raw"), path("link"));
  EXPECT_EQ(ask("--level 5 --pits 3 --format raw --out " + path("link")).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text_of_file(path("v.raw")), data);
}

TEST_F(CliExport, ALinkThatLeadsToNoFileYetIsWrittenThrough) {
  fs::create_symlink("second", path("first"));
  fs::create_symlink("new.raw", path("second"));
  EXPECT_EQ(ask("--level 5 --pits 3 --format raw --quiet --out " + path("first")).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(path("first")) && fs::is_symlink(path("second")));
  EXPECT_EQ(text_of_file(path("new.raw")), raw_of(level_in_order(urim_rules(), 3, 5), false));
  fs::create_symlink("round", path("round"));
  expect_error(command("--level 5 --pits 3 --out " + path("round")), 3, {path("round"), "link"});
  EXPECT_TRUE(fs::is_symlink(path("round")));
}

TEST_F(CliExport, NoFileOfATableFolderIsOverwritten) {
  const fs::path table = tables_in(path("t")).at(2);
  const std::string whole = text_of_file(table);
  const std::string manifest = text_of_file(path("t") + "/MANIFEST.json");
  fs::create_hard_link(table, path("hard"));
  fs::create_symlink(table, path("soft"));
  fs::create_symlink("t/new.rsow", path("dangling"));
  for (const std::string& out :
       {table.string(), path("hard"), path("soft"), path("dangling"), path("new.rsow"),
        path("t") + "/MANIFEST.json", path("t") + "/.lock"}) {
    expect_error(command("--level 5 --pits 3 --out " + out), 2, {"--out", out, "give another name"});
    expect_error(command("--level 5 --pits 3 --json --out " + out), 2, {"--out", out});
  }
  EXPECT_EQ(text_of_file(table), whole);
  EXPECT_EQ(text_of_file(path("t") + "/MANIFEST.json"), manifest);
  EXPECT_FALSE(fs::exists(path("t") + "/new.rsow"));
  EXPECT_EQ(run({"check", "--quiet", "--tables", path("t")}).exit_code, 0);
}

TEST_F(CliExport, StandardOutputUnderAnotherNameIsStandardOutput) {
  const Outcome plain = ask("--level 5 --pits 3");
  const Outcome named = ask("--level 5 --pits 3 --out /dev/stdout");
  EXPECT_EQ(named.exit_code, 0) << named;
  EXPECT_EQ(named.out, plain.out);
  expect_error(command("--level 5 --pits 3 --json --out /dev/stdout"), 2, {"--json", "--out FILE"});
  // A file that standard output goes to is not replaced under its feet.
  EXPECT_EQ(ask("--level 5 --pits 3 --out " + path("x"), {.output_file = path("x")}).exit_code, 0);
  EXPECT_EQ(text_of_file(path("x")), plain.out);
  EXPECT_EQ(ask("--level 5 --pits 3 --out /dev/stdout", {.output_file = path("y")}).exit_code, 0);
  EXPECT_EQ(text_of_file(path("y")), plain.out);
  EXPECT_EQ(ask("--level 5 --pits 3 --out /dev/null", {.close_output = true}).exit_code, 0);
}

TEST_F(CliExport, DamagedTablesLeaveNoFileAndNoChange) {
  std::ofstream(path("old.csv")) << "old";
  for (const char* what : {"values", "distances"}) {
    for (const fs::path& file : tables_in(path("t"))) {
      const bool distances = file.string().ends_with("-distance.rsow");
      const bool concerned =
          file.string().ends_with("-005.rsow") || file.string().ends_with("-005-distance.rsow");
      if (!concerned || distances != (std::string(what) == "distances")) continue;
      for (const std::uint64_t offset : {std::uint64_t{0}, fs::file_size(file) - 1}) {
        damage(file, offset);
        const Outcome r = ask("--level 5 --pits 3 --quiet --what " + std::string(what) + " --out " +
                              path("old.csv"));
        EXPECT_EQ(r.exit_code, 4) << r;
        EXPECT_NE(r.err.find(file.string()), std::string::npos) << r;
        EXPECT_EQ(text_of_file(path("old.csv")), "old");
        EXPECT_EQ(files(), (std::vector<std::string>{"old.csv"}));
        damage(file, offset);
      }
    }
  }
}

TEST_F(CliExport, FullDiskIsALimitAndLeavesNothing) {
  expect_error(command("--level 5 --pits 3 --out /dev/full"), 6, {"/dev/full", "No space left"});
  EXPECT_TRUE(fs::exists("/dev/full"));
  EXPECT_EQ(ask("--level 5 --pits 3", {.output_file = "/dev/full"}).exit_code, 6);
  // A limit of the file size stands for a disk that fills up half-way; it is passed on to the program.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome r = ask("--level 6 --pits 3 --out " + path("v.csv"));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(r.exit_code, 6) << r;
  EXPECT_NE(r.err.find(path("v.csv")), std::string::npos) << r;
  EXPECT_TRUE(files().empty());
}

TEST_F(CliExport, InterruptedRunLeavesNothing) {
  build("--pits 6 --seeds 9");
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program(words_of(command("--level 9 --quiet --out " + path("v.csv"))));
    for (int tries = 0; tries < 60'000 && files().empty(); ++tries) ::usleep(1000);
    program.send(signal);
    const Outcome r = program.finish();
    if (r.exit_code == 0) {  // it was done before the signal came: then the file is whole
      EXPECT_TRUE(text_of_file(path("v.csv")).ends_with(",-9\n"));
      fs::remove(path("v.csv"));
    } else {
      EXPECT_EQ(r.exit_code, 130) << r;
    }
    EXPECT_TRUE(files().empty());
  }
}

TEST_F(CliExport, WhereNoFileCanBeIsAnIoError) {
  expect_error(command("--level 5 --pits 3 --out /nonexistent/v.csv"), 3, {"/nonexistent/v.csv"});
  expect_error(command("--level 5 --pits 3 --out " + path("t")), 3, {path("t"), "folder"});
  expect_error(command("--level 7 --pits 3 --out " + path("v.csv")), 3,
               {"no table of level 7", "levels 0..4, 5 with distances, 6"});
  expect_error(command("--level 6 --pits 3 --what distances --out " + path("v.csv")), 3,
               {"no distances of level 6"});
  expect_error("export --tables /nonexistent --level 3", 3, {"/nonexistent"});
  EXPECT_TRUE(files().empty());
}

TEST_F(CliExport, BytesAreNotSentToATerminal) {
  for (const char* format : {"raw", "npy"}) {
    const std::string options = "--level 5 --pits 3 --quiet --format " + std::string(format);
    const Outcome r = ask(options, {.output_terminal = true});
    EXPECT_EQ(r.exit_code, 2) << r;
    EXPECT_EQ(r.out, "");
    EXPECT_NE(r.err.find("terminal"), std::string::npos) << r;
    EXPECT_EQ(ask(options + " --out " + path("v"), {.output_terminal = true}).exit_code, 0);
  }
  EXPECT_EQ(ask("--level 5 --pits 3 --quiet", {.output_terminal = true}).exit_code, 0);
}

TEST_F(CliExport, LevelsThatCannotBeBuiltAreALimit) {
  expect_error(command("--level 128"), 6, {"127", "128"});
  expect_error(command("--level 99999999999999999999999"), 6, {"99999999999999999999999"});
}

TEST_F(CliExport, WrongWordsAreRefused) {
  expect_error("export --tables x", 2, {"`export` needs --level"});
  expect_error("export --level 3", 2, {"`export` needs --tables"});
  for (const char* level : {"-1", "x", "3x", "1.0"}) {
    expect_error("export --tables x --level " + std::string(level), 2, {"--level"});
  }
  expect_error("export --tables x --level 3 --what all", 2,
               {"--what", "'all'", "values, distances"});
  expect_error("export --tables x --level 3 --format pickle", 2,
               {"--format", "'pickle'", "csv, npy, raw"});
  expect_error("export --tables x --level 3 --out ''", 2, {"--out"});
  expect_error("export --tables x --level 3 --json", 2, {"--json", "--out"});
}

TEST_F(CliExport, ALevelWithoutABoardIsEmptyAndStillAFile) {
  build("--pits 1 --seeds 3 --pit-limit 1");
  const std::string options = "--level 3 --pits 1 --pit-limit 1 --format ";
  EXPECT_EQ(ask(options + "csv").out, "index,position,value\n");
  EXPECT_EQ(ask(options + "raw").out, "");
  EXPECT_EQ(npy_fault(ask(options + "npy").out, "|i1", ""), "");
}

}  // namespace
}  // namespace retrosow::test
