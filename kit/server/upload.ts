import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { parseForm } from './form-encoding.ts'
import { writeDiskFile } from './disk-file.ts'
import { assertDiskSpace } from './disk-space.ts'
import { detectFileType } from './file-type.ts'
import type { Upload } from './app.ts'

/** HTTP 413, with a message for people. */
export class UploadTooLarge extends Error {
  readonly statusCode = 413
}

/** HTTP 400, with a message for people: the body cannot be taken apart. */
export class MalformedUpload extends Error {
  readonly statusCode = 400
}

export interface ReceivedUpload {
  readonly fields: Record<string, unknown>
  readonly file: Upload | undefined
  remove(): Promise<void>
}

const formatSize = (bytes: number): string =>
  bytes >= 1048576 ? `${Number((bytes / 1048576).toFixed(1))} MB` : `${Math.floor(bytes / 1024)} KB`

/** What a call takes: up to so many bytes at once, and more by the resumable upload or not. */
export interface UploadLimit {
  readonly bytes: number
  readonly takesResumed?: boolean | undefined
}

export const uploadTooLarge = ({ bytes, takesResumed }: UploadLimit): UploadTooLarge =>
  new UploadTooLarge(
    takesResumed
      ? `文件超过 ${formatSize(bytes)}，请使用断点续传（/api/upload）上传，完成后以 UploadID 提交`
      : `文件超过 ${formatSize(bytes)}，请压缩或拆分后重新上传`,
  )

/** The first bytes of a file that identify its type. */
export const headBytes = 4100

/** A name as it was sent, in one way of writing. */
export const normalizeFileName = (sent: string): string => sent.normalize('NFC').toWellFormed()

/** A name as it may be shown and saved: no folders, no control characters, 120 characters at most. */
export const sanitizeFileName = (original: string | undefined): string => {
  const name = normalizeFileName(original ?? '')
    .replace(/^.*[/\\]/, '')
    .replace(/[\p{Cc}\p{Cf}"<>|:*?]/gu, '')
    .trim()
    .replace(/^\.+/, '')
  const characters = [...name]
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ''
  return characters.length <= 120
    ? name || '未命名'
    : characters.slice(0, 120 - extension.length).join('') + extension
}

/** The folder of uploaded bytes until a call takes them. */
export const uploadFolder = (dataDir: string): string => join(dataDir, 'tmp')

/** Removes uploads older than a day: they belong to a process that died. */
export async function removeStaleUploads(dataDir: string): Promise<void> {
  const folder = uploadFolder(dataDir)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const info = await stat(path).catch(() => undefined)
    if (info?.isFile() && Date.now() - info.mtimeMs > 86_400_000) {
      await rm(path, { force: true })
    }
  }
}

/** Streams a file to `path`, measures it and checks its type against its name. */
async function storeFile(
  stream: BusboyFileStream,
  path: string,
  sentName: string,
  limit: UploadLimit,
): Promise<Upload> {
  const name = sanitizeFileName(sentName)
  let size = 0
  let head = Buffer.alloc(0)
  const measure = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      if (head.length < headBytes) {
        head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
      }
      done(null, chunk)
    },
  })
  await pipeline(stream, measure, writeDiskFile(path))
  if (stream.truncated) throw uploadTooLarge(limit)
  if (size === 0) throw new Refused(resultCode.invalidInput, '文件是空的，请重新选择')
  const type = detectFileType(head, name)
  if (!type) throw new Refused(resultCode.invalidInput, '文件内容与扩展名不符，请重新选择')
  return { name, ...(name !== sentName && { sentName }), type, size, path }
}

const partLimits = { files: 1, fields: 1000, fieldSize: 1048576, parts: 1001, headerPairs: 50 }

function openParser(req: IncomingMessage, limit: UploadLimit) {
  try {
    return new Busboy({
      headers: { ...req.headers, 'content-type': req.headers['content-type'] ?? '' },
      limits: { ...partLimits, fileSize: limit.bytes },
      preservePath: true,
    })
  } catch {
    // Busboy refuses a multipart type that names no boundary.
    throw new MalformedUpload('上传的内容没有分隔标记，无法读取，请重新上传')
  }
}

/** Parses the parts of a request: hands its one file to `onFile` and returns its fields as form text. */
const parseParts = (
  req: IncomingMessage,
  limit: UploadLimit,
  onFile: (stream: BusboyFileStream, name: string) => Promise<unknown>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const fields: string[] = []
    const rejectUnreadable = (): void =>
      reject(new Refused(resultCode.invalidInput, '上传未完成或内容无法读取，请重试'))
    const parser = openParser(req, limit)
    parser.on('field', (name: string, value: string, _: boolean, isTruncated: boolean) => {
      if (isTruncated) {
        reject(new Refused(resultCode.invalidInput, '表单内容过长'))
      }
      fields.push(`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
    })
    parser.on('file', (_: string, stream: BusboyFileStream, name: string) => {
      stream.on('limit', () => reject(uploadTooLarge(limit)))
      onFile(stream, normalizeFileName(name ?? '')).catch(reject)
    })
    for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
      parser.on(event, () => reject(new Refused(resultCode.invalidInput, '一次只能上传一个文件')))
    }
    parser.on('error', rejectUnreadable)
    parser.on('finish', () => resolve(fields.join('&')))
    req.once('aborted', rejectUnreadable)
    req.once('error', rejectUnreadable)
    req.pipe(parser)
  })

/**
 * Receives a multipart request: its fields as a form's, its one file streamed to a private place, never held
 * in memory. Beyond the limit the rest is read and discarded, so that the sender receives the refusal.
 */
export async function receiveUpload(
  req: IncomingMessage,
  limit: UploadLimit,
  dataDir: string,
): Promise<ReceivedUpload> {
  if (Number(req.headers['content-length'] ?? 0) > limit.bytes + 1048576) {
    req.resume()
    throw uploadTooLarge(limit)
  }
  await assertDiskSpace(dataDir, Number(req.headers['content-length'] ?? 0)).catch((error: unknown) => {
    req.resume()
    throw error
  })
  const folder = uploadFolder(dataDir)
  const path = join(folder, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let storing: Promise<Upload> | undefined
  const remove = (): Promise<void> => rm(path, { force: true })
  try {
    const fields = await parseParts(req, limit, (stream, name) => {
      storing = storeFile(stream, path, name, limit)
      return storing
    })
    return { fields: parseForm(fields), file: await storing, remove }
  } catch (e) {
    req.unpipe()
    req.resume()
    await storing?.catch(() => {})
    await remove()
    throw e
  }
}
