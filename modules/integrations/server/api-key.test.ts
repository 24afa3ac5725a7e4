import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Id } from '#kit/domain/id.ts'
import { asDay } from '#kit/domain/day.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { defined } from '#kit/domain/defined.ts'
import { revealPersonalData } from '#modules/accounts/contract/operation-log.ts'
import { changePassword } from '#modules/accounts/contract/account.ts'
import { logout } from '#modules/accounts/contract/sign-in.ts'
import { listBuildings, addBuilding } from '#modules/estates/contract/building.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { menu as roomsMenu } from '#modules/rooms/module.ts'
import { menu as residentsMenu } from '#modules/residents/module.ts'
import { menu as estatesMenu } from '#modules/estates/module.ts'
import { listEnums } from '#modules/system/contract/enums.ts'
import { root } from '#tools/source-files.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  addApiKey,
  editApiKey,
  getApiKey,
  listApiKeyCalls,
  listKeyPermissions,
  revokeApiKey,
} from '../contract/api-key.ts'
import { trialCommand } from '../contract/trial-command.ts'
import { menu } from '../module.ts'
import { IntegrationServers } from './integration-servers.fixtures.ts'

let s: IntegrationServers
let me: { token: string }

beforeAll(async () => {
  s = await IntegrationServers.open()
})
beforeEach(async () => {
  me = await s.signIn()
})
afterAll(() => s?.close())

const viewRooms = roomsMenu.room.permissions.view.key
const viewResidents = residentsMenu.resident.permissions.view.key
const viewBuildings = estatesMenu.building.permissions.view.key
const addBuildings = estatesMenu.building.permissions.add.key

const addKey = (overrides: object = {}, sender: { token: string } = me) =>
  s.call(
    addApiKey,
    {
      name: '财务系统',
      permissions: [viewResidents],
      allProject: false,
      projectCodes: ['GOLD0001'],
      showPrivacy: false,
      perMinute: 600,
      ...overrides,
    },
    sender,
  )

const codeOf = async (...args: Parameters<IntegrationServers['callRaw']>) =>
  (await s.callRaw(...args)).envelope.Code
const page = { page: 1, size: 5 }

it('a key makes the calls of its permissions, on every server, and no others (API-1)', async () => {
  const { secret } = await addKey()
  expect(secret).toMatch(/^anju_[\w-]{43}$/)
  for (const index of [0, 1] as const) {
    const found = await s.call(listResidents, { ...page, projectCode: 'GOLD0001' }, { key: secret }, index)
    expect(found.total).toBeGreaterThan(0)
  }
  const draft = { projectCode: 'GOLD0001', name: '9栋', unitType: 'number' as const, units: 1, floors: ['3'] }
  expect(await codeOf(addBuilding, draft, { key: secret })).toBe(resultCode.forbidden)
})

it('a list open to everyone is open to a key with a permission of its module', async () => {
  const { secret } = await addKey()
  await expect(s.call(listBuildings, page, { key: secret })).rejects.toThrow('「项目与楼栋」模块')
  const other = await addKey({ permissions: [viewBuildings] })
  expect(await codeOf(listBuildings, page, { key: other.secret })).toBe(resultCode.ok)
  expect(await codeOf(listEnums, {}, { key: secret })).toBe(resultCode.ok)
})

it('the call that is shown with a new key is open to every key', async () => {
  const { secret } = await addKey({ permissions: [viewResidents] })
  const [, headers, address] = defined(/^curl -H '([^']+)' '([^']+)'$/.exec(trialCommand(s.origin(), secret)))
  const [name = '', value = ''] = defined(headers).split(': ')
  const answer = await fetch(defined(address), { headers: { [name]: value } })
  expect(await answer.json()).toMatchObject({ Code: resultCode.ok })
})

it('calls for people who have signed in refuse every key: passwords, sign-out, keys', async () => {
  const { secret, id } = await addKey()
  const key = { key: secret }
  const password = { oldPassword: 'Anju2026', password: 'Anju2027' }
  expect(await codeOf(changePassword, password, key)).toBe(resultCode.forbidden)
  expect(await codeOf(logout, undefined, key)).toBe(resultCode.forbidden)
  expect(await codeOf(getApiKey, { id }, key)).toBe(resultCode.forbidden)
  expect(await codeOf(revokeApiKey, { id, reason: '试' }, key)).toBe(resultCode.forbidden)
  const keys = (await s.call(listKeyPermissions, undefined, me)).map(node => node.menuCode)
  expect(keys).toContain('residents')
  expect(keys).not.toContain('accounts')
  expect(keys).not.toContain('integrations')
  const refused = s.call(
    addApiKey,
    { ...(await plainKey()), permissions: [menu.key.permissions.add.key] },
    me,
  )
  await expect(refused).rejects.toThrow('没有这项权限')
})

const plainKey = async () => ({
  name: '财务系统',
  permissions: [viewResidents],
  allProject: true,
  showPrivacy: false,
  perMinute: 600,
})

it('a key sees its projects alone, and personal data only in part (API-1)', async () => {
  const { secret } = await addKey()
  const key = { key: secret }
  expect(await codeOf(listResidents, { ...page, projectCode: 'GOLD0002' }, key)).toBe(resultCode.forbidden)
  const masked = await s.call(listResidents, page, key)
  expect(masked.rows.every(row => !row.mobile || row.mobile.includes('*'))).toBe(true)
  const person = defined(masked.rows.find(row => row.mobile))
  const asked = { entity: 'resident', entityId: person.id, field: 'mobile' }
  expect(await codeOf(revealPersonalData, asked, key)).toBe(resultCode.forbidden)
  const full = await addKey({ showPrivacy: true })
  expect(await s.call(revealPersonalData, asked, { key: full.secret })).toMatch(/^1\d{10}$/)
  const estates = await s.call(listEstates, page, {
    key: (await addKey({ permissions: [viewBuildings] })).secret,
  })
  expect(estates.rows.map(row => row.projectCode)).toEqual(['GOLD0001'])
})

it('a key that would reach further than its maker is refused (API-1)', async () => {
  const limited = await s.signIn(golden.first.buildingOnly)
  await expect(addKey({}, limited)).rejects.toThrow('只能选择你可以查看整个项目的项目')
  const chief = await s.signIn(golden.first.estateOnly)
  await expect(addKey({ allProject: true, projectCodes: [] }, chief)).rejects.toThrow('全部项目')
  await expect(addKey({ showPrivacy: true }, chief)).rejects.toThrow('也不能授予密钥')
  const made = await addKey({}, chief)
  const wider = { ...made, projectCodes: ['GOLD0002'] }
  await expect(s.call(editApiKey, wider, chief)).rejects.toThrow('无权访问该项目')
  await expect(addKey({ projectCodes: ['NOWHERE1'] })).rejects.toThrow('NOWHERE1')
  await expect(addKey({ projectCodes: [] })).rejects.toThrow('请选择项目')
})

it('a revoked key is refused at once by every process, a changed one is read again', async () => {
  const { secret, id } = await addKey()
  const key = { key: secret }
  for (const index of [0, 1] as const) {
    expect((await s.callRaw(listResidents, page, key, index)).status).toBe(200)
  }
  const row = await s.call(getApiKey, { id }, me)
  await s.call(editApiKey, { ...row, permissions: [viewBuildings] }, me)
  for (const index of [0, 1] as const) {
    expect(await codeOf(listResidents, page, key, index)).toBe(resultCode.forbidden)
  }
  await s.call(revokeApiKey, { id, reason: '不再使用' }, me)
  for (const index of [1, 0] as const) {
    expect((await s.callRaw(listBuildings, page, key, index)).status).toBe(401)
  }
  await expect(s.call(revokeApiKey, { id, reason: '再次' }, me)).rejects.toThrow('已吊销')
})

it('a key ends with its last day, and with its company', async () => {
  const today = asDay(new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10))
  const { secret } = await addKey({ expireDate: today })
  expect((await s.callRaw(listResidents, page, { key: secret })).status).toBe(200)
  s.turn(24 * 3_600_000)
  me = await s.signIn()
  expect((await s.callRaw(listResidents, page, { key: secret })).status).toBe(401)
  const other = await addKey()
  await s.app.database.tx('*', tx =>
    tx.execute(sql`update property set state = 30 where owner_id = ${s.ownerId}`),
  )
  await s.app.sessions.refresh(s.ownerId, 'all')
  expect((await s.callRaw(listResidents, page, { key: other.secret })).status).toBe(401)
  await s.app.database.tx('*', tx =>
    tx.execute(sql`update property set state = 10 where owner_id = ${s.ownerId}`),
  )
  await s.app.sessions.refresh(s.ownerId, 'all')
})

it('a wrong key learns nothing, late; a key is no token', async () => {
  const { secret } = await addKey()
  const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
  const before = performance.now()
  const answers = await Promise.all(
    [wrong, 'anju_short', '', 'x'].map(key => s.callRaw(listResidents, page, { key })),
  )
  expect(performance.now() - before).toBeGreaterThan(250)
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 401, envelope: { Message: '接口密钥无效或已停用' } })
  expect((await s.callRaw(listResidents, page, { token: secret })).status).toBe(401)
})

it('a key has a rate of its own, over all processes (API-2)', async () => {
  const { secret } = await addKey({ perMinute: 4 })
  const key = { key: secret }
  const statusOf = async (index: 0 | 1) => (await s.callRaw(listResidents, page, key, index)).status
  const first = [await statusOf(0), await statusOf(0), await statusOf(0)]
  expect(first).toEqual([200, 200, 200])
  await s.runInterval('key-use', 0)
  expect(await statusOf(1)).toBe(200)
  await s.runInterval('key-use', 1)
  expect([await statusOf(1), await statusOf(1)]).toEqual([429, 429])
  await s.runInterval('key-use', 0)
  expect(await statusOf(0)).toBe(429)
  const headers = { authorization: `Bearer ${secret}` }
  const refused = await fetch(`${s.origin()}/api/User/Get?PageIndex=1&PageSize=5`, { headers })
  const retryAfter = Number(refused.headers.get('retry-after'))
  const restOfMinute = 60 - (Math.floor(s.app.clock() / 1000) % 60)
  expect(Math.abs(retryAfter - restOfMinute)).toBeLessThanOrEqual(2)
  s.turn(60_000)
  expect(await statusOf(0)).toBe(200)
})

it('logs what the rate refused, one row a minute for each process (API-2)', async () => {
  const { secret, id } = await addKey({ perMinute: 1 })
  const statuses = []
  for (let i = 0; i < 4; i++) {
    statuses.push((await s.callRaw(listResidents, page, { key: secret })).status)
  }
  expect(statuses).toEqual([200, 429, 429, 429])
  await s.runInterval('key-use')
  s.turn(60_000)
  await s.runInterval('key-use')
  const logged = await s.call(listApiKeyCalls, { ...page, keyId: [String(id)], onlyFailed: true }, me)
  expect(logged.rows).toMatchObject([
    {
      call: '*',
      title: '超过每分钟次数，拒绝 3 次',
      code: 429,
      ip: '127.0.0.1',
      requestId: expect.any(String),
    },
  ])
})

it('logs every call of a key, counts it, and names the key in the audit', async () => {
  const { secret, id } = await addKey({ permissions: [viewBuildings, addBuildings], name: '建档程序' })
  const draft = {
    projectCode: 'GOLD0001',
    name: '密钥楼',
    unitType: 'number' as const,
    units: 1,
    floors: ['3'],
  }
  const added = await s.call(addBuilding, draft, { key: secret })
  await s.callRaw(listResidents, page, { key: secret })
  await s.runInterval('key-use')
  const logged = await s.call(listApiKeyCalls, { ...page, keyId: [String(id)] }, me)
  expect(logged.rows.map(row => [row.call, row.code, row.ip, row.keyName])).toEqual([
    ['GET User/Get', resultCode.forbidden, '127.0.0.1', '建档程序'],
    ['POST building/post', resultCode.ok, '127.0.0.1', '建档程序'],
  ])
  expect((await s.call(listApiKeyCalls, { ...page, keyId: [String(id)], onlyFailed: true }, me)).total).toBe(
    1,
  )
  expect(await s.call(getApiKey, { id }, me)).toMatchObject({ callCount: 2, lastIp: '127.0.0.1' })
  const audits = await s.rows(sql<{ operatorId: Id; operatorName: string }>`
    select operator_id, operator_name
    from audit_log
    where entity = 'building' and entity_id = ${added.id}
  `)
  expect(audits).toEqual([{ operatorId: id, operatorName: '接口密钥「建档程序」' }])
})

it('the first calls of the documentation run with a key', async () => {
  const { secret } = await addKey({ permissions: [viewRooms] })
  const { stdout } = await promisify(execFile)(process.execPath, [`${root}/docs/samples/first-calls.ts`], {
    env: { ...process.env, ANJU_URL: s.origin(), ANJU_KEY: secret },
  })
  expect(stdout).toMatch(/^\d+ 间\nGOLD0001 \S+/)
})

it('the key is stored nowhere, and no account has its number', async () => {
  const { secret, id } = await addKey()
  const tables = ['api_key', 'idempotent_request', 'audit_log', 'operation_log', 'directory']
  for (const table of tables) {
    const found = await s.rows(sql<{ n: number }>`
      select count(*)::integer as n from ${sql.table(table)} t where t::text like ${`%${secret.slice(12)}%`}
    `)
    expect([table, found[0]?.n]).toEqual([table, 0])
  }
  expect(await s.rows(sql<{ id: Id }>`select id from manager where id = ${id}`)).toEqual([])
})
