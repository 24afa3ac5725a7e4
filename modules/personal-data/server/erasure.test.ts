import { afterAll, beforeAll, expect, it } from 'vitest'
import pg from 'pg'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { normalizeName } from '#kit/domain/search-text.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { clockScope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { addResident, listResidents, type Resident } from '#modules/residents/contract/resident.ts'
import {
  endErasure,
  approveErasure,
  executeErasure,
  getErasure,
  listErasures,
  listMentions,
  previewErasure,
  saveMentions,
  registerErasure,
} from '../contract/erasure.ts'
import { exportPerson, findPeople, getPersonReport } from '../contract/person.ts'
import { menu } from '../module.ts'
import { releaseDueHolds } from './holds.ts'

let t: GoldenApp
let me: CallOptions
let approver: Awaited<ReturnType<GoldenApp['addClerk']>>
let room: { id: Id; code: string; buildCode: string }
let count = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  approver = await t.addClerk([menu.erasure.permissions.view.key, menu.erasure.permissions.approve.key])
  room = defined(
    await t.database.reader(t.ownerId).one(sql`
      select id, code, build_code
      from room
      where owner_id = ${t.ownerId} and project_code = 'GOLD0001' and delete_tag = 0
      order by id
      limit 1
    `),
  )
})

afterAll(() => t?.close())

const read = <T>(statement: Statement<T>): Promise<T[]> => t.database.reader(t.ownerId).rows<T>(statement)
const write = (statement: Statement) => t.database.tx(t.ownerId, tx => tx.execute(statement))

/** Somebody who has left everything settled, with traces wherever the product leaves them. */
async function addFormerResident(name: string): Promise<Resident & { mobile: string; certNo: string }> {
  count++
  const mobile = `1370000${String(7000 + count)}`
  const certNo = `G${String(80000000 + count)}`
  const photo = await t.app.files.save(t.ownerId, t.managerId, {
    name: `${name}.jpg`,
    type: 'image/jpeg',
    bytes: new Uint8Array([1, 2, 3]),
  })
  const person = await t.call(
    addResident,
    {
      homeProject: 'GOLD0001',
      name,
      mobile,
      userType: 'person',
      certType: 'passport',
      certNo,
      email: `p${count}.person@example.com`,
      emergencyName: '紧急联系甲',
      emergencyPhone: '13600000001',
      state: 'normal',
      remark: `${name}的备用钥匙在前台`,
    },
    me,
  )
  await write(sql`update resident set photo = ${photo} where owner_id = ${t.ownerId} and id = ${person.id}`)
  await write(sql`
    insert into user_room (
      owner_id, project_code, user_id, room_id, build_code, relation, is_main, is_payer, in_date, out_date,
      status, apply_source, remark
    )
    values (
      ${t.ownerId}, 'GOLD0001', ${person.id}, ${room.id}, ${room.buildCode}, 30, false, false, '2024-01-01',
      '2025-01-01', 30, 10, ${`电话${mobile}`}
    )
  `)
  return { ...person, mobile, certNo }
}

async function addTraces({ id, name, mobile, certNo }: Resident & { mobile: string; certNo: string }) {
  const { ownerId } = t
  await write(sql`
    insert into work_order (
      owner_id, project_code, order_no, type_id, type_name, category, source, room_code, build_code,
      reporter_id, reporter_name, reporter_phone, title, content, level, state, register_time, limits,
      search_text
    )
    select ${ownerId}::bigint, 'GOLD0001', ${`GD-T-${count}`}, k.id, k.type_name, k.category, 10,
      ${room.code}, ${room.buildCode}, ${id}, ${name}, ${mobile}, '漏水', ${`${name}来电 ${mobile}：漏水`}, 10,
      80, '2026-11-01', '{}', ${`${name} ${mobile}`}
    from work_order_type k
    where k.owner_id = ${ownerId}
    limit 1
    returning id
  `)
  await write(sql`
    insert into pay_record (
      owner_id, project_code, record_no, record_type, source_name, build_code, payer_kind, payer_id, payer_name,
      principal_amount, tendered_amount, pay_method, methods, pay_time, pay_day, cashier_name, state
    )
    values (
      ${ownerId}, 'GOLD0001', ${`SK-T-${count}`}, 10, '1-101', ${room.buildCode}, 1, ${id}, ${name}, 12.50, 12.50,
      10, '[]', '2026-11-01', '2026-11-01', '收费员甲', 10
    )
  `)
  await write(sql`
    insert into notification (owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body)
    values (${ownerId}, ${t.managerId}, 10, 10, 'test', 10, '退租', ${`${name}（${mobile}，${certNo}）已退租`})
  `)
  await write(sql`
    insert into property_suggest (owner_id, project_code, user_kind, user_id, user_name, mobile, content)
    values (${ownerId}, 'GOLD0001', 20, 0, ${name}, ${mobile}, '路灯不亮')
  `)
  await t.database.tx(ownerId, tx =>
    audit(tx, clockScope(t.app, ownerId), [
      {
        action: 'update',
        entity: 'room',
        entityId: room.id,
        before: { ownerName: name },
        after: { phone: mobile },
      },
    ]),
  )
}

/** Where a text stands in the whole database, as `table.column`. */
async function placesOf(texts: readonly string[]): Promise<string[]> {
  const client = new pg.Client(t.database.url)
  await client.connect()
  await client.query(`select set_config('app.owner_id', '*', false)`)
  const { rows: columns } = await client.query<{ table: string; column: string }>(`
    select c.relname as table, a.attname as column
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and format_type(a.atttypid, a.atttypmod) in ('text', 'text[]', 'json', 'jsonb')
    order by 1, 2
  `)
  const places: string[] = []
  for (const { table, column } of columns) {
    const { rows } = await client.query(
      `select 1 from "${table}" where exists (select 1 from unnest($1::text[]) x where strpos("${column}"::text, x) > 0) limit 1`,
      [texts],
    )
    if (rows.length) {
      places.push(`${table}.${column}`)
    }
  }
  await client.end()
  return places
}

const moneyTotals = () =>
  read(sql`
    select (select sum(amount) from bill where owner_id = ${t.ownerId}) as billed,
      (select sum(unpaid) from bill where owner_id = ${t.ownerId}) as unpaid,
      (select sum(tendered_amount) from pay_record where owner_id = ${t.ownerId}) as received,
      (select sum(balance) from prestore_account where owner_id = ${t.ownerId}) as prestored,
      (select sum(balance) from deposit where owner_id = ${t.ownerId}) as deposits
  `)

const keyOf = ({ id }: Pick<Resident, 'id'>) => ({ personKind: 'resident', personId: id })
const register = (person: Pick<Resident, 'id'>, as = me) =>
  t.call(registerErasure, { ...keyOf(person), applicant: 'self', reason: '本人要求删除' }, as)
/** Somebody else looks at what may be meant, confirms all of it or none, and approves. */
async function approve(id: Id, isAll = false): Promise<void> {
  const { mentions } = await t.call(listMentions, { id }, me)
  const confirmed = isAll ? mentions.map(({ tableName, rowKey }) => ({ tableName, rowKey })) : []
  await t.call(saveMentions, { id, mentions: confirmed }, me)
  await t.call(approveErasure, { id }, approver.as)
}

const execute = (id: Id, personName: string) =>
  t.call(executeErasure, { id, confirmed: true, personName }, me)

async function approveAndExecute(id: Id, personName: string, isAll = false) {
  await approve(id, isAll)
  return execute(id, personName)
}

it('what is kept of somebody is found by name, telephone and document, table by table, masked', async () => {
  const person = await addFormerResident('欧阳查询')
  await addTraces(person)
  for (const keyword of [person.name, person.mobile, person.certNo]) {
    const [found] = await t.call(findPeople, { keyword }, me)
    expect(found).toMatchObject({ personKind: 'resident', personId: person.id, kindLabel: '住户' })
    expect(defined(found).mobile).not.toBe(person.mobile)
  }
  const { tables, transient } = await t.call(getPersonReport, keyOf(person), me)
  const by = new Map(tables.map(line => [line.tableName, line]))
  expect(by.get('resident')).toMatchObject({
    label: '住户',
    rowCount: 1,
    treatment: 'anonymised',
    ground: 'contract',
  })
  expect(by.get('pay_record')).toMatchObject({ treatment: 'kept', ground: 'law', until: '30 年' })
  expect(defined(by.get('pay_record')).keptUntil).toMatch(/^20\d\d-12-31$/)
  expect(by.get('notification')).toMatchObject({ rowCount: 1 })
  expect(by.get('audit_log')).toBeDefined()
  expect(defined(by.get('resident')).columns).toContain('手机号')
  expect(transient.length).toBeGreaterThan(0)
  // Somebody of whom there is no record is found by the telephone.
  await write(sql`
    insert into property_suggest (owner_id, project_code, user_kind, user_id, user_name, mobile, content)
    values (${t.ownerId}, 'GOLD0001', 20, 0, '访客甲', '13799990000', '电梯异响')
  `)
  expect(await t.call(findPeople, { keyword: '13799990000' }, me)).toMatchObject([
    { personKind: 'contact', personId: 0, kindLabel: '联系人' },
  ])
  expect(await t.call(findPeople, { keyword: '13799990009' }, me)).toEqual([])
})

it('of the files that people look through, those that name the person are counted', async () => {
  const person = await addFormerResident('欧阳文件')
  const addFile = (name: string) =>
    write(sql`
      insert into file_info (owner_id, project_code, name, sort_name, name_key, file_size, file_key)
      values (${t.ownerId}, 'GOLD0001', ${name}, ${name}, ${name}, 1, ${name})
    `)
  const countOf = async () =>
    (await t.call(getPersonReport, keyOf(person), me)).tables.find(line => line.tableName === 'file_info')
  await addFile('年度预算.xlsx')
  expect(await countOf()).toMatchObject({ rowCount: 0, treatment: 'manual' })
  await addFile(`${person.name}的合同.pdf`)
  await addFile(`通知 ${person.mobile}.docx`)
  expect(await countOf()).toMatchObject({ rowCount: 2, treatment: 'manual' })
})

it('a person gets everything as a workbook and the attachments, which is audited', async () => {
  const person = await addFormerResident('欧阳导出')
  await addTraces(person)
  const bytes = await readBody(await t.call(exportPerson, keyOf(person), me))
  const text = bytes.toString('latin1')
  expect(text).toContain(Buffer.from('个人信息.xlsx').toString('latin1'))
  expect(text).toContain(Buffer.from(`附件/1-${person.name}.jpg`).toString('latin1'))
  const logged = await read<{ reason: string }>(sql`
    select reason
    from audit_log
    where owner_id = ${t.ownerId} and action = 'export' and entity_id = ${person.id} and entity = 'resident'
  `)
  expect(logged).toEqual([{ reason: '导出个人信息' }])
})

it('who still lives somewhere or owes something is named with what to do, and nothing is erased', async () => {
  const person = await addFormerResident('欧阳在住')
  await write(sql`update user_room set status = 20 where owner_id = ${t.ownerId} and user_id = ${person.id}`)
  await addTraces(person)
  await write(
    sql`update work_order set state = 40 where owner_id = ${t.ownerId} and reporter_id = ${person.id}`,
  )
  const { id } = await register(person)
  const { blockers } = await t.call(previewErasure, { id }, me)
  expect(blockers.map(({ label, count: n }) => [label, n])).toEqual([
    ['在住或待审核的房屋', 1],
    ['未结束的工单', 1],
  ])
  expect(await refusalMessageOf(execute(id, person.name))).toContain('未经审批')
  await approve(id)
  expect(await refusalMessageOf(execute(id, person.name))).toBe(
    `不能删除：在住或待审核的房屋 1 项（1-1-101），请先办理迁出或驳回；未结束的工单 1 项（GD-T-${count}），请先完成、关闭或取消工单`,
  )
  expect((await t.call(findPeople, { keyword: person.name }, me)).length).toBe(1)
  expect(await refusalMessageOf(register(person))).toContain('已有待处理的删除请求')
  const ended = await t.call(endErasure, { id, state: 'withdrawn', reason: '本人撤回' }, me)
  expect(ended).toMatchObject({ state: 'withdrawn', endReason: '本人撤回' })
  expect(await refusalMessageOf(execute(id, person.name))).toContain('已办结')
})

it('an erased person is found nowhere but where the law keeps the name; sums and files of others stay', async () => {
  const person = await addFormerResident('欧阳删除')
  await addTraces(person)
  const stored = await read<{ key: string }>(
    sql`select photo as key from resident where id = ${person.id} and owner_id = ${t.ownerId}`,
  )
  const before = await moneyTotals()
  const { id } = await register(person)
  const { tables } = await t.call(previewErasure, { id }, me)
  expect(tables.length).toBeGreaterThan(5)
  await approve(id)
  expect(await refusalMessageOf(execute(id, '另一人'))).toContain('不一致')
  const done = await execute(id, person.name)
  expect(done).toMatchObject({ state: 'done', personName: `注销人员${id}` })
  expect(defined(done.result).map(line => line.label)).toContain('收款记录')
  // What holds the number of nobody else is a copy that speaks of the person: name and number give way. The
  // suggestion by the same telephone was looked at and not confirmed: it stays as it is.
  expect(await placesOf([person.name, person.mobile, person.certNo, defined(person.email)])).toEqual([
    'personal_data_hold.kept',
    'property_suggest.mobile',
    'property_suggest.user_name',
  ])
  expect(await moneyTotals()).toEqual(before)
  expect(await t.app.files.find(t.ownerId, defined(stored[0]).key)).toBeUndefined()
  expect((await t.call(listResidents, { keyword: person.name, projectCode: 'GOLD0001' }, me)).rows).toEqual(
    [],
  )
  const [order] = await read<{ searchText: string; orderNo: string }>(sql`
    select search_text, order_no from work_order where owner_id = ${t.ownerId} and reporter_id = ${person.id}
  `)
  expect(defined(order).searchText).toContain(normalizeName(defined(order).orderNo))
  // What is kept is marked row by row, and ends with its time.
  const heldRows = await read<{ tableName: string; rowIds: string[]; untilDate: string }>(sql`
    select table_name, row_ids, until_date from personal_data_hold where owner_id = ${t.ownerId} and request_id = ${id}
  `)
  expect(heldRows).toMatchObject([{ tableName: 'pay_record' }])
  expect(await releaseDueHolds(t.database, t.ownerId, '2050-01-01', '2050-01-01T00:00:00Z')).toBe(0)
  expect(await releaseDueHolds(t.database, t.ownerId, '2090-01-01', '2090-01-01T00:00:00Z')).toBe(1)
  expect(await placesOf([person.name])).toEqual(['property_suggest.user_name'])
  expect(await moneyTotals()).toEqual(before)
})

it('what somebody shares with another stays with the other', async () => {
  const person = await addFormerResident('欧阳同名')
  await addTraces(person)
  const other = await addFormerResident('欧阳同名甲')
  await write(sql`
    insert into notification (owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body)
    values (${t.ownerId}, ${t.managerId}, 10, 10, 'test', 10, '通知', '欧阳同名甲已缴费')
  `)
  const { sharedIdentifiers } = await t.call(getPersonReport, keyOf(person), me)
  expect(sharedIdentifiers ?? []).toEqual([])
  const { id } = await register(person)
  await approveAndExecute(id, person.name)
  const [notice] = await read<{ body: string }>(sql`
    select body from notification where owner_id = ${t.ownerId} and title = '通知'
  `)
  expect(defined(notice).body).toBe('欧阳同名甲已缴费')
  expect(await t.call(findPeople, { keyword: '欧阳同名' }, me)).toMatchObject([
    { name: other.name, personId: other.id },
  ])
  expect(await placesOf([person.mobile])).toEqual(['property_suggest.mobile'])
})

it('of two executions at once one erases, the other is refused', async () => {
  const person = await addFormerResident('欧阳并发')
  const { id } = await register(person)
  await approve(id)
  const outcomes = await Promise.allSettled([execute(id, person.name), execute(id, person.name)])
  expect(outcomes.map(outcome => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const second = await t.database.reader(t.ownerId).one<{ count: number }>(sql`
    select count(*)::int as count
    from audit_log
    where owner_id = ${t.ownerId} and action = 'purge' and entity_id = ${person.id} and entity = 'resident'
  `)
  expect(defined(second).count).toBe(1)
})

it('an account goes with its sign-in, its sessions and its login name', async () => {
  const clerk = await t.addClerk([menu.person.permissions.view.key], { privacy: true })
  const [account] = await read<{ id: Id; name: string }>(sql`
    select id, real_name as name from manager where owner_id = ${t.ownerId} and login_code = ${clerk.loginCode}
  `)
  const { id, name } = defined(account)
  const request = await t.call(
    registerErasure,
    { personKind: 'manager', personId: id, applicant: 'self', reason: '离职要求删除' },
    me,
  )
  await approve(request.id)
  expect(await refusalMessageOf(execute(request.id, name))).toContain('未停用的登录账号 1 项')
  await t.call(findPeople, { keyword: name }, clerk.as)
  await write(sql`update manager set state = 20 where owner_id = ${t.ownerId} and id = ${id}`)
  await execute(request.id, name)
  await expect(t.call(findPeople, { keyword: name }, clerk.as)).rejects.toThrow()
  // The role of this test is called like its account; who acted stays in the logs.
  const places = await placesOf([clerk.loginCode])
  expect(places.filter(place => place !== 'role.role_name')).toEqual(['audit_log.operator_name'])
})

it('needs its permission and the whole data domain, and other companies have no part in it', async () => {
  const person = await addFormerResident('欧阳权限')
  const { id } = await register(person)
  const nobody = await t.addClerk(['residents.resident.view'], { privacy: true })
  expect(await refusalMessageOf(t.call(getPersonReport, keyOf(person), nobody.as))).toContain('权限')
  const viewer = await t.addClerk([menu.person.permissions.view.key, menu.erasure.permissions.view.key])
  expect(
    await refusalMessageOf(
      t.call(executeErasure, { id, confirmed: true, personName: person.name }, viewer.as),
    ),
  ).toContain('执行删除')
  expect((await t.call(listErasures, {}, viewer.as)).rows.map(row => row.id)).toContain(id)
  await write(
    sql`update manager set all_project = false where owner_id = ${t.ownerId} and login_code = ${viewer.loginCode}`,
  )
  await t.app.sessions.refresh(t.ownerId, 'all')
  expect(await refusalMessageOf(t.call(listErasures, {}, { token: defined(viewer.as.token) }))).toContain(
    '全部项目',
  )
  const second = await t.signedInAs(golden.second.owner, '')
  expect(await refusalMessageOf(t.call(getErasure, { id }, second))).toContain('不存在')
  expect(await refusalMessageOf(t.call(getPersonReport, keyOf(person), second))).toContain('不存在')
  expect(await t.call(findPeople, { keyword: person.mobile }, second)).toEqual([])
})
