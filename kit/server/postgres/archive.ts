import { createHash } from 'node:crypto'
import { createReadStream, renameSync, rmSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { writeDiskFile } from '../disk-file.ts'
import { tarPadding, TAR_END, tarEntries, tarHeader } from './tar.ts'

export interface ArchiveWriter {
  /** one entry of known size; the pieces must add up to it */
  add(path: string, size: number, body: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void>
}

const CHECKSUM_ENTRY = 'sha256'

/**
 * Writes a tar packed with zstd (`tar --zstd -xf` opens it) whose last entry is the SHA-256 of everything
 * before. The file appears under its name only when it is whole.
 */
export async function writeArchive(
  file: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const draft = `${file}.part`
  const stream = new PassThrough({ highWaterMark: 2 ** 20 })
  const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }
  const out = writeDiskFile(draft, { flush: true })
  const written = pipeline(stream, createZstdCompress({ params }), out)
  written.catch(() => {})
  const seal = createHash('sha256')
  const write = async (piece: Buffer) => {
    seal.update(piece)
    if (!stream.write(piece)) {
      await Promise.race([new Promise(resolve => stream.once('drain', resolve)), written])
    }
  }
  const add: ArchiveWriter['add'] = async (path, size, body) => {
    await write(tarHeader({ path, size }))
    let got = 0
    for await (const piece of body) {
      got += piece.length
      await write(piece)
    }
    if (got !== size) throw new Error(`${path}: ${got} bytes instead of ${size}`)
    await write(tarPadding(size))
  }
  try {
    await fill({ add })
    const digest = Buffer.from(seal.digest('hex'))
    stream.write(tarHeader({ path: CHECKSUM_ENTRY, size: digest.length }))
    stream.write(Buffer.concat([digest, tarPadding(digest.length)]))
    stream.end(TAR_END)
    await written
    renameSync(draft, file)
  } catch (error) {
    stream.destroy()
    await written.catch(() => {})
    rmSync(draft, { force: true })
    throw error
  }
}

export interface ArchiveEntry {
  path: string
  size: number
  body: AsyncIterable<Buffer>
}

/**
 * Hands every entry to the reader in order (to be read whole or not at all), then compares the seal. Throws
 * on any damage, at the latest at the end.
 */
export async function readArchive(file: string, read: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
  const seal = createHash('sha256')
  const source = createReadStream(file, { highWaterMark: 2 ** 18 })
  const unpacked = createZstdDecompress()
  source.on('error', error => unpacked.destroy(error))
  source.pipe(unpacked)
  let sealed = false
  try {
    for await (const { path, size, body } of tarEntries(unpacked)) {
      if (sealed) throw new Error('entries after the seal')
      if (path === CHECKSUM_ENTRY) {
        const pieces: Buffer[] = []
        for await (const piece of body) {
          pieces.push(piece)
        }
        if (Buffer.concat(pieces).toString() !== seal.digest('hex'))
          throw new Error('the seal does not match')
        sealed = true
        continue
      }
      seal.update(tarHeader({ path, size }))
      const watched = (async function* () {
        for await (const piece of body) {
          seal.update(piece)
          yield piece
        }
      })()
      await read({ path, size, body: watched })
      for await (const rest of watched) {
        void rest
      }
      seal.update(tarPadding(size))
    }
    if (!sealed) throw new Error('the seal is missing')
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}
