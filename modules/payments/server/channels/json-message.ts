/** A message of a channel's protocol; its fields are all optional. Throws where it is no JSON. */
export function parseJsonMessage<T extends object>(text: string): T {
  return JSON.parse(text)
}
