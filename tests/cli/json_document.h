// Documents of JSON records (solver/cli/JSON.md, solver/web/API.md) as data: the tables of their keys and the examples.
#pragma once

#include <set>

#include "tests/cli/program.h"

namespace retrosow::test {

struct Key {
  std::set<std::string> types;
  bool always = false;
};
using Keys = std::map<std::string, Key>;  // by path

struct Example {
  Words words;
  std::vector<Json> output;
};

struct Document {
  std::map<std::string, std::vector<Keys>> verbs;  // a verb's kinds of records
  std::vector<Example> examples;
};

inline std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" `");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" `") - first + 1);
}

// `prompt`: how the line of an example begins, which the words follow. `others`: where "record of `verb`" as a
// type is looked up.
inline Document read_document(const std::string& file, const std::string& prompt, const Document* others = nullptr) {
  Document document;
  std::istringstream lines(text_of_file(std::string(RETROSOW_SOURCE_DIR) + file));
  std::string verb;
  bool console = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      console = line == "```console";
    } else if (console && line.starts_with(prompt)) {
      document.examples.push_back({words_of(line.substr(prompt.size())), {}});
    } else if (console) {
      document.examples.back().output.push_back(Json::parse(line));
    } else if (line.starts_with("## ")) {
      verb = line.substr(3);
    } else if (line == "| key | type | when | meaning |") {
      document.verbs[verb].emplace_back();
    } else if (line.starts_with("| `")) {
      Words cells;
      std::istringstream row(line.substr(1));
      for (std::string cell; std::getline(row, cell, '|');) cells.push_back(trimmed(cell));
      Key key;
      std::string types = cells.at(1);
      for (std::size_t at; (at = types.find(" or ")) != std::string::npos; types.erase(0, at + 4)) {
        key.types.insert(types.substr(0, at));
      }
      if (others != nullptr && types.starts_with("record of ")) {
        // All that it holds stands in the other document.
        const std::string path = cells.at(0) == "(answer)" ? "" : cells.at(0) + ".";
        for (const auto& [name, inner] : others->verbs.at(trimmed(types.substr(10))).front()) {
          document.verbs.at(verb).back()[path + name] = inner;
        }
        types = "object";
        if (path.empty()) continue;
      }
      key.types.insert(types);
      key.always = cells.at(2) == "always";
      document.verbs.at(verb).back()[cells.at(0)] = key;
    }
  }
  return document;
}

inline bool has_type(const Json& value, const Key& key) {
  const auto is = [&](const char* type) { return key.types.contains(type); };
  if (value.is_string()) return is("string");
  if (value.is_boolean()) return is("boolean");
  if (value.is_null()) return is("null");
  if (value.is_number_integer()) return is("integer") || is("number");
  if (value.is_number()) return is("number");
  if (value.is_array()) return is("array");
  return is("object") || is("map");
}

// The first fault of a value against the keys below `path`, or nothing.
inline std::string fault_of(const Json& value, const Keys& keys, const std::string& path) {
  const std::string prefix = path.empty() ? "" : path + ".";
  if (value.is_object()) {
    const auto own = keys.find(path);
    if (own != keys.end() && own->second.types.contains("map")) return "";
    for (const auto& [name, inner] : value.items()) {
      const std::string inner_path = prefix + name;
      const auto key = keys.find(inner_path);
      if (key == keys.end()) return "not documented: " + inner_path;
      if (!has_type(inner, key->second))
        return "of another type: " + inner_path + " " + inner.dump();
      if (std::string fault = fault_of(inner, keys, inner_path); !fault.empty()) return fault;
    }
    for (const auto& [name, key] : keys) {
      if (!key.always || !name.starts_with(prefix)) continue;
      const std::string rest = name.substr(prefix.size());
      if (rest.find_first_of(".[") == std::string::npos && !value.contains(rest))
        return "not there: " + name;
    }
  }
  if (value.is_array()) {
    for (const Json& element : value) {
      const auto key = keys.find(path + "[]");
      if (!element.is_object() && key == keys.end()) return "not documented: " + path + "[]";
      if (!element.is_object() && !has_type(element, key->second))
        return "of another type: " + path + "[]";
      if (std::string fault = fault_of(element, keys, path + "[]"); !fault.empty()) return fault;
    }
  }
  return "";
}

// Whether a record is one of a verb's kinds; if not, the fault against the first one.
inline std::string fault_of_record(const Json& record, const std::vector<Keys>& kinds) {
  std::string first;
  for (const Keys& keys : kinds) {
    const std::string fault = fault_of(record, keys, "");
    if (fault.empty()) return "";
    if (first.empty()) first = fault;
  }
  return first;
}

// The paths of all keys that a value has.
inline void collect_paths(const Json& value, const std::string& path, std::set<std::string>& paths) {
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) {
      const std::string inner_path = path.empty() ? name : path + "." + name;
      paths.insert(inner_path);
      if (name != "values") collect_paths(inner, inner_path, paths);
    }
  }
  if (value.is_array()) {
    for (const Json& element : value) {
      if (!element.is_object()) paths.insert(path + "[]");
      collect_paths(element, path + "[]", paths);
    }
  }
}

inline Document read_json_document() { return read_document("/solver/cli/JSON.md", "$ retrosow "); }

}  // namespace retrosow::test
