import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { ImportRequest, LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import { touch } from '#kit/server/sql.ts'
import { findByIds, insertAll, recordsetOf } from '#kit/server/table.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { meter, type Meter } from '../contract/meter.ts'
import type { MeterLine } from '../contract/transfer.ts'
import type { MeterReferences, MeterRow } from './meter-import-references.ts'

type MeterReadyLine = ReadyLine<MeterLine, Meter>

/** The values that a line gives to its meter. */
function toMeterValues(row: MeterRow, { sourceOf, metersByNo }: MeterReferences): Partial<Meter> {
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
    ...(parentNo ? { parentMeterId: metersByNo.get(parentNo)?.id } : {}),
  }
}

/** Overwrites the values that the lines give; a column that a line leaves empty stays. */
async function updateMeters(
  tx: Tx,
  scope: Scope,
  lines: readonly MeterReadyLine[],
  references: MeterReferences,
): Promise<void> {
  const meterIds = lines.map(l => defined(l.existing).id)
  await findByIds(tx, meter, scope, meterIds, { lock: true })
  const { columns, as } = recordsetOf(
    meter,
    lines.map(l => toMeterValues(l.row, references)),
  )
  await tx.execute(sql`
    update meter t
    set ${sql.join(columns.map(c => sql`${sql.id(c)} = coalesce(x.${sql.id(c)}, t.${sql.id(c)})`))},
      ${touch(scope, 't')}
    from (
      select r.*, w.id as meter_id
      from (select *, row_number() over () as n from ${as}) r
      join unnest(${meterIds}::bigint[]) with ordinality w(id, n) on w.n = r.n
    ) x
    where t.owner_id = ${scope.ownerId} and t.id = x.meter_id
  `)
  await tx.execute(sql`
    update meter_reading r
    set build_code = m.build_code
    from meter m
    where m.owner_id = ${scope.ownerId}
      and m.id = any(${meterIds})
      and r.owner_id = ${scope.ownerId}
      and r.meter_id = m.id
      and r.build_code is distinct from m.build_code
  `)
}

export async function writeMeters(
  tx: Tx,
  { scope, mode, extraInput: { projectCode } }: ImportRequest<{ projectCode: string }>,
  lines: readonly MeterReadyLine[],
  references: MeterReferences,
): Promise<ReadonlyMap<number, LineResult>> {
  const added = lines.filter(l => !l.existing)
  const existing = lines.filter(l => l.existing)
  await insertAll(
    tx,
    meter,
    scope,
    added.map(meterReadyLine => ({
      meterUse: 'household',
      multiple: '1',
      decimals: 2,
      isSmart: false,
      prepayMode: 'after',
      state: 'active',
      ...toMeterValues(meterReadyLine.row, references),
      projectCode,
    })),
  )
  const isUpdate = mode === 'update'
  if (isUpdate && existing.length) {
    await updateMeters(tx, scope, existing, references)
    await audit(tx, scope, [
      { action: 'update', entity: 'meter', entityId: 0, projectCode, after: { count: existing.length } },
    ])
  }
  const existingResult: LineResult = isUpdate
    ? { outcome: 'changed', message: '已覆盖' }
    : { outcome: 'skipped', message: '已有此表号，已跳过' }
  return new Map([
    ...added.map((l): [number, LineResult] => [l.line, { outcome: 'added', message: '已导入' }]),
    ...existing.map((l): [number, LineResult] => [l.line, existingResult]),
  ])
}
