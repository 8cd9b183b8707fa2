// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <filesystem>

namespace ep::ui {

// Versions, licences of the program and its components, and the location of the runs.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    AboutDialog(const std::filesystem::path& database, QWidget* parent);
};

} // namespace ep::ui
