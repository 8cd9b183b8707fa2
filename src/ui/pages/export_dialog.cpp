// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/export_dialog.h"

#include "text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileDialog>
#include <QRegularExpression>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString suggestedName(const RunInfo& run)
{
    static const QRegularExpression unsafe(u"[^A-Za-z0-9._-]+"_s);
    const QString date =
        QDateTime::fromMSecsSinceEpoch(run.created_at_ms).toString(u"yyyyMMdd-HHmmss"_s);
    QString name = toQString(run.model.name) + u'-' + date;
    return name.replace(unsafe, u"_"_s);
}

} // namespace

void exportWithDialog(QWidget& parent, RunRepository& repository, const RunInfo& run,
                      RunRepository::Format format)
{
    const bool json = format == RunRepository::Format::Json;
    auto* dialog =
        new QFileDialog(&parent,
                        json ? QCoreApplication::translate("ep::ui", "Export Run as JSON")
                             : QCoreApplication::translate("ep::ui", "Export Run as CSV Tables"));
    dialog->setObjectName(u"exportDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (json) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setNameFilter(QCoreApplication::translate("ep::ui", "JSON (*.json)"));
        dialog->setDefaultSuffix(u"json"_s);
        dialog->selectFile(suggestedName(run) + u".json"_s);
    } else {
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        dialog->setLabelText(QFileDialog::Accept,
                             QCoreApplication::translate("ep::ui", "Export Here"));
    }
    QObject::connect(dialog, &QFileDialog::fileSelected, &repository,
                     [&repository, id = toQString(run.id), format, json,
                      folder = suggestedName(run)](const QString& path) {
                         repository.exportRun(id, format, json ? path : path + u'/' + folder);
                     });
    dialog->open();
}

} // namespace ep::ui
