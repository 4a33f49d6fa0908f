#pragma once

#include <cstdint>
#include <memory>

#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

namespace timetabling {

/// Answers HTTP on a port of this machine's loopback address, from a thread of its own, as long as it lives.
///
/// Requests have limits: 8 KiB, 10 seconds, 32 at a time; further ones are closed. A connection serves one request.
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

private:
    class Acceptor;
    std::unique_ptr<Acceptor> acceptor_;
};

}    // namespace timetabling
