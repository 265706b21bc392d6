// SPDX-License-Identifier: MIT
// The reader's colours decide; swagger-ui leaves it to the page to say so.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// No standalone layout: it brings a field for foreign URLs and inline styles. Credentials stay in
// this page's memory; nothing is asked of anybody but this server.
window.ui = SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#reference",
    deepLinking: true,
    validatorUrl: null,
    persistAuthorization: false,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    filter: true,
    defaultModelsExpandDepth: 0,
    presets: [SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
});
