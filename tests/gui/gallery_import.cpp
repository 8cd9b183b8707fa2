// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery_import.h"

#include "support/folders.h"

#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTest>

namespace ep::test {

using namespace Qt::Literals::StringLiterals;

QDialog* openImportOfPower(QWidget& window, const QString& folder)
{
    QFile requests(folder + u"/requests.csv"_s);
    if (!requests.open(QIODevice::WriteOnly))
        return nullptr;
    requests.write("start,first_token,end,tokens_in,cached,out\n"
                   "2026-11-25T07:35:43Z,2026-11-25T07:35:44.2Z,2026-11-25T07:35:49Z,512,0,200\n");
    requests.close();
    QMimeData data;
    data.setUrls(
        {QUrl::fromLocalFile(QString::fromStdString(test::dataPath("powerlog/base.csv")))});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);
    constexpr int kPatienceMs = 30'000;
    QDialog* dialog = nullptr;
    const auto isThere = [&] {
        dialog = window.findChild<QDialog*>(u"importPowerDialog"_s);
        return dialog != nullptr;
    };
    if (!QTest::qWaitFor(isThere, kPatienceMs))
        return nullptr;
    auto* import = dialog->findChild<QPushButton*>(u"powerImport"_s);
    const auto ready = [import] { return import->isEnabled(); };
    if (!QTest::qWaitFor(ready, kPatienceMs))
        return nullptr;
    dialog->findChild<QLineEdit*>(u"powerRequests"_s)->setText(requests.fileName());
    dialog->findChild<QPushButton*>(u"powerRead"_s)->click();
    QTest::qWait(200);
    return QTest::qWaitFor(ready, kPatienceMs) ? dialog : nullptr;
}

} // namespace ep::test
