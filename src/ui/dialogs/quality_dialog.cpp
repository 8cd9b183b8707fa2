// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/quality_dialog.h"

#include "text.h"

#include "ep/core/start_thread.h"
#include "ep/store/store.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/terms.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>
#include <QVBoxLayout>

#include <cmath>
#include <memory>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

Status measureAll(const std::vector<session::QualityRequest>& requests,
                  const std::filesystem::path& database, const ProgressFn& progress,
                  const CancelToken& cancel)
{
    const auto store = store::Store::open(database);
    if (!store)
        return store.error();
    double done = 0.0;
    const auto all = static_cast<double>(requests.size());
    for (const session::QualityRequest& request : requests) {
        const auto record = session::measureQuality(
            request,
            [&](double fraction, const Message& what) {
                progress((done + fraction) / all, {"%1: %2", request.dtype, what});
            },
            cancel);
        if (!record)
            return record.error();
        if (const Status saved = (*store)->saveQuality(*record); !saved)
            return saved;
        done += 1.0;
    }
    return {};
}

} // namespace

QualityDialog::QualityDialog(std::vector<session::QualityRequest> requests,
                             std::filesystem::path database, QWidget* parent)
    : QDialog(parent)
    , m_requests(std::move(requests))
    , m_database(std::move(database))
    , m_text(new QLineEdit(this))
    , m_state(new QLabel(this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"qualityDialog"_s);
    setWindowTitle(tr("Measure Quality"));
    setAttribute(Qt::WA_DeleteOnClose);
    QStringList models;
    for (const session::QualityRequest& request : m_requests) {
        models << tr("%1 in %2").arg(pathText(request.model.filename()), toQString(request.dtype));
    }
    auto* what = new QLabel(
        tr("Perplexity: how well the model predicts a text of the kind that it is used for. Other "
           "formats than f32 are also compared with f32 of the same weights. To measure: %1.")
            .arg(models.join(u", "_s)),
        this);
    what->setWordWrap(true);
    m_text->setObjectName(u"qualityText"_s);
    m_text->setAccessibleName(tr("Text file"));
    m_text->setPlaceholderText(tr("Text file"));
    auto* browse = new QPushButton(tr("Browse…"), this);
    browse->setObjectName(u"qualityBrowse"_s);
    auto* row = new QHBoxLayout;
    row->addWidget(m_text, 1);
    row->addWidget(browse);
    m_state->setObjectName(u"qualityState"_s);
    m_state->setWordWrap(true);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Measure Quality"));
    m_progress->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_close = buttons->button(QDialogButtonBox::Close);
    m_start = buttons->addButton(tr("Measure"), QDialogButtonBox::ActionRole);
    m_start->setObjectName(u"qualityStart"_s);
    m_start->setEnabled(false);
    connect(browse, &QPushButton::clicked, this, &QualityDialog::browse);
    connect(m_text, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_start->setEnabled(!text.isEmpty() && !m_thread); });
    connect(m_start, &QPushButton::clicked, this, &QualityDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what);
    layout->addLayout(row);
    layout->addWidget(m_progress);
    layout->addWidget(m_state);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 80, sizeHint().height());
}

QualityDialog::~QualityDialog()
{
    m_cancel.cancel();
    if (m_thread)
        m_thread->wait();
    delete m_thread;
}

void QualityDialog::browse()
{
    auto* dialog = makeFileDialog(this, tr("Text to Predict"), u"qualityFile"_s);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_text, &QLineEdit::setText);
    dialog->open();
}

void QualityDialog::start()
{
    for (session::QualityRequest& request : m_requests)
        request.text = toPath(m_text->text());
    m_start->setEnabled(false);
    m_text->setEnabled(false);
    m_progress->show();
    m_close->setText(tr("Cancel"));
    const auto status = std::make_shared<Status>();
    m_thread = QThread::create(
        [this, status, requests = m_requests, database = m_database, cancel = m_cancel] {
            // The thread ends before the dialog, which waits for it.
            const auto progress = [this](double fraction, const Message& what) {
                QMetaObject::invokeMethod(
                    this,
                    [this, fraction, text = term(what)] {
                        m_progress->setValue(static_cast<int>(std::lround(fraction * 1000.0)));
                        m_state->setText(text);
                    },
                    Qt::QueuedConnection);
            };
            *status = measureAll(requests, database, progress, cancel);
        });
    connect(m_thread, &QThread::finished, this, [this, status] { finish(*status); });
    if (*status = startThread(*m_thread); !*status)
        finish(*status);
}

void QualityDialog::finish(const Status& status)
{
    m_thread->wait();
    delete std::exchange(m_thread, nullptr);
    if (m_cancel.cancelled())
        return;
    Q_EMIT measured(); // some may have been stored before an error
    if (status) {
        accept();
        return;
    }
    m_progress->hide();
    m_close->setText(tr("Close"));
    m_text->setEnabled(true);
    m_start->setEnabled(true);
    m_state->setText(term(status.error().message));
}

} // namespace ep::ui
