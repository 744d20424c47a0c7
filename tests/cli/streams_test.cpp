// Standard streams: what goes where, progress, full disks, closed pipes, signals.
#include <csignal>

#include "tests/cli/program.h"
#include "tests/support/distance_files.h"

namespace retrosow::test {
namespace {

TEST(CliStreams, ErrorsWithJsonGoToStandardErrorToo) {
  expect_error("moves x --json", 2, {"'x'"});
  expect_error("probe start --tables /nonexistent --json", 3, {"/nonexistent"});
  expect_error("solve start --method tables --memory 1MiB --json", 6, {"memory"});
}

TEST(CliStreams, QuietKeepsErrors) { expect_error("moves x --quiet", 2, {"'x'"}); }

TEST(CliStreams, VerboseSaysRulesKernelAndLimits) {
  const Outcome r = run(words_of("solve 1,1/1,1 --json --verbose --memory 64MiB"));
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.record()["value"], 0);
  for (const char* part : {"retrosow: ", kUrimRules, "kernel", "67,108,864 bytes"}) {
    EXPECT_NE(r.err.find(part), std::string::npos) << part << "\n" << r;
  }
}

TEST(CliStreams, ProgressIsShownWhereAskedForOnly) {
  TemporaryFolder folder;
  const Words build = {"build",  "--pits",  "3",     "--seeds",   "8",
                       "--json", "--force", "--out", folder / "t"};
  const Outcome plain = run(build);
  EXPECT_EQ(plain.exit_code, 0);
  EXPECT_EQ(plain.err, "");
  const Outcome always = run(build + Words{"--progress", "always"});
  EXPECT_EQ(always.records().size(), 9U);
  EXPECT_NE(always.err.find("level 8 of 8, "), std::string::npos) << always;
  EXPECT_NE(always.err.find(" / 3,003, "), std::string::npos) << always;
  EXPECT_NE(always.err.find(" positions/s, "), std::string::npos) << always;
  EXPECT_EQ(always.err.find('\r'), std::string::npos) << always;
  EXPECT_EQ(run(build + Words{"--progress=always", "--quiet"}).err, "");
  EXPECT_EQ(run(build + Words{"--progress=never"}).err, "");
  EXPECT_EQ(run(build + Words{"--progress=auto"}).err, "");
}

TEST(CliStreams, ProgressOnATerminalIsOneLineThatIsClearedAtTheEnd) {
  TemporaryFolder folder;
  const Words build = {"build", "--pits", "3", "--seeds", "8", "--force", "--out", folder / "t"};
  const Outcome shown = run(build, {.error_terminal = true});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_NE(shown.err.find("\rsolve: level "), std::string::npos) << shown;
  EXPECT_TRUE(shown.err.ends_with("\r\x1b[K")) << shown;
  EXPECT_EQ(shown.err.find('\n'), std::string::npos) << shown;
  EXPECT_EQ(run(build + Words{"--progress=never"}, {.error_terminal = true}).err, "");
  EXPECT_EQ(run(build + Words{"--quiet"}, {.error_terminal = true}).err, "");
}

TEST(CliStreams, FullDiskIsNoticed) {
  TemporaryFolder folder;
  ASSERT_EQ(run({"build", "--pits", "2", "--seeds", "3", "--out", folder / "t"}).exit_code, 0);
  add_distances(folder / "t");
  for (const std::string& command :
       Words{"moves start",
             "moves start --json",
             "--help",
             "moves --help",
             "rules",
             "rules --json",
             "version",
             "version --json",
             "perft --depth 2",
             "perft --depth 2 --json",
             "solve 1,1/1,1",
             "solve 1,1/1,1 --json",
             "stats --tables " + folder / "t",
             "stats --csv --tables " + folder / "t",
             "stats --json --tables " + folder / "t",
             "probe 1,1/1,0 --tables " + folder / "t",
             "line 1,1/1,0 --tables " + folder / "t",
             "export --quiet --level 2 --pits 2 --tables " + folder / "t",
             "bench --seconds 0.001",
             "build --pits 2 --seeds 3 --out " + folder / "t"}) {
    const Outcome r = run(words_of(command), {.output_file = "/dev/full"});
    EXPECT_EQ(r.exit_code, 6) << command << "\n" << r;
    EXPECT_NE(r.err.find("retrosow: cannot write to standard output: No space left on device\n"),
              std::string::npos)
        << command << "\n"
        << r;
  }
  EXPECT_EQ(run({"moves", "-"}, {.input = "start\nx\n", .output_file = "/dev/full"}).exit_code, 6);
}

TEST(CliStreams, StandardOutputThatMayNotGrowIsALimit) {
  TemporaryFolder folder;
  const Outcome r =
      run(words_of("rules --json"), {.output_file = folder / "out", .file_limit = 1000});
  EXPECT_EQ(r.exit_code, 6) << r;
  EXPECT_NE(r.err.find("cannot write to standard output: File too large"), std::string::npos) << r;
}

TEST(CliStreams, ControlCharactersOfFileNamesAreShownEscaped) {
  TemporaryFolder folder;
  const std::string tables = folder / "a\x1b[31mb\nc";
  ASSERT_EQ(run({"build", "--pits", "2", "--seeds", "2", "--out", tables}).exit_code, 0);
  std::ofstream(tables + "/x\r.rsow") << "no table";
  const Words common = {"--tables", tables};
  for (const Words& words :
       {Words{"check"}, Words{"stats"}, Words{"probe", "1,0/0,1", "--verbose"},
        Words{"export", "--level", "2", "--pits", "2"}, Words{"build\x1b"}, Words{"check", "--x\x1b"}}) {
    const Outcome r = run(words + common);
    EXPECT_FALSE(r.err.empty());
    EXPECT_EQ(r.err.find_first_of("\x1b\r"), std::string::npos) << r;
    EXPECT_NE(r.err.find("\\x1b"), std::string::npos) << r;
    std::istringstream lines(r.err);
    for (std::string line; std::getline(lines, line);) EXPECT_TRUE(line.starts_with("retrosow: ")) << r;
  }
}

TEST(CliStreams, ClosedPipeEndsQuietly) {
  for (const bool ignored : {false, true}) {
    Program program({"moves", "-", "--json"}, {.ignore_broken_pipe = ignored});
    program.close_output();
    const Outcome r = program.finish("start\nstart\nstart\n");
    EXPECT_TRUE(r.exit_code == 3 || r.signal == SIGPIPE) << r;
    if (ignored) {
      EXPECT_EQ(r.exit_code, 3) << r;
    }
    EXPECT_EQ(r.err, "");
  }
}

TEST(CliStreams, ClosedStandardOutputIsAnErrorAndHarmsNoFile) {
  TemporaryFolder folder;
  const Outcome r =
      run({"build", "--pits", "3", "--seeds", "5", "--out", folder / "t"}, {.close_output = true});
  EXPECT_EQ(r.exit_code, 3) << r;
  EXPECT_NE(r.err.find("cannot write to standard output"), std::string::npos) << r;
  const Outcome stats = run({"stats", "--json", "--tables", folder / "t"});
  EXPECT_EQ(stats.exit_code, 0) << stats;
  EXPECT_EQ(stats.records().size(), 6U);
}

TEST(CliStreams, InputThatCannotBeReadIsAnError) {
  const Outcome r = run({"moves", "-"}, {.input_file = "/"});
  EXPECT_EQ(r.exit_code, 3) << r;
  EXPECT_NE(r.err.find("cannot read standard input"), std::string::npos) << r;
}

TEST(CliStreams, SignalEndsARunThatWaitsForInput) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program({"moves", "-", "--json"});
    program.write("start\n");
    program.read_line();  // it runs, and waits for the next line
    program.send(signal);
    const Outcome r = program.finish("start");
    EXPECT_EQ(r.exit_code, 130) << r;
    EXPECT_EQ(r.err, "retrosow: interrupted\n");
  }
}

TEST(CliStreams, SignalEndsAPerftAndASolve) {
  for (const char* command : {"perft --depth 40 --json --progress always",
                              "solve start --method tables --progress always --memory 500GiB"}) {
    Program program(words_of(command));
    if (std::string(command).starts_with("perft")) {
      program.read_line();
    } else {
      program.read_error_line();
    }
    program.send(SIGINT);
    const Outcome r = program.finish();
    EXPECT_EQ(r.exit_code, 130) << command << "\n" << r;
    EXPECT_TRUE(r.err.ends_with("retrosow: interrupted\n")) << r;
  }
}

}  // namespace
}  // namespace retrosow::test
