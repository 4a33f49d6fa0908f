#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

namespace timetabling {

/// Answers HTTP on a port of this machine's loopback address, from a thread of its own, as long as it lives.
///
/// The port is open to all users of this machine. So each path begins with a token, and a client without the token gets no answer.
/// A request has at most 8 KiB, and 10 seconds from the connection on. Connection 33 closes the oldest. Each connection serves one request.
/// Threads: the handler is called from the server's thread only. What it throws is answered as an error.
class HttpServer {
public:
    /// Port 0: any that is free.
    /// Errors: InputError when the port cannot be had.
    HttpServer(std::uint16_t port, HttpHandler handler);
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    /// Waits for the answer that is being made, if there is one; those that are under way are cut.
    ~HttpServer();

    std::uint16_t port() const;
    const std::string& token() const { return token_; }

private:
    class Acceptor;
    std::string token_;
    std::unique_ptr<Acceptor> acceptor_;
};

}    // namespace timetabling
