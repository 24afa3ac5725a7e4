import { expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { openGoldenApp } from '#db/golden/golden-app.ts'
import { cars } from '#modules/parking/contract/car.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { findPeople } from '../contract/person.ts'

it('people are found by the plate of their car, however it is written', async () => {
  const t = await openGoldenApp()
  const me = await t.owner
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
  await t.close()
})
