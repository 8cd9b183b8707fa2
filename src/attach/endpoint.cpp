// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/endpoint.h"

#include <QHostAddress>
#include <QString>
#include <QUrl>

namespace ep::attach {

namespace {

using namespace Qt::Literals::StringLiterals;

Error refused(const std::string& text, const ep::Message& why)
{
    return {ErrorCode::InvalidInput, {"'%1' %2", text, why}};
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

} // namespace ep::attach
