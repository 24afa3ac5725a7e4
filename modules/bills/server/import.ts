import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import type { Db } from '#kit/server/db.ts'
import type { ImportRequest, ImportDefinition } from '#kit/server/sheet-import.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import { loadSources, sourceKey } from '#modules/fees/server/public.ts'
import { billSheet, importBills, type BillLine, type projectField } from '../contract/import.ts'
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
  type ImportRow,
} from './import-checks.ts'
import { findExistingBills, findFeeItems } from './import-existing.ts'
import { findSourcesByName } from './import-sources.ts'
import { writeLines } from './import-write.ts'

export type ImportContext = ImportRequest<{ projectCode: string }>

/** Bills that must be abolished before a line can be imported. */
export interface ObstructingBills {
  readonly bills: readonly { readonly id: Id; readonly begin: Day; readonly end: Day }[]
  readonly message: string
}

interface SheetRow {
  readonly line: number
  readonly row: ImportRow
}

/** Reads what the checks need to know about the lines of a sheet; `lock`: and locks the existing bills. */
async function loadFacts(
  db: Db,
  context: ImportContext,
  facts: ImportFacts,
  lines: readonly SheetRow[],
  lock: boolean,
): Promise<void> {
  const { project } = facts
  const owner = context.scope.ownerId
  facts.codesOf = await findSourcesByName(
    db,
    owner,
    project,
    lines.flatMap(({ row }) =>
      row.sourceName === undefined ? [] : [{ type: sourceTypeOf(row), name: row.sourceName }],
    ),
  )
  const places = new Map(
    lines.flatMap(({ row }) => {
      const code = sourceCodeOf(facts, row)
      const type = sourceTypeOf(row)
      return code === undefined ? [] : [[typeAndCodeKey(type, code), { type, code }] as const]
    }),
  )
  facts.closedMonths = await findClosedMonths(db, owner, project, [
    ...new Set(lines.flatMap(({ row }) => (row.beginDate ? [monthOf(row.beginDate)] : []))),
  ])
  const [existing, located] = await Promise.all([
    findExistingBills(db, owner, project, [...places.values()], lock),
    loadSources(
      db,
      owner,
      project,
      [...places.values()].map(p => ({ sourceType: p.type, sourceCode: p.code })),
      context.today,
    ),
  ])
  facts.existing = Map.groupBy(existing, b => typeAndCodeKey(b.sourceType, b.sourceCode))
  facts.located = located
  for (const { line, row } of lines) {
    const { beginDate: begin, endDate: end } = row
    const code = sourceCodeOf(facts, row)
    if (code === undefined || !begin || !end) continue
    const key = linePeriodKey(row, code)
    facts.periods.set(key, [...(facts.periods.get(key) ?? []), { begin, end, row, line }])
  }
}

export const billImporter: ImportDefinition<BillLine, typeof projectField, ObstructingBills> = {
  kind: 'bills.bill',
  calls: importBills,
  sheet: billSheet,
  templateOptions: async (db, { scope }) => ({
    feeItemId: (await findFeeItems(db, scope.ownerId)).filter(i => !i.off).map(i => i.name),
  }),
  openSession: async (db, context, _lines, lock) => {
    const { scope, extraInput } = context
    const project = extraInput.projectCode
    if (!hasProject(scope.domain, project)) throw outOfDomain()
    const items = await findFeeItems(db, scope.ownerId)
    const facts: ImportFacts = {
      scope,
      project,
      itemById: new Map(items.map(i => [i.id, i])),
      codesOf: () => [],
      existing: new Map(),
      located: new Map(),
      closedMonths: new Set(),
      periods: new Map(),
    }
    return {
      findReferences: (_, name) => {
        const byName = items.filter(i => i.name === name)
        return (byName.length ? byName : items.filter(i => i.code === name)).map(i => i.id)
      },
      findExisting: async lines => {
        await loadFacts(db, context, facts, lines, lock)
        return new Map(
          lines.flatMap(({ line, row }) => {
            const obstructing = obstructingBills(facts, row)
            return obstructing ? [[line, obstructing] as const] : []
          }),
        )
      },
      describeExisting: obstructing => ({
        message: obstructing.message,
        remedy: '选择「先作废原账单，再导入」，或保留原账单',
      }),
      warnRow: row => warnLine(facts, row),
      isSkipped: ({ existing }) => context.mode !== 'replace' && existing !== undefined,
      checkRow: row => checkLine(facts, row),
      apply: (tx, ready) =>
        writeLines(tx, context, ready, row => {
          const type = sourceTypeOf(row)
          const code = defined(sourceCodeOf(facts, row))
          return {
            code,
            type,
            at: defined(facts.located.get(sourceKey({ sourceType: type, sourceCode: code }))),
            item: defined(facts.itemById.get(row.feeItemId)),
          }
        }),
    }
  },
}
