import { join } from "node:path";
import { createBoxBackend, openImageStore } from "../../src/sandbox/index.ts";
import { copyRoot } from "../support/copied-root.ts";
import { tamperingSuite } from "../tampering/suite.ts";

tamperingSuite("box", async (directory) => {
  const { image, hasPytest } = await copyRoot(join(directory, "root"), { shift: true });
  const backend = await createBoxBackend({ stateDirectory: join(directory, "box") });
  const images = openImageStore({ stateDirectory: join(directory, "state"), builder: "host" });
  return { backend, images, image, hasPytest, close: () => backend.close() };
});
