// What parseDockerfile gives: every instruction with the lines it stands on, nothing substituted yet: words keep their
// quotes and variables. Reference: the Dockerfile reference and the behaviour of the builders.

/** One-based, both ends included. */
export type LineRange = { readonly line: number; readonly endLine: number };

/** One physical line's share of an instruction, comments and continuation marks removed. */
export type SourcePiece = { readonly line: number; readonly text: string };

export type Heredoc = LineRange & {
  /** The terminator's name without quotes. */
  readonly name: string;
  readonly content: string;
  /** false when the name was quoted: the content is taken as it is. */
  readonly expand: boolean;
  /** `<<-`: leading tabs were removed. */
  readonly chomp: boolean;
  /** File descriptor in front of `<<`; 0 when none. */
  readonly descriptor: number;
};

export type Flag = { readonly name: string; readonly value: string | null };

type Base<Keyword extends string> = LineRange & {
  readonly keyword: Keyword;
  /** All after the keyword, continuations joined, flags included. */
  readonly text: string;
  readonly pieces: readonly SourcePiece[];
  readonly flags: readonly Flag[];
  readonly heredocs: readonly Heredoc[];
};

/** `argv` for the JSON form, `shell` for the shell form; one of them is null. */
export type CommandForm = { readonly argv: readonly string[] | null; readonly shell: string | null };

export type FromInstruction = Base<"FROM"> & {
  /** As written: `name:tag`, `name@sha256:…`, a stage or `scratch`; variables unsubstituted. */
  readonly image: string;
  readonly alias: string | null;
  readonly platform: string | null;
};
export type RunInstruction = Base<"RUN"> & CommandForm & { readonly mounts: readonly string[] };
export type CommandInstruction = Base<"CMD" | "ENTRYPOINT"> & CommandForm;
export type CopyInstruction = Base<"COPY" | "ADD"> & {
  readonly sources: readonly string[];
  readonly destination: string;
  readonly from: string | null;
  readonly chown: string | null;
  /** As written, `0755` or `u+x`. */
  readonly chmod: string | null;
};
export type Pair = { readonly name: string; readonly value: string };
export type PairsInstruction = Base<"ENV" | "LABEL"> & { readonly pairs: readonly Pair[] };
export type ArgInstruction = Base<"ARG"> & {
  readonly variables: readonly { readonly name: string; readonly defaultValue: string | null }[];
};
/** WORKDIR, USER, STOPSIGNAL, MAINTAINER: one value. */
export type ValueInstruction = Base<"WORKDIR" | "USER" | "STOPSIGNAL" | "MAINTAINER"> & { readonly value: string };
export type WordsInstruction = Base<"EXPOSE" | "VOLUME" | "SHELL"> & { readonly words: readonly string[] };
export type HealthcheckInstruction = Base<"HEALTHCHECK"> & CommandForm & { readonly none: boolean };
export type OnbuildInstruction = Base<"ONBUILD"> & { readonly trigger: string };
export type UnknownInstruction = Base<"UNKNOWN"> & { readonly name: string };

export type Instruction =
  | FromInstruction
  | RunInstruction
  | CommandInstruction
  | CopyInstruction
  | PairsInstruction
  | ArgInstruction
  | ValueInstruction
  | WordsInstruction
  | HealthcheckInstruction
  | OnbuildInstruction
  | UnknownInstruction;

export type DockerfileProblemCode =
  | "unterminated_continuation"
  | "unterminated_heredoc"
  | "unknown_instruction"
  | "no_from"
  | "instruction_before_from"
  | "invalid_arguments"
  | "invalid_json_form"
  | "duplicate_stage";

/** `error`: builders refuse it; `warning`: builders take it in another sense than it reads. */
export type DockerfileProblem = LineRange & {
  readonly code: DockerfileProblemCode;
  readonly severity: "error" | "warning";
  readonly message: string;
};

export type Stage = {
  readonly index: number;
  readonly name: string | null;
  readonly from: FromInstruction;
  /** Without its FROM. */
  readonly instructions: readonly Instruction[];
};

export type Dockerfile = {
  readonly escapeCharacter: "\\" | "`";
  /** `syntax`, `escape`, `check`, in lower case. */
  readonly directives: Readonly<Record<string, string>>;
  readonly instructions: readonly Instruction[];
  /** ARGs in front of the first FROM. */
  readonly globals: readonly ArgInstruction[];
  readonly stages: readonly Stage[];
  readonly problems: readonly DockerfileProblem[];
};
