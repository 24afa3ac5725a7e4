import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import { type Choices, type Field } from '#kit/contract/field.ts'
import { wireNameOf } from '#kit/contract/wire.ts'
import type { StoredTable } from './catalogue.ts'
import type { CompanyTable, CompanyTables, Omission } from './declaration.ts'

export interface PlannedColumn {
  readonly name: string
  readonly type: string
  readonly heading: string
  /** The name on the wire, of an entity's field. */
  readonly wire?: string
  /** Whole numbers that stand for words: written with them (`10 空置`). */
  readonly codes?: readonly (readonly [code: number, label: string])[]
}

export interface PlannedTable {
  readonly name: string
  readonly label: string
  readonly columns: readonly PlannedColumn[]
  readonly key: readonly string[]
  readonly rows: string | undefined
}

/** A table, a column of it, or the rows that `heading` names, which stay behind. */
export interface OmittedPart {
  readonly table: string
  readonly tableLabel: string
  readonly column?: string
  readonly heading?: string
  readonly why: Omission
}

export interface ExportPlan {
  readonly tables: readonly PlannedTable[]
  readonly omitted: readonly OmittedPart[]
}

const deletedCodes: PlannedColumn['codes'] = [
  [0, '否'],
  [1, '是'],
  [-1, '是，内容已清除'],
]

/** What every table may have beside its own; `owner_id` is the company's and is in the manifest. */
const commonHeadings: Readonly<Record<string, string>> = {
  create_by: '创建人编号',
  update_by: '修改人编号',
  create_time: '创建时间',
  update_time: '修改时间',
  delete_tag: '已删除',
}

const prefixHeadings: readonly (readonly [prefix: string, heading: string])[] = [
  ['search_', '检索文本'],
  ['sort_', '排序文本'],
]

const codesOf = ({ rows }: Choices): PlannedColumn['codes'] =>
  Object.values(rows).map(([code, label]) => [Number(code), label] as const)

function columnOfField(key: string, field: Field, type: string): PlannedColumn {
  const isCoded = field.kind === 'choice' && field.choices && type === 'smallint'
  return {
    name: columnOf(key),
    type,
    heading: field.label,
    wire: wireNameOf(key, field),
    ...(isCoded && field.choices ? { codes: codesOf(field.choices) } : {}),
  }
}

type Decision =
  | { readonly column: PlannedColumn }
  | { readonly heading: string; readonly why: Omission }
  | undefined

function decideColumn(
  { name, type }: StoredTable['columns'][number],
  entity: Entity | undefined,
  declared: CompanyTable,
): Decision {
  const ownDeclaration = declared.columns?.[name]
  if (typeof ownDeclaration === 'object')
    return { heading: ownDeclaration.heading, why: ownDeclaration.omitted }
  if (ownDeclaration !== undefined) return { column: { name, type, heading: ownDeclaration } }
  const key = entity && storedKeys(entity).find(each => columnOf(each) === name)
  const field = key === undefined ? undefined : entity?.fields[key]
  if (key !== undefined && field)
    return field.masked === 'secret'
      ? { heading: field.label, why: 'secret' }
      : { column: columnOfField(key, field, type) }
  const heading =
    commonHeadings[name] ?? prefixHeadings.find(([prefix]) => name.startsWith(prefix))?.[1] ?? undefined
  if (heading === undefined) return undefined
  return { column: { name, type, heading, ...(name === 'delete_tag' ? { codes: deletedCodes } : {}) } }
}

/**
 * What is exported of each table, and what stays behind, by the declarations alone. Throws where a table or a
 * column of a company is declared nowhere.
 */
export function planExport(
  stored: readonly StoredTable[],
  entities: readonly Entity[],
  declarations: CompanyTables,
): ExportPlan {
  const entityByTable = new Map(entities.map(entity => [entity.table, entity]))
  const tables: PlannedTable[] = []
  const omitted: OmittedPart[] = []
  const undeclared: string[] = []
  for (const table of stored) {
    const entity = entityByTable.get(table.name)
    const declared = declarations[table.name] ?? {}
    const label = declared.label ?? entity?.label
    if (label === undefined) {
      undeclared.push(table.name)
      continue
    }
    if (declared.omitted) {
      omitted.push({ table: table.name, tableLabel: label, why: declared.omitted })
      continue
    }
    if (declared.secretRows !== undefined) {
      omitted.push({ table: table.name, tableLabel: label, heading: declared.secretRows, why: 'secret' })
    }
    const columns: PlannedColumn[] = []
    for (const column of table.columns.filter(each => each.name !== 'owner_id')) {
      const decision = decideColumn(column, entity, declared)
      if (!decision) {
        undeclared.push(`${table.name}.${column.name}`)
      } else if ('column' in decision) {
        columns.push(decision.column)
      } else {
        omitted.push({ table: table.name, tableLabel: label, column: column.name, ...decision })
      }
    }
    tables.push({ name: table.name, label, columns, key: table.key, rows: declared.rows })
  }
  if (undeclared.length) throw new Error(`declared in no entity and no companyData: ${undeclared.join(', ')}`)
  return { tables, omitted }
}
