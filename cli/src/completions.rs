//! Completions for `cargo statespec`: shells complete the words of `cargo`, so its own completions pass them on.

use clap_complete::Shell;

use crate::Caller;

/// For bash: the function that completed `cargo` before completes everything else.
const BASH: &str = r#"
# `cargo statespec …` is completed like `cargo-statespec …`; all other commands of cargo as before.
_statespec_through_cargo() {
    local at=1
    [[ ${COMP_WORDS[1]} == +* ]] && at=2
    if [[ ${COMP_WORDS[at]} == statespec ]] && ((COMP_CWORD > at)); then
        COMP_WORDS=(cargo-statespec "${COMP_WORDS[@]:at+1}")
        COMP_CWORD=$((COMP_CWORD - at))
        _statespec cargo-statespec "$2" "$3"
    elif [[ -n $_statespec_cargo_before ]]; then
        "$_statespec_cargo_before" "$@"
    fi
}
if declare -F _comp_load >/dev/null; then
    _comp_load cargo
elif declare -F _completion_loader >/dev/null; then
    _completion_loader cargo
fi
if [[ $(complete -p cargo 2>/dev/null) =~ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _statespec_through_cargo ]]; then
    _statespec_cargo_before=${BASH_REMATCH[1]}
fi
complete -F _statespec -o bashdefault -o default cargo-statespec
complete -F _statespec_through_cargo -o bashdefault -o default cargo
"#;

/// For fish: completions of one command add up.
const FISH: &str = r#"
# `cargo statespec …` is completed like `cargo-statespec …`.
function __statespec_through_cargo
    set -l words (commandline -opc)
    set -l at (contains -i -- statespec $words)
    set -e words[1..$at]
    complete -C (string join ' ' -- cargo-statespec $words (commandline -ct))
end
complete -c cargo -n __fish_use_subcommand -f -a statespec -d 'Generate code and docs from a state graph'
complete -c cargo -n '__fish_seen_subcommand_from statespec' -f -a '(__statespec_through_cargo)'
"#;

/// The script for a shell, under the name that the user typed.
pub(crate) fn script(caller: Caller, shell: Shell) -> String {
    let name = match (caller, shell) {
        // The script for bash does not work for a name with a hyphen; the function for another name completes any command.
        (Caller::Shell, _) | (Caller::Cargo, Shell::Bash) => "statespec",
        (Caller::Cargo, _) => "cargo-statespec",
    };
    let mut text = Vec::new();
    // A binary name with a space confuses all scripts.
    clap_complete::generate(shell, &mut caller.command().name(name).bin_name(name), name, &mut text);
    let own = String::from_utf8_lossy(&text).into_owned();
    match (caller, shell) {
        (Caller::Cargo, Shell::Bash) => own + BASH,
        (Caller::Cargo, Shell::Fish) => own + FISH,
        // The completions of cargo for zsh call `_cargo-statespec` themselves; other shells have no place for it.
        _ => own,
    }
}
