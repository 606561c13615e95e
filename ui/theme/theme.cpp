// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QDir>
#include <QFontDatabase>

#include <array>

// The typeface lies in a static library, whose resources register on request.
static void initTypeface()
{
    Q_INIT_RESOURCE(kvplan_typeface);
}

namespace kvplan {

namespace {

constexpr auto family = "Roboto";

struct Tone {
    Role role;
    QRgb light;
    QRgb dark;
};

// Okabe and Ito's palette, lifted for the dark ground; greys are neutral.
constexpr std::array<Tone, 17> tones{{
    {Role::Ground, 0xFFF6F7F5, 0xFF1B1E22},
    {Role::Card, 0xFFFFFFFF, 0xFF24282D},
    {Role::Edge, 0xFFDDE0E3, 0xFF3A4048},
    {Role::Grid, 0xFFECEEF0, 0xFF31373E},
    {Role::Text, 0xFF1B1F24, 0xFFE8EAED},
    {Role::QuietText, 0xFF5F6874, 0xFFA6AEB8},
    {Role::Cache, 0xFF0072B2, 0xFF4FA8E0},
    {Role::CacheDeep, 0xFF004B76, 0xFF2B7CB8},
    {Role::Fits, 0xFF008F68, 0xFF33C498},
    {Role::Limit, 0xFFD55E00, 0xFFF08A4B},
    {Role::LimitWash, 0xFFF4DACF, 0xFF4A332B},
    {Role::Estimate, 0xFFE69F00, 0xFFE6A81E},
    {Role::Taken, 0xFFB9BFC7, 0xFF5B646F},
    {Role::TakenDeep, 0xFF6B7783, 0xFF8D97A3},
    {Role::Series3, 0xFFB8578C, 0xFFD98BB5},
    {Role::Series4, 0xFF56B4E9, 0xFF7CC6F0},
    {Role::Point, 0xFF20242A, 0xFFF2F4F6},
}};

QFont typeface(double pixels, QFont::Weight weight)
{
    QFont font(QString::fromLatin1(family));
    font.setPixelSize(std::max(1, qRound(pixels)));
    font.setWeight(weight);
    return font;
}

} // namespace

QColor Theme::color(Role role) const
{
    const Tone& tone = tones[static_cast<std::size_t>(role)];
    return QColor::fromRgb(dark ? tone.dark : tone.light);
}

QPalette Theme::palette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, color(Role::Ground));
    palette.setColor(QPalette::Base, color(Role::Card));
    palette.setColor(QPalette::AlternateBase, color(Role::Ground));
    palette.setColor(QPalette::Button, color(Role::Card));
    palette.setColor(QPalette::ToolTipBase, color(Role::Card));
    for (const QPalette::ColorRole role :
        {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        palette.setColor(role, color(Role::Text));
    }
    palette.setColor(QPalette::PlaceholderText, color(Role::QuietText));
    palette.setColor(QPalette::Highlight, color(Role::Cache));
    palette.setColor(QPalette::HighlightedText, color(Role::Card));
    palette.setColor(QPalette::Link, color(Role::Cache));
    palette.setColor(QPalette::Mid, color(Role::Edge));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, color(Role::Taken));
    }
    return palette;
}

QFont Theme::tick() const
{
    return typeface(11 * typeScale, QFont::Normal);
}

QFont Theme::body() const
{
    return typeface(13 * typeScale, QFont::Normal);
}

QFont Theme::strong() const
{
    return typeface(13 * typeScale, QFont::Medium);
}

QFont Theme::title() const
{
    return typeface(15 * typeScale, QFont::Medium);
}

QFont Theme::verdict() const
{
    return typeface(22 * typeScale, QFont::Medium);
}

void loadTypeface()
{
    initTypeface();
    const QDir folder(QStringLiteral(":/kvplan/typeface"));
    for (const QString& file : folder.entryList()) {
        QFontDatabase::addApplicationFont(folder.filePath(file));
    }
    QFont::insertSubstitution(QString::fromLatin1(family), QStringLiteral("DejaVu Sans"));
}

} // namespace kvplan
