// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QString;
class QWidget;

namespace ep::test {

// The dialog that a recording of power opens when it is dropped on the window, after it has read
// the recording and one request (a file that is written to `folder`). Null if that fails.
QDialog* openImportOfPower(QWidget& window, const QString& folder);

} // namespace ep::test
