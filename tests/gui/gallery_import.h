// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QString;
class QWidget;

namespace ep::test {

// Opens the dialog for a power recording dropped on the window, after it has read the recording
// and one request (written to a file in `folder`). Null if that fails.
QDialog* openImportOfPower(QWidget& window, const QString& folder);

} // namespace ep::test
