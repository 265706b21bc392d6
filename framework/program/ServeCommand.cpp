// SPDX-License-Identifier: MIT
#include "ServeCommand.h"

#include "Allocator.h"
#include "CommitPulse.h"
#include "DescriptorLimit.h"
#include "ExitCode.h"
#include "Notify.h"
#include "Server.h"
#include "ServerOptions.h"
#include "Signals.h"

#include <Poco/Util/ServerApplication.h>

#include <array>
#include <csignal>
#include <iostream>
#include <utility>

namespace octostore::program
{

namespace
{

/// Keeps what crashes do. Poco's applications turn SIGSEGV and the like into exceptions; a process
/// that has gone wrong must end, with a core that shows where.
class CrashSignals
{
public:
    CrashSignals()
    {
        for (std::size_t i = 0; i < _signals.size(); ++i)
            sigaction(_signals[i], nullptr, &_actions[i]);
    }
    void restore() const
    {
        for (std::size_t i = 0; i < _signals.size(); ++i)
            sigaction(_signals[i], &_actions[i], nullptr);
    }

private:
    static constexpr std::array _signals{SIGILL, SIGBUS, SIGSEGV, SIGSYS};
    std::array<struct sigaction, _signals.size()> _actions{};
};

/// Poco's application gives the process its name, its paths and its subsystems; options and
/// signals are ours.
class ServeApplication final : public Poco::Util::ServerApplication
{
public:
    explicit ServeApplication(config::Sources sources) : _sources(std::move(sources)) {}

protected:
    int main(const std::vector<std::string>& /*arguments*/) override
    {
        Settings settings(_sources, Settings::Log::Configured);
        // Whatever is wrong: a server that leaves out the plugin that finds it is not protected.
        const Settings::Problems problems = settings.reasonsNotToStart();
        for (const config::Problem& problem : problems)
            std::cerr << "octostore: " << problem.toString() << "\n";
        if (!problems.empty())
            return ExitConfiguration;
        return serveWith(settings);
    }

private:
    static int serveWith(Settings& settings);

    const config::Sources _sources;
};

int waitForTheEnd(Server& server, Wishes& wishes, CommitPulse& pulse, const Notify& notify,
                  const Logger& logger)
{
    while (true)
    {
        const Wish wish = wishes.wait();
        if (wish != Wish::Reload)
        {
            logger.info("stopping");
            notify.stopping();
            pulse.stop();
            server.stop();
            logger.info("stopped");
            return wish == Wish::GiveUp ? ExitFailure : ExitOk;
        }
        notify.reloading();
        if (auto reloaded = server.reload(); !reloaded)
            logger.error("the configuration was not taken; the old one stays",
                         {{"reason", reloaded.error().message}});
        else
            logger.info("the configuration was read again");
        notify.ready("Serving on " + server.address());
    }
}

int ServeApplication::serveWith(Settings& settings)
{
    const Logger logger = settings.log().logger("server");
    for (const config::Problem& warning : settings.warnings())
        logger.warning(warning.toString());
    logger.info("descriptors", {{"limit", raiseDescriptorLimit()}});

    Wishes wishes;
    const Signals signals(wishes, logger);
    const Notify notify = Notify::fromEnvironment();
    Server server(settings, wishes);
    if (auto started = server.start(); !started)
    {
        logger.error("the server does not start: " + started.error().message);
        return started.error().code == ErrorCode::Configuration ? ExitConfiguration : ExitFailure;
    }
    giveBackFreeMemory();
    notify.ready("Serving on " + server.address());
    CommitPulse pulse(server.coordinator(), server.clock(), notify,
                      CommitPulse::intervalFromEnvironment());
    return waitForTheEnd(server, wishes, pulse, notify, logger);
}

const std::vector<Option> ownServeOptions = {{"help", 'h', "", "print this", false}};

} // namespace

std::vector<Option> serveOptions()
{
    return withServerOptions(ownServeOptions);
}

int serve(const Words& arguments)
{
    auto given = readServerOptions(arguments, ownServeOptions);
    if (!given)
        return usageError(given.error().message, "serve");
    if (given->options.has("help"))
    {
        std::cout << "The server.\n\nUsage: octostore serve [OPTIONS]\n\n"
                  << Options::describe(serveOptions());
        return ExitOk;
    }
    if (!given->options.arguments().empty())
        return usageError("serve takes no argument \"" + given->options.arguments().front() + "\"",
                          "serve");

    Signals::block();
    const CrashSignals crashSignals;
    ServeApplication application(std::move(given->sources));
    crashSignals.restore();
    // For a name without a slash Poco looks in PATH, which need not be set.
    return application.run(std::vector<std::string>{"./octostore"});
}

} // namespace octostore::program
