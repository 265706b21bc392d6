// SPDX-License-Identifier: MIT
#include "ApiDocsPlugin.h"

#include "support/InProcessServer.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

namespace octostore::test
{
namespace
{

class ApiDocsPluginTest : public ::testing::Test
{
protected:
    ApiDocsPluginTest()
    {
        EXPECT_TRUE(_server.add(_plugin));
        _server.open();
    }

    http::Response get(const std::string& target)
    {
        return _server.ask(http::Method::Get, target, "");
    }

private:
    api_docs::ApiDocsPlugin _plugin;

protected:
    InProcessServer _server;
};

TEST_F(ApiDocsPluginTest, TheDescriptionIsServedAsYamlAndAsJson)
{
    const http::Response yaml = get("/openapi.yaml");
    EXPECT_EQ(yaml.status, 200);
    EXPECT_EQ(*yaml.headers.find("content-type"), "application/yaml");
    EXPECT_EQ(yaml.body.substr(0, 15), "openapi: 3.1.0\n");
    const JsonValue::Object json = jsonOf(get("/openapi.json"));
    EXPECT_EQ(*json.at("openapi").asString(), "3.1.0");
    const std::string version = *json.at("info").asObject()->at("version").asString();
    EXPECT_NE(version, "0.0.0") << "the version is the server's";
    EXPECT_NE(yaml.body.find("\n  version: " + version + "\n"), std::string::npos);
}

TEST_F(ApiDocsPluginTest, ThePagesLeadToNothingOutsideThisServer)
{
    const std::regex reference("(?:href|src)=\"([^\"]*)\"");
    for (const std::string page : {"/", "/docs"})
    {
        const std::string html = get(page).body;
        for (std::sregex_iterator found(html.begin(), html.end(), reference), end; found != end;
             ++found)
        {
            const std::string target = (*found)[1];
            EXPECT_EQ(target.find("//"), std::string::npos) << page << ": " << target;
            // Relative, so that a proxy may put a prefix in front.
            EXPECT_NE(target.substr(0, 1), "/") << page << ": " << target;
        }
    }
}

TEST_F(ApiDocsPluginTest, EveryFileThePagesNeedIsServed)
{
    const std::regex needed("(?:<link rel=\"stylesheet\" href|<script src)=\"([^\"]*)\"");
    std::set<std::string> files;
    for (const std::string page : {"/", "/docs"})
    {
        const std::string html = get(page).body;
        for (std::sregex_iterator found(html.begin(), html.end(), needed), end; found != end;
             ++found)
            files.insert((*found)[1]);
    }
    EXPECT_EQ(files.size(), 5U);
    for (const std::string& file : files)
        EXPECT_EQ(get("/" + file).status, 200) << file;
}

TEST_F(ApiDocsPluginTest, NoPageHasAnythingInline)
{
    for (const std::string page : {"/", "/docs"})
    {
        const http::Response response = get(page);
        EXPECT_EQ(*response.headers.find("content-security-policy"),
                  http::EmbeddedFiles::strictPolicy);
        EXPECT_EQ(response.body.find("<style"), std::string::npos);
        EXPECT_EQ(response.body.find("style="), std::string::npos);
        EXPECT_EQ(response.body.find("<script>"), std::string::npos);
    }
}

TEST_F(ApiDocsPluginTest, TheStartPageLeadsToDocumentationConsoleAndHealth)
{
    const std::string page = get("/").body;
    for (const char* link : {"href=\"docs\"", "href=\"admin/\"", "href=\"health\""})
        EXPECT_NE(page.find(link), std::string::npos) << link;
}

} // namespace
} // namespace octostore::test
