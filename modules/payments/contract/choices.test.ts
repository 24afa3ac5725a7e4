import { expect, it } from 'vitest'
import { keysOf, labelOf, type Choices } from '#kit/contract/field.ts'
import { payMethod as productPayMethod } from '#modules/products/contract/labels.ts'
import { payGroup, paymentType, payMethod, payType, refundWay } from './choices.ts'

const labels = (choices: Choices) => keysOf(choices).map(key => labelOf(choices, key))

it('a method has one name on every screen, print and export, and no two share one', () => {
  expect(new Set(labels(payMethod)).size).toBe(labels(payMethod).length)
  expect(labelOf(paymentType, 'posOffline')).toBe(labelOf(payMethod, 'posOffline'))
  for (const way of ['cash', 'transfer'] as const) {
    expect(labelOf(refundWay, way)).toBe(labelOf(payMethod, way))
  }
})

it('what is bought of the platform is paid by methods of the same names', () => {
  for (const method of ['transfer', 'wechat', 'alipay', 'other'] as const) {
    expect(labelOf(productPayMethod, method)).toBe(labelOf(payMethod, method))
  }
})

it('a way of asking for money has one name', () => {
  expect(labelOf(paymentType, 'qr')).toBe(labelOf(payGroup, 'qr'))
  expect(labelOf(payType, 'qr')).toBe(labelOf(payGroup, 'qr'))
  expect(labelOf(paymentType, 'scanner')).toBe(labelOf(payGroup, 'scan'))
  expect(labelOf(payType, 'scanner')).toBe(labelOf(payGroup, 'scan'))
  expect(labelOf(paymentType, 'pos')).toBe(labelOf(payGroup, 'pos'))
  expect(labelOf(payType, 'pos')).toBe(labelOf(payGroup, 'pos'))
})
