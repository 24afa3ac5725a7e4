import { refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { checkPicture } from '#kit/server/picture.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, insert, requireById, update } from '#kit/server/table.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { certFault, normalizeCertNo } from '#modules/residents/server/public.ts'
import { recordState, visitState, type PassDirection } from '../contract/choices.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import { inviteRule } from '../contract/rule.ts'
import { visitRecord, type VisitRecord } from '../contract/visit-record.ts'
import { inviteVisitor, type InviteVisitor } from '../contract/visitor.ts'
import { judgeCode, type CodeJudgement } from '../domain/code-reason.ts'
import { missingPapers } from '../domain/papers.ts'
import { countLimit, entryFaults, expectedCount, type EntryRequirement } from '../domain/visit-rules.ts'
import { findBlock } from './black-list.ts'
import { refreshInvitations } from './invitation-state.ts'
import { consumePass } from './pass.ts'
import { loadSetting } from './setting.ts'

/** A visitor with the invitation, both locked: the invitation first, everywhere. */
export interface Guest {
  readonly visitor: InviteVisitor
  readonly invitation: Invitation
}

export async function lockGuest(visitorId: Id, { tx, scope }: WriteContext): Promise<Guest> {
  const { invitationId } = await requireById(tx, inviteVisitor, scope, visitorId)
  const locked = await requireById(tx, invitation, scope, invitationId, { lock: true })
  return {
    invitation: locked,
    visitor: await requireById(tx, inviteVisitor, scope, visitorId, { lock: true }),
  }
}

/** The entry in the book of a visitor who is inside. */
export async function findOpenRecord(visitorId: Id, { tx, scope }: WriteContext) {
  const [found] = await findAll(
    tx,
    visitRecord,
    scope,
    {},
    {
      where: [sql`t.visitor_id = ${visitorId}`, sql`t.state = ${code(recordState, 'inside')}`],
      limit: 1,
    },
  )
  return found
}

export const blockReasonText = (reason: string): string => `在访客黑名单中（${reason}），不予放行`

/** VIS-2, VIS-4: what the code is worth here and now. */
export async function judgeGuest(
  { visitor }: Guest,
  direction: PassDirection,
  c: WriteContext,
): Promise<CodeJudgement> {
  const judgement = judgeCode(visitor, direction, c.now)
  if (judgement.result !== 'passed' || direction === 'out') return judgement
  const { tx, scope, today } = c
  const reason = await findBlock(tx, scope.ownerId, visitor.projectCode, visitor, today)
  return reason === undefined ? judgement : { result: 'blocked', reason: blockReasonText(reason) }
}

/** VIS-2: of two gates in the same instant one is let through, whatever either has read before. */
export async function countEntrance(
  { id }: InviteVisitor,
  patch: Partial<InviteVisitor>,
  { tx, scope, now }: WriteContext,
): Promise<void> {
  if (!(await consumePass(tx, scope, id, 'in', now))) refuse('邀请码刚在其他门岗使用，请重新核验')
  await update(tx, inviteVisitor, scope, id, { ...patch, state: 'arrived' })
}

/** What the guard enters of somebody at the gate. */
export type EntryDetails = Partial<
  Pick<
    VisitRecord,
    | 'certType'
    | 'certNo'
    | 'plateNo'
    | 'personCount'
    | 'temperature'
    | 'items'
    | 'itemPhotos'
    | 'checkPhoto'
    | 'remark'
  >
>

/** The others of a group who have come or may, with how many people came under their codes. */
const findCompanions = (
  { visitor: { id, invitationId } }: Guest,
  { tx, scope: { ownerId } }: WriteContext,
): Promise<readonly { readonly personCount?: number }[]> =>
  tx.rows(sql`
    select max(b.person_count)::int as person_count
    from invite_visitor v
    left join visit_record b on b.owner_id = ${ownerId} and b.visitor_id = v.id and ${notDeleted('b')}
    where v.owner_id = ${ownerId}
      and v.invitation_id = ${invitationId}
      and v.id <> ${id}
      and v.state in ${codes(visitState, 'pending', 'passed', 'arrived', 'left')}
      and ${notDeleted('v')}
    group by v.id
  `)

export interface GuestRequirement extends EntryRequirement {
  readonly invitedCount: number
  /** How many come with the code where nobody counts them. */
  readonly expectedCount: number
}

/** What a project and a rule ask for before somebody is let in. */
export async function requirementOf(guest: Guest, c: WriteContext): Promise<GuestRequirement> {
  const { tx, scope } = c
  const {
    visitor,
    invitation: { projectCode, ruleId, personCount },
  } = guest
  const [rule] = await findByIds(tx, inviteRule, scope, [ruleId])
  const others = await findCompanions(guest, c)
  return {
    setting: await loadSetting(tx, scope, projectCode),
    needsCert: rule?.needsCert ?? false,
    needsFace: rule !== undefined && missingPapers(visitor, rule).needsFace,
    refusesCar: rule?.allowsCar === false,
    invitedCount: countLimit(personCount, others),
    expectedCount: expectedCount(personCount, others),
  }
}

/** Refuses, all faults together, what is missing, wrong or no picture. */
export async function assertEntry(
  details: EntryDetails,
  requirement: EntryRequirement,
  { app, scope }: WriteContext,
): Promise<void> {
  const pictureFaults = [
    ...(await checkPicture(app.files, scope.ownerId, details.checkPhoto, 'CheckPhoto', '核验照片')),
    ...(
      await Promise.all(
        (details.itemPhotos ?? []).map(photo =>
          checkPicture(app.files, scope.ownerId, photo, 'ItemPhotos', '物品照片'),
        ),
      )
    ).flat(),
  ]
  const wrongCert = certFault(details.certType ?? 'idCard', details.certNo)
  const certFaults = wrongCert === undefined ? [] : [{ Field: 'CertNo', Message: wrongCert }]
  const faults = [...entryFaults(details, requirement), ...certFaults, ...pictureFaults]
  if (faults.length) throw invalidInput(faults)
}

interface Numbers {
  readonly certNo?: string | undefined
  readonly plateNo?: string | undefined
}

/** Documents and plates as they are kept, and as the black list has them. */
export const keptNumbers = ({ certNo, plateNo }: Numbers): Numbers => ({
  certNo: certNo === undefined ? undefined : normalizeCertNo(certNo),
  plateNo: plateNo === undefined ? undefined : normalizePlate(plateNo),
})

/** What the visitor was invited with counts where the guard has entered nothing else. */
export function withKnownPapers(details: EntryDetails, visitor: InviteVisitor): EntryDetails {
  const certNo = details.certNo ?? visitor.certNo
  return {
    ...details,
    certType: details.certType ?? visitor.certType ?? (certNo === undefined ? undefined : 'idCard'),
    ...keptNumbers({ certNo, plateNo: details.plateNo ?? visitor.plateNo }),
  }
}

interface Entry {
  readonly details: EntryDetails
  readonly locationId: Id | undefined
}

/** VIS-5: 20 → 30, with an entry in the book. The code has been judged. */
export async function enter(
  guest: Guest,
  { details: entered, locationId }: Entry,
  c: WriteContext,
): Promise<VisitRecord> {
  const { tx, scope, now } = c
  const { visitor, invitation: invited } = guest
  const details = withKnownPapers(entered, visitor)
  const { certType, certNo, plateNo, checkPhoto, items = [] } = details
  const itemText = items.map(({ itemName, quantity }) => `${itemName}×${quantity}`).join('、')
  const seen = { certType, certNo, plateNo, checkPhoto, items: itemText.slice(0, 200) || undefined }
  await countEntrance(visitor, seen, c)
  const record = await insert(tx, visitRecord, scope, {
    ...details,
    projectCode: visitor.projectCode,
    invitationId: visitor.invitationId,
    visitorId: visitor.id,
    visitorKind: invited.visitorKind,
    visitorName: visitor.visitorName,
    mobile: visitor.mobile,
    roomId: visitor.roomId,
    hostName: invited.hostName,
    reason: invited.reason,
    personCount: details.personCount ?? 1,
    endTime: visitor.endTime,
    ...entranceOf(locationId, now, c),
  })
  await refreshInvitations(tx, scope, [visitor.invitationId])
  return record
}

export const entranceOf = (inLocationId: Id | undefined, inTime: Moment, { scope }: WriteContext) => ({
  inLocationId,
  inTime,
  inGuardId: scope.operatorId,
  inGuardName: scope.name,
  state: 'inside' as const,
})

/** One code is one person, or one group that stays together: it is inside or it is not. */
export async function assertNotInside(visitorId: Id, c: WriteContext): Promise<void> {
  const open = await findOpenRecord(visitorId, c)
  if (open) refuse(`「${open.visitorName}」已于 ${open.inTime.slice(0, 16)} 进入，请先登记离开`)
}
