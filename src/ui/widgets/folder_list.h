// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QListWidget;

namespace ep::ui {

// A list of folders that users can edit.
class FolderList : public QWidget {
    Q_OBJECT

public:
    FolderList(const QStringList& folders, QWidget* parent = nullptr);

    QStringList folders() const;

Q_SIGNALS:
    void changed();

private:
    void browse();

    QListWidget* m_list;
};

} // namespace ep::ui
