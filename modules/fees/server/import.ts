import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { importer } from '#kit/server/crud-import.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { sourceType } from '../contract/choices.ts'
import { feeRelation, relationFilters } from '../contract/relation.ts'
import { exportRelations, importRelations, relationColumns } from '../contract/transfer.ts'
import { listChargeableTypes } from './chargeable-objects.ts'
import { checkRelationRow } from './import-check.ts'
import { findSameRelation, loadImportSession, typeOf, type ExistingRelation } from './import-session.ts'
import { relationConditions, toRelationColumnFilters, type RelationListInput } from './relation-conditions.ts'

interface StandardName {
  readonly id: Id
  readonly code: string
  readonly name: string
  readonly isOn: boolean
}

const findStandardNames = (db: Db, ownerId: Id, projectCode: string): Promise<StandardName[]> =>
  db.rows<StandardName>(sql`
    select id, code, name, state = ${code(enabledState, 'on')} as is_on
    from fee_standard
    where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
    order by name
  `)

/** An imported 计费截至 is what was billed before this system: no run bills it again (CYC-4). */
const setRunFloors = (tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<number> =>
  tx.execute(sql`
    update fee_relation
    set run_floor = billed_to
    where owner_id = ${ownerId} and id = any(${[...ids]})
  `)

export const relationImporter = importer(feeRelation, {
  calls: importRelations,
  templateOptions: async (db, { scope, extraInput }) => {
    const standards = await findStandardNames(db, scope.ownerId, extraInput.projectCode)
    return {
      sourceType: listChargeableTypes().map(t => sourceType.rows[t][1]),
      standardId: standards
        .filter(s => s.isOn)
        .map(s => s.name)
        .slice(0, 500),
    }
  },
  load: async (db, { scope, extraInput }) => ({
    standardNames: await findStandardNames(db, scope.ownerId, extraInput.projectCode),
  }),
  references: {
    standardId: (name, { standardNames }) => {
      const byCode = standardNames.filter(s => s.code.toUpperCase() === name.toUpperCase())
      return (byCode.length ? byCode : standardNames.filter(s => s.name === name)).map(s => s.id)
    },
  },
  prepare: (db, { request, lines }) =>
    loadImportSession(db, request.scope, request.extraInput.projectCode, lines),
  find: (row, { data }): ExistingRelation | undefined => findSameRelation(data, row),
  rules: (row, existing, { data }) => checkRelationRow(data, row, existing),
  start: { state: 'charging' },
  values: (row, { data }, existing) => {
    const { sourceType: _type, sourceName: _name, standardId: _standard, ...cells } = row
    const object = defined(data.objectsOf(row)[0])
    const { item } = defined(data.standards.get(row.standardId))
    return existing
      ? cells
      : {
          ...row,
          sourceType: typeOf(row),
          sourceCode: object.code,
          sourceName: object.name,
          buildCode: object.buildCode,
          feeItemId: item.id,
          multi: item.allowMulti,
        }
  },
  insertOrder: ['sourceCode', 'standardId'],
  afterWrite: async (tx, { added, existing }, { request: { scope, mode } }) => {
    const written = [...added, ...(mode === 'update' ? existing : [])]
    const billedBefore = written.filter(({ values }) => values.billedTo !== undefined)
    if (billedBefore.length) {
      await setRunFloors(
        tx,
        scope.ownerId,
        billedBefore.map(({ id }) => id),
      )
    }
  },
  texts: {
    skipped: '已绑定，已跳过',
    unchanged: undefined,
    duplicate: '刚刚被其他人绑定了同一项目的标准，请核对后重新导入',
  },
})

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
