// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include <ctime>

namespace kvplan::cli {

namespace {

sigset_t watchedSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &signals, &m_before);
    m_watcher = std::jthread([this, signals](const std::stop_token& done) {
        constexpr timespec patience{0, 50'000'000};
        while (!done.stop_requested()) {
            const int received = sigtimedwait(&signals, nullptr, &patience);
            if (received > 0) {
                m_signal = received;
                m_stop.request_stop();
            }
        }
    });
}

Interrupt::~Interrupt()
{
    m_watcher.request_stop();
    m_watcher.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

} // namespace kvplan::cli
