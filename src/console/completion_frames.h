// The parts of the completion scripts that do not depend on the commands.
#pragma once

#include <string_view>

namespace dragnet::console {

/// Finds out what the current word is; needs _dragnet_options, _dragnet_value and
/// _dragnet_argument.
inline constexpr std::string_view bash_frame = R"sh(
# The words of a kind, one a line.
_dragnet_words() {
  local IFS=' '
  case ${1%% *} in
    choice) printf '%s\n' ${1#choice} ;;
    commit)
      echo HEAD
      git -C "$2" for-each-ref --format='%(refname:short)' 2>/dev/null
      ;;
    benchmark) dragnet -C "$2" __names benchmarks 2>/dev/null ;;
  esac
}

# Offers what begins like the current word: kind, current word, folder.
_dragnet_offer() {
  local word reply prefix=
  COMPREPLY=()
  case $1 in
    file | directory)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -A "$1" -- "$2")
      return
      ;;
  esac
  # Readline replaces only what follows the last colon.
  [[ $COMP_WORDBREAKS == *:* && $2 == *:* ]] && prefix=${2%"${2##*:}"}
  while IFS= read -r word; do
    [[ -n $word && $word == "$2"* ]] || continue
    printf -v reply %q "${word#"$prefix"}"
    COMPREPLY+=("$reply")
  done < <(_dragnet_words "$1" "$3")
}

_dragnet() {
  local words=() word glue= i
  # Readline splits words at = and :, which are ordinary characters for us.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -gt 0 && (-n $glue || $word == [=:]*) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    glue=
    [[ $word == *[=:] ]] && glue=1
  done
  local last=$((${#words[@]} - 1)) verb= folder=. place=0 pending= ended= kind=
  local current=${words[last]}
  for word in "${words[@]:0:last}"; do
    if [[ -n $pending ]]; then
      [[ $pending == -C ]] && folder=${word/#\~/$HOME}
      pending=
    elif [[ -z $ended && $word == -- ]]; then
      ended=1
    elif [[ -z $ended && $word == -?* ]]; then
      [[ $word != *=* && -n $(_dragnet_value "$verb" "$word") ]] && pending=$word
    elif [[ -z $verb ]]; then
      verb=$word
    else
      place=$((place + 1))
    fi
  done
  if [[ -n $pending ]]; then
    kind=$(_dragnet_value "$verb" "$pending")
  elif [[ -z $ended && $current == --*=* ]]; then
    kind=$(_dragnet_value "$verb" "${current%%=*}")
    current=${current#*=}
  elif [[ -z $ended && $current == -* ]]; then
    kind="choice $(_dragnet_options "$verb")"
  else
    kind=$(_dragnet_argument "$verb" "$place")
  fi
  _dragnet_offer "$kind" "$current" "$folder"
}

complete -F _dragnet dragnet
)sh";

/// The names that zsh asks for when it completes.
inline constexpr std::string_view zsh_frame = R"sh(
_dragnet_commits() {
  local -a names
  names=(HEAD ${(f)"$(git for-each-ref --format='%(refname:short)' 2>/dev/null)"})
  compadd -a names
}

_dragnet_benchmarks() {
  local -a names
  names=(${(f)"$(dragnet __names benchmarks 2>/dev/null)"})
  compadd -a names
}
)sh";

/// Works both when it is sourced and when zsh loads it as a function.
inline constexpr std::string_view zsh_end = R"sh(
if [[ $funcstack[1] == _dragnet ]]; then
  _dragnet "$@"
else
  compdef _dragnet dragnet
fi
)sh";

/// The conditions and names that the lines after it use.
inline constexpr std::string_view fish_frame = R"sh(
function __dragnet_verb
    set -l words (commandline -opc)
    set -e words[1]
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
        else if contains -- $word -C --colour --color
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
end

function __dragnet_is
    set -l verb (__dragnet_verb)
    test "$verb" = "$argv[1]"
end

function __dragnet_commits
    echo HEAD
    git for-each-ref --format='%(refname:short)' 2>/dev/null
end

function __dragnet_benchmarks
    dragnet __names benchmarks 2>/dev/null
end

complete -c dragnet -f
)sh";

} // namespace dragnet::console
