import { expect, it } from 'vitest'
import { keysOf } from '#kit/contract/field.ts'
import { decodeRequest } from '#kit/contract/wire.ts'
import { collectStayFee } from './charge.ts'
import { boothPayMethod, parkPayMethod } from './choices.ts'

const request = (PayMethod: number) => ({ ID: '7', Amount: '9.00', PayMethod: String(PayMethod) })

it('money is collected in the ways of a booth, a coupon is none of them (PRK-23)', () => {
  expect(decodeRequest(collectStayFee, request(10)).input.payMethod).toBe('cash')
  expect(() => decodeRequest(collectStayFee, request(50))).toThrow('支付方式')
  expect(() => decodeRequest(collectStayFee, request(60))).toThrow('支付方式')
})

it('the ways of a booth are kept under the codes of all charges', () => {
  for (const method of keysOf(boothPayMethod)) {
    expect(parkPayMethod.rows[method]).toEqual(boothPayMethod.rows[method])
  }
})
