// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileDialog>
#include <QFileSystemModel>

namespace ep::test {

// Whether one of Qt's own dialogs has found the icons and types of all files in this folder.
inline bool isListed(const QFileDialog& dialog, const QString& folder)
{
    const auto* model = dialog.findChild<QFileSystemModel*>();
    const QModelIndex root = model->index(folder);
    const int rows = model->rowCount(root);
    for (int row = 0; row < rows; ++row) {
        if (model->type(model->index(row, 0, root)).isEmpty())
            return false;
    }
    return rows > 0;
}

} // namespace ep::test
