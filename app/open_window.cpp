// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/open_window.h"

#include "app/hush_qt.h"
#include "ui/window/main_window.h"

#include <QApplication>

#include <optional>

namespace kvplan {

int openWindow(int argc, char* argv[])
{
    std::optional<HushQt> hush(std::in_place);
    const QApplication application(argc, argv);
    hush.reset();
    QCoreApplication::setApplicationName("kvplan");
    QCoreApplication::setApplicationVersion(KVPLAN_VERSION);

    MainWindow window;
    window.show();
    for (const QString& file : QCoreApplication::arguments().mid(1)) {
        window.openFile(file);
    }
    return QApplication::exec();
}

} // namespace kvplan
