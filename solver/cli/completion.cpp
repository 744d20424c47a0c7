#include "solver/cli/completion.h"

#include <algorithm>
#include <map>
#include <vector>

#include "bitboard/error.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

enum class Kind : unsigned char { kSwitch, kWords, kFolder, kFile, kOther };

Kind kind_of(const OptionSpec& option) {
  if (option.value.empty()) return Kind::kSwitch;
  if (option.value == "DIR") return Kind::kFolder;
  if (option.value == "FILE") return Kind::kFile;
  return option.value.find('|') == std::string::npos ? Kind::kOther : Kind::kWords;
}

// "auto|always|never" -> "auto always never"
std::string words_of(const OptionSpec& option) {
  std::string words = option.value;
  std::ranges::replace(words, '|', ' ');
  return words;
}

std::vector<OptionSpec> options_in(const Verb& verb) {
  std::vector<OptionSpec> options;
  for (const OptionGroup& group : options_of_verb(verb)) {
    options.insert(options.end(), group.options.begin(), group.options.end());
  }
  return options;
}

// An option with all verbs that have it in the same form, in the order of the verbs.
struct SharedOption {
  OptionSpec option;
  std::vector<std::string_view> verbs;
};

std::vector<SharedOption> shared_options() {
  std::vector<SharedOption> all;
  for (const Verb* verb : all_verbs()) {
    for (const OptionSpec& option : options_in(*verb)) {
      const auto same = std::ranges::find(all, option, &SharedOption::option);
      if (same == all.end()) {
        all.push_back({option, {verb->name}});
      } else {
        same->verbs.push_back(verb->name);
      }
    }
  }
  return all;
}

std::string verb_names() {
  std::string names;
  for (const Verb* verb : all_verbs())
    names += (names.empty() ? "" : " ") + std::string(verb->name);
  return names;
}

std::string joined(const std::vector<std::string_view>& words, std::string_view between) {
  std::string text;
  for (const std::string_view word : words)
    text += (text.empty() ? "" : std::string(between)) + std::string(word);
  return text;
}

// The first sentence: what fits beside an option.
std::string short_meaning(const OptionSpec& option) {
  const std::size_t end = option.meaning.find(". ");
  std::string text = option.meaning.substr(0, end);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// `text` with `mark` before each of these characters.
std::string escaped(std::string_view text, std::string_view characters, std::string_view mark) {
  std::string out;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) out += mark;
    out += c;
  }
  return out;
}

// In single quotes for bash and zsh.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool takes_position(const Verb& verb) { return verb.position != PositionArgument::kNone; }

// What completes the value of an option in bash.
std::string bash_answer(const OptionSpec& option) {
  switch (kind_of(option)) {
    case Kind::kWords: return "_retrosow_words '" + words_of(option) + "'; ";
    case Kind::kFolder: return "_retrosow_files -d; ";
    case Kind::kFile: return "_retrosow_files -f; ";
    case Kind::kSwitch:
    case Kind::kOther: break;
  }
  return "";
}

// For each answer the patterns of "VERB --OPTION" that it is given to.
std::map<std::string, std::string> bash_answers() {
  std::map<std::string, std::map<std::string, std::vector<std::string_view>>>
      verbs;  // option, answer
  for (const SharedOption& shared : shared_options()) {
    if (kind_of(shared.option) == Kind::kSwitch) continue;
    auto& list = verbs[shared.option.name][bash_answer(shared.option)];
    list.insert(list.end(), shared.verbs.begin(), shared.verbs.end());
  }
  std::map<std::string, std::string> patterns;
  for (const auto& [name, answers] : verbs) {
    for (const auto& [answer, list] : answers) {
      std::string& pattern = patterns[answer];
      const auto add = [&](const std::string& each) {
        pattern += (pattern.empty() ? "" : "|") + each;
      };
      // Of every verb alike, or of some only.
      if (answers.size() == 1) {
        add("*' --" + name + "'");
      } else {
        for (const std::string_view verb : list) add("'" + std::string(verb) + " --" + name + "'");
      }
    }
  }
  return patterns;
}

std::string bash_script() {
  std::string options, positions, values;
  for (const Verb* verb : all_verbs()) {
    std::string names;
    for (const OptionSpec& option : options_in(*verb))
      names += (names.empty() ? "--" : " --") + option.name;
    options += "    " + std::string(verb->name) + ") options='" + names + "' ;;\n";
    if (takes_position(*verb))
      positions += (positions.empty() ? "" : "|") + std::string(verb->name);
  }
  for (const auto& [answer, patterns] : bash_answers()) {
    values += "    " + patterns + ")\n      " + answer + "return ;;\n";
  }
  return "# bash completion for retrosow, made by `retrosow help --completion bash`.\n"
         "# To try it: source <(retrosow help --completion bash)\n\n"
         "_retrosow_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\"); }\n"
         "_retrosow_files() {\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$word\")\n"
         "}\n\n"
         "_retrosow() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local verb=${COMP_WORDS[1]} options='' unused='' option\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    _retrosow_words '" +
         verb_names() +
         " help --help --version'\n"
         "    return\n"
         "  fi\n"
         "  # `--name=value` comes in three words.\n"
         "  if [[ $word == = ]]; then\n"
         "    word=''\n"
         "  elif [[ $previous == = ]]; then\n"
         "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  case \"$verb $previous\" in\n"
         "    'help --completion')\n"
         "      _retrosow_words 'bash fish zsh'; return ;;\n"
         "    'help help')\n"
         "      _retrosow_words '" +
         verb_names() + " --completion --man'; return ;;\n" + values +
         "  esac\n"
         "  case $verb in\n" +
         options +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    for option in $options; do\n"
         "      # The program takes no option twice.\n"
         "      [[ $option != \"$word\" && \" ${COMP_WORDS[*]} \" == *\" $option \"* ]] || "
         "unused+=\" $option\"\n"
         "    done\n"
         "    _retrosow_words \"$unused\"\n"
         "    return\n"
         "  fi\n"
         "  case $verb in\n"
         "    " +
         positions +
         ") _retrosow_words start ;;\n"
         "  esac\n"
         "}\n\n"
         "complete -F _retrosow retrosow\n";
}

std::string zsh_script() {
  std::string verbs, cases;
  for (const Verb* verb : all_verbs()) {
    const std::string name(verb->name);
    verbs += "    " + shell_quoted(name + ":" + escaped(verb->summary, ":\\", "\\")) + "\n";
    cases += "    " + name + ")\n      _arguments -S";
    for (const OptionSpec& option : options_in(*verb)) {
      const Kind kind = kind_of(option);
      const std::string meaning = escaped(short_meaning(option), ":[]\\", "\\");
      std::string spec = "--" + option.name + (kind == Kind::kSwitch ? "[" : "=[") + meaning + "]";
      if (kind != Kind::kSwitch) spec += ":" + escaped(option.value, ":\\", "\\") + ":";
      if (kind == Kind::kWords) spec += "(" + words_of(option) + ")";
      if (kind == Kind::kFolder) spec += "_directories";
      if (kind == Kind::kFile) spec += "_files";
      if (kind == Kind::kOther) spec += " ";
      cases += " \\\n        " + shell_quoted(spec);
    }
    if (takes_position(*verb)) cases += " \\\n        '1:position:(start)'";
    cases += "\n      ;;\n";
  }
  return "#compdef retrosow\n"
         "# zsh completion for retrosow, made by `retrosow help --completion zsh`.\n"
         "# To try it: source <(retrosow help --completion zsh)\n\n"
         "_retrosow() {\n"
         "  local -a verbs\n"
         "  verbs=(\n" +
         verbs +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    verbs+=('help:the options of a verb, the manual page, completion of words')\n"
         "    _describe -t verbs verb verbs\n"
         "    _arguments '--help[what the program does]' '--version[version of the program]'\n"
         "    return\n"
         "  fi\n"
         "  local verb=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $verb in\n" +
         cases +
         "    help)\n"
         "      _arguments '--man[the manual page]' '--completion[script for a shell]:shell:(bash "
         "fish zsh)' \\\n"
         "        '1:verb:(" +
         verb_names() +
         ")'\n"
         "      ;;\n"
         "  esac\n"
         "}\n\n"
         "if [[ $funcstack[1] == _retrosow ]]; then\n"
         "  _retrosow \"$@\"\n"
         "else\n"
         "  compdef _retrosow retrosow\n"
         "fi\n";
}

std::string fish_script() {
  const auto quoted = [](std::string_view text) { return "'" + escaped(text, "'\\", "\\") + "'"; };
  std::string text =
      "# fish completion for retrosow, made by `retrosow help --completion fish`.\n"
      "# To try it: retrosow help --completion fish | source\n\n"
      "function __retrosow_verb\n"
      "  set -l words (commandline -opc)\n"
      "  test (count $words) -ge 2; and contains -- $words[2] $argv\n"
      "end\n\n"
      "function __retrosow_no_verb\n"
      "  test (count (commandline -opc)) -eq 1\n"
      "end\n\n"
      "complete -c retrosow -f\n"
      "complete -c retrosow -n __retrosow_no_verb -l help -d 'what the program does'\n"
      "complete -c retrosow -n __retrosow_no_verb -l version -d 'version of the program'\n"
      "complete -c retrosow -n __retrosow_no_verb -a help -d 'the options of a verb, the manual "
      "page, "
      "completion of words'\n"
      "complete -c retrosow -n '__retrosow_verb help' -l man -d 'the manual page'\n"
      "complete -c retrosow -n '__retrosow_verb help' -l completion -x -a 'bash fish zsh' -d "
      "'script for a shell'\n"
      "complete -c retrosow -n '__retrosow_verb help' -a '" +
      verb_names() + "'\n";
  std::vector<std::string_view> with_position;
  for (const Verb* verb : all_verbs()) {
    text += "complete -c retrosow -n __retrosow_no_verb -a " + std::string(verb->name) + " -d " +
            quoted(verb->summary) + "\n";
    if (takes_position(*verb)) with_position.push_back(verb->name);
  }
  text += "complete -c retrosow -n '__retrosow_verb " + joined(with_position, " ") +
          "' -a start -d 'the start position'\n";
  for (const SharedOption& shared : shared_options()) {
    text += "complete -c retrosow -n '__retrosow_verb " + joined(shared.verbs, " ") + "' -l " +
            shared.option.name;
    switch (kind_of(shared.option)) {
      case Kind::kSwitch: break;
      case Kind::kWords: text += " -x -a " + quoted(words_of(shared.option)); break;
      case Kind::kFolder: text += " -x -a '(__fish_complete_directories)'"; break;
      case Kind::kFile: text += " -r -F"; break;
      case Kind::kOther: text += " -x"; break;
    }
    text += " -d " + quoted(short_meaning(shared.option)) + "\n";
  }
  return text;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "fish") return fish_script();
  if (shell == "zsh") return zsh_script();
  throw usage_error("no completion for '" + std::string(shell) + "', but for bash, fish and zsh");
}

}  // namespace retrosow::cli
