// The only file that knows cpp-httplib, which takes long to compile.
#include "solver/cli/http_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <system_error>

#include "bitboard/error.h"
#include "solver/cli/request_target.h"

#include <httplib.h>

namespace retrosow::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kRecordPath = "/api/v1/record";
constexpr const char* kTooLarge = "the body is too large; at most 1 MiB is read";
static_assert(HttpLimits::kBodyBytes == 1U << 20);

int milliseconds_until(Clock::time_point when) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

// Becomes readable once and for all when the server is to end: threads that sleep in poll() wake up.
class EndSignal {
 public:
  EndSignal() : descriptor_(::eventfd(0, EFD_CLOEXEC)) {
    if (descriptor_ < 0) throw Error(ErrorClass::kIo, std::string("no eventfd: ") + std::strerror(errno));
  }
  ~EndSignal() { ::close(descriptor_); }
  EndSignal(const EndSignal&) = delete;
  EndSignal& operator=(const EndSignal&) = delete;

  void give() {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(descriptor_, &one, sizeof one));
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// A client's connection: reads and writes in large pieces, within the time and the bytes that a request may take.
class Connection : public httplib::Stream {
 public:
  explicit Connection(int socket) : socket_(socket) {}

  void begin_request() {
    until_ = Clock::now() + HttpLimits::kRequest;
    bytes_left_ = HttpLimits::kHeadBytes;
  }
  // Pre: the head has been read.
  void expect_body() { bytes_left_ = HttpLimits::kBodyBytes + kFraming; }
  // Whether bytes are there that have been read and not been asked for.
  bool has_input() const { return read_at_ < input_.size(); }

  // Sends what has been written. False if the client does not take it.
  bool flush() {
    std::size_t sent = 0;
    while (sent < output_.size()) {
      const ssize_t n = ::send(socket_, output_.data() + sent, output_.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) {
        sent += static_cast<std::size_t>(n);
      } else if (errno != EINTR && (errno != EAGAIN || !wait_for(POLLOUT))) {
        return false;
      }
    }
    output_.clear();
    return true;
  }

  bool is_readable() const override { return has_input() || wait_for(POLLIN); }
  bool is_writable() const override { return true; }

  ssize_t read(char* out, size_t size) override {
    if (!has_input() && !fill()) return -1;
    const std::size_t n = std::min({size, input_.size() - read_at_, bytes_left_});
    if (n == 0) return -1;
    std::memcpy(out, input_.data() + read_at_, n);
    read_at_ += n;
    bytes_left_ -= n;
    return static_cast<ssize_t>(n);
  }
  ssize_t write(const char* text, size_t size) override {
    output_.append(text, size);
    if (output_.size() >= kPieceBytes && !flush()) return -1;
    return static_cast<ssize_t>(size);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override { set_unknown(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { set_unknown(ip, port); }
  socket_t socket() const override { return socket_; }

 private:
  static constexpr std::size_t kPieceBytes = 1U << 16;

  static void set_unknown(std::string& ip, int& port) {  // nobody asks
    ip.clear();
    port = -1;
  }
  bool wait_for(short event) const {
    pollfd waiting = {socket_, event, 0};
    int ready = 0;
    do ready = ::poll(&waiting, 1, milliseconds_until(until_));
    while (ready < 0 && errno == EINTR);
    return ready > 0;
  }
  bool fill() {
    if (!flush() || !wait_for(POLLIN)) return false;
    input_.resize(kReadBytes);
    ssize_t n = 0;
    do n = ::recv(socket_, input_.data(), input_.size(), 0);
    while (n < 0 && errno == EINTR);
    input_.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    read_at_ = 0;
    return n > 0;
  }

  static constexpr std::size_t kReadBytes = 4096;
  static constexpr std::size_t kFraming = 64U << 10;  // of a body in chunks: their lengths

  int socket_;
  Clock::time_point until_;
  std::size_t bytes_left_ = 0;
  std::string input_;
  std::size_t read_at_ = 0;
  std::string output_;
};

// Threads for connections: a new one where none is free, up to a number; what comes then waits.
class ConnectionThreads : public httplib::TaskQueue {
 public:
  ConnectionThreads(std::size_t most, EndSignal& end) : most_(most), end_(&end) {}

  void enqueue(std::function<void()> connection) override {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(connection));
    crowded_ = waiting_.size() > free_;
    if (!crowded_ || threads_.size() == most_) {
      changed_.notify_one();
      return;
    }
    try {
      threads_.emplace_back([this] { work(); });
      crowded_ = false;
    } catch (const std::system_error&) {  // no more threads: it waits
      if (threads_.empty()) throw;
    }
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    end_->give();
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // Whether clients wait for a thread. Thread: any.
  bool crowded() const { return crowded_; }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++free_;
      changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      --free_;
      if (waiting_.empty()) return;
      const std::function<void()> connection = std::move(waiting_.front());
      waiting_.pop_front();
      crowded_ = waiting_.size() > free_;
      lock.unlock();
      connection();
      lock.lock();
    }
  }

  const std::size_t most_;
  EndSignal* end_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t free_ = 0;
  bool ending_ = false;
  std::atomic<bool> crowded_{false};
};

// cpp-httplib reads requests and writes answers; it waits for connections in its own way, which wakes up a hundred
// times a second for each, so that part is done here.
class Server : public httplib::Server {
 public:
  using httplib::Server::Server;

  void widen_backlog() { ::listen(svr_sock_, 4096); }
  EndSignal& end() { return end_; }
  // Pre: outlives what it serves; set before listening.
  void set_threads(const ConnectionThreads* threads) { threads_ = threads; }

 private:
  bool process_and_close_socket(socket_t socket) override {
    {
      Connection connection(socket);
      bool close = false;
      while (!close && wait_for_request(socket, connection)) {
        connection.begin_request();
        bool understood = false;
        const auto setup = [&](httplib::Request& request) {
          understood = true;
          // Compressing costs more than it saves here; parts of a file nobody needs.
          request.headers.erase("Accept-Encoding");
          request.ranges.clear();
          // A body is a game record, whatever its sender calls it: cpp-httplib is not to take forms apart or to unpack.
          request.headers.erase("Content-Type");
          request.headers.erase("Content-Encoding");
          // A body that is not read would be taken for the next request.
          close = request.method == "POST" || request.has_header("Content-Length") ||
                  request.has_header("Transfer-Encoding");
          if (request.method == "POST") connection.expect_body();
          if (close) request.headers.erase("Connection"), request.set_header("Connection", "close");
        };
        bool closed = false;
        close = !process_request(connection, false, closed, setup) || closed || close || !understood;
        if (!connection.flush()) close = true;
      }
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return true;
  }

  bool wait_for_request(int socket, const Connection& connection) const {
    if (connection.has_input()) return true;
    const auto until = Clock::now() + HttpLimits::kIdle;
    while (Clock::now() < until) {
      std::array<pollfd, 2> ends = {{{socket, POLLIN, 0}, {end_.descriptor(), POLLIN, 0}}};
      const int ready = ::poll(ends.data(), ends.size(), std::min(milliseconds_until(until), 1000));
      if (ready < 0 && errno != EINTR) return false;
      if (ends[1].revents != 0) return false;
      if (ready > 0 && ends[0].revents != 0) return true;
      if (threads_->crowded()) return false;
    }
    return false;
  }

  EndSignal end_;
  const ConnectionThreads* threads_ = nullptr;
};

// As many files as the system allows. Returns how many.
std::size_t raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
  static_cast<void>(::getrlimit(RLIMIT_NOFILE, &limit));
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1U << 20));
}

void send_answer(const httplib::Request& request, httplib::Response& response, const WebAnswer& answer) {
  response.status = answer.status;
  response.set_header("Cache-Control", answer.etag.empty() ? "no-store" : "no-cache");
  if (!answer.etag.empty()) {
    response.set_header("ETag", std::string(answer.etag));
    if (request.get_header_value("If-None-Match") == answer.etag) {
      response.status = 304;
      return;
    }
  }
  response.set_content(answer.body->data(), answer.body->size(), std::string(answer.content_type));
}

}  // namespace

struct HttpServer::Impl {
  Explorer& explorer;
  std::string host;
  std::function<void(const std::string&)> log;
  int port = -1;
  Server server;

  void set_up();
};

void HttpServer::Impl::set_up() {
  // Without SO_REUSEPORT, by which a second server could share the port unnoticed.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_tcp_nodelay(true);
  server.set_keep_alive_timeout(HttpLimits::kIdle.count());
  server.set_payload_max_length(HttpLimits::kBodyBytes);
  server.set_default_headers({
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
       "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
  });
  using Handled = httplib::Server::HandlerResponse;
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    if (request.method == "GET" || request.method == "HEAD") {
      send_answer(request, response, explorer.get(request.target));
    } else if (request.method == "POST") {
      if (request.get_header_value<std::uint64_t>("Content-Length") > HttpLimits::kBodyBytes) {
        send_answer(request, response, error_answer(413, kTooLarge));  // without waiting for it
      } else if (request.path == kRecordPath) {
        return Handled::Unhandled;  // its body is to be read first
      } else {
        send_answer(request, response, explorer.post(request.target, ""));
      }
    } else {
      response.set_header("Allow", "GET, HEAD, POST");
      send_answer(request, response, error_answer(405, "the method is not GET or POST"));
    }
    return Handled::Handled;
  });
  server.Post(kRecordPath, [this](const httplib::Request& request, httplib::Response& response) {
    send_answer(request, response, explorer.post(request.target, request.body));
  });
  // What cpp-httplib itself refuses: no answer of ours is empty.
  const httplib::Server::Handler explain = [](const httplib::Request& request, httplib::Response& response) {
    if (!response.body.empty()) return;
    const char* what = "the request cannot be read";
    if (response.status == 413) what = kTooLarge;
    if (response.status == 414) what = "the URL is too long";
    send_answer(request, response, error_answer(response.status, what));
  };
  server.set_error_handler(explain);
  if (log) {
    server.set_logger([this](const httplib::Request& request, const httplib::Response& response) {
      log(std::to_string(response.status) + " " + request.method + " " + request.target);
    });
  }
  const std::size_t files = raise_file_limit();
  constexpr std::size_t kOtherFiles = 64;  // standard streams, the folder's while it is read by a search
  const std::size_t most =
      std::min(HttpLimits::kConnections, files > 2 * kOtherFiles ? files - kOtherFiles : kOtherFiles);
  server.new_task_queue = [this, most] {
    auto* threads = new ConnectionThreads(most, server.end());
    server.set_threads(threads);
    return threads;
  };
}

HttpServer::HttpServer(Explorer& explorer, const std::string& host, unsigned port,
                       std::function<void(const std::string&)> log)
    : impl_(new Impl{explorer, host, std::move(log), -1, {}}) {
  impl_->set_up();
  errno = 0;
  if (port == 0) {
    impl_->port = impl_->server.bind_to_any_port(host);
  } else if (impl_->server.bind_to_port(host, static_cast<int>(port))) {
    impl_->port = static_cast<int>(port);
  }
  if (impl_->port <= 0) {
    throw Error(ErrorClass::kIo, "cannot listen on " + host + " port " + std::to_string(port) + ": " +
                                     (errno == 0 ? "no such address" : std::strerror(errno)));
  }
  impl_->server.widen_backlog();
}

HttpServer::~HttpServer() = default;

unsigned HttpServer::port() const { return static_cast<unsigned>(impl_->port); }

std::string HttpServer::url() const {
  const bool version6 = impl_->host.find(':') != std::string::npos;
  return "http://" + (version6 ? "[" + impl_->host + "]" : impl_->host) + ":" + std::to_string(port()) + "/";
}

void HttpServer::serve(const std::function<bool()>& stop) {
  std::thread listener([this] { impl_->server.listen_after_bind(); });
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  while (!stop()) pause();
  while (!impl_->server.is_running()) pause();  // stop() does nothing before
  impl_->server.stop();
  listener.join();
}

}  // namespace retrosow::cli
