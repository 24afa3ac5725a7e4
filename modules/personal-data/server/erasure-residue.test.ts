import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql, type Statement } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { issueCard } from '#modules/access/server/people.fixtures.ts'
import { changeCardStates, deleteCards, saveCard } from '#modules/residents/contract/card.ts'
import { editResident } from '#modules/residents/contract/resident.ts'
import { addWalkIn } from '#modules/visitors/contract/visit.ts'
import {
  approveErasure,
  getErasure,
  listMentions,
  previewErasure,
  registerErasure,
  saveMentions,
} from '../contract/erasure.ts'
import { findPeople } from '../contract/person.ts'
import { menu } from '../module.ts'
import { linesOf, openErasures, type Erasures, type KnownPerson } from './erasure.fixtures.ts'

let t: GoldenApp
let erasures: Erasures
let orders = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  erasures = await openErasures(t)
})

afterAll(() => t?.close())

const write = (statement: Statement) => t.database.tx(t.ownerId, tx => tx.execute(statement))
const read = <T>(statement: Statement<T>): Promise<T[]> => t.database.reader(t.ownerId).rows<T>(statement)

const register = async (person: KnownPerson): Promise<Id> => {
  const key = { personKind: 'resident', personId: person.id }
  return (await t.call(registerErasure, { ...key, applicant: 'self', reason: '本人要求' }, erasures.me)).id
}

interface OrderValues {
  readonly reporter?: Id
  readonly name: string
  readonly phone: string
  readonly content: string
  readonly state: number
}

async function addOrder({ reporter, name, phone, content, state }: OrderValues) {
  const orderNo = `GD-R-${++orders}`
  await write(sql`
    insert into work_order (
      owner_id, project_code, order_no, type_id, type_name, category, source, room_code, build_code,
      reporter_id, reporter_name, reporter_phone, title, content, level, state, register_time, limits,
      search_text
    )
    select ${t.ownerId}::bigint, 'GOLD0001', ${orderNo}, k.id, k.type_name, k.category, 10, r.code,
      r.build_code, ${reporter ?? null}::bigint, ${name}, ${phone}, '漏水', ${content}, 10, ${state}::smallint,
      '2026-11-01', '{}', ''
    from work_order_type k, room r
    where k.owner_id = ${t.ownerId} and r.owner_id = ${t.ownerId} and r.project_code = 'GOLD0001'
    order by k.id, r.id
    limit 1
    returning id
  `)
  const [order] = await read<{ id: Id }>(
    sql`select id from work_order where owner_id = ${t.ownerId} and order_no = ${orderNo}`,
  )
  return { orderNo, id: defined(order).id }
}

it('PIP-2 a row in which the person is mentioned is called by no number of somebody else', async () => {
  const { me, addPerson } = erasures
  const person = await addPerson('宇文被访', '13655550001')
  const certNo = '11010519491231002X'
  const visitor = { visitorName: '钟离来客', mobile: '13655550002', plateNo: '苏A7T5X1', certNo } as const
  const { id: recordId } = await t.call(
    addWalkIn,
    {
      projectCode: 'GOLD0001',
      visitorKind: 'friend',
      personCount: 1,
      certType: 'idCard',
      reason: `找${person.name}，车苏A7T5X1，电话13655550002`,
      ...visitor,
    },
    me,
  )
  const id = await register(person)
  const { as: auditor } = await t.addClerk([menu.erasure.permissions.view.key])
  for (const reader of [auditor, me]) {
    const { mentions } = await t.call(listMentions, { id }, reader)
    const visit = defined(mentions.find(each => each.tableName === 'visit_record'))
    expect(visit.number).toBe(String(recordId))
  }
  const { mentions } = await t.call(listMentions, { id }, auditor)
  const shown = JSON.stringify(mentions)
  for (const number of [certNo, visitor.plateNo, visitor.mobile]) {
    expect(shown).not.toContain(number)
  }
  expect(shown).toContain(person.name)
})

it('PIP-2 what names the person since the approval is listed in the result by its number', async () => {
  const { me, approver, addPerson, execute } = erasures
  const person = await addPerson('宇文后写', '13655550003')
  const id = await register(person)
  await t.call(saveMentions, { id, mentions: [] }, me)
  await t.call(approveErasure, { id }, approver)
  await write(sql`
    insert into pay_record (
      owner_id, project_code, record_no, record_type, source_name, build_code, payer_kind, payer_name,
      principal_amount, tendered_amount, pay_method, methods, pay_time, pay_day, cashier_name, state, remark
    )
    values (
      ${t.ownerId}, 'GOLD0001', 'SK-R-1', 10, '1-101', '1', 1, '其他', 5, 5, 10, '[]', '2026-11-01',
      '2026-11-01', '收费员甲', 10, ${`退${person.name}`}
    )
  `)
  await write(sql`
    insert into room_change_log (
      owner_id, project_code, room_id, room_code, item, effective_date, new_value, new_ref, reason, applied,
      operator_name
    )
    select ${t.ownerId}::bigint, 'GOLD0001', id, code, '缴费人', '2026-11-01', ${person.name},
      ${person.id}::bigint,
      ${`${person.name}迁出`}, true, '操作员'
    from room
    where owner_id = ${t.ownerId} and project_code = 'GOLD0001'
    limit 1
  `)
  await execute(id, person.name)
  const { result } = await t.call(getErasure, { id }, me)
  const left = defined(result).filter(line => line.numbers?.length)
  expect(left).toMatchObject([{ rowCount: 1, treatment: 'manual', numbers: ['SK-R-1'] }])
  // The reason of a change of the person's own room gives way with the change.
  const lines = await linesOf(t.database, person.name)
  expect(lines.map(line => line.split(':')[0])).toEqual(['pay_record'])
})

it('PIP-3 messages about an own order and stored answers keep no name', async () => {
  const { me, addPerson, approved, execute } = erasures
  const person = await addPerson('宇文消息', '13655550004')
  const own = await addOrder({
    reporter: person.id,
    name: person.name,
    phone: person.mobile,
    content: '漏水',
    state: 80,
  })
  await write(sql`
    insert into notification (
      owner_id, receiver_id, receiver_kind, notice_group, kind, level, title, body, biz_id
    )
    values
      (${t.ownerId}, ${t.managerId}, 30, 20, 'work-orders.ended', 10, '取消', '宇文消息取消', ${own.id}),
      (${t.ownerId}, ${t.managerId}, 30, 20, 'work-orders.ended', 10, '他人', '宇文消息的邻居', 1)
  `)
  const card = await issueCard(t, me, { userId: person.id }, { cardNo: 'R900001' })
  await t.call(changeCardStates, { ids: [String(card.id)], state: 'ended', reason: '退卡' }, me)
  const answer = (data: object) => JSON.stringify({ Code: 0, Message: '', Data: data })
  await write(sql`
    insert into idempotent_request (owner_id, operator_id, call, uuid, ${sql.id('said')}, answer)
    values
      (${t.ownerId}, 1, ${saveCard.route}, 'a', '', ${answer({ Id: card.id, CardNo: card.cardNo })}::json),
      (${t.ownerId}, 1, 'POST Other/Post', 'b', '', ${answer({ Id: 1, Tags: '宇文消息VIP' })}::json),
      (${t.ownerId}, 1, 'POST Other/Post', 'c', '', ${answer({ Id: 2, Title: '邻居' })}::json)
  `)
  const id = await approved(person)
  await execute(id, person.name)
  const answers = await read<{ uuid: string; answer: unknown }>(sql`
    select uuid, answer
    from idempotent_request
    where owner_id = ${t.ownerId} and operator_id = 1
    order by uuid
  `)
  expect(answers.map(row => row.answer)).toEqual([
    { Code: 0, Message: '', Data: null },
    { Code: 0, Message: '', Data: { Id: 1, Tags: `注销人员${id}VIP` } },
    { Code: 0, Message: '', Data: { Id: 2, Title: '邻居' } },
  ])
  const bodies = await read<{ body: string }>(sql`
    select body from notification where owner_id = ${t.ownerId} and body like '%取消' order by id
  `)
  expect(bodies).toEqual([{ body: `注销人员${id}取消` }])
  // A message about somebody else's order may mean anybody.
  expect((await linesOf(t.database, person.name)).map(line => line.split(':')[0])).toEqual(['notification'])
  const { result } = await t.call(getErasure, { id }, me)
  const counts = new Map(defined(result).map(line => [line.label, line.rowCount]))
  expect(counts.get('消息')).toBe(1)
})

it('PIP-4 a deposit of a card that was not returned is to be returned first', async () => {
  const { me, addPerson, approved, execute } = erasures
  const person = await addPerson('宇文押金', '13655550005')
  const card = await issueCard(t, me, { userId: person.id }, { deposit: asFen(2000) })
  const ids = [String(card.id)]
  await t.call(changeCardStates, { ids, state: 'ended', reason: '退卡' }, me)
  expect(await refusalMessageOf(t.call(deleteCards, { ids, reason: '录入有误' }, me))).toContain('押金未退还')
  const id = await approved(person)
  const refused = await refusalMessageOf(execute(id, person.name))
  expect(refused).toContain(`未退还的门禁卡押金 1 项（${card.cardNo}），请先退还`)
  const [ended] = await read<{ version: number; deposit: string }>(
    sql`select version, deposit from identity_card where owner_id = ${t.ownerId} and id = ${card.id}`,
  )
  const { projectCode, cardNo, cardType, userId, beginDate, endDate } = card
  const input = { id: card.id, projectCode, cardNo, cardType, userId, beginDate, endDate }
  const { version } = defined(ended)
  expect(
    await refusalMessageOf(t.call(saveCard, { ...input, cardType: 'id', deposit: 0, version }, me)),
  ).toContain('只能修改押金')
  await expect(t.call(saveCard, { ...input, deposit: asFen(3000), version }, me)).rejects.toThrow()
  await t.call(saveCard, { ...input, deposit: 0, version }, me)
  await execute(id, person.name)
  expect(await linesOf(t.database, person.name)).toEqual([])
})

it("PIP-4 a neighbour's open order keeps from nothing, one by the telephone does", async () => {
  const { me, addPerson, approved, execute } = erasures
  const person = await addPerson('宇文邻居', '13655550006')
  const neighbour = { name: '邻居老陈', phone: '13655550099', state: 10 } as const
  const { id: orderId } = await addOrder({ ...neighbour, content: `${person.name}家漏水` })
  const same = { name: '宇文家人', phone: person.mobile, state: 10, content: '门坏' } as const
  const { orderNo } = await addOrder(same)
  const id = await approved(person)
  const { blockers } = await t.call(previewErasure, { id }, me)
  expect(blockers).toMatchObject([{ label: '未结束的工单', numbers: [orderNo] }])
  expect(defined(blockers[0]).advice).toContain('不是本人的，请撤回请求')
  await write(sql`update work_order set state = 80 where owner_id = ${t.ownerId} and order_no = ${orderNo}`)
  await execute(id, person.name)
  const [order] = await read<{ state: number; content: string; name: string }>(sql`
    select state, content, reporter_name as name
    from work_order
    where owner_id = ${t.ownerId} and id = ${orderId}
  `)
  expect(order).toEqual({ state: 10, content: `注销人员${id}家漏水`, name: '邻居老陈' })
})

it('PIP-1 an earlier number finds the resident', async () => {
  const { me, addPerson } = erasures
  const person = await addPerson('宇文换号', '13655550007')
  await t.call(editResident, { ...person, mobile: '13655550008' }, me)
  for (const keyword of ['13655550007', '13655550008']) {
    expect(await t.call(findPeople, { keyword }, me), keyword).toMatchObject([
      { personKind: 'resident', personId: person.id, name: person.name },
    ])
  }
})

it('PIP-3 a log of a voucher keeps its words, without the name within it', async () => {
  const { addPerson, approved, execute } = erasures
  const person = await addPerson('欧阳凭证', '13933330091')
  await write(sql`
    insert into pay_record (
      owner_id, project_code, record_no, record_type, source_name, build_code, payer_kind, payer_id, payer_name,
      principal_amount, tendered_amount, pay_method, methods, pay_time, pay_day, cashier_name, state
    )
    values (
      ${t.ownerId}, 'GOLD0001', 'SK-R-91', 10, '1-101', 'B1', 1, ${person.id}, ${person.name}, 12.50, 12.50, 10,
      '[]', '2026-11-01', '2026-11-01', '收费员甲', 10
    )
  `)
  await write(sql`
    insert into audit_log (owner_id, operator_id, operator_name, action, entity, entity_id, reason)
    select ${t.ownerId}, 1, '操作员', 'update', 'payRecord', id, '应欧阳凭证要求换票'
    from pay_record
    where owner_id = ${t.ownerId} and record_no = 'SK-R-91'
  `)
  const id = await approved(person)
  await execute(id, person.name)
  const reasons = await read(sql`
    select reason from audit_log where owner_id = ${t.ownerId} and reason like '%要求换票'
  `)
  expect(reasons).toEqual([{ reason: `应注销人员${id}要求换票` }])
})
