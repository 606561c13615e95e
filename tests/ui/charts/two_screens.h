// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

/// Makes Qt's offscreen platform have two screens side by side, the second with twice the pixels. Lives as long as the
/// program and is made before its QApplication.
class TwoScreens {
public:
    TwoScreens()
    {
        QFile file(m_folder.filePath(QStringLiteral("screens.json")));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(R"({"synchronousWindowSystemEvents": true, "windowFrameMargins": false, "screens": [
                {"name": "one", "x": 0, "y": 0, "width": 3840, "height": 2160, "logicalDpi": 96, "logicalBaseDpi": 96,
                 "dpr": 1},
                {"name": "two", "x": 3840, "y": 0, "width": 7680, "height": 4320, "logicalDpi": 192,
                 "logicalBaseDpi": 96, "dpr": 1}]})");
            file.close();
            qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toUtf8());
        }
        qunsetenv("QT_FONT_DPI");
        qunsetenv("QT_SCALE_FACTOR");
    }

private:
    QTemporaryDir m_folder;
};
