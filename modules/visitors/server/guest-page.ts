import { invalidField, refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById, update } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { certFault, checkFacePhoto, normalizeCertNo } from '#modules/residents/server/public.ts'
import {
  completeGuest,
  maxFaceBytes,
  openGuest,
  openGuestPicture,
  uploadGuestFace,
  type GuestPage,
} from '../contract/guest.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import { visitorLocation } from '../contract/location.ts'
import { inviteRule, type InviteRule } from '../contract/rule.ts'
import { inviteVisitor, type InviteVisitor } from '../contract/visitor.ts'
import { hasAllPapers, missingPapers } from '../domain/papers.ts'
import { shortName, stateText } from '../domain/page-texts.ts'
import { canPass } from '../domain/pass.ts'
import { actionRefusal, canDo } from '../domain/states.ts'
import { assertNotBlocked, findBlock } from './black-list.ts'
import { markCodes } from './code-marks.ts'
import { findEstateFacts } from './estate-facts.ts'
import { loadSetting } from './setting.ts'
import { pictureOf } from './template.ts'
import { inCompany, type VisitContext } from './visit-context.ts'
import { invalidLink, readVisitorLink } from './visitor-link.ts'

interface OpenedVisit {
  readonly visitor: InviteVisitor
  readonly row: Invitation
  readonly rule: InviteRule
}

async function openVisit(id: InviteVisitor['id'], { tx, scope }: VisitContext): Promise<OpenedVisit> {
  const [visitor] = await findByIds(tx, inviteVisitor, scope, [id], { lock: true })
  if (!visitor || visitor.clearTime !== undefined) throw invalidLink()
  const row = await requireById(tx, invitation, scope, visitor.invitationId)
  return { visitor, row, rule: await requireById(tx, inviteRule, scope, row.ruleId) }
}

const locationText = ({ locationName, phone }: { readonly locationName: string; readonly phone?: string }) =>
  phone === undefined ? locationName : `${locationName} ${phone}`

/** The reason is for staff alone. */
const blockedText = '暂不能来访，如有疑问请联系物业'

/** VIS-4 */
const isBlockedVisit = async ({ visitor, row }: OpenedVisit, { tx, scope, today }: VisitContext) =>
  (await findBlock(tx, scope.ownerId, row.projectCode, visitor, today)) !== undefined

const hasCode = ({ visitor, rule }: Pick<OpenedVisit, 'visitor' | 'rule'>): boolean =>
  canPass(visitor.state) && hasAllPapers(visitor, rule)

async function viewOf({ visitor, row, rule }: OpenedVisit, c: VisitContext): Promise<GuestPage> {
  const { tx, scope } = c
  const { projectCode } = row
  const { needsCert, needsFace } = missingPapers(visitor, rule)
  const isBlocked = await isBlockedVisit({ visitor, row, rule }, c)
  const locations = await findAll(
    tx,
    visitorLocation,
    scope,
    { projectCode, order: 'id' },
    { where: [sql`t.state = ${code(enabledState, 'on')}`] },
  )
  return {
    ...(await findEstateFacts(tx, scope.ownerId, projectCode)),
    visitorName: visitor.visitorName,
    hostName: shortName(row.hostName),
    placeName: row.roomPath ?? row.companyName,
    beginTime: visitor.beginTime,
    endTime: visitor.endTime,
    maxTimes: visitor.maxTimes,
    usedTimes: visitor.usedTimes,
    plateNo: visitor.plateNo,
    state: visitor.state,
    stateText: isBlocked ? blockedText : stateText({ state: visitor.state, stage: row.stage }),
    needsCert,
    needsFace,
    canComplete: canDo('complete', visitor.state),
    allowsCar: rule.allowsCar,
    inviteNo: hasCode({ visitor, rule }) && !isBlocked ? visitor.inviteNo : undefined,
    notice: (await loadSetting(tx, scope, projectCode)).notice,
    locations: locations.map(locationText),
  }
}

/** Of a code that the page shows; the template's background by an address that needs no account. */
const openPicture = async ({ app }: AnonymousContext, token: string) => {
  const { ownerId, id } = await readVisitorLink(app, token)
  return inCompany(app, ownerId, '访客', async c => {
    const visit = await openVisit(id, c)
    if (!hasCode(visit) || (await isBlockedVisit(visit, c)))
      refuse('邀请码尚未生效或已失效，没有邀请函；请查看访客页面上的说明')
    const { background, hostName, ...picture } = await pictureOf(visit.visitor, { db: c.tx, scope: c.scope })
    return {
      ...picture,
      hostName: shortName(hostName),
      backgroundUrl: background === undefined ? undefined : app.files.signedUrl(ownerId, background),
    }
  })
}

/** The visitor of a link does something; returns the page as it is then. */
async function actAsGuest(
  { app }: AnonymousContext,
  token: string,
  action: (visit: OpenedVisit, c: VisitContext) => Promise<Partial<InviteVisitor>>,
): Promise<GuestPage> {
  const link = await readVisitorLink(app, token)
  return inCompany(app, link.ownerId, '访客', async c => {
    const visit = await openVisit(link.id, c)
    const changes = await action(visit, c)
    if (!Object.keys(changes).length) return viewOf(visit, c)
    const refusal = actionRefusal('complete', visit.visitor.state)
    if (refusal !== undefined) refuse(refusal)
    const visitor = await update(c.tx, inviteVisitor, c.scope, link.id, changes)
    markCodes(c.tx, c.scope.ownerId, [visitor])
    return viewOf({ ...visit, visitor }, c)
  })
}

type Completion = NonNullable<typeof completeGuest.input.T>

/** What was given once stays: the link changes no document afterwards (VIS-4 is asked again). */
async function completion(
  { certType, certNo, plateNo }: Omit<Completion, 'token'>,
  { visitor, row, rule }: OpenedVisit,
  c: VisitContext,
): Promise<Partial<InviteVisitor>> {
  const fault = certFault(certType, certNo)
  if (fault !== undefined) throw invalidField('CertNo', fault)
  if (certNo !== undefined && visitor.certNo !== undefined)
    throw invalidField('CertNo', '证件已登记，如需更正请到门岗办理')
  if (plateNo !== undefined && !rule.allowsCar) throw invalidField('PlateNo', '该来访不允许车辆，请清除车牌')
  const changes = {
    ...(certNo === undefined ? {} : { certType: certType ?? 'idCard', certNo: normalizeCertNo(certNo) }),
    ...(plateNo === undefined ? {} : { plateNo: normalizePlate(plateNo) }),
  }
  await assertNotBlocked(c.tx, c.scope.ownerId, row.projectCode, [{ ...visitor, ...changes }], c.today)
  return changes
}

async function saveFace(
  { upload, app }: AnonymousContext,
  { scope }: VisitContext,
): Promise<Partial<InviteVisitor>> {
  if (!upload) throw invalidField('File', '请拍照或选择照片')
  if (!upload.type.startsWith('image/')) throw invalidField('File', '只能上传图片，请重新选择')
  if (upload.size > maxFaceBytes) throw invalidField('File', '照片不能超过 2048 KB，请压缩后上传')
  const face = await app.files.save(scope.ownerId, 0, upload)
  const [fault] = await checkFacePhoto(app.files, scope.ownerId, face)
  if (fault) throw invalidField('File', fault.Message)
  return { face }
}

export const guestHandlers = [
  anonymous(openGuest, ({ token }, a) => actAsGuest(a, token, async () => ({}))),
  anonymous(openGuestPicture, ({ token }, a) => openPicture(a, token)),
  anonymous(completeGuest, ({ token, ...asked }, a) =>
    actAsGuest(a, token, (visit, c) => completion(asked, visit, c)),
  ),
  anonymous(uploadGuestFace, ({ token }, anybody) =>
    actAsGuest(anybody, token, (_, c) => saveFace(anybody, c)),
  ),
]
