import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { department } from '#modules/staff/contract/department.ts'
import { staff } from '#modules/staff/contract/staff.ts'
import { staffTag } from '#modules/staff/contract/tag.ts'
import { createNamer, randomDay, type Random } from './names.ts'
import { seededRandom } from './random.ts'

const departmentTree: Readonly<Record<string, readonly (readonly [string, readonly string[]])[]>> = {
  物业服务中心: [
    ['客户服务部', ['客服主管', '客服管家', '前台']],
    ['工程维修部', ['工程主管', '电工', '水暖工', '电梯安全员']],
    ['秩序维护部', ['队长', '保安', '监控员']],
    ['环境管理部', ['保洁主管', '保洁员', '绿化工']],
  ],
  职能部门: [
    ['财务部', ['会计', '出纳', '收费员']],
    ['人事行政部', ['人事专员', '行政专员']],
  ],
}

/** People for the positions of each department: one for the first, several for the others. */
function planStaff(
  departments: readonly { readonly jobs: readonly string[] }[],
  ids: readonly Id[],
  perPosition: number,
  random: Random,
) {
  const namer = createNamer(random, '158')
  const people = departments.flatMap((part, i) =>
    part.jobs.flatMap((position, k) =>
      Array.from({ length: k ? perPosition : 1 }, () => ({
        name: namer.name(),
        mobile: namer.mobile(),
        gender: random(2) ? ('male' as const) : ('female' as const),
        departmentId: defined(ids[i]),
        position,
        entryDate: randomDay(random, 2018, 2025),
        state: random(15) ? ('active' as const) : ('trial' as const),
        isTicketSeller: position === '收费员',
        ...(position.includes('主管') ? { tags: ['骨干'] } : {}),
      })),
    ),
  )
  return people.map((s, i) => ({
    ...s,
    staffNo: `Y${String(i + 1).padStart(4, '0')}`,
    // Some have left: lists and trees show them only when asked.
    ...(i % 30 === 29 ? { state: 'left' as const, leaveDate: '2026-06-30' as const } : {}),
  }))
}

/** Departments and the people of the company. */
export async function seedStaff(tx: Tx, scope: Scope, seed: number, perPosition: number): Promise<void> {
  const random = seededRandom(seed)
  const divisionIds = await insertAll(
    tx,
    department,
    scope,
    Object.keys(departmentTree).map((name, i) => ({ name, sort: i + 1 })),
  )
  const departments = Object.values(departmentTree).flatMap((parts, i) =>
    parts.map(([name, jobs], k) => ({ name, jobs, parentId: defined(divisionIds[i]), sort: k + 1 })),
  )
  const ids = await insertAll(
    tx,
    department,
    scope,
    departments.map(({ name, parentId, sort }) => ({ name, parentId, sort })),
  )
  const numbered = planStaff(departments, ids, perPosition, random)
  const staffIds = await insertAll(tx, staff, scope, numbered)
  await tx.execute(
    sql`
      update staff t
      set search_text = x.search
      from unnest(
        ${staffIds}::bigint[],
        ${numbered.map(s => buildSearchText([s.name], [s.staffNo.toLowerCase(), s.mobile]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${scope.ownerId} and t.id = x.id
    `,
  )
  await tx.execute(
    sql`
      update department d
      set leader_id = (
        select min(s.id) from staff s where s.owner_id = ${scope.ownerId} and s.department_id = d.id
      )
      where d.owner_id = ${scope.ownerId}
    `,
  )
  await insertAll(tx, staffTag, scope, [
    { name: '骨干', color: 'blue', sort: 1 },
    { name: '党员', color: 'red', sort: 2 },
    { name: '新员工', color: 'green', sort: 3 },
  ])
}
