/** Bytes of a file from `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Opens a file's bytes, whole or in part. */
export type OpenBytes = (range?: ByteRange) => Promise<AsyncIterable<Uint8Array>>

/** A file on its way out: the name people will see, and its bytes. */
export interface FileResponse {
  readonly name: string
  readonly type: string
  /** A function where parts may be asked for (`Range`: a video is moved forward in); `size` is known then. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | OpenBytes
  /** Bytes, where a stream's length is known. */
  readonly size?: number
  /** May be shown in place (pictures), and kept by the browser for so long. */
  readonly inline?: boolean
  readonly cacheSeconds?: number
}
