// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/open_window.h"

#include "ui/window/main_window.h"

#include <QApplication>

#include <cstdio>
#include <cstdlib>

namespace kvplan {

namespace {

constexpr int badInput = 2;

/// Stands in while the platform is looked for: Qt ends the process with an abort where there is none, and this says
/// what to do instead.
void whileStarting(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (type == QtFatalMsg) {
        std::fputs(
            "kvplan: error: the window cannot be opened, there is no display; set DISPLAY or WAYLAND_DISPLAY, or "
            "use a verb: kvplan --help lists them\n",
            stderr);
        std::_Exit(badInput);
    }
    if (qstrncmp(context.category, "qt.qpa", 6) != 0) {
        std::fprintf(stderr, "%s\n", qUtf8Printable(message));
    }
}

} // namespace

int openWindow(int argc, char* argv[])
{
    const QtMessageHandler usual = qInstallMessageHandler(whileStarting);
    const QApplication application(argc, argv);
    qInstallMessageHandler(usual);
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
