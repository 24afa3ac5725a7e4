/** A message of a channel's protocol: all its fields are optional and read with care. Throws where it is no JSON. */
export function parseJsonMessage<T extends object>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a decoded message; its signature vouches for it
  return JSON.parse(text) as T
}
