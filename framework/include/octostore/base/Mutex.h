// SPDX-License-Identifier: MIT
/// @file
/// A mutex whose use clang checks (-Wthread-safety); the macros are empty elsewhere.
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define OCTOSTORE_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define OCTOSTORE_THREAD_ANNOTATION(x)
#endif
#define OCTOSTORE_CAPABILITY(x) OCTOSTORE_THREAD_ANNOTATION(capability(x))
#define OCTOSTORE_SCOPED_CAPABILITY OCTOSTORE_THREAD_ANNOTATION(scoped_lockable)
#define OCTOSTORE_GUARDED_BY(x) OCTOSTORE_THREAD_ANNOTATION(guarded_by(x))
#define OCTOSTORE_REQUIRES(...) OCTOSTORE_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define OCTOSTORE_EXCLUDES(...) OCTOSTORE_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define OCTOSTORE_ACQUIRE(...) OCTOSTORE_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define OCTOSTORE_RELEASE(...) OCTOSTORE_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define OCTOSTORE_NO_THREAD_SAFETY_ANALYSIS OCTOSTORE_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace octostore
{

/// Thread-safety: thread-safe.
class OCTOSTORE_CAPABILITY("mutex") Mutex
{
public:
    void lock() OCTOSTORE_ACQUIRE() { _mutex.lock(); }
    void unlock() OCTOSTORE_RELEASE() { _mutex.unlock(); }

private:
    friend class MutexLock;
    std::mutex _mutex;
};

/// Holds a Mutex for a scope; can wait for a condition.
class OCTOSTORE_SCOPED_CAPABILITY MutexLock
{
public:
    explicit MutexLock(Mutex& mutex) OCTOSTORE_ACQUIRE(mutex) : _lock(mutex._mutex) {}
    ~MutexLock() OCTOSTORE_RELEASE() = default;
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

    /// Releases the mutex while it waits. May wake for no reason: check the condition in a loop.
    void wait(std::condition_variable& condition) { condition.wait(_lock); }
    /// As wait(), but returns false once `timeout` is over. Only for what may be late.
    template <class Duration>
    bool waitFor(std::condition_variable& condition, Duration timeout)
    {
        return condition.wait_for(_lock, timeout) == std::cv_status::no_timeout;
    }

private:
    std::unique_lock<std::mutex> _lock;
};

} // namespace octostore
