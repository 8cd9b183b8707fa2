// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/sensor_doctor_dialog.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr double kTestSeconds = 5.0;
constexpr int kPermille = 1000;

struct SensorColumn {
    enum Index { Source, State, Rails, Resolution, Interval, Idle, Load, Behind, Agreement, Count };
};

// Sensors that work, then those of this platform, then what measures nothing here, then the sensors
// of other platforms.
int placeOf(const session::SensorCheck& check)
{
    const std::string& kind = check.report.kind;
    const auto isOneOf = [&kind](std::initializer_list<const char*> kinds) {
        return std::ranges::find(kinds, kind) != kinds.end();
    };
    if (isOneOf({"replay", "modelled", "none"}))
        return 2;
    if (check.report.available)
        return 0;
#ifdef Q_OS_MACOS
    return isOneOf({"rapl", "hwmon"}) ? 3 : 1;
#else
    return isOneOf({"ioreport", "powermetrics"}) ? 3 : 1;
#endif
}

QString milliseconds(double value)
{
    return toQString(formatSignificant(value)) + u" ms"_s;
}

QString railsText(const std::vector<Rail>& rails)
{
    QString text;
    for (const Rail rail : rails)
        text += (text.isEmpty() ? u""_s : u", "_s) + toQString(name(rail));
    return text.isEmpty() ? missingText() : text;
}

QString behindText(const session::SensorCheck& check)
{
    if (!check.quality)
        return missingText();
    const auto ms = [](double value) { return milliseconds(value).toStdString(); };
    return milliseconds(toMilliseconds(check.offset.ns)) + u' '
        + toQString(formatInterval95(check.offset.sd_ns / 1e6, ms));
}

} // namespace

SensorDoctorDialog::SensorDoctorDialog(ExamineSensors examine, QWidget* parent)
    : QDialog(parent)
    , m_examine(std::move(examine))
    , m_table(new QTableWidget(0, SensorColumn::Count, this))
    , m_explanation(new QLabel(this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"sensorDoctor"_s);
    setWindowTitle(tr("Sensor Doctor"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_table->setObjectName(u"sensorTable"_s);
    m_table->setHorizontalHeaderLabels({tr("Source"), tr("State"), tr("Rails"), tr("Resolution"),
                                        tr("Interval"), tr("Idle"), tr("Load"), tr("Delay"),
                                        tr("Agreement")});
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setAccessibleName(tr("Power sources"));
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &SensorDoctorDialog::explain);

    m_explanation->setObjectName(u"sensorExplanation"_s);
    m_explanation->setWordWrap(true);
    m_explanation->setTextFormat(Qt::PlainText);
    m_explanation->setTextInteractionFlags(Qt::TextSelectableByMouse
                                           | Qt::TextSelectableByKeyboard);
    m_explanation->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_explanation->setMinimumHeight(fontMetrics().lineSpacing() * 5);
    m_progress->setRange(0, kPermille);
    m_progress->setTextVisible(false);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_measure = buttons->addButton(tr("&Measure a Load for 5 s"), QDialogButtonBox::ActionRole);
    m_measure->setObjectName(u"sensorMeasure"_s);
    connect(m_measure, &QPushButton::clicked, this, [this] { begin(kTestSeconds); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_explanation);
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 190, fontMetrics().lineSpacing() * 34);
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
        // The dialog waits for this thread, so it outlives it.
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
    m_thread->start();
}

void SensorDoctorDialog::showExam(const session::SensorExam& exam)
{
    const int selected = m_table->currentRow();
    m_exam = exam;
    std::ranges::stable_sort(m_exam.sources, {}, &placeOf);
    const Theme theme = Theme::fromPalette(palette());
    m_table->setRowCount(static_cast<int>(m_exam.sources.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const session::SensorCheck& check = m_exam.sources[static_cast<std::size_t>(row)];
        const power::SourceReport& source = check.report;
        const auto set = [&](SensorColumn::Index column, const QString& text) {
            auto* item = new QTableWidgetItem(text);
            if (column >= SensorColumn::Interval)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        };
        set(SensorColumn::Source, toQString(source.kind));
        set(SensorColumn::State, source.available ? tr("available") : tr("not available"));
        m_table->item(row, SensorColumn::State)
            ->setForeground(source.available ? theme.success : theme.mutedText);
        set(SensorColumn::Rails, railsText(source.rails));
        set(SensorColumn::Resolution,
            source.resolution.empty() ? missingText() : term(source.resolution));
        set(SensorColumn::Interval,
            check.quality ? milliseconds(check.quality->median_interval_ms) : missingText());
        set(SensorColumn::Idle, powerText(check.idle_mw));
        set(SensorColumn::Load, powerText(check.load_mw));
        set(SensorColumn::Behind, behindText(check));
        set(SensorColumn::Agreement,
            check.agreement
                ? tr("%1 of %2")
                      .arg(toQString(formatPercent(*check.agreement)), toQString(check.reference))
                : missingText());
    }
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->selectRow(selected >= 0 ? selected : 0);
    explain();
}

void SensorDoctorDialog::explain()
{
    const int row = m_table->currentRow();
    if (row < 0 || row >= static_cast<int>(m_exam.sources.size()))
        return;
    const session::SensorCheck& check = m_exam.sources[static_cast<std::size_t>(row)];
    QString text = toQString(check.report.explanation);
    if (!check.report.remedy.empty())
        text += u"\n\n"_s + toQString(check.report.remedy);
    if (!check.report.gain.empty())
        text += u"\n\n"_s + tr("Error of the gain: %1.").arg(toQString(check.report.gain));
    if (!check.problem.empty())
        text += u"\n\n"_s + toQString(check.problem);
    m_explanation->setText(text);
}

} // namespace ep::ui
