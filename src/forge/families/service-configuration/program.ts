import type { Feature, Setting } from "./feature.ts";

export type Format = "ini" | "flat" | "json";
/** Which of several settings of one name holds: the last one read, or the first. */
export type Precedence = "last" | "first";

export type Service = {
  readonly name: string;
  readonly title: string;
  readonly format: Format;
  readonly precedence: Precedence;
  /** File name ending of configuration files. */
  readonly ending: string;
  readonly features: readonly Feature[];
};

/** A configuration file's text. */
export function render(format: Format, settings: readonly Setting[], remark: string): string {
  const sections = [...new Set(settings.map(({ section }) => section))];
  const of = (name: string) => settings.filter(({ section }) => section === name);
  if (format === "json")
    return `${JSON.stringify(Object.fromEntries(sections.map((name) => [name, Object.fromEntries(of(name).map(({ key, value }) => [key, value]))])), null, 2)}\n`;
  if (format === "flat")
    return `# ${remark}\n${settings.map(({ section, key, value }) => `${section.replace(" ", "/")}.${key} = ${value}`).join("\n")}\n`;
  return `; ${remark}\n${sections
    .map(
      (name) =>
        `\n[${name}]\n${of(name)
          .map(({ key, value }) => `${key} = ${value}`)
          .join("\n")}\n`,
    )
    .join("")}`;
}

const parsers: Record<Format, string> = {
  json: `def parse(text, place):
    try:
        return [(section, key, str(value)) for section, keys in json.loads(text).items() for key, value in keys.items()]
    except (ValueError, AttributeError) as error:
        raise ConfigError(f"{place}: {error}")`,
  flat: `def parse(text, place):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        section, dot, key = name.strip().rpartition(".")
        if not equals or not dot:
            raise ConfigError(f"{place} line {number}: not SECTION.KEY = VALUE")
        found.append((section.replace("/", " "), key, value.strip()))
    return found`,
  ini: `def parse(text, place):
    found, section = [], None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith(";"):
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
            continue
        key, equals, value = line.partition("=")
        if not equals or section is None:
            raise ConfigError(f"{place} line {number}: neither [SECTION] nor KEY = VALUE")
        found.append((section, key.strip(), value.strip()))
    return found`,
};

/** The service: one Python file, standard library only, that runs as a filter from requests to answers. */
export function programSource(service: Service): string {
  const { name, format, precedence, ending, features } = service;
  const verbs = features.flatMap((feature) => Object.entries(feature.verbs));
  const imports = [
    "os",
    "sys",
    ...(format === "json" ? ["json"] : []),
    ...(features.some(({ python }) => python.includes("binascii")) ? ["binascii"] : []),
  ].sort();
  const startup = features.flatMap((feature) => (feature.startup ? [feature.startup] : []));
  return `"""${name}: ${service.title}.

    ${name}.py --config FOLDER            answers requests from standard input, one a line
    ${name}.py --config FOLDER --check    says whether the configuration is fine
"""

${imports.map((module) => `import ${module}`).join("\n")}

LEVELS = ["debug", "info", "notice", "warning", "error"]


class ConfigError(Exception):
    pass


${parsers[format]}


def word(text):
    if not text:
        raise ValueError("empty")
    return text


def words(text):
    return [part.strip() for part in text.split(",") if part.strip()]


def scaled(text, units):
    if text[-1:] not in units:
        raise ValueError(f"needs a unit, one of {' '.join(units)}")
    return int(text[:-1]) * units[text[-1]]


def size(text):
    return scaled(text, {"b": 1, "k": 1024, "m": 1024 * 1024})


def duration(text):
    return scaled(text, {"s": 1, "m": 60, "h": 3600})


def window(text):
    start, end = (int(part[:2]) * 60 + int(part[3:]) for part in text.split("-"))
    return start, end


SCHEMA = {
    ("service", ""): {"name": word, "profile": word},
${features.map((feature) => `    ${feature.schema},`).join("\n")}
}


def below(root, path):
    full = os.path.realpath(os.path.join(root, path))
    if not full.startswith(os.path.realpath(root) + os.sep):
        raise ConfigError(f"{path} is outside the configuration folder")
    try:
        with open(full, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} can't be read: {error}")


def layers(root):
    """The files in the order in which they are read, with their settings."""
    main = "${name}.${ending}"
    base = parse(below(root, main), main)
    profile = next((value for section, key, value in base if (section, key) == ("service", "profile")), None)
    folder = os.path.join(root, "conf.d")
    extra = sorted(name for name in (os.listdir(folder) if os.path.isdir(folder) else []) if name.endswith(".${ending}"))
    found = [${precedence === "last" ? "(main, base)" : ""}]
    if profile:
        path = f"profiles/{profile}.${ending}"
        found.append((path, parse(below(root, path), path)))
    for name in extra:
        found.append((f"conf.d/{name}", parse(below(root, f"conf.d/{name}"), name)))
${precedence === "first" ? `    found.insert(len(found), (main, base))\n` : ""}    return found


def effective(root):
    """(section, key) -> (text, file)"""
    merged = {}
    for path, settings in layers(root):
        for section, key, value in settings:
${precedence === "last" ? `            merged[section, key] = (value, path)` : `            merged.setdefault((section, key), (value, path))`}
    environment = os.path.join(root, "override.env")
    if os.path.exists(environment):
        for line in below(root, "override.env").splitlines():
            name, equals, value = line.strip().partition("=")
            if equals and not name.startswith("#"):
                section, _, key = name.lower().partition("__")
                merged[section.replace("_", " ", 1), key] = (value, "override.env")
    return merged


class Service:
    def __init__(self, root):
        self.sections = {}
        for (section, key), (value, path) in effective(root).items():
            kind, _, name = section.partition(" ")
            keys = SCHEMA.get((kind, "*" if name else ""))
            if keys is None:
                raise ConfigError(f"{path}: unknown section {section}")
            convert = keys.get(key) if isinstance(keys, dict) else keys
            if convert is None:
                raise ConfigError(f"{path}: unknown key {section}.{key}")
            if value.startswith("@"):
                value = below(root, value[1:]).strip()
            try:
                self.sections.setdefault(section, {})[key] = convert(value)
            except ValueError as error:
                raise ConfigError(f"{path}: {section}.{key} = {value}: {error}")
        for (kind, name), keys in SCHEMA.items():
            for section in [kind] if not name else [s for s in self.sections if s.startswith(kind + " ")]:
                for key in keys if isinstance(keys, dict) else ():
                    if key not in self.sections.get(section, {}) and (kind, key) != ("service", "profile"):
                        raise ConfigError(f"{section}.{key} is missing")
${startup.join("\n")}

    def answer(self, line):
        verb, *rest = line.split()
        return getattr(self, VERBS[verb])(rest) if verb in VERBS else "unknown request"

${features.map((feature) => feature.python).join("\n\n")}


VERBS = {${verbs.map(([verb, method]) => `"${verb}": "${method}"`).join(", ")}}


def main(arguments):
    root = arguments[arguments.index("--config") + 1]
    try:
        service = Service(root)
    except ConfigError as error:
        print(f"config error: {error}", file=sys.stderr)
        return 1
    if "--check" in arguments:
        print("configuration fine")
        return 0
    for line in sys.stdin:
        if line.strip():
            print(service.answer(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
`;
}
