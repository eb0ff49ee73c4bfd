import type { Random } from "../../../statistics/index.ts";
import type { Question } from "../composition/index.ts";
import type { FixtureFile } from "../family.ts";
import { drawPeople } from "../words/index.ts";

const actions = [
  "signed in",
  "signed out",
  "changed the password",
  "asked for a reset link",
  "created a token",
  "was locked out",
];

/** An audit log and the same text without addresses and tokens, drawn together. */
export function drawAudit(random: Random): { file: FixtureFile; redacted: string } {
  const people = drawPeople(random, 8);
  const domains = ["example.org", "mail.example.net", "corp.example.com"];
  let text = "";
  let redacted = "";
  for (let index = 0, at = Date.UTC(2026, 4, 3, 6); index < random.integer(30, 45); index++) {
    at += random.integer(2, 400) * 1000;
    const person = random.pick(people);
    const mail = `${person.login}@${random.pick(domains)}`;
    const token = `tk_${random.word().toString(36)}${random.word().toString(36)}`;
    const end = random.boolean(0.2) ? "\r\n" : "\n";
    const head = `${new Date(at).toISOString().slice(0, 19)}Z audit`;
    const line = (address: string, secret: string) => {
      switch (index % 5) {
        case 0:
          return `${head} user=${address} ${random.pick(actions.slice(0, 1))} token=${secret} from 10.0.${index}.${index + 3}`;
        case 1:
          return `${head} <${address}> ${actions[index % actions.length]}`;
        case 2:
          return `${head} note "ticket @ desk 4, mailto:${address}" token=${secret}`;
        case 3:
          return `${head} token rotation finished, tokens=${index}`;
        default:
          return `${head} ${address} shared a file with ${address} (token=${secret})`;
      }
    };
    text += line(mail, token) + end;
    redacted += line("[mail]", "[token]") + end;
  }
  return { file: { path: "logs/audit/audit.log", content: text }, redacted };
}

/** A copy of the audit log that can be given away. */
export function redaction(folder: string, redacted: string): Question {
  const path = `${folder}/audit-redacted.log`;
  const solve = (tokens: string) => `
audit = (LOGS / "audit" / "audit.log").read_bytes().decode()
audit = re.sub(r"[A-Za-z0-9._-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+", "[mail]", audit)
${tokens}
Path("${path}").write_bytes(audit.encode())`;
  return {
    key: "redaction",
    shape: "redacted-copy",
    artefact: path,
    format: "the log's own",
    statement: "The audit log is copied without addresses and tokens, every other byte as it was",
    demand: `The auditors get a copy of \`/app/logs/audit/audit.log\` as \`${path}\`, in which every mail address is replaced by \`[mail]\` and the value after every \`token=\` (letters, digits and \`_\`) by \`[token]\`. Everything else, line ends included, stays byte for byte.`,
    derivation: "two replacements in the audit log",
    sources: ["/app/logs/audit/audit.log"],
    negatives: ["a mail address", "a token"],
    expected: redacted,
    solve: solve(`audit = re.sub(r"\\btoken=\\w+", "token=[token]", audit)`),
    mistake: { name: "leaves the tokens", solve: solve("") },
    check: `v.equal(v.read_bytes("${path}").decode("utf-8", "replace").split("\\n"), wanted.split("\\n"), "${path}")`,
  };
}
