// Runs the binary as its users do: words in, standard streams, files and an exit code out.
//
//   const Outcome r = run({"moves", "start", "--json"});
//   EXPECT_EQ(r.exit_code, 0) << r;
//
// Everything is inline: test programs take in test files only.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace retrosow::test {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

// What a finished run left behind.
struct Outcome {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::uint64_t peak_memory = 0;  // resident bytes
  std::string out;
  std::string err;

  // One JSON object per line. Fails: the test, if a line is none.
  std::vector<Json> records() const {
    std::vector<Json> list;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
      Json record = Json::parse(line, nullptr, false);
      if (!record.is_object()) ADD_FAILURE() << "not a JSON object: " << line;
      list.push_back(std::move(record));
    }
    return list;
  }
  // The only record.
  Json record() const {
    const std::vector<Json> list = records();
    if (list.size() != 1) {
      ADD_FAILURE() << list.size() << " records where one was expected: " << out << err;
      return Json::object();
    }
    return list.front();
  }
};

inline std::ostream& operator<<(std::ostream& out, const Outcome& run) {
  return out << "exit code " << run.exit_code << ", signal " << run.signal << "\nstandard output:\n"
             << run.out << "\nstandard error:\n"
             << run.err;
}

// How to start the program, where it is not the usual way.
struct StartOptions {
  std::string input = {};           // standard input
  std::string folder = {};          // working directory; empty: the caller's
  Words environment = {};           // NAME=VALUE on top of the caller's
  std::string input_file = {};      // standard input comes from there
  std::string output_file = {};     // standard output goes there
  bool close_output = false;        // standard output is closed
  bool ignore_broken_pipe = false;  // SIGPIPE is ignored, as some parents leave it
  bool error_terminal = false;      // standard error is a terminal
  bool output_terminal = false;     // standard output is a terminal
  std::string program = RETROSOW_BINARY;  // sought in the PATH if it has no slash
  std::uint64_t file_limit = 0;     // no file may grow beyond so many bytes; 0: no limit
};

// A running program with pipes on its three streams.
class Program {
 public:
  explicit Program(const Words& words, const StartOptions& setup = {}) {
    std::vector<const char*> arguments = {setup.program.c_str()};
    for (const std::string& word : words) arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    std::array<std::array<int, 2>, 3> pipes{};
    for (auto& ends : pipes) {
      if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    if (setup.error_terminal) open_terminal(pipes[2]);
    if (setup.output_terminal) open_terminal(pipes[1]);
    [[maybe_unused]] const bool look_for_leaks = is_first_of_test();
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("cannot fork");
    if (child_ == 0) {
      ::dup2(pipes[0][0], 0);
      ::dup2(pipes[1][1], 1);
      ::dup2(pipes[2][1], 2);
      if (!setup.input_file.empty()) replace(0, ::open(setup.input_file.c_str(), O_RDONLY));
      if (!setup.output_file.empty()) {
        replace(1, ::open(setup.output_file.c_str(), O_WRONLY | O_CREAT, 0644));
      }
      if (setup.close_output) ::close(1);
      if (setup.file_limit != 0) {
        const rlimit limit{setup.file_limit, setup.file_limit};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(126);
      }
      ::signal(SIGPIPE, setup.ignore_broken_pipe ? SIG_IGN : SIG_DFL);
      if (!setup.folder.empty() && ::chdir(setup.folder.c_str()) != 0) ::_exit(126);
#ifdef __SANITIZE_ADDRESS__
      if (!look_for_leaks) ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
#endif
      for (const std::string& variable : setup.environment)
        ::putenv(const_cast<char*>(variable.c_str()));
      ::execvp(arguments.front(), const_cast<char* const*>(arguments.data()));
      ::_exit(127);
    }
    ::close(pipes[0][0]);
    ::close(pipes[1][1]);
    ::close(pipes[2][1]);
    in_ = pipes[0][1];
    out_ = pipes[1][0];
    err_ = pipes[2][0];
    ::signal(SIGPIPE, SIG_IGN);  // the program may end before it has read its input
  }
  ~Program() {
    for (int* end : {&in_, &out_, &err_}) close_end(*end);
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void write(const std::string& text) {
    const ssize_t written = ::write(in_, text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size())) ADD_FAILURE() << "the program reads no input";
  }
  void close_input() { close_end(in_); }
  void close_output() { close_end(out_); }
  void send(int signal) { ::kill(child_, signal); }

  // The next line of standard output (standard error), without its end. Fails: the test, after 60 s.
  std::string read_line() { return line_of(out_, run_.out); }
  std::string read_error_line() { return line_of(err_, run_.err); }

  // Feeds `input`, reads everything and waits for the end.
  Outcome finish(const std::string& input = "") {
    std::size_t fed = 0;
    if (input.empty()) close_end(in_);
    while (out_ >= 0 || err_ >= 0) {
      std::array<pollfd, 3> ends = {{{out_, POLLIN, 0}, {err_, POLLIN, 0}, {in_, POLLOUT, 0}}};
      if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) break;
      if (ends[0].revents != 0) take(out_, run_.out);
      if (ends[1].revents != 0) take(err_, run_.err);
      if (ends[2].revents != 0 && in_ >= 0) {
        const std::size_t piece = std::min<std::size_t>(4096, input.size() - fed);
        const ssize_t written = ::write(in_, input.data() + fed, piece);
        if (written > 0) fed += static_cast<std::size_t>(written);
        if (written < 0 || fed == input.size()) close_end(in_);
      }
    }
    int status = 0;
    rusage usage{};
    ::wait4(child_, &status, 0, &usage);
    run_.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
    child_ = -1;
    if (WIFEXITED(status)) run_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) run_.signal = WTERMSIG(status);
    return run_;
  }

 private:
  // Under the address sanitizer half the time of a short run is the search for leaks at its end: one run of a test makes it.
  static bool is_first_of_test() {
    static const testing::TestInfo* last = nullptr;
    const testing::TestInfo* const before = last;
    last = testing::UnitTest::GetInstance()->current_test_info();
    return last != before;
  }

  static void replace(int descriptor, int file) {
    ::dup2(file, descriptor);
    ::close(file);
  }
  // Puts a pseudo-terminal in place of a pipe.
  static void open_terminal(std::array<int, 2>& ends) {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) {
      throw std::runtime_error("no pseudo-terminal");
    }
    const int slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    for (const int end : ends) ::close(end);
    ends = {master, slave};
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  static void take(int& end, std::string& text) {
    std::array<char, 65536> buffer;
    const ssize_t got = ::read(end, buffer.data(), buffer.size());
    if (got > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EINTR) {
      close_end(end);
    }
  }
  std::string line_of(int& end, std::string& text) {
    while (text.find('\n') == std::string::npos) {
      pollfd waiting = {end, POLLIN, 0};
      if (end < 0 || ::poll(&waiting, 1, 60'000) <= 0) {
        ADD_FAILURE() << "no further line came";
        return "";
      }
      take(end, text);
    }
    const std::size_t length = text.find('\n');
    const std::string line = text.substr(0, length);
    text.erase(0, length + 1);
    return line;
  }

  pid_t child_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  Outcome run_;
};

inline Outcome run(const Words& words, const StartOptions& setup = {}) {
  return Program(words, setup).finish(setup.input);
}

inline Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// "moves start --json" -> words. Single quotes hold blanks together: '1 2/3 4'.
inline Words words_of(const std::string& line) {
  Words words;
  std::string word;
  bool quoted = false, any = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any || !word.empty()) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
    }
  }
  if (any || !word.empty()) words.push_back(word);
  return words;
}

// A usage or other error: nothing on standard output, one line `retrosow: …` on standard error that
// holds all of `parts`, and the exit code.
inline void expect_error(const std::string& command, int exit_code, const Words& parts) {
  const Outcome r = run(words_of(command));
  EXPECT_EQ(r.exit_code, exit_code) << command << "\n" << r;
  EXPECT_EQ(r.out, "") << command;
  EXPECT_TRUE(r.err.starts_with("retrosow: ")) << command << "\n" << r;
  EXPECT_EQ(r.err.find('\n'), r.err.size() - 1) << command << "\n" << r;
  for (const std::string& part : parts) {
    EXPECT_NE(r.err.find(part), std::string::npos)
        << command << "\nnot in the message: " << part << "\n"
        << r;
  }
}

// A folder that is there as long as the object lives.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "retrosow-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The table files of a folder, by name.
inline std::vector<std::filesystem::path> tables_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".rsow") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Turns one bit of a file over.
inline void damage(const std::filesystem::path& path, std::uint64_t offset) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(offset));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(static_cast<char>(byte ^ 1));
}

inline const char* kUrimRules =
    "pit-limit=17 pit-limit-rule=skip trigger=2,3 chain=2,3,4 grand-slam=capture starvation=feed "
    "remainder=row";

}  // namespace retrosow::test
