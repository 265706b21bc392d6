// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>
#include <octostore/bench/Report.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace octostore::bench
{

namespace
{

struct Quantile
{
    const char* label;
    const char* key;
    double share;
};

constexpr std::array<Quantile, 4> quantiles{{{"p50", "p50_us", 0.5},
                                             {"p90", "p90_us", 0.9},
                                             {"p99", "p99_us", 0.99},
                                             {"p99.9", "p999_us", 0.999}}};

double seconds(Duration duration)
{
    return std::chrono::duration<double>(duration).count();
}

double microseconds(Duration duration)
{
    return std::chrono::duration<double, std::micro>(duration).count();
}

double perSecond(std::uint64_t count, Duration measured)
{
    return measured.count() > 0 ? static_cast<double>(count) / seconds(measured) : 0;
}

std::string row(std::string_view name, const OperationResult& operation, Duration measured)
{
    const Histogram& latency = operation.latency;
    std::string text = fmt::format("{:<8} {:>10} {:>10.0f}/s", name, latency.count(),
                                   perSecond(latency.count(), measured));
    for (const Quantile& quantile : quantiles)
        text += fmt::format(" {:>11}", readable(latency.quantile(quantile.share)));
    text += fmt::format(" {:>11}", readable(latency.most()));
    if (operation.busy != 0)
        text += fmt::format("  ({} busy)", operation.busy);
    return text + "\n";
}

/// One line for each power of two that has anything.
std::string distribution(const Histogram& latency)
{
    constexpr double width = 50;
    std::string text;
    Duration from(-1);
    for (Duration to(1000); from < latency.most(); from = to, to *= 2)
    {
        const std::uint64_t count = latency.between(from, to);
        if (count == 0)
            continue;
        const double share = static_cast<double>(count) / static_cast<double>(latency.count());
        text += fmt::format("  up to {:>9} {:>10} {:>6.2f} %  ", readable(to), count, share * 100);
        text +=
            std::string(std::max<std::size_t>(1, static_cast<std::size_t>(share * width)), '#') +
            "\n";
    }
    return text;
}

Histogram together(const LoadResult& result)
{
    Histogram all;
    for (const OperationResult& operation : result.operations)
        all.add(operation.latency);
    return all;
}

void writeOperation(JsonWriter& json, const OperationResult& operation, Duration measured)
{
    const Histogram& latency = operation.latency;
    json.beginObject()
        .field("count", latency.count())
        .field("per_second", perSecond(latency.count(), measured))
        .field("busy", operation.busy)
        .field("mean_us", microseconds(latency.mean()));
    for (const Quantile& quantile : quantiles)
        json.field(quantile.key, microseconds(latency.quantile(quantile.share)));
    json.field("max_us", microseconds(latency.most())).endObject();
}

} // namespace

std::string readable(Duration duration)
{
    const double us = microseconds(duration);
    if (us < 1)
        return fmt::format("{} ns", duration.count());
    if (us < 1000)
        return fmt::format("{:.3g} us", us);
    if (us < 1e6)
        return fmt::format("{:.3g} ms", us / 1e3);
    return fmt::format("{:.3g} s", us / 1e6);
}

std::string textReport(std::string_view title, const LoadResult& result)
{
    std::string text = std::string(title) + "\n\n" +
                       fmt::format("{:<8} {:>10} {:>12} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "",
                                   "answers", "", "p50", "p90", "p99", "p99.9", "max");
    for (std::size_t i = 0; i < operationCount; ++i)
    {
        const OperationResult& operation = result.operations[i];
        if (operation.latency.count() != 0)
            text += row(nameOf(static_cast<Operation>(i)), operation, result.measured);
    }
    const Histogram all = together(result);
    text += row("all", OperationResult{all, 0, {}}, result.measured) + "\n" + distribution(all);
    if (result.unanswered != 0)
        text += fmt::format("\n{} requests had waited for more than a second at the end.\n",
                            result.unanswered);
    if (result.failures() != 0)
        text += fmt::format("\n{} requests failed; the first: ", result.failures()) +
                result.firstFailure + "\n";
    return text;
}

std::string jsonReport(std::string_view kind, std::size_t connections, const LoadResult& result)
{
    JsonWriter json;
    json.beginObject()
        .field("kind", kind)
        .field("connections", static_cast<std::uint64_t>(connections))
        .field("seconds", seconds(result.measured))
        .field("per_second", perSecond(result.answers(), result.measured))
        .key("operations")
        .beginObject();
    for (std::size_t i = 0; i < operationCount; ++i)
    {
        if (result.operations[i].latency.count() == 0)
            continue;
        json.key(nameOf(static_cast<Operation>(i)));
        writeOperation(json, result.operations[i], result.measured);
    }
    json.endObject().field("unanswered", result.unanswered).field("failures", result.failures());
    if (!result.firstFailure.empty())
        json.field("first_failure", std::string_view(result.firstFailure));
    json.endObject();
    return json.take();
}

std::string progressLine(const LoadResult& result)
{
    const Histogram all = together(result);
    return fmt::format("{:>5.0f} s {:>10.0f}/s   p50 {}   p99 {}   {} failed",
                       seconds(result.measured), perSecond(all.count(), result.measured),
                       readable(all.quantile(0.5)), readable(all.quantile(0.99)),
                       result.failures());
}

} // namespace octostore::bench
