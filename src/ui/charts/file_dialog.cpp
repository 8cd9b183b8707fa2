// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/file_dialog.h"

#include "ep/ui/terms.h"

#include <QDir>
#include <QFileIconProvider>
#include <QMessageBox>
#include <QMimeDatabase>
#include <QSaveFile>

#include <utility>

namespace ep::ui {

namespace {

class IconsByName final : public QFileIconProvider {
public:
    using QFileIconProvider::icon;

    QIcon icon(const QFileInfo& info) const override
    {
        if (info.isRoot())
            return icon(Drive);
        if (info.isDir())
            return icon(Folder);
        const QMimeType type = typeOf(info);
        return QIcon::fromTheme(type.iconName(),
                                QIcon::fromTheme(type.genericIconName(), icon(File)));
    }

    QString type(const QFileInfo& info) const override
    {
        return info.isDir() ? QFileIconProvider::type(info) : typeOf(info).comment();
    }

private:
    QMimeType typeOf(const QFileInfo& info) const
    {
        return m_types.mimeTypeForFile(info.fileName(), QMimeDatabase::MatchExtension);
    }

    QMimeDatabase m_types;
};

std::function<Status(const QString&)>& savedFileCheck()
{
    static std::function<Status(const QString&)> check;
    return check;
}

class FileDialog final : public QFileDialog {
public:
    using QFileDialog::QFileDialog;

protected:
    void accept() override
    {
        const bool replaces =
            acceptMode() == AcceptSave && !testOption(QFileDialog::DontConfirmOverwrite);
        const QStringList files = selectedFiles();
        if (replaces && !files.isEmpty() && savedFileCheck()) {
            if (const Status replaceable = savedFileCheck()(files.front()); !replaceable) {
                auto* box =
                    new QMessageBox(QMessageBox::Warning, windowTitle(),
                                    term(replaceable.error().message), QMessageBox::Ok, this);
                box->setObjectName(QStringLiteral("savedFileProblem"));
                box->setAttribute(Qt::WA_DeleteOnClose);
                box->open();
                return;
            }
        }
        QFileDialog::accept();
    }
};

} // namespace

void checkSavedFiles(std::function<Status(const QString& file)> isReplaceable)
{
    savedFileCheck() = std::move(isReplaceable);
}

QFileDialog* makeFileDialog(QWidget* parent, const QString& title, const QString& objectName,
                            const QString& folder)
{
    static auto* const icons = new IconsByName; // outlives the static objects
    static QString lastFolder;
    // The constructor starts to list its folder before the icons can be set, so it first gets a
    // folder without the user's databases.
    auto* dialog = new FileDialog(parent, title, QDir::rootPath());
    dialog->setIconProvider(icons);
    const QString usual = lastFolder.isEmpty() ? QDir::currentPath() : lastFolder;
    const QString start = folder.isEmpty() ? usual : folder;
    // The folder may not exist, because some users have no documents folder.
    dialog->setDirectory(QFileInfo(start).isDir() ? start : QDir::homePath());
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog,
                     [dialog] { lastFolder = dialog->directory().absolutePath(); });
    dialog->setObjectName(objectName);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

std::optional<QString> writeWhole(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return std::nullopt;
    return file.errorString();
}

} // namespace ep::ui
