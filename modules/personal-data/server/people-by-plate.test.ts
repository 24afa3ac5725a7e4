import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { cars } from '#modules/parking/contract/car.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { addWalkIn } from '#modules/visitors/contract/visit.ts'
import { addRule, inviteOne, nextMobile } from '#modules/visitors/server/visitors.fixtures.ts'
import { findPeople } from '../contract/person.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

it('people are found by the plate of their car, however it is written', async () => {
  const person = defined((await t.call(listResidents, { projectCode: 'GOLD0001', size: 1 }, me)).rows[0])
  const car = {
    projectCode: 'GOLD0001',
    plateColor: 'blue',
    carKind: 'fixed',
    beginDate: '2026-01-01',
  } as const
  await t.call(cars.add, { ...car, plateNo: '粤B8P8P8', userId: person.id }, me)
  await t.call(cars.add, { ...car, plateNo: '粤B9P9P9', ownerName: '路人' }, me)
  for (const keyword of ['粤B8P8P8', '粤b·8p8p8']) {
    const found = await t.call(findPeople, { keyword }, me)
    expect(found.map(each => [each.personKind, each.name])).toEqual([['resident', person.name]])
  }
  expect(await t.call(findPeople, { keyword: '粤B9P9P9' }, me)).toMatchObject([
    { personKind: 'car', name: '路人', place: '粤B9P9P9' },
  ])
  expect(await t.call(findPeople, { keyword: 'B8P8P8' }, me)).toEqual([])
})

it('visitors are found by the plate of their car, invited and walked in', async () => {
  await addRule(t, me)
  const mobile = nextMobile()
  const plateNo = '苏J60307'
  await inviteOne(t, me, { visitors: [{ visitorName: '客甲', mobile, plateNo }] })
  const visit = { projectCode: 'GOLD0001', visitorKind: 'friend', personCount: 1 } as const
  await t.call(addWalkIn, { ...visit, visitorName: '客乙', plateNo }, me)
  for (const keyword of [plateNo, '苏j·60307']) {
    const found = await t.call(findPeople, { keyword }, me)
    expect(found.map(each => [each.personKind, each.name])).toEqual([
      ['inviteVisitor', '客甲'],
      ['visitRecord', '客乙'],
    ])
  }
  expect(await t.call(findPeople, { keyword: 'J60307' }, me)).toEqual([])
})
