import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, type Fen } from '#kit/domain/money.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { seedBillRows, seedFeeItem } from '#modules/bills/server/fixtures.ts'
import {
  deductRooms,
  freezeAccount,
  listAccounts,
  refundAccount,
  topUp,
} from '#modules/prestore/contract/account.ts'
import { checkOut, previewMove, transferRoom } from '#modules/residents/contract/move.ts'
import { listResidencies } from '#modules/residents/contract/residency.ts'
import { addFamily } from '#modules/residents/contract/resident.ts'
import { addRoom, type Room } from '#modules/rooms/contract/room.ts'
import { addDeposit, deposits, refundDeposit } from '../contract/deposit.ts'

let t: GoldenApp
let me: CallOptions
let item: Id = 0
let counter = 0
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  item = await t.database.tx(t.ownerId, tx => seedFeeItem(tx, t.ownerId, 'MVMN'))
})

afterAll(() => t?.close())

const nextMobile = (): string => `1360000${String(1000 + ++counter)}`

interface Home {
  readonly room: Room
  readonly roomCode: string
  readonly userId: Id
  readonly residencyId: Id
}

/** A room with one owner, who pays for it. */
async function createHome(name: string): Promise<Home> {
  const room = await t.call(
    addRoom,
    {
      ...project,
      buildCode: 'B2',
      unitName: '1',
      floorNum: 1,
      roomNo: `P${100 + ++counter}`,
      roomType: 'home',
      roomState: 'vacant',
      state: 'on',
    },
    me,
  )
  await t.call(
    addFamily,
    {
      ...project,
      roomIds: [String(room.id)],
      inDate: '2025-01-01',
      people: [{ name, mobile: nextMobile(), relation: 'owner' }],
    },
    me,
  )
  const [residency] = (await t.call(listResidencies, { roomId: room.id }, me)).rows
  const { id, userId } = defined(residency)
  return { room, roomCode: defined(room.code), userId, residencyId: id }
}

const topUpRoom = ({ roomCode }: Home, amount: number, gift?: number) =>
  t.call(
    topUp,
    {
      ...project,
      ownerKind: 'room',
      ownerCode: roomCode,
      feeItemId: 0,
      methods: [{ method: 'cash', amount: asFen(amount) }],
      ...(gift ? { gift: asFen(gift) } : {}),
    },
    me,
  )

const accountOf = async (ownerKind: 'room' | 'resident', ownerCode: string) => {
  const found = await t.call(listAccounts, { ...project, ownerKind: [ownerKind], ownerCode }, me)
  return found.rows[0]
}

const balancesOf = async (
  ownerKind: 'room' | 'resident',
  ownerCode: string,
): Promise<readonly (Fen | undefined)[]> => {
  const account = await accountOf(ownerKind, ownerCode)
  return [account?.balance, account?.giftBalance]
}

type Answers = NonNullable<typeof transferRoom.input.T>['answers']

const sell = ({ room, residencyId }: Home, answers: Answers = []) =>
  t.call(
    transferRoom,
    {
      roomId: room.id,
      linkId: residencyId,
      day: '2026-11-01',
      familyLeaves: true,
      people: [{ name: '新房主', mobile: nextMobile(), relation: 'owner' }],
      reason: '二手房成交',
      answers,
    },
    me,
  )

const previewSale = async ({ room }: Home, key: string, answers: Answers = []) =>
  (
    await t.call(previewMove, { kind: 'transfer', roomId: room.id, day: '2026-11-01', answers }, me)
  ).steps.find(step => step.key === key)

const createBill = ({ roomCode, room }: Home) =>
  t.database.tx(t.ownerId, tx =>
    seedBillRows(tx, t.ownerId, item, [
      {
        source: roomCode,
        name: room.path,
        build: 'B2',
        begin: '2026-11-01',
        end: '2026-11-30',
        due: '2026-11-10',
      },
    ]),
  )

it('BASE-17: the prestore of a sold room goes with its owner and pays no bill of the new one', async () => {
  const home = await createHome('预存甲')
  await topUpRoom(home, 238_492, 10_000)
  const step = defined(await previewSale(home, 'prestore'))
  expect(step.lines.map(line => [line.label, line.value])).toEqual([
    ['预存余额', '2,384.92 元'],
    ['赠送余额', '100.00 元'],
  ])
  expect([step.question?.value, step.question?.options.map(o => o.value), step.blocks]).toEqual([
    'keep',
    ['keep', 'room', 'refund'],
    undefined,
  ])
  await sell(home)
  expect(await balancesOf('room', home.roomCode)).toEqual([0, 0])
  expect(await balancesOf('resident', String(home.userId))).toEqual([238_492, 10_000])
  await createBill(home)
  const deducted = await t.call(deductRooms, { ...project, roomCodes: [home.roomCode] }, me)
  expect(deducted.amount).toBe(0)
})

it('by agreement it stays with the room; a refund comes first; a frozen account is left alone', async () => {
  const agreed = await createHome('预存乙')
  await topUpRoom(agreed, 50_000)
  await sell(agreed, [{ key: 'prestore', value: 'room' }])
  expect(await balancesOf('room', agreed.roomCode)).toEqual([50_000, 0])
  await createBill(agreed)
  expect((await t.call(deductRooms, { ...project, roomCodes: [agreed.roomCode] }, me)).amount).toBe(30_000)

  const refunded = await createHome('预存丙')
  const refundFirst = [{ key: 'prestore', value: 'refund' }]
  await topUpRoom(refunded, 50_000, 2000)
  expect(await refusalTextOf(sell(refunded, refundFirst))).toMatch('还有预存 500.00 元未退')
  const { id } = defined(await accountOf('room', refunded.roomCode))
  await t.call(freezeAccount, { id, frozen: true, reason: '核对余额' }, me)
  expect(await refusalTextOf(sell(refunded))).toMatch('预存账户已冻结')
  await t.call(freezeAccount, { id, frozen: false, reason: '核对无误' }, me)
  await t.call(refundAccount, { id, amount: asFen(50_000), method: 'cash', reason: '过户退款' }, me)
  await sell(refunded, refundFirst)
  expect(await balancesOf('room', refunded.roomCode)).toEqual([0, 0])
  expect(await balancesOf('resident', String(refunded.userId))).toEqual([0, 2000])
})

it('BASE-11: the payer takes the prestore along when moving out; others do not', async () => {
  const home = await createHome('预存丁')
  await t.call(
    addFamily,
    {
      ...project,
      roomIds: [String(home.room.id)],
      inDate: '2025-01-01',
      people: [{ name: '预存戊', relation: 'family' }],
    },
    me,
  )
  await topUpRoom(home, 30_000)
  const all = (await t.call(listResidencies, { roomId: home.room.id }, me)).rows
  const family = defined(all.find(r => r.relation === 'family'))
  const leave = (id: Id) => t.call(checkOut, { ids: [String(id)], outDate: '2026-11-20' }, me)
  await leave(family.id)
  expect(await balancesOf('room', home.roomCode)).toEqual([30_000, 0])
  await leave(home.residencyId)
  expect(await balancesOf('room', home.roomCode)).toEqual([0, 0])
  expect(await balancesOf('resident', String(home.userId))).toEqual([30_000, 0])
})

it('C6.3: a deposit stays its payer’s, is refunded first, or is the new owner’s by agreement', async () => {
  const createHeld = async (name: string) => {
    const home = await createHome(name)
    const added = await t.call(
      addDeposit,
      {
        ...project,
        kind: 'fitting',
        roomCode: home.roomCode,
        amount: asFen(200_000),
        methods: [{ method: 'cash', amount: asFen(200_000) }],
      },
      me,
    )
    return { home, id: added.id }
  }
  const payerOf = async (id: Id) => (await t.call(deposits.get, { id }, me)).payerName
  const kept = await createHeld('押金甲')
  expect(await previewSale(kept.home, 'deposits')).toMatchObject({
    lines: [{ label: '未退押金', value: '1 笔，2,000.00 元', note: '仍归原缴纳人' }],
    question: { value: 'keep' },
  })
  await sell(kept.home)
  expect(await payerOf(kept.id)).toBe('押金甲')
  const agreed = await createHeld('押金乙')
  await sell(agreed.home, [{ key: 'deposits', value: 'newOwner' }])
  expect(await payerOf(agreed.id)).toBe('新房主')
  const refunded = await createHeld('押金丙')
  const refundFirst = [{ key: 'deposits', value: 'refund' }]
  expect(await refusalTextOf(sell(refunded.home, refundFirst))).toMatch('还有 1 笔押金未退，共 2,000.00 元')
  await t.call(
    refundDeposit,
    { id: refunded.id, amount: asFen(200_000), method: 'cash', reason: '过户退还' },
    me,
  )
  await sell(refunded.home, refundFirst)
})
