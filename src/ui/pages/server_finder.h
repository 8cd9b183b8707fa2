// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/model_search.h"
#include "repository/latest_job.h"

#include "ep/core/cancel.h"

#include <QObject>

#include <vector>

namespace ep::ui {

// Looks for running servers at the usual ports of this machine, only when asked to, and passes on
// their models.
class ServerFinder : public QObject {
    Q_OBJECT

public:
    explicit ServerFinder(QObject* parent = nullptr);
    ~ServerFinder() override { m_cancel.cancel(); }

    // Searches for servers on another thread; tests replace it.
    using Search = std::function<std::vector<attach::FoundServer>(const CancelToken&)>;
    void setSearch(Search search) { m_search = std::move(search); }
    void look();

Q_SIGNALS:
    void found(const std::vector<ep::ui::ModelChoice>& models, const QString& summary);

private:
    Search m_search;
    CancelToken m_cancel;
    LatestJob m_job;
};

// One choice for each model of each server.
std::vector<ModelChoice> choicesOf(const std::vector<attach::FoundServer>& servers);

} // namespace ep::ui
