import { codeOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { ImportRequest, LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { recordsetOf } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { listRelations } from '../contract/relation-calls.ts'
import { scene, sourceType } from '../contract/choices.ts'
import { feeRelation, relationFilters } from '../contract/relation.ts'
import {
  exportRelations,
  importRelations,
  importProjectInput,
  relationColumns,
  relationSheet,
  type RelationLine,
} from '../contract/transfer.ts'
import { isSceneAllowed } from '../domain/definition-rules.ts'
import { loadChargeableStandards, type ChargeableStandard } from './chargeable-standards.ts'
import { listChargeableTypes, selectObjects, type SourceType } from './chargeable-objects.ts'
import { toRelationColumnFilters, relationConditions } from './relation.ts'

type RelationRow = Partial<RelationLine>
type ImportContext = ImportRequest<{ projectCode: string }>

interface SourceObject {
  readonly code: string
  readonly name: string
  readonly buildCode?: string
  readonly open: boolean
}

interface ExistingRelation {
  readonly id: number
  readonly sourceType: number
  readonly sourceCode: string
  readonly feeItemId: number
  readonly standardId: number
  readonly standard: string
  readonly beginDate?: string
  readonly endDate?: string
}

const minDay = '0001-01-01'
const maxDay = '9999-12-31'

const hasOverlap = (
  a: { beginDate?: string | undefined; endDate?: string | undefined },
  b: { beginDate?: string | undefined; endDate?: string | undefined },
): boolean =>
  (a.beginDate ?? minDay) <= (b.endDate ?? maxDay) && (b.beginDate ?? minDay) <= (a.endDate ?? maxDay)

const nameKeyOf = (type: SourceType, name: string): string => `${type} ${name.toUpperCase()}`

export const relationImporter: ImportDefinition<RelationLine, typeof importProjectInput, ExistingRelation> = {
  kind: 'fees.relation',
  calls: importRelations,
  sheet: relationSheet,
  templateOptions: async (db, { scope, more }) => ({
    sourceType: listChargeableTypes().map(t => sourceType.rows[t][1]),
    standardId: (
      await db.rows<{ name: string }>(
        sql`
          select name
          from fee_standard
          where owner_id = ${scope.ownerId}
            and project_code = ${more.projectCode}
            and state = 10
            and ${live()}
          order by name
          limit 500
        `,
      )
    ).map(s => s.name),
  }),
  openSession: async (db, ask) => {
    const {
      scope,
      mode,
      more: { projectCode },
    } = ask
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const standards = await db.rows<{ id: number; code: string; name: string }>(
      sql`
        select id, code, name
        from fee_standard
        where owner_id = ${scope.ownerId} and project_code = ${projectCode} and ${live()}
      `,
    )
    let defined: ReadonlyMap<number, ChargeableStandard> = new Map()
    const things = new Map<string, SourceObject[]>()
    const held = new Map<string, ExistingRelation[]>()
    const spans: { row: RelationRow; at: string; item: number }[] = []
    const thingOf = (row: RelationRow): SourceObject | undefined =>
      row.sourceName === undefined
        ? undefined
        : things.get(nameKeyOf(row.sourceType ?? 'room', row.sourceName))?.[0]
    const at = (row: RelationRow): string => `${row.sourceType ?? 'room'} ${thingOf(row)?.code ?? ''}`
    return {
      findReferences: (_, name) => {
        const exact = standards.filter(s => s.code.toUpperCase() === name.toUpperCase())
        return (exact.length ? exact : standards.filter(s => s.name === name)).map(s => s.id)
      },
      findExisting: async settled => {
        defined = await loadChargeableStandards(db, scope.ownerId, {
          ids: [...new Set(settled.flatMap(l => l.row.standardId ?? []))],
        })
        const kinds = listChargeableTypes().filter(k => settled.some(l => (l.row.sourceType ?? 'room') === k))
        // One statement for each type of object that the file speaks of.
        const found = await db.all<SourceObject[]>(
          ...kinds.map(k => {
            const names = [
              ...new Set(
                settled
                  .filter(l => (l.row.sourceType ?? 'room') === k)
                  .flatMap(l => l.row.sourceName?.toUpperCase() ?? []),
              ),
            ]
            return sql<SourceObject>`
              select code, name, build_code, open
              from (${selectObjects(scope, projectCode, k, {})}) o
              where upper(code) = any(${names}) or upper(name) = any(${names})
            `
          }),
        )
        for (const [i, k] of kinds.entries()) {
          for (const o of found[i]!) {
            for (const n of new Set([o.code, o.name])) {
              things.set(nameKeyOf(k, n), [...(things.get(nameKeyOf(k, n)) ?? []), o])
            }
          }
        }
        const codes = [...new Set(settled.flatMap(l => thingOf(l.row)?.code ?? []))]
        for (const h of await db.rows<ExistingRelation>(sql`
          select r.id, r.source_type, r.source_code, r.fee_item_id, r.standard_id, s.name as standard,
            r.begin_date, r.end_date
          from fee_relation r
          join fee_standard s on s.owner_id = r.owner_id and s.id = r.standard_id
          where r.owner_id = ${scope.ownerId}
            and r.project_code = ${projectCode}
            and r.source_code = any(${codes})
            and ${live('r')}
          order by r.id
        `)) {
          const k = `${Object.keys(sourceType.rows).find(x => sourceType.rows[x as SourceType][0] === h.sourceType)} ${h.sourceCode}`
          held.set(k, [...(held.get(k) ?? []), h])
        }
        for (const l of settled) {
          const d = defined.get(l.row.standardId ?? 0)
          if (d && thingOf(l.row)) {
            spans.push({ row: l.row, at: at(l.row), item: d.item.id })
          }
        }
        return new Map(
          settled.flatMap(l => {
            const same = held
              .get(at(l.row))
              ?.find(
                h =>
                  h.standardId === l.row.standardId &&
                  (l.row.beginDate === undefined || h.beginDate === l.row.beginDate),
              )
            return same ? [[l.line, same] as const] : []
          }),
        )
      },
      checkRow: (row, there) => {
        const faults: { column: string; says: string; remedy: string }[] = []
        const fault = (column: string, says: string, remedy: string): void => {
          faults.push({ column, says, remedy })
        }
        const type = row.sourceType ?? 'room'
        const found = row.sourceName === undefined ? [] : (things.get(nameKeyOf(type, row.sourceName)) ?? [])
        const d = defined.get(row.standardId ?? 0)
        if (!listChargeableTypes().includes(type)) {
          fault(
            'sourceType',
            `${sourceType.rows[type][1]}还不能绑定收费标准`,
            `填 ${listChargeableTypes()
              .map(t => sourceType.rows[t][1])
              .join('、')} 之一`,
          )
        } else if (row.sourceName !== undefined && !found.length) {
          fault(
            'sourceName',
            `没有${sourceType.rows[type][1]}「${row.sourceName}」`,
            '核对名称或编码，房屋写成 1-1-101',
          )
        } else if (found.length > 1) {
          fault(
            'sourceName',
            `有 ${found.length} 个${sourceType.rows[type][1]}叫「${row.sourceName}」`,
            '改填编码',
          )
        } else if (found[0] && !found[0].open) {
          fault('sourceName', `「${row.sourceName}」已停用`, '先启用，或删去这一行')
        }
        if (row.beginDate && row.endDate && row.endDate < row.beginDate) {
          fault('endDate', '止收日期不能早于起收日期', '核对起止日期')
        }
        if (!d || !listChargeableTypes().includes(type)) return faults
        if (d.standard.state === 'off' || d.item.state === 'off') {
          fault(
            'standardId',
            `${d.standard.state === 'off' ? '标准' : '收费项目'}已停用`,
            '先启用，或换一个标准',
          )
        }
        if (!isSceneAllowed(d.item.scene, type)) {
          fault(
            'standardId',
            `收费项目「${d.item.name}」的适用场景是${scene.rows[d.item.scene][1]}`,
            '换一个标准',
          )
        }
        if (d.standard.startRule === 'given' && !row.beginDate && !there) {
          fault('beginDate', '这个标准从指定日期起收', '填写起收日期')
        }
        if (row.billedTo && row.beginDate && row.billedTo < row.beginDate) {
          fault('billedTo', '计费截至早于起收日期', '没有计过费就留空')
        }
        if (d.item.allowMulti || found.length !== 1) return faults
        const other = held
          .get(at(row))
          ?.find(h => h.feeItemId === d.item.id && h.id !== there?.id && hasOverlap(h, row))
        if (other) {
          fault(
            'sourceName',
            `${other.beginDate ? `${other.beginDate} 起` : ''}${other.endDate ? `至 ${other.endDate} ` : ''}已按「${other.standard}」收费`,
            '先结束它，或错开起止日期',
          )
        }
        const twin = spans.find(
          s =>
            s.row !== row &&
            s.at === at(row) &&
            s.item === d.item.id &&
            hasOverlap(s.row, row) &&
            !(s.row.standardId === row.standardId && s.row.beginDate === row.beginDate),
        )
        if (twin) {
          fault('sourceName', '表里另一行在这段时间按同一项目的标准收费', '错开起止日期，或删去一行')
        }
        return faults
      },
      apply: (tx, ready) => writeRelations(tx, ask, mode, ready, thingOf, defined),
    }
  },
}

async function writeRelations(
  tx: Tx,
  { scope, more: { projectCode } }: ImportContext,
  mode: string,
  ready: readonly ReadyLine<RelationLine, ExistingRelation>[],
  thingOf: (row: RelationRow) => SourceObject | undefined,
  defined: ReadonlyMap<number, ChargeableStandard>,
): Promise<ReadonlyMap<number, LineResult>> {
  const done = new Map<number, LineResult>()
  const fresh = ready.filter(r => !r.existing)
  const there = ready.filter(r => r.existing)
  if (fresh.length) {
    const { columns, as } = recordsetOf(
      feeRelation,
      fresh.map(({ row }) => {
        const o = thingOf(row)!
        const d = defined.get(row.standardId)!
        return {
          ...row,
          projectCode,
          sourceType: row.sourceType ?? 'room',
          sourceCode: o.code,
          sourceName: o.name,
          buildCode: o.buildCode,
          feeItemId: d.item.id,
          multi: d.item.allowMulti,
          state: 'charging',
        }
      }),
    )
    const made = new Set(
      (
        await tx.rows<{
          k: string
        }>(sql`
          insert into fee_relation (
            owner_id, create_by, update_by, run_floor, ${sql.join(columns.map(c => sql.id(c)))}
          )
          select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
            ${columns.includes('billed_to') ? sql`r.billed_to` : sql`null`},
            ${sql.join(columns.map(c => sql`r.${sql.id(c)}`))}
          from ${as}
          order by r.source_code, r.standard_id
          on conflict do nothing
          returning source_type || ' ' || source_code || ' ' || standard_id || ' ' || coalesce(begin_date::text, '') as k
        `)
      ).map(r => r.k),
    )
    for (const f of fresh) {
      done.set(
        f.line,
        made.has(
          `${codeOf(sourceType, f.row.sourceType ?? 'room')} ${thingOf(f.row)!.code} ${f.row.standardId} ${f.row.beginDate ?? ''}`,
        )
          ? { did: 'added', says: '已导入' }
          : { did: 'failed', says: '刚刚被其他人绑定了同一项目的标准，请核对后重新导入' },
      )
    }
  }
  for (const r of there) {
    done.set(r.line, { did: 'skipped', says: '已绑定，已跳过' })
  }
  if (mode !== 'update' || !there.length) return done
  const { columns, as } = recordsetOf(
    feeRelation,
    there.map(({ row: { sourceType: _, sourceName: __, standardId: ___, ...row }, existing: t }) => ({
      ...row,
      remark: row.remark,
      meterId: t!.id,
    })),
  )
  const own = columns.filter(c => c !== 'meter_id')
  const kept = (c: string): RawBuilder<any> => sql`coalesce(r.${sql.id(c)}, t.${sql.id(c)})`
  // `meter_id` carries the relation's number through the set; what a cell leaves empty stays. A 计费截至 that is
  // brought is the books' before ours, as with a new one (CYC-4).
  if (own.length) {
    await tx.execute(
      sql`
        update fee_relation t
        set ${sql.join(own.map(c => sql`${sql.id(c)} = ${kept(c)}`))},
          ${own.includes('billed_to') ? sql`run_floor = coalesce(r.billed_to, t.run_floor),` : sql``} ${touch(scope, 't')}
        from ${as}
        where t.owner_id = ${scope.ownerId} and t.id = r.meter_id
      `,
    )
  }
  for (const r of there) {
    done.set(r.line, { did: 'changed', says: '已覆盖' })
  }
  return done
}

type RelationListInput = NonNullable<typeof listRelations.input.T>

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
