import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import { clockScope } from '#kit/server/scope.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { abolishBills } from '#modules/bills/contract/actions.ts'
import { changePayer } from '#modules/bills/contract/adjustments.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { refundAccount, topUp } from '#modules/prestore/contract/account.ts'
import { checkInAgain } from '#modules/residents/contract/move.ts'
import { addResident, type Resident } from '#modules/residents/contract/resident.ts'
import {
  editEvidence,
  endErasure,
  approveErasure,
  executeErasure,
  getErasure,
  listHeld,
  listMentions,
  previewErasure,
  saveMentions,
  registerErasure,
} from '../contract/erasure.ts'
import { exportPerson, findPeople, getPersonReport } from '../contract/person.ts'
import { menu } from '../module.ts'
import { readDeclaredTables } from './declared-tables.ts'
import { releaseDueHolds } from './holds.ts'
import { personSheets } from './person-export.ts'
import { requirePerson } from './person.ts'

let t: GoldenApp
let me: CallOptions
let approver: Awaited<ReturnType<GoldenApp['addClerk']>>
let room: { id: Id; code: string; path: string; buildCode: string }
let count = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  approver = await t.addClerk([menu.erasure.permissions.view.key, menu.erasure.permissions.approve.key])
  room = defined(
    await t.database.reader(t.ownerId).one(sql`
      select id, code, path, build_code
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

type Known = Resident & { mobile: string; certNo: string; photo: string }

const saveFile = (name: string): Promise<string> =>
  t.app.files.save(t.ownerId, t.managerId, { name, type: 'image/jpeg', bytes: new Uint8Array([1, 2, 3]) })

async function addLeft(name: string): Promise<Known> {
  count++
  const mobile = `1380000${String(6000 + count)}`
  const certNo = `E${String(70000000 + count)}`
  const photo = await saveFile(`${name}.jpg`)
  const added = await t.call(
    addResident,
    {
      homeProject: 'GOLD0001',
      name,
      mobile,
      userType: 'person',
      certType: 'passport',
      certNo,
      workUnit: '某某工厂',
      emergencyName: '紧急人',
      emergencyPhone: '13600000002',
      state: 'normal',
      remark: `${name}的钥匙`,
    },
    me,
  )
  await write(sql`
    insert into user_room (
      owner_id, project_code, user_id, room_id, build_code, relation, is_main, is_payer, in_date, out_date,
      status, apply_source
    )
    values (
      ${t.ownerId}, 'GOLD0001', ${added.id}, ${room.id}, ${room.buildCode}, 30, false, false, '2024-01-01',
      '2025-01-01', 30, 10
    )
  `)
  return { ...added, mobile, certNo, photo }
}

async function addOrder(order: {
  readonly reporterId?: Id
  readonly name: string
  readonly phone: string
  readonly state?: number
  readonly content?: string
}): Promise<{ id: Id; orderNo: string }> {
  count++
  const { reporterId, name, phone, state = 80, content = '漏水' } = order
  return t.database.tx(t.ownerId, async tx =>
    defined(
      await tx.one<{ id: Id; orderNo: string }>(sql`
        insert into work_order (
          owner_id, project_code, order_no, type_id, type_name, category, source, room_code, build_code, address,
          reporter_id, reporter_name, reporter_phone, title, content, level, state, register_time, limits,
          search_text
        )
        select ${t.ownerId}::bigint, 'GOLD0001', ${`GD-S-${count}`}, k.id, k.type_name, k.category, 10,
          ${room.code}, ${room.buildCode}, ${room.path}, ${reporterId ?? null}::bigint, ${name}, ${phone},
          ${content}, ${content}, 10, ${state}::smallint, '2026-11-01', '{}', 'ouyang'
        from work_order_type k
        where k.owner_id = ${t.ownerId}
        limit 1
        returning id, order_no
      `),
    ),
  )
}

const addReceipt = (no: string, name: string, payerId: Id | undefined, year = 2026) =>
  write(sql`
    insert into pay_record (
      owner_id, project_code, record_no, record_type, source_name, build_code, payer_kind, payer_id, payer_name,
      principal_amount, tendered_amount, pay_method, methods, pay_time, pay_day, cashier_name, state, create_time
    )
    values (
      ${t.ownerId}, 'GOLD0001', ${no}, 10, ${room.path}, ${room.buildCode}, ${payerId ? 1 : null}::smallint,
      ${payerId ?? null}::integer, ${name}, 12.50, 12.50, 10, '[]', '2026-11-01', '2026-11-01', '收费员甲', 10,
      ${`${year}-11-01 10:00:00+08`}::timestamptz
    )
  `)

const addDeposit = (no: string, name: string, balance: string) =>
  write(sql`
    insert into deposit (
      owner_id, project_code, deposit_no, kind, room_code, room_name, build_code, payer_name, amount, balance,
      refunded, state
    )
    values (
      ${t.ownerId}, 'GOLD0001', ${no}, 10, ${room.code}, ${room.path}, ${room.buildCode}, ${name}, 100.00,
      ${balance}::numeric, 100.00 - ${balance}::numeric, 20
    )
  `)

const keyOf = ({ id }: Pick<Resident, 'id'>) => ({ personKind: 'resident', personId: id })
const register = (key: { personKind: string; personId: Id }, evidence: string[] = []) =>
  t.call(registerErasure, { ...key, applicant: 'self', reason: '本人要求删除', evidence }, me)
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

async function erase(person: Known) {
  const { id } = await register(keyOf(person))
  return approveAndExecute(id, person.name)
}

async function sheetsOf(entity: string, id: Id) {
  const db = t.database.reader(t.ownerId)
  const sheets = await personSheets(
    db,
    await requirePerson(db, t.ownerId, { entity, id }),
    await readDeclaredTables(db),
  )
  return sheets.map(sheet => ({
    name: sheet.name,
    headings: sheet.columns.map(column => column.heading),
    rows: Symbol.iterator in sheet.rows ? [...sheet.rows].flat() : [],
  }))
}

it('what a manager is given holds no password, second factor, recovery code or token (PIP-10)', async () => {
  const clerk = await t.addClerk([menu.person.permissions.view.key])
  const [account] = await read<{ id: Id; password: string }>(sql`
    select m.id, s.password
    from manager m
    join manager_secret s on s.owner_id = ${t.ownerId} and s.owner_id = m.owner_id and s.manager_id = m.id
    where m.owner_id = ${t.ownerId} and m.login_code = ${clerk.loginCode}
  `)
  const { id, password } = defined(account)
  await write(sql`
    update manager_secret
    set totp = '{"secret":"TOTPSECRET"}', recovery = '{RECOVERYHASH}'
    where owner_id = ${t.ownerId} and manager_id = ${id}
  `)
  const sheetTexts = JSON.stringify(await sheetsOf('manager', id))
  expect(sheetTexts).toContain(clerk.loginCode)
  for (const secret of [password, 'TOTPSECRET', 'RECOVERYHASH', '密码', '恢复码', '二次验证']) {
    expect(sheetTexts.slice(sheetTexts.indexOf('登录账号'))).not.toContain(secret)
  }
})

it('a person is given the own rows alone, in words: number, room, amount, choices (PIP-10)', async () => {
  const person = await addLeft('司马导出')
  await addOrder({ reporterId: person.id, name: person.name, phone: person.mobile, content: '本人报修' })
  await addOrder({ name: '邻居乙', phone: '13900000009', content: `邻居代报，联系 ${person.mobile}` })
  await addReceipt('SK-S-1', person.name, person.id)
  await addReceipt('SK-S-2', '邻居乙', undefined)
  const sheets = await sheetsOf('resident', person.id)
  const all = JSON.stringify(sheets)
  expect(all).toContain('本人报修')
  expect(all).not.toContain('邻居乙')
  const receipts = defined(sheets.find(sheet => sheet.name === '收款记录'))
  expect(receipts.headings).toEqual(expect.arrayContaining(['流水号', '收费对象', '实收（元）', '支付方式']))
  expect(receipts.rows).toHaveLength(1)
  expect(receipts.rows[0]).toEqual(expect.arrayContaining(['SK-S-1', room.path, '12.50', person.name]))
  const rooms = defined(sheets.find(sheet => sheet.headings[0] === '房屋' && sheet.headings[1] === '关系'))
  expect(rooms.rows[0]?.[0]).toBe(room.path)
  expect(rooms.rows[0]?.[1]).not.toMatch(/^\d*$/)
})

it('a name that is a word, and a login name, change nothing in the records of others (PIP-3)', async () => {
  const person = await addLeft('平安')
  await write(sql`
    insert into system_notice (owner_id, title, content, state, notice_type, project_codes)
    values (${t.ownerId}, '平安小区', '祝平安 manager', 10, 10, '{}')
  `).catch(() => undefined)
  const other = await addOrder({ name: '邻居丙', phone: '13900000008', content: '平安小区电梯，找 manager' })
  await write(sql`
    insert into property_suggest (owner_id, project_code, user_kind, user_id, user_name, mobile, content)
    values (${t.ownerId}, 'GOLD0001', 20, 0, '平安', '13900000007', '祝平安')
  `)
  await t.database.tx(t.ownerId, tx =>
    audit(tx, clockScope(t.app, t.ownerId), [
      {
        action: 'update',
        entity: 'room',
        entityId: room.id,
        before: { managerIds: ['1'], [person.mobile]: '键', 平安: 1 },
        after: { phone: person.mobile, name: '平安', remark: '平安小区电梯' },
      },
    ]),
  )
  await erase(person)
  expect(
    await read(sql`
      select reporter_name, content from work_order where owner_id = ${t.ownerId} and id = ${other.id}
    `),
  ).toEqual([{ reporterName: '邻居丙', content: '平安小区电梯，找 manager' }])
  expect(
    await read(sql`
      select user_name, content
      from property_suggest
      where owner_id = ${t.ownerId} and mobile = '13900000007'
    `),
  ).toEqual([{ userName: '平安', content: '祝平安' }])
  const [entry] = await read<{ before: string; after: string }>(sql`
    select before::text as before, after::text as after
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'room' and entity_id = ${room.id} and after ->> 'name' like '注销人员%'
  `)
  expect(defined(entry).before).toContain('managerIds')
  expect(defined(entry).before).toContain(person.mobile)
  expect(JSON.parse(defined(entry).after)).toMatchObject({
    phone: '***',
    name: expect.stringMatching(/^注销人员\d+$/),
    remark: '平安小区电梯',
  })
})

it('a contact is a telephone, nothing else, and the refusal names the field in words', async () => {
  const contact = { personKind: 'contact', personId: asId(0), personMobile: '平安' }
  for (const failing of [
    () => t.call(getPersonReport, contact, me),
    () => t.call(exportPerson, contact, me),
    () =>
      t.call(registerErasure, { ...contact, personName: '甲', applicant: 'self', reason: '要求删除' }, me),
  ]) {
    expect(Object.values(await faultTextsOf(failing())).join()).toContain('完整的电话号码')
  }
})

it('a contact of whom nothing is kept has nothing to erase', async () => {
  const unknown = { personKind: 'contact', personId: asId(0), personMobile: '13700009999', personName: '甲' }
  expect(
    await refusalMessageOf(
      t.call(registerErasure, { ...unknown, applicant: 'self', reason: '要求删除' }, me),
    ),
  ).toBe('未找到与该号码有关的信息')
})

it('a number that was sent as a JSON number is blanked as one (PIP-5)', async () => {
  const person = await addLeft('司马数字')
  await write(sql`
    insert into operation_log (owner_id, create_time, operator_id, operator_name, call, title, code, input, took_ms)
    values (
      ${t.ownerId}, now(), 0, '某人', 'POST Other/Post', '其他', 10000,
      ${JSON.stringify({ Remark: `电话${person.mobile}`, Nested: { Phone: Number(person.mobile) }, Id: 7 })}::jsonb, 1
    )
  `)
  expect(await erase(person)).toMatchObject({ state: 'done' })
  const [row] = await read<{ input: unknown }>(sql`
    select input from operation_log where owner_id = ${t.ownerId} and call = 'POST Other/Post'
  `)
  expect(defined(row).input).toEqual({ Remark: '电话***', Nested: { Phone: '***' }, Id: 7 })
})

it('the own prestored money, a deposit, an order by telephone alone each keep from erasing (PIP-4)', async () => {
  const person = await addLeft('司马余额')
  await write(sql`
    insert into prestore_account (owner_id, project_code, account_no, owner_kind, owner_code, owner_name, balance, state)
    values (${t.ownerId}, 'GOLD0001', 'YC-S-1', 20, ${String(person.id)}, ${person.name}, 20.00, 10)
  `)
  await addDeposit('YJ-S-1', person.name, '30.00')
  const order = await addOrder({ name: person.name, phone: person.mobile, state: 40 })
  const { id } = await register(keyOf(person))
  // The order has a telephone and no record: that it is the person's somebody has to say.
  const { mentions } = await t.call(listMentions, { id }, me)
  const orders = mentions.filter(each => each.tableName === 'work_order')
  expect(orders.map(each => [each.number, each.isOwn])).toEqual([[order.orderNo, true]])
  const confirmed = mentions.map(({ tableName, rowKey }) => ({ tableName, rowKey }))
  await t.call(saveMentions, { id, mentions: confirmed }, me)
  const { blockers } = await t.call(previewErasure, { id }, me)
  expect(Object.fromEntries(blockers.map(({ label, numbers }) => [label, numbers]))).toEqual({
    有余额的押金: ['YJ-S-1'],
    本人的预存余额: ['YC-S-1'],
    未结束的工单: [order.orderNo],
  })
  for (const { path, advice } of blockers) {
    expect(path).toMatch(/^\/\w+/)
    expect(advice).toMatch(/^请先/)
  }
  await t.call(approveErasure, { id }, approver.as)
  expect(await refusalMessageOf(execute(id, person.name))).toContain('YC-S-1')
})

it('staff of a merchant who are still at work are not erased (PIP-4)', async () => {
  const [staff] = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      insert into merchant_staff (owner_id, project_code, merchant_id, name, mobile, role_type, state)
      select ${t.ownerId}::bigint, 'GOLD0001', m.id, '店员甲', '13800007777', 10, 10
      from merchant m
      where m.owner_id = ${t.ownerId}
      limit 1
      returning id
    `),
  )
  const { id } = await register({ personKind: 'merchantStaff', personId: defined(staff).id })
  const { blockers } = await t.call(previewErasure, { id }, me)
  expect(blockers.map(blocker => blocker.label)).toEqual(['在岗的商户员工'])
})

it('the own history goes whole: changes, calls, requests, records of orders, search texts (PIP-5)', async () => {
  const person = await addLeft('司马历史')
  const order = await addOrder({ reporterId: person.id, name: person.name, phone: person.mobile })
  await write(sql`
    insert into work_order_record (
      owner_id, project_code, order_id, action, to_state, action_time, actor, operator_name, content
    )
    values (${t.ownerId}, 'GOLD0001', ${order.id}, 10, 20, '2026-11-01', 10, ${person.name}, '在家等候')
  `)
  await write(sql`
    insert into operation_log (owner_id, create_time, operator_id, operator_name, call, title, code, input, took_ms)
    select ${t.ownerId}::bigint, now(), 0, '某人', l.call, '住户', 10000, l.input::jsonb, 1
    from (
      values ('POST User/Post', ${JSON.stringify({ Username: person.name, mobile: person.mobile })}),
        ('PUT User/Put', ${JSON.stringify({ Id: person.id, Username: person.name })})
    ) as l(call, input)
    returning id
  `)
  const withdrawn = await register(keyOf(person))
  await t.call(endErasure, { id: withdrawn.id, state: 'withdrawn', reason: `${person.name}撤回` }, me)
  const evidence = await saveFile('身份证.jpg')
  const request = await register(keyOf(person), [evidence])
  await approveAndExecute(request.id, person.name)
  const history = await read<{ before?: unknown; after?: unknown; action: string }>(sql`
    select before, after, action
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'resident' and entity_id = ${person.id} and action <> 'purge'
  `)
  expect(history.length).toBeGreaterThan(0)
  expect(history.every(row => row.before === undefined && row.after === undefined)).toBe(true)
  const calls = await read<{ found: string }>(sql`
    select input::text as found
    from operation_log
    where owner_id = ${t.ownerId}
      and (strpos(input::text, ${person.name}) > 0 or strpos(input::text, ${person.mobile}) > 0)
  `)
  expect(calls).toEqual([])
  expect(await t.call(getErasure, { id: withdrawn.id }, me)).toMatchObject({
    personName: `注销人员${request.id}`,
  })
  const audits = await read<{ found: string }>(sql`
    select coalesce(before::text, '') || coalesce(after::text, '') || coalesce(reason, '') as found
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'erasureRequest' and entity_id = ${withdrawn.id}
  `)
  expect(audits.map(row => row.found).join('')).not.toContain(person.name)
  expect(
    await read(sql`
      select operator_name, content from work_order_record where owner_id = ${t.ownerId} and order_id = ${order.id}
    `),
  ).toEqual([{ operatorName: `注销人员${request.id}` }])
  const [kept] = await read<{ address?: string; searchText: string; title: string }>(sql`
    select address, search_text, title from work_order where owner_id = ${t.ownerId} and id = ${order.id}
  `)
  expect(defined(kept).address).toBeUndefined()
  expect(defined(kept).searchText).not.toContain('ouyang')
  // Evidence has a period of its own.
  expect((await t.call(getErasure, { id: request.id }, me)).evidence).toEqual([evidence])
})

it('the log of the execution holds neither the name nor what was typed', async () => {
  const person = await addLeft('司马执行')
  await erase(person)
  const { loggedInputOf } = await import('#kit/server/operation-log.ts')
  expect(executeErasure.logsNoInput && registerErasure.logsNoInput && exportPerson.logsNoInput).toBe(true)
  expect(loggedInputOf(executeErasure, { PersonName: person.name })).toBeDefined()
})

it('vouchers stay with a reason until their years are over, are shown, and go then (PIP-6)', async () => {
  const person = await addLeft('司马凭证')
  await addReceipt('SK-V-1', person.name, person.id, 2020)
  await addReceipt('SK-V-2', person.name, undefined)
  await addDeposit('YJ-V-1', person.name, '0')
  const [bill] = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: Id; billNo: string }>(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, build_code, payer_kind, payer_id,
        payer_name, payer_mobile, fee_item_id, fee_item_name, fee_type, begin_date, end_date, belong_month, amount,
        due_date, state, pay_state, bill_source, run_free
      )
      select ${t.ownerId}::bigint, 'GOLD0001', 'ZD-V-1', 10, ${room.code}, ${room.path}, ${room.buildCode}, 1,
        ${person.id}, ${person.name}, ${person.mobile}, f.id, f.name, f.fee_type, '2026-10-01'::date,
        '2026-10-31'::date, '2026-10', 50.00, '2026-10-31'::date, 20, 1, 10, true
      from fee_item f
      where f.owner_id = ${t.ownerId}
      limit 1
      returning id, bill_no
    `),
  )
  const { id } = await register(keyOf(person))
  const done = await approveAndExecute(id, person.name)
  const receipts = defined(done.result?.find(line => line.label === '收款记录'))
  expect(receipts).toMatchObject({ treatment: 'kept', rowCount: 2 })
  expect(receipts.keptReason).toContain('三十年')
  const vouchers = await t.call(listHeld, { id }, me)
  const by = new Map(vouchers.map(row => [row.number, row]))
  expect(by.get('SK-V-1')).toMatchObject({ label: '收款记录', keptUntil: '2050-12-31', isReleased: false })
  expect(defined(by.get('SK-V-1')).reason).toContain('会计档案管理办法')
  expect(defined(by.get('SK-V-1')).content).toContain('12.50')
  expect(by.has('SK-V-2') && by.has('YJ-V-1')).toBe(true)
  expect(by.get(defined(bill).billNo)).toMatchObject({ isReleased: false })
  // What is kept of the bill is the name; the telephone needs nobody.
  expect(
    await read(sql`
      select payer_name, payer_mobile from bill where owner_id = ${t.ownerId} and id = ${defined(bill).id}
    `),
  ).toEqual([{ payerName: `注销人员${id}` }])
  expect(by.get('SK-V-1')?.keptName).toContain(person.name)
  expect(by.get('SK-V-2')?.keptName).toContain(person.name)
  const keptNames = async () =>
    (await t.call(listHeld, { id }, me)).filter(row => row.keptName !== undefined).map(row => row.number)
  await releaseDueHolds(t.database, t.ownerId, '2051-01-01', '2051-01-01T00:00:00Z')
  expect(await keptNames()).not.toContain('SK-V-1')
  expect(await keptNames()).toContain('SK-V-2')
  await releaseDueHolds(t.database, t.ownerId, '2090-01-01', '2090-01-01T00:00:00Z')
  expect(await keptNames()).toEqual([])
  expect((await t.call(listHeld, { id }, me)).every(row => row.isReleased)).toBe(true)
})

it('somebody who was erased cannot be moved in again', async () => {
  const person = await addLeft('司马再住')
  const [link] = await read<{ id: Id }>(sql`
    select id from user_room where owner_id = ${t.ownerId} and user_id = ${person.id}
  `)
  await erase(person)
  const again = t.call(checkInAgain, { ids: [String(defined(link).id)], inDate: '2026-11-20' }, me)
  expect((await refusalOf(again)).message).toMatch(/已删除|不存在/)
  expect(
    await read(sql`select status from user_room where owner_id = ${t.ownerId} and user_id = ${person.id}`),
  ).toEqual([{ status: 30 }])
})

it('evidence is a file of the company, and is added and removed while the request is open', async () => {
  const person = await addLeft('司马材料')
  const texts = await faultTextsOf(register(keyOf(person), ['不是文件']))
  expect(Object.values(texts).join()).toContain('请重新上传')
  const [first, second] = [await saveFile('甲.jpg'), await saveFile('乙.jpg')]
  const { id } = await register(keyOf(person), [first])
  expect((await t.call(editEvidence, { id, evidence: [second] }, me)).evidence).toEqual([second])
  expect(await t.app.files.find(t.ownerId, first)).toBeUndefined()
  const viewer = await t.addClerk([menu.erasure.permissions.view.key])
  expect(await refusalMessageOf(t.call(editEvidence, { id, evidence: [] }, viewer.as))).toContain('权限')
  await t.call(endErasure, { id, state: 'withdrawn', reason: '撤回' }, me)
  expect(await refusalMessageOf(t.call(editEvidence, { id, evidence: [] }, me))).toContain('已办结')
})

it('a second request under another record of the same person is refused', async () => {
  const person = await addLeft('司马两条')
  const [twin] = await t.database.tx(t.ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      insert into staff (owner_id, name, mobile, state)
      values (${t.ownerId}, ${person.name}, ${person.mobile}, 30)
      returning id
    `),
  )
  await register(keyOf(person))
  expect(await refusalMessageOf(register({ personKind: 'staff', personId: defined(twin).id }))).toContain(
    '已有待处理的删除请求',
  )
})

it('a request past its day is marked', async () => {
  const person = await addLeft('司马逾期')
  const { id, isOverdue } = await register(keyOf(person))
  expect(isOverdue).toBe(false)
  await write(
    sql`update erasure_request set due_date = '2026-11-20' where owner_id = ${t.ownerId} and id = ${id}`,
  )
  expect(await t.call(getErasure, { id }, me)).toMatchObject({ isOverdue: true })
})

it('namesakes are distinguished by the room', async () => {
  const person = await addLeft('司马同名')
  const [found] = await t.call(findPeople, { keyword: person.name }, me)
  expect(found).toMatchObject({ place: room.path })
})

it('receipts of the own prestore account and changes of the own bill are the own, also where somebody else paid (PIP-2)', async () => {
  const person = await addLeft('司徒预存')
  const stranger = await addLeft('司空预存')
  const account = { projectCode: 'GOLD0001', ownerKind: 'resident' } as const
  const addMoney = (ownerCode: string, payerName?: string) =>
    t.call(
      topUp,
      { ...account, ownerCode, payerName, methods: [{ method: 'cash', amount: asFen(1000) }] },
      me,
    )
  const own = String(person.id)
  const byFamily = await addMoney(own, '司徒家属')
  const byOneself = await addMoney(own)
  // Somebody else's account, paid by the person: it stays for people to look at.
  const forStranger = await addMoney(String(stranger.id), person.name)
  const [kept] = await read<{ id: Id }>(sql`
    select id from prestore_account where owner_id = ${t.ownerId} and owner_kind = 20 and owner_code = ${own}
  `)
  await t.call(
    refundAccount,
    { id: defined(kept).id, amount: asFen(2000), method: 'cash', reason: `${person.name}搬走` },
    me,
  )
  // One that was turned down has no receipt, and nothing but the account leads to the person.
  await write(sql`
    insert into fee_refund (
      owner_id, project_code, refund_no, subject, subject_id, source_name, lines, amount, refund_way, method,
      reason, apply_by, apply_name, state
    )
    values (
      ${t.ownerId}, 'GOLD0001', 'TK-S-OWN', 20, ${defined(kept).id}::integer, ${person.name}, '[]', 10.00, 10, 10,
      '退给本人', 1, '收费员甲', 40
    )
  `)
  const { ids } = await t.call(
    addTempFee,
    {
      projectCode: 'GOLD0001',
      feeItemId: await t.addFeeItem('OWNLINK', { name: '关联', feeType: 'temporary', multi: true }),
      amount: asFen(500),
      sources: [{ sourceType: 'room', sourceCode: room.code }],
      beginDate: '2026-11-01',
      endDate: '2026-11-30',
      dueDate: '2026-12-31',
    },
    me,
  )
  await t.call(changePayer, { ids, payerKind: 'resident', payerId: person.id, reason: '本人承担' }, me)
  await t.call(abolishBills, { ids, reason: '免收' }, me)
  const { id } = await register(keyOf(person))
  const { mentions } = await t.call(listMentions, { id }, me)
  const unsure = mentions.filter(each => ['pay_record', 'fee_refund', 'bill_adjust'].includes(each.tableName))
  expect(unsure.map(each => each.number)).toEqual([forStranger.recordNo])
  await approveAndExecute(id, person.name)
  const named = (text: string) => sql`position(${person.name} in ${sql.raw(text)}) > 0`
  expect(
    await read(sql`
      select record_no as number
      from pay_record
      where owner_id = ${t.ownerId} and ${named("concat_ws(' ', source_name, payer_name, remark)")}
      union all
      select refund_no
      from fee_refund
      where owner_id = ${t.ownerId} and ${named("concat_ws(' ', source_name, payer_name, reason)")}
      union all
      select bill_id::text
      from bill_adjust
      where owner_id = ${t.ownerId} and ${named("concat_ws(' ', old_value, new_value, reason)")}
    `),
  ).toEqual([{ number: forStranger.recordNo }])
  const keptText = JSON.stringify(await t.call(listHeld, { id }, me))
  for (const { recordNo } of [byFamily, byOneself]) {
    expect(keptText).toContain(recordNo)
  }
})
