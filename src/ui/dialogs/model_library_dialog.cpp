// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/model_library_dialog.h"

#include "dialogs/model_facts_rows.h"
#include "text.h"
#include "widgets/folder_list.h"

#include "ep/core/format.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/theme.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTableWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

struct LibraryColumn {
    enum Index { Name, Architecture, Parameters, Size, Count };
};
constexpr int kSortRole = Qt::UserRole;
constexpr int kIndexRole = Qt::UserRole + 1; // index into the list of models

QStandardItem* cell(const QString& text, const QVariant& sortValue)
{
    auto* item = new QStandardItem(text);
    item->setData(sortValue, kSortRole);
    item->setEditable(false);
    return item;
}

QStandardItem* figure(std::int64_t value, std::string (*format)(std::int64_t))
{
    auto* item = cell(value > 0 ? toQString(format(value)) : missingText(),
                      QVariant::fromValue<qlonglong>(value));
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

} // namespace

ModelLibraryDialog::ModelLibraryDialog(std::vector<std::filesystem::path> bundledFolders,
                                       const QStringList& folders, const QString& chosenFolder,
                                       QWidget* parent)
    : QDialog(parent)
    , m_bundledFolders(std::move(bundledFolders))
    , m_chosen(toPath(chosenFolder))
    , m_folders(new FolderList(folders, this))
    , m_table(new QStandardItemModel(0, LibraryColumn::Count, this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_view(new QTreeView(this))
    , m_state(new QLabel(this))
    , m_problem(new QLabel(this))
    , m_facts(new QTableWidget(0, 2, this))
{
    setObjectName(u"modelLibrary"_s);
    setWindowTitle(tr("Model Library"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(920, 560);

    auto* splitter = new QSplitter(this);
    splitter->addWidget(buildModels());
    splitter->addWidget(buildFacts());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_use = buttons->addButton(tr("Use This Model"), QDialogButtonBox::AcceptRole);
    m_use->setObjectName(u"useModel"_s);
    m_use->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter, 1);
    auto* places =
        new QLabel(tr("Folders to search, besides the bundled models and HuggingFace's cache; "
                      "nothing is downloaded or changed there"),
                   this);
    places->setWordWrap(true);
    layout->addWidget(places);
    layout->addWidget(m_folders);
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_use, &QPushButton::clicked, this, &ModelLibraryDialog::choose);
    connect(m_view, &QTreeView::doubleClicked, this, &ModelLibraryDialog::choose);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ModelLibraryDialog::showCurrent);
    connect(m_folders, &FolderList::changed, this, [this] {
        Q_EMIT foldersChanged(m_folders->folders());
        search();
    });
    search();
}

QStringList ModelLibraryDialog::folders() const
{
    return m_folders->folders();
}

QWidget* ModelLibraryDialog::buildModels()
{
    m_table->setHorizontalHeaderLabels(
        {tr("Model"), tr("Architecture"), tr("Parameters"), tr("Files")});
    m_sorted->setSourceModel(m_table);
    m_sorted->setSortRole(kSortRole);
    m_sorted->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_view->setObjectName(u"libraryTable"_s);
    m_view->setAccessibleName(tr("Models"));
    m_view->setModel(m_sorted);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder); // bundled ones first, until the user sorts
    m_state->setObjectName(u"libraryState"_s);
    m_state->setWordWrap(true);

    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_state);
    return box;
}

QWidget* ModelLibraryDialog::buildFacts()
{
    m_problem->setObjectName(u"libraryProblem"_s);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_facts->setObjectName(u"libraryFacts"_s);
    m_facts->setAccessibleName(tr("Properties of the model"));
    m_facts->horizontalHeader()->hide();
    m_facts->horizontalHeader()->setStretchLastSection(true);
    m_facts->verticalHeader()->hide();
    m_facts->setShowGrid(false);
    m_facts->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_facts->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_facts->setWordWrap(true);

    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_problem);
    layout->addWidget(m_facts, 1);
    return box;
}

void ModelLibraryDialog::search()
{
    m_state->setText(tr("Looking for models…"));
    std::vector<std::filesystem::path> places = usualModelFolders();
    for (const QString& folder : m_folders->folders())
        places.push_back(toPath(folder));
    m_search.start([bundled = m_bundledFolders, places] { return findModels(bundled, places); },
                   [this](std::vector<ModelChoice> found) { fill(std::move(found)); });
}

void ModelLibraryDialog::fill(std::vector<ModelChoice> choices)
{
    if (const ModelChoice* choice = current())
        m_chosen = choice->folder;
    m_choices = std::move(choices);
    m_table->removeRows(0, m_table->rowCount());
    int chosen = 0;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        const ModelChoice& choice = m_choices[i];
        const int row = static_cast<int>(i);
        if (choice.folder == m_chosen)
            chosen = row;
        QStandardItem* name = cell(choice.displayName(), choice.name);
        name->setData(row, kIndexRole);
        name->setToolTip(richText(pathText(choice.folder)));
        const QString architecture = toQString(choice.details.architecture);
        m_table->appendRow({name, cell(architecture, architecture),
                            figure(choice.details.parameters, formatCount),
                            figure(choice.details.weight_bytes, formatBytes)});
        for (int column = 0; column < LibraryColumn::Count && !choice.problem.isEmpty(); ++column)
            m_table->item(row, column)->setForeground(Theme::fromPalette(palette()).mutedText);
    }
    for (int column = 0; column < LibraryColumn::Count; ++column)
        m_view->resizeColumnToContents(column);
    m_state->setText(m_choices.empty()
                         ? tr("No models found. Add the folder of a HuggingFace model.")
                         : tr("Models found: %1").arg(m_choices.size()));
    if (!m_choices.empty())
        m_view->setCurrentIndex(
            m_sorted->mapFromSource(m_table->index(chosen, LibraryColumn::Name)));
    showCurrent();
}

const ModelChoice* ModelLibraryDialog::current() const
{
    const QModelIndex index = m_view->currentIndex().siblingAtColumn(LibraryColumn::Name);
    if (!index.isValid())
        return nullptr;
    return &m_choices[static_cast<std::size_t>(index.data(kIndexRole).toInt())];
}

void ModelLibraryDialog::showCurrent()
{
    const ModelChoice* choice = current();
    m_use->setEnabled(choice && choice->problem.isEmpty());
    m_problem->setText(choice ? choice->problem : QString());
    m_problem->setVisible(!m_problem->text().isEmpty());
    m_facts->setRowCount(0);
    if (!choice)
        return;
    for (const auto& [name, value] : factRows(choice->details)) {
        const int row = m_facts->rowCount();
        m_facts->insertRow(row);
        m_facts->setItem(row, 0, new QTableWidgetItem(name));
        m_facts->setItem(row, 1, new QTableWidgetItem(value));
    }
    m_facts->resizeColumnToContents(0);
    m_facts->resizeRowsToContents();
}

void ModelLibraryDialog::choose()
{
    const ModelChoice* choice = current();
    if (!choice || !choice->problem.isEmpty())
        return;
    Q_EMIT modelChosen(choice->folder);
    accept();
}

} // namespace ep::ui
