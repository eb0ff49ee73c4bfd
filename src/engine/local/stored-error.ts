// Errors as the journal keeps them, so that a failure that a flow has decided on is the same after a resume.
import {
  ArtefactError,
  ConfigError,
  EngineError,
  EnvironmentError,
  type JsonObject,
  LayerError,
  ModelError,
  RoutesetterError,
  SandboxError,
  TaskFormatError,
  TrainerError,
  VerifierError,
} from "../../contract/index.ts";
import { storedJson } from "../../store/index.ts";

const classes = {
  ArtefactError,
  ConfigError,
  EngineError,
  EnvironmentError,
  LayerError,
  ModelError,
  SandboxError,
  TaskFormatError,
  TrainerError,
  VerifierError,
};

export type StoredError = {
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
  readonly isRetryable: boolean;
  readonly remedy: string;
  readonly where: JsonObject;
  readonly details: JsonObject;
};

export function storeError(error: unknown): string {
  const known = RoutesetterError.isInstance(error);
  const stored: StoredError = {
    name: error instanceof Error || known ? error.name : "Error",
    message: error instanceof Error || known ? error.message : String(error),
    code: known ? error.code : null,
    isRetryable: known && error.isRetryable,
    remedy: known ? error.remedy : "",
    where: known ? (error.where as JsonObject) : {},
    details: known ? error.details : {},
  };
  return JSON.stringify(stored);
}

export const readStoredError = (text: string, file: string): StoredError =>
  storedJson(text, file) as unknown as StoredError;

/** The error again, of its class, with its message, code, remedy and details. */
export function restoreError(text: string, file: string): Error {
  const { name, message, code, isRetryable, remedy, where, details } = readStoredError(text, file);
  const Class = classes[name as keyof typeof classes];
  if (!Class || code === null) return Object.assign(new Error(message), { name });
  return Object.assign(new Class({ code, message, isRetryable, details }), { remedy, where });
}
