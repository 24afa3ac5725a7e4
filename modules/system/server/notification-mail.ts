import type { Id } from '#kit/domain/id.ts'
import { fromInstant, addMinutes } from '#kit/domain/moment.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { isMailAvailable, MailFault, mailerOf } from '#kit/server/mail.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { mailState } from '../contract/notification.ts'

/** The verified e-mail addresses of accounts in use; the accounts module knows. */
export type MailAddressLookup = (
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  ids: readonly Id[],
) => Promise<ReadonlyMap<Id, string>>

let findAddresses: MailAddressLookup = () => Promise.reject(new Error('no lookup of addresses is registered'))

export const setMailAddressLookup = (lookup: MailAddressLookup): void => {
  findAddresses = lookup
}

export const findMailAddresses: MailAddressLookup = (db, ownerId, ids) => findAddresses(db, ownerId, ids)

/** After so many minutes each it is tried again; then it is given up. */
const retryMinutes = [1, 5, 30, 120, 360] as const
/** What the mail server itself is the cause of waits until it is mended, three days at most. */
const serverRetryMinutes = [1, 5, 15, 30, ...Array<number>(71).fill(60)]
/** Longer than a batch takes whose every message runs into its time limit. */
const leaseMinutes = 15
const batchSize = 20

interface DueMail {
  readonly id: Id
  readonly receiverId: Id
  readonly title: string
  readonly body?: string
  readonly attempts: number
}

/** Takes the next due messages for this process; their time comes again if it dies before it is done. */
const claimMails = (app: App, ownerId: Id): Promise<DueMail[]> => {
  const now = fromInstant(app.clock())
  return app.database.tx(ownerId, tx =>
    tx.rows<DueMail>(sql`
      update notification n
      set run_mail = ${addMinutes(now, leaseMinutes)}::timestamptz,
        run_mail_attempts = n.run_mail_attempts + 1
      where n.owner_id = ${ownerId}
        and n.id = any(array(
          select q.id
          from notification q
          where q.owner_id = ${ownerId} and q.run_mail <= ${now}::timestamptz and ${notDeleted('q')}
          order by q.run_mail, q.id
          limit ${batchSize}
          for update skip locked
        ))
      returning n.id, n.receiver_id, n.title, n.body, n.run_mail_attempts as attempts
    `),
  )
}

interface MailOutcome {
  readonly state: 'sent' | 'queued' | 'failed'
  readonly error?: string
  readonly retryAfter?: number
  /** No other message would get out now. */
  readonly isServerFault?: boolean
}

async function sendOne(app: App, mail: DueMail, to: string | undefined): Promise<MailOutcome> {
  if (to === undefined) return { state: 'failed', error: '账号已停用，或未绑定邮箱' }
  try {
    const text = `${mail.body ?? mail.title}\n\n请登录系统，在「消息」中查看。`
    await mailerOf(app).send({ to, subject: mail.title, text })
    return { state: 'sent' }
  } catch (e) {
    const error = toError(e).message.slice(0, 100)
    const kind = e instanceof MailFault ? e.kind : 'later'
    if (kind === 'address' || kind === 'refused') return { state: 'failed', error }
    const isServerFault = kind === 'server'
    const retryAfter = (isServerFault ? serverRetryMinutes : retryMinutes)[mail.attempts - 1]
    return retryAfter === undefined
      ? { state: 'failed', error, isServerFault }
      : { state: 'queued', error, retryAfter, isServerFault }
  }
}

/** What became of a message; nothing where another process has taken it since. */
const saveOutcome = (app: App, ownerId: Id, mail: DueMail, outcome: MailOutcome): Promise<number> => {
  const now = fromInstant(app.clock())
  const next = outcome.retryAfter === undefined ? null : addMinutes(now, outcome.retryAfter)
  return app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update notification
      set mail_state = ${code(mailState, outcome.state)}, mail_error = ${outcome.error ?? null},
        mail_time = ${now}::timestamptz, run_mail = ${next}::timestamptz
      where owner_id = ${ownerId} and id = ${mail.id} and run_mail_attempts = ${mail.attempts}
    `),
  )
}

/** Ends where the mail server is at fault: the rest of the claimed wait as the one that met with it does. */
async function sendMailsOf(app: App, ownerId: Id, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const claimed = await claimMails(app, ownerId)
    if (!claimed.length) return
    const receivers = [...new Set(claimed.map(mail => mail.receiverId))]
    const addresses = await findAddresses(app.database.reader(ownerId), ownerId, receivers)
    let fault: MailOutcome | undefined
    for (const mail of claimed) {
      const to = addresses.get(mail.receiverId)
      const outcome = to !== undefined && fault ? fault : await sendOne(app, mail, to)
      fault ??= outcome.isServerFault ? outcome : undefined
      await saveOutcome(app, ownerId, mail, outcome)
    }
    if (fault) return
  }
}

/** Sends the messages whose receivers want their kind by e-mail, after quiet hours. Once a minute. */
export async function sendDueMails(app: App, signal?: AbortSignal): Promise<void> {
  if (!isMailAvailable()) return
  const now = new Date(app.clock())
  const due = await listDueCompanies(
    app.database,
    sql`select distinct owner_id from notification where run_mail <= ${now} and ${notDeleted()}`,
  )
  await forEachCompany(due, ownerId => sendMailsOf(app, ownerId, signal), signal)
}
