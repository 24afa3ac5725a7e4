import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Hash } from 'node:crypto'
import { Writable } from 'node:stream'
import { callbackify } from 'node:util'
import { defined } from '#kit/domain/defined.ts'
import { assertDiskSpace } from './disk-space.ts'

/** After so many bytes the disk is looked at again. */
const checkEveryBytes = 2 ** 21
const bufferedBytes = 2 ** 19

interface DiskFileOptions {
  /** Where bytes go on in a file that is there; without it the file is new. */
  readonly start?: number
  /** Waits for the disk before it closes: a power cut takes nothing of it. */
  readonly flush?: boolean
  /** Learns every byte on its way to the disk. */
  readonly hash?: Hash | undefined
}

type Done = (error?: Error | null) => void

class DiskFile extends Writable {
  readonly #path: string
  readonly #isNew: boolean
  readonly #flush: boolean
  readonly #hash: Hash | undefined
  #position: number
  #unchecked = checkEveryBytes
  #file: FileHandle | undefined

  constructor(path: string, { start, flush = false, hash }: DiskFileOptions) {
    super({ highWaterMark: bufferedBytes })
    this.#path = path
    this.#isNew = start === undefined
    this.#flush = flush
    this.#hash = hash
    this.#position = start ?? 0
  }

  override _construct(done: Done): void {
    callbackify(() => this.#open())(done)
  }

  override _write(chunk: Buffer, _: string, done: Done): void {
    callbackify(() => this.#store([chunk]))(done)
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: Done): void {
    callbackify(() => this.#store(chunks.map(each => each.chunk)))(done)
  }

  override _final(done: Done): void {
    callbackify(async () => this.#flush && defined(this.#file).sync())(done)
  }

  override _destroy(error: Error | null, done: Done): void {
    callbackify(async () => this.#file?.close())(closeError => done(error ?? closeError))
  }

  async #open(): Promise<void> {
    this.#file = await open(this.#path, this.#isNew ? 'w' : 'r+', 0o600)
  }

  async #store(chunks: readonly Buffer[]): Promise<void> {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    this.#unchecked += length
    if (this.#unchecked >= checkEveryBytes) {
      await assertDiskSpace(dirname(this.#path), length)
      this.#unchecked = 0
    }
    const file = defined(this.#file)
    const writing = file.writev(chunks, this.#position)
    // While the disk writes: to read the file again for it cost a third of an upload.
    chunks.forEach(chunk => this.#hash?.update(chunk))
    const { bytesWritten } = await writing
    this.#position += bytesWritten
    if (bytesWritten < length) {
      await this.#storeRest(file, Buffer.concat(chunks).subarray(bytesWritten))
    }
  }

  /** The system may take a part of what it is given. */
  async #storeRest(file: FileHandle, bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at, this.#position)
      at += bytesWritten
      this.#position += bytesWritten
    }
  }
}

/**
 * A private file written as a stream, as every file of unknown length is: it breaks off with `DiskFullError`
 * where it would begin the last space of the disk, which is the database's.
 */
export const writeDiskFile = (path: string, options: DiskFileOptions = {}): Writable =>
  new DiskFile(path, options)
