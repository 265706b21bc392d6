// SPDX-License-Identifier: MIT
/// @file
/// A fault plan that a test and the server it started share.
#pragma once

#include "FaultPlan.h"

#include <octostore/base/Assert.h>

#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace octostore::test
{

/// In a file, which is made when it is not there. Thread-safety: as FaultPlan.
class SharedPlan
{
public:
    explicit SharedPlan(const std::string& path)
    {
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        OCTOSTORE_ASSERT(file >= 0 && ::ftruncate(file, sizeof(FaultPlan)) == 0);
        void* const place =
            ::mmap(nullptr, sizeof(FaultPlan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        OCTOSTORE_ASSERT(place != MAP_FAILED);
        ::close(file);
        // A new file is all zeros: a plan without a fault.
        _plan = static_cast<FaultPlan*>(place);
    }
    ~SharedPlan() { ::munmap(_plan, sizeof(FaultPlan)); }
    SharedPlan(const SharedPlan&) = delete;
    SharedPlan& operator=(const SharedPlan&) = delete;

    FaultPlan& operator*() { return *_plan; }
    FaultPlan* operator->() { return _plan; }

private:
    FaultPlan* _plan = nullptr;
};

} // namespace octostore::test
