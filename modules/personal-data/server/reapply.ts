import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { lockCompanyWrites } from '#kit/server/company-lock.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { requestState } from '../contract/choices.ts'
import { erasureRequest } from '../contract/erasure.ts'
import { isTelephone, personCode } from '../domain/identifiers.ts'
import { findBlockers } from './blockers.ts'
import { carryOut } from './carry-out.ts'
import { toConfirmedRows } from './confirmed-rows.ts'
import { readPlaces } from './contact-places.ts'
import { copyJournal } from './journal-copy.ts'
import { journalFileIn, readJournalFile } from './journal-file.ts'
import { installationOf, readRecords, readStoredEntries, type JournalEntry } from './journal.ts'
import { requireKnownPerson } from './known-person.ts'
import { contactKind, lockRecords, toErase, type PersonKey } from './person.ts'

/** What became of the erasures that a restored database did not have. */
export interface Reapplied {
  readonly erased: number
  /** The records were made after the backup: there was nothing to erase. */
  readonly absent: number
  /** Of another installation. */
  readonly foreign: number
  /** What is still open of somebody who was erased, by the name that stands there now. */
  readonly open: readonly string[]
}

/** The records of the person that the database has, and that are the same. */
async function presentRecords(tx: Tx, { ownerId, records }: JournalEntry): Promise<PersonKey[]> {
  const present = await readRecords(tx, ownerId, records)
  const isSame = ({ entity, id, createTime }: (typeof present)[number]): boolean =>
    records.some(each => each.entity === entity && each.id === id && each.createTime === createTime)
  const keys: PersonKey[] = []
  for (const { entity, id } of present.filter(isSame)) {
    keys.push({ entity, id })
  }
  return keys
}

/** Somebody whom no entity records: the telephone stands where it stood, or in the request. */
async function contactKeys(tx: Tx, entry: JournalEntry, request?: RestoredRequest): Promise<PersonKey[]> {
  const { ownerId } = entry
  const mobiles = request?.personMobile
    ? [request.personMobile]
    : (await readPlaces(tx, ownerId, entry.mobilePlaces)).filter(isTelephone)
  const names = request ? [request.personName] : await readPlaces(tx, ownerId, entry.namePlaces)
  return mobiles.map(mobile => ({ entity: contactKind, id: 0, mobile, name: names[0] }))
}

interface RestoredRequest {
  readonly id: Id
  readonly personName: string
  readonly personMobile?: string
}

/** The request as the backup has it. */
async function findRequest(tx: Tx, { ownerId, request }: JournalEntry): Promise<RestoredRequest | undefined> {
  const [found] = await readRecords(tx, ownerId, [{ entity: 'erasureRequest', id: request.id }])
  if (found?.createTime !== request.createTime) return undefined
  return tx.one<RestoredRequest>(sql`
    select id, person_name, person_mobile
    from erasure_request
    where owner_id = ${ownerId} and id = ${request.id}
  `)
}

/** The request was registered after the backup: what is known of it is entered again. */
async function enterRequest(tx: Tx, { ownerId, request, time }: JournalEntry, scope: Scope): Promise<Id> {
  const taken = await tx.one<{ id: Id }>(sql`
    select id from erasure_request where owner_id = ${ownerId} and id = ${request.id}
  `)
  const row = await tx.one<{ id: Id }>(sql`
    insert into erasure_request (
      owner_id, ${taken ? sql`` : sql`id,`} person_kind, person_id, person_name, applicant, reason, due_date, state,
      create_time, update_time
    )
    values (
      ${ownerId}, ${taken ? sql`` : sql`${request.id},`} ${request.entity}, ${request.personId}, '', ${request.applicant},
      '备份中没有此请求，恢复后补登', ${time}::timestamptz::date, ${code(requestState, 'done')},
      to_timestamp(${request.createTime}::numeric), ${scope.time}::timestamptz
    )
    returning id
  `)
  if (!row) throw new Error('an erasure request was not entered')
  // A later request never gets this number.
  await tx.rows(sql`
    select setval(
      pg_get_serial_sequence('erasure_request', 'id'),
      greatest(${row.id}::bigint, (select last_value from erasure_request_id_seq))
    )
  `)
  return row.id
}

const isDone = async (tx: Tx, { ownerId, uid }: JournalEntry): Promise<boolean> =>
  (await tx.one(sql`
    select id from erasure_request where owner_id = ${ownerId} and run_journal ->> 'uid' = ${uid}
  `)) !== undefined

interface Outcome {
  readonly isErased: boolean
  readonly open: readonly string[]
}

async function reapply(app: App, entry: JournalEntry): Promise<Outcome | undefined> {
  const { ownerId } = entry
  const scope = clockScope(app, ownerId)
  return app.database.tx(ownerId, async tx => {
    await lockCompanyWrites(tx, ownerId)
    if (await isDone(tx, entry)) return undefined
    const restored = await findRequest(tx, entry)
    const [first, ...others] =
      entry.request.entity === contactKind
        ? await contactKeys(tx, entry, restored)
        : await presentRecords(tx, entry)
    const id = restored?.id ?? (await enterRequest(tx, entry, scope))
    if (!first) {
      await endAbsent(tx, entry, id, scope)
      return { isErased: false, open: [] }
    }
    const confirmed = toConfirmedRows(entry.confirmed)
    const known = await requireKnownPerson(tx, ownerId, first, confirmed, others)
    const person = toErase(known.person, personCode(id), confirmed)
    await lockRecords(tx, person)
    const blockers = await findBlockers(tx, person)
    const request = await requireById(tx, erasureRequest, scope, id, { lock: true })
    const { installation } = entry
    await carryOut({ tx, app, scope, request, known, person, installation, repeated: entry })
    return {
      isErased: true,
      open: blockers.map(
        each => `${person.code}：${each.label} ${each.count} 项（${each.numbers.join('、')}）`,
      ),
    }
  })
}

/** The backup does not have the person. */
const endAbsent = (tx: Tx, entry: JournalEntry, id: Id, scope: Scope): Promise<number> =>
  tx.execute(sql`
    update erasure_request
    set state = ${code(requestState, 'done')}, person_name = ${personCode(id)}, person_mobile = null,
      applicant_name = null, run_mentions = null, end_time = ${entry.time}::timestamptz,
      end_name = ${scope.name}, result = '[]', run_journal = ${JSON.stringify(entry)}::jsonb,
      version = version + 1
    where owner_id = ${entry.ownerId} and id = ${id}
  `)

const byTime = (a: JournalEntry, b: JournalEntry): number => (a.time < b.time ? -1 : 1)

/**
 * Repeats the erasures that the journal has and the database has not: it is older than they are. To be called
 * before anybody is served. Each is a transaction of its own and is repeated once, however often this runs.
 */
export async function reapplyErasures(app: App, entries: readonly JournalEntry[]): Promise<Reapplied> {
  const installation = await installationOf(app.database)
  const stored = new Set((await readStoredEntries(app.database.reader('*'))).map(entry => entry.uid))
  const missing = entries.filter(entry => !stored.has(entry.uid)).toSorted(byTime)
  const own = missing.filter(entry => entry.installation === installation)
  const outcomes: Outcome[] = []
  for (const entry of own) {
    const outcome = await reapply(app, entry)
    outcomes.push(...(outcome ? [outcome] : []))
  }
  return {
    erased: outcomes.filter(each => each.isErased).length,
    absent: outcomes.filter(each => !each.isErased).length,
    foreign: missing.length - own.length,
    open: outcomes.flatMap(each => each.open),
  }
}

/** At every start, however the database came to be older than the journal. */
export async function reapplyJournal(app: App): Promise<void> {
  const done = await reapplyErasures(app, readJournalFile(journalFileIn(app.dataDir)))
  if (done.erased || done.absent || done.foreign) {
    app.log.warn(done, 'erasures of persons repeated: the database is older than they are')
  }
  await copyJournal(app)
}
