/** A message of a channel's protocol; its fields are all optional. Throws where it is no JSON. */
export function parseJsonMessage<T extends object>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded; its signature was checked
  return JSON.parse(text) as T
}
