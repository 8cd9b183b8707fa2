// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/path_opener.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/powerlog/read.h"
#include "ep/store/store.h"
#include "ep/ui/rich_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QUrl>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

bool isModel(const QDir& folder)
{
    return folder.exists(u"config.json"_s);
}

bool holdsModels(const QDir& folder)
{
    const QStringList names = folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString& name : names) {
        if (isModel(QDir(folder.filePath(name))))
            return true;
    }
    return false;
}

bool isRunFile(const QFileInfo& info)
{
    if (info.suffix() == "eprun"_L1)
        return true;
    if (store::isDatabase(toPath(info.filePath())))
        return true;
    QFile file(info.filePath());
    return info.isFile() && info.suffix() == "json"_L1 && file.open(QIODevice::ReadOnly)
        && file.read(64).contains("energy-profiler-run");
}

} // namespace

PathKind kindOf(const QString& path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return PathKind::Missing;
    if (info.isDir()) {
        const QDir folder(path);
        return isModel(folder)    ? PathKind::Model
            : holdsModels(folder) ? PathKind::ModelsFolder
                                  : PathKind::Other;
    }
    if (info.fileName() == "config.json"_L1 || info.suffix() == "safetensors"_L1)
        return isModel(info.dir()) ? PathKind::Model : PathKind::Other;
    if (isRunFile(info))
        return PathKind::RunFile;
    return info.isFile() && powerlog::isRecording(toPath(path)) ? PathKind::PowerLog
                                                                : PathKind::Other;
}

std::optional<QString> droppedPath(const QMimeData& data)
{
    if (!data.hasUrls() || data.urls().size() != 1 || !data.urls().first().isLocalFile())
        return std::nullopt;
    const QString path = QFileInfo(data.urls().first().toLocalFile()).absoluteFilePath();
    const PathKind kind = kindOf(path);
    if (kind == PathKind::Missing || kind == PathKind::Other)
        return std::nullopt;
    return path;
}

QStringList withRecent(QStringList files, const QString& file)
{
    files.removeAll(file);
    files.prepend(file);
    return files.mid(0, kMaxRecentFiles);
}

void fillRecentMenu(QMenu& menu, const QStringList& files, QObject* context,
                    const std::function<void(const QString&)>& chosen,
                    const std::function<void()>& cleared)
{
    menu.clear();
    int number = 0;
    for (const QString& file : files) {
        ++number;
        QString name = QFileInfo(file).fileName();
        name.replace(u'&', u"&&"_s);
        const QString text = number < 10 ? u"&%1 %2"_s.arg(number).arg(name) : name;
        QAction* action = named(menu.addAction(text), u"actionRecent%1"_s.arg(number));
        action->setMenuRole(QAction::NoRole);
        action->setToolTip(richText(file));
        QObject::connect(action, &QAction::triggered, context, [chosen, file] { chosen(file); });
    }
    menu.addSeparator();
    QAction* clear = named(menu.addAction(translated("&Clear List")), u"actionClearRecent"_s);
    clear->setMenuRole(QAction::NoRole);
    QObject::connect(clear, &QAction::triggered, context, cleared);
}

} // namespace ep::ui
