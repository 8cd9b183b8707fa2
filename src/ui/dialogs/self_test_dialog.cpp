// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/self_test_dialog.h"

#include "text.h"

#include "ep/core/start_thread.h"
#include "ep/ui/terms.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>
#include <QVBoxLayout>

#include <memory>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

SelfTestDialog::SelfTestDialog(session::RunSelfTest run, QWidget* parent)
    : QDialog(parent)
    , m_lines(new QPlainTextEdit(this))
    , m_summary(new QLabel(this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"selfTest"_s);
    setWindowTitle(tr("Self-Test"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_lines->setObjectName(u"selfTestLines"_s);
    m_lines->setReadOnly(true);
    m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_lines->setAccessibleName(tr("Checks"));
    m_summary->setObjectName(u"selfTestSummary"_s);
    m_summary->setText(tr("Testing; this takes less than two minutes."));

    m_progress->setRange(0, 0); // the number of checks is only known at the end
    m_progress->setAccessibleName(tr("Self-Test"));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_close = buttons->button(QDialogButtonBox::Cancel);
    m_copy = buttons->addButton(tr("&Copy as JSON"), QDialogButtonBox::ActionRole);
    m_copy->setObjectName(u"selfTestCopy"_s);
    m_copy->setEnabled(false);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_json); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_lines, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_summary);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 150, fontMetrics().lineSpacing() * 30);

    const auto report = std::make_shared<session::SelfTestReport>();
    m_thread = QThread::create([this, report, run = std::move(run), cancel = m_cancel] {
        // The thread ends before the dialog, which waits for it.
        *report = run(cancel, [this](const session::SelfCheck& check) {
            QMetaObject::invokeMethod(
                this,
                [this, line = toQString(session::lineOf(check))] {
                    m_lines->appendPlainText(line);
                },
                Qt::QueuedConnection);
        });
    });
    connect(m_thread, &QThread::finished, this, [this, report] { showReport(*report); });
    if (const Status started = startThread(*m_thread); !started)
        m_summary->setText(term(started.error().message));
}

SelfTestDialog::~SelfTestDialog()
{
    m_cancel.cancel();
    m_thread->wait();
    delete m_thread;
}

void SelfTestDialog::showReport(const session::SelfTestReport& report)
{
    if (report.cancelled)
        return;
    m_progress->hide();
    m_close->setText(tr("Close"));
    m_json = toQString(session::selfTestJson(report));
    m_copy->setEnabled(true);
    const int failed = report.failed();
    m_summary->setText(failed == 0
                           ? tr("All checks that apply to this machine passed.")
                           : tr("%1 of %2 checks failed; each says what to do. Copy the result as "
                                "JSON to report it.")
                                 .arg(failed)
                                 .arg(report.checks.size()));
}

} // namespace ep::ui
