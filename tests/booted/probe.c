/* Tries what the sandbox of ewind.service is to deny, and prints a line each: "NAME allowed" or
 * "NAME denied: why". tests/booted/sandbox runs it in the unit, and outside. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *name, int r)
{
	if (r < 0)
		printf("%s denied: %s\n", name, strerror(errno));
	else
		printf("%s allowed\n", name);
}

static int write_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	return fd < 0 ? fd : close(fd);
}

static int read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd < 0 ? fd : close(fd);
}

/* In a child, whose exit status is the error. */
static int run(const char *path)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (pid == 0) {
		execl(path, path, "--version", (char *)NULL);
		_exit(errno);
	}
	waitpid(pid, &status, 0);
	errno = WEXITSTATUS(status);
	return errno ? -1 : 0;
}

static int map(int protection)
{
	void *page = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? -1 : 0;
}

/* Written first, executable afterwards. */
static int turn_executable(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(page, 0xc3, 4096);
	return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static int reach_network(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
	return fd < 0 ? fd : connect(fd, (struct sockaddr *)&to, sizeof(to));
}

static void network(void)
{
	say("network", reach_network());
	say("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
	say("packet", socket(AF_PACKET, SOCK_RAW, 0));
}

static void files(void)
{
	say("write-etc", write_file("/etc/open/probe"));
	say("write-usr", write_file("/usr/open/probe"));
	say("write-var", write_file("/var/open/probe"));
	say("write-run", write_file("/run/open/probe"));
	say("write-learner", write_file("/run/ewind-root/root/flink/open/probe"));
	say("write-data", write_file("/run/ewind-root/opt/lab/open/probe"));
	say("write-dev-shm", write_file("/dev/shm/probe"));
	say("read-shadow", read_file("/etc/shadow"));
	say("read-root", read_file("/root/secret"));
	say("read-home", read_file("/home/secret"));
	say("read-tmp", read_file("/tmp/secret"));
	say("read-init", read_file("/proc/1/status"));
	say("read-sysctl", read_file("/proc/sys/kernel/ostype"));
	say("read-disk", read_file("/dev/vda"));
	say("read-kmsg", read_file("/dev/kmsg"));
	say("write-sysctl", write_file("/proc/sys/kernel/core_pattern"));
	say("write-cgroup", write_file("/sys/fs/cgroup/cgroup.procs"));
	say("chmod-suid", open("/var/lib/ewind/suid", O_WRONLY | O_CREAT | O_CLOEXEC, 04700));
}

static void programs(void)
{
	say("run-true", run("/usr/bin/true"));
	say("run-shell", run("/bin/bash"));
	say("run-learner", run("/run/ewind-root/root/flink/program"));
	say("run-own", run("/var/lib/ewind/program"));
	say("map-write-execute", map(PROT_READ | PROT_WRITE | PROT_EXEC));
	say("turn-executable", turn_executable());
}

static void kernel(void)
{
	struct timeval now = {.tv_sec = 1000000000};
	struct sched_param real = {.sched_priority = 1};

	say("set-clock", settimeofday(&now, NULL));
	say("set-hostname", sethostname("probe", 5));
	say("mount", mount("none", "/mnt", "tmpfs", 0, NULL));
	say("namespace", unshare(CLONE_NEWUSER));
	say("real-time", sched_setscheduler(0, SCHED_FIFO, &real));
	say("personality", personality(PER_LINUX32));
	say("trace", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
	say("keyring", (int)syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, -1, 1));
	say("bpf", (int)syscall(SYS_bpf, 5, NULL, 0));
	say("more-files", setrlimit(RLIMIT_NOFILE, &(struct rlimit){100000, 100000}));
	say("become-root", setuid(0));
}

/* What the daemon needs. */
static void needed(void)
{
	say("write-status", write_file("/run/ewind/probe"));
	say("write-state", write_file("/var/lib/ewind/probe"));
	say("read-learner", read_file("/run/ewind-root/root/flink/readable"));
	say("read-labs", read_file("/usr/share/ewind/labs/watermark/lab.json"));
	say("read-zones", read_file("/usr/share/zoneinfo/Asia/Tokyo"));
	say("unix", socket(AF_UNIX, SOCK_DGRAM, 0));
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	needed();
	network();
	files();
	programs();
	kernel();
	return 0;
}
