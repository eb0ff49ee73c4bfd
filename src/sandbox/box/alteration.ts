// How a test makes a box that is weaker than it should be. Nothing that is exported from this folder's index takes one.

export type Alteration = {
  /** Changes the program text that makes or enters namespaces. */
  launch(text: string): string;
  /** Changes what bubblewrap is told. */
  bubblewrap(words: string[]): string[];
  readonly filtered?: false;
};

export const unaltered: Alteration = { launch: (text) => text, bubblewrap: (words) => words };
