#include "text/unicode_sets.h"

/* The files hold a SET for each set: its name and its runs. */
/* clang-format off */
#define RUNS(...) ((const uint16_t[]){ __VA_ARGS__ })
#define SET(name, ...) \
	{ #name, RUNS(__VA_ARGS__), \
	    sizeof RUNS(__VA_ARGS__) / sizeof(uint16_t) },
/* clang-format on */

static const struct unicode_set categories[] = {
#include "text/unicode_category.inc"
};

static const struct unicode_set scripts[] = {
#include "text/unicode_script.inc"
};

static const struct unicode_fold folds[] = {
#include "text/unicode_fold.inc"
};

const struct unicode_set *
unicode_categories(size_t *n)
{
	*n = sizeof categories / sizeof categories[0];
	return categories;
}

const struct unicode_set *
unicode_scripts(size_t *n)
{
	*n = sizeof scripts / sizeof scripts[0];
	return scripts;
}

const struct unicode_fold *
unicode_folds(size_t *rows)
{
	*rows = sizeof folds / sizeof folds[0];
	return folds;
}
