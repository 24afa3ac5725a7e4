import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { homesRefusal, type AskedHome } from './audience.ts'
import { planMoveUp, type Waiting } from './move-up.ts'

const projectCode = 'P1'
const of = { projectCode, quota: 10, signCount: 7, fee: asFen(2000) }

const homeIn = (room: number, rest: Partial<AskedHome> = {}): AskedHome => ({
  projectCode,
  roomId: asId(room),
  buildingCode: 'B1',
  relation: 'owner',
  ...rest,
})
const job: AskedHome = { projectCode }
const elsewhere = homeIn(90, { projectCode: 'P2' })

const waiting = (id: number, personCount: number, homes: readonly AskedHome[] = [homeIn(id)]): Waiting => ({
  id: asId(id),
  userId: asId(id),
  personCount,
  roomId: asId(id),
  homes,
})

const movedOf = (...asked: Parameters<typeof planMoveUp>) =>
  planMoveUp(...asked).moved.map(({ id, roomId }) => [id, roomId])
const endedOf = (...asked: Parameters<typeof planMoveUp>) =>
  planMoveUp(...asked).ended.map(({ id, reason }) => [id, reason])

it('moves up in order as many as fit; the first who does not fit stops those behind (NOT-2)', () => {
  const queue = [waiting(1, 2), waiting(2, 2), waiting(3, 1)]
  expect(movedOf(of, queue)).toEqual([[1, 1]])
  expect(movedOf({ ...of, signCount: 6 }, queue)).toEqual([
    [1, 1],
    [2, 2],
  ])
  expect(movedOf({ ...of, quota: 0 }, queue)).toHaveLength(3)
  expect(movedOf({ ...of, signCount: 10 }, queue)).toEqual([])
})

it('who has moved out waits no longer, and stops nobody (PAY-4)', () => {
  const queue = [waiting(1, 20, []), waiting(2, 2, [elsewhere]), waiting(3, 3)]
  expect(movedOf(of, queue)).toEqual([[3, 3]])
  expect(endedOf(of, queue)).toEqual([
    [1, '已迁出'],
    [2, '已迁出'],
  ])
  // Works there still: without a room nobody is charged.
  expect(endedOf(of, [waiting(1, 1, [job])])).toEqual([[1, '已迁出']])
  const free = { ...of, fee: asFen(0) }
  expect(movedOf(free, [{ ...waiting(1, 1, [job]), roomId: undefined }])).toEqual([[1, undefined]])
})

it('who lives in another room of the project now is charged for that one', () => {
  expect(movedOf(of, [waiting(1, 1, [homeIn(50), homeIn(1)])])).toEqual([[1, 1]])
  expect(movedOf(of, [waiting(1, 1, [elsewhere, job, homeIn(50)])])).toEqual([[1, 50]])
})

it('who is of the audience no longer waits no longer', () => {
  const scoped = { ...of, buildCodes: ['B1'], relations: ['owner' as const] }
  const reason = '已不在活动的参加范围内'
  expect(endedOf(scoped, [waiting(1, 1), waiting(2, 1, [homeIn(2, { buildingCode: 'B2' })])])).toEqual([
    [2, reason],
  ])
  const [tenant] = planMoveUp(scoped, [waiting(3, 1, [homeIn(3, { relation: 'tenant' })])]).ended
  expect(tenant).toMatchObject({ reason, hasLeft: false })
})

it('names to staff why somebody cannot be signed up', () => {
  const scoped = { ...of, buildCodes: ['B1'], relations: ['owner' as const] }
  expect(homesRefusal(scoped, [elsewhere])).toContain('在本项目暂无房屋')
  expect(homesRefusal(scoped, [job])).toContain('收费活动按房屋出账单')
  expect(homesRefusal(scoped, [homeIn(1, { buildingCode: 'B2' })])).toContain('参加楼栋')
  expect(homesRefusal(scoped, [homeIn(1, { relation: 'tenant' })])).toContain('与房屋的关系')
})
