// HTTP for the explorer: connections, threads, limits and headers. What the answers say is explorer.h's.
//
// One thread for each open connection, which sleeps while its client is silent, so a slow client keeps no other one
// waiting. Threads are made when they are needed. Where all that may be are taken, further clients wait until
// a connection is closed, and connections whose clients are silent are closed for them.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "solver/cli/explorer.h"

namespace retrosow::cli {

struct HttpLimits {
  static constexpr std::size_t kConnections = 4096;        // open at once; fewer where the system allows fewer files
  static constexpr std::size_t kHeadBytes = 32U << 10;     // of a request, before its body
  static constexpr std::size_t kBodyBytes = 1U << 20;      // as large as a game record may be
  static constexpr std::chrono::seconds kIdle{60};         // until a silent connection is closed
  static constexpr std::chrono::seconds kRequest{15};      // until a request has come in, and its answer gone out
};

class HttpServer {
 public:
  // Binds; `port` 0 picks a free one. `log` is called for every answer, from any thread; it may be empty.
  // Fails: io error where the address cannot be listened on, for one because the port is taken.
  HttpServer(Explorer& explorer, const std::string& host, unsigned port,
             std::function<void(const std::string&)> log);
  ~HttpServer();

  unsigned port() const;
  // http://127.0.0.1:8080/
  std::string url() const;

  // Serves until `stop` says true, which is asked a few times a second; answers under way are finished then.
  void serve(const std::function<bool()>& stop);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrosow::cli
