# ewind's prompt for interactive fish, as vendor_conf.d/ewin.fish, which fish reads before the user's own
# config.fish. So the hook comes with the first prompt: then it finds the prompt that the user has chosen.
if status is-interactive; and command -q ewin-status
    function __ewin_start --on-event fish_prompt
        functions -e __ewin_start
        ewin-status init fish 2>/dev/null | source
        functions -q __ewin_prompt; and __ewin_prompt
    end
end
