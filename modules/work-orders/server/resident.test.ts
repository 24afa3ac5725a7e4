import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf, refusalOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { pollOrder } from '#modules/payments/contract/order.ts'
import { payOrderOffline } from '#modules/payments/contract/payment.ts'
import { acceptOrder, dispatchOrder, finishOrder } from '../contract/order-actions.ts'
import { listOrders } from '../contract/order-list.ts'
import { evaluateOrder, listVisits } from '../contract/evaluation.ts'
import {
  checkAsResident,
  evaluateAsResident,
  expediteAsResident,
  followOrder,
  listPlaceCodes,
  printPlaceCodes,
  openPlace,
  payAsResident,
  reportAtPlace,
} from '../contract/resident.ts'
import { setFunctionSettings } from '../contract/settings.ts'
import { makeToken } from './resident-token.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture
let roomId: Id = 0

beforeAll(async () => {
  w = await openOrderFixture()
  roomId = defined(
    await w.t.database.reader(w.t.ownerId).one<{ id: Id }>(sql`
      select id from room where project_code = ${projectCode} and code = ${w.roomCode}
    `),
  ).id
})

afterAll(() => w?.close())

const tokenOf = (url: string): string => defined(url.split('?t=')[1])
const handler = () => defined(w.handlers[0])

async function roomToken(): Promise<string> {
  const codes = await w.t.call(
    listPlaceCodes,
    { projectCode, placeKind: 'room', ids: [String(roomId)] },
    w.owner,
  )
  return tokenOf(defined(codes.rows[0]).url)
}

const reportOf = async (typeId: Id, overrides: object = {}) =>
  w.t.call(reportAtPlace, {
    token: await roomToken(),
    typeId,
    content: '厨房水管漏水',
    name: '王先生',
    phone: '13800138000',
    ...overrides,
  })

it('a resident reports as urgent at most: critical is for the company to say', async () => {
  const report = reportOf(w.typeOf('TS01').id, { level: 'critical' })
  expect((await refusalOf(report)).data).toEqual([
    { Field: 'Level', Message: '报事只能选择一般或紧急，特急由客服登记' },
  ])
})

it('places for a code are found by the path, the number and the code of the room', async () => {
  const { path, roomNo } = defined(
    await w.t.database.reader(w.t.ownerId).one<{ path: string; roomNo: string }>(sql`
      select path, room_no from room where id = ${roomId}
    `),
  )
  for (const keyword of [path, path.slice(0, -1), roomNo, w.roomCode]) {
    const found = await w.t.call(
      listPlaceCodes,
      { projectCode, placeKind: 'room', keyword, size: 500 },
      w.owner,
    )
    expect(
      found.rows.map(place => place.id),
      keyword,
    ).toContain(roomId)
  }
})

it('who sees orders and no settings prints the codes; they lead to the product alone', async () => {
  const clerk = await w.t.addClerk(['work-orders.order.view'])
  const asked = { projectCode, placeKind: 'room', ids: [String(roomId)] } as const
  expect((await w.t.call(listPlaceCodes, asked, clerk.as)).total).toBe(1)
  const printed = (origin: string) => w.t.call(printPlaceCodes, { ...asked, origin }, clerk.as)
  await printed('http://localhost:8080')
  expect(await refusalTextOf(printed('https://evil.example'))).toContain('网址应为本系统的地址')
})

it('the code of a room shows where one is and what may be reported, and no person', async () => {
  const place = await w.t.call(openPlace, { token: await roomToken() })
  expect(place).toMatchObject({ placeKind: 'room', estateName: '金一一期', companyName: '金一物业' })
  expect(place.types.map(type => type.typeName)).not.toContain('内部任务')
  expect(JSON.stringify(place)).not.toMatch(/1[3-9]\d{9}/)
})

it('reported, urged, sent back, paid and rated by its link alone; nothing of others is on it', async () => {
  const feeItemId = await w.t.addFeeItem('GDR', { name: '维修费', feeType: 'temporary', multi: true })
  const type = await w.addType({ needAccept: true, isCharge: true, feeItemId })
  const made = await reportOf(type.id)
  const token = made.orderToken
  expect(await w.t.call(followOrder, { token })).toMatchObject({
    orderNo: made.orderNo,
    state: 'waiting',
    canCancel: true,
    canExpedite: true,
    canEvaluate: false,
  })
  const [order] = (await w.t.call(listOrders, { projectCode, keyword: made.orderNo }, w.owner)).rows
  const id = defined(order).id
  expect(order).toMatchObject({ source: 'resident', roomCode: w.roomCode, reporterName: '王先生' })
  expect((await w.t.call(expediteAsResident, { token })).expediteWait).toBe(10)
  expect(await refusalMessageOf(w.t.call(expediteAsResident, { token }))).toContain('10 分钟后')
  await w.t.call(dispatchOrder, { id, handlerId: handler().id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, handler().as)
  const finish = {
    id,
    resultText: '已更换',
    lines: [{ lineKind: 'labour', name: '人工', quantity: '1', price: asFen(3000) }] as const,
  }
  await w.t.call(finishOrder, finish, handler().as)
  expect(await refusalTextOf(w.t.call(checkAsResident, { token, isPassed: false }))).toContain('请填写原因')
  expect((await w.t.call(checkAsResident, { token, isPassed: false, reason: '还在滴水' })).state).toBe(
    'processing',
  )
  await w.t.call(finishOrder, finish, handler().as)
  const checked = await w.t.call(checkAsResident, { token, isPassed: true })
  expect(checked).toMatchObject({ state: 'unpaid', canPay: true, amount: 3000 })
  const pay = await w.t.call(payAsResident, { token })
  expect(pay).toMatchObject({ amount: 3000 })
  expect(pay.url).toContain('/api/pay/h5?')
  await w.t.call(
    payOrderOffline,
    { orderNo: pay.orderNo, methods: [{ method: 'cash', amount: asFen(3000) }] },
    w.owner,
  )
  expect((await w.t.call(pollOrder, { orderNo: pay.orderNo }, w.owner)).state).toBe('paid')
  const rated = await w.t.call(evaluateAsResident, {
    token,
    speedScore: 2,
    attitudeScore: 2,
    qualityScore: 2,
    content: '太慢',
  })
  expect(rated).toMatchObject({ state: 'completed', evaluation: { score: 2, canChange: true } })
  expect((await w.t.call(listVisits, { orderId: [String(id)] }, w.owner)).rows[0]).toMatchObject({
    reason: 'lowScore',
    state: 'waiting',
  })
  const best = { speedScore: 5, attitudeScore: 5, qualityScore: 5 }
  expect(await refusalTextOf(w.t.call(evaluateOrder, { orderId: id, ...best }, w.front))).toContain(
    '员工不能修改',
  )
  const changed = await w.t.call(evaluateAsResident, { token, ...best, speedScore: 4, content: '已回电' })
  expect(changed).toMatchObject({ evaluation: { speedScore: 4, canChange: false } })
  const page = JSON.stringify(rated)
  expect(page).not.toContain('13800138000')
  expect(page).not.toContain(handler().name)
})

it('sent twice over a bad network it is one order', async () => {
  const type = await w.addType()
  const [a, b] = await Promise.all([reportOf(type.id), reportOf(type.id)])
  expect(a.orderNo).toBe(b.orderNo)
})

it('a forged link, a link of another kind and one of another company are no links', async () => {
  const own = await roomToken()
  const [kind, ownerId, id, signature] = own.split('.')
  const words = '链接无效，请重新扫描现场的二维码，或联系物业'
  for (const token of [
    `${own}x`,
    `${kind}.${ownerId}.${Number(roomId + 1).toString(36)}.${signature}`,
    `o.${ownerId}.${id}.${signature}`,
    `${kind}.2.${id}.${signature}`,
    'nonsense',
  ]) {
    expect(await refusalMessageOf(w.t.call(openPlace, { token }))).toBe(words)
  }
  expect(await refusalMessageOf(w.t.call(followOrder, { token: own }))).toBe(words)
  // A true signature of a company that has no such order.
  const foreign = await makeToken(w.t.app, { kind: 'order', ownerId: asId(w.t.ownerId + 1), id: roomId })
  expect(await refusalMessageOf(w.t.call(followOrder, { token: foreign }))).toContain('不存在')
})

it('where the company takes no reports this way the page says how else', async () => {
  await w.t.call(setFunctionSettings, { settings: [{ key: 'residentReport', enabled: false }] }, w.owner)
  expect(await refusalMessageOf(w.t.call(openPlace, { token: await roomToken() }))).toBe(
    '该项目暂不支持扫码报事，请电话联系物业 0755-12345678',
  )
})
