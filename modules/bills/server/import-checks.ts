import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { overlaps } from '#kit/domain/period.ts'
import { addMonths, type Day } from '#kit/domain/day.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import type { LineFault } from '#kit/server/crud-import.ts'
import { hasBuilding, type Scope } from '#kit/server/scope.ts'
import { canOverlap, sourceKey, type LocatedSource, type SourceType } from '#modules/fees/server/public.ts'
import type { BillLine } from '../contract/import.ts'
import { findImportFindings, type ImportFinding } from '../domain/redundant.ts'
import type { ObstructingBills } from './import.ts'
import type { ExistingBill, ImportItem } from './import-existing.ts'

export type ImportRow = Partial<BillLine>

interface LinePeriod {
  readonly begin: Day
  readonly end: Day
  readonly row: ImportRow
  readonly line: number
}

/** What an import of bills has read about the lines of its sheet. */
export interface ImportFacts {
  readonly scope: Scope
  readonly project: string
  readonly itemById: ReadonlyMap<Id, ImportItem>
  /** Codes of all objects that a name may mean. */
  readonly codesOf: (type: SourceType, name: string) => readonly string[]
  readonly existing: ReadonlyMap<string, readonly ExistingBill[]>
  readonly located: ReadonlyMap<string, LocatedSource>
  readonly closedMonths: ReadonlySet<Month>
  /** The periods of the sheet itself, by object and item. */
  readonly periods: ReadonlyMap<string, readonly LinePeriod[]>
}

export const typeAndCodeKey = (type: string, code: string): string => `${type}\n${code}`

export const sourceTypeOf = (row: ImportRow): SourceType => row.sourceType ?? 'room'

/** The code of the object of a line; undefined when its name means none or several. */
export function sourceCodeOf({ codesOf }: Pick<ImportFacts, 'codesOf'>, row: ImportRow): string | undefined {
  const codes = row.sourceName === undefined ? [] : codesOf(sourceTypeOf(row), row.sourceName)
  return codes.length === 1 ? codes[0] : undefined
}

const itemOf = (facts: ImportFacts, row: ImportRow): ImportItem | undefined =>
  row.feeItemId === undefined ? undefined : facts.itemById.get(row.feeItemId)

export const linePeriodKey = (row: ImportRow, code: string): string =>
  `${typeAndCodeKey(sourceTypeOf(row), code)}\n${row.feeItemId}`

const existingOf = (facts: ImportFacts, row: ImportRow, code: string): readonly ExistingBill[] =>
  facts.existing.get(typeAndCodeKey(sourceTypeOf(row), code)) ?? []

function findingsOf(facts: ImportFacts, row: ImportRow): readonly ImportFinding[] {
  const code = sourceCodeOf(facts, row)
  if (code === undefined || !row.beginDate || !row.endDate || !row.feeItemId) return []
  const item = itemOf(facts, row)
  return findImportFindings(
    {
      begin: row.beginDate,
      end: row.endDate,
      itemId: row.feeItemId,
      repeats: item !== undefined && canOverlap(item),
    },
    existingOf(facts, row, code),
  )
}

/**
 * Refunded and pending bills of the same days, which must be abolished first: the database admits no second
 * effective bill there (BILL-8).
 */
export function obstructingBills(facts: ImportFacts, row: ImportRow): ObstructingBills | undefined {
  const code = sourceCodeOf(facts, row)
  const item = itemOf(facts, row)
  const findings = findingsOf(facts, row)
  if (code === undefined || !item || canOverlap(item) || findings.some(f => f.level === 'error'))
    return undefined
  const bills = existingOf(facts, row, code).filter(
    b =>
      findings.some(f => f.billId === b.id) &&
      b.itemId === row.feeItemId &&
      overlaps(b, { begin: defined(row.beginDate), end: defined(row.endDate) }),
  )
  return bills.length
    ? { bills, message: defined(findings.find(f => bills.some(b => b.id === f.billId))).message }
    : undefined
}

/** What a line may do although somebody should look at it. */
export function warnLine(facts: ImportFacts, row: ImportRow): LineFault[] {
  const obstructing = obstructingBills(facts, row)?.bills ?? []
  const warnings = findingsOf(facts, row)
    .filter(f => f.level === 'warning' && !obstructing.some(b => b.id === f.billId))
    .slice(0, 3)
    .map(f => ({ column: 'beginDate', message: f.message, remedy: '确认无误可继续导入' }))
  const month = row.beginDate && monthOf(row.beginDate)
  if (!month || !facts.closedMonths.has(month)) return warnings
  return [
    {
      column: 'beginDate',
      message: `${month} 已结转，该账单记入以后月份的“往期调整”`,
      remedy: '确认要补记再导入，否则改账期',
    },
    ...warnings,
  ]
}

/** Why a line cannot be imported, and what to do about it. */
export function checkLine(facts: ImportFacts, row: ImportRow): LineFault[] {
  const overlap = overlapWithEarlierLine(facts, row)
  return [
    ...sourceFaults(facts, row),
    ...itemFaults(facts, row),
    ...periodFaults(row),
    ...domainFaults(facts, row),
    ...findingsOf(facts, row)
      .filter(f => f.level === 'error')
      .map(f => ({ column: 'beginDate', message: f.message, remedy: '按提示处理该账单，或删除这一行' })),
    ...(overlap ? [overlap] : []),
  ]
}

function sourceFaults(facts: ImportFacts, row: ImportRow): LineFault[] {
  if (row.sourceName === undefined) return []
  const type = sourceTypeOf(row)
  const codes = facts.codesOf(type, row.sourceName)
  if (!codes.length)
    return [
      {
        column: 'sourceName',
        message: `未找到「${row.sourceName}」`,
        remedy:
          type === 'room' ? '填「楼栋-单元-房号」，如 3-2-1502；非房屋请填对象类型' : '核对对象类型与名称',
      },
    ]
  if (codes.length === 1) return []
  return [
    {
      column: 'sourceName',
      message: `名称为「${row.sourceName}」的对象有 ${codes.length} 个`,
      remedy: type === 'room' ? '填完整的「楼栋-单元-房号」' : '改填它的编码',
    },
  ]
}

function itemFaults(facts: ImportFacts, row: ImportRow): LineFault[] {
  const item = itemOf(facts, row)
  return item?.off
    ? [
        {
          column: 'feeItemId',
          message: `收费项目「${item.name}」已停用`,
          remedy: '先启用该收费项目，或更换',
        },
      ]
    : []
}

const sameDayInThreeYears = (day: Day): Day => addMonths(day, 36)

function periodFaults({ beginDate, endDate, dueDate }: ImportRow): LineFault[] {
  const faults: LineFault[] = []
  if (beginDate && endDate && endDate < beginDate) {
    faults.push({ column: 'endDate', message: '账期止不能早于账期起', remedy: '核对账期' })
  }
  if (beginDate && endDate && endDate > sameDayInThreeYears(beginDate)) {
    faults.push({ column: 'endDate', message: '一张账单的账期不能超过三年', remedy: '分成几张账单' })
  }
  if (dueDate && beginDate && dueDate < '2000-01-01') {
    faults.push({ column: 'dueDate', message: '应缴日过早', remedy: '核对应缴日' })
  }
  return faults
}

function domainFaults(facts: ImportFacts, row: ImportRow): LineFault[] {
  const code = sourceCodeOf(facts, row)
  if (code === undefined) return []
  const located = facts.located.get(sourceKey({ sourceType: sourceTypeOf(row), sourceCode: code }))
  return located?.buildCode !== undefined &&
    !hasBuilding(facts.scope.domain, facts.project, located.buildCode)
    ? [{ column: 'sourceName', message: '不在你的数据权限内', remedy: '请有权限的人员导入' }]
    : []
}

/** A line repeated word for word is not reported here: the sheet reader finds those. */
function overlapWithEarlierLine(facts: ImportFacts, row: ImportRow): LineFault | undefined {
  const code = sourceCodeOf(facts, row)
  const item = itemOf(facts, row)
  const { beginDate: begin, endDate: end } = row
  if (code === undefined || !begin || !end || (item && canOverlap(item))) return undefined
  const periods = facts.periods.get(linePeriodKey(row, code)) ?? []
  const other = periods.find(p => p.row !== row && overlaps(p, { begin, end }))
  const ownPeriod = periods.find(p => p.row === row)
  if (!other || !ownPeriod || other.line >= ownPeriod.line) return undefined
  const isSameLine = other.begin === begin && other.end === end && other.row.sourceName === row.sourceName
  return isSameLine
    ? undefined
    : {
        column: 'beginDate',
        message: `与第 ${other.line} 行的账期重叠`,
        remedy: '同一对象同一项目的账期不能重叠，改账期或删除一行',
      }
}
