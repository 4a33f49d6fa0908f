#include <ferry/apps/timetabling/serve/HttpServer.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>
// One thread runs all handlers, so they need no fences. The thread sanitizer does not support fences.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/jobs.hpp>

namespace timetabling {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::size_t MostRequestBytes = 8192;
constexpr std::size_t MostDrainedBytes = 1U << 20U;
constexpr std::size_t MostConnections = 32;
constexpr std::chrono::seconds LongestConnection{10};
constexpr std::chrono::milliseconds AcceptPause{100};    ///< pause after a failed accept

/// Makes a token of letters and digits, which are valid in every path.
std::string newToken() {
    std::string token;
    std::random_device random;
    for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
    return token;
}

/// One connection: reads the head of a request, answers, and closes. Keeps itself alive while an operation is under way.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(tcp::socket socket, std::uint16_t port, const HttpHandler& handler)
        : socket_(std::move(socket)),
          timer_(socket_.get_executor()),
          port_(port),
          handler_(handler) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start() {
        timer_.expires_after(LongestConnection);
        timer_.async_wait([self = weak_from_this()](const Error& error) {
            if (const auto connection = self.lock(); connection && !error) connection->close();
        });
        asio::async_read_until(socket_, asio::dynamic_buffer(request_, MostRequestBytes), "\r\n\r\n",
                               [self = shared_from_this()](const Error& error, std::size_t bytes) { self->answer(error, bytes); });
    }

    /// Ends the connection, even during a read or a write.
    void close() {
        Error ignored;
        socket_.close(ignored);
    }

private:
    void answer(const Error& error, std::size_t bytes) {
        if (error && error != asio::error::not_found) return;    // the peer has closed, or the time is over
        answer_ = writeAnswer(error ? HttpAnswer{431, "text/plain; charset=utf-8", "the request is too long\n"} : find(bytes));
        asio::async_write(socket_, asio::buffer(answer_), [self = shared_from_this()](const Error& failure, std::size_t) {
            Error ignored;
            self->socket_.shutdown(tcp::socket::shutdown_send, ignored);
            if (!failure) self->drain(0);
        });
    }

    /// Reads until the peer closes. A closed socket that still receives data would discard the answer.
    void drain(std::size_t bytes) {
        if (bytes > MostDrainedBytes) return;
        socket_.async_read_some(asio::buffer(rest_), [self = shared_from_this(), bytes](const Error& error, std::size_t more) {
            if (!error) self->drain(bytes + more);
        });
    }

    HttpAnswer find(std::size_t bytes) {
        try {
            return answerRequest(std::string_view(request_).substr(0, bytes), port_, handler_);
        } catch (const std::exception& failure) {
            return {500, "text/plain; charset=utf-8", printable(failure.what()) + "\n"};
        }
    }

    tcp::socket socket_;
    asio::steady_timer timer_;
    std::uint16_t port_;
    const HttpHandler& handler_;
    std::string request_;
    std::string answer_;
    std::array<char, 1024> rest_{};
};

}    // namespace

/// Members are destroyed from the last one to the first one. The connections refer to the handler, so the handler is declared first.
class HttpServer::Acceptor {
public:
    Acceptor(std::uint16_t port, HttpHandler handler) : handler_(std::move(handler)), acceptor_(context_), pause_(context_) {
        const tcp::endpoint place(asio::ip::address_v4::loopback(), port);
        Error error;
        acceptor_.open(place.protocol(), error);
        if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
        if (!error) acceptor_.bind(place, error);
        if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
        if (error) throw InputError(fmt::format("127.0.0.1:{}", port), "cannot be served: " + error.message());
        accept();
        thread_ = ferry::deafThread([this] { context_.run(); });
    }
    Acceptor(const Acceptor&) = delete;
    Acceptor& operator=(const Acceptor&) = delete;
    ~Acceptor() {
        context_.stop();
        thread_.join();
    }

    std::uint16_t port() const {
        Error error;
        return acceptor_.local_endpoint(error).port();
    }

private:
    void accept() {
        acceptor_.async_accept([this](const Error& error, tcp::socket socket) {
            if (error) {
                pause_.expires_after(AcceptPause);    // for example, when no file descriptors are left
                pause_.async_wait([this](const Error&) { accept(); });
                return;
            }
            closeOldest();
            const auto connection = std::make_shared<Connection>(std::move(socket), port(), handler_);
            connections_.push_back(connection);
            connection->start();
            accept();
        });
    }

    /// Closes the oldest connections at the limit, so that silent clients do not keep others out.
    void closeOldest() {
        std::erase_if(connections_, [](const std::weak_ptr<Connection>& one) { return one.expired(); });
        while (connections_.size() >= MostConnections) {
            if (const auto oldest = connections_.front().lock()) oldest->close();
            connections_.pop_front();
        }
    }

    HttpHandler handler_;
    std::deque<std::weak_ptr<Connection>> connections_;    ///< the oldest first
    asio::io_context context_{1};
    tcp::acceptor acceptor_;
    asio::steady_timer pause_;
    std::thread thread_;
};

HttpServer::HttpServer(std::uint16_t port, HttpHandler handler)
    : token_(newToken()),
      acceptor_(std::make_unique<Acceptor>(port, behindToken(token_, std::move(handler)))) {}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return acceptor_->port(); }

}    // namespace timetabling
