// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/api/server.h"

#include <QObject>

#include <cstdint>

namespace ep::api {

// Limits the memory that all connections together hold for their clients. One thread.
class Traffic : public QObject {
    Q_OBJECT
public:
    explicit Traffic(const Limits& limits, QObject* parent = nullptr)
        : QObject(parent)
        , m_limits(limits)
    {
    }

    // Reserves room for the body of a request before reading it. false: wait for bodyRoomMade().
    bool takeBody(std::size_t bytes)
    {
        if (m_bodies > 0 && m_bodies + bytes > m_limits.all_body_bytes)
            return false;
        m_bodies += bytes;
        return true;
    }
    void giveBody(std::size_t bytes)
    {
        m_bodies -= bytes;
        if (bytes > 0)
            Q_EMIT bodyRoomMade();
    }
    // Reserves room on the disk for a reply. A single reply is accepted at any length.
    bool takeReply(std::int64_t bytes)
    {
        if (m_replies > 0 && m_replies + bytes > m_limits.all_reply_bytes)
            return false;
        m_replies += bytes;
        return true;
    }
    void giveReply(std::int64_t bytes) { m_replies -= bytes; }

Q_SIGNALS:
    void bodyRoomMade();

private:
    const Limits& m_limits;
    std::size_t m_bodies = 0;
    std::int64_t m_replies = 0;
};

} // namespace ep::api
