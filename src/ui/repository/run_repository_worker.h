// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text.h"

#include "ep/store/store.h"
#include "ep/ui/run_repository.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::ui {

// The part in the database's thread.
struct RunRepository::Worker : QObject {
    explicit Worker(std::filesystem::path path)
        : database(std::move(path))
    {
    }

    // The open database. A read-only one can still be viewed.
    Result<store::Store*> store()
    {
        if (!m_store) {
            auto opened = std::filesystem::exists(database) ? store::Store::openToRead(database)
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
            m_store.reset();
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

    QString notice() const { return m_store ? toQString(m_store->notice()) : QString(); }

    std::filesystem::path database;

private:
    std::unique_ptr<store::Store> m_store;
    std::optional<std::int64_t> m_version;
};

inline std::vector<std::string> texts(const QStringList& list)
{
    std::vector<std::string> all;
    for (const QString& one : list)
        all.push_back(one.toStdString());
    return all;
}

} // namespace ep::ui
