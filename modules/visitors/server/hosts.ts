import type { Id } from '#kit/domain/id.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { companyWorker, type CompanyWorker } from '#modules/companies/contract/company-worker.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { residency, type Residency } from '#modules/residents/contract/residency.ts'
import { findBlockReason, findResidentsByIds } from '#modules/residents/server/public.ts'
import type { ApprovalStage } from '../contract/choices.ts'
import type { addInvitation } from '../contract/invitations.ts'
import type { Inviter } from '../domain/applicable-rule.ts'
import type { VisitQueryContext } from './visit-context.ts'

/** Who invites, to where, and whether asking was already their consent. */
export interface Host extends Inviter {
  readonly projectCode: string
  readonly hostName: string
  readonly hostUserId?: Id | undefined
  readonly companyId?: Id | undefined
  readonly workerId?: Id | undefined
  readonly roomId?: Id | undefined
  readonly consented: readonly ApprovalStage[]
}

const isLiving = sql`t.status = ${code(residencyStatus, 'living')}`

/** Where a resident lives or is registered now, in one project. */
export const findHomes = (db: Db, scope: Scope, projectCode: string, userId: Id): Promise<Residency[]> =>
  findAll(
    db,
    residency,
    scope,
    { projectCode, order: 'id' },
    { where: [sql`t.user_id = ${userId}`, isLiving] },
  )

/** A resident who is cancelled or kept from inviting invites nobody (BASE-15). */
async function assertCanInvite({ tx, scope, today }: VisitQueryContext, projectCode: string, userId: Id) {
  const [person] = await findResidentsByIds(tx, scope, [userId])
  if (!person || person.state !== 'normal') return refuse('该住户已注销，不能邀请访客')
  const { mobile, certNo } = person
  const reason = await findBlockReason(
    tx,
    scope.ownerId,
    projectCode,
    'visit',
    { userId, mobile, certNo },
    today,
  )
  return reason === undefined ? undefined : refuse('该住户被限制邀请访客，请联系物业')
}

export async function hostOfResidency(
  c: VisitQueryContext,
  home: Residency,
  consented: readonly ApprovalStage[],
): Promise<Host> {
  await assertCanInvite(c, home.projectCode, home.userId)
  return {
    projectCode: home.projectCode,
    hostType: 'resident',
    hostUserId: home.userId,
    hostName: home.userName ?? '住户',
    roomId: home.roomId,
    relation: home.relation,
    buildCode: home.buildCode,
    consented,
  }
}

export const isActive = ({ state }: CompanyWorker): boolean => state === 'active'

export const hostOfWorker = (worker: CompanyWorker, consented: readonly ApprovalStage[]): Host => ({
  projectCode: worker.projectCode,
  hostType: 'company',
  companyId: worker.companyId,
  workerId: worker.id,
  hostUserId: worker.userId,
  hostName: worker.name,
  consented,
})

export async function findWorker(db: Db, scope: Scope, id: Id): Promise<CompanyWorker | undefined> {
  const [worker] = await findByIds(db, companyWorker, scope, [id])
  return worker && isActive(worker) ? worker : undefined
}

/** A residency by its number, where the person still lives there. */
export async function findHome(db: Db, scope: Scope, id: Id): Promise<Residency | undefined> {
  const [home] = await findAll(db, residency, scope, {}, { where: [sql`t.id = ${id}`, isLiving], limit: 1 })
  return home
}

type Asked = Pick<
  NonNullable<typeof addInvitation.input.T>,
  'projectCode' | 'hostType' | 'hostUserId' | 'roomId' | 'workerId'
>

async function residentHost(c: VisitQueryContext, { projectCode, hostUserId, roomId }: Asked): Promise<Host> {
  if (hostUserId === undefined) throw invalidField('HostUserID', '请选择被访住户')
  const homes = await findHomes(c.tx, c.scope, projectCode, hostUserId)
  const [first] = homes
  if (!first) throw invalidField('HostUserID', '该住户在本项目没有在住的房屋，请重新选择')
  if (roomId === undefined && homes.length > 1)
    throw invalidField('RoomID', '该住户在本项目有几处房屋，请选择拜访哪一处')
  const home = roomId === undefined ? first : homes.find(each => each.roomId === roomId)
  if (!home) throw invalidField('RoomID', '该住户没有居住在所选房屋，请重新选择')
  return hostOfResidency(c, home, [])
}

async function companyHost(
  { tx, scope }: VisitQueryContext,
  { projectCode, workerId }: Asked,
): Promise<Host> {
  if (workerId === undefined) throw invalidField('WorkerID', '请选择被访的企业员工')
  const worker = await findWorker(tx, scope, workerId)
  if (!worker || worker.projectCode !== projectCode)
    throw invalidField('WorkerID', '该员工不在本项目的企业任职，请重新选择')
  return hostOfWorker(worker, [])
}

/** Of what one of the staff enters: for a resident or a worker who asked by telephone, or for themselves. */
export async function requireHost(c: VisitQueryContext, asked: Asked): Promise<Host> {
  if (asked.hostType === 'resident') return residentHost(c, asked)
  if (asked.hostType === 'company') return companyHost(c, asked)
  return {
    projectCode: asked.projectCode,
    hostType: 'staff',
    hostName: c.scope.name,
    roomId: asked.roomId,
    consented: ['host'],
  }
}
