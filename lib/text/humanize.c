#include "text/humanize.h"

#include <math.h>

struct str
humanize_count(struct arena *a, double n)
{
	return str_printf(a, "%.*f", n == floor(n) ? 0 : 1, n);
}

struct str
humanize_tokens(struct arena *a, double n)
{
	static const char *const units[] = { "", "k", "M", "G" };
	size_t unit = 0;

	for (; n >= 999.5 && unit < 3; unit++)
		n /= 1000;
	return str_printf(
	    a, "%.*f%s", unit == 0 || n >= 99.95 ? 0 : 1, n, units[unit]);
}

struct str
humanize_usd(struct arena *a, double billionths)
{
	double usd = billionths / 1e9;

	return str_printf(a, "$%.*f", usd >= 100 ? 2 : 4, usd);
}

struct str
humanize_time(struct arena *a, double microseconds)
{
	double seconds = microseconds / 1e6;
	unsigned long long whole = (unsigned long long)(seconds + 0.5);

	if (seconds < 0.9995)
		return str_printf(a, "%.0fms", 1000 * seconds);
	if (seconds < 59.95)
		return str_printf(a, "%.1fs", seconds);
	if (whole < 3600)
		return str_printf(a, "%llum%02llus", whole / 60, whole % 60);
	return str_printf(a, "%lluh%02llum", whole / 3600, whole / 60 % 60);
}

struct str
humanize_of(struct arena *a, size_t n, const char *noun)
{
	return str_printf(a, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}
