import { expect, it } from 'vitest'
import { codeOf, keysOf, labelOf } from '#kit/contract/field.ts'
import { manifest as residents } from '#modules/residents/module.ts'
import { manifest as visitors } from '#modules/visitors/module.ts'
import { manifest } from '../module.ts'
import { openMethod, openStatus } from './choices.ts'

it('how a door was opened, and whether it was, is shown by name (1§9, 2§3)', () => {
  const methods = keysOf(openMethod).map(key => [codeOf(openMethod, key), labelOf(openMethod, key)])
  expect(methods.slice(0, 5)).toEqual([
    [0, '蓝牙'],
    [1, '刷卡'],
    [2, '微信扫码'],
    [3, '人脸'],
    [4, '二维码'],
  ])
  expect([codeOf(openStatus, 'opened'), codeOf(openStatus, 'refused')]).toEqual([1, 0])
})

it('the screens of doors, cards, devices, intercoms, locks and the process are there (1§2, 2§2)', () => {
  const paths = [manifest, residents, visitors].flatMap(({ screens }) => screens.map(({ path }) => path))
  const special = '/intelligence/specialEquipment'
  expect(paths).toEqual(
    expect.arrayContaining([
      '/face',
      '/doorvisitors',
      '/doorvisitors/doorway',
      '/doorvisitors/doorcardmanage',
      '/doorvisitors/Menjin',
      '/menjinSystem',
      '/menjinSystem/menjinCarManage',
      '/menjinSystem/doorwayset',
      '/accessprocess',
      '/informationapproval',
      `${special}/menjindev`,
      `${special}/menjindev/menjinSet`,
      `${special}/visibleintertalk`,
      `${special}/visibleintertalk/AddEquipment`,
      `${special}/visibleintertalk/EditEquipment`,
      `${special}/visibleintertalk/LookEquipment`,
      `${special}/lockmanagement`,
    ]),
  )
})
