import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant, startOfDay } from '#kit/domain/moment.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listDeviceEvents, retryDeviceEvent } from '#modules/devices/contract/device-event.ts'
import { DeviceServers, type Clerk } from '#modules/devices/server/device-servers.fixtures.ts'
import { changeCardStates, saveCard } from '#modules/residents/contract/card.ts'
import { doorwayDevices } from '../contract/doorway-device.ts'
import { exportPassages, getPassage, listPassages } from '../contract/passage.ts'
import { getPassageStatistics } from '../contract/passage-statistics.ts'
import { projectCode } from './access.fixtures.ts'
import { DoorwaySite, secondsAgo } from './passage.fixtures.ts'
import { selectNeighbours, type Neighbour } from './people.fixtures.ts'

let s: DeviceServers
let me: Clerk
let site: DoorwaySite
let people: Neighbour[]
let issued = 0

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  people = await selectNeighbours(s.app.database.reader(s.ownerId), s.ownerId)
  site = await DoorwaySite.open(s, me)
})

afterAll(async () => {
  site?.close()
  await s?.close()
})

const sites: DoorwaySite[] = []
afterEach(() => sites.splice(0).forEach(each => each.close()))

async function newSite(): Promise<DoorwaySite> {
  const opened = await DoorwaySite.open(s, me)
  sites.push(opened)
  return opened
}

const issueCard = (person: Neighbour) =>
  s.call(
    saveCard,
    {
      projectCode,
      cardNo: `P${80_000 + ++issued}`,
      cardType: 'ic',
      userId: person.userId,
      roomId: person.roomId,
    },
    me,
  )

const record = { method: 1, result: 1, direction: 1 } as const

const eventsOf = async (gatewayId: Id) =>
  (await s.call(listDeviceEvents, { gatewayId: [String(gatewayId)], order: 'seq', size: 500 }, me)).rows

it('a card that opens is a record of its holder, also after it is lost; a face of nobody is a stranger’s (ACS-5)', async () => {
  const entry = await newSite()
  const person = defined(people[0])
  const card = await issueCard(person)
  await s.call(changeCardStates, { ids: [String(card.id)], state: 'lost', reason: '丢失' }, me)
  await entry.report([
    { ...record, key: '1', at: secondsAgo(60), card: card.cardNo },
    { ...record, key: '2', at: secondsAgo(30), method: 3, result: 0, reason: '未登记的人脸' },
    { ...record, key: '3', at: secondsAgo(10), method: 7, direction: 2 },
  ])
  expect(await entry.passages()).toMatchObject([
    { recordKey: '3', openMethod: 'button', direction: 'exit', openStatus: 'opened' },
    {
      recordKey: '2',
      openMethod: 'face',
      personKind: 'stranger',
      openStatus: 'refused',
      reason: '未登记的人脸',
    },
    {
      recordKey: '1',
      openMethod: 'card',
      direction: 'entrance',
      personKind: 'resident',
      personName: person.name,
      roomPath: person.place,
      cardNo: card.cardNo,
      isTimeDoubtful: false,
    },
  ])
  expect((await entry.passages())[0]?.personKind).toBeUndefined()
  // Of somebody known here it says why, as it is known here.
  const plain = await issueCard(defined(people[1]))
  const unknown = { ...record, result: 0, reason: '卡号未登记' } as const
  await entry.report([
    { ...unknown, key: 'r1', at: secondsAgo(9000), card: card.cardNo },
    { ...unknown, key: 'r2', at: secondsAgo(60), card: 'NOBODY' },
    { ...unknown, key: 'r3', at: secondsAgo(40), card: plain.cardNo },
    { ...unknown, key: 'r4', at: secondsAgo(20), card: card.cardNo },
  ])
  expect(
    (await entry.passages()).filter(row => row.recordKey.startsWith('r')).map(row => row.reason),
  ).toEqual([
    '卡已挂失',
    expect.stringMatching(/无此门的权限|未授予任何门的权限|凭证尚未下发到设备/),
    '卡号未登记',
    '设备中无此凭证',
  ])
})

it('what is sent again, and what repeats within three seconds, is one record with its repeats (ACS-5)', async () => {
  const entry = await newSite()
  const first = { ...record, key: 'a', at: secondsAgo(60), card: '777' }
  const second = { ...first, key: 'b', at: secondsAgo(58) }
  const other = { ...first, key: 'c', at: secondsAgo(59), card: '778' }
  const later = { ...first, key: 'd', at: secondsAgo(50) }
  await entry.report([first, first, second])
  await entry.report([second, first, other, later])
  expect((await entry.passages()).map(row => [row.recordKey, row.repeats ?? 0])).toEqual([
    ['d', 0],
    ['c', 0],
    ['a', 1],
  ])
})

it('a record whose time cannot be believed has that of its arrival, and is not taken twice', async () => {
  const entry = await newSite()
  const doubtful = { ...record, key: 'x', at: '1970-01-01T00:00:00Z', card: '900' }
  await entry.report([doubtful])
  s.turn(60_000)
  await entry.report([doubtful])
  const [row, ...more] = await entry.passages()
  expect([row?.isTimeDoubtful, more]).toEqual([true, []])
})

it('records that are none, of another door, or made up are refused in words; the others are taken', async () => {
  const entry = await newSite()
  const at = secondsAgo(100)
  await entry.report([
    { ...record, key: 'good', at, card: '1' },
    { ...record, at, card: '2' },
    { ...record, key: 'k3', at, method: 77 },
  ])
  await entry.send([
    { type: 'doorPassage', deviceId: site.deviceId, data: { ...record, key: 'stolen', at, card: '3' } },
    { type: 'doorPassage', deviceId: 0, data: { ...record, key: 'nobody', at } },
  ])
  await entry.report([{ ...record, key: 'good', at: secondsAgo(20), card: '1' }])
  expect((await eventsOf(entry.gateway.gateway.id)).map(event => event.reason ?? '')).toEqual([
    '',
    '缺少记录号',
    '开门方式「77」无法识别',
    `设备 ${site.deviceId} 不属于该网关`,
    '设备未绑定到门，请在「门禁设备」绑定后重新处理',
    '记录号 good 已存在，内容不同',
  ])
  expect((await entry.passages()).map(row => row.recordKey)).toEqual(['good'])
})

it('a record that came before its device was bound is handled once it is', async () => {
  const entry = await newSite()
  const bound = await s.call(doorwayDevices.list, { projectCode, doorwayId: [String(entry.doorway.id)] }, me)
  await s.call(doorwayDevices.delete, { ids: [String(defined(bound.rows[0]).id)], reason: '更换设备' }, me)
  await entry.report([{ ...record, key: 'early', at: secondsAgo(5), card: '5', picture: 'A'.repeat(9000) }])
  expect(await entry.passages()).toEqual([])
  await entry.bind()
  const [event] = await eventsOf(entry.gateway.gateway.id)
  await s.call(retryDeviceEvent, { id: defined(event).id }, me)
  expect((await entry.passages()).map(row => row.recordKey)).toEqual(['early'])
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

it('a picture is kept with its record; what is none or too large is left out with the reason', async () => {
  const entry = await newSite()
  await entry.report([
    { ...record, key: 'p1', at: secondsAgo(40), card: '1', picture: png.toString('base64') },
    { ...record, key: 'p2', at: secondsAgo(30), card: '1', picture: Buffer.from('text').toString('base64') },
    { ...record, key: 'p3', at: secondsAgo(20), card: '1', picture: 'A'.repeat(280_000) },
  ])
  const [third, second, first] = await entry.passages()
  expect([third?.pictureFault, second?.pictureFault, first?.pictureFault]).toEqual([
    '超过 200 kB',
    '不是图片',
    undefined,
  ])
  const stored = await s.app.files.find(s.ownerId, defined(first?.picture))
  expect(stored?.type).toBe('image/png')
})

it('a list is of thirty days unless asked otherwise, found by name, card, door and method, and exported so', async () => {
  const entry = await newSite()
  const person = defined(people[1])
  const card = await issueCard(person)
  const longAgo = secondsAgo(40 * 86_400)
  await entry.report([
    { ...record, key: '1', at: longAgo, card: card.cardNo },
    { ...record, key: '2', at: secondsAgo(600), card: card.cardNo },
    { ...record, key: '3', at: secondsAgo(500), method: 9, item: 'plate:粤B12345' },
  ])
  const doorwayId = [String(entry.doorway.id)]
  const keys = async (input: NonNullable<typeof listPassages.input.T>) =>
    (await s.call(listPassages, { projectCode, doorwayId, ...input }, me)).rows.map(row => row.recordKey)
  expect(await keys({})).toEqual(['3', '2'])
  expect(await keys({ cardNo: card.cardNo })).toEqual(['2'])
  expect(await keys({ personName: person.name })).toEqual(['2'])
  expect(await keys({ keyword: '粤b12345' })).toEqual(['3'])
  expect(await keys({ openMethod: ['plate'] })).toEqual(['3'])
  const recordTimeFrom = startOfDay(dayOfInstant(Date.now() - 45 * 86_400_000))
  expect(await keys({ recordTimeFrom, userId: [String(person.userId)] })).toEqual(['2', '1'])
  const query = { projectCode, doorwayId, personName: person.name }
  const cells = await s.exportedCells(exportPassages.get, query, me)
  expect(cells.filter(row => row.includes(card.cardNo))).toHaveLength(1)
  expect(cells.flat()).not.toContain('粤B12345')
})

it('the code of a visitor is in no list, record, export or event, but its last digits (PERM-7)', async () => {
  const entry = site
  const scanned = { ...record, method: 4, item: 'qr:76693219', card: '76693219' }
  await entry.report([{ ...scanned, key: 'code', at: secondsAgo(20) }])
  const listed = (await entry.passages()).find(row => row.recordKey === 'code')
  expect(listed).toMatchObject({ openMethod: 'qr', cardNo: '******19' })
  const shown = await s.call(getPassage, { id: defined(listed).id }, me)
  const { rows: events } = await s.call(
    listDeviceEvents,
    { gatewayId: [String(entry.gateway.gateway.id)] },
    me,
  )
  const doorwayId = [String(entry.doorway.id)]
  const cells = await s.exportedCells(exportPassages.get, { projectCode, doorwayId }, me)
  expect(JSON.stringify([listed, shown, events, cells])).not.toContain('76693219')
  expect(JSON.stringify([events, cells])).toContain('******19')
  const found = async (cardNo: string) => (await s.call(listPassages, { projectCode, cardNo }, me)).total
  expect([await found('76693219'), await found('7669')]).toEqual([1, 0])
})

it('statistics count days, hours, methods, doors and reasons in one reading (1§7)', async () => {
  const entry = await newSite()
  const noon = `${dayOfInstant(Date.now() - 86_400_000)}T12:30:00+08:00`
  const report = (key: string, more: object) => ({ ...record, key, at: noon, ...more })
  await entry.report([
    report('1', { card: 'c1' }),
    report('2', { card: 'c2' }),
    report('3', { method: 3, result: 0, reason: '黑名单' }),
  ])
  const figures = await s.call(getPassageStatistics, { projectCode, doorwayId: entry.doorway.id }, me)
  expect([figures.opened, figures.refused, figures.strangers]).toEqual([2, 1, 3])
  expect(figures.days).toHaveLength(7)
  expect(figures.days.at(-2)).toMatchObject({ opened: 2, refused: 1 })
  expect(figures.hours[12]).toMatchObject({ opened: 2, refused: 1 })
  expect(figures.methods.map(({ key, opened }) => [key, opened])).toEqual([
    ['card', 2],
    ['face', 0],
  ])
  expect(figures.doorways.map(({ label }) => label)).toEqual([entry.doorway.doorwayName])
  expect(figures.reasons).toMatchObject([{ key: '黑名单', refused: 1 }])
  const tooLong = s.callRaw(getPassageStatistics, { dayFrom: '2026-01-01', dayTo: '2026-06-01' }, me)
  expect(JSON.stringify(await tooLong)).toContain('一次最多统计 92 天')
})

it('another company sees no record', async () => {
  const entry = await newSite()
  await entry.report([{ ...record, key: '1', at: secondsAgo(5), card: '1' }])
  const { id } = defined((await entry.passages())[0])
  const stranger = await s.signIn(golden.second.owner, '')
  expect((await s.callRaw(getPassage, { id }, stranger)).Code).toBe(10004)
})
