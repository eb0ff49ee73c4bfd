// What makes two model calls the same call: everything that could change the answer, and nothing else.
import { createHash } from "node:crypto";
import { canonicalJson, type ModelRequest } from "../contract/index.ts";

/** Who answers: the provider's kind and id, the model, and its revision where one is pinned. */
export type ModelIdentity = {
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly revision: string | null;
};

/**
 * The parts of a key. What is not set is absent, which is not the same as any value; no sample is sample 0. The order
 * of properties in a tool's parameters and in the schema counts: a model reads them in that order.
 */
export function requestParts(identity: ModelIdentity, request: ModelRequest) {
  return {
    kind: identity.kind,
    provider: identity.provider,
    model: identity.model,
    revision: identity.revision,
    system: request.system,
    messages: request.messages,
    tools: request.tools?.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: JSON.stringify(parameters),
    })),
    toolChoice: request.toolChoice,
    schema: request.schema && JSON.stringify(request.schema),
    sampling: request.sampling ?? {},
    sample: request.sample ?? 0,
  };
}

export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** The digest under which a call is recorded, limited and traced. */
export function requestKey(identity: ModelIdentity, request: ModelRequest): string {
  return sha256(canonicalJson(requestParts(identity, request)));
}
