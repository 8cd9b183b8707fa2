// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/model_library_dialog.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/core/format.h"
#include "ep/core/run.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/theme.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStandardItemModel>
#include <QString>
#include <QTableWidget>
#include <QTreeView>

#include <utility>

namespace ep::ui {

namespace {

// Names multi-head, grouped-query or multi-query attention by the number of key heads.
QString headsText(const ModelFacts& facts)
{
    const char* kind = facts.kv_heads == facts.attention_heads ? "%1 heads of %2 (MHA)"
        : facts.kv_heads == 1                                  ? "%1 heads of %2, 1 key head (MQA)"
                              : "%1 heads of %2, %3 key heads (GQA)";
    QString text = translated(kind);
    text = text.arg(facts.attention_heads).arg(facts.head_dim);
    return text.contains(QLatin1String("%3")) ? text.arg(facts.kv_heads) : text;
}

// The properties of a model, one row each: name and value. Unknown properties have no row.
std::vector<std::pair<QString, QString>> factRows(const ModelFacts& facts)
{
    std::vector<std::pair<QString, QString>> rows;
    const auto add = [&](const char* name, bool known, const QString& value) {
        if (known && !value.isEmpty())
            rows.emplace_back(translated(name), value);
    };
    const auto count = [&](const char* name, std::int64_t value) {
        add(name, value > 0, toQString(formatCount(value)));
    };
    const auto bytes = [&](const char* name, std::int64_t value) {
        add(name, value > 0, toQString(formatBytes(value)));
    };
    add("Architecture", true, toQString(facts.architecture));
    count("Parameters", facts.parameters);
    if (facts.active_parameters != facts.parameters)
        count("Active per token", facts.active_parameters);
    count("Embedding", facts.embedding_parameters);
    count("Attention", facts.attention_parameters);
    count("MLP", facts.mlp_parameters);
    add("Layers", facts.layers > 0, QString::number(facts.layers));
    add("Hidden size", facts.hidden_size > 0, QString::number(facts.hidden_size));
    add("Intermediate size", facts.intermediate_size > 0, QString::number(facts.intermediate_size));
    add("Attention heads", facts.attention_heads > 0, headsText(facts));
    add("Experts", facts.experts > 0,
        translated("%1, %2 per token").arg(facts.experts).arg(facts.experts_per_token));
    add("Vocabulary", facts.vocabulary_size > 0, QString::number(facts.vocabulary_size));
    add("Context", facts.context_length > 0, QString::number(facts.context_length));
    add("Stored as", true, toQString(facts.stored_dtype));
    bytes("Weights", facts.weight_bytes);
    bytes("Cache per token", facts.kv_bytes_per_token);
    add("Folder", true, toQString(facts.path));
    return rows;
}

using namespace Qt::Literals::StringLiterals;

struct LibraryColumn {
    enum Index { Name, Architecture, Format, Parameters, Size, Count };
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

constexpr int kTallest = 84; // pixels; longer lists scroll

} // namespace

FolderList::FolderList(const QStringList& folders, QWidget* parent)
    : QWidget(parent)
    , m_list(named(new QListWidget(this), u"modelFolderList"_s, tr("Folders with models")))
{
    m_list->setMaximumHeight(kTallest);
    m_list->addItems(folders);
    auto* add = named(new QPushButton(tr("Add…"), this), u"addFolder"_s);
    auto* remove = named(new QPushButton(tr("Remove"), this), u"removeFolder"_s);
    remove->setEnabled(false);

    auto* buttons = inColumn({add, remove, Stretch{}});
    flush(inRow(this, {{m_list, 1}, buttons}));

    connect(add, &QPushButton::clicked, this, &FolderList::browse);
    connect(remove, &QPushButton::clicked, this, [this] {
        delete m_list->currentItem();
        Q_EMIT changed();
    });
    connect(m_list, &QListWidget::currentRowChanged, remove,
            [remove](int row) { remove->setEnabled(row >= 0); });
}

QStringList FolderList::folders() const
{
    QStringList all;
    for (int row = 0; row < m_list->count(); ++row)
        all << m_list->item(row)->text();
    return all;
}

void FolderList::browse()
{
    auto* dialog = makeFileDialog(this, tr("Folder with Models"), u"folderDialog"_s);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        if (folders().contains(folder))
            return;
        m_list->addItem(folder);
        Q_EMIT changed();
    });
    dialog->open();
}

ModelLibraryDialog::ModelLibraryDialog(std::vector<std::filesystem::path> bundledFolders,
                                       const QStringList& folders, const QString& chosenFolder,
                                       QWidget* parent)
    : QDialog(parent)
    , m_bundledFolders(std::move(bundledFolders))
    , m_chosen(toPath(chosenFolder))
    , m_folders(new FolderList(folders, this))
    , m_table(new QStandardItemModel(0, LibraryColumn::Count, this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_view(named(new QTreeView(this), u"libraryTable"_s, tr("Models")))
    , m_state(wrapped(named(new QLabel(this), u"libraryState"_s)))
    , m_problem(wrapped(named(new QLabel(this), u"libraryProblem"_s)))
    , m_facts(named(new QTableWidget(0, 2, this), u"libraryFacts"_s, tr("Properties of the model")))
{
    prepareDialog(*this, u"modelLibrary"_s, tr("Model Library"));
    resize(920, 560);

    auto* splitter = new QSplitter(this);
    addParts(*splitter, {{buildModels(), 3}, {buildFacts(), 2}});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_use = named(buttons->addButton(tr("Use This Model"), QDialogButtonBox::AcceptRole),
                  u"useModel"_s);
    m_use->setDefault(true);
    auto* layout = inColumn(this, {{splitter, 1}});
    auto* places =
        new QLabel(tr("Folders to search, besides the bundled models and HuggingFace's cache; "
                      "nothing is downloaded or changed there"),
                   this);
    places->setWordWrap(true);
    addAll(*layout, {places, m_folders, buttons});

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
        {tr("Model"), tr("Architecture"), tr("Format"), tr("Parameters"), tr("Files")});
    m_sorted->setSourceModel(m_table);
    m_sorted->setSortRole(kSortRole);
    m_sorted->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_sorted);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder); // bundled ones first, until the user sorts

    auto* box = new QWidget(this);
    flush(inColumn(box, {{m_view, 1}, m_state}));
    return box;
}

QWidget* ModelLibraryDialog::buildFacts()
{
    m_facts->horizontalHeader()->hide();
    m_facts->horizontalHeader()->setStretchLastSection(true);
    prepareTable(*m_facts);
    m_facts->setWordWrap(true);

    auto* box = new QWidget(this);
    flush(inColumn(box, {m_problem, {m_facts, 1}}));
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
        const QString format = toQString(choice.details.stored_dtype);
        m_table->appendRow({name, cell(architecture, architecture), cell(format, format),
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
