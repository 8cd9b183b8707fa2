// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/connecting.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace ep::attach {

namespace {

constexpr const char* kNobody = "There is no server at %1; start it, or give its address.";

// Returns 0 or errno.
int connectTo(int socket, const Endpoint& endpoint)
{
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(endpoint.port);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(endpoint.port);
    int result = 0;
    if (::inet_pton(AF_INET, endpoint.host.c_str(), &four.sin_addr) == 1)
        result = ::connect(socket, reinterpret_cast<const sockaddr*>(&four), sizeof four);
    else if (::inet_pton(AF_INET6, endpoint.host.c_str(), &six.sin6_addr) == 1)
        result = ::connect(socket, reinterpret_cast<const sockaddr*>(&six), sizeof six);
    else
        return EADDRNOTAVAIL;
    return result == 0 || errno == EINPROGRESS ? 0 : errno;
}

} // namespace

Result<int> beginConnecting(const Endpoint& endpoint)
{
    const bool six = endpoint.host.find(':') != std::string::npos;
    const int descriptor = ::socket(six ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0)
        return connectionError(endpoint, errno);
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
    ::setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    if (const int error = connectTo(descriptor, endpoint); error != 0) {
        ::close(descriptor);
        return connectionError(endpoint, error);
    }
    return descriptor;
}

Error connectionError(const Endpoint& endpoint, int error)
{
    if (error == ECONNREFUSED)
        return {ErrorCode::NotFound, {kNobody, endpoint.origin()}};
    return {ErrorCode::Io,
            {"The server at %1 broke the connection: %2.", endpoint.origin(),
             error == 0 ? "it closed it before its answer was complete" : std::strerror(error)}};
}

bool nobodyListens(const Error& error)
{
    return error.code == ErrorCode::NotFound && error.message.pattern() == kNobody;
}

} // namespace ep::attach
