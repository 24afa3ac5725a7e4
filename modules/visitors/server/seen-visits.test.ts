import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { checkCode, checkIn, getGatehouse } from '../contract/check.ts'
import { getInvitation } from '../contract/invitations.ts'
import { listEstates } from '../contract/setting.ts'
import { listValidations } from '../contract/visit.ts'
import { getVisitStatistics } from '../contract/visit-statistics.ts'
import type { InviteVisitor } from '../contract/visitor.ts'
import { invite, projectCode } from './gatehouse.fixtures.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

async function roomIn(building: string): Promise<Id> {
  const found = await t.database.reader(t.ownerId).one<{ id: Id }>(sql`
    select id
    from room
    where owner_id = ${t.ownerId} and project_code = ${projectCode} and build_code = ${building}
    order by id
    limit 1
  `)
  return defined(found).id
}

/** One visitor of a room in the building. */
async function visitorOf(building: string, values: Partial<InviteVisitor> = {}): Promise<InviteVisitor> {
  const roomId = await roomIn(building)
  const [visitor] = await invite(t, { visitors: [{ roomId, ...values }], visit: { roomId } })
  return defined(visitor)
}

it('the code and the link of a visit are for those who pass them on or check them (PERM-3)', async () => {
  const { invitationId, inviteNo } = await visitorOf('B1')
  const shownTo = async (permissions: readonly string[]) => {
    const { as } = await t.addClerk(['visitors.invitation.view', ...permissions])
    const [visitor] = (await t.call(getInvitation, { id: invitationId }, as)).visitors
    return visitor
  }
  const auditor = await shownTo([])
  expect(auditor).not.toHaveProperty('inviteNo')
  expect(auditor).not.toHaveProperty('url')
  expect(await shownTo(['visitors.invitation.edit'])).not.toHaveProperty('inviteNo')
  for (const permission of ['visitors.invitation.link', 'visitors.visit.check']) {
    expect(await shownTo([permission])).toMatchObject({
      inviteNo,
      url: expect.stringContaining('/visit/pass?t='),
    })
  }
})

it('who has single buildings sees the validations and counts of their visitors alone (PERM-6)', async () => {
  const building = await t.signedInAs(golden.first.buildingOnly)
  const beginTime = '2026-11-21 15:00:00'
  const [own, other] = [await visitorOf('B1', { beginTime }), await visitorOf('B2', { beginTime })]
  const inside = await visitorOf('B2')
  for (const { inviteNo } of [own, other]) {
    await t.call(checkCode, { projectCode, inviteNo, direction: 'in' }, me)
  }
  await t.call(checkCode, { projectCode, inviteNo: '00000000', direction: 'in' }, me)
  await t.call(checkIn, { visitorId: inside.id, personCount: 1 }, me)

  const seenBy = async (as: CallOptions) =>
    (await t.call(listValidations, { projectCode, size: 100 }, as)).rows.map(row => row.visitorId)
  expect(await seenBy(me)).toEqual(expect.arrayContaining([own.id, other.id, inside.id, undefined]))
  const seen = await seenBy(building)
  expect(new Set(seen)).toEqual(new Set([own.id]))

  const from = '2026-11-21'
  const refusedFor = async (as: CallOptions) =>
    (await t.call(getVisitStatistics, { projectCode, from, to: from }, as)).refused
  expect(await refusedFor(building)).toBe(seen.length)
  expect(await refusedFor(me)).toBeGreaterThan(seen.length)

  const countsFor = async (as: CallOptions) => {
    const { rows } = await t.call(listEstates, {}, as)
    const { expectedCount, insideCount } = defined(rows.find(row => row.projectCode === projectCode))
    return { expectedCount, insideCount }
  }
  for (const as of [me, building]) {
    expect(await t.call(getGatehouse, { projectCode }, as)).toMatchObject(await countsFor(as))
  }
  expect(await countsFor(building)).toMatchObject({ insideCount: 0 })
  expect(await countsFor(me)).toMatchObject({ insideCount: 1 })
})
