import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { root } from '../source-files.ts'

/**
 * The server of the previous released version, kept as sources: a clone may lack its commit, and with its own
 * program it lays its own schema and data and answers with its own statements (tools/upgrade.db.test.ts).
 */
export interface ReleaseArchive {
  readonly version: string
  readonly commit: string
  /** Path → text. */
  readonly files: Readonly<Record<string, string>>
}

const ARCHIVE = join(root, 'db/release/previous.json.br')

/** The program that an archive is run by: it answers with the calls of that release. */
export const RELEASE_PROGRAM = 'tools/release/release-server.ts'

/** The sources that a server needs, and what examples of its calls are made by. */
export const belongsToServer = (file: string): boolean =>
  !/\.(test\.tsx?|md)$/.test(file) &&
  [
    /^package\.json$/,
    /^apps\/server\//,
    /^kit\/(contract|domain|data|server)\//,
    /^modules\/(index\.ts$|[^/]+\/(module\.ts$|contract\/|domain\/|server\/))/,
    /^db\/(golden|migrations)\//,
    /^tools\/(database|command-line|source-files)\.ts$/,
    /^tools\/every-call\/examples\.ts$/,
    new RegExp(`^${RELEASE_PROGRAM.replaceAll('.', '\\.')}$`),
  ].some(pattern => pattern.test(file))

export const readReleaseArchive = (): ReleaseArchive =>
  JSON.parse(brotliDecompressSync(readFileSync(ARCHIVE)).toString())

export function writeReleaseArchive(archive: ReleaseArchive): number {
  const text = Buffer.from(JSON.stringify(archive))
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants
  const packed = brotliCompressSync(text, {
    params: { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: text.length },
  })
  mkdirSync(dirname(ARCHIVE), { recursive: true })
  writeFileSync(ARCHIVE, packed)
  return packed.length
}

/** Writes the sources into an empty folder, with the libraries that are installed here. */
export function unpackRelease({ files }: ReleaseArchive, folder: string): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
}
