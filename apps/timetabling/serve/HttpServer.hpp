#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

namespace timetabling {

/// Answers HTTP on a port of this machine's loopback address, in its own thread, as long as the object lives.
///
/// The port is open to all users of this machine. So each path begins with a token, and a client without the token gets no answer.
/// The head of a request has at most 8 KiB, its body 64 KiB. A request has to be complete 10 seconds after the connection was made.
/// Connection 33 closes the oldest one. Each connection serves one request.
/// Threads: the handler is called from the server's thread only. An exception of the handler is answered as an error.
class HttpServer {
public:
    /// Port 0 selects any free port.
    /// Errors: InputError when the port is not available.
    HttpServer(std::uint16_t port, HttpHandler handler);
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    /// Waits for an answer that the handler is making. Cuts answers that are being sent.
    ~HttpServer();

    std::uint16_t port() const;
    const std::string& token() const { return token_; }

private:
    class Acceptor;
    std::string token_;
    std::unique_ptr<Acceptor> acceptor_;
};

}    // namespace timetabling
