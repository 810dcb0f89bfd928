# Whole hook processes under callgrind, for the scripts that count and order what they run.
#
# Sourced with `binary` and `root` set; leaves nothing behind.

# The same names and lengths of paths for everybody: they are part of what is counted.
place=/tmp/ruleward-hook-cases
rm -rf "$place"
mkdir -p "$place/home/.config/ruleward" "$place/model/.config/ruleward" "$place/bare"
trap 'rm -rf "$place"' EXIT

{
  echo 'version: 1'
  echo 'rules:'
  for number in $(seq 75); do
    printf '  - id: rule-%s\n    when: tool.before\n    command: tool-%s (--force | -f)\n    then: { ask: Really? }\n' "$number" "$number"
  done
} >"$place/home/.config/ruleward/policy.yaml"
cat >"$place/model/.config/ruleward/policy.yaml" <<'POLICY'
version: 1
rules: [{ id: m, when: model.after, secrets: { in: [response] }, then: { redact: {} } }]
POLICY

payload() { # TOOL INPUT
  printf '{"session_id":"s","transcript_path":"","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"%s","tool_input":%s}' "$place" "$1" "$2"
}
shell() { payload Bash "{\"command\":\"$1\"}"; }
write() { # BYTES
  local line='    let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // ordinary code\n' text=''
  while [ ${#text} -lt "$1" ]; do text+=$line; done
  payload Write "{\"file_path\":\"a.rs\",\"content\":\"$text\"}"
}

# Prints the payload of a case.
stdin_of() { # CASE
  local part='cd src && sudo env A=1 grep -rn \"$(basename $PWD)\" . | xargs -n1 echo found ; '
  case $1 in
    git-status | policy-of-300-lines) shell 'git status' ;;
    pipeline) shell 'cd app && npm run build 2>&1 | tail -20' ;;
    sixty-words) shell "$part$part$part$part$part" ;;
    sixty-let-through) stdin_of sixty-words | sed 's/sudo/nice/g' ;;
    refused) shell 'rm -rf ~/' ;;
    model-chunk) cat "$root/tests/payloads/gemini/AfterModel-chunk1.json" ;;
    write-1k) write 1024 ;;
    write-30k) write 30720 ;;
  esac
}

# What is counted; and one more that the database makes another count of each time.
cases="git-status policy-of-300-lines pipeline write-1k write-30k sixty-words sixty-let-through refused"
all_cases="$cases model-chunk"

# Runs a case under callgrind with further arguments; what callgrind says comes out.
under_callgrind() { # CASE ARGUMENT...
  local case=$1 home=$place/bare host=claude
  [ "$case" = policy-of-300-lines ] && home=$place/home
  [ "$case" = model-chunk ] && home=$place/model host=gemini
  shift
  # The first run leaves what later ones find: the key of records, the policy as it was read.
  [ -e "$place/$case" ] || { touch "$place/$case"; hook_of "$case" "$home" "$binary" >"$place/answer" 2>&1; }
  # Not into the null device, where an answer would be lost.
  hook_of "$case" "$home" valgrind --tool=callgrind "$@" "$binary" 2>&1 >"$place/answer"
}

# With a long deadline: under callgrind, on a busy machine, the own one would pass.
hook_of() { # CASE HOME COMMAND...
  local case=$1 home=$2
  shift 2
  stdin_of "$case" | (cd "$place" && env -i HOME="$home" PATH=/usr/bin:/bin "$@" hook "$host" --deadline=100)
}
