import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { recordsetOf } from '#kit/server/table.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { live, touch } from '#kit/server/sql.ts'
import {
  exportStaff,
  importStaff,
  listStaff,
  staff,
  staffSheetColumns,
  staffFilters,
  staffSheet,
  type StaffImportLine,
} from '../contract/staff.ts'
import { loadFlatDepartments } from './department.ts'
import { buildStaffSearchText } from './staff.ts'

interface ExistingStaff {
  readonly id: number
  readonly name: string
  readonly staffNo?: string
  readonly mobile?: string
}

const findExistingStaff = (
  db: Db,
  owner: number,
  nos: readonly string[],
  mobiles: readonly string[],
): Promise<ExistingStaff[]> =>
  db.rows(
    sql`
      select id, name, staff_no, mobile
      from staff
      where owner_id = ${owner}
        and ${live()}
        and (staff_no = any(${[...nos]}) or (mobile = any(${[...mobiles]}) and state <> 30))
    `,
  )

export const staffImporter: ImportDefinition<StaffImportLine, {}, ExistingStaff> = {
  kind: 'staff.staff',
  calls: importStaff,
  sheet: staffSheet,
  templateOptions: async (db, { scope }) => ({
    departmentId: (await loadFlatDepartments(db, scope.ownerId)).map(d => d.name),
  }),
  openSession: async (db, { scope, mode }) => {
    const departments = await loadFlatDepartments(db, scope.ownerId)
    let byNo = new Map<string, ExistingStaff>()
    let byMobile = new Map<string, ExistingStaff>()
    return {
      findReferences: (_, name) => departments.filter(d => d.name === name).map(d => d.id),
      findExisting: async settled => {
        const found = await findExistingStaff(
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
      checkRow: (row, there) => {
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
        const done = new Map<number, LineResult>()
        await writeStaff(tx, scope, mode, ready, done)
        return done
      },
    }
  },
}

async function writeStaff(
  tx: Tx,
  scope: Scope,
  mode: string,
  ready: readonly ReadyLine<StaffImportLine, ExistingStaff>[],
  done: Map<number, LineResult>,
): Promise<void> {
  const fresh = ready.filter(r => !r.existing)
  const there = ready.filter(r => r.existing)
  if (fresh.length) {
    const ids = (
      await tx.rows<{ id: number }>(
        sql`
          select nextval(pg_get_serial_sequence('staff', 'id')) as id
          from generate_series(1, ${fresh.length}::int)
        `,
      )
    ).map(r => r.id)
    const { columns, as } = recordsetOf(
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
            ${ids}::bigint[], ${fresh.map(f => buildStaffSearchText(f.row))}::text[]
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
  const { columns, as } = recordsetOf(
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
          search_text = r.search, ${touch(scope, 't')}
        from (
          select r.*, x.id as wanted, x.search
          from (select *, row_number() over () as n from ${as}) r
          join unnest(
            ${there.map(t => t.existing!.id)}::bigint[],
            ${there.map(t => buildStaffSearchText({ ...t.existing!, ...t.row }))}::text[]
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
      changed.has(r.existing!.id)
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
  columns: staffSheetColumns,
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
                  where c.owner_id = t.owner_id and ${live('c')}
                )
                select id
                from d
              )`,
            ]),
        ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
        ...(keyword ? [matchesSearchText(keyword)] : []),
      ],
    },
  }),
})
