// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/endpoint.h"

#include <QHostAddress>
#include <QString>
#include <QUrl>

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ep::attach {
namespace {

using namespace Qt::Literals::StringLiterals;

Error refused(const std::string& text, const ep::Message& why)
{
    return {ErrorCode::InvalidInput, {"'%1' %2", text, why}};
}

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

std::string Endpoint::origin() const
{
    const bool six = host.find(':') != std::string::npos;
    return "http://" + (six ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

Result<Endpoint> parseEndpoint(const std::string& text)
{
    constexpr const char* kExample =
        "is not the address of a server; write it as in http://127.0.0.1:11434.";
    QString address = QString::fromStdString(text).trimmed();
    bool number = false;
    address.toUShort(&number);
    if (number)
        address.prepend("127.0.0.1:"_L1);
    if (!address.contains("://"_L1))
        address.prepend("http://"_L1);
    const QUrl url(address, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty())
        return refused(text, kExample);
    if (url.scheme() != "http"_L1)
        return refused(text,
                       "is not an http address: servers on this machine are asked without "
                       "encryption.");
    if (!url.userInfo().isEmpty())
        return refused(text, "contains a password: give a token in a file or the environment.");
    if (!url.path().isEmpty() && url.path() != "/"_L1)
        return refused(text, "has a path: give only the host and the port.");
    const int port = url.port(-1);
    if (port <= 0)
        return refused(text,
                       "has no port, which is 11434 for Ollama, 8080 for llama.cpp and MLX, "
                       "1234 for LM Studio and 8000 for vLLM.");
    const QString host = url.host() == "localhost"_L1 ? u"127.0.0.1"_s : url.host();
    QHostAddress ip;
    if (!ip.setAddress(host) || !ip.isLoopback())
        return refused(text,
                       "is not on this machine: only a server at 127.0.0.1 or [::1] can be "
                       "measured here.");
    return Endpoint{ip.toString().toStdString(), static_cast<std::uint16_t>(port)};
}

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
