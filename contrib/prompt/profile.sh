# shellcheck shell=sh
# ewind's prompt for interactive login shells, as /etc/profile.d/ewin.sh. /etc/profile reads it in any
# Bourne shell; bash alone gets a hook here, and nothing is said where ewin-status is missing.
case $- in
*i*)
	if [ -n "${BASH_VERSION-}" ] && command -v ewin-status >/dev/null 2>&1; then
		eval "$(ewin-status init bash 2>/dev/null)"
	fi
	;;
esac
