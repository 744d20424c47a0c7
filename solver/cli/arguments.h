// The words behind a verb, parsed: options by their full names, and the position argument.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/cli/verb.h"

namespace retrosow::cli {

enum class ProgressMode : unsigned char { kAuto, kAlways, kNever };

class Arguments {
 public:
  // Options are not abbreviated: `--seed` is not `--seeds`. `--name value` and `--name=value` are the same.
  // Fails: usage error on an unknown or repeated option, a value that is missing or not wanted, a word
  // too many, or a position that is missing.
  Arguments(const Verb& verb, const std::vector<std::string>& words);

  using Options = std::map<std::string, std::string, std::less<>>;
  // Options that are taken apart already. Pre: they are the verb's own.
  Arguments(const Verb& verb, Options options) : verb_(&verb), options_(std::move(options)) {}

  bool given(std::string_view option) const { return options_.contains(option); }
  // The option's value, or null where it was not given.
  const std::string* find(std::string_view option) const;
  // Fails: usage error that says the verb needs it.
  const std::string& require(std::string_view option) const;

  const std::optional<std::string>& position() const { return position_; }

  const Verb& verb() const { return *verb_; }
  bool json() const { return json_; }
  bool quiet() const { return quiet_; }
  bool verbose() const { return verbose_; }
  ProgressMode progress() const { return progress_; }

 private:
  const Verb* verb_;
  Options options_;
  std::optional<std::string> position_;
  bool json_ = false, quiet_ = false, verbose_ = false;
  ProgressMode progress_ = ProgressMode::kAuto;
};

}  // namespace retrosow::cli
