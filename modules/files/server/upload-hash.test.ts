import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { openTestBuckets, s3Kinds, type TestBuckets } from '#kit/server/fixtures/s3-buckets.ts'
import { createTestFolder, openTestDatabase } from '#kit/server/fixtures/test-database.ts'
import { openServer, type Server } from '#kit/server/server.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { golden } from '#db/golden/golden-data.ts'
import { UploadClient } from './upload-client.fixtures.ts'

describe.each(['folder', ...s3Kinds] as const)('uploads into a %s', kind => {
  let server: Server
  let client: UploadClient
  let buckets: TestBuckets | undefined

  beforeAll(async () => {
    if (kind !== 'folder') {
      buckets = await openTestBuckets(kind, 1000)
      const { name, prefix } = buckets.bucket('files')
      process.env.S3_BUCKET = `${name}/${prefix}`
    }
    const { url } = await openTestDatabase()
    server = await openServer({
      databaseUrl: url,
      dataDir: createTestFolder(),
      installed: await loadInstalledModules(),
      loadCaller: createCallerLoader,
      version: 'test',
      runsJobs: false,
    })
    await server.http.listen({ port: 0, host: '127.0.0.1' })
    client = new UploadClient(server)
    await client.signInAs(golden.first.owner)
  })

  afterAll(async () => {
    delete process.env.S3_BUCKET
    await server?.close()
    await buckets?.close()
  })

  const bytes = randomBytes(9_000_000)
  const sha256 = createHash('sha256').update(bytes).digest('hex')

  const begin = async (): Promise<string> =>
    String((await client.begin(bytes.length, client.token, { filename: '校验.bin' })).headers.location)

  const storedBytes = async (location: string): Promise<Buffer> =>
    (await server.http.inject({ url: location })).rawPayload

  it('knows the hash of what came whole, in parts, and over a connection that was cut', async () => {
    const uploads: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
      whole: url => client.send(url, 0, bytes),
      parts: async url => {
        await client.send(url, 0, bytes.subarray(0, 4_000_000))
        await client.send(url, 4_000_000, bytes.subarray(4_000_000))
      },
      cut: async url => {
        await client.sendCut(url, 0, bytes, 3_000_000)
        const first = Number(await client.offsetOf(url))
        expect(first > 0 && first <= 3_000_000, String(first)).toBe(true)
        await client.sendCut(url, first, bytes.subarray(first), 2_000_000)
        const second = Number(await client.offsetOf(url))
        await client.send(url, second, bytes.subarray(second))
      },
    }
    for (const [way, upload] of Object.entries(uploads)) {
      const url = await begin()
      await upload(url)
      const { Data } = await client.claim(url)
      expect([way, Data.Sha256, Data.FileSize]).toEqual([way, sha256, bytes.length])
      expect((await storedBytes(textOf(Data.Location))).equals(bytes), way).toBe(true)
    }
  })

  it.skipIf(kind !== 's3 in memory')('is taken with its hash once the storage is back', async () => {
    const url = await begin()
    await client.send(url, 0, bytes)
    const count = async (): Promise<number> =>
      Number((await client.post('file/getusage', { ProjectCode: 'GOLD0001' })).Data.UsedBytes)
    const before = await count()
    defined(buckets).setBroken(true)
    expect((await client.claim(url)).Message).toBe('文件存储暂时不可用，请稍后重试')
    expect(await count()).toBe(before)
    defined(buckets).setBroken(false)
    const { Data } = await client.claim(url)
    expect(Data.Sha256).toBe(sha256)
    expect((await storedBytes(textOf(Data.Location))).equals(bytes)).toBe(true)
  })

  it.skipIf(kind !== 's3 in memory')('nobody waits for the upload of another', async () => {
    const url = await begin()
    await client.send(url, 0, bytes)
    defined(buckets).setStalled(true)
    const claimed = client.claim(url)
    // Time to reach the storage.
    await setTimeout(500)
    const folder = await client.post('file/modifydir', { ProjectCode: 'GOLD0001', Name: '不等' })
    expect(folder.Code).toBe(10000)
    defined(buckets).setStalled(false)
    expect((await claimed).Data.Sha256).toBe(sha256)
  })

  it.skipIf(kind !== 's3 in memory')(
    'a download is refused with a message while the storage is away',
    async () => {
      const addFile = async (): Promise<string> => {
        const url = String((await client.begin(3, client.token, { filename: '存.bin' })).headers.location)
        await client.send(url, 0, Buffer.from('abc'))
        return String((await client.claim(url)).Data.ID)
      }
      const ids = [await addFile(), await addFile()]
      const ask = (query: string) =>
        server.http.inject({
          url: `/api/file/download?ProjectCode=GOLD0001&${query}`,
          headers: { token: client.token, range: 'bytes=0-0' },
        })
      const queries = [`ID=${ids[0]}`, `data.FileIDs=${ids.join()}`]
      for (const [i, query] of queries.entries()) {
        expect((await ask(query)).statusCode, query).toBe(i === 0 ? 206 : 200)
      }
      defined(buckets).setBroken(true)
      for (const query of queries) {
        const answer = await ask(query)
        expect([answer.statusCode, answer.json().Message]).toEqual([503, '文件存储暂时不可用，请稍后重试'])
        // Else it would be saved as the file.
        expect(answer.headers['content-disposition']).toBeUndefined()
      }
      defined(buckets).setBroken(false)
    },
  )
})
