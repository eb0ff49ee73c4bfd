// Substitutes for images that can't be pulled: which pattern names which image, and what must be added so that it
// behaves like the one it stands in for.
import { globExpression } from "../context/ignore.ts";

/** The substitute for `reference`, or null: exact names first, then patterns, the longest first. */
export function substituteFor(reference: string, substitutes: Readonly<Record<string, string>>): string | null {
  const bare = reference.replace(/^docker\.io\//, "").replace(/^library\//, "");
  const exact = substitutes[reference] ?? substitutes[bare];
  if (exact !== undefined) return exact;
  const patterns = Object.keys(substitutes).sort((a, b) => b.length - a.length);
  const found = patterns.find((pattern) => globExpression(pattern.replaceAll("*", "**")).test(bare));
  return found === undefined ? null : (substitutes[found] ?? null);
}

/** Dockerfile lines after FROM that give the substitute the image's profile. */
export function profileOf(reference: string): string[] {
  const repository = reference
    .replace(/^docker\.io\//, "")
    .replace(/^library\//, "")
    .split(/[:@]/)[0];
  if (repository === "python")
    return [
      "ENV LANG=C.UTF-8",
      `RUN ${JSON.stringify(["/bin/sh", "-c", pythonProfile])}`,
      "WORKDIR /",
      'CMD ["python3"]',
    ];
  if (repository === "ubuntu") return ["WORKDIR /", 'CMD ["/bin/bash"]'];
  return [];
}

const pythonProfile = `set -e
need=""
command -v python3 >/dev/null 2>&1 || need="python3 python3-venv"
python3 -m pip --version >/dev/null 2>&1 || need="$need python3-pip"
if [ -n "$need" ]; then
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $need ca-certificates
  rm -rf /var/lib/apt/lists/*
fi
mkdir -p /usr/local/bin
command -v python >/dev/null 2>&1 || ln -s "$(command -v python3)" /usr/local/bin/python
command -v pip >/dev/null 2>&1 || ln -s "$(command -v pip3)" /usr/local/bin/pip
find /usr/lib /usr/local/lib -name EXTERNALLY-MANAGED -delete 2>/dev/null || true
`;
