import { planExport, type PlannedColumn } from '#kit/server/company-data/plan.ts'
import { declaredTables } from '#kit/server/company-data/export.ts'
import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import type { DeclaredTable } from './table-statements.ts'

/** What people call a table and its columns: the words of the company's export. */
export interface TableLabels {
  readonly label: string
  readonly headings: ReadonlyMap<string, string>
  /** What a company may take along: whatever is secret is not among them. */
  readonly columns: ReadonlyMap<string, PlannedColumn>
}

/** Of tables that no export holds: there is no other place that names their columns. */
const plainHeadings: Readonly<Record<string, string>> = {
  ip: 'IP 地址',
  agent: '浏览器',
  answer: '答复',
  file_key: '文件',
  file_name: '文件名',
  more: '附加内容',
  template: '指纹模板',
  password: '密码的摘要',
  totp: '动态验证码密钥',
  recovery: '恢复码',
}

export function labelsOf(tables: readonly DeclaredTable[]): ReadonlyMap<string, TableLabels> {
  const { entities, modules } = companyDeclarations()
  const stored = tables.map(({ name, declared, stored: { columns, key } }) => ({
    name,
    key,
    references: [],
    columns: [...columns]
      .filter(([column]) => column in declared.columns || declared.exported?.includes(column))
      .map(([column, { type }]) => ({ name: column, type, isRequired: false })),
  }))
  const plan = planExport(stored, entities, declaredTables({ entities, modules }))
  const labels = new Map<
    string,
    { label: string; headings: Map<string, string>; columns: Map<string, PlannedColumn> }
  >()
  const entryOf = (name: string, label: string) => {
    const entry = labels.get(name) ?? { label, headings: new Map(), columns: new Map() }
    labels.set(name, entry)
    return entry
  }
  for (const { name, label, columns } of plan.tables) {
    const entry = entryOf(name, label)
    for (const column of columns) {
      entry.headings.set(column.name, column.heading)
      entry.columns.set(column.name, column)
    }
  }
  for (const { table, tableLabel, column, heading } of plan.omitted) {
    const { headings } = entryOf(table, tableLabel)
    if (column !== undefined && heading !== undefined) {
      headings.set(column, heading)
    }
  }
  return labels
}

export const headingOf = (labels: TableLabels | undefined, column: string): string =>
  labels?.headings.get(column) ?? plainHeadings[column] ?? column

/** Columns that only follow from others are no item of their own. */
export const isShownColumn = (column: string): boolean =>
  !column.startsWith('search_') && column !== 'delete_tag' && column !== 'state'
