// SPDX-License-Identifier: MIT
#include "testFiles.h"

#include <octostore/http/EmbeddedFiles.h>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace octostore::http
{
namespace
{

class EmbeddedFilesTest : public ::testing::Test
{
protected:
    static std::string valueOf(const Response& response, std::string_view header)
    {
        const std::string* found = response.headers.find(header);
        return found == nullptr ? "" : *found;
    }
    Response get(std::string_view name, Headers headers = {}) const
    {
        Request request;
        request.headers = std::move(headers);
        return _files.respond(request, name);
    }
    static Headers with(const std::string& name, std::string value)
    {
        Headers headers;
        headers.add(name, std::move(value));
        return headers;
    }

    EmbeddedFiles _files{testFiles()};
};

TEST_F(EmbeddedFilesTest, AClientWithoutGzipGetsThePlainFile)
{
    const Response response = get("plain.css");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "body { color: black }\n");
    EXPECT_EQ(valueOf(response, "content-type"), "text/css; charset=utf-8");
    EXPECT_EQ(valueOf(response, "content-encoding"), "");
    EXPECT_EQ(valueOf(response, "cache-control"), "no-cache");
}

TEST_F(EmbeddedFilesTest, AClientWithGzipGetsTheCompressedFile)
{
    for (const char* accepted : {"gzip", "br, GZIP;q=0.5", "deflate , gzip"})
    {
        const Response response = get("plain.css", with("accept-encoding", accepted));
        EXPECT_EQ(valueOf(response, "content-encoding"), "gzip") << accepted;
        EXPECT_EQ(response.body.substr(0, 2), "\x1f\x8b");
        EXPECT_EQ(valueOf(response, "vary"), "accept-encoding");
    }
    for (const char* refused : {"gzip;q=0", "gzip; q=0.0", "identity", "br"})
        EXPECT_EQ(valueOf(get("plain.css", with("accept-encoding", refused)), "content-encoding"),
                  "")
            << refused;
}

TEST_F(EmbeddedFilesTest, AFileTheClientHasIsNotSentAgain)
{
    const std::string etag = valueOf(get("plain.css"), "etag");
    for (const std::string& known : {etag, "\"other\", " + etag, "W/" + etag, std::string("*")})
    {
        const Response response = get("plain.css", with("if-none-match", known));
        EXPECT_EQ(response.status, 304) << known;
        EXPECT_TRUE(response.body.empty());
        EXPECT_EQ(valueOf(response, "etag"), etag);
    }
    EXPECT_EQ(get("plain.css", with("if-none-match", "\"other\"")).status, 200);
}

TEST_F(EmbeddedFilesTest, EveryRepresentationHasItsOwnTag)
{
    std::set<std::string> tags;
    for (const char* name : {"plain.css", "pages/page.html", "main-4QX2ZC7A.css"})
        for (const char* coding : {"gzip", "identity"})
            tags.insert(valueOf(get(name, with("accept-encoding", coding)), "etag"));
    // The third file has the content of the first.
    EXPECT_EQ(tags.size(), 4U);
}

TEST_F(EmbeddedFilesTest, AFileWithAHashInItsNameMayBeKeptForEver)
{
    EXPECT_EQ(valueOf(get("main-4QX2ZC7A.css"), "cache-control"),
              "public, max-age=31536000, immutable");
}

TEST_F(EmbeddedFilesTest, EveryAnswerForbidsWhatIsNotOurs)
{
    const Response response = get("pages/page.html");
    EXPECT_EQ(valueOf(response, "content-security-policy"), EmbeddedFiles::strictPolicy);
    EXPECT_EQ(valueOf(response, "x-content-type-options"), "nosniff");
    EXPECT_EQ(valueOf(response, "referrer-policy"), "no-referrer");
}

TEST_F(EmbeddedFilesTest, AnUnknownNameIsNotFound)
{
    EXPECT_EQ(get("page.html").status, 404) << "its name has a folder";
    EXPECT_EQ(get("../CMakeLists.txt").status, 404);
}

TEST_F(EmbeddedFilesTest, ThereIsARouteForEachFile)
{
    std::set<std::string> patterns;
    for (const Route& route : _files.routes("/files/"))
    {
        EXPECT_EQ(route.access, Access::Public);
        patterns.insert(route.pattern);
    }
    EXPECT_EQ(patterns, (std::set<std::string>{"/files/main-4QX2ZC7A.css", "/files/pages/page.html",
                                               "/files/plain.css"}));
}

} // namespace
} // namespace octostore::http
