#include "solver/cli/help.h"

#include <algorithm>
#include <array>

namespace retrosow::cli {
namespace {

constexpr std::size_t kLineWidth = 96;
constexpr std::size_t kTextColumn = 26;

// `text` wrapped, every line but the first indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string lines;
  std::size_t column = indent;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (column > indent && column + 1 + length > kLineWidth) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines.append(text, at, length);
    column += length;
    at = end + 1;
  }
  return lines + "\n";
}

std::string option_text(const OptionSpec& option) {
  std::string head = "  --" + option.name;
  if (!option.value.empty()) head += " " + option.value;
  if (head.size() + 2 > kTextColumn) {
    head += "\n" + std::string(kTextColumn, ' ');
  } else {
    head.resize(kTextColumn, ' ');
  }
  return head + wrapped(option.meaning, kTextColumn);
}

std::string list_of_verbs() {
  std::string text;
  for (const Verb* verb : all_verbs()) {
    std::string name = "  " + std::string(verb->name);
    name.resize(12, ' ');
    text += name + std::string(verb->summary) + "\n";
  }
  return text;
}

std::string indented(std::string_view text) {
  std::string lines = "  ";
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines += "  ";
  }
  return lines + "\n";
}

}  // namespace

std::span<const ExitCode> exit_codes() {
  static constexpr std::array<ExitCode, 9> kCodes = {{
      {0, "fine"},
      {1, "something is wrong: verify disproved tables, or bench found that kernels differ"},
      {2, "usage: a wrong option, number or position"},
      {3, "input or output failed, or a table or level is not there"},
      {4, "damaged data"},
      {5, "a version, rule set or method that this build does not handle"},
      {6, "a limit was reached: memory, disk, size, search"},
      {70, "internal error: a fault of the program, please report it"},
      {130, "interrupted (Ctrl-C or SIGTERM)"},
  }};
  return kCodes;
}

std::string usage_text() {
  return "usage: retrosow VERB [arguments]\n\n" + list_of_verbs() +
         "\n`retrosow --help` says more, `retrosow VERB --help` lists the options of a verb.\n";
}

std::string program_help() {
  std::string text =
      "retrosow solves sowing games exactly: Urim, Oware, Awari and Rio Kadalis.\n\n"
      "usage: retrosow VERB [arguments]\n\nVerbs\n" +
      list_of_verbs() +
      "\n`retrosow VERB --help` or `retrosow help VERB` lists the options of a verb;\n"
      "`retrosow help --man` prints the manual page, `retrosow help --completion SHELL` a script "
      "that\n"
      "completes words in bash, zsh or fish.\n"
      "\nPositions\n" +
      indented(kPositionsText) + "\nOutput\n" + indented(kOutputText) + "\nExit codes\n";
  for (const ExitCode& code : exit_codes()) {
    std::string number = std::to_string(code.number);
    number.insert(0, 5 - number.size(), ' ');
    text += number + "  " + std::string(code.meaning) + "\n";
  }
  return text + "\nEnvironment\n  " + std::string(kKernelVariable) + "  " +
         std::string(kKernelVariableText) + "\n";
}

std::string verb_help(const Verb& verb) {
  std::string text = "usage: retrosow " + std::string(verb.name);
  if (!verb.synopsis.empty()) text += " " + std::string(verb.synopsis);
  text += "\n\n" + std::string(verb.description) + "\n";
  for (const OptionGroup& group : options_of_verb(verb)) {
    text += "\n" + group.title + "\n";
    for (const OptionSpec& option : group.options) text += option_text(option);
  }
  return text + "\nExamples\n" + indented(verb.example);
}

}  // namespace retrosow::cli
