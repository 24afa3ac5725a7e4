import { isObject, type RawObject } from '#kit/contract/wire/members.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { envelopeOf, numberOf, textOf } from '#kit/contract/fixtures.ts'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openServer, type Server } from '#kit/server/server.ts'
import { sql } from '#kit/server/db.ts'
import { createTestFolder, openTestDatabase } from '#kit/server/fixtures/test-database.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { golden } from '#db/golden/golden-data.ts'
import { UploadClient } from './upload-client.fixtures.ts'

let server: Server
let client: UploadClient
let token = ''
let service = ''

beforeAll(async () => {
  const testDatabase = await openTestDatabase()
  server = await openServer({
    databaseUrl: testDatabase.url,
    dataDir: createTestFolder(),
    installed: await loadInstalledModules(),
    loadCaller: createCallerLoader,
    version: 'test',
    runsJobs: false,
  })
  client = new UploadClient(server)
  await client.signInAs(golden.first.owner)
  token = client.token
  service = await signIn(golden.first.ofRole('service'))
})

afterAll(async () => {
  await server?.close()
})

const post = (path: string, body: object, as = '') => client.post(path, body, as)
const signIn = (loginCode: string) => client.tokenOf(loginCode)
const begin = (size: number, as = token, details: Readonly<Record<string, string>> = {}) =>
  client.begin(size, as, details)
const send = (url: string, offset: number, bytes: Buffer, as = token) => client.send(url, offset, bytes, as)
const offsetOf = (url: string, as = token) => client.offsetOf(url, as)
const claim = (url: string) => client.claim(url)

it('a large file arrives in parts and becomes a file once', async () => {
  const bytes = randomBytes(300_000)
  const started = await begin(bytes.length)
  expect(started.statusCode).toBe(201)
  const url = String(started.headers.location)
  await send(url, 0, bytes.subarray(0, 100_000))
  expect(await offsetOf(url)).toBe('100000')
  const uploadId = url.split('/').at(-1)
  const early = await post('file/upload', { ProjectCode: 'GOLD0001', DirId: 0, UploadID: uploadId }, token)
  expect(early.Message).toMatch(/上传不完整/)
  await send(url, 100_000, bytes.subarray(100_000))
  const made = await post('file/upload', { ProjectCode: 'GOLD0001', DirId: 0, UploadID: uploadId }, token)
  expect([made.Code, made.Data.Name, made.Data.FileSize]).toEqual([10000, '竣工图.bin', 300_000])
  const location = await server.http.inject({
    method: 'GET',
    url: textOf(made.Data.Location),
    headers: { range: 'bytes=10-19' },
  })
  expect([location.statusCode, location.headers['content-range']]).toEqual([206, 'bytes 10-19/300000'])
  expect(location.rawPayload.equals(bytes.subarray(10, 20))).toBe(true)
  const again = await post('file/upload', { ProjectCode: 'GOLD0001', DirId: 0, UploadID: uploadId }, token)
  expect(again.Message).toMatch(/已过期或已完成/)
})

it('an upload belongs to the user who started it', async () => {
  const started = await begin(10)
  const url = String(started.headers.location)
  expect(await offsetOf(url, service)).toBeUndefined()
  expect((await send(url, 0, Buffer.alloc(10), service)).json().Message).toMatch(/不存在/)
  expect((await send(url, 0, Buffer.alloc(10), '')).statusCode).toBe(401)
  expect(await offsetOf(url)).toBe('0')
})

it('a missing upload is answered as missing, so that the client starts again', async () => {
  const started = await begin(10)
  const url = String(started.headers.location)
  const statusFor = async (address: string, as = token) =>
    (
      await server.http.inject({
        method: 'HEAD',
        url: address,
        headers: { token: as, 'tus-resumable': '1.0.0' },
      })
    ).statusCode
  expect(await statusFor(url)).toBe(200)
  expect(await statusFor(`${url.slice(0, -1)}x`)).toBe(404)
  expect(await statusFor(url, service)).toBe(404)
})

it('FILE-1, FILE-2: refused before a byte is sent', async () => {
  const words = async (size: number, details: Readonly<Record<string, string>>) =>
    (await begin(size, token, details)).json().Message
  expect(await words(6_000_000_000, {})).toMatch(/空间不足/)
  expect(await words(1e18, {})).toMatch(/空间不足：还需 931322574\.615 GB/)
  expect(await words(3_000_000, { filename: '照片.jpg' })).toMatch(/图片不能超过/)
  expect(await words(10, { dirId: '999999' })).toMatch(/文件夹不存在/)
  expect(await words(10, { projectCode: 'NOWHERE1' })).not.toBe('')
  expect(await words(10, { purpose: 'other' })).toMatch(/不存在/)
  expect((await begin(10, service, { projectCode: 'GOLD0002' })).json().Message).toMatch(/无权访问该项目/)
})

it('what is being uploaded counts in the quota', async () => {
  const before = (await post('file/upload', {}, token)).Code
  expect(before).not.toBe(10000)
  await begin(5_000_000_000)
  expect((await begin(1_000_000_000)).json().Message).toMatch(/空间不足/)
  const open = await server.app.database
    .reader('*')
    .one<{ n: number }>(sql`select count(*)::int as n from upload_session where size = 5000000000`)
  expect(open?.n).toBe(1)
})

const claimedFile = async (filename: string): Promise<RawObject> => {
  const url = String((await begin(3, token, { filename })).headers.location)
  await send(url, 0, Buffer.from('abc'))
  return (await claim(url)).Data
}

const reservedBytes = async (): Promise<number> => {
  const answer = await server.http.inject({
    method: 'GET',
    url: '/api/file/getusage?data.ProjectCode=GOLD0001',
    headers: { token },
  })
  const { Data } = envelopeOf(answer.json())
  return isObject(Data) ? numberOf(Data.ReservedBytes) : -1
}

it('what is refused when it has arrived keeps no space', async () => {
  const before = await reservedBytes()
  const script = Buffer.from('<script>alert(1)</script>')
  const refused = String((await begin(script.length, token, { filename: '脚本.png' })).headers.location)
  const answer = await send(refused, 0, script)
  expect([answer.statusCode, envelopeOf(answer.json()).Message]).toEqual([
    400,
    '文件内容与扩展名不符，请重新选择',
  ])
  expect([await offsetOf(refused), await reservedBytes()]).toEqual([undefined, before])
  // By what it is, not by its name (FILE-8).
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2_048 * 1024)])
  const picture = String((await begin(png.length, token, { filename: '照片' })).headers.location)
  expect((await send(picture, 0, png)).json().Message).toMatch(/图片不能超过 2048 KB，「照片」为 2048.008 KB/)
  expect(await reservedBytes()).toBe(before)
})

it('a name is kept as it is sent, or refused (FILE-2)', async () => {
  const nameOf = async (filename: string) => {
    const started = await begin(3, token, { filename })
    if (started.statusCode !== 201) return envelopeOf(started.json()).Message
    const url = String(started.headers.location)
    await send(url, 0, Buffer.from('abc'))
    return (await claim(url)).Data.Name
  }
  expect(await nameOf('.bashrc')).toBe('.bashrc')
  for (const name of ['a:b.txt', 'a/b.txt', '..', '\u202etxt.exe', '\u200b', ' ']) {
    expect(await nameOf(name), JSON.stringify(name)).toMatch(/^名称/)
  }
  const direct = await server.http.inject({
    method: 'POST',
    url: '/api/file/upload?data.ProjectCode=GOLD0001',
    headers: { token, 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x\r\ncontent-disposition: form-data; name="f"; filename="a:b.txt"\r\n\r\nabc\r\n--x--\r\n',
  })
  expect(envelopeOf(direct.json()).Message).toMatch(/名称不能包含/)
})

it('speaks Chinese where the protocol refuses', async () => {
  const bytes = Buffer.alloc(10)
  const url = String((await begin(10)).headers.location)
  const wrongOffset = await send(url, 7, bytes)
  expect([wrongOffset.statusCode, envelopeOf(wrongOffset.json())]).toEqual([
    409,
    { Code: resultCode.stale, Message: '上传进度不一致，请重新上传', Data: null },
  ])
  const protocol = { token, 'tus-resumable': '1.0.0' }
  const malformed = [
    { method: 'POST', url: '/api/upload', headers: { ...protocol, 'upload-length': 'many' } },
    { method: 'PATCH', url, headers: { ...protocol, 'upload-offset': '-1' }, payload: bytes },
  ] as const
  for (const request of malformed) {
    const answer = await server.http.inject(request)
    expect([answer.statusCode, envelopeOf(answer.json())], JSON.stringify(request.headers)).toEqual([
      400,
      { Code: resultCode.invalidInput, Message: '上传请求不正确，请刷新后重新上传', Data: null },
    ])
  }
  const foreign = await server.http.inject({ method: 'POST', url: '/api/upload', headers: { token } })
  expect([foreign.statusCode, envelopeOf(foreign.json())]).toEqual([
    412,
    { Code: resultCode.invalidInput, Message: '请用 tus 1.0.0 协议上传', Data: null },
  ])
})

it('HEAD tells how long a file is without sending it', async () => {
  const bytes = Buffer.from('0123456789\u0000')
  const url = String((await begin(bytes.length)).headers.location)
  await send(url, 0, bytes)
  const made = await claim(url)
  for (const address of [`/api/file/download?ID=${numberOf(made.Data.ID)}`, textOf(made.Data.Location)]) {
    const head = await server.http.inject({ method: 'HEAD', url: address, headers: { token } })
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length], address).toEqual([
      200,
      String(bytes.length),
      0,
    ])
  }
  const list = await server.http.inject({ method: 'HEAD', url: '/api/file/getlist', headers: { token } })
  expect(list.statusCode).toBe(404)
})

/** A zip of one entry that says it holds 40 GiB: 4 kB of it are here. */
function makeZipBomb(): Buffer {
  const name = 'zeros.bin'
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(45, 4)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(0xffffffff, 18)
  header.writeUInt32LE(0xffffffff, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(20, 28)
  const sizes = Buffer.alloc(20)
  sizes.writeUInt16LE(1, 0)
  sizes.writeUInt16LE(16, 2)
  sizes.writeBigUInt64LE(40n * 2n ** 30n, 4)
  sizes.writeBigUInt64LE(4000n, 12)
  const bytes = Buffer.concat([header, Buffer.from(name), sizes])
  return Buffer.concat([bytes, Buffer.alloc(4096 - bytes.length)])
}

it('a zip that would unpack to 40 GB is kept as the 4 kB it is, and never opened', async () => {
  const bomb = makeZipBomb()
  const url = String((await begin(bomb.length, token, { filename: '资料.zip' })).headers.location)
  await send(url, 0, bomb)
  const { Data } = await claim(url)
  expect(Data).toMatchObject({ FileSize: bomb.length, ContentType: 'application/zip' })
  expect(Data.Preview ?? '').toBe('')
  const answer = await server.http.inject({ url: textOf(Data.Location) })
  expect(answer.rawPayload.equals(bomb)).toBe(true)
  const preview = await server.http.inject({
    url: `/api/file/preview?ID=${numberOf(Data.ID)}`,
    headers: { token },
  })
  expect(envelopeOf(preview.json()).Message).toBe('此类型不能预览，请下载后查看')
})

it('a link and its code open for everybody of one address, however often, also after wrong ones (FILE-6)', async () => {
  const made = await claimedFile('通知.bin')
  const share = (hasCode: boolean) =>
    post('file/share', { ProjectCode: 'GOLD0001', FileIDs: String(made.ID), HasCode: hasCode }, token)
  const [plain, guessed, locked] = [await share(false), await share(true), await share(true)]
  const open = async (link: unknown, code = ''): Promise<string> => {
    const query = new URLSearchParams({ Token: textOf(link), Code: code })
    const url = `/api/file/getshare?${query}`
    return textOf(
      envelopeOf((await server.http.inject({ url, remoteAddress: '203.0.113.8' })).json()).Message,
    )
  }
  const opened = new Set<string>()
  for (let i = 0; i < 70; i++) {
    opened.add(await open(plain.Data.Token))
  }
  expect(opened).toEqual(new Set([await open(plain.Data.Token)]))
  expect(opened).not.toContain('操作过于频繁，请稍后再试')
  for (let i = 0; i < 35; i++) {
    await open(i % 2 ? guessed.Data.Token : locked.Data.Token, 'ZZZZZZ')
  }
  expect(await open(guessed.Data.Token, 'ZZZZZZ')).toBe('操作过于频繁，请稍后再试')
  expect(opened).toContain(await open(locked.Data.Token, textOf(locked.Data.AccessCode)))
})

it('a guess of links or codes of shares learns nothing, and is slowed (FILE-6)', async () => {
  const made = await claimedFile('分享.bin')
  const shared = await post('file/share', { ProjectCode: 'GOLD0001', FileIDs: String(made.ID) }, token)
  const stranger = '203.0.113.7'
  const open = async (link: string, code: string): Promise<string> => {
    const query = new URLSearchParams({ Token: link, Code: code })
    const answer = await server.http.inject({ url: `/api/file/getshare?${query}`, remoteAddress: stranger })
    return textOf(envelopeOf(answer.json()).Message)
  }
  const real = textOf(shared.Data.Token)
  const answers: string[] = []
  for (let i = 0; i < 40; i++) {
    const guessed = `${real.slice(0, -2)}${String(i).padStart(2, '0')}`
    answers.push(await open(i % 2 ? guessed : real, 'ZZZZZZ'))
  }
  expect(new Set(answers.slice(0, 30))).toEqual(
    new Set(['提取码不正确，请重新输入', '链接不存在或已失效，请联系分享人']),
  )
  expect(new Set(answers.slice(30))).toEqual(new Set(['操作过于频繁，请稍后再试']))
})
