// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace kvplan::cli {

/// Turns Ctrl-C and SIGTERM into a stop that is asked for, as long as it lives. Make it before other threads start:
/// they inherit that the signals are left to it.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

    /// The signal that came, or 0.
    int signal() const { return m_signal; }

private:
    sigset_t m_before{};
    std::stop_source m_stop;
    std::atomic<int> m_signal = 0;
    std::jthread m_watcher;
};

} // namespace kvplan::cli
