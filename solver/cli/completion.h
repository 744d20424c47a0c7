// Completion of words in shells, made from the verb table like the help texts.
#pragma once

#include <string>
#include <string_view>

namespace retrosow::cli {

// `retrosow help --completion SHELL`: a script for bash, fish or zsh. It knows every verb, the options of each
// that are not there yet, and what they take: one of several words, a folder, a file, or something else.
// Fails: usage error for another shell.
std::string completion_script(std::string_view shell);

}  // namespace retrosow::cli
