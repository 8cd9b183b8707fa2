// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selected_figures.h"

#include <QComboBox>
#include <QStringList>

namespace ep::ui {

class RunDocument;

// What the charts of a run show while no time is selected: the sums of what was drawn, the typical
// token, or the mean of the run's repeats, which it asks the document for. Hidden where there is no
// choice.
class AggregateSelector : public QComboBox {
    Q_OBJECT
public:
    explicit AggregateSelector(RunDocument& document, QWidget* parent = nullptr);

    void reset(); // for another run: back to the sums, without a signal
    void followEnergy(); // the energy of the document is known
    // Complete runs of the same configuration, the run among them.
    void setRepeats(const QStringList& ids);
    // Chooses the mean of the repeats as soon as they are known.
    void showRepeats();

    const ShownAggregate& aggregate() const { return m_aggregate; }
    bool showsTypicalToken() const;

Q_SIGNALS:
    void aggregateChanged();

private:
    enum class Shown { Sums, TypicalToken, Repeats };
    Shown shown() const;
    void choose(Shown shown); // where it is possible
    void fill(); // keeps what is chosen where it is still possible
    void follow(); // requests what is chosen
    void take();

    RunDocument& m_document;
    QStringList m_repeats;
    ShownAggregate m_aggregate;
    bool m_wantsRepeats = false;
};

} // namespace ep::ui
