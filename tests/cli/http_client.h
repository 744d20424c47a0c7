// Talks to `retrosow serve`: requests as bytes on a socket, so that wrong ones can be sent, too.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "tests/cli/program.h"

namespace retrosow::test {

struct HttpAnswer {
  int status = 0;  // 0: the connection was closed without an answer
  std::map<std::string, std::string> headers;  // names in small letters
  std::string body;

  Json json() const {
    Json record = Json::parse(body, nullptr, false);
    if (!record.is_object()) ADD_FAILURE() << "no JSON object, status " << status << ": " << body;
    return record;
  }
};

// One connection.
class HttpClient {
 public:
  explicit HttpClient(unsigned port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{60, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect");
    }
  }
  ~HttpClient() { ::close(socket_); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void send(const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t n = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;  // closed by the server, which has answered before
      sent += static_cast<std::size_t>(n);
    }
  }
  HttpAnswer receive(bool with_body = true) {
    HttpAnswer answer;
    std::string line = read_line();
    if (line.size() < 12) return answer;
    answer.status = std::stoi(line.substr(9, 3));
    while (!(line = read_line()).empty()) {
      const std::size_t colon = line.find(':');
      std::string name = line.substr(0, colon);
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      answer.headers[name] = line.substr(std::min(line.size(), colon + 2));
    }
    const auto length = answer.headers.find("content-length");
    if (length == answer.headers.end() || !with_body) return answer;
    const std::size_t bytes = std::stoul(length->second);
    while (input_.size() < bytes && fill()) {
    }
    answer.body = input_.substr(0, bytes);
    input_.erase(0, bytes);
    return answer;
  }
  HttpAnswer request(const std::string& method, const std::string& target, const std::string& headers = "",
                     const std::string& body = "") {
    send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + body);
    return receive(method != "HEAD");
  }
  HttpAnswer get(const std::string& target) { return request("GET", target); }

 private:
  bool fill() {
    std::array<char, 16384> buffer;
    const ssize_t n = ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (n <= 0) return false;
    input_.append(buffer.data(), static_cast<std::size_t>(n));
    return true;
  }
  std::string read_line() {
    std::size_t end = 0;
    while ((end = input_.find("\r\n")) == std::string::npos) {
      if (!fill()) return "";
    }
    std::string line = input_.substr(0, end);
    input_.erase(0, end + 2);
    return line;
  }

  int socket_;
  std::string input_;
};

// A running server on a free port.
class Server {
 public:
  explicit Server(const Words& words, const StartOptions& setup = {})
      : program_(Words{"serve", "--port", "0", "--json"} + words, setup) {
    record_ = Json::parse(program_.read_line(), nullptr, false);
    if (!record_.is_object()) throw std::runtime_error("the server did not start");
  }

  const Json& record() const { return record_; }
  unsigned port() const { return record_.at("port").get<unsigned>(); }
  // Over a connection of its own.
  HttpAnswer get(const std::string& target) const { return HttpClient(port()).get(target); }
  // Ends it; the exit code is that of the program.
  Outcome end(int signal = SIGTERM) {
    program_.send(signal);
    return program_.finish();
  }

 private:
  Program program_;
  Json record_;
};

}  // namespace retrosow::test
