import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text as textOfStream } from 'node:stream/consumers'
import pg from 'pg'
import { envelopeOf, numberOf, objectOf, textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { openFiles } from '#kit/server/files.ts'
import type { App } from '#kit/server/app.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { listNodes } from '#modules/files/contract/node.ts'
import { nodeListHandlers } from '#modules/files/server/node-list.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { atLeast, atMost, measureMs, type BenchContext, type BenchRow } from './bench.ts'
import { captureStatements, type CapturedStatement } from './job-harness.ts'
import { seedCompany, estateCode } from './room-data.ts'

export const name = 'files'

const megabyte = 2 ** 20
const largeBytes = 1024 * megabyte
const smallBytes = 64 * megabyte
const rounds = 5
const entryCount = 50_000

/** The middle one of several, turn about with its limit, so that both meet the same minute. */
const middle = (values: readonly number[]): number =>
  defined(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)])

const body = (bytes: number): Readable => {
  const chunk = Buffer.alloc(megabyte, 7)
  return Readable.from(Array.from({ length: bytes / megabyte }, () => chunk))
}

interface FileServer {
  /** Sends a body, and reads the answer away; its text where it is short. */
  send(
    method: string,
    path: string,
    headers?: Readonly<Record<string, string | number>>,
    sent?: Readable,
  ): Promise<{ readonly headers: Readonly<Record<string, unknown>>; readonly text: string }>
  /** Ends it; returns the most memory that it had, in MB. */
  end(): Promise<number>
}

async function nextLine(child: ChildProcess): Promise<Record<string, unknown>> {
  const [line] = await once(createInterface(defined(child.stdout ?? undefined)), 'line')
  return objectOf(JSON.parse(String(line)))
}

async function startServer(which: 'ours' | 'bare', url: string, dataDir: string): Promise<FileServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'file-server.ts'), which, url, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { port } = await nextLine(child)
  return {
    send: async (method, path, headers = {}, sent) => {
      const req = request({ host: '127.0.0.1', port: numberOf(port), method, path, headers })
      const answered = once(req, 'response')
      await (sent ? pipeline(sent, req) : req.end())
      const [res] = await answered
      const isLarge = Number(res.headers['content-length'] ?? 0) > megabyte || !res.headers['content-length']
      if (isLarge && method === 'GET') {
        res.resume()
        await once(res, 'end')
        return { headers: res.headers, text: '' }
      }
      return { headers: res.headers, text: await textOfStream(res) }
    },
    end: async () => {
      const ended = nextLine(child)
      child.stdin?.end()
      return numberOf((await ended).megabytes)
    },
  }
}

/** What a browser does with one large file: it begins, sends, lets it be taken, reads it, and purges it. */
async function openClient(server: FileServer) {
  const json = { 'content-type': 'application/json' }
  const post = async (path: string, data: object, token: string): Promise<Record<string, unknown>> => {
    const sent = JSON.stringify({ Data: data })
    const answer = await server.send(
      'POST',
      `/api/${path}`,
      { ...json, token, 'content-length': Buffer.byteLength(sent) },
      Readable.from([sent]),
    )
    const envelope = envelopeOf(JSON.parse(answer.text))
    if (envelope.Code !== 10000) throw new Error(`${path}: ${envelope.Message}`)
    return objectOf(envelope.Data ?? {})
  }
  const loginPath = login.route.split(' ')[1] ?? ''
  const token = textOf((await post(loginPath, { Logincode: 'bench', Password: 'Anju2026' }, '')).Token)
  const project = { ProjectCode: estateCode(1) }
  const tus = { token, 'tus-resumable': '1.0.0' }
  const encode = (value: string): string => Buffer.from(value).toString('base64')
  return {
    upload: async (bytes: number) => {
      const metadata = Object.entries({
        filename: '影像.bin',
        purpose: 'files',
        projectCode: estateCode(1),
        dirId: '0',
      })
      const started = await server.send('POST', '/api/upload', {
        ...tus,
        'upload-length': bytes,
        'upload-metadata': metadata.map(([key, value]) => `${key} ${encode(value)}`).join(','),
      })
      const url = textOf(started.headers.location)
      await server.send(
        'PATCH',
        url,
        {
          ...tus,
          'upload-offset': 0,
          'content-type': 'application/offset+octet-stream',
          'content-length': bytes,
        },
        body(bytes),
      )
      return post('file/upload', { ...project, DirId: 0, UploadID: url.split('/').at(-1) }, token)
    },
    download: (file: Record<string, unknown>) => server.send('GET', textOf(file.Location)),
    purge: async ({ ID }: Record<string, unknown>) => {
      await post('file/delete', { ...project, FileIDs: String(ID) }, token)
      await post('file/purge', { ...project, FileIDs: String(ID) }, token)
    },
  }
}

const rate = (bytes: number, ms: number): number => bytes / megabyte / (ms / 1000)

async function measureTransfers({ database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  await seedCompany(url, 1, { withRooms: false })
  const bare = await startServer('bare', url, folder())
  const times = {
    upload: [] as number[],
    rawUpload: [] as number[],
    download: [] as number[],
    rawDownload: [] as number[],
  }
  const peakOf = async (bytes: number, count: number): Promise<number> => {
    const ours = await startServer('ours', url, folder())
    const client = await openClient(ours)
    for (let i = -1; i < count; i++) {
      let file: Record<string, unknown> = {}
      const upload = await measureMs(async () => {
        file = await client.upload(bytes)
      })
      const download = await measureMs(() => client.download(file))
      await client.purge(file)
      const rawUpload = await measureMs(() => bare.send('PUT', '/', { 'content-length': bytes }, body(bytes)))
      const rawDownload = await measureMs(() => bare.send('GET', '/'))
      if (i >= 0 && bytes === largeBytes) {
        times.upload.push(upload)
        times.download.push(download)
        times.rawUpload.push(rawUpload)
        times.rawDownload.push(rawDownload)
      }
    }
    return ours.end()
  }
  const small = await peakOf(smallBytes, rounds)
  log('1 GiB 上传与下载')
  const large = await peakOf(largeBytes, rounds)
  await bare.end()
  const transfer = (label: string, ours: readonly number[], raw: readonly number[]): BenchRow =>
    atLeast(0.7, {
      label,
      ours: rate(largeBytes, middle(ours)),
      raw: rate(largeBytes, middle(raw)),
      unit: 'MB/s',
    })
  return [
    transfer('上传 1 GiB：断点续传、核对、入库（对直接写盘）', times.upload, times.rawUpload),
    transfer('下载 1 GiB：签名地址、权限（对直接读盘）', times.download, times.rawDownload),
    atMost(1.25, { label: '上传与下载 1 GiB 的内存峰值（对 64 MiB）', ours: large, raw: small, unit: 'MB' }),
  ]
}

/** Folders and files of one folder, as the product itself would have made them. */
async function fillFolder(c: pg.Client, ownerId: number): Promise<void> {
  const code = estateCode(1)
  await c.query(`
    insert into file_dir (owner_id, project_code, name, sort_name, name_key)
    select ${ownerId}, '${code}', 'D' || n, 'd' || lpad(n::text, 8, '0'), 'd' || n
    from generate_series(1, ${entryCount / 10}) n
  `)
  await c.query(`
    insert into file_info (
      owner_id, project_code, name, sort_name, name_key, file_key, file_size, content_type, uploader_name
    )
    select ${ownerId}, '${code}', 'F' || n || '.pdf', 'f' || lpad(n::text, 8, '0'), 'f' || n || '.pdf',
      lpad(n::text, 40, '0'), n, 'application/pdf', '基准'
    from generate_series(1, ${entryCount - entryCount / 10}) n
  `)
  await c.query('analyze file_dir, file_info')
}

/** A page of a large folder, whole call against its own statements on the bare driver. */
async function measureFolder({ database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, 1, { withRooms: false })
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  await bare.query(`select set_config('app.owner_id', '${scope.ownerId}', false)`)
  await fillFolder(bare, scope.ownerId)
  log(`${entryCount} 项的文件夹`)
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  const app = t.app as { -readonly [K in keyof App]: App[K] }
  app.files = await openFiles(t.database, app.clock, folder())
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const handler = defined(nodeListHandlers.find(each => each.call === listNodes))
  const rows: BenchRow[] = []
  try {
    for (const [label, query] of [
      ['第一页', {}],
      ['最后一页', { page: Math.ceil(entryCount / 60) }],
      ['最近修改在前', { order: '-updateTime' }],
    ] as const) {
      const input = { projectCode: estateCode(1), dirId: 0 as const, size: 60, page: 1, ...query }
      const { captured, db } = captureStatements(t.database.reader(scope.ownerId))
      if (handler.mode !== 'reads') throw new Error('a list that writes')
      const { signal } = new AbortController()
      const now = fromInstant(app.clock())
      await handler.run(input, {
        db,
        app,
        scope,
        signal,
        now,
        today: dayOfMoment(now),
      })
      const [ours, raw]: [number[], number[]] = [[], []]
      for (let i = -5; i < 40; i++) {
        const wholeMs = await measureMs(() =>
          t.callRaw(listNodes, input, { token, projectCode: input.projectCode }),
        )
        const bareMs = await measureMs(() => runBare(bare, label, captured))
        if (i >= 0) {
          ours.push(wholeMs)
          raw.push(bareMs)
        }
      }
      rows.push(
        atMost(1.5, {
          label: `${entryCount} 项的文件夹，${label}`,
          ours: middle(ours),
          raw: middle(raw),
          unit: 'ms',
        }),
      )
    }
    return rows
  } finally {
    await bare.end()
    await t.close()
  }
}

async function runBare(
  bare: pg.Client,
  label: string,
  captured: readonly CapturedStatement[],
): Promise<void> {
  for (const [n, statement] of captured.entries()) {
    await bare.query({ name: `${label} ${n}`, ...statement, rowMode: 'array' })
  }
}

/** Large files through the whole product against Node alone, and a large folder against its statements. */
export const run = async (context: BenchContext): Promise<BenchRow[]> => [
  ...(await measureTransfers(context)),
  ...(await measureFolder(context)),
]
