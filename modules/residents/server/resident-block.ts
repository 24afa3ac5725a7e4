import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { insert, findPage, remove, findAll, update } from '#kit/server/table.ts'
import { notDeleted, flagFilter } from '#kit/server/sql.ts'
import {
  addResidentBlock,
  deleteResidentBlocks,
  listResidentBlocks,
  residentBlock,
  updateResidentBlock,
} from '../contract/block.ts'
import { blockScope } from '../contract/labels.ts'
import { normalizeCertNo, personFaults } from '../domain/person.ts'
import { requireResident } from './resident-access.ts'

uniqueMessages({ user_blocklist_user: '该住户已在本项目的黑名单中，请直接修改' })

const assertNotExpired = (day: Day | undefined, today: Day): void => {
  if (day && day < today) throw invalidInput([{ Field: 'ExpireDate', Message: '到期日不能早于今天' }])
}

export interface BlockSubject {
  readonly userId?: Id | undefined
  readonly mobile?: string | undefined
  readonly certNo?: string | undefined
}

/**
 * Why somebody may not visit, get a key or book in a project today (BASE-15): the reason, or nothing. By the
 * resident, else by phone or document.
 */
export async function findBlockReason(
  db: Db,
  ownerId: Id,
  /** Any project of the company without it. */
  project: string | undefined,
  restriction: keyof typeof blockScope.rows,
  subject: BlockSubject,
  today: Day,
): Promise<string | undefined> {
  const matches = [
    ...(subject.userId ? [sql`user_id = ${subject.userId}`] : []),
    ...(subject.mobile ? [sql`mobile = ${subject.mobile}`] : []),
    ...(subject.certNo ? [sql`cert_no = ${normalizeCertNo(subject.certNo)}`] : []),
  ]
  if (!matches.length) return undefined
  return (
    await db.one<{
      reason: string
    }>(sql`
      select reason
      from user_blocklist
      where owner_id = ${ownerId}
        ${project === undefined ? sql`` : sql`and project_code = ${project}`}
        and ${notDeleted()}
        and (${sql.join(matches, sql` or `)})
        and ${String(codeOf(blockScope, restriction))} = any(scope)
        and (expire_date is null or expire_date >= ${today})
      limit 1
    `)
  )?.reason
}

export const blockHandlers = [
  reads(listResidentBlocks, async ({ userId, onlyCurrent, ...query }, { db, scope, today }) => {
    const found = await findPage(db, residentBlock, scope, query, {
      filters: defined(listResidentBlocks.input.filters),
      where: [
        ...(userId === undefined ? [] : [sql`t.user_id = ${userId}`]),
        ...flagFilter(onlyCurrent, sql`(t.expire_date is null or t.expire_date >= ${today})`),
      ],
    })
    return found
  }),
  writes(addResidentBlock, async ({ id: _id, version: _version, ...draft }, { tx, scope, today }) => {
    assertNotExpired(draft.expireDate, today)
    const person = draft.userId ? await requireResident(tx, scope, draft.userId) : undefined
    const subject = person
      ? { name: person.name, mobile: person.mobile, certNo: person.certNo }
      : { name: draft.name, mobile: draft.mobile, certNo: draft.certNo && normalizeCertNo(draft.certNo) }
    if (!person) {
      const faults = personFaults({ mobile: subject.mobile }, today)
      if (faults.length) throw invalidInput(faults)
      if (!subject.mobile && !subject.certNo)
        throw invalidInput([{ Field: 'Mobile', Message: '非住户请填写手机号或证件号，否则无法识别' }])
    }
    return insert(tx, residentBlock, scope, { ...draft, ...subject })
  }),
  writes(deleteResidentBlocks, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, residentBlock, scope, ids, reason)
  }),
  writes(
    updateResidentBlock,
    async (
      { userId, projectCode, isBlock, scope: restrictions, reason, expireDate },
      { tx, scope, today },
    ) => {
      assertNotExpired(expireDate, today)
      const person = await requireResident(tx, scope, userId, { lock: true })
      const [existing] = await findAll(
        tx,
        residentBlock,
        scope,
        { projectCode },
        { where: [sql`t.user_id = ${userId}`] },
      )
      if (!isBlock) {
        if (!existing) return refuse(`「${person.name}」不在本项目的黑名单中`)
        await remove(tx, residentBlock, scope, [existing.id], reason)
        return
      }
      const values = {
        scope: restrictions?.length ? restrictions : (existing?.scope ?? ['visit', 'access', 'booking']),
        reason,
        expireDate,
      }
      if (existing) {
        await update(tx, residentBlock, scope, existing.id, values)
      } else {
        await insert(tx, residentBlock, scope, {
          projectCode,
          userId,
          name: person.name,
          mobile: person.mobile,
          certNo: person.certNo,
          ...values,
        })
      }
    },
  ),
]
