export type TaskConfiguration = Record<string, unknown>;
