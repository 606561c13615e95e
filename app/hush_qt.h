// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace kvplan {

/// Keeps Qt's own remarks off standard error as long as it lives. Where Qt would abort because there is no display, the
/// process says what to do and ends with exit code 2.
class HushQt {
public:
    HushQt();
    ~HushQt();
    HushQt(const HushQt&) = delete;
    HushQt& operator=(const HushQt&) = delete;

private:
    QtMessageHandler m_before;
};

} // namespace kvplan
