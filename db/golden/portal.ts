import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, fromInstant, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import {
  portalImageText,
  portalProject,
  portalService,
  portalWebsite,
} from '#modules/portal/contract/entry.ts'
import { internalNotice } from '#modules/portal/contract/notice.ts'
import { internalNoticeReceiver } from '#modules/portal/contract/receiver.ts'
import { finalReceipt } from '#modules/portal/domain/notice.ts'
import { resolveAudience } from '#modules/portal/server/public.ts'
import { staff } from '#modules/staff/contract/staff.ts'
import {
  portalImageTexts,
  portalNotices,
  portalProjects,
  portalServices,
  portalWebsites,
  type PlannedNotice,
} from './portal-texts.ts'

/** What the portal shows of itself: sites, services, projects, image texts. */
export async function seedPortalEntries(tx: Tx, scope: Scope): Promise<void> {
  for (const [entity, planned] of [
    [portalWebsite, portalWebsites],
    [portalService, portalServices],
    [portalProject, portalProjects],
    [portalImageText, portalImageTexts],
  ] as const) {
    await insertAll(
      tx,
      entity,
      scope,
      planned.map((entry, i) => ({ topSort: 0, state: 'on', ...entry, sort: i + 1 })),
    )
  }
}

const departmentIdsByName = async (db: Db, ownerId: Id): Promise<ReadonlyMap<string, Id>> => {
  const rows = await db.rows<{ id: Id; name: string }>(
    sql`select id, name from department where owner_id = ${ownerId} and delete_tag = 0`,
  )
  return new Map(rows.map(row => [row.name, row.id]))
}

interface AccountHolder {
  readonly login: string
  readonly department: string
  readonly position: string
}

/** The holders of some accounts as staff of their departments: notices find them there. */
export async function seedAccountHolders(
  tx: Tx,
  scope: Scope,
  holders: readonly AccountHolder[],
): Promise<void> {
  const departments = await departmentIdsByName(tx, scope.ownerId)
  const accounts = await tx.rows<{ id: Id; login: string; name: string }>(sql`
    select id, login_code as login, real_name as name
    from manager
    where owner_id = ${scope.ownerId} and login_code = any(${holders.map(h => h.login)})
  `)
  const ids = await insertAll(
    tx,
    staff,
    scope,
    holders.map(({ login, department, position }, i) => {
      const account = defined(accounts.find(each => each.login === login))
      return {
        name: account.name,
        staffNo: `Z${String(i + 1).padStart(4, '0')}`,
        gender: 'unknown' as const,
        departmentId: defined(departments.get(department)),
        position,
        entryDate: '2024-03-01' as const,
        managerId: account.id,
        isTicketSeller: false,
        state: 'active' as const,
      }
    }),
  )
  const names = holders.map(({ login }) => defined(accounts.find(each => each.login === login)).name)
  await tx.execute(sql`
    update staff t
    set search_text = x.search
    from unnest(${ids}::bigint[], ${names.map(name => buildSearchText([name]))}::text[]) as x(id, search)
    where t.owner_id = ${scope.ownerId} and t.id = x.id
  `)
}

/** Whether a receiver has read a notice; most have. */
function receiptOf(notice: PlannedNotice, position: number, publishTime: Moment) {
  if (notice.unreadEvery && position % notice.unreadEvery === 1) return { receipt: 'unread' as const }
  const receipt = finalReceipt(notice.isImportant)
  const readTime = addMinutes(publishTime, 20 + position * 7)
  return { receipt, readTime, ...(notice.isImportant ? { confirmTime: addMinutes(readTime, 2) } : {}) }
}

async function seedNotice(tx: Tx, scope: Scope, notice: PlannedNotice, now: Moment): Promise<void> {
  const departments = await departmentIdsByName(tx, scope.ownerId)
  const { title, content, audience, isImportant, daysAgo, withdrawReason } = notice
  const departmentIds = notice.departments?.map(name => String(defined(departments.get(name))))
  const publishTime =
    daysAgo === undefined ? undefined : addMinutes(startOfDay(dayOfMoment(now)), 570 - daysAgo * 1440)
  const { id } = await insert(tx, internalNotice, scope, {
    title,
    content,
    audience,
    departmentIds,
    isImportant,
    state: publishTime === undefined ? 'draft' : withdrawReason ? 'withdrawn' : 'published',
    ...(publishTime ? { publishTime, publisherName: scope.name } : {}),
    ...(publishTime && withdrawReason ? { withdrawTime: addMinutes(publishTime, 95), withdrawReason } : {}),
  })
  if (!publishTime) return
  const { readers } = await resolveAudience(tx, scope, { audience, departmentIds })
  await insertAll(
    tx,
    internalNoticeReceiver,
    scope,
    readers.map(({ managerId, departmentId }, i) => ({
      noticeId: id,
      managerId,
      departmentId,
      // The publisher has read it.
      ...receiptOf(notice, managerId === scope.operatorId ? 0 : i, publishTime),
    })),
  )
}

/** Notices in all states, with who has read them; nothing that would ring at a first start. */
export async function seedNotices(tx: Tx, scope: Scope, nowMs: number): Promise<void> {
  for (const notice of portalNotices) {
    await seedNotice(tx, scope, notice, fromInstant(nowMs))
  }
}
