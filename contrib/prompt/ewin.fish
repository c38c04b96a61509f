# ewind's prompt for fish 3.6 and later. At the end of ~/.config/fish/config.fish:
#
#	ewin-status init fish | source
#
# Before each prompt EWIN_PROMPT becomes one short mark, "[watermark 5/8 x late] ", and fish_prompt is
# wrapped so that it begins with it. A prompt that refers to $EWIN_PROMPT by itself is not wrapped, nor
# is any where EWIN_PS1=keep. EWIN_RUN_DIR names another run directory than /run/ewind.
#
# What it costs, and why an old verdict is never shown after a save: as in contrib/prompt/ewin.bash,
# function by function, but that one `test` compares all files. Nothing is forked while nothing is new.
#
# What it trusts. Nothing of the status is evaluated, sourced, or counted with; every character of it
# is one of the set below, else it is not shown at all.
#
# What it leaves alone: $status and $pipestatus (fish restores them behind an event, and the wrapped
# prompt finds them as they were), jobs, and variables other than EWIN_PROMPT and __ewin_*.

if status is-interactive

    # State. The shell's own process id tells variables that a parent has exported.
    if test "$__ewin_shell" != $fish_pid
        set -g __ewin_shell $fish_pid
        set -g __ewin_status '' # the status file
        set -g __ewin_run_dir none # EWIN_RUN_DIR when that was set
        set -g __ewin_now # what the status says, unless "?"; empty where there is none
        set -g __ewin_record none # that as shown last; none: look again
        set -g __ewin_pwd # folder at that time: it decides which lab is shown
        set -g __ewin_seq # SEQ whose sentences this shell has shown; empty: it has seen no status yet
        set -g __ewin_waited # status at which a wait was in vain
        set -g __ewin_newer -n '' # files of the lab that is shown, as a question for `test`: is one newer?
        set -g EWIN_PROMPT
    end

    # Reads the status, unchecked. A folder or a FIFO is not opened.
    function __ewin_read
        if test -f $__ewin_status -a -r $__ewin_status
            read -gz __ewin_now <$__ewin_status
            test -n "$__ewin_now"; or set -g __ewin_now '?'
        else if test -e $__ewin_status
            set -g __ewin_now '?'
        else
            set -g __ewin_now ''
        end
    end

    # Turns what is no status of a version that is known here into "?".
    function __ewin_check
        string match -rq '\Aewind 1 [a-zA-Z0-9 ._:/+=,\n-]*\nend\n\z' -- "$__ewin_now"
        or set -g __ewin_now '?'
    end

    # Prints the line of the lab that $PWD lies in, without its first word: of folders within each other,
    # the innermost; where it lies in none, the first lab. A line with too few fields ends the search.
    function __ewin_lab
        set -l inner ''
        set -l lab ''
        for line in (string split \n -- $__ewin_now)[2..]
            set -l folder (string replace -rf '^lab( [^ ]*){5} ' '' -- $line)
            or break
            if string match -q -- "$folder/*" $PWD/
                if test (string length -- "$folder") -gt (string length -- "$inner")
                    set lab $line
                    set inner $folder
                end
            else if test -z "$lab"
                set lab $line
            end
        end
        string replace 'lab ' '' -- $lab
    end

    # Prints the question for `test`: is one of the lab's files newer than the status?
    function __ewin_files
        set -l fields (string split -m 5 ' ' -- (__ewin_lab))
        set -l question -n ''
        if string match -q '/*' -- "$fields[6]"
            for name in (string match -v -- - (string split , -- $fields[5]))
                set -a question -o $fields[6]/$name -nt $__ewin_status
            end
        end
        string join \n -- $question
    end

    # Compares the files, then reads the status. Status 1 where nothing is new.
    function __ewin_look
        for try in 1 2 3
            set -g __ewin_behind
            test $__ewin_newer; and set -g __ewin_behind behind
            __ewin_read
            if test "=$__ewin_now" = "=$__ewin_record" -a "$PWD" = "$__ewin_pwd"
                test -n "$__ewin_behind"
                return
            end
            test -z "$__ewin_now"; or __ewin_check
            set -l newer (__ewin_files)
            test "$newer" != "$__ewin_newer"; or return 0
            set -g __ewin_newer $newer
        end
        return 0
    end

    # Runs ewin-status, which answers with a line "settled", "behind" or "down"; where it is settled, the
    # status that it judged and perhaps a sentence follow. Shows that sentence, and sets __ewin_state.
    function __ewin_ask
        set -l wait 250
        set -l answer
        test "=$__ewin_now" != "=$__ewin_waited"; or set wait 0
        if command -q ewin-status
            set answer (command ewin-status --run-dir (string replace -r '/[^/]*$' '' -- $__ewin_status) \
                --since "$__ewin_seq" wait $wait 2>/dev/null)
        end
        switch "$answer[1]"
            case settled
            case behind down
                set -g __ewin_state $answer[1]
                return
            case '*'
                set -g __ewin_state $__ewin_behind
                test -n "$__ewin_behind"; or set -g __ewin_seq (__ewin_number)
                return
        end
        set -l last (contains -i end $answer; or echo 1)
        set -g __ewin_now (printf '%s\n' $answer[2..$last] | string collect -N)
        __ewin_check
        set -g __ewin_seq (__ewin_number)
        set -g __ewin_state settled
        set -l sentence $answer[(math $last + 1)..]
        if test (count $sentence) -eq 1; and not string match -rq '[\x00-\x1f\x7f-\x9f]' -- $sentence
            printf '%s\n' $sentence >&2
        end
    end

    # Prints the status' SEQ.
    function __ewin_number
        string replace -rf '^.* ' '' -- (string split -m 1 \n -- $__ewin_now)[1]
    end

    # Prints a colour's number, or "-", and the words for a MARK of the status. Marks beyond ASCII only
    # where the locale has them, and neither the terminal nor its user wants it plain. fish itself
    # computes in UTF-8 whatever the locale is, so its name is asked.
    function __ewin_mark
        set -l part (string split -m 1 : -- $argv[1])
        set -l ok ok
        set -l bad 'x '
        set -l locale $LC_ALL $LC_CTYPE $LANG ''
        if not __ewin_plain; and string match -riq 'utf-?8' -- (string match -v '' -- $locale)[1]
            set ok ✓
            set bad ✗
        end
        switch $part[1]
            case ok
                printf '%s\n' 32 $ok
            case fail
                printf '%s\n' 31 "$bad$part[2]"
            case partial
                printf '%s\n' 33 "~ $part[2]"
            case cannot-tell
                printf '%s\n' 33 "? $part[2]"
            case missing
                printf '%s\n' - "next $part[2]"
            case stale
                printf '%s\n' 33 "stale $part[2]"
            case running
                printf '%s\n' - "running "(string replace : ' ' -- "$part[2]")
            case broken
                printf '%s\n' 31 broken
            case '*'
                printf '%s\n' - '?'
        end
    end

    # Does the terminal or its user want it plain?
    function __ewin_plain
        test -n "$NO_COLOR" -o -z "$TERM" -o "$TERM" = dumb
    end

    # Sets EWIN_PROMPT from what the status says, and __ewin_state.
    function __ewin_show
        set -l field (string split -m 3 ' ' -- (__ewin_lab))
        set -l text
        if test "$__ewin_state" = down
            set text 33 'ewind down'
        else if test -z "$field[1]"
            set text - 'ewind ?'
        else if test "$__ewin_state" = behind
            set text - "$field[1] checking"
        else
            set -l mark (__ewin_mark $field[3])
            set text $mark[1] "$field[1] $field[2] $mark[2]"
        end
        if test $text[1] != -; and not __ewin_plain
            set text[2] \e"[$text[1]m$text[2]"\e"[0m"
        end
        set -g EWIN_PROMPT "[$text[2]] "
    end

    # Something may be new: shows what the status says, asks where that may be behind or was not said
    # yet, and shows the answer. Without a status and its folder nothing is shown in a new shell.
    function __ewin_news
        set -l seq (__ewin_number)
        set -g __ewin_state $__ewin_behind
        if test -z "$__ewin_now"
            set -g __ewin_state down
        else if test "=$__ewin_now" != '=?'
            test -n "$__ewin_seq"; or set -g __ewin_seq $seq
            __ewin_show
            if test -n "$__ewin_behind" -o "$seq" != "$__ewin_seq"; or string match -q '* running:*' -- $__ewin_now
                __ewin_ask
            end
        end
        __ewin_show
        if test -z "$__ewin_now$__ewin_seq"; and not test -d (string replace -r '/[^/]*$' '' -- $__ewin_status)
            set -g EWIN_PROMPT
        end
        set -g __ewin_record $__ewin_now
        set -g __ewin_pwd $PWD
        set -g __ewin_waited none
        if test -n "$__ewin_state" -a "$__ewin_state" != settled
            set -g __ewin_waited $__ewin_now
            set -g __ewin_record none
        else if string match -q '* running:*' -- $__ewin_now
            set -g __ewin_record none
        end
    end

    # The hook. An event's function has to be there before the event, it is not loaded by it. The first
    # lines are __ewin_look where nothing is new, as few commands as can be.
    function __ewin_prompt --on-event fish_prompt
        not test $__ewin_newer
        and test -f $__ewin_status -a -r $__ewin_status
        and read -gz __ewin_now <$__ewin_status
        and test "=$__ewin_now=$PWD=$EWIN_RUN_DIR" = "=$__ewin_record=$__ewin_pwd=$__ewin_run_dir"
        and return
        set -g __ewin_run_dir $EWIN_RUN_DIR
        set -g __ewin_status (string replace -r '^$' /run/ewind "$EWIN_RUN_DIR")/status
        if __ewin_look
            __ewin_news
        end
    end

    # The prompt itself, once: a wrapper refers to EWIN_PROMPT, as does a prompt that places it itself.
    if test "$EWIN_PS1" != keep; and not functions fish_prompt | string match -q '*EWIN_PROMPT*'
        functions -e __ewin_inner
        functions -c fish_prompt __ewin_inner
        function fish_prompt
            set -l lines (__ewin_inner)
            string join \n -- "$EWIN_PROMPT$lines[1]" $lines[2..]
        end
    end
end
