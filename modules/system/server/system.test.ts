import { objectOf, textOf, idOf } from '#kit/contract/fixtures.ts'
import type { Method } from '#kit/contract/call.ts'
import { asId } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { createProbeTables, openProbe, probe, type Probe } from '#kit/server/fixtures/probe.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { contract } from '../contract/index.ts'
import { manifest } from '../module.ts'
import { server } from './index.ts'

let database: TestDatabase
let p: Probe
let boss = ''
let viewer = ''
let other = ''

beforeAll(async () => {
  database = await openTestDatabase()
  p = await openProbe(database.url, { installed: [probe, { manifest, contract, server }] })
  await createProbeTables(p.app.database)
  ;[boss, viewer, other] = [await p.token('boss'), await p.token('looker'), await p.token('other')]
})

afterAll(async () => {
  await p?.close()
  await database?.drop()
})

const getJson = async (path: string, token = boss): Promise<ReturnType<JSON['parse']>> =>
  (await p.inject('GET', `/api/${path}`, { token })).json()

const sendJson = async (
  method: Method,
  path: string,
  Data: object,
  token = boss,
): Promise<ReturnType<JSON['parse']>> =>
  (await p.inject(method, `/api/${path}`, { token, body: { Data } })).json()

const multipart = (name: string, bytes: string): { body: string; headers: Record<string, string> } => ({
  body: `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${bytes}\r\n--x--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
})

const uploadFile = async (name: string, bytes: string) => {
  const up = await p.inject('POST', '/api/File/UploadAttachment', { token: boss, ...multipart(name, bytes) })
  const { Key, Url, ...rest } = objectOf(up.envelope().Data)
  return { ...rest, Key: textOf(Key), Url: textOf(Url) }
}

it('serves every enumeration by its name, with code, order and the meaning of its colour (G-1)', async () => {
  expect((await getJson('Enums/GetCodeValues?data.EnumName=taskstate')).Data).toMatchObject([
    { EnumName: 'TaskState', Code: 10, CodeText: '10', Name: '待处理', Color: 'todo', Sort: 1 },
    { Code: 20, Name: '处理中' },
    { Code: 30, Name: '完成', Color: 'done' },
    { Code: 40, Name: '失败' },
    { Code: 50, Name: '部分成功' },
    { Code: 60, Name: '已停止', Sort: 6 },
  ])
  expect(new Set((await getJson('enums/get')).Data.map((r: { EnumName: string }) => r.EnumName))).toEqual(
    new Set([
      'MailState',
      'ProbeMood',
      'TaskType',
      'TaskState',
      'NoticeGroup',
      'NoticeLevel',
      'ReceiverKind',
      'HolidayType',
    ]),
  )
  expect(await getJson('getenums?EnumName=nothing')).toMatchObject({
    Code: resultCode.notFound,
    Message: '没有枚举「nothing」',
  })
})

it('keeps a file and returns it to whom it belongs, or to the bearer of its signed address', async () => {
  const up = await uploadFile('说明.txt', '你好')
  expect(up).toMatchObject({
    Name: '说明.txt',
    Type: 'text/plain',
    Size: 6,
    Key: expect.stringMatching(/^[0-9a-f]{40}$/),
  })
  const own = await p.inject('GET', `/api/File/Get?data.Key=${up.Key}`, { token: boss })
  expect([own.text, own.headers['content-disposition'], own.headers['content-security-policy']]).toEqual([
    '你好',
    expect.stringMatching(/^attachment/),
    expect.stringContaining('sandbox'),
  ])
  expect(await getJson(`File/Get?data.Key=${up.Key}`, other)).toMatchObject({ Code: resultCode.notFound })
  expect((await p.inject('GET', `/api/File/Get?data.Key=${up.Key}`)).status).toBe(401)
  expect((await p.inject('GET', up.Url)).text).toBe('你好')
  expect((await p.inject('GET', up.Url, { token: other })).text).toBe('你好')
  for (const bad of [
    up.Url.replace(/Sign=./, m => (m === 'Sign=_' ? 'Sign=-' : 'Sign=_')),
    up.Url.replace('Owner=1', 'Owner=2'),
    up.Url.replace(/Until=\d/, 'Until=9'),
  ]) {
    expect((await p.inject('GET', bad)).status).toBe(401)
  }
  expect((await getJson(`File/GetUrls?data.Keys=${up.Key},${'0'.repeat(40)}`)).Data).toMatchObject([
    { Key: up.Key, Name: '说明.txt', Url: expect.stringContaining(up.Key) },
  ])
  expect((await getJson(`File/GetUrls?data.Keys=${up.Key}`, other)).Data).toEqual([])
})

it('shows a picture in its place, and runs nothing that was uploaded', async () => {
  const gif = await uploadFile('a.gif', 'GIF89a123')
  const shown = await p.inject('GET', gif.Url)
  expect(shown.headers).toMatchObject({
    'content-type': 'image/gif',
    'content-disposition': expect.stringMatching(/^inline/),
    'cache-control': expect.stringContaining('private'),
    'x-content-type-options': 'nosniff',
  })
  const page = await uploadFile('a.html', '<script>alert(1)</script>')
  expect((await p.inject('GET', page.Url)).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment/),
  })
  expect(
    (
      await p.inject('POST', '/api/File/UploadAttachment', {
        token: boss,
        ...multipart('a.png', 'GIF89a123'),
      })
    ).json(),
  ).toMatchObject({ Code: resultCode.invalidInput, Message: '文件内容与扩展名不符，请重新选择' })
})

it('keeps preferences per operator: by name, by the beginning of a name, forgotten when emptied', async () => {
  const put = (SetupKey: string, SetupJson?: string, token = boss) =>
    sendJson('PUT', 'UserSetup/Put', { SetupKey, SetupJson }, token)
  expect((await put('columns:room', '{"hidden":["area"]}')).Code).toBe(resultCode.ok)
  await put('columns:bill', '[]')
  await put('views:room', '1')
  await put('columns:room', '{"hidden":[]}')
  await put('columns:room', '"theirs"', viewer)
  expect((await getJson('UserSetup/Get?data.Prefix=columns')).Data).toEqual([
    { SetupKey: 'columns:bill', SetupJson: '[]' },
    { SetupKey: 'columns:room', SetupJson: '{"hidden":[]}' },
  ])
  expect((await getJson('NinternalUserSetup/Get?data.SetupKey=columns:room', viewer)).Data).toEqual([
    { SetupKey: 'columns:room', SetupJson: '"theirs"' },
  ])
  for (const name of ['NinternalUserSetup', 'oa/v1/NinternalUserSetup']) {
    expect((await sendJson('PUT', `${name}/Put`, { SetupKey: 'a:b', SetupJson: '1' }, viewer)).Code).toBe(
      resultCode.ok,
    )
    expect((await getJson(`${name}/Get?data.SetupKey=a:b`, viewer)).Data).toHaveLength(1)
  }
  expect((await getJson('oa/v1/AttendanceHoliday/Get')).Code).toBe(resultCode.ok)
  await put('views:room')
  expect((await getJson('UserSetup/Get')).Data).toHaveLength(2)
  expect((await put('columns:room', '{')).Data).toEqual([{ Field: 'SetupJson', Message: '内容应为 JSON' }])
  expect((await put('9;drop', '1')).Code).toBe(resultCode.invalidInput)
  expect((await put('big', JSON.stringify('x'.repeat(20_000)))).Message).toBe('内容最多 20000 个字')
})

it("lists the caller's own tasks; only their operator stops them, retries them and fetches their files", async () => {
  const begun = await p.inject('POST', '/api/Probe/Work', {
    token: boss,
    body: { Data: { Steps: 50, Ms: 50 } },
  })
  const id = idOf(begun.envelope().Data)
  await expect.poll(async () => (await getJson(`TaskCenter/GetOne?ID=${id}`)).Data.State).toBe(20)
  expect((await getJson('TaskCenter/Get?data.State=20')).Data).toMatchObject([
    { ID: id, Title: '试验任务', TaskType: 10, State: 20, OperatorName: '操作员1' },
  ])
  expect((await getJson('TaskCenter/Get', viewer)).Total).toBe(0)
  for (const token of [viewer, other]) {
    expect((await getJson(`TaskCenter/GetOne?ID=${id}`, token)).Code).toBe(resultCode.notFound)
    expect((await sendJson('POST', 'TaskCenter/Cancel', { ID: id }, token)).Code).toBe(resultCode.notFound)
  }
  expect((await sendJson('POST', 'TaskCenter/Retry', { ID: id })).Message).toBe(
    '只有失败或已停止的任务可以重试',
  )
  expect((await sendJson('POST', 'TaskCenter/Cancel', { ID: id })).Code).toBe(resultCode.ok)
  await expect
    .poll(async () => (await getJson(`TaskCenter/GetOne?ID=${id}`)).Data.State, { timeout: 5000 })
    .toBe(60)
  expect((await getJson(`TaskCenter/Download?ID=${id}`)).Message).toBe('没有结果文件，或已超过 7 天保留期')
  const key = await p.app.files.save(
    asId(1),
    asId(1),
    { name: '错误行.csv', type: 'text/csv', bytes: Buffer.from('行,原因') },
    7,
  )
  await p.app.database.tx(1, tx =>
    tx.execute(sql`update task_center set fault_file = ${key} where id = ${id}`),
  )
  const faults = await p.inject('GET', `/api/TaskCenter/DownloadFaults?ID=${id}`, { token: boss })
  expect([faults.text, faults.headers['x-suggested-filename']]).toEqual([
    '行,原因',
    encodeURIComponent('错误行.csv'),
  ])
})
