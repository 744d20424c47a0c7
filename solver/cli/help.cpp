#include "solver/cli/help.h"

#include <algorithm>

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

std::string usage_text() {
  return "usage: retrosow VERB [arguments]\n\n" + list_of_verbs() +
         "\n`retrosow --help` says more, `retrosow VERB --help` lists the options of a verb.\n";
}

std::string program_help() {
  return "retrosow solves sowing games exactly: Urim, Oware, Awari and Rio Kadalis.\n\n"
         "usage: retrosow VERB [arguments]\n\nVerbs\n" +
         list_of_verbs() +
         "\n`retrosow VERB --help` or `retrosow help VERB` lists the options of a verb.\n"
         "\nPositions\n"
         "  a1,a2,..,ak/b1,b2,..,bk: first the row of the player to move, then his opponent's, "
         "each in its\n"
         "  own sowing order; x is a closed hole (Rio Kadalis). `start` is the start position.\n"
         "\nOutput\n"
         "  Results go to standard output, everything else to standard error. --json, on every "
         "verb, prints\n"
         "  one JSON object per record.\n"
         "\nExit codes\n"
         "    0  fine\n"
         "    1  something is wrong: verify disproved tables, or bench found that kernels differ\n"
         "    2  usage: a wrong option, number or position\n"
         "    3  input or output failed, or a table or level is not there\n"
         "    4  damaged data\n"
         "    5  a version, rule set or method that this build does not handle\n"
         "    6  a limit was reached: memory, disk, size, search\n"
         "   70  internal error: a fault of the program, please report it\n"
         "  130  interrupted (Ctrl-C or SIGTERM)\n"
         "\nEnvironment\n"
         "  RETROSOW_KERNEL  forces a move kernel; `retrosow version` lists those that run here\n";
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
