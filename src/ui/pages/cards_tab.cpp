// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/cards_tab.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/ui/file_dialog.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>
#include <map>
#include <system_error>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kFileRole = Qt::UserRole;

enum CardColumn { What, Verdict, CardPairs, Energies, Date, CardColumns };

QTreeWidgetItem* cardRow(QTreeWidgetItem* parent, const QStringList& cells)
{
    auto* item = new QTreeWidgetItem(parent, cells);
    for (int column = 0; column < cells.size(); ++column)
        item->setToolTip(column, richText(cells[column]));
    item->setTextAlignment(CardPairs, Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

} // namespace

CardsTab::CardsTab(std::filesystem::path database, QWidget* parent)
    : QWidget(parent)
    , m_database(std::move(database))
    , m_tree(named(new QTreeWidget(this), u"cardsTree"_s, tr("Cards")))
    , m_problems(wrapped(named(new QLabel(this), u"cardsProblems"_s)))
    , m_remove(named(new QPushButton(tr("Re&move…"), this), u"cardsRemove"_s))
{
    setObjectName(u"cardsTab"_s);
    auto* what = wrapped(new QLabel(
        tr("Results of comparisons, kept as cards. Cards of one class of machine and "
           "one "
           "question are pooled. Nothing is sent anywhere: pass the files on as you like."),
        this));
    m_tree->setColumnCount(CardColumns);
    m_tree->setHeaderLabels(
        {tr("Machine, question, card"), tr("Verdict"), tr("Pairs"), tr("Energies"), tr("Date")});
    m_tree->setAlternatingRowColors(true);
    m_tree->setFocusPolicy(Qt::NoFocus); // an empty tree has nothing to mark
    m_problems->hide();
    auto* measure = named(new QPushButton(tr("&Measure…"), this), u"cardsMeasure"_s);
    auto* add = named(new QPushButton(tr("&Add Cards…"), this), u"cardsAdd"_s);
    m_remove->setEnabled(false);
    auto* row = inRow({measure, add, m_remove, Stretch{}});
    inColumn(this, {what, {m_tree, 1}, m_problems, row});
    connect(measure, &QPushButton::clicked, this, &CardsTab::measureRequested);
    connect(add, &QPushButton::clicked, this, &CardsTab::askForFiles);
    connect(m_remove, &QPushButton::clicked, this, &CardsTab::removeSelected);
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, [this] {
        const QTreeWidgetItem* item = m_tree->currentItem();
        m_remove->setEnabled(item && item->isSelected() && !item->data(What, kFileRole).isNull());
    });
}

CardsTab::Read CardsTab::readAll(const std::filesystem::path& database)
{
    Read read{.kept = session::keptCards(database), .merged = {}};
    std::vector<session::PaysCard> cards;
    for (const session::KeptCard& kept : read.kept.cards)
        cards.push_back(kept.card);
    read.merged = session::mergeCards(cards);
    return read;
}

void CardsTab::reload()
{
    m_reading.start([database = m_database] { return readAll(database); },
                    [this](const Read& read) { show(read); });
}

void CardsTab::add(const QStringList& files)
{
    m_reading.start(
        [database = m_database, files] {
            std::vector<Message> refused;
            for (const QString& file : files) {
                if (const auto kept = session::keepCardOf(toPath(file), database); !kept)
                    refused.push_back(kept.error().message);
            }
            Read read = readAll(database);
            read.kept.problems.insert(read.kept.problems.begin(), refused.begin(), refused.end());
            return read;
        },
        [this](const Read& read) { show(read); });
}

void CardsTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    reload(); // because files may have been added
}

void CardsTab::show(const Read& read)
{
    m_tree->clear();
    std::map<std::string, QTreeWidgetItem*> machines;
    for (const session::PooledCards& group : read.merged.groups) {
        QTreeWidgetItem*& machine = machines[group.machine_class];
        if (!machine)
            machine = cardRow(m_tree->invisibleRootItem(), {toQString(group.machine_class)});
        QString verdict = term(session::verdictSentence(group.decision));
        if (group.contradicting)
            verdict += u' ' + tr("The cards contradict each other.");
        auto* question =
            cardRow(machine,
                    {tr("A: %1; B: %2").arg(toQString(group.a.label()), toQString(group.b.label())),
                     verdict, QString::number(group.pairs)});
        for (const session::KeptCard& kept : read.kept.cards) {
            if (!std::ranges::binary_search(group.hashes, kept.card.hash))
                continue;
            // A and B are those of the question; on a card they may be swapped.
            const bool turned = kept.card.a != group.a;
            auto decision = session::decide(session::pairTableOf(kept.card),
                                            {.smallest_difference = kept.card.smallest_difference});
            if (turned)
                std::swap(decision.a, decision.b);
            auto* row = cardRow(question,
                                {toQString(kept.file.filename().string()),
                                 term(session::verdictSentence(decision)),
                                 QString::number(kept.card.pairs.size()),
                                 energyOriginText(kept.card.source, kept.card.provenance),
                                 dateText(kept.card.pairs.front().a.created_at_ms)});
            row->setData(What, kFileRole, pathText(kept.file));
        }
    }
    m_tree->setFocusPolicy(m_tree->topLevelItemCount() > 0 ? Qt::StrongFocus : Qt::NoFocus);
    m_tree->expandAll();
    for (int column = 0; column < CardColumns; ++column)
        m_tree->resizeColumnToContents(column);
    QStringList problems;
    for (const Message& note : read.merged.notes)
        problems << term(note);
    for (const Message& problem : read.kept.problems)
        problems << term(problem);
    m_problems->setText(problems.join(u'\n'));
    m_problems->setVisible(!problems.isEmpty());
    m_remove->setEnabled(false);
}

void CardsTab::askForFiles()
{
    auto* dialog = makeFileDialog(this, tr("Add Cards"), u"cardsFile"_s);
    dialog->setNameFilter(tr("Cards (*.json)"));
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &CardsTab::add);
    dialog->open();
}

void CardsTab::removeSelected()
{
    const QString file = m_tree->currentItem()->data(What, kFileRole).toString();
    auto* box =
        named(new QMessageBox(QMessageBox::Question, tr("Remove Card"),
                              tr("Delete the file %1?").arg(file), QMessageBox::Cancel, this),
              u"cardsRemoveQuestion"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* remove =
        named(box->addButton(tr("Delete"), QMessageBox::DestructiveRole), u"cardsRemoveConfirm"_s);
    connect(remove, &QPushButton::clicked, this, [this, file] {
        std::error_code ignored; // files that could not be removed are shown again
        std::filesystem::remove(toPath(file), ignored);
        reload();
    });
    box->open();
}

} // namespace ep::ui
