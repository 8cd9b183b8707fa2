// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/selection_bar.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/elided_label.h"

#include "ep/core/format.h"
#include "ep/core/utf8.h"

#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kMenuPreview = 60;

} // namespace

SelectionBar::SelectionBar(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_chosen(named(new ElidedLabel(this), u"selectionText"_s))
    , m_clear(iconButton(u"selectionClear"_s, "clear"_L1, tr("Clear the selection"), this))
    , m_annotate(iconButton(u"annotateButton"_s, "annotate"_L1,
                            tr("Annotations: what you wrote about ranges of time"), this))
    , m_annotations(named(new QMenu(m_annotate), u"annotationsMenu"_s))
    , m_search(named(new QLineEdit(this), u"analysisSearch"_s,
                     tr("Search tokens, layers and components")))
    , m_hits(named(new QLabel(this), u"analysisHits"_s))
{
    m_chosen->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_search->setPlaceholderText(tr("Search tokens, layers, components"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(10 * kGrid);
    m_search->setMaximumWidth(28 * kGrid);
    m_search->installEventFilter(this);
    m_search->hide();
    m_hits->setTextFormat(Qt::PlainText);

    m_annotate->setPopupMode(QToolButton::InstantPopup);
    m_annotate->setMenu(m_annotations);
    connect(m_annotations, &QMenu::aboutToShow, this, &SelectionBar::fillAnnotations);

    auto* row =
        flush(inRow(this, {Stretch{}, {m_chosen, 1}, m_annotate, m_clear, m_hits, m_search}));
    row->setSpacing(kHalfGrid);

    using Controller = SelectionController;
    connect(m_clear, &QToolButton::clicked, &m_controller, &Controller::clear);
    connect(&m_controller, &Controller::annotationsChanged, this, &SelectionBar::showSelection);
    connect(&m_controller, &Controller::selectionChanged, this, &SelectionBar::showSelection);
    connect(&m_controller, &Controller::runChanged, this, [this] {
        showSelection();
        search();
    });
    connect(m_search, &QLineEdit::textChanged, this, &SelectionBar::search);
    showSelection();
}

void SelectionBar::setParts(std::vector<ComponentTotal> parts)
{
    m_parts = std::move(parts);
    search();
}

std::set<std::int32_t> SelectionBar::layers() const
{
    std::set<std::int32_t> layers;
    for (const ComponentTotal& part : m_parts)
        layers.insert(part.layer);
    return layers;
}

void SelectionBar::focusSearch()
{
    m_search->show();
    m_search->setFocus();
    m_search->selectAll();
}

SearchResult SelectionBar::find(const QString& text) const
{
    return m_controller.run() ? searchRun(m_controller.run()->trace.tokens, m_parts, text)
                              : SearchResult{};
}

void SelectionBar::showSelection()
{
    const viz::Selection& chosen = m_controller.selection();
    m_chosen->setText(chosen.empty() ? tr("Nothing selected: figures of the whole run")
                                     : tr("Selected: %1").arg(selectionText(chosen)));
    m_chosen->setToolTip({});
    m_chosen->setVisible(!chosen.empty());
    m_clear->setVisible(!chosen.empty());
    m_annotate->setVisible(m_stored && (chosen.time || !m_controller.annotations().empty()));
}

void SelectionBar::setStored(bool stored)
{
    m_stored = stored;
    showSelection();
}

void SelectionBar::fillAnnotations()
{
    m_annotations->clear();
    const std::vector<Annotation>& all = m_controller.annotations();
    QAction* add = m_annotations->addAction(tr("Annotate the Selected Time…"), this,
                                            [this] { editAnnotation(-1); });
    add->setEnabled(m_controller.selection().time.has_value());
    if (!all.empty())
        m_annotations->addSeparator();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QString text = toQString(previewUtf8(all[i].text, kMenuPreview));
        QMenu* one = m_annotations->addMenu(QString(text).replace(u'&', u"&&"_s));
        one->addAction(tr("Show"), this, [this, time = all[i].time()] {
            m_controller.selectTime(time);
            m_controller.zoomToSelection();
        });
        one->addAction(tr("Edit…"), this, [this, i] { editAnnotation(static_cast<int>(i)); });
        one->addAction(tr("Delete"), this, [this, i] {
            auto rest = m_controller.annotations();
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            Q_EMIT annotationsEdited(rest);
        });
    }
}

// Does not block, and has no effect if the annotations change meanwhile.
void SelectionBar::editAnnotation(int index)
{
    const std::vector<Annotation> before = m_controller.annotations();
    Annotation edited;
    if (index >= 0)
        edited = before[static_cast<std::size_t>(index)];
    else if (const auto& time = m_controller.selection().time)
        edited = {.begin_ns = time->begin_ns, .end_ns = time->end_ns, .text = {}};
    else
        return;
    auto* dialog = new QInputDialog(this);
    prepareDialog(*dialog, u"annotationDialog"_s, tr("Annotation"));
    dialog->setLabelText(
        tr("Note for these %1:").arg(toQString(formatDuration(edited.time().duration_ns()))));
    dialog->setTextValue(toQString(edited.text));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, before, edited, index](const QString& text) {
                if (m_controller.annotations() != before || text.trimmed().isEmpty())
                    return;
                std::vector<Annotation> all = before;
                Annotation& changed =
                    index >= 0 ? all[static_cast<std::size_t>(index)] : all.emplace_back(edited);
                changed.text = text.trimmed().toStdString();
                Q_EMIT annotationsEdited(all);
            });
    dialog->open();
}

void SelectionBar::search()
{
    const QString text = m_search->text();
    m_at = -1;
    m_found = find(text);
    m_hits->setText(text.isEmpty() ? QString() : describe(m_found));
    m_controller.setSearchText(text);
}

void SelectionBar::goTo(int direction)
{
    const int count = static_cast<int>(m_found.hits.size());
    if (count == 0)
        return;
    m_at = m_at < 0 ? (direction > 0 ? 0 : count - 1) : (m_at + direction + count) % count;
    const SearchHit& hit = m_found.hits[static_cast<std::size_t>(m_at)];
    if (hit.token)
        m_controller.selectToken(*hit.token);
    else
        m_controller.selectPart(hit.layer, hit.component);
    m_hits->setText(tr("%1 of %2").arg(m_at + 1).arg(count));
}

bool SelectionBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            goTo(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            m_search->clear();
            m_search->hide();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ep::ui
