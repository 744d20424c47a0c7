// A verb of the program: what it takes, what its help says, and the function that runs it.
//
// One file per verb, verb_NAME.cpp, defines one constant of this type; verbs.cpp lists them. A new verb
// is a new file and one line in that list: the parser, the help and the usage errors follow from here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace retrosow::cli {

class Arguments;

struct OptionSpec {
  std::string name;     // without the leading --
  std::string value;    // what it takes, as help shows it; empty: a switch
  std::string meaning;  // default and unit included

  bool operator==(const OptionSpec&) const = default;
};

struct OptionGroup {
  std::string title;
  std::vector<OptionSpec> options;

  bool operator==(const OptionGroup&) const = default;
};

enum class PositionArgument : unsigned char { kNone, kOptional, kRequired };

struct Verb {
  std::string_view name;
  std::string_view synopsis;     // what follows the name, e.g. "POS [options]"
  std::string_view summary;      // one line, for the list of verbs
  std::string_view description;  // paragraphs separated by a newline
  std::string_view example;      // command lines, one a line
  PositionArgument position = PositionArgument::kNone;
  // The verb's options; --json, --quiet and so on come on top (see common_options).
  std::vector<OptionGroup> (*options)() = nullptr;
  // Returns the exit code. Fails: Error, which main turns into a message and an exit code.
  int (*run)(const Arguments& arguments) = nullptr;
};

// In the order in which help lists them.
std::span<const Verb* const> all_verbs();

// Null where there is no such verb.
const Verb* find_verb(std::string_view name);

// The options that every verb has.
OptionGroup common_options();

// The verb's own groups and the common one.
std::vector<OptionGroup> options_of_verb(const Verb& verb);

}  // namespace retrosow::cli
