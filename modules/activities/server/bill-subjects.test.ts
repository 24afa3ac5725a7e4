import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { markBills } from '#modules/bills/contract/adjustments.ts'
import { getCashierView } from '#modules/payments/contract/cashier.ts'
import { listResidentBills } from '#modules/resident-bills/contract/bills.ts'
import { residentPageUrls } from '#modules/resident-page/server/public.ts'
import { signUp } from '../contract/home.ts'
import { projectCode, publishOne } from './activities.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let feeItemId: Id

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner, projectCode)
  feeItemId = await t.addFeeItem('HDF', { name: '社区活动费', feeType: 'temporary', multi: true })
})

afterAll(() => t?.close())

interface Signer {
  readonly id: Id
  readonly name: string
  readonly roomCode: string
}

/** Two who live in one room, the owner first. */
const findRoommates = () =>
  t.database.reader(t.ownerId).rows<Signer>(sql`
    select p.id, p.name, r.code as room_code
    from user_room l
    join resident p on p.owner_id = ${t.ownerId} and p.id = l.user_id and p.state = 10 and p.delete_tag = 0
    join room r on r.owner_id = ${t.ownerId} and r.id = l.room_id
    where l.owner_id = ${t.ownerId}
      and l.status = 20
      and l.delete_tag = 0
      and l.relation in (10, 20)
      and l.room_id = (
        select room_id
        from user_room
        where owner_id = ${t.ownerId}
          and project_code = ${projectCode}
          and status = 20
          and delete_tag = 0
          and relation in (10, 20)
        group by room_id
        having count(*) > 1 and bool_or(relation = 10)
        order by room_id
        limit 1
      )
    order by l.relation, p.id
    limit 2
  `)

it('the bills of two signers in one room name the activity, and at the counter the signer (PAY-4)', async () => {
  const [first, second] = await findRoommates()
  const signers = [defined(first), defined(second)]
  const { roomCode: sourceCode } = defined(first)
  const urls = await residentPageUrls(
    t.app,
    t.ownerId,
    signers.map(({ id }) => id),
  )
  const tokenOf = ({ id }: Signer) =>
    defined(new URL(defined(urls.get(id)), 'http://here').searchParams.get('t'))
  const { id } = await publishOne(t, me, { quota: 10, maxPersons: 3, fee: asFen(2000), feeItemId })
  for (const [i, signer] of signers.entries()) {
    await t.call(signUp, { token: tokenOf(signer), id, personCount: i + 1 })
  }
  const view = await t.call(getCashierView, { projectCode, sourceType: 'room', sourceCode }, me)
  const lines = view.groups.flatMap(group => group.bills).filter(bill => bill.feeItemName === '社区活动费')
  const shown = lines.map(({ remark, payerName }) => `${remark} ${payerName}`).toSorted()
  expect(shown).toEqual(signers.map(({ name }, i) => `活动「亲子运动会」${i + 1} 人 ${name}`).toSorted())
  // What staff note is for the counter alone.
  const ids = lines.map(({ billId }) => String(billId))
  await t.call(markBills, { ids, remark: '多次催缴未回复' }, me)
  const { bills } = await t.call(listResidentBills, { token: tokenOf(defined(first)) })
  const subjects = bills.filter(bill => bill.feeItemName === '社区活动费').map(({ subject }) => subject)
  expect(new Set(subjects)).toEqual(new Set(['活动「亲子运动会」1 人', '活动「亲子运动会」2 人']))
  expect(subjects).toHaveLength(2)
  expect(bills.filter(bill => bill.feeItemName !== '社区活动费').every(bill => !bill.subject)).toBe(true)
})
