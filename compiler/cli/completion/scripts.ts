/**
 * What a shell runs to complete words of `rolecall`. The scripts ask `rolecall completion --words`, a candidate a line, and
 * hand candidates to the shell as data: names of tools are strangers' text, and nothing in one may ever be run. So bash's
 * \`compgen -W\`, which expands what it is given, isn't used.
 */
export const completionScripts: Readonly<Record<"bash" | "zsh" | "fish", string>> = {
  bash: `# rolecall completion for bash. In ~/.bashrc: eval "$(rolecall completion bash)"
_rolecall_complete() {
  local candidate current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == :files ]]; then
      compopt -o default 2>/dev/null
      continue
    fi
    [[ $candidate == *[./] ]] && compopt -o nospace 2>/dev/null
    [[ $current == [\\'\\"]* ]] || printf -v candidate %q "$candidate"
    COMPREPLY+=("$candidate")
  done < <(command rolecall completion --line -- "\${COMP_LINE:0:COMP_POINT}" "$current" 2>/dev/null </dev/null)
}
complete -F _rolecall_complete rolecall
`,
  zsh: `#compdef rolecall
# rolecall completion for zsh. In ~/.zshrc, below compinit:
#   source <(rolecall completion zsh)
_rolecall() {
  local -a lines more whole
  lines=("\${(@f)$(command rolecall completion --words -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  local line
  for line in "\${lines[@]}"; do
    case $line in
      (:files) _files ;;
      ('') ;;
      (*[./]) more+=("$line") ;;
      (*) whole+=("$line") ;;
    esac
  done
  (( \${#more} )) && compadd -S '' -- "\${more[@]}"
  (( \${#whole} )) && compadd -- "\${whole[@]}"
  return 0
}
if [[ $funcstack[1] == _rolecall ]]; then
  _rolecall "$@"
else
  compdef _rolecall rolecall
fi
`,
  fish: `# rolecall completion for fish. Once:
#   rolecall completion fish > ~/.config/fish/completions/rolecall.fish
function __rolecall_complete
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  # In a quote that isn't closed yet nothing can be unescaped.
  set -l current (string unescape -- "$typed"); or set current (string trim -l -c "'\\"" -- "$typed")
  for line in (command rolecall completion --words -- $words[2..-1] "$current" 2>/dev/null </dev/null)
    if test "$line" = :files
      __fish_complete_path "$typed"
    else
      printf '%s\\n' $line
    end
  end
end
complete -c rolecall -e
complete -c rolecall -f -a '(__rolecall_complete)'
`,
};
