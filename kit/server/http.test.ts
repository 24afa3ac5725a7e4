import { portOf } from '#kit/server/fixtures/port.ts'
import { envelopeOf, objectOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode, type Envelope } from '#kit/contract/wire.ts'
import { sql } from './db.ts'
import { createProbeTables, openProbe, type Probe } from './fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from './fixtures/test-database.ts'
import { uploadTooLarge } from './upload.ts'

let testDatabase: TestDatabase
let p: Probe
let boss = ''
let port = 0

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  p = await openProbe(testDatabase.url)
  await createProbeTables(p.app.database)
  boss = await p.token('boss')
  await p.http.listen({ port: 0, host: '127.0.0.1' })
  port = portOf(p.http.server)
})

afterAll(async () => {
  await p?.close()
  await testDatabase?.drop()
})

let counter = 0

const makeThing = (overrides: object = {}) => ({
  ProjectCode: 'P1',
  Code: `T${++counter}`,
  Thingname: `物件${counter}`,
  ...overrides,
})

const postThing = (Data: object, overrides: object = {}) =>
  p.inject('POST', '/api/Probe/Post', { token: boss, body: { Data, ...overrides } })

const countThings = async (where = sql`true`): Promise<number> =>
  defined(
    await p.app.database
      .reader('*')
      .one<{ n: number }>(sql`select count(*) as n from probe_thing where ${where}`),
  ).n

it('G-11: two thousand ids of any length fit into an address', async () => {
  const response = await fetch(
    `http://127.0.0.1:${port}/api/Probe/Get?Ids=${Array.from({ length: 2000 }, (_, i) => 900_000_000_000_000 + i).join('%2C')}`,
  )
  expect(response.status).toBe(401)
})

it('asks for a token: none, a made-up one, an ended one; and for the right', async () => {
  for (const token of [undefined, 'x', 'a'.repeat(43)]) {
    expect(await p.inject('GET', '/api/Probe/Get', token ? { token } : {})).toMatchObject({ status: 401 })
  }
  const once = await p.token('looker')
  expect((await p.inject('GET', '/api/Probe/Get', { token: once })).envelope().Code).toBe(resultCode.ok)
  expect(
    (await p.inject('POST', '/api/Probe/Post', { token: once, body: { Data: makeThing() } })).json(),
  ).toMatchObject({
    Code: resultCode.forbidden,
    Message: '无权执行此操作：需要「物件·新增」权限，请联系管理员授权',
  })
  expect((await p.inject('GET', '/api/Probe/Get', { token: await p.token('fresh') })).json()).toMatchObject({
    Code: resultCode.forbidden,
    Message: expect.stringContaining('修改密码'),
  })
  // Calls that need no right are closed as well (PERM-9).
  expect((await p.inject('POST', '/api/Probe/Echo', { token: await p.token('fresh') })).json()).toMatchObject(
    { Code: resultCode.forbidden, Message: expect.stringContaining('修改密码') },
  )
  await p.app.sessions.end(once)
  expect((await p.inject('GET', '/api/Probe/Get', { token: once })).status).toBe(401)
})

it('finds a call by any case and any name, and says when there is none', async () => {
  for (const path of ['Probe/Get', 'PROBE/get/', 'probe/V1/thing/getpagedlist']) {
    expect((await p.inject('GET', `/api/${path}`, { token: boss })).envelope().Code).toBe(resultCode.ok)
  }
  for (const [method, path] of [
    ['GET', '/api/none'],
    ['PUT', '/api/Probe/Get'],
    ['GET', '/api'],
  ] as const) {
    expect((await p.inject(method, path, { token: boss })).status).toBe(404)
  }
})

it("refuses an owner, an operator or a project that is not the token's", async () => {
  const of = (q: string, token = boss) => p.inject('GET', `/api/Probe/Get?${q}`, { token: token })
  expect((await of('OwnerID=1&OperaterID=1')).envelope().Code).toBe(resultCode.ok)
  for (const q of ['OwnerID=2', 'OperaterID=9', 'OwnerID=abc']) {
    expect((await of(q)).envelope().Code).toBe(resultCode.forbidden)
  }
  const ofP1 = await p.token('ofP1')
  expect((await of('ProjectCode=P1', ofP1)).envelope().Code).toBe(resultCode.ok)
  expect((await of('ProjectCode=P2', ofP1)).json()).toMatchObject({
    Code: resultCode.forbidden,
    Message: '无权访问该项目',
  })
})

it('a repeated request, and two concurrent requests, with one uuid get the same answer (G-6)', async () => {
  const Data = makeThing()
  const uuid = 'twin-1'
  const [a, b, c] = await Promise.all([
    postThing(Data, { uuid }),
    postThing(Data, { uuid }),
    postThing(Data, { uuid }),
  ])
  expect(a.envelope().Code).toBe(resultCode.ok)
  expect([b.text, c.text, (await postThing(Data, { uuid })).text]).toEqual([a.text, a.text, a.text])
  expect(await countThings(sql`code = ${Data.Code}`)).toBe(1)
  expect((await postThing(makeThing(), { uuid })).json()).toMatchObject({
    Code: resultCode.refused,
    Message: expect.stringContaining('请求编号'),
  })
})

it("lets a failed first be tried again with its uuid; another operator's uuid is another", async () => {
  const taken = makeThing()
  const uuid = 'again-1'
  await postThing(taken)
  expect((await postThing(taken, { uuid })).json()).toMatchObject({
    Code: resultCode.refused,
    Message: '该项目已有此编码',
  })
  await p.app.database.tx('*', tx =>
    tx.execute(sql`update probe_thing set delete_tag = 1 where code = ${taken.Code}`),
  )
  expect((await postThing(taken, { uuid })).envelope().Code).toBe(resultCode.ok)
  expect(
    (
      await p.inject('POST', '/api/Probe/Post', {
        token: await p.token('ofP1'),
        body: { Data: makeThing(), uuid },
      })
    ).envelope().Code,
  ).toBe(resultCode.ok)
})

it('saves only what still stands as it was seen (G-8)', async () => {
  const made = objectOf((await postThing(makeThing())).envelope().Data)
  const put = (overrides: object) =>
    p.inject('PUT', '/api/Probe/Put', { token: boss, body: { Data: { ...made, ...overrides } } })
  expect((await put({ Thingname: '改一' })).json()).toMatchObject({
    Code: resultCode.ok,
    Data: { Version: 2, Thingname: '改一' },
  })
  expect((await put({ Thingname: '改二' })).json()).toMatchObject({
    Code: resultCode.stale,
    Message: '数据已被他人修改，请刷新后重试',
  })
  const both = await Promise.all([put({ Version: 2, Thingname: '甲' }), put({ Version: 2, Thingname: '乙' })])
  expect(both.map(r => Number(r.envelope().Code)).toSorted((a, b) => a - b)).toEqual([
    resultCode.ok,
    resultCode.stale,
  ])
})

it('reads forms with nested names, JSON, and new-style bodies alike', async () => {
  const form =
    'OwnerID=1&Data[ProjectCode]=P1&Data[Code]=F1&Data[Thingname]=%E5%BC%A0&Data[Parts][0][No]=1&Data[Parts][0][Name]=a&Data[Box][Wide]=3&Data[Tags]=x,y'
  expect(
    (await p.inject('POST', '/api/Probe/Post', { token: boss, body: form })).envelope().Data,
  ).toMatchObject({
    Code: 'F1',
    Thingname: '张',
    Parts: [{ No: 1, Name: 'a' }],
    Box: { Wide: 3 },
    Tags: 'x,y',
  })
  expect(
    (
      await p.inject('POST', '/api/Probe/Flat', { token: boss, body: 'Name=%E5%BC%A0&Box[High]=2&OwnerID=1' })
    ).envelope().Data,
  ).toEqual({ Name: '张', Box: { Wide: null, High: 2 } })
  expect(
    (await p.inject('POST', '/api/Probe/Echo', { token: boss, body: 'Data[]=1&Data[]=2' })).envelope().Data,
  ).toBe('1,2')
})

it('answers unreadable requests with a message, never 5xx', async () => {
  const deep = `Data${'[a]'.repeat(12)}=1`
  const wide = Array.from({ length: 20_005 }, (_, i) => `a${i}=1`).join('&')
  const j = { 'content-type': 'application/json' }
  for (const body of [deep, wide, `Data[Rows]${'[]'.repeat(3)}=1&Data[x]=${encodeURIComponent('a\0b')}`]) {
    expect((await p.inject('POST', '/api/Probe/Post', { token: boss, body })).envelope().Code).toBe(
      resultCode.invalidInput,
    )
  }
  for (const body of [
    '{',
    '[',
    '{"Data":"\\ud800"}',
    `{"Data":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    '{"__proto__":{"x":1},"Data":{"constructor":1}}',
    'null',
    '"x"',
    '[1]',
  ]) {
    expect(
      (await p.inject('POST', '/api/Probe/Post', { token: boss, body, headers: j })).json(),
      body.slice(0, 60),
    ).toMatchObject({ Code: resultCode.invalidInput })
  }
  expect(
    (
      await p.inject('POST', '/api/Probe/Post', {
        token: boss,
        body: 'x',
        headers: { 'content-type': 'text/xml' },
      })
    ).status,
  ).toBe(415)
  const big = await p.inject('POST', '/api/Probe/Post', {
    token: boss,
    body: `a=${'x'.repeat(10 * 1048576 + 1)}`,
  })
  expect([big.status, big.envelope().Message]).toEqual([413, '提交的内容超过 10 MB'])
  expect((await p.inject('GET', '/api/%E0%A4%A')).envelope().Code).toBe(resultCode.invalidInput)
  // Over a real socket: what is thrown while a request is routed would end the process.
  expect(
    await (
      await fetch(`http://127.0.0.1:${port}/api/Probe/Get?${deep}`, { headers: { token: boss } })
    ).json(),
  ).toMatchObject({ Code: resultCode.invalidInput })
  expect(
    (
      await postThing(
        makeThing({
          Price: '99999999999999999999',
          Count: '1e9',
          Born: '2026-13-01',
          ID: '9007199254740993',
        }),
      )
    ).envelope().Data,
  ).toHaveLength(4)
  expect((await postThing(makeThing({ ID: '0', Area: '99999999999999.5' }))).json()).toMatchObject({
    Code: resultCode.invalidInput,
    Message: '数值超出允许的范围',
  })
})

it('G-12: a list whose sum is more than one amount may be shows its sum; one beyond numbers, its rows', async () => {
  const makePriced = (code: string) => makeThing({ Code: code, Price: '999999999999.99', Area: '1' })
  const saved = ['G12A', 'G12B'].map(async code => (await postThing(makePriced(code))).envelope().Code)
  expect(await Promise.all(saved)).toEqual([resultCode.ok, resultCode.ok])
  const list = async () => (await p.inject('GET', '/api/Probe/Get?Keyword=G12', { token: boss })).envelope()
  expect(await list()).toMatchObject({ Code: resultCode.ok, Sum: { Price: '1999999999999.98', Area: '2' } })
  await p.app.database.tx('*', tx =>
    tx.execute(sql`
      insert into probe_thing (owner_id, project_code, code, name, mood, price, live)
      select owner_id, project_code, 'G12' || n, name, mood, price, live
      from probe_thing, generate_series(1, 100) n
      where code = 'G12A'
      returning id
    `),
  )
  expect(await list()).toMatchObject({ Code: resultCode.ok, Total: 102, Sum: { Area: '2' } })
  const tooMuch = (await postThing(makeThing({ Price: '1000000000000' }))).envelope()
  expect(tooMuch).toMatchObject({ Code: resultCode.invalidInput, Data: [{ Message: '价格超出范围' }] })
})

it('tells a defect by its number alone', async () => {
  const r = await p.inject('POST', '/api/Probe/Break', { token: boss, body: { Data: { How: '7' } } })
  expect(r.json()).toEqual({
    Code: resultCode.internalError,
    Message: expect.stringMatching(/^系统错误（编号 [\w-]{13}），/),
    Data: null,
  })
  expect(r.text).not.toMatch(/Error|at /)
})

it('sends a file with its name, packs what is long, and answers a refused download as JSON', async () => {
  const r = await p.inject('GET', '/api/Probe/GetExport?data.Size=100', { token: boss })
  expect(r.headers).toMatchObject({
    'x-suggested-filename': encodeURIComponent('导出 表.bin'),
    'content-disposition': expect.stringContaining("attachment; filename*=UTF-8''"),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect(r.text).toHaveLength(100)
  const no = await p.inject('GET', '/api/Probe/GetExport?data.Size=100', { token: await p.token('looker') })
  expect([no.headers['content-type'], no.envelope().Code]).toEqual([
    'application/json; charset=utf-8',
    resultCode.forbidden,
  ])
  const long = await p.http.inject({ method: 'GET', url: '/api/openapi.json', headers: { token: boss } })
  expect(long.statusCode).toBe(200)
  for (let i = 0; i < 40; i++) {
    await postThing(makeThing())
  }
  const list = await p.http.inject({
    method: 'GET',
    url: '/api/Probe/Get?PageSize=100',
    headers: { token: boss, 'accept-encoding': 'gzip' },
  })
  expect(list.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(list.rawPayload).toString()).Code).toBe(resultCode.ok)
})

/** A multipart request over a real socket. `bytes` are made as they are sent. */
const sendUpload = (
  token: string | undefined,
  name: string,
  head: Buffer,
  bytes: number,
  fields: Record<string, string> = {},
): Promise<{ status: number; json: Envelope }> =>
  new Promise((done, fail) => {
    const edge = 'x-edge'
    const before = Buffer.concat([
      Buffer.from(
        Object.entries(fields)
          .map(([k, v]) => `--${edge}\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${v}\r\n`)
          .join('') +
          `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      ),
      head,
    ])
    const after = Buffer.from(`\r\n--${edge}--\r\n`)
    const req = httpRequest(
      {
        port,
        method: 'POST',
        path: '/api/Probe/Upload',
        headers: {
          'content-type': `multipart/form-data; boundary=${edge}`,
          'content-length': before.length + bytes + after.length,
          ...(token ? { token } : {}),
        },
      },
      res => {
        let text = ''
        res
          .on('data', (c: Buffer) => {
            text += c.toString()
          })
          .on('end', () => {
            req.destroy()
            done({ status: defined(res.statusCode), json: envelopeOf(JSON.parse(text)) })
          })
      },
    )
    req.on('error', fail)
    const block = Buffer.alloc(65_536)
    Readable.from(
      (function* () {
        yield before
        for (let remaining = bytes; remaining > 0; remaining -= block.length) {
          yield remaining < block.length ? block.subarray(0, remaining) : block
        }
        yield after
      })(),
    ).pipe(req)
  })

const png = Buffer.from('89504e470d0a1a0a0000', 'hex')

const leftoverUploads = (): string[] => {
  const d = join(p.app.dataDir, 'tmp')
  return existsSync(d) ? readdirSync(d) : []
}

it('takes an upload to disk, knows it by its bytes, and leaves nothing behind', async () => {
  const r = await sendUpload(boss, '照片 一.PNG', png, 1000, {
    'Data[Note]': '说明',
    'Data[Rows][0][A]': '1',
    OwnerID: '1',
  })
  expect(r.json).toMatchObject({
    Code: resultCode.ok,
    Data: { Name: '照片 一.PNG', Type: 'image/png', Size: 1010, Note: '说明', Count: 1 },
  })
  expect((await sendUpload(boss, '../../etc/pass<wd>.txt', Buffer.from('abc'), 0)).json.Data).toMatchObject({
    Name: 'passwd.txt',
    Type: 'text/plain',
  })
  expect((await sendUpload(boss, 'a.png', Buffer.from('not a picture'), 0)).json).toMatchObject({
    Code: resultCode.invalidInput,
    Message: '文件内容与扩展名不符，请重新选择',
  })
  expect((await sendUpload(boss, 'a.txt', Buffer.alloc(0), 0)).json).toMatchObject({
    Code: resultCode.invalidInput,
    Message: '文件是空的，请重新选择',
  })
  expect(leftoverUploads()).toEqual([])
})

it('where a larger file may come by the resumable upload, the refusal names it', () => {
  expect(uploadTooLarge({ bytes: 20 * 1048576, takesResumed: true }).message).toBe(
    '文件超过 20 MB，请使用断点续传（/api/upload）上传，完成后以 UploadID 提交',
  )
  expect(uploadTooLarge({ bytes: 1048576 }).message).toBe('文件超过 1 MB，请压缩或拆分后重新上传')
})

it('reads past what is too large without keeping it, and says so', async () => {
  const before = process.memoryUsage().rss
  expect(await sendUpload(boss, 'big.bin', png.subarray(8), 200 * 1048576)).toMatchObject({
    status: 413,
    json: { Code: resultCode.invalidInput, Message: '文件超过 1 MB，请压缩或拆分后重新上传' },
  })
  expect(await sendUpload(boss, 'just.bin', png.subarray(8), 1048576)).toMatchObject({ status: 413 })
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1048576)
  expect(leftoverUploads()).toEqual([])
})

it('asks who sends before it takes anything, and for an upload where none is taken', async () => {
  expect((await sendUpload(undefined, 'a.png', png, 10)).status).toBe(401)
  expect((await sendUpload(await p.token('looker'), 'a.png', png, 10)).json.Code).toBe(resultCode.forbidden)
  expect(
    (
      await p.inject('POST', '/api/Probe/Post', {
        token: boss,
        body: '--x--',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      })
    ).status,
  ).toBe(415)
})

it('ends the statement of a caller who has gone', async () => {
  const running = async (): Promise<number> =>
    defined(
      await p.app.database.reader('*').one<{ n: number }>(
        sql`
          select count(*) as n
          from pg_stat_activity
          where query like 'select pg_sleep%' and state = 'active'
        `,
      ),
    ).n
  const disconnect = new AbortController()
  const asking = fetch(`http://127.0.0.1:${port}/api/Probe/Slow?data.Seconds=50`, {
    headers: { token: boss },
    signal: disconnect.signal,
  }).catch(() => 'gone')
  await expect.poll(running).toBe(1)
  disconnect.abort()
  expect(await asking).toBe('gone')
  await expect.poll(running).toBe(0)
})

it('counts requests per address over a minute', async () => {
  const callFrom = (ip: string) => p.inject('GET', '/api/Probe/Knock', { headers: { 'x-forwarded-for': ip } })
  for (let i = 0; i < 5; i++) {
    expect((await callFrom('203.0.113.5')).envelope().Code).toBe(resultCode.ok)
  }
  expect((await callFrom('203.0.113.5')).json()).toMatchObject({
    Code: resultCode.rateLimited,
    Message: '操作过于频繁，请稍后再试',
  })
  expect((await callFrom('203.0.113.6')).envelope().Code).toBe(resultCode.ok)
})

it('writes commands, downloads and refusals into the operation log, without secrets', async () => {
  await p.inject('POST', '/api/Probe/Post', {
    token: boss,
    body: { Data: makeThing({ Password: 'geheim' }), OldPassword: 'geheim', token: 'geheim' },
  })
  await p.inject('POST', '/api/Probe/Post', {
    token: boss,
    body: `Data=${encodeURIComponent('{"Code":"LOG","Pwd":"geheim"}')}`,
  })
  await p.inject('GET', '/api/Probe/Get', { token: boss })
  type Line = { call: string; code: number; input: object; operatorName: string; requestId: string }
  const lines = async (): Promise<Line[]> =>
    p.app.database.reader(1).rows<Line>(
      sql`
        select call, code, input, operator_name, request_id
        from operation_log
        order by id desc
        limit 3
      `,
    )
  // Lines are written in batches: the two with secrets are the last of this test, and all before them are
  // there when they are.
  await expect
    .poll(
      async () =>
        defined(
          await p.app.database
            .reader('*')
            .one<{ n: number }>(
              sql`select count(*)::int as n from operation_log where input::text like '%***%'`,
            ),
        ).n,
      { timeout: 10_000 },
    )
    .toBeGreaterThanOrEqual(2)
  expect((await lines())[0]?.code).toBe(resultCode.invalidInput)
  const all = await p.app.database
    .reader('*')
    .rows<{ text: string; call: string; code: number }>(
      sql`select input::text as text, call, code from operation_log`,
    )
  expect(all.filter(l => l.text?.includes('geheim'))).toEqual([])
  expect(all.filter(l => l.call === 'GET Probe/Get' && l.code === resultCode.ok)).toEqual([])
  expect(all.some(l => l.call === 'GET Probe/GetExport')).toBe(true)
})

it('shows health, readiness, figures and a description of every call', async () => {
  expect((await p.inject('GET', '/healthz')).json()).toEqual({ ok: true })
  expect((await p.inject('GET', '/readyz')).json()).toEqual({ ok: true })
  expect((await p.inject('GET', '/metrics')).text).toContain(
    'call_answers_total{call="POST Probe/Post",code="10000"}',
  )
  for (const remoteAddress of ['10.0.0.8', '192.168.1.2', '172.16.0.9']) {
    expect((await p.http.inject({ method: 'GET', url: '/metrics', remoteAddress })).statusCode).toBe(404)
  }
  expect((await p.inject('GET', '/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(
    404,
  )
  expect((await p.inject('GET', '/api/openapi.json')).status).toBe(401)
  const api = (await p.inject('GET', '/api/openapi.json', { token: boss })).json()
  const packed = await p.http.inject({
    method: 'GET',
    url: '/api/openapi.json',
    headers: { token: boss, 'accept-encoding': 'gzip' },
  })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(api)
  const paths = objectOf(objectOf(api).paths)
  expect(objectOf(paths['/api/Probe/Post']).post).toMatchObject({
    'x-permission': 'probe.thing.add',
    summary: '新增物件',
  })
  const { get } = objectOf(paths['/api/Probe/Get'])
  expect(objectOf(get)['x-names']).toEqual(['probe/v1/Thing/GetPagedList'])
  const page = await p.inject('GET', '/api/docs')
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  expect(page.headers['content-security-policy']).not.toContain('upgrade-insecure')
  expect(page.headers['strict-transport-security']).toBeUndefined()
  expect(
    (await p.inject('GET', '/api/docs', { headers: { 'x-forwarded-proto': 'https' } })).headers[
      'strict-transport-security'
    ],
  ).toContain('max-age')
  expect(page.text).not.toMatch(/https?:\/\//)
  expect((await p.inject('GET', '/api/docs.js')).text).toContain('openapi.json')
})

it('keeps files under keys of one company', async () => {
  const { files } = p.app
  const key = await files.save(asId(1), asId(1), {
    name: '甲.txt',
    type: 'text/plain',
    bytes: Buffer.from('内容'),
  })
  const f = defined(await files.find(asId(1), key))
  expect([f.name, f.size]).toEqual(['甲.txt', 6])
  expect(await f.withPath(path => readFile(path, 'utf8'))).toBe('内容')
  expect(await files.find(asId(2), key)).toBeUndefined()
  expect(await files.find(asId(1), '../../etc/passwd')).toBeUndefined()
  const u = new URL(files.signedUrl(asId(1), key), 'http://x')
  const until = Number(u.searchParams.get('Until'))
  const sign = defined(u.searchParams.get('Sign'))
  expect(files.isValidSignature(asId(1), key, until, sign)).toBe(true)
  expect([
    files.isValidSignature(asId(2), key, until, sign),
    files.isValidSignature(asId(1), key, until + 1, sign),
    files.isValidSignature(asId(1), key, 1, sign),
  ]).toEqual([false, false, false])
  const brief = await files.save(
    asId(1),
    asId(1),
    { name: 'b', type: 'text/plain', bytes: Buffer.from('b') },
    7,
  )
  const at = await defined(await files.find(asId(1), brief)).withPath(async path => path)
  await p.app.database.tx('*', tx =>
    tx.execute(sql`update file_store set expire_time = now() - interval '1 second' where key = ${brief}`),
  )
  expect(await files.find(asId(1), brief)).toBeUndefined()
  await files.sweep()
  expect([existsSync(at), await f.withPath(async path => existsSync(path))]).toEqual([false, true])
  await expect(
    p.app.database.tx(1, async tx => {
      await files.save(
        asId(1),
        asId(1),
        { name: 'c', type: 'text/plain', bytes: Buffer.from('c') },
        undefined,
        tx,
      )
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
})

it('an edit keeps the fields that it does not send, and clears those that it sends empty', async () => {
  const whole = {
    Price: '12.50',
    Count: 3,
    Tags: '甲,乙',
    Born: '2026-02-28',
    Live: 0,
    Parts: [{ No: 1, Name: '钉' }],
    Box: { Wide: 2, High: 3 },
  }
  const made = objectOf((await postThing(makeThing(whole))).envelope().Data)
  expect(made).toMatchObject(whole)
  const put = async (Data: object) =>
    objectOf((await p.inject('PUT', '/api/Probe/Put', { token: boss, body: { Data } })).envelope().Data)
  const renamed = await put({ ID: made.ID, Thingname: '改名' })
  expect(renamed).toMatchObject({ ...whole, Code: made.Code, Thingname: '改名', Version: 2 })
  expect(await put({ ID: made.ID, Price: '', Tags: null })).toMatchObject({
    ...whole,
    Thingname: '改名',
    Price: null,
    Tags: null,
    Version: 3,
  })
})

it('an edit of a record that is not there says so, however little it sends', async () => {
  const put = async (Data: object) =>
    (await p.inject('PUT', '/api/Probe/Put', { token: boss, body: { Data } })).json()
  expect(await put({ ID: 99_999_999, Thingname: '改名' })).toMatchObject({ Code: resultCode.notFound })
})

it('of two spellings in a copied record the one counts that was changed, whichever it is', async () => {
  const made = objectOf((await postThing(makeThing({ Thingname: '原名' }))).envelope().Data)
  expect(made).toMatchObject({ Thingname: '原名', ThingName: '原名' })
  const put = async (Data: object) =>
    objectOf((await p.inject('PUT', '/api/Probe/Put', { token: boss, body: { Data } })).envelope().Data)
  expect(await put({ ...made, ThingName: '后一种写法' })).toMatchObject({
    Thingname: '后一种写法',
    ThingName: '后一种写法',
  })
  const copied = { ...made, Version: 2, Thingname: '前一种写法', ThingName: '后一种写法' }
  expect(await put(copied)).toMatchObject({ Thingname: '前一种写法' })
})

it('strictly asked, an unknown filter is refused by its name; otherwise it is ignored', async () => {
  const get = (query: string, headers = {}) =>
    p.inject('GET', `/api/Probe/Get?${query}`, { token: boss, headers })
  expect((await get('data.Thingnmae=x')).json()).toMatchObject({ Code: resultCode.ok })
  const refusal = {
    Code: resultCode.invalidInput,
    Data: [{ Field: 'Thingnmae', Message: '没有名为「Thingnmae」的参数，请核对名称' }],
  }
  expect((await get('data.Thingnmae=x&strict=1')).json()).toMatchObject(refusal)
  expect((await get('data.Thingnmae=x', { 'x-strict': '1' })).json()).toMatchObject(refusal)
  expect((await get('PageIndex=1&PageSize=5&ProjectCode=P1&strict=1')).json()).toMatchObject({
    Code: resultCode.ok,
  })
})
