#!/bin/sh
# An agent in shell with jq: plays the first thing it can do, in any game.
#
# boardgames play kuhn --vs 'cmd:sh examples/agents/shell_agent.sh'

legal='[]'
while IFS= read -r line; do
    type=$(printf '%s' "$line" | jq -r .type)
    case $type in
    hello) echo '{"type": "ready", "name": "First in shell", "deterministic": true}' ;;
    observe) legal=$(printf '%s' "$line" | jq -c .legal) ;;
    act) printf '%s' "$legal" | jq -c '{type: "action", action: .[0]}' ;;
    error) printf '%s' "$line" | jq -r .message >&2 ;;
    quit) exit ;;
    over | hurry) ;;
    *) jq -nc --arg type "$type" '{type: "error", message: ("unknown type " + $type)}' ;;
    esac
done
