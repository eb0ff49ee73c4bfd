// Makes the Debian base once for all peer suites, and prints where it lies as shell assignments for .ci/run.
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { openImageStore } from "../src/sandbox/index.ts";

const cache = process.env.ROUTESETTER_CACHE ?? join(homedir(), ".cache", "routesetter");
mkdirSync(cache, { recursive: true });
const context = mkdtempSync(join(tmpdir(), "routesetter-warm-"));
const caBundle = process.env.SSL_CERT_FILE;
writeFileSync(
  join(context, "Dockerfile"),
  "FROM debian:bookworm-slim\nRUN apt-get update && apt-get install -y --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*\n",
);
const images = openImageStore({ stateDirectory: cache, builder: "docker", ...(caBundle ? { caBundle } : {}) });
const { image } = await images.resolve({ context });
await images.close();
console.log(`export ROUTESETTER_CACHE='${cache}'`);
const bases = join(cache, "bases");
if (existsSync(bases)) console.log(`export ROUTESETTER_BASES_CACHE='${bases}'`);
console.log(`export ROUTESETTER_TEST_STATE='${cache}'`);
console.log(`export ROUTESETTER_TEST_TREE='${image.layers.at(-1)}'`);
