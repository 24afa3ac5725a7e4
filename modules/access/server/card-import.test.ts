import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { importCards } from '#modules/residents/contract/card-import.ts'
import { listOwnLinks, showOwnCode } from '../contract/own-access.ts'
import { checkRight } from '../contract/reach.ts'
import { addDoorway, addGroup, projectCode } from './access.fixtures.ts'
import { findNeighbours, issueCard } from './people.fixtures.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner)
})

afterAll(() => t?.close())

it('an imported card opens the doors of the groups that its line names (ACS-2)', async () => {
  const [person] = await findNeighbours(t)
  const { userId, name } = defined(person)
  const mobile = '13900779001'
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update resident set mobile = ${mobile} where owner_id = ${t.ownerId} and id = ${userId}`),
  )
  const [gym, pool] = [await addDoorway(t, me), await addDoorway(t, me)]
  await addGroup(t, me, [gym], { groupName: '健身房' })
  await addGroup(t, me, [pool], { groupName: '泳池' })
  const csv = `卡号,持有人,手机号,门组\nCG001,${name},${mobile},健身房\nCG002,${name},${mobile},"健身房,泳池"\n`
  const upload = { ...t.upload('卡.csv', new TextEncoder().encode(csv)), name: '卡.csv', type: 'text/csv' }
  const { importId, errors } = await t.call(importCards.post, { projectCode }, { ...me, upload })
  expect(errors).toEqual([])
  const input = { projectCode, importId: defined(importId), mode: 'skip' }
  const { taskId } = await t.call(importCards.post, input, me)
  await t.waitForTask(defined(taskId))
  const opens = async (cardNo: string) => [
    (await t.call(checkRight, { doorwayId: gym.id, cardNo }, me)).isAllowed,
    (await t.call(checkRight, { doorwayId: pool.id, cardNo }, me)).isAllowed,
  ]
  expect(await opens('CG001')).toEqual([true, false])
  expect(await opens('CG002')).toEqual([true, true])
})

it('a card with the number of a code that works is refused, one with that of an ended code is not (ACS-1)', async () => {
  const [person] = await findNeighbours(t)
  const { userId, name } = defined(person)
  await addDoorway(t, me, { isPublic: true })
  const [link] = await t.call(listOwnLinks, { userId }, me)
  const token = defined(new URL(defined(defined(link).url), 'http://here').searchParams.get('t'))
  const { code } = await t.call(showOwnCode, { token })
  expect(await faultTextsOf(issueCard(t, me, { userId }, { cardNo: code }))).toEqual({
    CardNo: '该卡号与使用中的通行码或邀请码相同，请更换卡片',
  })
  const csv = `卡号,持有人,手机号\n${code},${name},13900779001\n`
  const upload = { ...t.upload('卡.csv', new TextEncoder().encode(csv)), name: '卡.csv', type: 'text/csv' }
  const { errors } = await t.call(importCards.post, { projectCode }, { ...me, upload })
  expect(defined(errors).map(({ message }) => message)).toEqual(['该卡号与使用中的通行码或邀请码相同'])
  await t.call(showOwnCode, { token, isNew: true })
  expect((await issueCard(t, me, { userId }, { cardNo: code })).cardNo).toBe(code)
})
