// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/model_search.h"
#include "repository/latest_job.h"

#include "ep/ui/file_dialog.h"

#include <QWidget>

#include <functional>
#include <optional>

class QAction;
class QLabel;
class QMimeData;

namespace ep::ui {

class ModelList;
class ServerFinder;

// Selects a model's folder or GGUF file: bundled models, those in the usual and the user's
// folders, or any other by dropping it on the page. The list ends with what else can be measured:
// models elsewhere, servers, commands. Describes the model, or says why it cannot be loaded.
class ModelPicker : public QWidget {
    Q_OBJECT

public:
    ModelPicker(std::vector<std::filesystem::path> bundledFolders, QWidget* parent = nullptr);

    // Searches for models again; selects `chosen` if it is found, or is a model itself.
    void search(const std::vector<std::filesystem::path>& folders,
                const std::filesystem::path& chosen);
    // Adds the folder if it is not in the list. If it has several models, chooses the first.
    void choose(const std::filesystem::path& folder);
    // The dropped folder or GGUF file, or the folder of any other dropped file of a model.
    static std::optional<std::filesystem::path> droppedModel(const QMimeData& data);

    const ModelChoice* current() const; // null if there is none
    bool searching() const { return !m_searched; } // the first search has not ended
    // A usable model is selected.
    bool loadable() const { return current() && current()->problem.isEmpty(); }
    const std::vector<ModelChoice>& choices() const { return m_choices; }

Q_SIGNALS:
    void changed();
    void browsed(const QString& folder); // by the user, to be stored
    void recordRequested(); // a command instead of a model

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill(std::vector<ModelChoice> choices);
    void takeServers(const std::vector<ModelChoice>& models, const QString& problem);
    bool select(const std::filesystem::path& folder); // false: it is not in the list
    void add(ModelChoice choice);
    void addEntry(const QString& text, const QString& name, const std::function<void()>& reaction);
    void choiceMade(int index);
    void browse(QFileDialog::FileMode mode);
    void showCurrent();

    std::vector<std::filesystem::path> m_bundledFolders;
    std::filesystem::path m_chosen; // requested last
    std::vector<ModelChoice> m_choices; // in the order of the combo box
    bool m_searched = false;
    int m_last = -1; // the chosen model of the combo box
    ModelList* m_combo; // the models, a separator, the entries
    std::vector<QAction*> m_entries;
    ServerFinder* m_servers;
    QLabel* m_facts;
    LatestJob m_search;
    LatestJob m_inspect;
};

} // namespace ep::ui
