// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/quality_dialog.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/store/store.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/terms.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>

#include <cmath>
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
    , m_text(named(new QLineEdit(this), u"qualityText"_s, tr("Text file")))
    , m_state(wrapped(named(new QLabel(this), u"qualityState"_s)))
    , m_progress(new QProgressBar(this))
{
    prepareDialog(*this, u"qualityDialog"_s, tr("Measure Quality"));
    QStringList models;
    for (const session::QualityRequest& request : m_requests) {
        models << tr("%1 in %2").arg(pathText(request.model.filename()), toQString(request.dtype));
    }
    auto* what = wrapped(new QLabel(
        tr("Perplexity: how well the model predicts a text of the kind that it is used for. Other "
           "formats than f32 are also compared with f32 of the same weights. To measure: %1.")
            .arg(models.join(u", "_s)),
        this));
    m_text->setPlaceholderText(tr("Text file"));
    auto* browse = named(new QPushButton(tr("Browse…"), this), u"qualityBrowse"_s);
    auto* row = inRow({{m_text, 1}, browse});
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Measure Quality"));
    m_progress->hide();
    auto* buttons = dialogButtons(*this, QDialogButtonBox::Close);
    m_close = buttons->button(QDialogButtonBox::Close);
    m_start =
        named(buttons->addButton(tr("Measure"), QDialogButtonBox::ActionRole), u"qualityStart"_s);
    m_start->setEnabled(false);
    connect(browse, &QPushButton::clicked, this, &QualityDialog::browse);
    connect(m_text, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_start->setEnabled(!text.isEmpty() && !m_job.running());
    });
    connect(m_start, &QPushButton::clicked, this, &QualityDialog::start);
    inColumn(this, {what, row, m_progress, m_state, buttons});
    resize(fontMetrics().averageCharWidth() * 80, sizeHint().height());
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
    m_job.start(
        *this,
        [requests = m_requests, database = m_database](const CancelToken& cancel,
                                                       const ProgressFn& progress) {
            return measureAll(requests, database, progress, cancel);
        },
        [this](double fraction, const Message& what) {
            m_progress->setValue(static_cast<int>(std::lround(fraction * 1000.0)));
            m_state->setText(term(what));
        },
        [this](const Status& status) { finish(status); });
}

void QualityDialog::finish(const Status& status)
{
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
