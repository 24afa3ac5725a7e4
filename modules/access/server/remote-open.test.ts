import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listDeviceFaults } from '#modules/devices/contract/device-health.ts'
import { DeviceServers, type Clerk } from '#modules/devices/server/device-servers.fixtures.ts'
import { closeDoorwayAlarms, listDoorwayAlarms } from '../contract/doorway-alarm.ts'
import { doorways } from '../contract/doorway.ts'
import { getOpenResult, getOpenRules, openDoorway } from '../contract/remote-open.ts'
import { projectCode } from './access.fixtures.ts'
import { DoorwaySite, secondsAgo } from './passage.fixtures.ts'

let s: DeviceServers
let me: Clerk
let site: DoorwaySite
let isRefusing = false
const opened: unknown[] = []

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  site = await DoorwaySite.open(s, me, {
    onCommand: ({ taskId, input }) => {
      opened.push(input)
      return isRefusing ? { taskId, outcome: 'failed', reason: '锁舌卡住' } : { taskId, outcome: 'done' }
    },
  })
})

afterAll(async () => {
  site?.close()
  await s?.close()
})

const open = (reason?: string) =>
  s.call(openDoorway, { id: site.doorway.id, ...(reason === undefined ? {} : { reason }) }, me)

const messageOf = async (call: Promise<{ readonly Message?: unknown }>): Promise<string> =>
  JSON.stringify(await call)

it('a door is opened from afar: sent, recorded with its operator and the result, and audited (ACS-6)', async () => {
  const { taskId } = await open('住户忘带卡')
  const result = await s.call(getOpenResult, { taskId }, me)
  expect(result).toMatchObject({ state: 'done', hasEnded: true })
  expect(opened.at(-1)).toMatchObject({ action: 'openDoor', data: { seconds: 5 } })
  const [row, ...more] = await site.passages()
  expect(more).toEqual([])
  expect(row).toMatchObject({ openMethod: 'remote', openStatus: 'opened', personKind: 'staff' })
  expect(row?.personName).not.toBe('')
  const [entry] = await s.app.database.reader(s.ownerId).rows<{ reason: string }>(sql`
    select reason
    from audit_log
    where owner_id = ${s.ownerId} and entity = 'doorway' and entity_id = ${site.doorway.id} and action = 'state'
  `)
  expect(entry?.reason).toBe('住户忘带卡')
})

it('the device’s own record of it is the same opening, not a second one (ACS-5)', async () => {
  const before = (await site.passages()).length
  await site.report([{ key: 'own', at: secondsAgo(1), method: 5, result: 1, direction: 1 }])
  expect(await site.passages()).toHaveLength(before)
})

it('an opening that the device refuses says why, and is a record too', async () => {
  isRefusing = true
  const { taskId } = await open()
  isRefusing = false
  expect(await s.call(getOpenResult, { taskId }, me)).toMatchObject({ state: 'failed', reason: '锁舌卡住' })
  expect((await site.passages())[0]).toMatchObject({ openStatus: 'refused', reason: '锁舌卡住' })
})

it('the result is for the sender alone', async () => {
  const { taskId } = await open()
  const stranger = await s.signIn(golden.second.owner, '')
  expect((await s.callRaw(getOpenResult, { taskId }, stranger)).Code).toBe(10004)
})

it('a reason is asked where the project says so; a door without a device, or out of use, is not opened', async () => {
  await s.app.database.tx(s.ownerId, tx =>
    tx.execute(sql`
      insert into estate_setting (owner_id, project_code, key, value)
      values (${s.ownerId}, ${projectCode}, 'access.openReason', '1')
    `),
  )
  const { id } = site.doorway
  expect(await s.call(getOpenRules, { id }, me)).toEqual({ needsReason: true })
  expect(await messageOf(s.callRaw(openDoorway, { id }, me))).toContain('请填写远程开门的原因')
  const bare = await s.call(
    doorways.add,
    { ...site.doorway, doorwayCode: 'BARE1', doorwayName: '没有设备的门' },
    me,
  )
  const reason = '测试'
  expect(await messageOf(s.callRaw(openDoorway, { id: bare.id, reason }, me))).toContain('未绑定设备')
  await s.call(doorways.edit, { ...bare, state: 'off' }, me)
  expect(await messageOf(s.callRaw(openDoorway, { id: bare.id, reason }, me))).toContain('门已停用')
})

const alarm = (data: object) => site.send([{ type: 'doorAlarm', deviceId: site.deviceId, data: { ...data } }])

const alarmsOf = async () =>
  (await s.call(listDoorwayAlarms, { projectCode, deviceId: [String(site.deviceId)], state: ['open'] }, me))
    .rows

it('a door that stands open is an alarm until it is shut; a forced one until somebody has looked', async () => {
  const at = secondsAgo(3)
  await alarm({ key: 'h1', at, alarm: 'heldOpen' })
  await alarm({ key: 'f1', at, alarm: 'forced' })
  const { doorwayName } = site.doorway
  expect(new Map((await alarmsOf()).map(row => [row.title, row.level]))).toEqual(
    new Map([
      [`强行开门：${doorwayName}`, 'critical'],
      [`门未关：${doorwayName}`, 'major'],
    ]),
  )
  await alarm({ key: 'h2', at, alarm: 'heldOpen', ended: true })
  await alarm({ key: 'f2', at, alarm: 'forced', ended: true })
  const [forced, ...more] = await alarmsOf()
  expect([forced?.faultCode, more]).toEqual(['door.forced', []])
  await s.call(closeDoorwayAlarms, { ids: [String(defined(forced).id)], reason: '已到现场查看' }, me)
  expect(await alarmsOf()).toEqual([])
})

it('other faults of a device are no alarms of its door, and are not closed as such', async () => {
  await site.send([{ type: 'fault', deviceId: site.deviceId, data: { title: '电源异常', code: 'power' } }])
  expect(await alarmsOf()).toEqual([])
  const { rows } = await s.call(
    listDeviceFaults,
    { projectCode, deviceId: [String(site.deviceId)], state: ['open'] },
    me,
  )
  const ids = [String(defined(rows[0]).id)]
  expect((await s.callRaw(closeDoorwayAlarms, { ids, reason: '误报' }, me)).Code).toBe(10004)
})
