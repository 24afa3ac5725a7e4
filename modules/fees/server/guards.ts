import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { holds } from '#kit/server/guard.ts'
import { cron } from '#kit/server/jobs.ts'
import { rows } from '#kit/server/table.ts'
import type { SectionLine } from '#modules/rooms/contract/board.ts'
import { residentSection } from '#modules/residents/server/public.ts'
import { panelSection, roomMoved, roomsRepathed } from '#modules/rooms/server/public.ts'
import { relationState, sourceType } from '../contract/choices.ts'
import { feeRelation } from '../contract/relation.ts'
import { menu } from '../module.ts'
import { allObjects, type SourceType } from './objects.ts'
import { ofUser } from './relation.ts'

/** BASE-5: what is still charged stays. `key` is what relations know it by. */
const charged = (entity: string, type: SourceType, key: string): void =>
  holds(entity, async (tx, scope, [r]) => [
    {
      what: '收费关联',
      count: (await tx.one<{ n: number }>(sql`
        select count(*)::int as n
        from fee_relation
        where owner_id = ${scope.ownerId}
          and project_code = ${r.projectCode}
          and source_type = ${codeOf(sourceType, type) as number}
          and source_code = ${r[key]}
          and delete_tag = 0
          and state <> 30
          and (end_date is null or end_date >= current_date)
      `))!.n,
    },
  ])

charged('room', 'room', 'code')
charged('parkPlace', 'parkPlace', 'code')
charged('publicArea', 'publicArea', 'code')
charged('company', 'company', 'companyNo')

roomMoved(async (tx, scope, r) => {
  await tx.run(
    sql`
      update fee_relation t
      set build_code = r.build_code, source_name = r.path
      from room r
      where r.owner_id = ${scope.ownerId}
        and r.id = ${r.id}
        and t.owner_id = r.owner_id
        and t.project_code = r.project_code
        and t.source_type = 10
        and t.source_code = r.code
        and t.delete_tag = 0
    `,
  )
})

roomsRepathed(async (tx, scope, b) => {
  await tx.run(
    sql`
      update fee_relation t
      set source_name = r.path
      from room r
      where r.owner_id = ${scope.ownerId}
        and r.project_code = ${b.projectCode}
        and r.build_code = ${b.buildCode}
        and r.delete_tag = 0
        and t.owner_id = r.owner_id
        and t.project_code = r.project_code
        and t.source_type = 10
        and t.source_code = r.code
        and t.delete_tag = 0
        and t.source_name <> r.path
    `,
  )
})

/**
 * Places, areas and companies that were given another name since they were bound. May run any number of
 * times.
 */
export const renamed = cron({
  name: 'fees-names',
  at: '18 0 * * *',
  run: async world => {
    await world.store.tx('*', tx =>
      tx.run(
        sql`
          update fee_relation t
          set source_name = o.name, build_code = o.build_code
          from (${allObjects()}) o
          where t.owner_id = o.owner_id
            and t.project_code = o.project_code
            and t.source_type = o.type
            and t.source_code = o.code
            and t.delete_tag = 0
            and (t.source_name <> o.name or t.build_code is distinct from o.build_code)
        `,
      ),
    )
  },
})

panelSection({
  key: 'fees',
  order: 350,
  needs: menu.relation.may.view,
  load: async ({ db, scope, room }) => {
    const found = await rows(
      db,
      feeRelation,
      scope,
      { projectCode: room.projectCode, order: 'feeItemId,-beginDate' } as never,
      { where: [sql`t.source_type = 10 and t.source_code = ${room.code} and t.state <> 30`], limit: 20 },
    )
    return found.length
      ? {
          title: '收费标准',
          count: found.length,
          lines: found.map((r): SectionLine => ({
            label: r.feeItemName ?? '',
            value: r.standardName ?? '',
            note: r.billedTo ? `计费至 ${r.billedTo}` : '未计费',
            tone: relationState.rows[r.state][2] ?? 'doing',
          })),
        }
      : undefined
  },
})

residentSection({
  key: 'fees',
  order: 350,
  needs: menu.relation.may.view,
  load: async ({ db, scope, person }) => {
    const found = await rows(
      db,
      feeRelation,
      scope,
      { order: 'sourceName,feeItemId' },
      { where: [ofUser(scope.ownerId, person.id), sql`t.state <> 30`], limit: 50 },
    )
    return found.length
      ? {
          title: '收费标准',
          count: found.length,
          lines: found.map((r): SectionLine => ({
            label: r.sourceName,
            value: [r.feeItemName, r.standardName].filter(Boolean).join(' · '),
            note: r.billedTo ? `计费至 ${r.billedTo}` : '未计费',
            tone: relationState.rows[r.state][2] ?? 'doing',
          })),
        }
      : undefined
  },
})
