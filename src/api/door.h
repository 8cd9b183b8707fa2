// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_socket.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ep::api {

// How long a connection must have been silent before it makes room for another one. A connection
// that has just been accepted has usually sent its request already.
inline constexpr int kSilentMs = 250;

// Listens on 127.0.0.1 for as many connections as there is room for. Further ones wait in the
// system's queue until a connection closes, a silent one is closed, or it is certain that neither
// will happen.
class Door : public QObject {
    Q_OBJECT
public:
    enum class Room {
        Made, // a connection was closed
        Soon, // a connection will close, or can be closed soon
        None, // all connections are in use
    };
    struct Owner {
        std::function<int()> inside; // number of connections
        std::function<Room()> makeRoom;
        // refused: there is no room, which the connection should be told.
        std::function<void(std::unique_ptr<HttpSocket>, bool refused)> enter;
    };

    // The owner calls left() when a connection has ended.
    Door(int most, Owner owner, QObject* parent = nullptr);
    ~Door() override;

    std::string listen(std::uint16_t port); // 0: any free port; empty, or why it failed
    std::uint16_t port() const { return m_port; } // 0: not listening
    void close();
    void left();

private:
    void look();
    void wait();

    const int m_most;
    const Owner m_owner;
    QTimer m_again; // while connections wait outside
    int m_socket = -1;
    std::uint16_t m_port = 0;
    std::unique_ptr<QSocketNotifier> m_knocks;
};

} // namespace ep::api
