import type { Id } from '#kit/domain/id.ts'
import type { Permission } from '#kit/contract/call.ts'
import type { ChoiceOf, Moment } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import type { App } from '#kit/server/app.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { isMailAvailable } from '#kit/server/mail.ts'
import { mailState, notificationGroup, notificationLevel, receiverKind } from '../contract/notification.ts'
import { calculateRingTime } from '../domain/quiet-hours.ts'

/**
 * A kind of message. `mandatory` ones concern the safety of an account: nobody can switch them off, and they
 * ring at any hour.
 */
export interface NotificationKind {
  readonly key: string
  readonly label: string
  readonly group: ChoiceOf<typeof notificationGroup>
  readonly level?: ChoiceOf<typeof notificationLevel>
  readonly mandatory?: boolean
  /** The entity of the record that `bizId` names: with the record of a person its messages are treated. */
  readonly entity?: string
}

const registeredKinds = new Map<string, NotificationKind>()

/**
 * A module registers the kinds of message that it sends here, once each, while it is loaded: `const dueKind =
 * defineNotificationKind({ key: 'fees.due', label: '账单到期', group: 'notice' })`.
 */
export function defineNotificationKind(kind: NotificationKind): NotificationKind {
  if (registeredKinds.has(kind.key)) throw new Error(`two kinds of message have the key ${kind.key}`)
  registeredKinds.set(kind.key, kind)
  return kind
}

export const listNotificationKinds = (): readonly NotificationKind[] => [...registeredKinds.values()]
export const findNotificationKind = (key: string): NotificationKind | undefined => registeredKinds.get(key)

/**
 * Some operators, all active accounts, or those with a permission (whose data domain has the project, where
 * one is named) with some others beside them; nobody twice.
 */
export type NotificationReceivers =
  | readonly Id[]
  | 'all'
  | {
      readonly permission: Permission
      readonly project?: string | undefined
      readonly others?: readonly Id[]
    }

export interface NotificationRequest {
  readonly kind: NotificationKind
  readonly to: NotificationReceivers
  /** The operator who did it: nobody is notified of their own action. */
  readonly exceptOperatorId?: Id | undefined
  /** Cut at 80 and 500 characters. */
  readonly title: string
  readonly text?: string | undefined
  /**
   * What opening it shows: the path of a screen, or `tasks` for the task centre. Without one the message
   * itself.
   */
  readonly link?: string | undefined
  readonly bizId?: Id | undefined
  readonly project?: string | undefined
  readonly level?: NotificationKind['level']
}

/** The active accounts of a company, or those of them with a permission; the accounts module knows. */
export type PermissionHolderLookup = (
  tx: Tx,
  ownerId: Id,
  permission: Permission | undefined,
  project: string | undefined,
) => Promise<readonly Id[]>

let findPermissionHolders: PermissionHolderLookup = () =>
  Promise.reject(new Error('no lookup of permission holders is registered'))

export const setPermissionHolderLookup = (lookup: PermissionHolderLookup): void => {
  findPermissionHolders = lookup
}

/** At most so many characters, the last one `…` where some were cut off. */
const truncate = (text: string, maxCharacters: number): string => {
  const characters = [...text]
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`
}

async function resolveReceivers(tx: Tx, ownerId: Id, notice: NotificationRequest): Promise<Id[]> {
  const receivers = notice.to
  const ids =
    receivers === 'all'
      ? await findPermissionHolders(tx, ownerId, undefined, undefined)
      : 'permission' in receivers
        ? [
            ...(receivers.others ?? []),
            ...(await findPermissionHolders(tx, ownerId, receivers.permission, receivers.project)),
          ]
        : receivers
  return [...new Set(ids)].filter(id => id !== notice.exceptOperatorId && id > 0)
}

interface ReceiverSetting {
  readonly operatorId: Id
  readonly off: string[]
  readonly mailed: string[]
  readonly quietFrom?: string
  readonly quietTo?: string
}

async function loadSettings(
  tx: Tx,
  ownerId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, ReceiverSetting>> {
  const rows = await tx.rows<ReceiverSetting>(
    sql`
      select operator_id, off, mailed, quiet_from, quiet_to
      from notification_setting
      where owner_id = ${ownerId} and operator_id = any(${ids}::bigint[])
    `,
  )
  return new Map(rows.map(row => [row.operatorId, row]))
}

const ringTimeOf = (kind: NotificationKind, setting: ReceiverSetting | undefined, now: Moment): Moment =>
  kind.mandatory || !setting?.quietFrom || !setting.quietTo
    ? now
    : calculateRingTime(now, { from: setting.quietFrom, to: setting.quietTo })

interface Delivery {
  readonly id: Id
  readonly ringTime: Moment
  readonly isMailed: boolean
}

async function insertNotifications(
  tx: Tx,
  ownerId: Id,
  notice: NotificationRequest,
  deliveries: readonly Delivery[],
  nowMs: number,
): Promise<void> {
  const now = fromInstant(nowMs)
  await tx.execute(sql`
    insert into notification (
      owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body, link, biz_id,
      project_code, create_time, run_ring, mail_state, run_mail
    )
    select ${ownerId}, r.id, ${code(receiverKind, 'manager')}, ${code(notificationGroup, notice.kind.group)},
      ${notice.kind.key}, ${code(notificationLevel, notice.level ?? notice.kind.level ?? 'normal')},
      ${truncate(notice.title, 80)}, ${notice.text === undefined ? null : truncate(notice.text, 500)},
      ${notice.link ?? null}, ${notice.bizId ?? null}::bigint, ${notice.project ?? null}, ${new Date(nowMs)},
      case when r.ring > ${now} then (r.ring || '+08')::timestamptz end,
      case when r.mailed then ${code(mailState, 'queued')} end,
      case when r.mailed then (r.ring || '+08')::timestamptz end
    from unnest(
      ${deliveries.map(d => d.id)}::bigint[], ${deliveries.map(d => d.ringTime)}::text[],
      ${deliveries.map(d => d.isMailed)}::boolean[]
    ) as r(id, ring, mailed)
    returning id
  `)
}

/**
 * Writes a message for each receiver who wants the kind, in the caller's transaction, and rings their bells
 * after the commit, or when their quiet hours end. Two statements whatever the number of receivers. Returns
 * how many there are.
 */
export async function notify(
  tx: Tx,
  app: Pick<App, 'clock' | 'live'>,
  ownerId: Id,
  notice: NotificationRequest,
): Promise<number> {
  const candidates = await resolveReceivers(tx, ownerId, notice)
  if (!candidates.length) return 0
  const settings = await loadSettings(tx, ownerId, candidates)
  const receivers = candidates.filter(
    id => notice.kind.mandatory || !settings.get(id)?.off.includes(notice.kind.key),
  )
  if (!receivers.length) return 0
  const now = fromInstant(app.clock())
  const canMail = isMailAvailable()
  const deliveries = receivers.map(id => ({
    id,
    ringTime: ringTimeOf(notice.kind, settings.get(id), now),
    isMailed: canMail && (settings.get(id)?.mailed.includes(notice.kind.key) ?? false),
  }))
  await insertNotifications(tx, ownerId, notice, deliveries, app.clock())
  const ringNow = deliveries.filter(delivery => delivery.ringTime <= now).map(delivery => delivery.id)
  app.live.publishOnCommit(tx, ownerId, ringNow, 'notice', {
    kind: notice.kind.key,
    ...(notice.bizId === undefined ? {} : { id: notice.bizId }),
  })
  return receivers.length
}

type NoticeSender = readonly [tx: Tx, app: Pick<App, 'live'>, scope: Scope]

/** Takes back the messages about some records: nobody sees them any more. */
export async function retractNotifications(
  ...[[tx, app, scope], kind, bizIds]: [NoticeSender, NotificationKind, readonly Id[]]
): Promise<void> {
  await tx.execute(sql`
    update notification
    set delete_tag = 1, run_ring = null, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and kind = ${kind.key}
      and biz_id = any(${[...bizIds]}::bigint[])
      and ${notDeleted()}
  `)
  app.live.publishOnCommit(tx, scope.ownerId, 'all', 'notice', { kind: 'read' })
}

/** The caller has read the record itself: the messages about it are read as well. */
export async function markNotificationsOfRead(
  ...[[tx, app, scope], kind, bizId]: [NoticeSender, NotificationKind, Id]
): Promise<void> {
  const changed = await tx.execute(sql`
    update notification
    set read_time = ${scope.time}::timestamptz, run_ring = null, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and receiver_kind = ${code(receiverKind, 'manager')}
      and receiver_id = ${scope.operatorId}
      and kind = ${kind.key}
      and biz_id = ${bizId}
      and read_time is null
      and ${notDeleted()}
  `)
  if (changed) {
    app.live.publishOnCommit(tx, scope.ownerId, [scope.operatorId], 'notice', { kind: 'read' })
  }
}

/** Rings for what came in quiet hours that are over. Once a minute. */
export async function ringAfterQuietHours(app: App): Promise<void> {
  const now = new Date(app.clock())
  await forEachDueCompany(
    app.database,
    sql`select distinct owner_id from notification where run_ring <= ${now} and ${notDeleted()}`,
    async (tx, ownerId) => {
      const rung = await tx.rows<{ receiverId: Id }>(sql`
        update notification
        set run_ring = null
        where owner_id = ${ownerId} and run_ring <= ${now} and ${notDeleted()}
        returning receiver_id
      `)
      // Another server has announced this company since.
      if (!rung.length) return
      const receivers = [...new Set(rung.map(row => row.receiverId))]
      app.live.publishOnCommit(tx, ownerId, receivers, 'notice', { kind: 'late' })
    },
  )
}

const retentionDays = 180

export async function deleteOldNotifications(app: App): Promise<void> {
  const limit = new Date(app.clock() - retentionDays * 86_400_000)
  await forEachDueCompany(
    app.database,
    sql`select distinct owner_id from notification where create_time < ${limit}`,
    (tx, ownerId) =>
      tx.execute(sql`delete from notification where owner_id = ${ownerId} and create_time < ${limit}`),
  )
}
