/* lib/io/proc: the caller can end a program at any time. */
#include "io/proc.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/slurp.h"
#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

static struct arena arena;

static struct proc
run(const char *command, struct str input, double seconds)
{
	struct proc p = {
		.command = command,
		.input = input,
		.seconds = seconds,
		.limit = 100,
		.errors = true,
		.arena = &arena,
	};

	proc_run(&p);
	return p;
}

static void
test_ends(void)
{
	struct proc p = run("cat; echo oops >&2", STR("in\n"), 10);

	CHECK_STR(p.output[0].text, "in\n");
	CHECK_STR(p.output[1].text, "oops\n");
	CHECK_STR(proc_trouble(&p), "");
	p = run("cat", (struct str){ 0 }, 10);
	CHECK_STR(p.output[0].text, "");
	CHECK_STR(proc_trouble(&p), "");
	p = run("exit 3", STR("unread"), 10);
	CHECK_STR(proc_trouble(&p), "exit status 3");
	signal(SIGCHLD, SIG_IGN);
	p = run("exit 4", STR(""), 10);
	CHECK_STR(proc_trouble(&p), "exit status 4");
	p = run("kill -9 $$", STR(""), 10);
	CHECK_STR(proc_trouble(&p), "killed by signal 9");
	p = run("yes | head -c 200000", STR(""), 10);
	CHECK(p.output[0].text.n == 100 && p.output[0].cut);
	CHECK_STR(proc_trouble(&p), "more than 100 bytes of output");
}

/* Of a long output only the beginning is kept, or the end if the caller asks for it. */
static void
test_last(void)
{
	struct proc p = { .command = "seq 100000; echo end",
		.seconds = 10,
		.limit = 10,
		.last = true,
		.arena = &arena };

	proc_run(&p);
	CHECK_STR(p.output[0].text, "00000\nend\n");
	CHECK(p.output[0].cut);
	p.command = "echo short";
	p.limit = 6;
	proc_run(&p);
	CHECK_STR(p.output[0].text, "short\n");
	CHECK(!p.output[0].cut);
}

static void
test_start_fails(void)
{
	struct proc p = { .command = "true",
		.dir = "/no/such/folder",
		.seconds = 10,
		.arena = &arena };

	proc_run(&p);
	CHECK_STR(proc_trouble(&p), "cannot run: No such file or directory");
}

/* A process that init has not yet reaped counts as ended. */
static bool
is_running(const char *path)
{
	FILE *f = fopen(path, "re");
	char state = 'Z';

	if (f == NULL)
		return false;
	/* It may have gone since. */
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'X';
	fclose(f);
	return state != 'Z' && state != 'X';
}

/* Waits for the end of the process whose number was printed, since a signal takes time.
 * Returns whether the process ended. */
static bool
is_gone(struct str number)
{
	struct str path =
	    str_printf(&arena, "/proc/%.*s/stat", STR_FMT(str_trim(number)));

	for (int tries = 0; tries < 1000; tries++) {
		if (!is_running(str_c(&arena, path)))
			return true;
		usleep(10000);
	}
	return false;
}

/* The children of a program end with it, and children that hold the output open
 * delay nothing, whether the program ended or exceeded its time. */
static void
test_children(void)
{
	double start;
	struct proc p = run("sleep 60 & echo $!; exit 0", STR(""), 30);

	CHECK_STR(proc_trouble(&p), "");
	CHECK(is_gone(p.output[0].text));
	p = run("sleep 60 & echo $!; sleep 60", STR(""), 0.2);
	CHECK(p.timed_out);
	CHECK_STR(proc_trouble(&p), "no end within 0.2 seconds");
	CHECK(is_gone(p.output[0].text));
	start = clock_now();
	p = run("setsid sleep 10 & echo done", STR(""), 30);
	CHECK_STR(p.output[0].text, "done\n");
	CHECK(clock_now() - start < 10);
}

/* A process that left the program's group and session ends with the program, and so
 * does the child of that process. */
static void
test_strays(void)
{
	static const char *const commands[] = { "setsid sleep 60 & echo $!",
		"(setsid sh -c 'sleep 60 & echo $!; wait' &); sleep 0.5",
		"setsid sleep 60 & echo $!; sleep 60" };

	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		struct proc p = run(commands[i], STR(""), 1.5);

		CHECK(p.output[0].text.n > 1);
		CHECK(is_gone(p.output[0].text));
	}
}

/* The end of a program leaves the processes of another one alone. */
static void
test_strays_of_another(void)
{
	struct temporary file = temporary_file(STR(""));
	struct proc one = { .command = str_c(&arena,
				str_printf(&arena,
				    "setsid sleep 60 & echo $! >%s; sleep 60",
				    file.path)),
		.seconds = 60,
		.arena = &arena };
	struct str number;
	const char *stat;

	proc_start(&one);
	run(str_c(&arena,
		str_printf(&arena,
		    "until [ -s %s ]; do sleep 0.1; done; setsid sleep 60 &",
		    file.path)),
	    STR(""), 30);
	CHECK(slurp_file(&arena, file.path, 20, &number));
	stat = str_c(&arena,
	    str_printf(&arena, "/proc/%.*s/stat", STR_FMT(str_trim(number))));
	CHECK(is_running(stat));
	proc_kill(&one);
	CHECK(is_gone(number));
	unlink(file.path);
}

static void
test_no_descriptors(void)
{
	int fd = open("/dev/null", O_RDONLY);
	struct proc p = run("ls /proc/self/fd | tr '\\n' ' '", STR(""), 10);

	/* 3 is the folder that ls reads. */
	if (access("/proc/self/fd", F_OK) == 0)
		CHECK_STR(p.output[0].text, "0 1 2 3 ");
	else
		puts("no /proc here: open descriptors cannot be listed");
	close(fd);
}

/* They run at once: each waits for all of them. */
static void
test_several(void)
{
	struct proc list[8], *started[8];
	size_t n = 8;
	struct temporary file = temporary_file(STR(""));
	const char *command = str_c(&arena,
	    str_printf(&arena,
		"echo >>%s; until [ $(wc -l <%s) = %zu ]; do sleep 0.1; done; "
		"cat",
		file.path, file.path, n));

	for (size_t i = 0; i < n; i++) {
		list[i] = (struct proc){ .command = command,
			.input = STR("x"),
			.seconds = 60,
			.limit = 10,
			.arena = &arena };
		started[i] = &list[i];
		proc_start(started[i]);
	}
	while (n > 0) {
		struct proc *p = proc_next(started, n, 100, -1);

		CHECK(p != NULL);
		CHECK_STR(p->output[0].text, "x");
		for (size_t i = 0; i < n; i++)
			if (started[i] == p)
				started[i] = started[--n];
	}
	unlink(file.path);
}

/* The wait ends for a descriptor and for the time. */
static void
test_waiting(void)
{
	struct proc p = {
		.command = "sleep 60", .seconds = 60, .arena = &arena
	};
	struct proc *started = &p;
	double start = clock_now();
	int ends[2];

	CHECK(pipe(ends) == 0);
	proc_start(&p);
	CHECK(proc_next(&started, 1, 0.05, ends[0]) == NULL);
	CHECK(clock_now() - start >= 0.05);
	CHECK(write(ends[1], "x", 1) == 1);
	CHECK(proc_next(&started, 1, 60, ends[0]) == NULL);
	CHECK(clock_now() - start < 30);
	proc_kill(&p);
	CHECK(WIFSIGNALED(p.status));
}

/* A program that is asked answers line by line, until it ends, says nothing in time
 * or says too much. */
static void
test_asked(void)
{
	struct proc p = {
		.command = "while read -r line; do case $line in "
			   "sleep) sleep 60 ;; end) exit 3 ;; "
			   "long) seq 1000 | tr '\\n' ' ' ;; "
			   "*) echo noise >&2; echo \"<$line>\" ;; esac; done",
		.asked = true,
		.errors = true,
		.bounded = true,
		.seconds = 10,
		.limit = 100,
		.arena = &arena
	};
	struct str answer;

	proc_start(&p);
	CHECK(proc_ask(&p, STR("one"), &answer));
	CHECK_STR(answer, "<one>");
	CHECK(proc_ask(&p, STR("two"), &answer) && !p.over);
	CHECK_STR(answer, "<two>");
	CHECK(!proc_ask(&p, STR("end"), &answer) && p.over);
	CHECK_STR(proc_trouble(&p), "exit status 3");
	proc_start(&p);
	CHECK(!proc_ask(&p, STR("long"), &answer) && p.over);
	CHECK_STR(proc_trouble(&p), "more than 100 bytes of output");
	p.seconds = 0.1;
	proc_start(&p);
	CHECK(!proc_ask(&p, STR("sleep"), &answer) && p.over);
	CHECK_STR(proc_trouble(&p), "no end within 0.1 seconds");
}

int
main(void)
{
	test_asked();
	test_ends();
	test_last();
	test_start_fails();
	test_children();
	if (access("/proc/thread-self/children", F_OK) == 0) {
		test_strays();
		test_strays_of_another();
	} else {
		puts("no list of children here: strays are not found");
	}
	test_no_descriptors();
	test_several();
	test_waiting();
	arena_free(&arena);
	return unit_status();
}
