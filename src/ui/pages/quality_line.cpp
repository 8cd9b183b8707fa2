// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/quality_line.h"

#include "dialogs/quality_dialog.h"
#include "text.h"

#include "ep/ui/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

QualityLine::QualityLine(RunRepository& repository, QWidget* parent)
    : QWidget(parent)
    , m_repository(repository)
    , m_text(new QLabel(this))
    , m_measure(new QPushButton(tr("Measure Quality…"), this))
{
    m_text->setObjectName(u"compareQuality"_s);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_measure->setObjectName(u"compareMeasureQuality"_s);
    m_measure->setToolTip(tr("Perplexity of each model and number format on a text of yours"));
    connect(m_measure, &QPushButton::clicked, this, &QualityLine::measure);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_measure, 0, Qt::AlignTop);
}

void QualityLine::setComparison(const RunGroups& groups, const energy::Comparison& comparison)
{
    m_groups = groups;
    QStringList parts;
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        parts << tr("%1: %2").arg(toQString(comparison.groups[g].label),
                                  term(qualitySentence(comparison, g)));
    }
    m_text->setText(parts.join(u"; "_s));
}

void QualityLine::measure()
{
    if (!m_groups)
        return;
    std::vector<session::QualityRequest> requests;
    for (const energy::RunGroup& group : *m_groups) {
        const RunInfo& info = group.runs.front().run->info;
        session::QualityRequest request{.model = info.model.path,
                                        .device = info.device,
                                        .dtype = info.dtype,
                                        .threads = info.environment.threads};
        const bool known = std::any_of(requests.begin(), requests.end(), [&](const auto& other) {
            return other.model == request.model && other.dtype == request.dtype;
        });
        if (!known)
            requests.push_back(std::move(request));
    }
    auto* dialog = new QualityDialog(std::move(requests), m_repository.database(), this);
    connect(dialog, &QualityDialog::measured, this, &QualityLine::measured);
    dialog->open();
}

} // namespace ep::ui
