#include "tests/support/test_data.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace retrosow::test {

std::string data_path(const std::string& name) {
  return std::string(RETROSOW_TEST_DATA) + "/" + name;
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("cannot read " + path);
  return text.str();
}

std::vector<nlohmann::json> read_json_lines(const std::string& name) {
  std::istringstream lines(read_text(data_path(name)));
  std::vector<nlohmann::json> records;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) records.push_back(nlohmann::json::parse(line));
  }
  if (records.empty()) throw std::runtime_error("no records in " + data_path(name));
  return records;
}

}  // namespace retrosow::test
