/** Completion scripts: each finds the command named by the words before, and offers what may follow it, else files. */
import type { Choices } from './completion-choices.ts'

/** `launcher`: this program as a shell calls it from any folder. */
type Script = (choices: Choices, launcher: string) => string

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const wordsOf = (choices: Choices) =>
  [...choices].map(([at, words]) => `    ${quote(at)}) choices=(${words.map(({ word }) => quote(word)).join(' ')}) ;;`)

/**
 * Without a program of that name in PATH, `spoor` is defined as a function that calls this one, because zsh would
 * complete the expansion of an alias.
 */
const functionFor = (launcher: string) => `command -v spoor >/dev/null || spoor() { ${launcher} "$@"; }`

export const bashScript: Script = (
  choices,
  launcher,
) => `# Completion of spoor for bash. In ~/.bashrc: eval "$(${launcher} completion bash)"
${functionFor(launcher)}
_spoor_choices() {
  case $1 in
${wordsOf(choices).join('\n')}
    *) return 1 ;;
  esac
}
_spoor() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} at= i choices
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} != -* ]] && _spoor_choices "\${at:+$at }\${COMP_WORDS[i]}" && at="\${at:+$at }\${COMP_WORDS[i]}"
  done
  [[ $before == --* ]] && _spoor_choices "$at $before" || _spoor_choices "$at"
  COMPREPLY=($(compgen -W "\${choices[*]}" -- "$current"))
}
complete -o default -F _spoor spoor`

export const zshScript: Script = (choices, launcher) => {
  const described = (at: string) =>
    (choices.get(at) ?? []).map(({ word, about }) =>
      quote(about === '' ? word : `${word.replaceAll(':', '\\:')}:${about}`),
    )
  const cases = [...choices.keys()].map((at) => `    ${quote(at)}) choices=(${described(at).join(' ')}) ;;`)
  return `#compdef spoor
# Completion of spoor for zsh. In ~/.zshrc, behind compinit: eval "$(${launcher} completion zsh)"
${functionFor(launcher)}
_spoor_choices() {
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_spoor() {
  local at= i before=$words[CURRENT-1]
  local -a choices
  for ((i = 2; i < CURRENT; i++)); do
    [[ $words[i] != -* ]] && _spoor_choices "\${at:+$at }$words[i]" && at="\${at:+$at }$words[i]"
  done
  [[ $before == --* ]] && _spoor_choices "$at $before" || _spoor_choices "$at"
  local -a values=(\${choices:#--*}) options=(\${(M)choices:#--*})
  if (( $#values )); then
    _describe value values
  elif [[ $words[CURRENT] != -* ]]; then
    _files
  fi
  _describe -o option options
}
compdef _spoor spoor`
}

export const fishScript: Script = (choices, launcher) => {
  const commands = [...choices.keys()].filter((at) => !at.includes('--'))
  const offered = commands.flatMap((at) => {
    const condition = `-n ${fishQuote(`__spoor_at ${fishQuote(at)}`)}`
    const words = choices.get(at) ?? []
    const noFiles = words.some(({ word }) => !word.startsWith('--')) ? [`complete -c spoor ${condition} -f`] : []
    const each = words.map(({ word, about }) => {
      const description = about === '' ? '' : ` -d ${fishQuote(about)}`
      if (!word.startsWith('--')) return `complete -c spoor ${condition} -a ${word}${description}`
      const argument = fishArgument(choices.get(at === '' ? word : `${at} ${word}`))
      return `complete -c spoor ${condition} -l ${word.slice(2)}${argument}${description}`
    })
    return [...noFiles, ...each]
  })
  return `# Completion of spoor for fish. In ~/.config/fish/config.fish: ${launcher} completion fish | source
type -q spoor; or alias spoor ${fishQuote(launcher)}
function __spoor_at --description 'whether the words before name this command'
  set -l at ''
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    set -l next (string trim -- "$at $word")
    contains -- $next ${commands.filter(Boolean).map(fishQuote).join(' ')}; and set at $next
  end
  test "$at" = "$argv[1]"
end
${offered.join('\n')}`
}

/** What an option takes: nothing, a file, or one of some values. */
function fishArgument(values: ReturnType<Choices['get']>): string {
  if (values === undefined) return ''
  if (values.length === 0) return ' -r -F'
  return ` -x -a ${fishQuote(values.map(({ word }) => word).join(' '))}`
}

/** Single quotes in fish have two escapes. */
const fishQuote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
