// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/hush_qt.h"

#include <QString>

#include <cstdio>
#include <cstdlib>

namespace kvplan {

namespace {

constexpr int badInput = 2;

void hush(QtMsgType type, const QMessageLogContext&, const QString&)
{
    if (type == QtFatalMsg) {
        std::fputs("kvplan: error: the window cannot be opened, there is no display; set DISPLAY or WAYLAND_DISPLAY, "
                   "or use a verb: kvplan --help lists them\n",
            stderr);
        std::_Exit(badInput);
    }
}

} // namespace

HushQt::HushQt()
    : m_before(qInstallMessageHandler(hush))
{
}

HushQt::~HushQt()
{
    qInstallMessageHandler(m_before);
}

} // namespace kvplan
