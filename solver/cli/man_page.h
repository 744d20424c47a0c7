// The manual page, made from the verb table like the help texts.
#pragma once

#include <string>

namespace retrosow::cli {

// `retrosow help --man`: retrosow(1) in the macros of man(7). A group of options that several verbs have in the same
// form is described once, and named by each of these verbs.
std::string man_page();

}  // namespace retrosow::cli
