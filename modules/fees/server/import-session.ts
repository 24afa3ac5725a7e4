import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { sourceType } from '../contract/choices.ts'
import type { RelationLine } from '../contract/transfer.ts'
import { listChargeableTypes, selectObjects, type SourceType } from './chargeable-objects.ts'
import { loadChargeableStandards, type ChargeableStandard } from './chargeable-standards.ts'

export type RelationRow = Partial<RelationLine>

export interface SourceObject {
  readonly code: string
  readonly name: string
  readonly buildCode?: string
  readonly open: boolean
}

export interface ExistingRelation {
  readonly id: Id
  readonly sourceType: number
  readonly sourceCode: string
  readonly feeItemId: Id
  readonly standardId: Id
  readonly standard: string
  readonly beginDate?: Day
  readonly endDate?: Day
}

type SheetLine = { readonly row: RelationRow }

/** What the lines of one file speak of. An object's key is its type and code. */
export interface ImportSession {
  readonly standards: ReadonlyMap<Id, ChargeableStandard>
  /** The objects of this name or code. */
  readonly objectsOf: (row: RelationRow) => readonly SourceObject[]
  readonly objectKeyOf: (row: RelationRow) => string
  /** The relations that an object has already, by its key. */
  readonly existing: ReadonlyMap<string, readonly ExistingRelation[]>
  /** The lines whose object and standard are known. */
  readonly lines: readonly { readonly row: RelationRow; readonly objectKey: string; readonly item: Id }[]
}

export const typeOf = (row: RelationRow): SourceType => row.sourceType ?? 'room'

const nameKeyOf = (type: SourceType, name: string): string => `${type} ${name.toUpperCase()}`

const pushTo = <V>(map: Map<string, V[]>, key: string, value: V): void => {
  map.set(key, [...(map.get(key) ?? []), value])
}

/** The objects that lines name by name or code: one statement for each type of object. */
async function findObjects(
  db: Db,
  scope: Scope,
  projectCode: string,
  lines: readonly SheetLine[],
): Promise<ReadonlyMap<string, readonly SourceObject[]>> {
  const types = listChargeableTypes().filter(type => lines.some(l => typeOf(l.row) === type))
  const found = await db.all<SourceObject[]>(
    ...types.map(type => {
      const names = lines
        .filter(l => typeOf(l.row) === type)
        .flatMap(l => l.row.sourceName?.toUpperCase() ?? [])
      const distinct = [...new Set(names)]
      return sql<SourceObject>`
        select code, name, build_code, open
        from (${selectObjects(scope, projectCode, type, {})}) o
        where upper(code) = any(${distinct}) or upper(name) = any(${distinct})
      `
    }),
  )
  const byName = new Map<string, SourceObject[]>()
  for (const [i, type] of types.entries()) {
    for (const object of defined(found[i])) {
      for (const name of new Set([object.code, object.name])) {
        pushTo(byName, nameKeyOf(type, name), object)
      }
    }
  }
  return byName
}

async function findExistingRelations(
  db: Db,
  scope: Scope,
  projectCode: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, readonly ExistingRelation[]>> {
  const found = await db.rows<ExistingRelation>(sql`
    select r.id, r.source_type, r.source_code, r.fee_item_id, r.standard_id, s.name as standard,
      r.begin_date, r.end_date
    from fee_relation r
    join fee_standard s on s.owner_id = ${scope.ownerId} and s.id = r.standard_id
    where r.owner_id = ${scope.ownerId}
      and r.project_code = ${projectCode}
      and r.source_code = any(${[...codes]})
      and ${notDeleted('r')}
    order by r.id
  `)
  return Map.groupBy(found, r => `${keyOf(sourceType, r.sourceType)} ${r.sourceCode}`)
}

/** Looks up everything the lines of a file speak of, in a constant number of statements. */
export async function loadImportSession(
  db: Db,
  scope: Scope,
  projectCode: string,
  lines: readonly SheetLine[],
): Promise<ImportSession> {
  const standards = await loadChargeableStandards(db, scope.ownerId, {
    ids: [...new Set(lines.flatMap(l => l.row.standardId ?? []))],
  })
  const objects = await findObjects(db, scope, projectCode, lines)
  const objectsOf = (row: RelationRow): readonly SourceObject[] =>
    row.sourceName === undefined ? [] : (objects.get(nameKeyOf(typeOf(row), row.sourceName)) ?? [])
  const objectKeyOf = (row: RelationRow): string => `${typeOf(row)} ${objectsOf(row)[0]?.code ?? ''}`
  const codes = [...new Set(lines.flatMap(l => objectsOf(l.row)[0]?.code ?? []))]
  return {
    standards,
    objectsOf,
    objectKeyOf,
    existing: await findExistingRelations(db, scope, projectCode, codes),
    lines: lines.flatMap(({ row }) => {
      const chargeable = standards.get(row.standardId ?? 0)
      return chargeable && objectsOf(row).length
        ? [{ row, objectKey: objectKeyOf(row), item: chargeable.item.id }]
        : []
    }),
  }
}

/** The relation that a line repeats: of its object by its standard, from its day on where it says one. */
export const findSameRelation = (session: ImportSession, row: RelationRow): ExistingRelation | undefined =>
  session.existing
    .get(session.objectKeyOf(row))
    ?.find(
      r => r.standardId === row.standardId && (row.beginDate === undefined || r.beginDate === row.beginDate),
    )
