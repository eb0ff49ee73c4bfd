/** The `data` of each event of a stream (WHATWG server-sent events), in order; an event that was cut off is left out. */
export function serverSentEvents(body: string): string[] {
  const events = body.replace(/\r\n?/g, "\n").split("\n\n");
  const last = events.pop();
  // The last event of a finished stream may lack its empty line.
  if (last?.trim()) events.push(last);
  return events.flatMap((event) => {
    const data = event
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(line.startsWith("data: ") ? 6 : 5));
    return data.length > 0 ? [data.join("\n")] : [];
  });
}
