// SPDX-License-Identifier: MIT
/// @file
/// The suite every backend passes, on this one.
#include "LogBackend.h"

#include <filesystem>

#include <conformance/backend/BackendConformance.h>

namespace octostore::test
{

namespace
{

class LogUnderTest final : public StoreUnderTest
{
public:
    LogUnderTest()
    {
        std::string name = (std::filesystem::temp_directory_path() / "log-XXXXXX").string();
        const int descriptor = ::mkstemp(name.data());
        ::close(descriptor);
        _file = name;
    }
    ~LogUnderTest() override { std::filesystem::remove(_file); }
    std::unique_ptr<backend::Backend> open() override
    {
        return *logbackend::LogBackend::open(_file);
    }

private:
    std::string _file;
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Log, BackendConformance,
                         ::testing::Values(BackendUnderTest{
                             "log", [] { return std::make_unique<LogUnderTest>(); }}));

} // namespace octostore::test
