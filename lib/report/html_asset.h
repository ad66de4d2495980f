/* What html.css and html.js hold; the Makefile puts them into the library. */
#ifndef REPORT_HTML_ASSET_H
#define REPORT_HTML_ASSET_H

#include <stddef.h>

extern const unsigned char html_css[], html_js[];
extern const size_t html_css_size, html_js_size;

#endif
