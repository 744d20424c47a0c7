// Where the tests find their data, and how they read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace retrosow::test {

// The path of a file in tests/data/.
std::string data_path(const std::string& name);

// The whole text of a file. Fails: std::runtime_error if it cannot be read.
std::string read_text(const std::string& path);

// The records of a .jsonl file in tests/data/, in order. Fails: std::runtime_error, also if there is none.
std::vector<nlohmann::json> read_json_lines(const std::string& name);

}  // namespace retrosow::test
