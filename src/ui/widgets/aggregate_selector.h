// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selected_figures.h"

#include <QComboBox>
#include <QStringList>

namespace ep::ui {

class RunDocument;

// Selects the aggregate that a run's charts show while no time is selected: the sums of the run,
// the typical token, or the mean of the run's repeats, which it requests from the document. Hidden
// if there is no choice.
class AggregateSelector : public QComboBox {
    Q_OBJECT
public:
    explicit AggregateSelector(RunDocument& document, QWidget* parent = nullptr);

    void reset(); // for another run: selects the sums, without a signal
    void followEnergy(); // call it when the document's energy is known
    // Complete runs of the same configuration, including the run itself.
    // leftOut: number of further runs of the setting that say nothing about it.
    void setRepeats(const QStringList& ids, int leftOut = 0);
    // Selects the mean of the repeats as soon as they are known.
    void showRepeats();

    const ShownAggregate& aggregate() const { return m_aggregate; }
    bool showsTypicalToken() const { return shown() == Shown::TypicalToken; }
    bool showsRepeats() const { return shown() == Shown::Repeats; }

Q_SIGNALS:
    void aggregateChanged();

private:
    enum class Shown { Sums, TypicalToken, Repeats };
    Shown shown() const { return static_cast<Shown>(currentData().toInt()); }
    void choose(Shown shown); // shows the aggregate if possible
    void fill(); // keeps the selection if it is still possible
    void follow(); // requests the selected aggregate
    void take();

    RunDocument& m_document;
    QStringList m_repeats;
    ShownAggregate m_aggregate;
    bool m_wantsRepeats = false;
};

} // namespace ep::ui
