#include "solver/cli/arguments.h"

#include <boost/program_options.hpp>

#include "bitboard/error.h"

namespace retrosow::cli {
namespace {

namespace po = boost::program_options;

std::string see_help(const Verb& verb) {
  return "; `retrosow " + std::string(verb.name) + " --help` lists the options";
}

po::parsed_options parse(const Verb& verb, const std::vector<std::string>& words) {
  po::options_description known;
  for (const OptionGroup& group : options_of_verb(verb)) {
    for (const OptionSpec& option : group.options) {
      if (option.value.empty()) {
        known.add_options()(option.name.c_str(), "");
      } else {
        known.add_options()(option.name.c_str(), po::value<std::string>(), "");
      }
    }
  }
  using Style = po::command_line_style::style_t;
  try {
    return po::command_line_parser(words)
        .options(known)
        .style(Style::allow_long | Style::long_allow_adjacent | Style::long_allow_next)
        .run();
  } catch (const po::unknown_option& e) {
    throw usage_error("`" + std::string(verb.name) + "` has no option " + e.get_option_name() +
                      see_help(verb));
  } catch (const po::invalid_command_line_syntax& e) {
    const std::string name = e.get_option_name();
    switch (e.kind()) {
      case po::invalid_syntax::extra_parameter:
        throw usage_error(name + " is a switch and takes no value");
      case po::invalid_syntax::missing_parameter:
      case po::invalid_syntax::empty_adjacent_parameter:
        throw usage_error(name + " needs a value" + see_help(verb));
      default: throw usage_error(e.what() + see_help(verb));
    }
  } catch (const po::error& e) {
    throw usage_error(e.what() + see_help(verb));
  }
}

ProgressMode parse_progress(std::string_view text) {
  if (text == "auto") return ProgressMode::kAuto;
  if (text == "always") return ProgressMode::kAlways;
  if (text == "never") return ProgressMode::kNever;
  throw usage_error("option --progress: '" + std::string(text) +
                    "' is not one of auto, always, never");
}

}  // namespace

Arguments::Arguments(const Verb& verb, const std::vector<std::string>& words) : verb_(&verb) {
  const std::string name(verb.name);
  for (const po::option& option : parse(verb, words).options) {
    if (!option.string_key.empty()) {
      const std::string value = option.value.empty() ? "" : option.value.front();
      // `--out --json` forgets a value rather than asking for a folder of that name.
      if (option.original_tokens.size() > 1 && value.starts_with("--")) {
        throw usage_error("--" + option.string_key + " needs a value, not " + value +
                          "; one that begins so is given as --" + option.string_key + "=" + value);
      }
      if (!options_.emplace(option.string_key, value).second) {
        throw usage_error("--" + option.string_key + " is given twice; give it once");
      }
      continue;
    }
    const std::string& word = option.value.front();
    // What begins like a number is a malformed position, and is refused as one.
    if (word.size() > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9')) {
      throw usage_error("`" + name + "` has no option '" + word + "'" + see_help(verb));
    }
    if (verb.position == PositionArgument::kNone) {
      throw usage_error("unexpected argument '" + word + "': `" + name + "` takes options only");
    }
    if (position_) {
      throw usage_error("unexpected argument '" + word + "' after the position '" + *position_ +
                        "'; put a position with spaces into quotes");
    }
    position_ = word;
  }
  if (position_ && given("record")) {
    throw usage_error("the position '" + *position_ +
                      "' and --record are both given; give one of them");
  }
  if (verb.position == PositionArgument::kRequired && !position_ && !given("record")) {
    throw usage_error("`" + name +
                      "` needs a position such as 3,3,3/3,3,3, `start`, or `-` for standard input");
  }

  json_ = given("json");
  quiet_ = given("quiet");
  verbose_ = given("verbose");
  if (quiet_ && verbose_)
    throw usage_error("--quiet and --verbose contradict each other; give one");
  if (const std::string* mode = find("progress")) progress_ = parse_progress(*mode);
}

const std::string* Arguments::find(std::string_view option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? nullptr : &found->second;
}

const std::string& Arguments::require(std::string_view option) const {
  if (const std::string* value = find(option)) return *value;
  throw usage_error("`" + std::string(verb_->name) + "` needs --" + std::string(option) +
                    see_help(*verb_));
}

}  // namespace retrosow::cli
