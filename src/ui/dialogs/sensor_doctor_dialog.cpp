// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/sensor_doctor_dialog.h"

#include "dialogs/sensor_card.h"
#include "theme/design.h"

#include "ep/core/start_thread.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr double kTestSeconds = 5.0;
constexpr int kPermille = 1000;

// Index into headings(): sensors that work, then those of this platform, then those that measure
// nothing here, then those of other platforms.
std::size_t placeOf(const session::SensorCheck& check)
{
    const std::string& kind = check.report.kind;
    const auto isOneOf = [&kind](std::initializer_list<const char*> kinds) {
        return std::ranges::find(kinds, kind) != kinds.end();
    };
    if (isOneOf({"replay", "modelled", "none"}))
        return 2;
    if (check.report.available)
        return 0;
    return check.report.elsewhere ? 3 : 1;
}

std::array<QString, 4> headings()
{
    return {SensorDoctorDialog::tr("Sensors of this machine"),
            SensorDoctorDialog::tr("Sensors that cannot be read here"),
            SensorDoctorDialog::tr("Without a sensor"),
            SensorDoctorDialog::tr("Sensors of other platforms")};
}

} // namespace

SensorDoctorDialog::SensorDoctorDialog(ExamineSensors examine, QWidget* parent)
    : QDialog(parent)
    , m_examine(std::move(examine))
    , m_verdict(new QLabel(tr("Looking for power sensors…"), this))
    , m_modelled(new QPushButton(tr("Use Modelled"), this))
    , m_cards(new QScrollArea(this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"sensorDoctor"_s);
    setWindowTitle(tr("Sensor Doctor"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_cards->setObjectName(u"sensorCards"_s);
    m_cards->setAccessibleName(tr("Power sources"));
    m_cards->setFrameShape(QFrame::NoFrame);
    m_cards->setWidgetResizable(true);
    m_progress->setRange(0, kPermille);
    m_progress->setTextVisible(false);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_measure = buttons->addButton(tr("&Run 5 s Load Test"), QDialogButtonBox::ActionRole);
    m_measure->setObjectName(u"sensorMeasure"_s);
    connect(m_measure, &QPushButton::clicked, this, [this] { begin(kTestSeconds); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    m_verdict->setObjectName(u"sensorVerdict"_s);
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText);
    setType(*m_verdict, TypeSize::Body, true);
    m_modelled->setObjectName(u"sensorUseModelled"_s);
    m_modelled->setAutoDefault(false);
    m_modelled->hide();
    connect(m_modelled, &QPushButton::clicked, this, [this] {
        Q_EMIT modelledRequested();
        accept();
    });
    auto* verdict = new QHBoxLayout;
    verdict->addWidget(m_verdict, 1);
    verdict->addWidget(m_modelled);

    auto* layout = new QVBoxLayout(this);
    layout->addLayout(verdict);
    layout->addWidget(m_cards, 1);
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 110, fontMetrics().lineSpacing() * 36);
    begin(0.0);
}

SensorDoctorDialog::~SensorDoctorDialog()
{
    m_cancel.cancel();
    if (m_thread != nullptr)
        m_thread->wait();
    delete m_thread;
}

void SensorDoctorDialog::begin(double seconds)
{
    if (m_thread != nullptr)
        return;
    m_measure->setEnabled(false);
    m_progress->setRange(
        0, seconds > 0.0 ? kPermille : 0); // 0 to 0: in progress, but of unknown duration
    m_progress->setVisible(true);
    const auto exam = std::make_shared<session::SensorExam>();
    m_thread = QThread::create([this, exam, seconds, examine = m_examine, cancel = m_cancel] {
        // The thread ends before the dialog, which waits for it.
        *exam = examine(seconds, cancel, [this](double fraction, const std::string&) {
            QMetaObject::invokeMethod(
                this,
                [this, fraction] {
                    if (m_progress->maximum() > 0)
                        m_progress->setValue(static_cast<int>(fraction * kPermille));
                },
                Qt::QueuedConnection);
        });
    });
    connect(m_thread, &QThread::finished, this, [this, exam] {
        m_thread->deleteLater();
        m_thread = nullptr;
        m_progress->setVisible(false);
        m_measure->setEnabled(true);
        showExam(*exam);
    });
    if (const Status started = startThread(*m_thread); !started) {
        delete std::exchange(m_thread, nullptr);
        m_progress->setRange(0, 1);
        m_progress->setFormat(term(started.error().message));
        m_measure->setEnabled(true);
    }
}

// Shows what the cards mean for the next run.
void SensorDoctorDialog::showVerdict(const std::vector<session::SensorCheck>& sources)
{
    QStringList working;
    for (const session::SensorCheck& check : sources) {
        if (placeOf(check) == 0 && check.problem.empty())
            working << sensorTitle(check.report);
    }
    m_modelled->setVisible(working.isEmpty());
    m_verdict->setText(
        working.isEmpty()
            ? tr("No power sensor works on this computer: Automatic records times and no joules. "
                 "Modelled estimates the power from the processor's utilisation.")
            : tr("Energy can be measured on this computer: %1.").arg(working.join(u", "_s)));
}

void SensorDoctorDialog::showExam(const session::SensorExam& exam)
{
    std::vector<session::SensorCheck> sources = exam.sources;
    std::ranges::stable_sort(sources, {}, &placeOf);
    showVerdict(sources);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kGrid, 0, kGrid, 0);
    column->setSpacing(0);
    std::optional<std::size_t> place;
    for (const session::SensorCheck& check : sources) {
        if (place != placeOf(check)) {
            place = placeOf(check);
            auto* heading = new QLabel(headings()[*place], page);
            setType(*heading, TypeSize::Small, true);
            setMuted(*heading);
            column->addWidget(heading);
        }
        column->addWidget(new SensorCard(check, page));
        column->addWidget(separator(Qt::Horizontal, page));
        column->addSpacing(kGrid);
    }
    column->addStretch();
    const int scrolled = m_cards->verticalScrollBar()->value();
    m_cards->setWidget(page);
    m_cards->verticalScrollBar()->setValue(scrolled);
}

} // namespace ep::ui
