import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { systemScope } from '#kit/server/scope.ts'
import { findAll, insert, insertAll } from '#kit/server/table.ts'
import { sql } from '#kit/server/db.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import { inviteRule, type InviteRule } from '../contract/rule.ts'
import { inviteVisitor, type InviteVisitor } from '../contract/visitor.ts'

export const projectCode = 'GOLD0001'
let made = 0

const begin: Moment = '2026-11-21 08:00:00'
const end: Moment = '2026-11-21 18:00:00'

interface Invited {
  readonly visitors?: readonly Partial<InviteVisitor>[]
  readonly rule?: Partial<InviteRule>
  readonly visit?: Partial<Invitation>
}

/** A visit that is allowed on the day at which the clock of tests begins, as the host's side leaves it. */
export async function invite(
  t: GoldenApp,
  { visitors = [{}], rule = {}, visit = {} }: Invited = {},
): Promise<InviteVisitor[]> {
  const { ownerId } = t
  const scope = systemScope(ownerId, new Date(t.app.clock()).toISOString())
  const mark = String(++made)
  return t.database.tx(ownerId, async tx => {
    const { id: ruleId } = await insert(tx, inviteRule, scope, {
      projectCode,
      ruleName: `门岗规则${mark}`,
      hostTypes: ['staff'],
      advanceDays: 7,
      maxHours: 24,
      maxTimes: 1,
      maxPersons: 10,
      needsCert: false,
      needsFace: false,
      allowsCar: true,
      checkType: 'exempt',
      state: 'on',
      ...rule,
    })
    const { id: invitationId } = await insert(tx, invitation, scope, {
      projectCode,
      invitationNo: `YF${mark.padStart(8, '0')}`,
      visitorKind: 'friend',
      visitorName: visitors[0]?.visitorName ?? '李访客',
      personCount: visitors.length,
      isGroup: visitors.length > 1,
      hostType: 'staff',
      hostName: '王前台',
      beginTime: begin,
      endTime: end,
      firstEndTime: end,
      ruleId,
      maxTimes: 1,
      checkType: 'exempt',
      createName: '王前台',
      state: 'passed',
      ...visit,
    })
    const ids: Id[] = await insertAll(
      tx,
      inviteVisitor,
      scope,
      visitors.map((visitor, i) => ({
        projectCode,
        invitationId,
        inviteNo: `9${mark.padStart(4, '0')}${String(i).padStart(3, '0')}`,
        visitorName: '李访客',
        beginTime: begin,
        endTime: end,
        maxTimes: 1,
        usedTimes: 0,
        exitTimes: 0,
        state: 'passed' as const,
        ...visitor,
      })),
    )
    const rows = await findAll(tx, inviteVisitor, scope, {}, { where: [sql`t.id = any(${ids}::bigint[])`] })
    return rows.toSorted((a, b) => a.id - b.id)
  })
}

export const inviteOne = async (
  t: GoldenApp,
  visitor: Partial<InviteVisitor> = {},
  rule: Partial<InviteRule> = {},
): Promise<InviteVisitor> => defined((await invite(t, { visitors: [visitor], rule }))[0])
