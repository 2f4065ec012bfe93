import type { Variables } from "./merged-place.ts";

/**
 * Variables that decide which programs are started, from where and what they load, whom they trust on the way, and where
 * `rolecall serve` keeps what was accepted. Names of each program's own, since projects have theirs under the same first
 * word: `GIT_TOKEN`, `NODE_ENV`, `PYTHONUNBUFFERED`, `ENV`.
 */
const STARTING = [
  // Where a person's things lie.
  "HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|TMPDIR|TMP|TEMP|XDG_\\w+",
  // What is found and loaded.
  "PATH|PATHEXT|SYSTEMROOT|WINDIR|LD_\\w+|DYLD_\\w+|GCONV_PATH|GLIBC_TUNABLES",
  // Shells.
  "SHELL|COMSPEC|BASH_ENV|SHELLOPTS|BASHOPTS|PS4|ZDOTDIR|PSMODULEPATH",
  // Those that fetch packages and start them.
  "P?NPM_CONFIG_\\S+|PNPM_HOME|YARN_\\w+|COREPACK_\\w+|BUN_\\w+|UV_\\w+|UVX_\\w+|PIP_\\w+|PIPX_\\w+|VOLTA_HOME|NVM_DIR|ASDF_\\w+|MISE_\\w+",
  "DOCKER_(?:HOST|CONFIG|CONTEXT|CERT_PATH|TLS\\w*)",
  // Interpreters.
  "NODE_(?:OPTIONS|PATH|REPL_\\w+|V8_COVERAGE|COMPILE_CACHE)|OPENSSL_(?:CONF|MODULES|ENGINES)|ELECTRON_RUN_AS_NODE",
  "DENO_(?:DIR|INSTALL\\w*|V8_FLAGS)",
  "PYTHON(?:PATH|HOME|STARTUP|USERBASE|WARNINGS|BREAKPOINT|INSPECT|EXECUTABLE|PLATLIBDIR|PYCACHEPREFIX|SAFEPATH)|VIRTUAL_ENV",
  "PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|GEM_(?:HOME|PATH)|BUNDLE_(?:GEMFILE|PATH)|PHPRC|PHP_INI_SCAN_DIR|LUA_(?:INIT|PATH|CPATH)\\w*",
  "_?JAVA_(?:HOME|OPTIONS|TOOL_OPTIONS)|JDK_JAVA_OPTIONS|CLASSPATH|DOTNET_(?:STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE|ROOT\\w*)|COR(?:ECLR)?_\\w*PROFILER\\w*",
  "GO(?:FLAGS|PATH|ROOT|ENV|PROXY|TOOLCHAIN|BIN)|CARGO_(?:HOME|BUILD_\\w+)|RUSTC\\w*|R_(?:PROFILE|ENVIRON|LIBS)\\w*",
  // Git: where a repository is, and what is run for it.
  "GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CEILING_DIRECTORIES)",
  "GIT_(?:CONFIG|CONFIG_\\w+|EXEC_PATH|TEMPLATE_DIR|SHELL_PATH|SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS",
  "GIT_(?:EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ATTR_\\w+|ALLOW_PROTOCOL|TRACE\\w*|REPLACE_REF_BASE|GRAFT_FILE|SHALLOW_FILE)",
];

const TRUSTING = [
  "NODE_(?:EXTRA_CA_CERTS|TLS_\\w+|USE_SYSTEM_CA)|DENO_(?:CERT|TLS_\\w+)|GIT_SSL_\\w+",
  "SSL_CERT_(?:FILE|DIR)|(?:CURL|REQUESTS|AWS)_CA_BUNDLE",
];

/** npm and Windows take them in any case. */
const ANY_OF = (words: readonly string[]) => new RegExp(`^(?:${words.join("|")})$`, "i");
export const MOVING: Readonly<Record<Variables, RegExp>> = {
  variables: ANY_OF([...STARTING, ...TRUSTING]),
  "own variables": ANY_OF(STARTING),
};
