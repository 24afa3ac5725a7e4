import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { ImportDefinition, LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import { hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { recordsetOf } from '#kit/server/table.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { sourceType } from '../contract/choices.ts'
import { feeRelation, relationFilters } from '../contract/relation.ts'
import {
  exportRelations,
  importProjectInput,
  importRelations,
  relationColumns,
  relationSheet,
  type RelationLine,
} from '../contract/transfer.ts'
import { listChargeableTypes } from './chargeable-objects.ts'
import { checkRelationRow } from './import-check.ts'
import { loadImportSession, typeOf, type ExistingRelation, type ImportSession } from './import-session.ts'
import { relationConditions, toRelationColumnFilters, type RelationListInput } from './relation-conditions.ts'

type ReadyRelation = ReadyLine<RelationLine, ExistingRelation>

const emptySession: ImportSession = {
  standards: new Map(),
  objectsOf: () => [],
  objectKeyOf: () => '',
  existing: new Map(),
  lines: [],
}

export const relationImporter: ImportDefinition<RelationLine, typeof importProjectInput, ExistingRelation> = {
  kind: 'fees.relation',
  calls: importRelations,
  sheet: relationSheet,
  templateOptions: async (db, { scope, extraInput }) => {
    const standards = await db.rows<{ name: string }>(
      sql`
        select name
        from fee_standard
        where owner_id = ${scope.ownerId}
          and project_code = ${extraInput.projectCode}
          and state = ${code(enabledState, 'on')}
          and ${notDeleted()}
        order by name
        limit 500
      `,
    )
    return {
      sourceType: listChargeableTypes().map(t => sourceType.rows[t][1]),
      standardId: standards.map(s => s.name),
    }
  },
  openSession: async (db, { scope, mode, extraInput: { projectCode } }) => {
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const standards = await db.rows<{ id: Id; code: string; name: string }>(
      sql`
        select id, code, name
        from fee_standard
        where owner_id = ${scope.ownerId} and project_code = ${projectCode} and ${notDeleted()}
      `,
    )
    let session = emptySession
    return {
      findReferences: (_, name) => {
        const byCode = standards.filter(s => s.code.toUpperCase() === name.toUpperCase())
        return (byCode.length ? byCode : standards.filter(s => s.name === name)).map(s => s.id)
      },
      findExisting: async lines => {
        session = await loadImportSession(db, scope, projectCode, lines)
        return new Map(
          lines.flatMap(({ line, row }) => {
            const same = session.existing
              .get(session.objectKeyOf(row))
              ?.find(
                r =>
                  r.standardId === row.standardId &&
                  (row.beginDate === undefined || r.beginDate === row.beginDate),
              )
            return same ? [[line, same] as const] : []
          }),
        )
      },
      checkRow: (row, existing) => checkRelationRow(session, row, existing),
      isSkipped: ({ existing }) => mode !== 'update' && existing !== undefined,
      apply: async (tx, ready) => {
        const added = ready.filter(r => !r.existing)
        const existing = ready.filter(r => r.existing)
        const results = await insertRelations(tx, scope, projectCode, added, session)
        for (const row of existing) {
          results.set(
            row.line,
            mode === 'update'
              ? { outcome: 'changed', message: '已覆盖' }
              : { outcome: 'skipped', message: '已绑定，已跳过' },
          )
        }
        if (mode === 'update' && existing.length) {
          await updateRelations(tx, scope, existing)
        }
        return results
      },
    }
  },
}

/** Adds relations, one statement; one that another user has bound since fails. Returns the result by line. */
async function insertRelations(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  lines: readonly ReadyRelation[],
  session: ImportSession,
): Promise<Map<number, LineResult>> {
  if (!lines.length) return new Map()
  const relations = lines.map(({ row }) => {
    const object = defined(session.objectsOf(row)[0])
    const { item } = defined(session.standards.get(row.standardId))
    return {
      ...row,
      projectCode,
      sourceType: typeOf(row),
      sourceCode: object.code,
      sourceName: object.name,
      buildCode: object.buildCode,
      feeItemId: item.id,
      multi: item.allowMulti,
      state: 'charging',
    }
  })
  const { columns, as } = recordsetOf(feeRelation, relations)
  const inserted = await tx.rows<{ key: string }>(sql`
    insert into fee_relation (
      owner_id, create_by, update_by, run_floor, ${sql.join(columns.map(c => sql.id(c)))}
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
      ${columns.includes('billed_to') ? sql`r.billed_to` : sql`null`},
      ${sql.join(columns.map(c => sql`r.${sql.id(c)}`))}
    from ${as}
    order by r.source_code, r.standard_id
    on conflict do nothing
    returning source_type || ' ' || source_code || ' ' || standard_id || ' ' || coalesce(begin_date::text, '') as key
  `)
  const insertedKeys = new Set(inserted.map(r => r.key))
  return new Map(
    lines.map(({ line }, i): [number, LineResult] => {
      const row = defined(relations[i])
      const key = `${codeOf(sourceType, row.sourceType)} ${row.sourceCode} ${row.standardId} ${row.beginDate ?? ''}`
      return [
        line,
        insertedKeys.has(key)
          ? { outcome: 'added', message: '已导入' }
          : { outcome: 'failed', message: '刚刚被其他人绑定了同一项目的标准，请核对后重新导入' },
      ]
    }),
  )
}

/**
 * Overwrites relations with what the lines fill in; an empty cell changes nothing. An imported 计费截至 is what
 * was billed before this system, as with a new relation (CYC-4).
 */
async function updateRelations(tx: Tx, scope: Scope, lines: readonly ReadyRelation[]): Promise<void> {
  // The column `meter_id`, which the sheet does not have, carries the relation's id through the recordset.
  const { columns, as } = recordsetOf(
    feeRelation,
    lines.map(
      ({
        row: { sourceType: _sourceType, sourceName: _sourceName, standardId: _standardId, ...row },
        existing,
      }) => ({
        ...row,
        remark: row.remark,
        meterId: defined(existing).id,
      }),
    ),
  )
  const written = columns.filter(c => c !== 'meter_id')
  if (!written.length) return
  const assignments = written.map(c => sql`${sql.id(c)} = coalesce(r.${sql.id(c)}, t.${sql.id(c)})`)
  const runFloor = written.includes('billed_to')
    ? sql`run_floor = coalesce(r.billed_to, t.run_floor),`
    : sql``
  await tx.execute(
    sql`
      update fee_relation t
      set ${sql.join(assignments)}, ${runFloor} ${touch(scope, 't')}
      from ${as}
      where t.owner_id = ${scope.ownerId} and t.id = r.meter_id
    `,
  )
}

export const relationExport = exportHandlers<RelationListInput>({
  kind: 'fees.relation',
  name: '收费关联',
  calls: exportRelations,
  entity: feeRelation,
  columns: relationColumns,
  query: (q, { today }) => ({
    q: toRelationColumnFilters(q),
    find: { filters: relationFilters, where: relationConditions(q, today) },
  }),
})
