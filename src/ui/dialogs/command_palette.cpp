// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/command_palette.h"

#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/ui/rich_text.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyleOption>
#include <QStyledItemDelegate>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kMaxShown = 60;
constexpr int kPaletteWidth = 76 * kGrid;
constexpr int kPaletteHeight = 50 * kGrid;
constexpr int kTopDistance = 10 * kGrid;

QString lineOf(const PaletteEntry& entry)
{
    QString text = entry.kind + u"  ›  "_s + entry.title;
    if (!entry.detail.isEmpty())
        text += u"   —   "_s + entry.detail;
    return text.simplified();
}

constexpr int kKeys = Qt::UserRole + 1;

// Draws the line, and its keys at the right.
class LineWithKeys : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyleOptionViewItem line = option;
        initStyleOption(&line, index);
        const QString keys = index.data(kKeys).toString();
        const int width = keys.isEmpty() ? 0 : line.fontMetrics.horizontalAdvance(keys) + 2 * kGrid;
        line.text = line.fontMetrics.elidedText(line.text, Qt::ElideRight,
                                                line.rect.width() - width - kGrid);
        line.widget->style()->drawControl(QStyle::CE_ItemViewItem, &line, painter, line.widget);
        painter->setPen(line.palette.color(QPalette::PlaceholderText));
        painter->drawText(line.rect.adjusted(0, 0, -kGrid, 0), Qt::AlignRight | Qt::AlignVCenter,
                          keys);
    }
};

constexpr int kTitleBegins = 8;
constexpr int kWordBegins = 4;
constexpr int kInTitle = 2;
constexpr int kElsewhere = 1;

std::optional<int> scoreOfWord(const QString& word, const PaletteEntry& entry)
{
    const auto at = entry.title.indexOf(word, 0, Qt::CaseInsensitive);
    if (at == 0)
        return kTitleBegins;
    for (auto next = at; next > 0;
         next = entry.title.indexOf(word, next + 1, Qt::CaseInsensitive)) {
        if (!entry.title[next - 1].isLetterOrNumber())
            return kWordBegins;
    }
    if (at > 0)
        return kInTitle;
    if (entry.kind.contains(word, Qt::CaseInsensitive)
        || entry.detail.contains(word, Qt::CaseInsensitive))
        return kElsewhere;
    return std::nullopt;
}

} // namespace

std::optional<int> paletteScore(const QString& query, const PaletteEntry& entry)
{
    int score = 0;
    for (const QString& word : query.split(u' ', Qt::SkipEmptyParts)) {
        const auto ofWord = scoreOfWord(word, entry);
        if (!ofWord)
            return std::nullopt;
        score += *ofWord;
    }
    return score;
}

std::vector<std::size_t> paletteMatches(const QString& query,
                                        const std::vector<PaletteEntry>& entries, std::size_t most)
{
    std::vector<std::pair<int, std::size_t>> scored;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (const auto score = paletteScore(query, entries[i]))
            scored.emplace_back(*score, i);
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    scored.resize(std::min(scored.size(), most));
    std::vector<std::size_t> matches;
    for (const auto& [score, index] : scored)
        matches.push_back(index);
    return matches;
}

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, Search search, QWidget* parent)
    : QDialog(parent)
    , m_entries(std::move(entries))
    , m_search(std::move(search))
    , m_query(named(new QLineEdit(this), u"paletteQuery"_s))
    , m_list(named(new QListWidget(this), u"paletteList"_s, tr("Matches")))
{
    prepareDialog(*this, u"commandPalette"_s, tr("Command Palette"));
    setWindowFlag(Qt::FramelessWindowHint); // Escape closes it
    m_query->setPlaceholderText(tr("Search actions, runs, models, layers, tokens"));
    m_query->setAccessibleName(m_query->placeholderText());
    m_query->setMinimumHeight(4 * kGrid);
    m_query->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    m_list->setItemDelegate(new LineWithKeys(m_list));
    inColumn(this, {m_query, {m_list, 1}});
    connect(m_query, &QLineEdit::textChanged, this, &CommandPalette::find);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::choose);
    const QSize room = parent->size();
    resize(std::min(kPaletteWidth, room.width() - 2 * kGrid),
           std::min(kPaletteHeight, room.height() - kTopDistance));
    move(parent->mapToGlobal(QPoint((room.width() - width()) / 2, kTopDistance / 2)));
    find();
}

void CommandPalette::find()
{
    const QString query = m_query->text().trimmed();
    m_found = query.size() > 1 ? m_search(query) : std::vector<PaletteEntry>();
    m_list->clear();
    // Ranks both lists together: "layer 1" finds that layer before a model with 16 layers.
    std::vector<std::size_t> shown = paletteMatches(query, m_entries, kMaxShown);
    for (std::size_t i = 0; i < m_found.size(); ++i)
        shown.push_back(m_entries.size() + i);
    std::ranges::stable_sort(shown, std::ranges::greater(), [&](std::size_t index) {
        return paletteScore(query, entryAt(index)).value_or(0);
    });
    for (const std::size_t index : shown) {
        auto* item = new QListWidgetItem(lineOf(entryAt(index)), m_list);
        item->setData(Qt::UserRole, static_cast<qulonglong>(index));
        item->setData(kKeys, entryAt(index).keys);
        item->setData(Qt::AccessibleDescriptionRole, entryAt(index).keys);
        item->setToolTip(richText(item->text()));
    }
    m_list->setCurrentRow(0);
}

const PaletteEntry& CommandPalette::entryAt(std::size_t index) const
{
    return index < m_entries.size() ? m_entries[index] : m_found[index - m_entries.size()];
}

const PaletteEntry* CommandPalette::chosen() const
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item)
        return nullptr;
    return &entryAt(static_cast<std::size_t>(item->data(Qt::UserRole).toULongLong()));
}

void CommandPalette::choose()
{
    const PaletteEntry* entry = chosen();
    if (!entry)
        return;
    // Runs after the dialog has closed, because the entry may open another one.
    QTimer::singleShot(0, parent(), entry->choose);
    accept();
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    QStyleOption edge;
    edge.initFrom(this);
    QPainter painter(this);
    style()->drawPrimitive(QStyle::PE_Frame, &edge, &painter, this);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_query && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int rows = m_list->count();
        switch (key->key()) {
        case Qt::Key_Down:
        case Qt::Key_Up:
            if (rows > 0)
                m_list->setCurrentRow(
                    (m_list->currentRow() + (key->key() == Qt::Key_Down ? 1 : rows - 1)) % rows);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            choose();
            return true;
        default:
            break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace ep::ui
