// The manual page and the completions of words say what --help says: every verb, every option, nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "tests/cli/program.h"

namespace retrosow::test {
namespace {

using NameSet = std::set<std::string>;
using OptionsOfVerbs = std::map<std::string, NameSet>;

// The options in a verb's help, each with the words that it takes ("a|b"), or an empty text.
std::map<std::string, std::string> help_options(const std::string& help) {
  std::map<std::string, std::string> options;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  --")) continue;
    std::istringstream words(line);
    std::string name, value;
    words >> name >> value;
    options[name] = value.find('|') == std::string::npos ? "" : value;
  }
  return options;
}

// What --help says of every verb.
class HelpTexts {
 public:
  HelpTexts() {
    const std::string program = run({"--help"}).out;
    std::istringstream lines(program.substr(program.find("Verbs\n") + 6));
    for (std::string line; std::getline(lines, line) && !line.empty();) {
      std::istringstream words(line);
      std::string verb;
      words >> verb;
      const auto options = help_options(run({verb, "--help"}).out);
      for (const auto& [name, words_taken] : options) {
        options_[verb].insert(name);
        if (!words_taken.empty()) words_[verb + " " + name] = words_taken;
      }
    }
  }
  const OptionsOfVerbs& options() const { return options_; }
  NameSet verbs() const {
    NameSet names;
    for (const auto& [verb, options] : options_) names.insert(verb);
    return names;
  }
  // "probe --game" -> "urim|oware|awari|rio-kadalis"
  const std::map<std::string, std::string>& words() const { return words_; }

 private:
  OptionsOfVerbs options_;
  std::map<std::string, std::string> words_;
};

const HelpTexts& help_texts() {
  static const HelpTexts texts;
  return texts;
}

// The options in a manual page, by verb.
OptionsOfVerbs manual_options(const std::string& page) {
  const std::string below = "Options described below: ";
  OptionsOfVerbs described;  // by title of the subsection
  std::map<std::string, std::string> referred;
  std::string section, title;
  std::istringstream lines(page);
  for (std::string line, last; std::getline(lines, line); last = line) {
    if (line.starts_with(".SH ")) section = line.substr(5, line.size() - 6);
    if (line.starts_with(".SS ")) {
      title = line.substr(5, line.size() - 6);
      if (section == "VERBS") title.resize(std::min(title.find(' '), title.size()));
      std::erase(title, '\\');
      described[title];
    }
    if (last == ".TP" && line.starts_with("\\fB\\-\\-")) {
      std::string name = line.substr(3, line.find("\\fR") - 3);
      std::erase(name, '\\');
      described[title].insert(name);
    }
    if (line.starts_with(below))
      referred[title] = line.substr(below.size(), line.size() - below.size() - 1);
  }
  OptionsOfVerbs options;
  NameSet used;
  for (const auto& [verb, titles] : referred) {
    options[verb] = described.at(verb);
    std::istringstream list(titles);
    for (std::string each; std::getline(list, each, ';');) {
      each.erase(0, each.find_first_not_of(' '));
      std::erase(each, '\\');
      used.insert(each);
      const NameSet& group = described.at(each);
      options[verb].insert(group.begin(), group.end());
    }
  }
  for (const auto& [name, group] : described) {
    if (!options.contains(name) && !used.contains(name))
      options[name] = group;  // nothing refers to it
  }
  return options;
}

TEST(ManualPage, HasEveryVerbAndOptionOfTheHelpAndNoOther) {
  const Outcome page = run({"help", "--man"});
  ASSERT_EQ(page.exit_code, 0) << page;
  EXPECT_EQ(manual_options(page.out), help_texts().options());
  for (const auto& [verb, options] : help_texts().options()) EXPECT_GE(options.size(), 5u) << verb;
}

TEST(ManualPage, AMissingOptionIsNoticed) {
  std::string page = run({"help", "--man"}).out;
  const std::size_t at = page.find(".TP\n\\fB\\-\\-by\\-search");
  ASSERT_NE(at, std::string::npos);
  page.erase(at, 4);
  EXPECT_NE(manual_options(page), help_texts().options());
}

bool there_is(const std::string& program) {
  return run({"-c", "command -v " + program}, {.program = "sh"}).exit_code == 0;
}

TEST(ManualPage, IsFreeOfFaultsOfForm) {
  TemporaryFolder folder;
  std::ofstream(folder / "retrosow.1") << run({"help", "--man"}).out;
  if (there_is("mandoc")) {
    const Outcome lint =
        run({"-T", "lint", "-W", "warning", folder / "retrosow.1"}, {.program = "mandoc"});
    EXPECT_EQ(lint.exit_code, 0) << lint;
  }
  if (there_is("man")) {
    const Outcome shown =
        run({"--warnings", "-l", folder / "retrosow.1"},
            {.environment = {"MANPAGER=cat", "LC_ALL=C.UTF-8", "MANROFFSEQ="}, .program = "man"});
    EXPECT_EQ(shown.exit_code, 0) << shown;
    EXPECT_EQ(shown.err, "");
  }
}

NameSet lines_of(const std::string& text) {
  NameSet names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // fish adds what a word means, behind a tab.
    if (!line.empty()) names.insert(line.substr(0, line.find('\t')));
  }
  return names;
}

// Splits what a shell says about several lines, each after a line "> LINE".
std::map<std::string, NameSet> answers_of(const std::string& output) {
  std::map<std::string, std::string> texts;
  std::string asked;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("> ")) {
      asked = line.substr(2);
      texts[asked];
    } else {
      texts[asked] += line + "\n";
    }
  }
  std::map<std::string, NameSet> answers;
  for (const auto& [line, text] : texts) answers[line] = lines_of(text);
  return answers;
}

// A shell's completions of `retrosow LINE`, the last word of which is to be completed.
class Shell {
 public:
  explicit Shell(const std::string& name) : name_(name) {
    std::ofstream(folder_ / "script") << run({"help", "--completion", name}).out;
    std::filesystem::create_directory(folder_.path() / "a folder");
    std::ofstream(folder_ / "a file") << "";
  }

  std::map<std::string, NameSet> complete(const Words& lines) const {
    std::string script;
    if (name_ == "bash") {
      script =
          "source ./script\nask() { printf '> %s\\n' \"$*\"; COMP_WORDS=(retrosow \"$@\"); "
          "COMP_CWORD=$#; _retrosow; printf '%s\\n' \"${COMPREPLY[@]}\"; }\n";
    } else if (name_ == "fish") {
      script =
          "source ./script\nfunction ask; echo \"> $argv\"; complete -C \"retrosow $argv\"; end\n";
    } else {
      // What the script hands to zsh's own functions, without a terminal to complete on.
      script =
          "compdef() { }\n_describe() { print -l -- \"${${(P)4}[@]%%:*}\" }\n"
          "_arguments() { local spec; for spec in \"$@\"; do\n"
          "  case $spec in\n"
          "    --*) print -r -- \"${spec%%[=\\[]*}\"; values[${spec%%[=\\[]*}]=\"${spec##*:}\" ;;\n"
          "    1:*) [[ $words[CURRENT] == -* ]] || print -l -- ${=${${spec##*:\\(}%\\)}} ;;\n"
          "  esac; done }\n"
          "source ./script\n"
          "ask() { typeset -gA values=(); print -r -- \"> $*\"; typeset -ga words=(retrosow "
          "\"$@\"); typeset -gi CURRENT=$#words\n"
          "  if [[ $words[-2] == --* ]]; then _retrosow >/dev/null; print -l -- "
          "${=${${values[$words[-1]]:-$values[$words[-2]]}//[()]/ }}\n"
          "  else _retrosow; fi }\n";
    }
    for (const std::string& line : lines) script += "ask " + line + "\n";
    const Outcome outcome = run(name_ == "bash"   ? Words{"--norc", "-c", script}
                                : name_ == "fish" ? Words{"-N", "-c", script}
                                                  : Words{"-f", "-c", script},
                                {.folder = folder_.path().string(),
                                 .environment = {"HOME=" + folder_.path().string()},
                                 .program = name_});
    EXPECT_EQ(outcome.err, "") << name_;
    EXPECT_EQ(outcome.exit_code, 0) << outcome;
    return answers_of(outcome.out);
  }

 private:
  std::string name_;
  TemporaryFolder folder_;
};

class Completion : public testing::TestWithParam<std::string> {};

TEST_P(Completion, KnowsEveryVerbOptionAndWordOfTheHelpAndNoOther) {
  const std::string name = GetParam();
  ASSERT_TRUE(there_is(name)) << "scripts/test installs it";
  Words lines = {"''", "help ''"};
  for (const std::string& verb : help_texts().verbs()) lines.push_back(verb + " --");
  for (const auto& [option, words] : help_texts().words()) lines.push_back(option + " ''");
  std::map<std::string, NameSet> answers = Shell(name).complete(lines);

  const auto without = [](NameSet names, const NameSet& others) {
    for (const std::string& other : others) names.erase(other);
    return names;
  };
  EXPECT_EQ(without(answers[""], {"help", "--help", "--version"}), help_texts().verbs());
  EXPECT_EQ(without(answers["help "], {"--man", "--completion"}), help_texts().verbs());
  for (const auto& [verb, options] : help_texts().options())
    EXPECT_EQ(answers[verb + " --"], options) << name << " " << verb;
  for (const auto& [option, words] : help_texts().words()) {
    NameSet expected;
    std::istringstream list(words);
    for (std::string word; std::getline(list, word, '|');) expected.insert(word);
    EXPECT_EQ(answers[option + " "], expected) << name << " " << option;
  }
}

INSTANTIATE_TEST_SUITE_P(Shells, Completion, testing::Values("bash", "fish", "zsh"),
                         [](const auto& shell) { return shell.param; });

TEST(BashCompletion, CompletesAsOneTypes) {
  std::map<std::string, NameSet> answers = Shell("bash").complete(
      {"pro", "probe --ta", "probe --tables ''", "export --out ''", "probe --game = r",
       "probe --game =", "probe --tables x --json --t", "probe st", "check st", "build --memory ''",
       "nonsense --", "help --completion z"});
  EXPECT_EQ(answers["pro"], NameSet{"probe"});
  EXPECT_EQ(answers["probe --ta"], NameSet{"--tables"});
  EXPECT_EQ(answers["probe --tables "], NameSet{"a folder"});
  EXPECT_EQ(answers["export --out "], (NameSet{"a file", "a folder", "script"}));
  EXPECT_EQ(answers["probe --game = r"], NameSet{"rio-kadalis"});
  EXPECT_EQ(answers["probe --game ="], (NameSet{"awari", "oware", "rio-kadalis", "urim"}));
  EXPECT_EQ(answers["probe --tables x --json --t"], NameSet{"--trigger"});  // no option twice
  EXPECT_EQ(answers["probe st"], NameSet{"start"});
  EXPECT_EQ(answers["check st"], NameSet{});
  EXPECT_EQ(answers["build --memory "], NameSet{});
  EXPECT_EQ(answers["nonsense --"], NameSet{});
  EXPECT_EQ(answers["help --completion z"], NameSet{"zsh"});
}

TEST(CompletionScript, OfAnUnknownShellIsRefused) {
  expect_error("help --completion tcsh", 2, {"'tcsh'", "bash, fish and zsh"});
  expect_error("help --completion", 2, {"--completion", "bash, fish or zsh"});
  expect_error("help --completion bash zsh", 2, {"--completion"});
  expect_error("help --man probe", 2, {"'probe'"});
}

}  // namespace
}  // namespace retrosow::test
