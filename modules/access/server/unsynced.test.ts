import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { code } from '#kit/server/sql.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { itemState } from '#modules/devices/contract/choices.ts'
import { changeCardStates } from '#modules/residents/contract/card.ts'
import { getRoomPanel } from '#modules/rooms/contract/room-board.ts'
import { listCardReaders } from '../contract/card-reader.ts'
import { listDoorwayItems, resendDoorwayItems } from '../contract/sync.ts'
import { listUnsynced } from '../contract/unsynced.ts'
import { addDoorway, addDoorwayDevice, addGroup, bindDevice, projectCode } from './access.fixtures.ts'
import { findNeighbours, inBuilding, issueCard } from './people.fixtures.ts'
import { planChanged } from './sync/jobs.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

/** The device says that it has all that was sent. */
const reportAll = (deviceId: Id) =>
  t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update device_item
      set state = ${code(itemState, 'done')}, reported_version = item_version
      where owner_id = ${t.ownerId} and device_id = ${deviceId}
    `),
  )

it('tells of a person and of the room what devices lack, and what they still have (ACS-3, BASE-11)', async () => {
  const person = inBuilding(await findNeighbours(t), 'B1')
  const doorway = await addDoorway(t, me)
  const device = await addDoorwayDevice(t, me)
  await bindDevice(t, me, doorway, device.id)
  const group = await addGroup(t, me, [doorway])
  const { id, cardNo } = await issueCard(t, me, person, { doorwayGroupIds: [String(group.id)] })
  const ofCard = async () => {
    await planChanged(t.app)
    const rows = await t.call(listUnsynced, { userId: person.userId }, me)
    return rows.filter(row => row.number === cardNo && row.deviceName === device.name)
  }
  const ofRoom = async () =>
    (await t.call(getRoomPanel, { id: person.roomId }, me)).sections
      .find(({ key }) => key === 'access')
      ?.lines?.filter(({ label }) => label === `卡 ${cardNo}`)
      .filter(({ note }) => note?.includes(device.name))
      .map(({ value }) => value)
  expect(await ofCard()).toMatchObject([
    { doorwayName: doorway.doorwayName, kind: 'card', state: 'waiting', reason: '设备离线' },
  ])
  expect(await ofRoom()).toEqual(['待同步'])
  await reportAll(device.id)
  expect(await ofCard()).toEqual([])
  await t.call(changeCardStates, { ids: [String(id)], state: 'ended', reason: '退卡' }, me)
  expect(await ofCard()).toMatchObject([{ state: 'removing', reason: '设备离线' }])
  expect(await ofRoom()).toEqual(['待删除'])
})

it('who moves people out and issues cards sees what devices still have, and reads a card (ACS-3)', async () => {
  const service = await t.signedInAs(golden.first.ofRole('service'))
  const { userId } = inBuilding(await findNeighbours(t), 'B1')
  expect(await t.call(listUnsynced, { userId }, service)).toEqual(expect.any(Array))
  expect(await t.call(listCardReaders, { projectCode }, service)).toEqual(expect.any(Array))
  const cashier = await t.signedInAs(golden.first.ofRole('cashier'))
  expect(await refusalMessageOf(t.call(listCardReaders, { projectCode }, cashier))).toContain('权限')
})

it('who looks after devices, not cards, sees neither names nor numbers, and sends again (ACS-3, PERM-7)', async () => {
  const person = inBuilding(await findNeighbours(t), 'B1')
  const doorway = await addDoorway(t, me, { buildCode: 'B1' })
  const device = await addDoorwayDevice(t, me)
  const { id } = await bindDevice(t, me, doorway, device.id)
  const group = await addGroup(t, me, [doorway])
  const { cardNo } = await issueCard(t, me, person, { doorwayGroupIds: [String(group.id)] })
  await planChanged(t.app)
  const engineer = await t.signedInAs(golden.first.ofRole('engineer'))
  const find = async (keyword: string) => (await t.call(listDoorwayItems, { id, keyword }, engineer)).rows
  const [row] = await find(cardNo)
  expect(row).toMatchObject({ content: `卡 ****${cardNo.slice(-2)}` })
  expect(JSON.stringify(row)).not.toContain(person.name)
  expect(JSON.stringify(row)).not.toContain(cardNo)
  expect(await find(cardNo.slice(0, 4))).toEqual([])
  await t.call(resendDoorwayItems, { id, keys: [defined(row).itemKey] }, me)
  const unknown = t.call(resendDoorwayItems, { id, keys: ['card:NONE'] }, me)
  expect(await refusalMessageOf(unknown)).toBe('设备没有这些下发项，请刷新后重新选择')
})

it('is asked for somebody, and of no resident of another company', async () => {
  expect(await refusalMessageOf(t.call(listUnsynced, {}, me))).toBe('请指定住户或员工')
  const { userId } = inBuilding(await findNeighbours(t), 'B1')
  const other = await t.signedInAs(golden.second.owner)
  expect(await refusalMessageOf(t.call(listUnsynced, { userId }, other))).toContain('不存在')
})
