import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ConfigError } from "../../contract/index.ts";
import { execute } from "../execute.ts";
import { type CommonOptions, openProject } from "../project.ts";

const template = `# Settings of this project; every field has a default. See docs/configuration.md.

[sandbox]
backend = "box"            # "box" (bubblewrap) or "docker"

[images]
builder = "auto"           # "auto", "host" (no build, no root), "docker" or "buildah"
# ca_bundle = "/etc/ssl/certs/ca-certificates.crt"

# [images.substitutes]     # what stands in for a base image that can't be pulled; every report shows it
# "python:*" = "debian:bookworm-slim"
`;

/** Makes a project: `routesetter.toml`, `.routesetter/` with its own .gitignore. Nothing that exists is changed. */
export async function init(directory: string, options: CommonOptions): Promise<void> {
  await execute("init", options, async () => {
    const target = resolve(options.project, directory);
    const file = join(target, "routesetter.toml");
    if (existsSync(file))
      throw new ConfigError({
        code: "project_exists",
        message: "is there already",
        where: { file },
        remedy: "edit it, or choose another directory",
      });
    mkdirSync(join(target, ".routesetter"), { recursive: true });
    writeFileSync(file, template);
    writeFileSync(join(target, ".routesetter", ".gitignore"), "*\n");
    openProject({ ...options, project: target })
      .openStore("write")
      .close();
    const name = relative(process.cwd(), target) || ".";
    return {
      status: "ok",
      counts: {},
      cost: {},
      outputs: [join(name, "routesetter.toml")],
      lines: [`a project in ${name}; next: routesetter forge --count 10${name === "." ? "" : ` --project ${name}`}`],
    };
  });
}
