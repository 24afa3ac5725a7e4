import { keyOf, keysOf, labelOf } from '#kit/contract/field.ts'
import { invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { storedFileFaults } from '#kit/server/file-access.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findPage, insert, requireById } from '#kit/server/table.ts'
import { hasDefinition } from '#modules/approvals/server/public.ts'
import { kindByType } from '../contract/approval-kinds.ts'
import { attendanceApply, type AttendanceApply } from '../contract/apply.ts'
import { applyState, applyType, leaveType } from '../contract/choices.ts'
import {
  getOwnLimits,
  listOwnApplications,
  previewOwnApplication,
  resendOwnApplication,
  sendOwnApplication,
} from '../contract/own-apply.ts'
import { requestOf } from './application-approval.ts'
import { sendApplicationAgain } from './application-resubmission.ts'
import { lengthOf, mendRules } from './application-rules.ts'
import { prepareApplication, settleApplication } from './application-submit.ts'
import { keepMonthsOpen } from './closed-months.ts'
import { findMyself, type Myself } from './phone.ts'
import { addReturns, isRequestedByCaller } from './returned-applications.ts'

const withoutStaff = '当前账号未关联员工，请联系人事在通讯录中关联登录账号'

const requireMyself = async (db: Db, scope: Scope, today: Day): Promise<Myself> =>
  (await findMyself(db, scope, today)) ?? refuse(withoutStaff)

/** A document that the caller may change once it came back: the own one, or one registered for another. */
async function requireAmended(db: Db, scope: Scope, today: Day, id: Id): Promise<AttendanceApply> {
  const row = await requireById(db, attendanceApply, scope, id)
  const isOwn = row.staffId === (await findMyself(db, scope, today))?.id
  if (!isOwn && !(await isRequestedByCaller(db, scope, row))) throw notFound()
  return row
}

/** Whose document is previewed. */
const staffOf = async (db: Db, scope: Scope, today: Day, amendedId: Id | undefined): Promise<Id> =>
  amendedId === undefined
    ? (await requireMyself(db, scope, today)).id
    : (await requireAmended(db, scope, today, amendedId)).staffId

/** Leave that was passed this year, by kind. */
async function leavesOfYear(db: Db, { ownerId }: Scope, { id }: Myself, today: Day) {
  const rows = await db.rows<{ type: number; hours: string }>(sql`
    select leave_type as type, trim_scale(sum(hours))::text as hours
    from attendance_apply
    where owner_id = ${ownerId}
      and staff_id = ${id}
      and apply_type = ${code(applyType, 'leave')}
      and state = ${code(applyState, 'passed')}
      and begin_time >= ${`${today.slice(0, 4)}-01-01 00:00:00`}::timestamptz
      and ${notDeleted()}
    group by leave_type
    order by leave_type
  `)
  return rows.flatMap(({ type, hours }) => {
    const kind = keyOf(leaveType, type)
    return kind === undefined ? [] : [{ leaveType: kind, hours }]
  })
}

async function loadLimits(db: Db, scope: Scope, today: Day) {
  const me = await findMyself(db, scope, today)
  const types = []
  for (const key of keysOf(applyType)) {
    types.push({ applyType: key, isOffered: await hasDefinition(db, scope, kindByType[key]) })
  }
  if (!me) return { refusal: withoutStaff, types, mendCount: 0, mendLimit: 0, mendDays: 0, leaves: [] }
  const rules = await mendRules(db, scope, me.id, today)
  return {
    staffId: me.id,
    staffName: me.name,
    types,
    ...(types.some(({ isOffered }) => isOffered)
      ? {}
      : { refusal: '未启用考勤审批流程，请联系考勤负责人登记' }),
    mendCount: rules?.mendCount ?? 0,
    mendLimit: rules?.mendLimit ?? 0,
    mendDays: rules?.mendDays ?? 0,
    leaves: await leavesOfYear(db, scope, me, today),
  }
}

async function send(input: NonNullable<typeof sendOwnApplication.input.T>, c: WriteContext) {
  const { tx, scope, today } = c
  await keepMonthsOpen(tx, scope)
  const me = await requireMyself(tx, scope, today)
  if (!(await hasDefinition(tx, scope, kindByType[input.applyType])))
    refuse(`「${labelOf(applyType, input.applyType)}」未启用审批流程，请联系考勤负责人登记`)
  const draft = { ...input, staffId: me.id }
  const { chosen: _chosen, ...values } = draft
  const row = await insert(tx, attendanceApply, scope, { ...values, ...(await prepareApplication(draft, c)) })
  await settleApplication(row, c, draft)
  return requireById(tx, attendanceApply, scope, row.id)
}

export const ownApplyHandlers = [
  reads(listOwnApplications, async ({ amendedId, ...query }, { db, scope, today }) => {
    const me = amendedId === undefined ? await findMyself(db, scope, today) : undefined
    const named = amendedId === undefined ? undefined : await requireAmended(db, scope, today, amendedId)
    const page = await findPage(db, attendanceApply, scope, query, {
      filters: listOwnApplications.input.filters ?? [],
      where: [named ? sql`t.id = ${named.id}` : sql`t.staff_id = ${me?.id ?? 0}`],
    })
    return { ...page, rows: await addReturns(db, scope, page.rows) }
  }),
  reads(getOwnLimits, (_, { db, scope, today }) => loadLimits(db, scope, today)),
  reads(previewOwnApplication, async ({ amendedId, ...input }, { db, scope, today, now }) => {
    const staffId = await staffOf(db, scope, today, amendedId)
    const draft = { ...input, staffId, reason: input.reason ?? '' }
    const length = await lengthOf(draft, { db, scope, now })
    return { ...(await requestOf(db, scope, { ...draft, ...length })), hours: length.hours }
  }),
  writes(sendOwnApplication, send),
  writes(resendOwnApplication, async ({ id, version, chosen, ...values }, c) => {
    const faults = await storedFileFaults(c, 'Attachments', values.attachments)
    if (faults.length) throw invalidInput(faults)
    await requireAmended(c.tx, c.scope, c.today, id)
    return sendApplicationAgain(c, id, { values, version, chosen })
  }),
]
