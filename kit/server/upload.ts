import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { parseForm } from './form-encoding.ts'
import { detectFileType } from './file-type.ts'
import type { Upload } from './app.ts'

/** HTTP 413, with words for people. */
export class UploadTooLarge extends Error {
  readonly statusCode = 413
}

export interface ReceivedUpload {
  readonly fields: Record<string, unknown>
  readonly file: Upload | undefined
  remove(): Promise<void>
}

const formatSize = (bytes: number): string =>
  bytes >= 1048576 ? `${Number((bytes / 1048576).toFixed(1))} MB` : `${Math.floor(bytes / 1024)} KB`

const uploadTooLarge = (limit: number): UploadTooLarge =>
  new UploadTooLarge(`文件超过 ${formatSize(limit)}，请压缩或拆分后重新上传`)

const headBytes = 4100

/** A name as it may be shown and saved: no folders, no control characters, 120 characters at most. */
export const sanitizeFileName = (said: string | undefined): string => {
  const name = (said ?? '')
    .normalize('NFC')
    .toWellFormed()
    .replace(/^.*[/\\]/, '')
    .replace(/[\p{Cc}\p{Cf}"<>|:*?]/gu, '')
    .trim()
    .replace(/^\.+/, '')
  const all = [...name]
  const end = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ''
  return all.length <= 120 ? name || '未命名' : all.slice(0, 120 - end.length).join('') + end
}

/** What lies in the private folder of uploads longer than a day belongs to a process that died. */
export async function removeStaleUploads(dataDir: string): Promise<void> {
  const dir = join(dataDir, 'tmp')
  for (const f of await readdir(dir).catch(() => [])) {
    const at = join(dir, f)
    const s = await stat(at).catch(() => undefined)
    if (s?.isFile() && Date.now() - s.mtimeMs > 86_400_000) {
      await rm(at, { force: true })
    }
  }
}

/**
 * Takes a multipart request: its fields as a form's, its one file streamed to a private place, never held in
 * memory. Past `limit` bytes the rest is read away unseen, so that the sender hears the refusal.
 */
export async function receiveUpload(
  req: IncomingMessage,
  limit: number,
  dataDir: string,
): Promise<ReceivedUpload> {
  if (Number(req.headers['content-length'] ?? 0) > limit + 1048576) {
    req.resume()
    throw uploadTooLarge(limit)
  }
  const dir = join(dataDir, 'tmp')
  const path = join(dir, randomUUID())
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const fields: string[] = []
  let writing: Promise<Upload> | undefined
  const write = async (stream: BusboyFileStream, name: string): Promise<Upload> => {
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
    await pipeline(stream, measure, createWriteStream(path, { mode: 0o600 }))
    if (stream.truncated) throw uploadTooLarge(limit)
    if (size === 0) throw new Refused(resultCode.invalidInput, '文件是空的，请重新选择')
    const type = detectFileType(head, name)
    if (!type) throw new Refused(resultCode.invalidInput, '文件内容与扩展名不符，请重新选择')
    return { name, type, size, path }
  }
  const remove = (): Promise<void> => rm(path, { force: true })
  try {
    await new Promise<void>((done, fail) => {
      const unreadable = (): void =>
        fail(new Refused(resultCode.invalidInput, '上传没有完成或内容无法读取，请重试'))
      const boy = new Busboy({
        headers: req.headers as BusboyHeaders,
        limits: { fileSize: limit, files: 1, fields: 1000, fieldSize: 1048576, parts: 1001, headerPairs: 50 },
      })
      boy.on('field', (name: string, value: string, _: boolean, cut: boolean) => {
        if (cut) fail(new Refused(resultCode.invalidInput, '表单内容过长'))
        fields.push(`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
      })
      boy.on('file', (_: string, stream: BusboyFileStream, name: string) => {
        stream.on('limit', () => fail(uploadTooLarge(limit)))
        writing = write(stream, sanitizeFileName(name))
        writing.catch(fail)
      })
      for (const over of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
        boy.on(over, () => fail(new Refused(resultCode.invalidInput, '一次只能上传一个文件')))
      }
      boy.on('error', unreadable)
      boy.on('finish', () => done())
      req.once('aborted', unreadable)
      req.once('error', unreadable)
      req.pipe(boy)
    })
    return { fields: parseForm(fields.join('&')), file: await writing, remove }
  } catch (e) {
    req.unpipe()
    req.resume()
    await writing?.catch(() => {})
    await remove()
    throw e
  }
}
