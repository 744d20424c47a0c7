// The program: finds the verb, runs it, turns errors into messages and exit codes.

#include <algorithm>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "bitboard/error.h"
#include "solver/cli/arguments.h"
#include "solver/cli/completion.h"
#include "solver/cli/help.h"
#include "solver/cli/man_page.h"
#include "solver/cli/output.h"
#include "solver/cli/signals.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

bool is_help(const std::string& word) { return word == "--help" || word == "-h"; }

// Help is given whatever else the words say; what follows `--` is not looked at.
bool asks_for_help(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end, is_help);
}

Error unknown_verb(const std::string& name) {
  std::string names;
  for (const Verb* verb : all_verbs())
    names += (names.empty() ? "" : ", ") + std::string(verb->name);
  return usage_error("'" + name + "' is no verb; there are " + names);
}

int help(const std::vector<std::string>& words) {
  if (words.empty()) {
    print(program_help());
    return 0;
  }
  if (words[0] == "--man" && words.size() == 1) {
    print(man_page());
    return 0;
  }
  if (words[0] == "--completion") {
    if (words.size() != 2) throw usage_error("--completion needs a shell: bash, fish or zsh");
    print(completion_script(words[1]));
    return 0;
  }
  if (words.size() > 1) throw usage_error("`help` takes one verb, not '" + words[1] + "', too");
  const Verb* verb = find_verb(words[0]);
  if (verb == nullptr) throw unknown_verb(words[0]);
  print(verb_help(*verb));
  return 0;
}

int run(std::vector<std::string> words) {
  if (words.empty()) {
    std::fputs(usage_text().c_str(), stderr);
    return error_exit_code(ErrorClass::kUsage);
  }
  std::string name = words.front();
  words.erase(words.begin());
  if (is_help(name)) {
    print(program_help());
    return 0;
  }
  if (name == "help") return help(words);
  if (name == "--version") name = "version";
  const Verb* verb = find_verb(name);
  if (verb == nullptr) {
    if (name.starts_with("--")) {
      throw usage_error("the verb comes first, options after it: retrosow VERB " + name);
    }
    throw unknown_verb(name);
  }
  if (asks_for_help(words)) {
    print(verb_help(*verb));
    return 0;
  }
  return verb->run(Arguments(*verb, words));
}

int fail(ErrorClass error_class, const std::string& message) {
  complain(message);
  return error_exit_code(error_class);
}

// Runs `step`, and turns what it throws into a message and an exit code.
template <typename Step>
int guarded(Step&& step) {
  try {
    return step();
  } catch (const Error& error) {
    return fail(error.error_class(), error_text(error));
  } catch (const ClosedPipe&) {
    return error_exit_code(ErrorClass::kIo);
  } catch (const std::bad_alloc&) {
    return fail(ErrorClass::kLimit,
                "out of memory; --memory limits what is used, where a verb has it");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ErrorClass::kIo, error.what());
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    return kInternalError;
  }
}

}  // namespace
}  // namespace retrosow::cli

int main(int argc, char** argv) {
  using namespace retrosow::cli;
  secure_standard_streams();
  install_signal_handlers();
  const int code = guarded([&] { return run({argv + std::min(argc, 1), argv + argc}); });
  const int output_code = guarded([] {
    close_output();
    return 0;
  });
  return code != 0 ? code : output_code;
}
