// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/model_picker.h"

#include "pages/server_finder.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/ui/rich_text.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kVisibleCharacters = 18; // of a model's name; the combo box truncates longer ones

// A chosen model that cannot be found at present: it stays chosen, but no run can start.
ModelChoice goneChoice(const std::filesystem::path& chosen)
{
    const QString whole = pathText(chosen);
    const qsizetype server = whole.contains("://"_L1) ? whole.indexOf(u'#') : -1;
    ModelChoice choice;
    choice.folder = chosen;
    choice.name = ModelPicker::tr("%1 (not found)")
                      .arg(server >= 0 ? whole.mid(server + 1) : pathText(chosen.filename()));
    choice.problem = server >= 0
        ? ModelPicker::tr("The server %1 has not been looked for: choose Find Running Servers in "
                          "the list, or choose "
                          "another model.")
              .arg(whole.left(server))
        : ModelPicker::tr("%1 is not there any more: put it back, or choose another model.")
              .arg(whole);
    return choice;
}

} // namespace

// Knows whether an item was chosen in the open list: arrow keys that pass over an entry must not
// trigger it.
class ModelList final : public QComboBox {
public:
    using QComboBox::QComboBox;
    void showPopup() override
    {
        m_open = true;
        QComboBox::showPopup();
    }
    void hidePopup() override
    {
        QComboBox::hidePopup();
        QMetaObject::invokeMethod(
            this, [this] { m_open = false; }, Qt::QueuedConnection);
    }
    bool open() const { return m_open; }

private:
    bool m_open = false;
};

ModelPicker::ModelPicker(std::vector<std::filesystem::path> bundledFolders, QWidget* parent)
    : QWidget(parent)
    , m_bundledFolders(std::move(bundledFolders))
    , m_combo(named(new ModelList(this), u"modelCombo"_s, tr("Model")))
    , m_servers(new ServerFinder(this))
    , m_facts(wrapped(named(new QLabel(this), u"modelFacts"_s)))
{
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(kVisibleCharacters);
    m_combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_combo->setMaxVisibleItems(20);
    addEntry(tr("Another Model Folder…"), u"browseFolder"_s,
             [this] { browse(QFileDialog::Directory); });
    addEntry(tr("Another GGUF File…"), u"browseFile"_s,
             [this] { browse(QFileDialog::ExistingFile); });
    addEntry(tr("Find Running Servers"), u"findServers"_s, [this] {
        m_facts->setText(tr("Looking for servers…"));
        m_servers->look();
    });
    addEntry(tr("Record a Command…"), u"liveRecord"_s, [this] { Q_EMIT recordRequested(); });

    auto* layout = flush(inColumn(this, {m_combo, m_facts}));
    layout->setSpacing(kHalfGrid);

    showCurrent();
    connect(m_servers, &ServerFinder::found, this, &ModelPicker::takeServers);
    connect(m_combo, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index >= static_cast<int>(m_choices.size()))
            return; // an entry: see choiceMade()
        m_last = index;
        showCurrent();
        Q_EMIT changed();
    });
    connect(m_combo, &QComboBox::activated, this, &ModelPicker::choiceMade);
}

void ModelPicker::addEntry(const QString& text, const QString& name,
                           const std::function<void()>& reaction)
{
    auto* action = named(new QAction(text, this), name);
    connect(action, &QAction::triggered, this, reaction);
    m_entries.push_back(action);
}

void ModelPicker::choiceMade(int index)
{
    const int models = static_cast<int>(m_choices.size());
    if (index < models) {
        m_chosen = m_choices[static_cast<std::size_t>(index)].folder;
        return;
    }
    {
        const QSignalBlocker quiet(m_combo);
        m_combo->setCurrentIndex(m_last);
    }
    if (m_combo->open()) // after the models, there is a separator
        m_entries[static_cast<std::size_t>(index - models - 1)]->trigger();
}

void ModelPicker::search(const std::vector<std::filesystem::path>& folders,
                         const std::filesystem::path& chosen)
{
    m_chosen = chosen;
    m_search.start(
        [bundled = m_bundledFolders, folders, chosen] {
            std::vector<ModelChoice> found = findModels(bundled, folders);
            const bool known =
                std::any_of(found.begin(), found.end(), [&chosen](const ModelChoice& choice) {
                    return choice.folder == chosen;
                });
            std::error_code ignored;
            if (!chosen.empty() && !known)
                found.push_back(std::filesystem::exists(chosen, ignored)
                                    ? inspectModels(chosen).front()
                                    : goneChoice(chosen));
            return found;
        },
        [this](std::vector<ModelChoice> found) { fill(std::move(found)); });
}

void ModelPicker::fill(std::vector<ModelChoice> choices)
{
    m_searched = true;
    // Servers belong to no folder, so a search of folders keeps their models.
    if (std::none_of(choices.begin(), choices.end(),
                     [](const ModelChoice& choice) { return choice.server.has_value(); })) {
        std::copy_if(m_choices.begin(), m_choices.end(), std::back_inserter(choices),
                     [](const ModelChoice& choice) { return choice.server.has_value(); });
    }
    // Keeps a model that was chosen during the search, from a folder that the search does not
    // include.
    const auto isChosen = [this](const ModelChoice& choice) { return choice.folder == m_chosen; };
    if (std::none_of(choices.begin(), choices.end(), isChosen)) {
        const auto own = std::find_if(m_choices.begin(), m_choices.end(), isChosen);
        if (own != m_choices.end())
            choices.push_back(std::move(*own));
    }
    {
        const QSignalBlocker quiet(m_combo);
        m_combo->clear();
        m_choices.clear();
        int index = -1;
        for (ModelChoice& choice : choices) {
            // Selects the first loadable model, unless the chosen one is found.
            if (choice.folder == m_chosen || (index < 0 && choice.problem.isEmpty()))
                index = static_cast<int>(m_choices.size());
            add(std::move(choice));
        }
        m_combo->insertSeparator(m_combo->count());
        for (const QAction* entry : m_entries)
            m_combo->addItem(entry->text());
        m_last = index < 0 && !m_choices.empty() ? 0 : index;
        m_combo->setCurrentIndex(m_last);
    }
    showCurrent();
    Q_EMIT changed();
}

// Adds the servers' models after those in folders; a new search replaces them.
void ModelPicker::takeServers(const std::vector<ModelChoice>& models, const QString& problem)
{
    std::erase_if(m_choices, [](const ModelChoice& choice) { return choice.server.has_value(); });
    std::vector<ModelChoice> all = m_choices;
    all.insert(all.end(), models.begin(), models.end());
    if (!models.empty())
        m_chosen = models.front().folder;
    fill(std::move(all));
    if (!problem.isEmpty())
        m_facts->setText(problem);
}

void ModelPicker::add(ModelChoice choice)
{
    const QString name = choice.displayName();
    m_choices.push_back(std::move(choice));
    const int index = static_cast<int>(m_choices.size()) - 1;
    m_combo->insertItem(index, name);
    m_combo->setItemData(index, richText(pathText(m_choices.back().folder)), Qt::ToolTipRole);
}

bool ModelPicker::select(const std::filesystem::path& folder)
{
    const auto own = std::ranges::find(m_choices, folder, &ModelChoice::folder);
    if (own == m_choices.end())
        return false;
    m_combo->setCurrentIndex(static_cast<int>(own - m_choices.begin()));
    return true;
}

void ModelPicker::choose(const std::filesystem::path& folder)
{
    m_chosen = folder;
    if (select(folder))
        return;
    m_inspect.start([folder] { return inspectModels(folder); },
                    [this](std::vector<ModelChoice> found) {
                        const std::filesystem::path first = found.front().folder;
                        for (ModelChoice& choice : found) {
                            if (std::ranges::find(m_choices, choice.folder, &ModelChoice::folder)
                                == m_choices.end()) // the search may have found it by now
                                add(std::move(choice));
                        }
                        m_chosen = first;
                        select(first);
                    });
}

const ModelChoice* ModelPicker::current() const
{
    return m_last < 0 ? nullptr : &m_choices[static_cast<std::size_t>(m_last)];
}

void ModelPicker::browse(QFileDialog::FileMode mode)
{
    const bool folders = mode == QFileDialog::Directory;
    auto* dialog = makeFileDialog(
        this, folders ? tr("Choose a Model Folder") : tr("Choose a GGUF File"), u"modelDialog"_s);
    dialog->setFileMode(mode);
    dialog->setOption(QFileDialog::ShowDirsOnly, folders);
    if (!folders)
        dialog->setNameFilter(tr("GGUF models (*.gguf)"));
    if (current() && !current()->bundled) // bundled models are among the files of the program
        dialog->setDirectory(QFileInfo(pathText(current()->folder)).absolutePath());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
        const QString whole = QFileInfo(chosen).absoluteFilePath();
        choose(toPath(whole));
        Q_EMIT browsed(whole);
    });
    dialog->open();
}

void ModelPicker::showCurrent()
{
    const ModelChoice* choice = current();
    QPalette palette;
    if (!m_searched) {
        m_facts->setText(tr("Looking for models…"));
    } else if (!choice) {
        m_facts->setText(tr(
            "No models found. Choose a model's folder or GGUF file in the list, or drop it here."));
    } else if (choice->problem.isEmpty()) {
        m_facts->setText(choice->facts);
    } else {
        m_facts->setText(choice->problem);
        palette.setColor(QPalette::WindowText, Theme::fromPalette(this->palette()).error);
    }
    m_facts->setPalette(palette);
    m_combo->setToolTip(choice ? richText(pathText(choice->folder)) : QString());
}

std::optional<std::filesystem::path> ModelPicker::droppedModel(const QMimeData& data)
{
    if (!data.hasUrls() || data.urls().size() != 1 || !data.urls().first().isLocalFile())
        return std::nullopt;
    const QFileInfo info(data.urls().first().toLocalFile());
    if (info.isDir() || info.suffix() == "gguf"_L1)
        return toPath(info.absoluteFilePath());
    if (info.suffix() == "safetensors"_L1 || info.fileName() == "config.json"_L1)
        return toPath(info.absolutePath());
    return std::nullopt;
}

void ModelPicker::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showCurrent();
}

} // namespace ep::ui
