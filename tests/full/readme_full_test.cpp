// README and guide show what the program says: every `$ retrosow ...` in them is run and its output compared.
#include <gtest/gtest.h>
#include <stdio.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/test_data.h"

namespace retrosow::test {
namespace {

namespace fs = std::filesystem;

struct Example {
  std::string arguments;  // of the program
  std::string output;     // as the text shows it, both streams
};

// The `$ retrosow` lines of all console blocks, each with what follows it up to the next prompt.
std::vector<Example> examples_of(const std::string& markdown) {
  const std::string prompt = "$ retrosow ";
  std::vector<Example> examples;
  bool in_block = false, in_output = false;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_block = line == "```console";
      in_output = false;
    } else if (in_block && line.starts_with(prompt)) {
      examples.push_back({line.substr(prompt.size()), ""});
      in_output = true;
    } else if (line.starts_with("$ ")) {
      in_output = false;
    } else if (in_output) {
      examples.back().output += line + "\n";
    }
  }
  return examples;
}

// Without what differs from run to run: times, and blank lines at the end.
std::string comparable(const std::string& text) {
  static const std::regex seconds(R"(\d+\.\d+ s\b)");
  static const std::regex json_seconds(R"("seconds":[-+.e0-9]+)");
  std::string out = std::regex_replace(text, seconds, "- s");
  out = std::regex_replace(out, json_seconds, "\"seconds\":-");
  while (out.ends_with("\n")) out.pop_back();
  return out;
}

std::string run(const fs::path& folder, const std::string& arguments) {
  const std::string command =
      "cd '" + folder.string() + "' && '" RETROSOW_BINARY "' " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string output;
  for (char buffer[4096]; const std::size_t got = fread(buffer, 1, sizeof buffer, pipe);) {
    output.append(buffer, got);
  }
  pclose(pipe);
  return output;
}

// Builds what the text asks its readers to build, then runs its examples there.
void expect_examples_are_true(const std::string& document, const std::string& build,
                              std::size_t least_examples) {
  const std::vector<Example> examples =
      examples_of(read_text(std::string(RETROSOW_SOURCE_DIR) + "/" + document));
  ASSERT_GE(examples.size(), least_examples);
  const fs::path folder =
      fs::temp_directory_path() / ("retrosow-readme-" + std::to_string(getpid()));
  fs::create_directories(folder);
  run(folder, build);
  for (const Example& example : examples) {
    EXPECT_EQ(comparable(run(folder, example.arguments)), comparable(example.output))
        << "retrosow " << example.arguments;
  }
  fs::remove_all(folder);
}

TEST(Readme, EveryExampleShowsWhatTheProgramSays) {
  // As scripts/quickstart does.
  expect_examples_are_true("README.md", "build --seeds 12 --out build/quickstart-tables", 5);
}

TEST(Guide, EveryExampleShowsWhatTheProgramSays) {
  expect_examples_are_true("solver/GUIDE.md", "build --seeds 10 --distance --out tables", 3);
}

TEST(Readme, AWrongExampleIsToldApart) {
  const std::string text =
      "```\n$ retrosow no console\n```\n"
      "```console\n$ export PATH=x\n$ retrosow moves a\none 1.5 s\n\ntwo\n\n$ retrosow solve "
      "b\n3\n```\nafter\n";
  const std::vector<Example> examples = examples_of(text);
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_EQ(examples[0].arguments, "moves a");
  EXPECT_EQ(comparable(examples[0].output), comparable("one 22.75 s\n\ntwo\n"));
  EXPECT_NE(comparable(examples[0].output), comparable("one 1.5 s\n\ntwo 2\n"));
  EXPECT_EQ(examples[1].output, "3\n");
}

}  // namespace
}  // namespace retrosow::test
