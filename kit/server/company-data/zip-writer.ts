import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { toError } from '#kit/domain/to-error.ts'
import type { ExportedFile } from './manifest.ts'

/** The zip under construction: entries are read one after another, each while it is packed. */
export class ExportZip {
  readonly #zip = new ZipFile()
  readonly #written: Promise<void>
  readonly #failed: Promise<never>
  readonly #out: Writable

  constructor(out: Writable) {
    this.#out = out
    this.#written = pipeline(this.#zip.outputStream, out)
    this.#failed = new Promise((_, reject) => {
      this.#zip.on('error', error => reject(toError(error)))
      this.#written.catch(reject)
    })
    this.#failed.catch(() => {})
  }

  /** Adds what the pieces hold; `hash` learns them. Done when all of them have been taken over. */
  async add(
    path: string,
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
    compress = true,
  ): Promise<ExportedFile> {
    const hash: Hash = createHash('sha256')
    let bytes = 0
    const body = new PassThrough({ highWaterMark: 2 ** 18 })
    this.#zip.addReadStream(body, path, { compress })
    const feed = async (): Promise<void> => {
      for await (const piece of pieces) {
        hash.update(piece)
        bytes += piece.length
        if (!body.write(piece)) {
          await once(body, 'drain')
        }
      }
      body.end()
      await finished(body)
    }
    await Promise.race([feed(), this.#failed]).catch((error: unknown) => {
      body.destroy()
      throw error
    })
    return { path, bytes, sha256: hash.digest('hex') }
  }

  async end(): Promise<void> {
    this.#zip.end()
    await Promise.race([this.#written, this.#failed])
  }

  abort(): void {
    this.#out.destroy()
  }
}
