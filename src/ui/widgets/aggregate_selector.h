// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selected_figures.h"
#include "repository/latest_job.h"

#include <QComboBox>

#include <memory>

namespace ep::ui {

// What the charts of a run show while no time is selected: the sums of what was drawn, the typical
// token, or the mean of the run's repeats. Asks for it, or computes it for a run with its spans.
// Hidden where there is no choice.
class AggregateSelector : public QComboBox {
    Q_OBJECT
public:
    explicit AggregateSelector(QWidget* parent = nullptr);

    // Null: none. Back to the sums, without a signal; the ledger follows as soon as it is known.
    void setRun(const RunPtr& run);
    void setLedger(const std::shared_ptr<const energy::Ledger>& ledger);
    // Complete runs of the same configuration, the run among them.
    void setRepeats(const QStringList& ids);
    // Chooses the mean of the repeats as soon as they are known.
    void showRepeats();
    // The reply to typicalTokenWanted() or repeatsWanted().
    void setAggregate(const QString& run, const ExcerptPtr& excerpt);

    const ShownAggregate& aggregate() const { return m_aggregate; }
    bool showsTypicalToken() const;

Q_SIGNALS:
    // For a run opened without its spans.
    void typicalTokenWanted(const std::shared_ptr<const ep::energy::Ledger>& ledger);
    void repeatsWanted(const QStringList& ids); // all stored
    void aggregateChanged();

private:
    enum class Shown { Sums, TypicalToken, Repeats };
    Shown shown() const;
    void choose(Shown shown); // where it is possible
    void fill(); // keeps what is chosen where it is still possible
    void follow(); // requests or computes what is chosen
    void take(const ExcerptPtr& excerpt);

    RunPtr m_run;
    std::shared_ptr<const energy::Ledger> m_ledger;
    QStringList m_repeats;
    ShownAggregate m_aggregate;
    bool m_wantsRepeats = false;
    bool m_asked = false;
    LatestJob m_aggregating;
};

} // namespace ep::ui
