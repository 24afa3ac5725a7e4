import type { Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { importer } from '#kit/server/crud-import.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { openSheetPlaces, sheetPlaceOptions } from '#modules/rooms/server/public.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { importMeters } from '../contract/transfer.ts'
import { checkMeterRow } from './meter-import-check.ts'
import { loadMeterReferences, type MeterReferences, type MeterRow } from './meter-import-references.ts'

/** The values that a line gives to its meter. */
function toMeterValues(row: MeterRow, { sourceOf, meterOf }: MeterReferences): Partial<Meter> {
  const {
    buildCode: _buildCode,
    unitName: _unitName,
    roomNo: _roomNo,
    areaCode: _areaCode,
    parentNo,
    ...values
  } = row
  const source = sourceOf(row)
  return {
    ...values,
    ...(source
      ? {
          sourceType: keyOf(sourceType, source.sourceType),
          sourceCode: source.sourceCode,
          sourceName: source.sourceName,
          buildCode: source.buildCode,
          sortKey: source.sortKey,
        }
      : {}),
    ...(parentNo ? { parentMeterId: meterOf(parentNo)?.id } : {}),
  }
}

/** The readings of a meter are seen with its building. */
const moveReadings = (tx: Tx, ownerId: Id, meterIds: readonly Id[]): Promise<number> =>
  tx.execute(sql`
    update meter_reading r
    set build_code = m.build_code
    from meter m
    where m.owner_id = ${ownerId}
      and m.id = any(${[...meterIds]})
      and r.owner_id = ${ownerId}
      and r.meter_id = m.id
      and r.build_code is distinct from m.build_code
  `)

export const meterImporter = importer(meter, {
  calls: importMeters,
  match: ['meterNo'],
  alsoFind: ({ parentNo }) => (parentNo ? [{ meterNo: parentNo }] : []),
  lockExisting: true,
  templateOptions: sheetPlaceOptions,
  load: async (db, { scope, extraInput }, lock) => ({
    places: await openSheetPlaces(db, scope, extraInput.projectCode, lock),
  }),
  references: { buildCode: (name, { places }) => places.buildingsNamed(name) },
  prepare: loadMeterReferences,
  rules: (row, existing, { data }) => checkMeterRow(row, existing, data),
  values: (row, { data }) => toMeterValues(row, data),
  afterWrite: async (tx, { existing }, { request: { scope, mode } }) => {
    if (mode === 'update') {
      await moveReadings(
        tx,
        scope.ownerId,
        existing.map(({ id }) => id),
      )
    }
  },
  texts: { skipped: '已有此表号，已跳过', unchanged: undefined },
})
