import type { Moment } from '#kit/domain/moment.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import { invalidField, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { restoreMasked } from '#kit/server/privacy.ts'
import { findAll, insert, insertAll, update } from '#kit/server/table.ts'
import { sql } from '#kit/server/db.ts'
import { equalsAny } from '#kit/server/sql.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { certFault, normalizeCertNo } from '#modules/residents/server/public.ts'
import type { ApprovalStage } from '../contract/choices.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import { askedVisitorFields, type AskedVisitorRow } from '../contract/invitations.ts'
import { inviteVisitor, type InviteVisitor } from '../contract/visitor.ts'
import { nextStage } from '../domain/consent.ts'
import { invitationFaults } from '../domain/invitation-faults.ts'
import { answersTo } from '../domain/questions.ts'
import { requireRule, ruleOfInvitation, type AppliedRule } from './applied-rule.ts'
import { assertNotBlocked } from './black-list.ts'
import { markCodes } from './code-marks.ts'
import type { Host } from './hosts.ts'
import { newCodes } from './invite-code.ts'
import { loadSetting } from './setting.ts'
import type { VisitContext, VisitQueryContext } from './visit-context.ts'

export interface AskedInvitation extends Pick<
  Invitation,
  'visitorKind' | 'personCount' | 'reason' | 'answers' | 'beginTime' | 'endTime'
> {
  readonly hostPaysParking?: boolean | undefined
  readonly visitors: readonly AskedVisitorRow[]
  readonly ruleId?: Id | undefined
  readonly beginTimeBefore?: Moment | undefined
}

const numberPrefix = 'FK'

const asKept = (visitor: AskedVisitorRow): AskedVisitorRow => ({
  ...visitor,
  ...(visitor.certNo ? { certNo: normalizeCertNo(visitor.certNo) } : {}),
  ...(visitor.plateNo ? { plateNo: normalizePlate(visitor.plateNo) } : {}),
})

const certFaults = (visitors: readonly AskedVisitorRow[]): FieldFault[] =>
  visitors.flatMap(({ certType, certNo }, i) => {
    const fault = certFault(certType, certNo)
    return fault === undefined ? [] : [{ Field: `Visitors[${i}].CertNo`, Message: fault }]
  })

const maskedFaults = (visitors: readonly AskedVisitorRow[]): FieldFault[] =>
  visitors.flatMap(({ mobile = '' }, i) =>
    maskedPattern.test(mobile)
      ? [{ Field: `Visitors[${i}].Mobile`, Message: '手机号含有星号，请填写完整的号码' }]
      : [],
  )

/** Everything that speaks against a visit, under the rule that is its own. */
export function faultsOf(asked: AskedInvitation, { rule }: AppliedRule, c: VisitQueryContext): FieldFault[] {
  return [...invitationFaults(asked, rule, c), ...certFaults(asked.visitors), ...maskedFaults(asked.visitors)]
}

async function assertAllowed(
  asked: AskedInvitation,
  applied: AppliedRule,
  projectCode: string,
  c: VisitContext,
): Promise<void> {
  const faults = faultsOf(asked, applied, c)
  if (faults.length) throw invalidInput(faults)
  await assertNotBlocked(c.tx, c.scope.ownerId, projectCode, asked.visitors, c.today)
}

type HostParking = Pick<Invitation, 'hostPaysParking' | 'hostParkingLimit'>

/** PRK-24: a host with a room pays for the cars that are named, up to the limit of the project. */
async function hostParkingOf(
  { hostPaysParking, visitors }: AskedInvitation,
  { projectCode, roomId, hostType }: Pick<Host, 'projectCode' | 'roomId' | 'hostType'>,
  { tx, scope }: VisitContext,
): Promise<HostParking> {
  if (!hostPaysParking) return { hostPaysParking: false, hostParkingLimit: undefined }
  const { hostParkingLimit } = await loadSetting(tx, scope, projectCode)
  if (!hostParkingLimit)
    throw invalidField('HostPaysParking', '本项目未开放由被访人承担停车费，请先在「访客设置」中填写上限')
  if (hostType !== 'resident' || roomId === undefined)
    throw invalidField('HostPaysParking', '只有住户邀访可由被访人承担停车费，请取消勾选')
  if (!visitors.some(({ plateNo }) => plateNo))
    throw invalidField('HostPaysParking', '由被访人承担停车费的，请填写访客的车牌')
  return { hostPaysParking: true, hostParkingLimit }
}

/** What the first visitor and the rule give the invitation. */
const contentOf = (asked: AskedInvitation, { rule, checkType }: AppliedRule, stage?: ApprovalStage) => {
  const [first] = asked.visitors
  return {
    visitorKind: asked.visitorKind,
    visitorName: first?.visitorName,
    mobile: first?.mobile,
    plateNo: first?.plateNo,
    personCount: asked.personCount,
    isGroup: asked.visitors.length > 1,
    reason: asked.reason,
    answers: answersTo(rule.questions ?? [], asked.answers ?? []),
    beginTime: asked.beginTime,
    endTime: asked.endTime,
    firstEndTime: asked.endTime,
    maxTimes: rule.maxTimes,
    doorwayGroupIds: rule.doorwayGroupIds,
    checkType,
    stage,
    state: stage === undefined ? ('passed' as const) : ('pending' as const),
  }
}

const visitorOf = ({ id: _, ...visitor }: AskedVisitorRow, row: Invitation) => ({
  ...visitor,
  projectCode: row.projectCode,
  invitationId: row.id,
  roomId: row.roomId,
  beginTime: row.beginTime,
  endTime: row.endTime,
  maxTimes: row.maxTimes,
  doorwayGroupIds: row.doorwayGroupIds,
  state: row.state,
})

/** A host who invites has consented by it; staff who invite to the property itself are asked nothing. */
const ownConsent = ({ checkType }: AppliedRule, { consented, hostType, hostName }: Host, c: VisitContext) =>
  hostType !== 'staff' && consented.includes('host') && nextStage(checkType, new Set()) === 'host'
    ? [
        {
          stage: 'host' as const,
          decision: 'passed' as const,
          decider: hostName,
          decideTime: c.now,
          reason: '被访人本人邀请',
        },
      ]
    : undefined

type FindContext = Pick<VisitQueryContext, 'tx' | 'scope'>

/** Also those who were cancelled: each change of an invitation may add some. */
const maxVisitorsFound = 500

/** The visitors of several invitations, in the order of their numbers. */
export const visitorsOfAll = ({ tx, scope }: FindContext, invitationIds: readonly Id[]) =>
  findAll(
    tx,
    inviteVisitor,
    scope,
    { order: 'id' },
    {
      where: [sql`t.invitation_id ${equalsAny(invitationIds)}`],
      limit: maxVisitorsFound * invitationIds.length,
    },
  )

export const visitorsOf = (c: FindContext, invitationId: Id) => visitorsOfAll(c, [invitationId])

async function addVisitors(visitors: readonly AskedVisitorRow[], row: Invitation, c: VisitContext) {
  const codes = await newCodes(c.tx, c.scope.ownerId, visitors.length)
  await insertAll(
    c.tx,
    inviteVisitor,
    c.scope,
    visitors.map((visitor, i) => ({
      ...visitorOf(visitor, row),
      inviteNo: codes[i],
      usedTimes: 0,
      exitTimes: 0,
    })),
  )
}

/** A host invites: under the rules, with nobody who is turned away (VIS-1, VIS-4). */
export async function invite(input: AskedInvitation, host: Host, c: VisitContext): Promise<Invitation> {
  const { tx, scope, today } = c
  const asked = { ...input, visitors: input.visitors.map(asKept) }
  const applied = await requireRule(tx, scope, host, asked.visitorKind, asked.ruleId)
  await assertAllowed(asked, applied, host.projectCode, c)
  const { consented, relation: _, buildCode: _building, ...named } = host
  const row = await insert(tx, invitation, scope, {
    ...named,
    ...contentOf(asked, applied, nextStage(applied.checkType, new Set(consented))),
    ...(await hostParkingOf(asked, host, c)),
    decisions: ownConsent(applied, host, c),
    ruleId: applied.rule.id,
    invitationNo: await tx.numbers.next(scope.ownerId, numberPrefix, today),
    createName: scope.name,
  })
  await addVisitors(asked.visitors, row, c)
  markCodes(tx, scope.ownerId, await visitorsOf(c, row.id))
  return row
}

interface Change extends Omit<AskedInvitation, 'ruleId'> {
  readonly version?: number | undefined
}

/** Visitors that a form names stay with their codes; the others are cancelled, new ones get codes. */
async function changeVisitors(
  asked: readonly AskedVisitorRow[],
  before: readonly InviteVisitor[],
  row: Invitation,
  c: VisitContext,
): Promise<void> {
  const { tx, scope } = c
  const known = new Map(before.map(visitor => [visitor.id, visitor]))
  const kept = asked.filter(({ id }) => id !== undefined && known.has(id))
  for (const visitor of kept) {
    const { state: _, ...content } = visitorOf(visitor, row)
    const cleared = { mobile: undefined, certType: undefined, certNo: undefined, plateNo: undefined }
    await update(tx, inviteVisitor, scope, parseId(visitor.id), { ...cleared, ...content, state: row.state })
  }
  const keptIds = new Set(kept.map(({ id }) => id))
  for (const { id } of before.filter(visitor => !keptIds.has(visitor.id))) {
    await update(tx, inviteVisitor, scope, id, { state: 'cancelled' })
  }
  await addVisitors(
    asked.filter(visitor => !kept.includes(visitor)),
    row,
    c,
  )
}

/** A masked number that comes back as it was shown keeps what is stored (PERM-7). */
function restored(
  visitor: AskedVisitorRow,
  before: readonly InviteVisitor[],
  { scope }: VisitContext,
): AskedVisitorRow {
  const known = before.find(({ id }) => id === visitor.id)
  return known ? restoreMasked(askedVisitorFields, visitor, known, scope) : visitor
}

/** Before anybody has arrived; whatever needs consent needs it again. */
export async function changeInvitation(
  row: Invitation,
  { version, ...input }: Change,
  c: VisitContext,
): Promise<Invitation> {
  const { tx, scope } = c
  const before = await visitorsOf(c, row.id)
  const asked = {
    ...input,
    hostPaysParking: input.hostPaysParking ?? row.hostPaysParking,
    beginTimeBefore: row.beginTime,
    visitors: input.visitors.map(visitor => asKept(restored(visitor, before, c))),
  }
  const applied = await ruleOfInvitation(tx, scope, row, asked.visitorKind)
  await assertAllowed(asked, applied, row.projectCode, c)
  const changed = await update(
    tx,
    invitation,
    scope,
    row.id,
    {
      ...contentOf(
        asked,
        applied,
        nextStage(applied.checkType, new Set(row.hostType === 'staff' ? ['host'] : [])),
      ),
      ...(await hostParkingOf(asked, row, c)),
      decisions: undefined,
      rejectReason: undefined,
    },
    { version },
  )
  await changeVisitors(asked.visitors, before, changed, c)
  markCodes(tx, scope.ownerId, await visitorsOf(c, row.id))
  return changed
}
