/* Instants as Go prints them. */
#include "lang/go.h"

#include "base/date.h"

struct str
go_time(struct arena *a, struct str text)
{
	struct date t;
	struct str zone = STR("+0000 UTC");
	int minutes;

	if (!date_read(&t, text))
		return (struct str){ 0 };
	minutes = t.offset < 0 ? -t.offset : t.offset;
	if (minutes != 0) {
		zone = str_printf(a, "%c%02d%02d", t.offset < 0 ? '-' : '+',
		    minutes / 60, minutes % 60);
		zone = str_printf(a, "%.*s %.*s", STR_FMT(zone), STR_FMT(zone));
	}
	return str_printf(a, "%04d-%02d-%02d %02d:%02d:%02d%s%.*s %.*s", t.year,
	    t.month, t.day, t.hour, t.minute, t.second,
	    t.fraction.n == 0 ? "" : ".", STR_FMT(t.fraction), STR_FMT(zone));
}
