// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text.h"

#include "ep/store/store.h"
#include "ep/store/store_files.h"
#include "ep/ui/run_repository.h"

#include <QTimer>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::ui {

// The part that lives on the database's thread.
struct RunRepository::Worker : QObject {
    explicit Worker(std::filesystem::path path)
        : database(std::move(path))
    {
        connect(&m_look, &QTimer::timeout, this, &Worker::look);
    }

    // The open database. A read-only one can still be viewed.
    Result<store::Store*> store()
    {
        if (!m_store) {
            auto opened = store::mayExist(database) ? store::Store::openToRead(database)
                                                    : store::Store::open(database);
            if (!opened)
                return opened.error();
            m_store = *std::move(opened);
        }
        return m_store.get();
    }

    // Calls use(store) with the open database.
    template <typename Use>
    auto with(const Use& use) -> decltype(use(std::declval<store::Store&>()))
    {
        const auto open = store();
        if (!open)
            return open.error();
        return use(**open);
    }

    // Whether another connection has changed the file since remember(), or another file has
    // replaced it.
    bool changed()
    {
        if (!m_store)
            return false;
        if (m_store->hasMoved()) {
            if (!store::mayExist(database))
                m_store.reset(); // the file is gone: begins with a new one
            return true;
        }
        const auto version = m_store->dataVersion();
        return version && m_version && *m_version != *version;
    }
    void remember(const store::Store& store)
    {
        const auto version = store.dataVersion();
        m_version = version ? std::optional(*version) : std::nullopt;
    }

    // Calls `changed` once when others have changed the database, until listedIn() is called.
    // Checks on this thread, so that a check without result wakes no other thread.
    void watch(std::function<void()> changed)
    {
        m_changed = std::move(changed);
        m_look.start(interval());
    }
    void setPollInterval(int ms)
    {
        const bool sooner = ms < std::exchange(m_pollMs, ms);
        if (!m_look.isActive())
            return;
        m_look.start(interval());
        if (sooner)
            look();
    }
    // Tells how long listing the runs took, so that it takes at most a fifth of the time.
    void listedIn(int ms)
    {
        m_told = false;
        m_listMs = ms;
        if (m_look.isActive() && m_look.interval() != interval())
            m_look.start(interval());
    }
    void stop() { m_look.stop(); }

    void close() { m_store.reset(); }

    Message notice() const { return m_store ? m_store->notice() : Message(); }

    std::filesystem::path database;

private:
    static constexpr int kPollMs = 500; // changes by others show up within two seconds
    static constexpr int kListsPerPoll = 4;

    int interval() const { return std::max(m_pollMs, kListsPerPoll * m_listMs); }
    void look()
    {
        if (!m_told && changed()) {
            m_told = true;
            m_changed();
        }
    }

    std::unique_ptr<store::Store> m_store;
    std::optional<std::int64_t> m_version;
    QTimer m_look{this};
    std::function<void()> m_changed;
    int m_pollMs = kPollMs;
    int m_listMs = 0;
    bool m_told = false;
};

inline std::vector<std::string> texts(const QStringList& list)
{
    std::vector<std::string> all;
    for (const QString& one : list)
        all.push_back(one.toStdString());
    return all;
}

} // namespace ep::ui
