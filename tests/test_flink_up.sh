#!/bin/bash
# contrib/flink-up with a Flink that only pretends: its scripts note that they were called, and what
# answers at the REST port says what a real JobManager says. (Bytes of a 2.3.0: GET /overview.)
# shellcheck disable=SC2016,SC2059,SC2086,SC2317	# text for other scripts, a format; functions that check runs
. tests/tap.sh

work=$(mktemp -d)
home=$work/flink
stop()
{
	local pid
	cat "$work"/flink-*.pid "$work/other.pid" 2>/dev/null | while read -r pid; do
		kill "$pid" 2>/dev/null
	done
	rm -f "$work"/flink-*.pid "$work/other.pid"
}
trap 'stop; rm -rf "$work"' EXIT
mkdir -p "$home/bin" "$home/conf" "$home/log" "$work/empty"
export FLINK_HOME=$home FLINK_PID_DIR=$work FLINK_IDENT_STRING=test
unset FLINK_CONF_DIR FLINK_LOG_DIR

# Answers each request with the file of that name; while it is not there, as a JobManager that has
# no leader yet.
cat >"$work/rest.flink" <<'END'
use IO::Socket::INET;
my ($file, $given) = @ARGV;
my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $given // 0, Listen => 5, ReuseAddr => 1) or die;
print $socket->sockport, "\n";
close STDOUT;
while (my $client = $socket->accept) {
	while (my $line = <$client>) { last if $line =~ /^\r?$/ }
	my $status = '503 Service Unavailable';
	my $body = '{"errors":["Service temporarily unavailable due to an ongoing leader election. Please refresh."]}';
	if (open my $in, '<', $file) { $status = '200 OK'; local $/; $body = <$in> }
	print $client "HTTP/1.1 $status\r\ncontent-type: application/json\r\ncontent-length: ", length $body, "\r\n\r\n$body";
	close $client;
}
END
# A port that is free now.
port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 1)->sockport')
printf '# comment\njobmanager:\n  rpc:\n    port: 6123\nrest:\n  # comment\n  address: 127.0.0.1 # here\n  port: %s\n' "$port" \
	>"$home/conf/config.yaml"
overview='{"taskmanagers":%d,"slots-total":%d,"slots-available":%d,"jobs-running":0,"jobs-finished":0,"jobs-cancelled":0,"jobs-failed":0,"flink-version":"2.3.0","flink-commit":"c0f8d1a"}'

# script NAME TEXT: one of Flink's.
script()
{
	printf '#!/bin/bash\necho "%s $*" >>"%s/calls"\n%s\n' "$1" "$work" "$2" >"$home/bin/$1"
	chmod +x "$home/bin/$1"
}
jobmanager='perl '$work'/rest.flink '$work'/overview '$port' </dev/null >/dev/null 2>&1 & echo $! >>'$work'/flink-test-standalonesession.pid'
taskmanager='(sleep 0.4; printf '"'$overview'"' 1 2 2 >'$work'/overview) </dev/null >/dev/null 2>&1 &'
normal()
{
	stop
	rm -f "$work/overview" "$work/calls"
	script start-cluster.sh "$jobmanager"$'\n'"$taskmanager"
	script taskmanager.sh "$taskmanager"
	script stop-cluster.sh 'kill $(cat '$work'/flink-test-*.pid); rm -f '$work'/flink-test-*.pid '$work'/overview'
}

# up STATUS ARGUMENT...: flink-up ends with that; what it said is in $work/said.
up()
{
	local status
	contrib/flink-up "${@:2}" >"$work/said" 2>&1 </dev/null
	status=$?
	[ "$status" = "$1" ] || { sed 's/^/# /' "$work/said"; false; }
}
said()
{
	grep -qF -- "$1" "$work/said" || { sed 's/^/# /' "$work/said"; false; }
}
called()
{
	[ "$(cat "$work/calls" 2>/dev/null)" = "$1" ] || { sed 's/^/# /' "$work/calls"; false; }
}

normal
check "it starts a cluster" up 0
check "and waits for the TaskManager" said "TaskManagers: 1, free slots: 2 of 2"
check "once" called "start-cluster.sh "
check "a second time it finds it" up 0
check "and starts nothing" called "start-cluster.sh "
printf "$overview" 1 1 0 >"$work/overview"
check "a cluster without free slots is up" up 0
check "but no query would run, which is said" said "no slot is free"
check "down stops it" up 0 --down
check "by Flink's script" called "start-cluster.sh 
stop-cluster.sh "
check "down again is no fault" up 0 --down
check "and says so" said "no cluster runs"

normal
contrib/flink-up >/dev/null 2>&1 &
check "two at once both succeed" up 0
wait $!
check "the other one, too" test $? = 0
check "and one cluster is started" called "start-cluster.sh "

normal
script start-cluster.sh "$jobmanager; printf '$overview' 0 0 0 >$work/overview"
"$home/bin/start-cluster.sh"
rm "$work/calls"
check "beside a JobManager a TaskManager is started" up 0
check "and no second cluster" called "taskmanager.sh start"

normal
script start-cluster.sh "$jobmanager"
echo '2026-11-30 06:00:00,000 ERROR org.apache.flink.Test [] - The port is in the way.' >"$home/log/flink-test-taskexecutor-0-vm.log"
check "no TaskManager in time is a fault" up 1 --timeout 1
check "told as that" said "no TaskManager came within 1 s; see $home/log"
check "with Flink's own words" said "The port is in the way."

normal
script start-cluster.sh "echo 'log: Not a directory' >&2; true & echo \$! >$work/flink-test-standalonesession.pid; wait"
SECONDS=0
check "a JobManager that dies is a fault" up 1
check "told as that" said "the JobManager has ended"
check "with what its script told" said "log: Not a directory"
check "at once" test "$SECONDS" -lt 20

normal
script start-cluster.sh 'echo "Please specify JAVA_HOME." >&2; exit 1'
check "a script of Flink's that fails is a fault" up 1
check "in its own words" said "Please specify JAVA_HOME."

normal
perl "$work/rest.flink" "$work/page" "$port" </dev/null >/dev/null 2>&1 &
echo $! >"$work/other.pid"
echo '<html>It works!</html>' >"$work/page"
sleep 0.3
check "another server at the port is a fault" up 1
check "told as that" said "port $port is taken by something that is not Flink"
check "and nothing is started" test ! -e "$work/calls"

normal
printf 'rest.port: "%s"\nrest.address: 127.0.0.1\n' "$port" >"$home/conf/flink-conf.yaml"
rm "$home/conf/config.yaml"
check "the flat configuration of Flink 1 is read" up 0
check "and the cluster found" said "http://127.0.0.1:$port"
up 0 --down
unset FLINK_HOME
PATH=$home/bin:$PATH
check "Flink is found on the PATH" up 0 --down
export FLINK_HOME=$work/empty
check "a FLINK_HOME that is none is a fault" up 1
check "told as that" said "bin/start-cluster.sh is missing"
check "an unknown option is wrong usage" up 2 --dwon
check "so is no number" up 2 --timeout soon
check "help is none" up 0 --help
finish
