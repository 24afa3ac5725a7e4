// The few globals that browser and server share, so that the pure layers need neither library.
declare class URLSearchParams {
  constructor(init?: string | Record<string, string> | readonly (readonly [string, string])[])
  append(name: string, value: string): void
  get(name: string): string | null
  set(name: string, value: string): void
  toString(): string
}

declare class TextEncoder {
  encode(text: string): Uint8Array
}
