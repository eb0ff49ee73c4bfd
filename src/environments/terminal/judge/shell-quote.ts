/** A word that a POSIX shell reads back byte for byte. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
