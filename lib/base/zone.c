#include "base/zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ascii.h"

enum { MINUTE = 60000, QUARTER = 15, NAME_MOST = 80 };

/* Returns whether the database has a zone of that name, which is a file. */
static bool
is_place(const char *name)
{
	const char *folder = getenv("TZDIR");
	char path[512], magic[4] = "";
	FILE *file;

#ifdef __wasi__ /* its C library knows no zones */
	return false;
#endif
	if (*name == '/' || *name == '.' || strstr(name, "..") != NULL)
		return false;
	if (folder == NULL || *folder == '\0')
		folder = "/usr/share/zoneinfo";
	if (snprintf(path, sizeof path, "%s/%s", folder, name) >=
	    (int)sizeof path)
		return false;
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	if (fread(magic, 1, sizeof magic, file) != sizeof magic)
		*magic = '\0';
	fclose(file);
	return memcmp(magic, "TZif", sizeof magic) == 0;
}

struct zone
zone_of_system(const char **lacking)
{
	const char *name = getenv("TZ");

	if (name != NULL && *name == ':')
		name++;
	/* Other texts may be rules of POSIX (CET-1CEST,M3.5.0/2,...), or files. */
	*lacking = name != NULL && *name != '/' && strchr(name, '/') != NULL &&
		strchr(name, ',') == NULL && !is_place(name)
	    ? name
	    : NULL;
	tzset();
	return (struct zone){ .place = true };
}

static bool
two_digits(const char *text, int *n)
{
	if (!ascii_is_digit(text[0]) || !ascii_is_digit(text[1]))
		return false;
	*n = (text[0] - '0') * 10 + text[1] - '0';
	return true;
}

/* Reads +02:00, +0200 or +02. */
static bool
read_offset(const char *text, int *minutes)
{
	int sign = *text == '-' ? -1 : 1, hour, minute = 0;

	if ((*text != '+' && *text != '-') || !two_digits(text + 1, &hour))
		return false;
	text += 3;
	if (*text == ':')
		text++;
	else if (*text == '\0')
		text = "00";
	*minutes = 0;
	if (!two_digits(text, &minute) || text[2] != '\0')
		return false;
	*minutes = sign * (hour * 60 + minute);
	return hour <= 14 && minute < 60 && minute % QUARTER == 0;
}

bool
zone_read(struct zone *z, const char *name)
{
	char place[NAME_MOST];

	*z = (struct zone){ 0 };
	if (strcmp(name, "UTC") == 0 || strcmp(name, "Z") == 0 ||
	    read_offset(name, &z->minutes))
		return true;
	z->minutes = 0;
	if (!is_place(name) ||
	    snprintf(place, sizeof place, ":%s", name) >= NAME_MOST ||
	    setenv("TZ", place, 1) != 0)
		return false;
	tzset();
	z->place = true;
	return true;
}

int64_t
zone_clock(const struct zone *z, int64_t ms)
{
	time_t seconds = (time_t)(ms / 1000 - (ms % 1000 < 0));
	struct tm tm;

	if (!z->place)
		return ms + (int64_t)z->minutes * MINUTE;
	if (localtime_r(&seconds, &tm) == NULL)
		return ms;
	return ms + (int64_t)tm.tm_gmtoff * 1000;
}
