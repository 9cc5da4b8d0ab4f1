// SPDX-License-Identifier: MIT
//
// The completion scripts. They only carry words to the program (Completions.swift) and its answer to the shell, so the three
// cannot differ in what they offer. A script runs the program that is being completed, by the word typed for it.

extension Program {
  /// The script for a shell. Ends with a line break.
  func completionScript(for shell: Shell) -> String {
    let function = String(root.name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return switch shell {
    case .bash: Self.bashScript(root.name, function)
    case .zsh: Self.zshScript(root.name, function)
    case .fish: Self.fishScript(root.name, function)
    }
  }

  /// bash makes words of their own of "=" and of what is around it; they are put together, and of each candidate only what
  /// stands behind the last "=" is handed back.
  private static func bashScript(_ program: String, _ function: String) -> String {
    #"""
    # bash completion for \#(program), made by `\#(program) --completions bash`
    _\#(function)() {
      local program=${COMP_WORDS[0]/#\~/$HOME} words=() word i last
      for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        last=$((${#words[@]} - 1))
        if [[ $last -ge 0 && ( $word == "=" || ( -n $word && ${words[last]} == *= ) ) ]]; then
          words[last]+=$word
        else
          words+=("$word")
        fi
      done
      last=$((${#words[@]} - 1))
      local current="" piece=${COMP_WORDS[COMP_CWORD]}
      if [[ $last -ge 0 ]]; then current=${words[last]}; fi
      if [[ $piece == "=" ]]; then piece=""; fi
      local before=${current%"$piece"}
      COMPREPLY=()
      while IFS= read -r word; do
        if [[ $word == $'\tfile' ]]; then
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$piece")
          compopt -o filenames 2>/dev/null
        else
          word=${word%%$'\t'*}
          printf -v word %q "${word#"$before"}"
          COMPREPLY+=("$word")
        fi
      done < <("$program" --complete "${words[@]}" 2>/dev/null)
      if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
      return 0
    }
    complete -o default -F _\#(function) \#(program)

    """#
  }

  private static func zshScript(_ program: String, _ function: String) -> String {
    #"""
    #compdef \#(program)
    # zsh completion for \#(program), made by `\#(program) --completions zsh`
    _\#(function)() {
      local program=${(Q)words[1]/#\~/$HOME} line word meaning files=0
      local -a ended continued
      for line in "${(@f)$("$program" --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        word=${line%%$'\t'*}
        meaning=""
        if [[ $line == *$'\t'* ]]; then meaning=:${line#*$'\t'}; fi
        if [[ $line == $'\tfile' ]]; then files=1
        elif [[ $word == *= ]]; then continued+=("${word//:/\\:}$meaning")
        elif [[ -n $word ]]; then ended+=("${word//:/\\:}$meaning")
        fi
      done
      if (( files )); then
        if [[ $PREFIX == --*=* ]]; then compset -P '*='; fi
        _files
      fi
      if (( $#ended )); then _describe \#(program) ended; fi
      if (( $#continued )); then _describe \#(program) continued -S ''; fi
    }
    if [[ $funcstack[1] == _\#(function) ]]; then _\#(function) "$@"; else compdef _\#(function) \#(program); fi

    """#
  }

  private static func fishScript(_ program: String, _ function: String) -> String {
    #"""
    # fish completion for \#(program), made by `\#(program) --completions fish`
    function __\#(function)_complete
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      set -l program (string replace -r '^~' $HOME -- $words[1])
      for line in ($program --complete $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = \tfile
          set -l option (string match -r -- '^--[^=]*=' $current)
          for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $current))
            printf '%s%s\n' "$option" $path
          end
        else
          printf '%s\n' $line
        end
      end
    end
    complete -c \#(program) -f -a '(__\#(function)_complete)'

    """#
  }
}
