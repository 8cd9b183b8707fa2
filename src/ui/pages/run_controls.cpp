// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_controls.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/elided_label.h"

#include <QProgressBar>
#include <QPushButton>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kProgressSteps = 1000;

} // namespace

RunControls::RunControls(QWidget* parent)
    : QWidget(parent)
    , m_button(named(new QPushButton(this), u"startStopButton"_s))
    , m_progress(named(new QProgressBar(this), u"loadProgress"_s))
    , m_hint(named(new ElidedLabel(this), u"startHint"_s))
{
    m_button->setMinimumSize(14 * kGrid, 4 * kGrid);
    m_button->setDefault(true);
    setType(*m_button, TypeSize::Body, true);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(16 * kGrid, kGrid);

    flush(inRow(this, {m_button, m_progress, m_hint}));
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_state == RunState::Ready)
            Q_EMIT startRequested();
        else
            Q_EMIT stopRequested();
    });
}

void RunControls::setState(RunState state, const QString& problem)
{
    m_state = state;
    m_progress->setValue(0);
    m_doing.clear();
    showProblem(problem);
}

void RunControls::setRound(int round, int of)
{
    m_round = of > 1 ? tr("Run %1 of %2").arg(round).arg(of) : QString();
}

void RunControls::setProgress(double fraction, const QString& what)
{
    m_progress->setValue(static_cast<int>(fraction * kProgressSteps));
    m_doing = what;
    m_hint->setText(work());
}

QString RunControls::work() const
{
    return m_round + (m_round.isEmpty() || m_doing.isEmpty() ? QString() : u": "_s) + m_doing;
}

void RunControls::showProblem(const QString& problem)
{
    m_progress->setVisible(m_state == RunState::Loading);
    switch (m_state) {
    case RunState::Ready:
        m_button->setText(tr("Start"));
        m_button->setIcon(lineIcon("play"_L1));
        m_button->setEnabled(problem.isEmpty());
        m_hint->setText(problem);
        break;
    case RunState::Loading:
    case RunState::Running:
        m_button->setText(tr("Stop"));
        m_button->setIcon(lineIcon("stop"_L1));
        m_button->setEnabled(true);
        m_hint->setText(work());
        break;
    case RunState::Stopping:
        m_button->setText(tr("Stopping…"));
        m_button->setEnabled(false);
        m_hint->clear();
        break;
    }
    m_hint->setToolTip({});
    m_hint->setVisible(m_state == RunState::Loading || !m_hint->text().isEmpty());
}

} // namespace ep::ui
