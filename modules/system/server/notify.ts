import type { Permission } from '#kit/contract/call.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { notificationGroup, notificationLevel, receiverKind } from '../contract/notification.ts'
import { calculateRingTime } from '../domain/quiet-hours.ts'

/**
 * A kind of message. `fixed` ones concern the safety of an account: nobody can switch them off, and they ring
 * at any hour.
 */
export interface NotificationKind {
  readonly key: string
  readonly label: string
  readonly group: ChoiceOf<typeof notificationGroup>
  readonly level?: ChoiceOf<typeof notificationLevel>
  readonly fixed?: boolean
}

const registeredKinds = new Map<string, NotificationKind>()

/**
 * A module that has something to tell says so here, once, as it is loaded: `const due = noticeKind({ key:
 * 'fees.due', label: '账单到期', group: 'notice' })`.
 */
export function defineNotificationKind(k: NotificationKind): NotificationKind {
  if (registeredKinds.has(k.key)) throw new Error(`Two kinds of message are called ${k.key}`)
  registeredKinds.set(k.key, k)
  return k
}

export const listNotificationKinds = (): readonly NotificationKind[] => [...registeredKinds.values()]
export const findNotificationKind = (key: string): NotificationKind | undefined => registeredKinds.get(key)

/**
 * To whom: some operators, everybody who may sign in, or whoever has a right (in a project, where one is
 * named).
 */
export type NotificationReceivers =
  | readonly number[]
  | 'all'
  | { readonly may: Permission; readonly project?: string | undefined }

export interface NotificationRequest {
  readonly kind: NotificationKind
  readonly to: NotificationReceivers
  /** Nobody is told of what he did himself. */
  readonly exceptOperatorId?: number | undefined
  /** Cut at 80 and 500 characters. */
  readonly title: string
  readonly text?: string | undefined
  /**
   * Where opening it leads: a path of a screen, or `tasks` for the task centre. Without one the message
   * itself is shown.
   */
  readonly link?: string | undefined
  readonly bizId?: number | undefined
  readonly project?: string | undefined
  readonly level?: NotificationKind['level']
}

/** Who may sign in to a company, and who of them may do something; the accounts module knows. */
export type PermissionHolderLookup = (
  tx: Tx,
  owner: number,
  may: Permission | undefined,
  project: string | undefined,
) => Promise<readonly number[]>

let findPermissionHolders: PermissionHolderLookup = () =>
  Promise.reject(new Error('nobody has said who holds rights'))

export const setPermissionHolderLookup = (h: PermissionHolderLookup): void => {
  findPermissionHolders = h
}

const truncate = (text: string, most: number): string => {
  const all = [...text]
  return all.length <= most ? text : `${all.slice(0, most - 1).join('')}…`
}

const numericCode = (of: Parameters<typeof codeOf>[0], key: string): number => Number(codeOf(of, key))

/**
 * Writes a message for each receiver who wants the kind, in the caller's transaction, and rings their bells
 * after the commit, or as their quiet hours end. Two statements whatever the number of receivers. Answers how
 * many are told.
 */
export async function notify(
  tx: Tx,
  app: Pick<App, 'clock' | 'live'>,
  owner: number,
  n: NotificationRequest,
): Promise<number> {
  const asked =
    n.to === 'all'
      ? await findPermissionHolders(tx, owner, undefined, undefined)
      : 'may' in n.to
        ? await findPermissionHolders(tx, owner, n.to.may, n.to.project)
        : n.to
  const ids = [...new Set(asked)].filter(id => id !== n.exceptOperatorId && id > 0)
  if (!ids.length) return 0
  const now = fromInstant(app.clock())
  const own = new Map(
    (
      await tx.rows<{ operatorId: number; off: string[]; quietFrom?: string; quietTo?: string }>(
        sql`
          select operator_id, off, quiet_from, quiet_to
          from notification_setting
          where owner_id = ${owner} and operator_id = any(${ids}::bigint[])
        `,
      )
    ).map(s => [s.operatorId, s]),
  )
  const told = ids.filter(id => n.kind.fixed || !own.get(id)?.off.includes(n.kind.key))
  const rings = told.map(id => {
    const s = own.get(id)
    return n.kind.fixed || !s?.quietFrom || !s.quietTo
      ? now
      : calculateRingTime(now, { from: s.quietFrom, to: s.quietTo })
  })
  if (!told.length) return 0
  await tx.execute(sql`
    insert into notification (
      owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body, link, biz_id,
      project_code, create_time, run_ring
    )
    select ${owner}, r.id, ${numericCode(receiverKind, 'manager')}, ${numericCode(notificationGroup, n.kind.group)},
      ${n.kind.key}, ${numericCode(notificationLevel, n.level ?? n.kind.level ?? 'normal')}, ${truncate(n.title, 80)},
      ${n.text === undefined ? null : truncate(n.text, 500)}, ${n.link ?? null}, ${n.bizId ?? null}::bigint,
      ${n.project ?? null}, ${new Date(app.clock())},
      case when r.ring > ${now} then (r.ring || '+08')::timestamptz end
    from unnest(${told}::bigint[], ${rings}::text[]) as r(id, ring)
  `)
  const at = told.filter((_, i) => rings[i]! <= now)
  app.live.publishOnCommit(tx, owner, at, 'notice', {
    kind: n.kind.key,
    ...(n.bizId === undefined ? {} : { id: n.bizId }),
  })
  return told.length
}

/** Rings for what came in quiet hours that are over. Once a minute. */
export async function ringAfterQuietHours(app: App): Promise<void> {
  const isDue = sql`run_ring <= ${new Date(app.clock())} and ${live()}`
  await forEachDueCompany(
    app.database,
    sql`select distinct owner_id from notification where ${isDue}`,
    async (tx, ownerId) => {
      const due = await tx.rows<{ receiverId: number }>(
        sql`
          update notification
          set run_ring = null
          where owner_id = ${ownerId} and ${isDue}
          returning receiver_id
        `,
      )
      const receivers = [...new Set(due.map(row => row.receiverId))]
      // Another server may have rung for them in the meantime.
      if (receivers.length) {
        tx.onCommit(() => app.live.publish(ownerId, receivers, 'notice', { kind: 'late' }))
      }
    },
  )
}
