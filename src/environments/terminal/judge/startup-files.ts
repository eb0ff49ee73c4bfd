// Files that run by themselves when a shell, an interpreter, git or another tool starts.
import { posix } from "node:path";
import { within } from "./path-within.ts";

const shellFiles =
  /^\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|login|logout|cshrc|tcshrc|kshrc|mkshrc|shrc|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|pam_environment|xprofile|xsessionrc|pythonrc|pythonrc\.py|pythonstartup|curlrc|wgetrc|gitconfig|npmrc|yarnrc|yarnrc\.yml|pydistutils\.cfg|gdbinit|lesskey|less|vimrc|exrc|perltidyrc|Rprofile|irbrc|screenrc|tmux\.conf|sqliterc|psqlrc|my\.cnf|jq|sudo_as_admin_successful)$/;
const homeFolders =
  /^\.(?:config\/(?:fish|git|go|pip|uv|systemd|autostart|environment\.d|pypoetry)|pip|local\/(?:bin|lib\/python[^/]*)|ssh\/rc|ssh\/environment|oh-my-zsh|zsh|bashrc\.d|profile\.d)(?:\/|$)/;
/** Above those folders: a link in such a place would bring in a whole folder of them. */
const homeParents = /^\.(?:config|local|local\/lib|ssh)$/;
const interpreter = /^(?:sitecustomize|usercustomize)(?:\.(?:py|pyc|pyi?)|\.[\w-]+\.(?:so|pyc))?$/;

/** Why a path counts as a start-up file, null when it doesn't. `homes` are more home directories. */
export function startupReason(path: string, homes: readonly string[], isLink = false): string | null {
  const name = posix.basename(path);
  const folder = posix.dirname(path);
  if (interpreter.test(name)) return "planted interpreter start-up";
  if (/\/(?:site|dist)-packages$/.test(folder) && name.endsWith(".pth") && !inVirtualEnvironment(path))
    return "planted interpreter start-up";
  if (/\.(?:dist|egg)-info$/.test(folder) && name === "entry_points.txt") return "planted plug-in";
  if (/(?:^|\/)\.git\/hooks\/[^/]+$|\.git\/hooks$/.test(path)) return "git hook";
  if (/^\/var\/spool\/(?:cron|at)(?:\/|$)/.test(path)) return "system settings";
  const home = homeOf(path, homes);
  if (home === null) return null;
  const inside = path.slice(home === "/" ? 1 : home.length + 1);
  if (isLink && homeParents.test(inside)) return "start-up file";
  return shellFiles.test(inside) || homeFolders.test(inside) ? "start-up file" : null;
}

function homeOf(path: string, homes: readonly string[]): string | null {
  const user = /^\/home\/[^/]+/.exec(path)?.[0];
  return (
    [user, "/root", ...homes, "/"].find((home) => home !== undefined && path !== home && within(path, home)) ?? null
  );
}

const inVirtualEnvironment = (path: string) => /\/(?:\.?venv|\.?env|virtualenv)[^/]*\/lib(?:64)?\/python/.test(path);
