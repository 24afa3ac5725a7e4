import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { listParkingAges } from '../contract/stay.ts'
import { noticeLongStays } from './long-stays.ts'
import { ParkSite, projectCode } from './park-site.fixtures.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const hour = 3_600_000

const noticesOf = async (park: string) =>
  (await t.call(listNotifications, { size: 200 }, me)).rows.filter(({ title }) => title.includes(park))

it('cars inside for over 72 hours are in one message a night for each car park (PRK-9)', async () => {
  const [lot, other] = [await ParkSite.open(t, me), await ParkSite.open(t, me)]
  const now = fromInstant(t.app.clock())
  for (const [site, plate, hours] of [
    [lot, '粤L10001', 100],
    [lot, '粤L10002', 73],
    [lot, '粤L10003', 71],
    [other, '粤L10004', 74],
  ] as const) {
    await site.report('in', plate, addMinutes(now, -hours * 60), { hasPassed: true })
  }
  await Promise.all([noticeLongStays(t.app), noticeLongStays(t.app)])
  await noticeLongStays(t.app)
  const [first, ...more] = await noticesOf(`「${lot.park.name}」`)
  expect(more).toEqual([])
  expect(first).toMatchObject({
    title: `「${lot.park.name}」有 2 辆车停放超过 72 小时`,
    link: `/parking/outinlog?tab=inside&parkId=${lot.id}&ageBands=over72`,
  })
  expect(await noticesOf(`「${other.park.name}」`)).toHaveLength(1)
  const listed = await t.call(
    listParkingAges,
    { projectCode, parkId: [String(lot.id)], ageBands: ['over72'] },
    me,
  )
  expect(listed.total).toBe(2)
  // The next night counts those that are still there; its message takes the place of the old one.
  await lot.report('out', '粤L10001', now, { hasPassed: true })
  t.advanceClock(24 * hour)
  await noticeLongStays(t.app)
  // Sessions have ended by then.
  const titles = await t.database.reader(t.ownerId).rows<{ title: string; body: string }>(sql`
    select title, body
    from notification
    where owner_id = ${t.ownerId} and biz_id = ${lot.id} and delete_tag = 0 and kind = 'parking-lanes.longStay'
  `)
  expect(titles[0]).toEqual({
    title: `「${lot.park.name}」有 2 辆车停放超过 72 小时`,
    body: '粤L10002、粤L10003，请核对是否在场；已离场的请清场',
  })
  expect(new Set(titles.map(({ title }) => title)).size).toBe(1)
})
