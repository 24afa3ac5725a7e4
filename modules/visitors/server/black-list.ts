import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { findBlockReason, normalizeCertNo } from '#modules/residents/server/public.ts'

export interface BlockSubject {
  readonly visitorName: string
  readonly mobile?: string | undefined
  readonly certNo?: string | undefined
  readonly plateNo?: string | undefined
}

/** Rows `t` that have one of the numbers; nothing where none is known. */
export function hasOneOf({
  mobile,
  certNo,
  plateNo,
}: Omit<BlockSubject, 'visitorName'>): RawBuilder<unknown> | undefined {
  const matches = [
    ...(mobile ? [sql`t.mobile = ${mobile}`] : []),
    ...(certNo ? [sql`t.cert_no = ${normalizeCertNo(certNo)}`] : []),
    ...(plateNo ? [sql`t.plate_no = ${normalizePlate(plateNo)}`] : []),
  ]
  return matches.length ? sql`(${sql.join(matches, sql` or `)})` : undefined
}

async function findVisitorBlock(
  db: Db,
  ownerId: Id,
  projectCode: string,
  subject: BlockSubject,
  today: Day,
): Promise<string | undefined> {
  const isSubject = hasOneOf(subject)
  if (!isSubject) return undefined
  const found = await db.one<{ reason: string }>(sql`
    select reason
    from visitor_block t
    where t.owner_id = ${ownerId}
      and t.project_code = ${projectCode}
      and ${notDeleted('t')}
      and ${isSubject}
      and (t.expire_date is null or t.expire_date >= ${today}::date)
    limit 1
  `)
  return found?.reason
}

/**
 * Why somebody is turned away as a visitor today: by the visitors' black list or that of the residents
 * (VIS-4, BASE-15). The reason, or nothing.
 */
export async function findBlock(
  db: Db,
  ownerId: Id,
  projectCode: string,
  subject: BlockSubject,
  today: Day,
): Promise<string | undefined> {
  const found = await findVisitorBlock(db, ownerId, projectCode, subject, today)
  if (found !== undefined) return found
  const { mobile, certNo } = subject
  return findBlockReason(db, ownerId, projectCode, 'visit', { mobile, certNo }, today)
}

/** Who of some is on a black list, by field. The reason is for staff alone: hosts do not read it. */
export async function blockFaults(
  db: Db,
  ownerId: Id,
  projectCode: string,
  subjects: readonly BlockSubject[],
  today: Day,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = []
  for (const [i, subject] of subjects.entries()) {
    if ((await findBlock(db, ownerId, projectCode, subject, today)) !== undefined) {
      const Message = `访客「${subject.visitorName}」在本项目的黑名单中，不能来访；如有疑问请联系物业`
      faults.push({ Field: `Visitors[${i}].VisitorName`, Message })
    }
  }
  return faults
}

/** Refuses at the first who is on a black list. */
export async function assertNotBlocked(...asked: Parameters<typeof blockFaults>): Promise<void> {
  const [fault] = await blockFaults(...asked)
  if (fault) refuse(fault.Message)
}
