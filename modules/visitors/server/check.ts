import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { restoreMasked } from '#kit/server/privacy.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, update } from '#kit/server/table.ts'
import { checkCode, checkIn, countPasses, locationField, passCode } from '../contract/check.ts'
import type { PassDirection, ValidResult } from '../contract/choices.ts'
import { inviteValid } from '../contract/invite-valid.ts'
import { inviteVisitor, type InviteVisitor } from '../contract/visitor.ts'
import type { CodeJudgement } from '../domain/code-reason.ts'
import { entryFaults, type EntryRequirement } from '../domain/visit-rules.ts'
import { findBlock } from './black-list.ts'
import { leaveRecords } from './departure.ts'
import { refreshInvitations } from './invitation-state.ts'
import {
  assertEntry,
  assertNotInside,
  blockReasonText,
  enter,
  findOpenRecord,
  judgeGuest,
  lockGuest,
  requirementOf,
  withKnownPapers,
  type Guest,
} from './entrance.ts'
import { consumePass } from './pass.ts'

type CodeInput = NonNullable<typeof checkCode.input.T>
type CodeAnswer = NonNullable<typeof checkCode.output.T>

const unknownCode: CodeJudgement = {
  result: 'invalid',
  reason: '本项目没有此邀请码，请核对后重新输入；无邀请的请登记临时来访',
}

/** In this project alone: a code opens nothing elsewhere. */
async function findByCode(
  db: Db,
  scope: Scope,
  projectCode: string,
  inviteNo: string,
): Promise<InviteVisitor | undefined> {
  const where = [sql`t.invite_no = ${inviteNo}`]
  const [found] = await findAll(db, inviteVisitor, scope, { projectCode }, { where, limit: 1 })
  return found
}

export const assertLocation = (
  projectCode: string,
  locationId: Id | undefined,
  c: WriteContext,
): Promise<void> => assertReferences({ locationId: locationField }, { projectCode, locationId }, c)

interface Validation {
  readonly projectCode: string
  readonly locationId?: Id | undefined
  readonly direction: PassDirection
  readonly guest?: Guest | undefined
  readonly result: ValidResult
  readonly reason?: string | undefined
}

/** A code that is shown at a gate is recorded, with what it was worth. */
const recordValidation = (
  { projectCode, locationId, direction, guest, result, reason }: Validation,
  { tx, scope, now }: WriteContext,
): Promise<unknown> =>
  insert(tx, inviteValid, scope, {
    projectCode,
    invitationId: guest?.visitor.invitationId,
    visitorId: guest?.visitor.id,
    locationId,
    direction,
    validTime: now,
    result,
    reason,
    guardId: scope.operatorId,
    guardName: scope.name,
  })

async function answerOf(guest: Guest, judgement: CodeJudgement, c: WriteContext): Promise<CodeAnswer> {
  const { visitor, invitation } = guest
  const { needsCert, needsFace, expectedCount } = await requirementOf(guest, c)
  const open = await findOpenRecord(visitor.id, c)
  return {
    ...judgement,
    visitorId: visitor.id,
    visitorName: visitor.visitorName,
    mobile: visitor.mobile,
    certType: visitor.certType,
    certNo: visitor.certNo,
    face: visitor.face,
    plateNo: visitor.plateNo,
    hostName: visitor.hostName,
    roomPath: visitor.roomPath,
    visitorKind: invitation.visitorKind,
    reasonOfVisit: invitation.reason,
    personCount: invitation.personCount,
    codeCount: expectedCount,
    beginTime: visitor.beginTime,
    endTime: visitor.endTime,
    maxTimes: visitor.maxTimes,
    usedTimes: visitor.usedTimes,
    exitTimes: visitor.exitTimes,
    needsCert,
    needsFace,
    recordId: open?.id,
  }
}

async function findGuest({ projectCode, inviteNo, locationId }: CodeInput, c: WriteContext) {
  await assertLocation(projectCode, locationId, c)
  const found = await findByCode(c.tx, c.scope, projectCode, inviteNo)
  return found && lockGuest(found.id, c)
}

/** What is refused stays in the record; what is in order is recorded once the visitor passes. */
async function check(input: CodeInput, c: WriteContext): Promise<CodeAnswer> {
  const guest = await findGuest(input, c)
  const judgement = guest ? await judgeGuest(guest, input.direction, c) : unknownCode
  if (judgement.result !== 'passed') {
    await recordValidation({ ...input, guest, ...judgement }, c)
  }
  return guest ? answerOf(guest, judgement, c) : judgement
}

/** Nobody looks at the visitor here, so what must be looked at is left to the gatehouse. */
function assertNothingToEnter(
  { visitor: { certType, certNo, plateNo } }: Guest,
  requirement: EntryRequirement,
): void {
  const [fault] = entryFaults({ certType, certNo, plateNo }, requirement)
  if (fault) refuse(`${fault.Message}；请到门岗核验登记后进入`)
}

async function passIn(guest: Guest, locationId: Id | undefined, c: WriteContext): Promise<void> {
  const requirement = await requirementOf(guest, c)
  assertNothingToEnter(guest, requirement)
  await assertNotInside(guest.visitor.id, c)
  await enter(guest, { details: { personCount: requirement.expectedCount }, locationId }, c)
}

/** Without an entry in the book the exit alone is counted. */
async function passOut(guest: Guest, locationId: Id | undefined, c: WriteContext): Promise<boolean> {
  const open = await findOpenRecord(guest.visitor.id, c)
  if (open) {
    await leaveRecords([open.id], locationId, c)
    return true
  }
  const { id, invitationId } = guest.visitor
  if (!(await consumePass(c.tx, c.scope, id, 'out', c.now))) refuse('邀请码刚在其他门岗使用，请重新核验')
  await update(c.tx, inviteVisitor, c.scope, id, { leaveTime: c.now, state: 'left' })
  await refreshInvitations(c.tx, c.scope, [invitationId])
  return false
}

/** VIS-2: the code is used, or refused and recorded. */
async function pass(input: CodeInput, c: WriteContext): Promise<CodeAnswer> {
  const { direction, locationId } = input
  const guest = await findGuest(input, c)
  const judgement = guest ? await judgeGuest(guest, direction, c) : unknownCode
  if (!guest || judgement.result !== 'passed') {
    await recordValidation({ ...input, guest, ...judgement }, c)
    return guest ? answerOf(guest, judgement, c) : judgement
  }
  const isRecorded = direction === 'out' && (await passOut(guest, locationId, c))
  if (direction === 'in') {
    await passIn(guest, locationId, c)
  }
  if (!isRecorded) {
    await recordValidation({ ...input, guest, ...judgement }, c)
  }
  return answerOf(await lockGuest(guest.visitor.id, c), judgement, c)
}

type CheckInInput = NonNullable<typeof checkIn.input.T>

async function register({ visitorId, locationId, ...entered }: CheckInInput, c: WriteContext) {
  const guest = await lockGuest(visitorId, c)
  const { visitor, invitation } = guest
  await assertLocation(visitor.projectCode, locationId, c)
  // The form begins with what is known of the visitor, masked.
  const details = restoreMasked({ certNo: inviteVisitor.fields.certNo }, entered, visitor, c.scope)
  const judgement = await judgeGuest(guest, 'in', c)
  if (judgement.result !== 'passed') refuse(judgement.reason)
  const { visitorName, mobile } = visitor
  const person = { ...details, visitorName, mobile }
  const blocked = await findBlock(c.tx, c.scope.ownerId, visitor.projectCode, person, c.today)
  if (blocked !== undefined) refuse(blockReasonText(blocked))
  await assertNotInside(visitor.id, c)
  await assertEntry(withKnownPapers(details, visitor), await requirementOf(guest, c), c)
  const record = await enter(guest, { details, locationId }, c)
  const { projectCode } = invitation
  await recordValidation({ projectCode, locationId, direction: 'in', guest, result: 'passed' }, c)
  return record
}

export const checkHandlers = [
  writes(checkCode, check),
  writes(passCode, pass),
  writes(checkIn, register),
  reads(countPasses, async ({ projectCode, inviteNo }, { db, scope }) => {
    const found = await findByCode(db, scope, projectCode, inviteNo)
    if (!found) return refuse(unknownCode.reason)
    const { maxTimes, usedTimes, exitTimes } = found
    return {
      maxTimes,
      usedTimes,
      exitTimes,
      entrancesLeft: Math.max(0, maxTimes - usedTimes),
      exitsLeft: Math.max(0, maxTimes - exitTimes),
    }
  }),
]
