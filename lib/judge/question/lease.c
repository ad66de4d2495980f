#include "judge/question/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/out.h"
#include "io/slurp.h"
#include "json/json.h"

/* A process renews its lease before each try, and waits no longer between two
 * tries than a try takes; the seconds are for what else delays it. */
enum { TRIES = 2, SLACK = 30 };

/* The longest text of a lease in bytes. */
enum { LEASE_MAX = 4096 };

/* Returns the name of the host, and of the processes that its numbers are for: a
 * container has numbers of its own. */
static struct str
host_name(struct arena *a)
{
	char host[256] = "", space[64] = "";

	gethostname(host, sizeof host - 1);
	if (readlink("/proc/self/ns/pid", space, sizeof space - 1) < 0)
		space[0] = '\0';
	return str_printf(a, "%s %s", host, space);
}

/* Returns whether the process that wrote the lease is gone. `age` is the time in
 * seconds since the lease was taken or renewed. */
static bool
is_over(struct str text, double age, struct arena *a)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *lease = json_read(&reader, text, NULL, &error);
	double seconds = json_double(json_get(lease, "seconds"));
	struct str host = json_text(json_get(lease, "host"), a);
	int64_t pid;
	bool over = seconds > 0 ? age > TRIES * seconds + SLACK : age > SLACK;

	if (!over && json_int(json_get(lease, "pid"), &pid) && pid > 0 &&
	    str_eq(host, host_name(a)))
		over = kill((pid_t)pid, 0) != 0 && errno == ESRCH;
	json_reader_free(&reader);
	return over;
}

static double
age_of(const struct stat *st)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return difftime(now.tv_sec, st->st_mtime);
}

/* Removes the lease of a process that is gone. Returns false if its process is
 * there. Another process may take the lease over meanwhile, so what was removed is
 * looked at, and put back if it is another lease. */
static bool
remove_old(const char *path, struct arena *a)
{
	const char *aside =
	    str_c(a, str_printf(a, "%s.%ld", path, (long)getpid()));
	struct stat old, removed;
	struct str text;
	bool same;

	if (stat(path, &old) != 0)
		return errno == ENOENT;
	if (!slurp_file(a, path, LEASE_MAX, &text))
		text = STR("");
	if (!is_over(text, age_of(&old), a) || rename(path, aside) != 0)
		return false;
	same = stat(aside, &removed) == 0 && removed.st_ino == old.st_ino &&
	    removed.st_mtime == old.st_mtime;
	if (!same)
		same = link(aside, path) != 0;
	unlink(aside);
	return same;
}

static struct str
text_of(double seconds, struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_int(&o, "pid", getpid());
	out_key(&o, "host");
	out_json_str(&o, host_name(a));
	out_member_int(&o, "time", time(NULL));
	out_member_double(&o, "seconds", seconds);
	out_end(&o, '}');
	out_char(&o, '\n');
	return out_keep(&o, a);
}

/* Creates the file of a lease. Returns false, with errno, on failure. */
static bool
create(struct lease *l, const char *path, struct str text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	struct stat st;

	if (fd < 0)
		return false;
	if (write(fd, text.s, text.n) == (ssize_t)text.n && fstat(fd, &st) == 0)
		*l = (struct lease){ path, st.st_ino };
	else
		unlink(path);
	close(fd);
	return true;
}

bool
lease_take(struct lease *l, struct arena *a, const char *dir,
    struct cache_key key, double seconds)
{
	const char *path =
	    str_c(a, str_printf(a, "%s/%.*s.lease", dir, STR_FMT(key.digest)));
	struct str text = text_of(seconds, a);

	if (create(l, path, text) || errno != EEXIST)
		return true;
	if (!remove_old(path, a))
		return false;
	return create(l, path, text) || errno != EEXIST;
}

void
lease_renew(const struct lease *l)
{
	if (l->path != NULL)
		utimensat(AT_FDCWD, l->path, NULL, 0);
}

void
lease_end(struct lease *l)
{
	struct stat st;

	if (l->path != NULL && stat(l->path, &st) == 0 && st.st_ino == l->file)
		unlink(l->path);
	*l = (struct lease){ 0 };
}
