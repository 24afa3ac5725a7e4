import { keyOf } from '#kit/contract/field.ts'
import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { searchTextOf, spread, squeezed, syllables } from '#kit/domain/spell.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { holds, mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, insert, page, remove, update, whole } from '#kit/server/table.ts'
import {
  addDepartment,
  deleteDepartments,
  department,
  departmentTree,
  editDepartment,
  listDepartments,
  staffTree,
  type DepartmentNode,
  type StaffLeaf,
} from '../contract/department.ts'
import { staffState } from '../contract/words.ts'
import { placeFault, pruned, treeOf, type Flat } from '../domain/tree.ts'

uniqueSays({ department_name_live: '同一上级下已有同名部门' })

export const flatDepartments = (db: Db, owner: number): Promise<Flat[]> =>
  db.rows(
    sql`
      select id, name, parent_id, coalesce(sort, 0) as sort
      from department
      where owner_id = ${owner} and delete_tag = 0
      order by sort, name, id
    `,
  )

const fits = (text: string, word: string): boolean =>
  text.includes(/[\u0080-\uffff]/.test(word) ? spread(word) : word)

/** The tree with what a keyword leaves of it: departments and people by name, pinyin or initials. */
const sought = (tree: DepartmentNode[], keyword: string | undefined): DepartmentNode[] => {
  const word = squeezed(keyword ?? '')
  return word
    ? pruned(
        tree,
        n => fits(searchTextOf([n.name]), word),
        s => fits(searchTextOf([s.staffName]), word),
      )
    : tree
}

interface Found {
  departmentId?: number
  id: number
  name: string
  position?: string
  head?: string
  state: number
  managerId?: number
}

/** Who works in each department; under 0 those who are in none. */
async function leaves(
  db: Db,
  owner: number,
  withLeft: boolean,
): Promise<ReadonlyMap<number, readonly StaffLeaf[]>> {
  const all = await db.rows<Found>(
    sql`
      select department_id, id, name, position, head, state, manager_id
      from staff
      where owner_id = ${owner} and delete_tag = 0 ${withLeft ? sql`` : sql`and state <> 30`}
      order by name, id
    `,
  )
  const leaf = ({ id, name, position, head, state, managerId }: Found): StaffLeaf => {
    const spelled = syllables(name)
    return {
      staffId: id,
      staffName: name,
      state: keyOf(staffState, state)!,
      search: `${spelled.join('')} ${spelled.map(x => x[0]).join('')}`,
      ...(position ? { position } : {}),
      ...(head ? { headUrl: head } : {}),
      ...(managerId ? { managerId } : {}),
    }
  }
  return new Map([...Map.groupBy(all, s => s.departmentId ?? 0)].map(([d, some]) => [d, some.map(leaf)]))
}

async function placed(
  tx: Tx,
  scope: Scope,
  id: number | undefined,
  d: { readonly parentId?: number; readonly leaderId?: number },
): Promise<void> {
  const all = await flatDepartments(tx, scope.ownerId)
  if (d.parentId && !all.some(x => x.id === d.parentId))
    throw wrong([{ Field: 'ParentID', Message: '上级部门不存在，请重新选择' }])
  const fault = placeFault(all, id, d.parentId)
  if (fault) throw wrong([{ Field: 'ParentID', Message: fault }])
  if (
    d.leaderId &&
    !(await tx.one(
      sql`
        select 1 as there
        from staff
        where owner_id = ${scope.ownerId} and id = ${d.leaderId} and delete_tag = 0 and state <> 30
      `,
    ))
  )
    throw wrong([{ Field: 'LeaderID', Message: '负责人不存在或已离职，请重新选择' }])
}

/** One at a time: two moves that would make a circle together. */
const alone = (tx: Tx, owner: number): Promise<unknown> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`departments ${owner}`}, 0))`)

holds('department', async (tx, scope, [d]) => {
  const n = await tx.one<{
    staff: number
    children: number
  }>(sql`
    select (
      select count(*)
      from staff
      where owner_id = ${scope.ownerId} and department_id = ${d.id} and delete_tag = 0 and state <> 30
    )::int as staff,
      (
        select count(*)
        from department
        where owner_id = ${scope.ownerId} and parent_id = ${d.id} and delete_tag = 0
      )::int as children
  `)
  return [
    { what: '员工', count: n!.staff },
    { what: '下级部门', count: n!.children },
  ]
})

export const departmentHandlers = [
  reads(departmentTree, async ({ keyword }, { db, scope }) => {
    const counts = new Map(
      (
        await db.rows<{ id: number; n: number }>(
          sql`
            select department_id as id, count(*)::int as n
            from staff
            where owner_id = ${scope.ownerId}
              and delete_tag = 0
              and state <> 30
              and department_id is not null
            group by 1
          `,
        )
      ).map(r => [r.id, r.n]),
    )
    return sought(treeOf(await flatDepartments(db, scope.ownerId), new Map(), counts), keyword)
  }),
  reads(staffTree, async ({ keyword, withLeft }, { db, scope }) => {
    const all = await leaves(db, scope.ownerId, withLeft ?? false)
    const alone = all.get(0)
    const tree = treeOf(await flatDepartments(db, scope.ownerId), all)
    return sought(
      alone?.length
        ? [...tree, { id: 0, name: '未分配部门', count: alone.length, staffs: alone, children: [] }]
        : tree,
      keyword,
    )
  }),
  reads(listDepartments, ({ ids, ...q }, { db, scope }) =>
    page(db, department, scope, q, {
      filters: listDepartments.input.filters!,
      where: ids ? [sql`t.id = any(${ids.map(Number).filter(Number.isSafeInteger)})`] : [],
    }),
  ),
  writes(addDepartment, async ({ id: _, version: __, ...d }, { tx, scope }) => {
    await alone(tx, scope.ownerId)
    await placed(tx, scope, undefined, d)
    return insert(tx, department, scope, { ...d, sort: d.sort ?? 0 })
  }),
  writes(editDepartment, async ({ id, version, ...d }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的部门')
    await alone(tx, scope.ownerId)
    if (!(await byIds(tx, department, scope, [id], true)).length) throw absent()
    await placed(tx, scope, id, d)
    return update(tx, department, scope, id, whole(editDepartment.input, d), { version })
  }),
  writes(deleteDepartments, async ({ ids, reason }, { tx, scope }) => {
    await alone(tx, scope.ownerId)
    for (const d of await byIds(tx, department, scope, ids, true)) {
      await mayGo(tx, scope, 'department', `部门「${d.name}」`, [d])
    }
    await remove(tx, department, scope, ids, reason)
    await tx.run(
      sql`
        update staff
        set department_id = null
        where owner_id = ${scope.ownerId} and department_id = any(${ids.map(Number)}) and state = 30
      `,
    )
  }),
]
