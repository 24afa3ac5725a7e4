import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { buildSearchText, tripleCharacters, normalizeName, syllables } from '#kit/domain/search-text.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { reads, type WriteContext } from '#kit/server/handler.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  departments,
  getDepartmentTree,
  getStaffTree,
  type Department,
  type DepartmentNode,
  type StaffLeaf,
} from '../contract/department.ts'
import { staffState } from '../contract/labels.ts'
import {
  findParentFault,
  pruneTree,
  buildDepartmentTree,
  type FlatDepartment,
} from '../domain/department-tree.ts'

const resigned = code(staffState, 'left')

export const loadFlatDepartments = (db: Db, ownerId: Id): Promise<FlatDepartment[]> =>
  db.rows(sql`
    select id, name, parent_id, coalesce(sort, 0) as sort
    from department
    where owner_id = ${ownerId} and ${notDeleted()}
    order by sort, name, id
  `)

const matchesWord = (text: string, word: string): boolean =>
  text.includes(/[\u0080-\uffff]/.test(word) ? tripleCharacters(word) : word)

/** The tree with what a keyword leaves of it: departments and people by name, pinyin or initials. */
const searchTree = (tree: DepartmentNode[], keyword: string | undefined): DepartmentNode[] => {
  const word = normalizeName(keyword ?? '')
  // Signs alone, which names are compared without, find nothing.
  if (!word) return keyword?.trim() ? [] : tree
  return pruneTree(
    tree,
    n => matchesWord(buildSearchText([n.name]), word),
    s => matchesWord(buildSearchText([s.staffName]), word),
  )
}

interface StaffRow {
  departmentId?: Id
  id: Id
  name: string
  position?: string
  head?: string
  state: number
  managerId?: Id
}

/** Who works in each department; under 0 those who are in none. */
async function loadStaffLeaves(
  db: Db,
  ownerId: Id,
  withLeft: boolean,
): Promise<ReadonlyMap<Id, readonly StaffLeaf[]>> {
  const all = await db.rows<StaffRow>(sql`
    select department_id, id, name, position, head, state, manager_id
    from staff
    where owner_id = ${ownerId} and ${notDeleted()} ${withLeft ? sql`` : sql`and state <> ${resigned}`}
    order by name, id
  `)
  const leaf = ({ id, name, position, head, state, managerId }: StaffRow): StaffLeaf => {
    const spelled = syllables(name)
    return {
      staffId: id,
      staffName: name,
      state: defined(keyOf(staffState, state)),
      search: `${spelled.join('')} ${spelled.map(x => x[0]).join('')}`,
      ...(position ? { position } : {}),
      ...(head ? { headUrl: head } : {}),
      ...(managerId ? { managerId } : {}),
    }
  }
  return new Map([...Map.groupBy(all, s => s.departmentId ?? 0)].map(([d, some]) => [d, some.map(leaf)]))
}

async function departmentFaults(
  draft: { readonly parentId?: Id; readonly leaderId?: Id },
  { tx, scope }: WriteContext,
  before: Department | undefined,
): Promise<FieldFault[]> {
  const all = await loadFlatDepartments(tx, scope.ownerId)
  const fault = findParentFault(all, before?.id, draft.parentId)
  if (fault) return [{ Field: 'ParentID', Message: fault }]
  if (!draft.leaderId) return []
  const leader = await tx.one(sql`
    select 1 as found
    from staff
    where owner_id = ${scope.ownerId} and id = ${draft.leaderId} and ${notDeleted()} and state <> ${resigned}
  `)
  return leader ? [] : [{ Field: 'LeaderID', Message: '负责人不存在或已离职，请重新选择' }]
}

/** One at a time: two moves that would make a circle together. */
const lockDepartments = (tx: Tx, ownerId: Id): Promise<unknown> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`departments ${ownerId}`}, 0))`)

registerDependentRows(
  'department',
  {
    label: '员工',
    table: 'staff',
    where: (d: Department) => sql`department_id = ${d.id} and state <> ${resigned}`,
  },
  { label: '下级部门', table: 'department', where: (d: Department) => sql`parent_id = ${d.id}` },
)

export const departmentTreeHandlers = [
  reads(getDepartmentTree, async ({ keyword, withLeft }, { db, scope }) => {
    const counted = await db.rows<{ id: Id; n: number }>(sql`
      select department_id as id, count(*)::int as n
      from staff
      where owner_id = ${scope.ownerId}
        and ${notDeleted()}
        and (${withLeft ?? false} or state <> ${resigned})
        and department_id is not null
      group by 1
    `)
    const counts = new Map(counted.map(r => [r.id, r.n]))
    const all = await loadFlatDepartments(db, scope.ownerId)
    return searchTree(buildDepartmentTree(all, new Map(), counts), keyword)
  }),
  reads(getStaffTree, async ({ keyword, withLeft }, { db, scope }) => {
    const all = await loadStaffLeaves(db, scope.ownerId, withLeft ?? false)
    const alone = all.get(0)
    const tree = buildDepartmentTree(await loadFlatDepartments(db, scope.ownerId), all)
    return searchTree(
      alone?.length
        ? [...tree, { id: 0, name: '未分配部门', count: alone.length, staffs: alone, children: [] }]
        : tree,
      keyword,
    )
  }),
]

export const departmentServer = crudHandlers(departments, {
  unique: { department_name_live: '同一上级下已有同名部门' },
  lock: ({ tx, scope }) => lockDepartments(tx, scope.ownerId),
  check: departmentFaults,
  afterDelete: async (deleted, { tx, scope }) => {
    await tx.execute(sql`
      update staff
      set department_id = null
      where owner_id = ${scope.ownerId}
        and department_id = any(${deleted.map(d => d.id)})
        and state = ${resigned}
    `)
  },
})
