#pragma once

namespace tritonsmith::bench {

/// The parts of the report's page, built in from page.html, page.css and page.js.
extern const char* const page_html;
extern const char* const page_css;
extern const char* const page_js;

}  // namespace tritonsmith::bench
