import { wrong } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, need, page, remove } from '#kit/server/table.ts'
import type { World } from '#kit/server/world.ts'
import {
  addNotice,
  deleteNotices,
  listNotices,
  newNotices,
  systemNotice,
  type SystemNotice,
} from '../contract/announcement.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { noticeLevel, receiverKind } from '../contract/message.ts'
import { noticeKind, notify } from './notify.ts'

const announced = noticeKind({ key: 'system.announce', label: '系统公告', group: 'system', fixed: true })
const managers = Number(codeOf(receiverKind, 'manager'))

async function dressed(
  db: Db,
  scope: Scope,
  list: readonly SystemNotice[],
): Promise<readonly SystemNotice[]> {
  if (!list.length) return list
  const rows = await db.rows<{
    id: number
    told: number
    seen: number
    waiting: boolean
  }>(sql`
    select s.id, s.run_waits as waiting, count(n.id)::int as told, count(n.read_time)::int as seen
    from system_notice s
    left join notification n on n.owner_id = s.owner_id
      and n.kind = ${announced.key}
      and n.biz_id = s.id
      and n.delete_tag = 0
    where s.owner_id = ${scope.ownerId} and s.id = any(${list.map(x => x.id)}::bigint[])
    group by s.id, s.run_waits
  `)
  const beside = new Map(rows.map(({ id, ...r }) => [id, r]))
  return list.map(x => ({ ...x, ...beside.get(x.id) }))
}

interface Due {
  readonly ownerId: number
  readonly id: number
  readonly title: string
  readonly content: string
  readonly level: number
  readonly createBy: number
}

const tell = async (tx: Tx, world: World, d: Due): Promise<void> => {
  await notify(tx, world, d.ownerId, {
    kind: announced,
    to: 'all',
    title: d.title,
    text: d.content,
    bizId: d.id,
    level: keyOf(noticeLevel, d.level)!,
  })
}

/** Tells everybody of what is due; each announcement is taken by one process only. */
async function release(tx: Tx, world: World, owner?: number): Promise<void> {
  const due = await tx.rows<Due>(
    sql`
      update system_notice s
      set run_waits = false
      where run_waits
        and delete_tag = 0
        and start_time <= ${new Date(world.clock())} ${owner === undefined ? sql`` : sql`and owner_id = ${owner}`}
      returning owner_id, id, title, content, level, create_by
    `,
  )
  for (const d of due) {
    await tell(tx, world, d)
  }
}

export const releaseDue = (world: World): Promise<void> => world.store.tx('*', tx => release(tx, world))

export const announcementHandlers = [
  reads(listNotices, async (q, { db, scope }) => {
    const found = await page(db, systemNotice, scope, q, { filters: listNotices.input.filters! })
    return { ...found, rows: await dressed(db, scope, found.rows) }
  }),
  reads(newNotices, (_, { db, scope, world }) =>
    db
      .rows(sql<never>`
        select s.id, s.title, s.content, s.level, s.start_time, n.id as message_id
        from notification n
        join system_notice s on s.owner_id = n.owner_id and s.id = n.biz_id and s.delete_tag = 0
        where n.owner_id = ${scope.ownerId}
          and n.receiver_kind = ${managers}
          and n.receiver_id = ${scope.operatorId}
          and n.delete_tag = 0
          and n.read_time is null
          and n.kind = ${announced.key}
          and (s.end_time is null or s.end_time > ${new Date(world.clock())})
        order by s.level desc, s.id desc
        limit 20
      `)
      .then(rows => rows.map((r: any) => ({ ...r, level: keyOf(noticeLevel, r.level)! }))),
  ),
  writes(addNotice, async ({ id: _, version: __, ...draft }, { tx, scope, world, now }) => {
    if (draft.endTime !== undefined && draft.endTime <= (draft.startTime > now ? draft.startTime : now))
      throw wrong([{ Field: 'EndTime', Message: '结束时间应晚于开始时间和现在' }])
    const made = await insert(tx, systemNotice, scope, draft)
    await release(tx, world, scope.ownerId)
    return (await dressed(tx, scope, [await need(tx, systemNotice, scope, made.id)]))[0]!
  }),
  writes(deleteNotices, async ({ ids, reason }, { tx, scope, world }) => {
    await remove(tx, systemNotice, scope, ids, reason)
    await tx.run(
      sql`
        update notification
        set delete_tag = 1, run_ring = null, update_time = now(), update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId}
          and kind = ${announced.key}
          and biz_id = any(${ids.map(Number)}::bigint[])
          and delete_tag = 0
      `,
    )
    world.live.tellIn(tx, scope.ownerId, 'all', 'notice', { kind: 'read' })
  }),
]
