#include "solver/cli/man_page.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "solver/cli/help.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

// The day when something in this file changed last; manual pages have a date, and the same source makes the same page.
constexpr std::string_view kDate = "2026-11-30";

// Text as roff takes it: no character is a command, and a hyphen is what one types.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_begins = c == '\n';
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : roff(text)) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string section(std::string_view title) { return ".SH " + quoted(title) + "\n"; }
std::string subsection(std::string_view title) { return ".SS " + quoted(title) + "\n"; }

// A term and what it means, the term in bold, its argument in italics.
std::string item(std::string_view term, std::string_view argument, std::string_view meaning) {
  std::string text = ".TP\n\\fB" + roff(term) + "\\fR";
  if (!argument.empty()) text += " \\fI" + roff(argument) + "\\fR";
  return text + "\n" + roff(meaning) + "\n";
}

std::string example(std::string_view lines) { return ".PP\n.nf\n" + roff(lines) + "\n.fi\n"; }

// "Which tables: with --game those of …" is a title and what goes before the options.
std::string title_of(const OptionGroup& group) {
  return group.title.substr(0, group.title.find(": "));
}

std::string options_text(const OptionGroup& group) {
  std::string text;
  for (const OptionSpec& option : group.options)
    text += item("--" + option.name, option.value, option.meaning);
  return text;
}

// The options that several verbs share.
class SharedGroups {
 public:
  SharedGroups() {
    std::vector<OptionGroup> all;
    for (const Verb* verb : all_verbs()) {
      for (OptionGroup& group : options_of_verb(*verb)) all.push_back(std::move(group));
    }
    for (const OptionGroup& group : all) {
      const auto uses = std::ranges::count(all, group);
      // One group a title, so that the title names it.
      const bool titled = std::ranges::any_of(
          groups_, [&](const OptionGroup& other) { return title_of(other) == title_of(group); });
      if (uses > 1 && !titled) groups_.push_back(group);
    }
  }
  const std::vector<OptionGroup>& groups() const { return groups_; }
  bool contains(const OptionGroup& group) const {
    return std::ranges::find(groups_, group) != groups_.end();
  }

 private:
  std::vector<OptionGroup> groups_;
};

std::string verb_text(const Verb& verb, const SharedGroups& shared) {
  std::string title(verb.name);
  if (!verb.synopsis.empty()) title += " " + std::string(verb.synopsis);
  std::string text = subsection(title) + roff(verb.description) + "\n";
  std::string elsewhere;
  for (const OptionGroup& group : options_of_verb(verb)) {
    if (shared.contains(group)) {
      elsewhere += (elsewhere.empty() ? "" : "; ") + title_of(group);
    } else {
      text += options_text(group);
    }
  }
  if (!elsewhere.empty()) text += ".PP\nOptions described below: " + roff(elsewhere) + ".\n";
  return text + ".PP\nExamples:\n" + example(verb.example);
}

}  // namespace

std::string man_page() {
  const SharedGroups shared;
  std::string text =
      ".TH RETROSOW 1 " + std::string(kDate) + " " + quoted("retrosow " RETROSOW_VERSION) + " " +
      quoted("User Commands") + "\n" + section("NAME") +
      "retrosow \\- exact values of sowing games: Urim, Oware, Awari, Rio Kadalis\n" +
      section("SYNOPSIS") +
      ".B retrosow\n.I verb\n[\\fIarguments\\fR]\n.br\n.B retrosow help\n"
      "[\\fIverb\\fR | \\fB\\-\\-man\\fR | \\fB\\-\\-completion\\fR \\fIshell\\fR]\n" +
      section("DESCRIPTION") +
      "retrosow makes tables of perfect\\-play values of two\\-row sowing games, proves them, and "
      "answers\n"
      "from them, or by search, what a position is worth and which moves keep that worth.\n" +
      section("VERBS");
  for (const Verb* verb : all_verbs()) text += verb_text(*verb, shared);
  text += section("OPTIONS OF SEVERAL VERBS");
  for (const OptionGroup& group : shared.groups()) {
    const std::string title = title_of(group);
    text += subsection(title);
    if (title != group.title) text += roff(group.title.substr(title.size() + 2)) + ".\n";
    text += options_text(group);
  }
  text += section("POSITIONS") + roff(kPositionsText) + "\n" + section("OUTPUT") +
          roff(kOutputText) + "\n" + section("EXIT STATUS");
  for (const ExitCode& code : exit_codes())
    text += item(std::to_string(code.number), "", code.meaning);
  text += section("ENVIRONMENT") + item(kKernelVariable, "", kKernelVariableText) +
          section("SEE ALSO") +
          roff("GUIDE.md, RULES.md, FORMAT.md and JSON.md in the folder of retrosow's documents.") +
          "\n";
  return text;
}

}  // namespace retrosow::cli
