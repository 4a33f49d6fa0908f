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
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/jobs.hpp>

namespace timetabling {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::size_t MostHeadBytes = 8192;
constexpr std::size_t MostBodyBytes = 65'536;
constexpr std::size_t MostDrainedBytes = 1U << 20U;
constexpr std::size_t MostConnections = 32;
constexpr std::chrono::seconds LongestTransfer{10};      ///< for a request, and again for its answer
constexpr std::chrono::milliseconds AcceptPause{100};    ///< pause after a failed accept

/// Makes a token of letters and digits, which are valid in every path.
std::string newToken() {
    std::string token;
    std::random_device random;
    for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
    return token;
}

/// Returns the answer as a response of Boost.Beast. The connection is closed after it.
http::response<http::string_body> responseOf(HttpAnswer answer) {
    http::response<http::string_body> response(static_cast<http::status>(answer.status), 11);
    response.set(http::field::content_type, answer.type);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Frame-Options", "DENY");
    response.set("Referrer-Policy", "no-referrer");    // the address of a page holds the token
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    if (answer.status == 405) response.set(http::field::allow, "GET, POST");
    response.keep_alive(false);
    response.body() = std::move(answer.body);
    response.prepare_payload();
    return response;
}

HttpRequest requestOf(const http::request<http::string_body>& parsed) {
    const auto textOf = [&](http::field field) {
        const auto value = parsed[field];
        return std::string(value.data(), value.size());
    };
    HttpRequest request;
    request.method.assign(parsed.method_string().data(), parsed.method_string().size());
    request.target.assign(parsed.target().data(), parsed.target().size());
    const auto [first, last] = parsed.equal_range(http::field::host);
    for (auto host = first; host != last; ++host) request.hosts.emplace_back(host->value().data(), host->value().size());
    request.origin = textOf(http::field::origin);
    request.type = textOf(http::field::content_type);
    request.body = parsed.body();
    return request;
}

/// One connection: reads a request, answers, and closes. Keeps itself alive while an operation is under way.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(tcp::socket socket, std::uint16_t port, const HttpHandler& handler)
        : stream_(std::move(socket)),
          port_(port),
          handler_(handler) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start() {
        parser_.header_limit(MostHeadBytes);
        parser_.body_limit(MostBodyBytes);
        stream_.expires_after(LongestTransfer);
        http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](const Error& error, std::size_t) { self->answer(error); });
    }

    /// Ends the connection, even during a read or a write.
    void close() { stream_.close(); }

private:
    void answer(const Error& error) {
        const bool isRefused = error && error.category() == http::make_error_code(http::error::bad_method).category();
        // The peer has closed, or the time is over.
        if ((error && !isRefused) || error == http::error::end_of_stream || error == http::error::partial_message) return;
        response_ = responseOf(isRefused ? refusalOf(error) : find());
        stream_.expires_after(LongestTransfer);    // making the answer may have taken long
        http::async_write(stream_, response_, [self = shared_from_this()](const Error& failure, std::size_t) {
            Error ignored;
            self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
            if (!failure) self->drain(0);
        });
    }

    static HttpAnswer refusalOf(const Error& error) {
        constexpr const char* text = "text/plain; charset=utf-8";
        if (error == http::error::header_limit || error == http::error::buffer_overflow) return {431, text, "the request is too long\n"};
        if (error == http::error::body_limit) return {413, text, "the body of the request is too long\n"};
        return {400, text, "expected a request of HTTP/1: " + error.message() + "\n"};
    }

    /// Reads until the peer closes. A closed socket that still receives data would discard the answer.
    void drain(std::size_t bytes) {
        if (bytes > MostDrainedBytes) return;
        stream_.async_read_some(asio::buffer(rest_), [self = shared_from_this(), bytes](const Error& error, std::size_t more) {
            if (!error) self->drain(bytes + more);
        });
    }

    HttpAnswer find() {
        try {
            return answerRequest(requestOf(parser_.get()), port_, handler_);
        } catch (const std::exception& failure) {
            return {500, "text/plain; charset=utf-8", printable(failure.what()) + "\n"};
        }
    }

    beast::tcp_stream stream_;
    std::uint16_t port_;
    const HttpHandler& handler_;
    beast::flat_buffer buffer_{MostHeadBytes + MostBodyBytes};
    http::request_parser<http::string_body> parser_;
    http::response<http::string_body> response_;
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
