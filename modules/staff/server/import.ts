import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Done, Importer, Ready } from '#kit/server/import-job.ts'
import { exportHandlers } from '#kit/server/sheets.ts'
import { recordset } from '#kit/server/table.ts'
import type { Scope } from '#kit/server/scope.ts'
import { soughtBy } from '#kit/server/sought.ts'
import {
  exportStaff,
  importStaff,
  listStaff,
  staff,
  staffColumns,
  staffFilters,
  staffSheet,
  type StaffLine,
} from '../contract/staff.ts'
import { flatDepartments } from './department.ts'
import { searchOf } from './staff.ts'

interface There {
  readonly id: number
  readonly name: string
  readonly staffNo?: string
  readonly mobile?: string
}

const known = (db: Db, owner: number, nos: readonly string[], mobiles: readonly string[]): Promise<There[]> =>
  db.rows(
    sql`
      select id, name, staff_no, mobile
      from staff
      where owner_id = ${owner}
        and delete_tag = 0
        and (staff_no = any(${[...nos]}) or (mobile = any(${[...mobiles]}) and state <> 30))
    `,
  )

export const staffImporter: Importer<StaffLine, {}, There> = {
  kind: 'staff.staff',
  calls: importStaff,
  sheet: staffSheet,
  options: async (db, { scope }) => ({
    departmentId: (await flatDepartments(db, scope.ownerId)).map(d => d.name),
  }),
  open: async (db, { scope, mode }) => {
    const departments = await flatDepartments(db, scope.ownerId)
    let byNo = new Map<string, There>()
    let byMobile = new Map<string, There>()
    return {
      find: (_, name) => departments.filter(d => d.name === name).map(d => d.id),
      there: async settled => {
        const found = await known(
          db,
          scope.ownerId,
          settled.flatMap(l => l.row.staffNo ?? []),
          settled.flatMap(l => l.row.mobile ?? []),
        )
        byNo = new Map(found.flatMap(s => (s.staffNo ? [[s.staffNo, s] as const] : [])))
        byMobile = new Map(found.flatMap(s => (s.mobile ? [[s.mobile, s] as const] : [])))
        return new Map(
          settled.flatMap(l => {
            const t =
              (l.row.staffNo ? byNo.get(l.row.staffNo) : undefined) ??
              (l.row.mobile ? byMobile.get(l.row.mobile) : undefined)
            return t ? [[l.line, t] as const] : []
          }),
        )
      },
      check: (row, there) => {
        const faults: { column: string; says: string; remedy: string }[] = []
        if (there && there.name !== row.name) {
          faults.push({
            column: row.staffNo && there.staffNo === row.staffNo ? 'staffNo' : 'mobile',
            says: `已登记为「${there.name}」`,
            remedy: '核对姓名、工号和手机',
          })
        }
        const other = row.mobile ? byMobile.get(row.mobile) : undefined
        if (there && other && other.id !== there.id) {
          faults.push({ column: 'mobile', says: `该手机号是「${other.name}」的`, remedy: '核对手机号' })
        }
        return faults
      },
      apply: async (tx, ready) => {
        const done = new Map<number, Done>()
        await write(tx, scope, mode, ready, done)
        return done
      },
    }
  },
}

async function write(
  tx: Tx,
  scope: Scope,
  mode: string,
  ready: readonly Ready<StaffLine, There>[],
  done: Map<number, Done>,
): Promise<void> {
  const fresh = ready.filter(r => !r.there)
  const there = ready.filter(r => r.there)
  if (fresh.length) {
    const ids = (
      await tx.rows<{ id: number }>(
        sql`
          select nextval(pg_get_serial_sequence('staff', 'id')) as id
          from generate_series(1, ${fresh.length}::int)
        `,
      )
    ).map(r => r.id)
    const { columns, as } = recordset(
      staff,
      fresh.map(({ row }) => ({ state: 'active', gender: 'unknown', isTicketSeller: false, ...row })),
    )
    const made = new Set(
      (
        await tx.rows<{
          id: number
        }>(sql`
          insert into staff (
            owner_id, create_by, update_by, id, search_text, ${sql.join(columns.map(c => sql.id(c)))}
          )
          select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, x.id,
            x.search, ${sql.join(columns.map(c => sql`r.${sql.id(c)}`))}
          from (select *, row_number() over () as n from ${as}) r
          join unnest(
            ${ids}::bigint[], ${fresh.map(f => searchOf(f.row))}::text[]
          ) with ordinality x(id, search, n) on x.n = r.n on conflict do nothing
          returning id
        `)
      ).map(r => r.id),
    )
    for (const [i, f] of fresh.entries()) {
      done.set(
        f.line,
        made.has(ids[i]!)
          ? { did: 'added', says: '已导入' }
          : { did: 'failed', says: '工号或手机号与别的员工重复' },
      )
    }
  }
  for (const r of there) {
    done.set(r.line, { did: 'skipped', says: '已有此员工，已跳过' })
  }
  if (mode !== 'update' || !there.length) return
  const { columns, as } = recordset(
    staff,
    there.map(r => r.row),
  )
  const changed = new Set(
    (
      await tx.rows<{
        id: number
      }>(sql`
        update staff t
        set ${sql.join(columns.map(c => sql`${sql.id(c)} = coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))},
          search_text = r.search, version = t.version + 1, update_time = now(),
          update_by = ${scope.operatorId}
        from (
          select r.*, x.id as wanted, x.search
          from (select *, row_number() over () as n from ${as}) r
          join unnest(
            ${there.map(t => t.there!.id)}::bigint[],
            ${there.map(t => searchOf({ ...t.there!, ...t.row }))}::text[]
          ) with ordinality x(id, search, n) on x.n = r.n
        ) r
        where t.owner_id = ${scope.ownerId}
          and t.id = r.wanted
          and row(
            ${sql.join(columns.map(c => sql`coalesce(r.${sql.id(c)}, t.${sql.id(c)})`))}
          ) is distinct from row(${sql.join(columns.map(c => sql`t.${sql.id(c)}`))})
        returning t.id
      `)
    ).map(r => r.id),
  )
  for (const r of there) {
    done.set(
      r.line,
      changed.has(r.there!.id)
        ? { did: 'changed', says: '已覆盖' }
        : { did: 'skipped', says: '与系统里的一致，没有变化' },
    )
  }
}

export const staffExport = exportHandlers<NonNullable<typeof listStaff.input.T>>({
  kind: 'staff.staff',
  name: '员工',
  calls: exportStaff,
  entity: staff,
  columns: staffColumns,
  query: ({ departmentId, tag, keyword, ...q }) => ({
    q,
    find: {
      filters: staffFilters,
      where: [
        ...(departmentId === undefined
          ? []
          : [
              sql`t.department_id in (
                with recursive d as (
                  select id
                  from department
                  where owner_id = t.owner_id and id = ${departmentId}
                  union
                  select c.id
                  from department c
                  join d on c.parent_id = d.id
                  where c.owner_id = t.owner_id and c.delete_tag = 0
                )
                select id
                from d
              )`,
            ]),
        ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
        ...(keyword ? [soughtBy(keyword)] : []),
      ],
    },
  }),
})
