import { codeOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { feeType, sourceType } from '#modules/fees/contract/choices.ts'
import { parsePayer, toPayer } from '#modules/fees/server/public.ts'
import { onChargedFactsChanged, type RoomChangeEntry } from '#modules/rooms/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { findMisfit, type ChargedPart, type Misfit } from '../domain/follow-up.ts'
import { activeStates } from './bill-states.ts'
import { insertFollowUps } from './follow-ups.ts'
import { draftReplacements, draftsOf, type RepriceDraft } from './reprice-draft.ts'

/** A bill and in what it no longer fits. */
export interface MisfitBill {
  readonly row: Bill
  readonly misfit: Misfit
}

/** What is charged to the payer of a room, with the changes that concern it. */
interface ChangedSource {
  readonly projectCode: string
  readonly type: 'room' | 'parkPlace'
  readonly code: string
  readonly changes: readonly RoomChangeEntry[]
}

const isPayerChange = ({ item }: RoomChangeEntry): boolean => item === 'payer' || item === 'company'

const roomKey = (projectCode: string, roomCode: string): string => `${projectCode}\n${roomCode}`

/** Rooms with their changes, and their parking places, which only another payer concerns. */
async function findChangedSources(
  db: Db,
  ownerId: Id,
  changes: readonly RoomChangeEntry[],
): Promise<readonly ChangedSource[]> {
  const byRoom = Map.groupBy(changes, ({ room }) => roomKey(room.projectCode, room.code ?? ''))
  const rooms = [...byRoom.values()].map((ofRoom): ChangedSource => {
    const { projectCode, code: roomCode = '' } = defined(ofRoom[0]).room
    return { projectCode, type: 'room', code: roomCode, changes: ofRoom }
  })
  const places = await db.rows<{ projectCode: string; code: string; roomCode: string }>(sql`
    select k.project_code, k.code, k.room_code
    from unnest(
      ${rooms.map(room => room.projectCode)}::text[], ${rooms.map(room => room.code)}::text[]
    ) as c(project, code)
    join park_place k on k.owner_id = ${ownerId}
      and k.project_code = c.project
      and k.room_code = c.code
      and ${notDeleted('k')}
  `)
  return [
    ...rooms,
    ...places.flatMap(({ projectCode, code: placeCode, roomCode }): ChangedSource[] => {
      const ofPayer = (byRoom.get(roomKey(projectCode, roomCode)) ?? []).filter(isPayerChange)
      return ofPayer.length ? [{ projectCode, type: 'parkPlace', code: placeCode, changes: ofPayer }] : []
    }),
  ]
}

const firstDayOf = (changes: readonly RoomChangeEntry[]): Day =>
  changes.reduce(
    (first, change) => (change.effectiveDate < first ? change.effectiveDate : first),
    defined(changes[0]).effectiveDate,
  )

/** Bills of the sources with days from a change on; a deposit is of no period (C27-8). Needs bill_source. */
const findBillsSince = (db: Db, scope: Scope, sources: readonly ChangedSource[]): Promise<Bill[]> =>
  findAll(
    db,
    bill,
    systemScope(scope.ownerId, scope.time),
    { order: 'beginDate,id' },
    {
      where: [
        sql`t.id in (
          select b.id
          from jsonb_to_recordset(${JSON.stringify(sources.map(toSince))}::jsonb)
            as c(project text, type smallint, code text, since date)
          join bill b on b.owner_id = ${scope.ownerId}
            and b.project_code = c.project
            and b.source_type = c.type
            and b.source_code = c.code
            and ${notDeleted('b')}
            and b.state in ${activeStates}
            and b.end_date >= c.since
            and b.fee_type <> ${code(feeType, 'deposit')}
        )`,
      ],
      limit: 20_000,
    },
  )

const toSince = ({ projectCode, type, code: sourceCode, changes }: ChangedSource) => ({
  project: projectCode,
  type: Number(codeOf(sourceType, type)),
  code: sourceCode,
  since: firstDayOf(changes),
})

/** What a bill that no relation made should be: the change itself says who pays from its day on. */
function partsByChange(row: Bill, changes: readonly RoomChangeEntry[]): readonly ChargedPart[] {
  const change = changes.find(
    each =>
      each.item === 'payer' &&
      each.newRef !== undefined &&
      row.payerKind === 'resident' &&
      each.oldRef === row.payerId &&
      row.endDate >= each.effectiveDate,
  )
  if (!change) return []
  const begin = change.effectiveDate > row.beginDate ? change.effectiveDate : row.beginDate
  return [{ begin, end: row.endDate, payer: change.newRef, amount: row.amount }]
}

function misfitOf(
  row: Bill,
  draft: RepriceDraft | undefined,
  changes: readonly RoomChangeEntry[],
): Misfit | undefined {
  const parts =
    row.relationId === undefined
      ? partsByChange(row, changes)
      : draftsOf(draft).map(({ begin, end, payer, amount }) => ({ begin, end, payer, amount }))
  if (!parts.length) return undefined
  const payer = toPayer(row.payerKind, row.payerId)
  const since = firstDayOf(changes)
  const misfit = findMisfit(
    { begin: row.beginDate, end: row.endDate, payer, amount: row.amount },
    parts,
    since,
  )
  return misfit && isCausedBy(changes, row, misfit) ? misfit : undefined
}

/**
 * Another price is no matter of a change of area (FEE-6), prices that were agreed ahead stay (TMP-3), and
 * the halves of a split may be a fen off.
 */
function isCausedBy(changes: readonly RoomChangeEntry[], row: Bill, { kind, amount }: Misfit): boolean {
  if (kind === 'payer') return changes.some(isPayerChange)
  const isRounding = row.parentId !== undefined && Math.abs(amount) <= 1
  return !row.isPre && !isRounding && changes.some(change => !isPayerChange(change))
}

/** Bills of changed rooms and their places that would be issued otherwise today (PRO-7). */
export async function findMisfitBills(
  db: Db,
  scope: Scope,
  changes: readonly RoomChangeEntry[],
  today: Day,
): Promise<MisfitBill[]> {
  const sources = await findChangedSources(db, scope.ownerId, changes)
  const rows = await findBillsSince(db, scope, sources)
  if (!rows.length) return []
  const relationBills = rows.filter(row => row.relationId !== undefined && row.standardId !== undefined)
  const drafts = await draftReplacements(db, scope.ownerId, relationBills, today)
  const sourceKeyOf = (projectCode: string, type: string, sourceCode: string): string =>
    [projectCode, type, sourceCode].join('\n')
  const changesBySource = new Map(
    sources.map(source => [sourceKeyOf(source.projectCode, source.type, source.code), source.changes]),
  )
  return rows.flatMap(row => {
    const concerning = changesBySource.get(sourceKeyOf(row.projectCode, row.sourceType, row.sourceCode))
    const misfit = misfitOf(row, drafts.get(row.id), defined(concerning))
    return misfit ? [{ row, misfit }] : []
  })
}

/** Lists bills that a change leaves with another payer or area, for somebody to decide on each (C27-7). */
onChargedFactsChanged(async (tx: Tx, scope, changes, today) => {
  const found = await findMisfitBills(tx, scope, changes, today)
  await insertFollowUps(
    tx,
    scope,
    found.map(({ row, misfit }) => ({
      bill: row,
      kind: misfit.kind,
      effectiveDate: misfit.effectiveDate,
      payer: misfit.kind === 'payer' && misfit.payer !== undefined ? parsePayer(misfit.payer) : undefined,
      amount: misfit.amount,
      discount: 0,
    })),
  )
})
