import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDockerBackend, openImageStore, removeTree } from "../../src/sandbox/index.ts";
import { copyRoot } from "../support/copied-root.ts";
import { tamperingSuite } from "../tampering/suite.ts";

const required = process.env.ROUTESETTER_REQUIRE_DOCKER === "1";
const probe = join(tmpdir(), `rs-tampering-probe-${process.pid}`);
const problem = await createDockerBackend({ stateDirectory: probe })
  .then(async (backend) => {
    await backend.close();
    return null;
  })
  .catch((error: Error) => error.message)
  .finally(() => removeTree(probe));

test.runIf(required)("the engine is there", () => expect(problem).toBeNull());

if (problem !== null && !required) test.skip(`tampering on docker: no engine (${problem})`, () => {});
else
  tamperingSuite("docker", async (directory) => {
    const { image, hasPytest } = await copyRoot(join(directory, "root"), { shift: true });
    const backend = await createDockerBackend({ stateDirectory: join(directory, "docker") });
    const images = openImageStore({ stateDirectory: join(directory, "state"), builder: "host" });
    return { backend, images, image, hasPytest, close: () => backend.close() };
  });
