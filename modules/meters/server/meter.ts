import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findAll,
  findPage,
  insert,
  projectRequired,
  requireById,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { code, flagFilter } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { meterState } from '../contract/choices.ts'
import {
  addMeter,
  editMeter,
  getMeter,
  listMeters,
  listReplacements,
  listRoomsWithMeters,
  meterFilters,
} from '../contract/meter-calls.ts'
import { meter, meterReplace, type Meter } from '../contract/meter.ts'
import {
  findChargedMeters,
  loadReadingSpans,
  resolveMeterDraft,
  stillChargedMessage,
  validateReadMeter,
  type MeterDraft,
} from './meter-validation.ts'
import { meterInUse } from './reading-conditions.ts'

uniqueMessages({ meter_no_live: '该项目已有此表号' })

export type MeterListInput = NonNullable<typeof listMeters.input.T>

/** A meter is shown as due for verification so many days ahead (MTR-18). */
const verifyAheadDays = 30

/** What a search asks beyond its column filters. */
export const meterConditions = (query: MeterListInput, today: Day): RawBuilder<unknown>[] => [
  ...flagFilter(
    query.verifyDue,
    sql`t.next_verify_date <= ${addDays(today, verifyAheadDays)} and ${meterInUse('t')}`,
  ),
  ...flagFilter(query.withoutStandard, sql`t.standard_id is null and ${meterInUse('t')}`),
  ...(query.sourceCode === undefined ? [] : [sql`t.source_code = ${query.sourceCode}`]),
  ...(query.parentId === undefined ? [] : [sql`t.parent_meter_id = ${query.parentId}`]),
]

export const toMeterColumnFilters = ({
  verifyDue: _verifyDue,
  withoutStandard: _withoutStandard,
  sourceCode: _sourceCode,
  parentId: _parentId,
  ...query
}: MeterListInput) => query

const wireFieldOf = (key: string): string => defined(key[0]).toUpperCase() + key.slice(1)

/** What may not change because the meter has been read, or is charged at its old place. */
async function listEditFaults(tx: Tx, scope: Scope, draft: MeterDraft, before: Meter): Promise<FieldFault[]> {
  const { id } = before
  const spans = await loadReadingSpans(tx, scope.ownerId, [id])
  const isMoved = before.sourceType !== draft.sourceType || before.sourceCode !== draft.sourceCode
  if (isMoved && (await findChargedMeters(tx, scope.ownerId, [id])).has(id))
    return [{ Field: 'SourceCode', Message: stillChargedMessage(before) }]
  return validateReadMeter(draft, before, spans.get(id)).map(f => ({
    Field: wireFieldOf(f.key),
    Message: f.message,
  }))
}

/** Meters that are installed in the rooms of a building, by room code. */
async function findMetersByRoom(db: Db, scope: Scope, projectCode: string, buildCode: string) {
  const found = await findAll(
    db,
    meter,
    scope,
    { projectCode },
    {
      where: [
        sql`t.source_type = ${code(sourceType, 'room')}
          and t.build_code = ${buildCode}
          and t.state <> ${code(meterState, 'replaced')}`,
      ],
      limit: 50_000,
    },
  )
  return Map.groupBy(found, m => m.sourceCode)
}

export const meterHandlers = [
  reads(listMeters, (q, { db, scope, today }) =>
    findPage(db, meter, scope, toMeterColumnFilters(q), {
      filters: meterFilters,
      where: meterConditions(q, today),
    }),
  ),
  reads(getMeter, ({ id }, { db, scope }) => requireById(db, meter, scope, id)),
  writes(addMeter, async ({ id: _id, version: _version, ...draft }, { tx, scope }) => {
    if (!draft.projectCode) throw projectRequired()
    const place = await resolveMeterDraft(tx, scope, draft, draft.projectCode)
    return insert(tx, meter, scope, { ...draft, ...place })
  }),
  writes(editMeter, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的仪表')
    const before = await requireById(tx, meter, scope, id, { lock: true })
    const place = await resolveMeterDraft(tx, scope, draft, before.projectCode, before)
    const faults = await listEditFaults(tx, scope, draft, before)
    if (faults.length) throw invalidInput(faults)
    const values = { ...withAllFields(editMeter.input, draft), ...place, projectCode: before.projectCode }
    const after = await update(tx, meter, scope, id, values, { version })
    // Readings repeat the number and building, so that their lists need no join.
    if (before.meterNo !== after.meterNo || before.buildCode !== after.buildCode) {
      await tx.execute(
        sql`
          update meter_reading
          set meter_no = ${after.meterNo}, build_code = ${after.buildCode ?? null}
          where owner_id = ${scope.ownerId} and meter_id = ${id}
        `,
      )
    }
    return after
  }),
  reads(listRoomsWithMeters, async ({ projectCode, buildCode }, { db, scope }) => {
    const rooms = await findAll(
      db,
      room,
      scope,
      { projectCode, order: 'sortKey' },
      { where: [sql`t.build_code = ${buildCode}`], limit: 20_000 },
    )
    const meters = await findMetersByRoom(db, scope, projectCode, buildCode)
    return rooms.flatMap(row => {
      const roomFields = { roomCode: defined(row.code), roomPath: row.path, unitName: row.unitName }
      const ofRoom = meters.get(row.code)
      if (!ofRoom) return [roomFields]
      return ofRoom.map(meterRow => ({
        ...roomFields,
        meterId: meterRow.id,
        meterNo: meterRow.meterNo,
        meterKind: meterRow.meterKind,
        state: meterRow.state,
      }))
    })
  }),
  reads(listReplacements, (q, { db, scope }) =>
    findPage(db, meterReplace, scope, q, { filters: ['meterId', 'replaceDate'] }),
  ),
]
