// An environment variable that is what it was when its test is over.
#pragma once

#include <stdlib.h>

#include <optional>
#include <string>

namespace retrosow::test {

class EnvironmentVariable {
 public:
  // No value: unset.
  EnvironmentVariable(const std::string& name, const std::optional<std::string>& value)
      : name_(name) {
    if (const char* before = ::getenv(name.c_str())) before_ = before;
    set(value);
  }
  ~EnvironmentVariable() { set(before_); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  void set(const std::optional<std::string>& value) {
    value ? ::setenv(name_.c_str(), value->c_str(), 1) : ::unsetenv(name_.c_str());
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace retrosow::test
