// SPDX-License-Identifier: MIT
/// @file
/// What starting the real program as a child takes: its file, its environment, pointers for exec.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace octostore::test
{

/// What ctest says in OCTOSTORE_TEST_PROGRAM, else bin/octostore of this test's build directory.
inline std::string programFile()
{
    if (const char* program = std::getenv("OCTOSTORE_TEST_PROGRAM"); program != nullptr)
        return program;
    const auto test = std::filesystem::read_symlink("/proc/self/exe");
    return (test.parent_path().parent_path() / "bin" / "octostore").string();
}

/// `variables`, and of this process's own those that any program or a sanitizer needs: nothing that
/// the program would take for its configuration.
inline std::vector<std::string>
childEnvironment(const std::map<std::string, std::string>& variables)
{
    std::vector<std::string> result;
    for (const char* name : {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH",
                             "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"})
    {
        if (const char* value = std::getenv(name); value != nullptr && variables.count(name) == 0)
            result.push_back(std::string(name) + "=" + value);
    }
    for (const auto& [name, value] : variables)
        result.push_back(name + "=" + value);
    // The leak check of clang 14 crashes in one of some thousand children ("Tracer caught signal
    // 11"); ProgramEndTest asks for it.
    if (variables.count("LSAN_OPTIONS") == 0 && std::getenv("LSAN_OPTIONS") == nullptr)
        result.push_back("LSAN_OPTIONS=detect_leaks=0");
    return result;
}

/// As exec takes them; they point into `words`.
inline std::vector<char*> pointersTo(std::vector<std::string>& words)
{
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace octostore::test
