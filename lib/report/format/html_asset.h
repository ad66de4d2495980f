/* What html.css and the scripts hold; the Makefile puts them into the
 * library. */
#pragma once

#include <stddef.h>

extern const unsigned char html_css[], html_js[], html_sort_js[],
    html_charts_js[], html_graph_js[], html_runs_js[], html_one_js[],
    html_page_js[];
extern const size_t html_css_size, html_js_size, html_sort_js_size,
    html_charts_js_size, html_graph_js_size, html_runs_js_size,
    html_one_js_size, html_page_js_size;
