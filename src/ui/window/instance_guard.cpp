// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/instance_guard.h"

#include <QCryptographicHash>
#include <QLocalServer>
#include <QLocalSocket>

#include <system_error>
#include <unistd.h>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kConnectMs = 500;
constexpr int kAnswerMs = 1500;
constexpr qint64 kLongestPath = 64 * 1024;
const QByteArray kDone = "ok\n";

// Independent of how the path is spelt, different for each user, and short, because the length of
// a socket's path is limited.
QString serverName(const std::filesystem::path& database)
{
    std::error_code ignored;
    std::filesystem::path whole = std::filesystem::weakly_canonical(database, ignored);
    if (whole.empty())
        whole = database;
    const QByteArray key = QByteArray::number(static_cast<qlonglong>(::getuid())) + ':'
        + QByteArray::fromStdString(whole.string());
    return u"energy-profiler-"_s
        + QString::fromLatin1(
               QCryptographicHash::hash(key, QCryptographicHash::Sha256).toHex().first(16));
}

} // namespace

InstanceGuard::InstanceGuard(const std::filesystem::path& database, QObject* parent)
    : QObject(parent)
    , m_name(serverName(database))
{
}

InstanceGuard::~InstanceGuard() = default;

bool InstanceGuard::handOver(const QString& path)
{
    QLocalSocket socket;
    socket.connectToServer(m_name);
    if (!socket.waitForConnected(kConnectMs))
        return false;
    socket.write(path.toUtf8() + '\n');
    socket.flush();
    QByteArray reply;
    while (reply.size() < kDone.size() && socket.waitForReadyRead(kAnswerMs))
        reply += socket.readAll();
    return reply == kDone;
}

bool InstanceGuard::listen()
{
    m_server = std::make_unique<QLocalServer>();
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server.get(), &QLocalServer::newConnection, this, &InstanceGuard::answer);
    if (m_server->listen(m_name))
        return true;
    // A crash leaves the socket behind; nobody listens on it, since handOver() would have
    // succeeded.
    QLocalServer::removeServer(m_name);
    return m_server->listen(m_name);
}

void InstanceGuard::answer()
{
    while (QLocalSocket* socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        const auto read = [this, socket] {
            if (!socket->canReadLine()) {
                if (socket->bytesAvailable() > kLongestPath)
                    socket->abort();
                return;
            }
            const QString path = QString::fromUtf8(socket->readLine(kLongestPath)).trimmed();
            socket->write(kDone);
            socket->flush();
            socket->disconnectFromServer();
            Q_EMIT asked(path);
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        if (socket->bytesAvailable() > 0)
            read();
    }
}

} // namespace ep::ui
