#pragma once

namespace tritonsmith::bench {

/// The parts of the reports' pages, built in from the files of these names here and in bench/training.
extern const char* const page_html;
extern const char* const page_css;
extern const char* const page_js;
extern const char* const common_js;  ///< begins the script of each
extern const char* const training_page;
extern const char* const training_css;  ///< behind page_css
extern const char* const training_js;

}  // namespace tritonsmith::bench
