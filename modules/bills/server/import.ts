import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import type { Db } from '#kit/server/db.ts'
import { importer, type ImportFile } from '#kit/server/crud-import.ts'
import type { ImportRequest } from '#kit/server/import-definition.ts'
import { loadSources, sourceKey } from '#modules/fees/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { importBills, type BillLine } from '../contract/import.ts'
import { findClosedMonths } from './closed-months.ts'
import {
  checkLine,
  linePeriodKey,
  obstructingBills,
  sourceCodeOf,
  sourceTypeOf,
  typeAndCodeKey,
  warnLine,
  type ImportFacts,
} from './import-checks.ts'
import { findExistingBills, findFeeItems, type ImportItem } from './import-existing.ts'
import { findSourcesByName } from './import-sources.ts'
import { writeLines, type ResolvedLine } from './import-write.ts'

export type ImportContext = ImportRequest<{ projectCode: string }>

/** Bills that must be abolished before a line can be imported. */
export interface ObstructingBills {
  readonly bills: readonly { readonly id: Id; readonly begin: Day; readonly end: Day }[]
  readonly message: string
}

interface BillItems {
  readonly items: readonly ImportItem[]
}

/** Reads what the checks need to know about the lines of a sheet. */
async function loadFacts(db: Db, file: ImportFile<BillLine, Bill, BillItems>): Promise<ImportFacts> {
  const { request, lines, data, isWriting } = file
  const { scope, today, extraInput } = request
  const { ownerId } = scope
  const project: string = extraInput.projectCode
  const codesOf = await findSourcesByName(
    db,
    ownerId,
    project,
    lines.flatMap(({ row }) =>
      row.sourceName === undefined ? [] : [{ type: sourceTypeOf(row), name: row.sourceName }],
    ),
  )
  const places = new Map(
    lines.flatMap(({ row }) => {
      const code = sourceCodeOf({ codesOf }, row)
      const type = sourceTypeOf(row)
      return code === undefined ? [] : [[typeAndCodeKey(type, code), { type, code }] as const]
    }),
  )
  const closedMonths = await findClosedMonths(db, ownerId, project, [
    ...new Set(lines.flatMap(({ row }) => (row.beginDate ? [monthOf(row.beginDate)] : []))),
  ])
  const [existing, located] = await Promise.all([
    findExistingBills(db, ownerId, project, [...places.values()], isWriting),
    loadSources(
      db,
      ownerId,
      project,
      [...places.values()].map(p => ({ sourceType: p.type, sourceCode: p.code })),
      today,
    ),
  ])
  const periods = lines.flatMap(({ line, row }) => {
    const { beginDate: begin, endDate: end } = row
    const code = sourceCodeOf({ codesOf }, row)
    return code === undefined || !begin || !end
      ? []
      : [{ key: linePeriodKey(row, code), begin, end, row, line }]
  })
  return {
    scope,
    project,
    itemById: new Map(data.items.map(i => [i.id, i])),
    codesOf,
    existing: Map.groupBy(existing, b => typeAndCodeKey(b.sourceType, b.sourceCode)),
    located,
    closedMonths,
    periods: Map.groupBy(periods, p => p.key),
  }
}

/** What a line that can be imported means. */
function resolveLine(facts: ImportFacts, row: BillLine): ResolvedLine {
  const type = sourceTypeOf(row)
  const code = defined(sourceCodeOf(facts, row))
  return {
    code,
    type,
    at: defined(facts.located.get(sourceKey({ sourceType: type, sourceCode: code }))),
    item: defined(facts.itemById.get(row.feeItemId)),
  }
}

export const billImporter = importer(bill, {
  calls: importBills,
  templateOptions: async (db, { scope }) => ({
    feeItemId: (await findFeeItems(db, scope.ownerId)).filter(i => !i.off).map(i => i.name),
  }),
  load: async (db, { scope }): Promise<BillItems> => ({ items: await findFeeItems(db, scope.ownerId) }),
  references: {
    feeItemId: (name, { items }) => {
      const byName = items.filter(i => i.name === name)
      return (byName.length ? byName : items.filter(i => i.code === name)).map(i => i.id)
    },
  },
  prepare: loadFacts,
  find: (row, { data }): ObstructingBills | undefined => obstructingBills(data, row),
  describeExisting: ({ message }) => ({ message, remedy: '选择「先作废原账单，再导入」，或保留原账单' }),
  rules: (row, _existing, { data }) => checkLine(data, row),
  warnings: (row, { data }) => warnLine(data, row),
  write: (tx, ready, { request, data }) => writeLines(tx, request, ready, row => resolveLine(data, row)),
})
