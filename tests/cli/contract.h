// The command-line contract with the known-right cases of tests/data: what contract_test.cpp (quick) and
// contract_full_test.cpp (full) share.
#pragma once

#include "tests/cli/program.h"
#include "tests/support/test_data.h"

namespace retrosow::test {

// The rule options of a case as words. `any` leaves the default.
inline Words option_words(const std::string& game, const nlohmann::json& rules) {
  Words words = {"--game", game};
  for (const auto& [name, value] : rules.items()) {
    if (value == "any") continue;
    std::string option = "--" + name;
    std::replace(option.begin(), option.end(), '_', '-');
    words.push_back(option);
    words.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return words;
}

// Cases by their rules, so that each group is one run.
inline std::map<std::string, std::vector<nlohmann::json>> by_rules(
    const std::vector<nlohmann::json>& cases) {
  std::map<std::string, std::vector<nlohmann::json>> groups;
  for (const nlohmann::json& c : cases) groups[c["rules"].dump()].push_back(c);
  return groups;
}

// The counts of a `stats` record, by value.
inline std::map<std::string, std::uint64_t> counts_of(const Json& values) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [value, count] : values.items()) {
    if (count != 0) counts[value] = count.get<std::uint64_t>();
  }
  return counts;
}

}  // namespace retrosow::test
