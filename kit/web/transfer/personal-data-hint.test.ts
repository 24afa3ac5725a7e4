import { expect, it } from 'vitest'
import { text } from '#kit/contract/field.ts'
import { personalDataHint, sheetFieldsOf } from './personal-data-hint.ts'

const name = text('姓名')
const mobile = text('手机号', { masked: 'mobile' })
const certNo = text('证件号', { masked: 'idCard' })
const secret = text('密钥', { masked: 'secret' })

it('says whether phones and documents go out in full, by the permission (EXP-4)', () => {
  expect(personalDataHint([name, mobile, certNo, mobile], true)).toBe(
    '手机号、证件号按完整号码导出（已授权查看完整手机号和证件号）',
  )
  expect(personalDataHint([name, mobile], false)).toBe(
    '手机号部分遮盖后导出，导出完整号码需要「查看完整手机号、证件号」权限',
  )
})

it('says nothing where none of them goes out', () => {
  expect(personalDataHint([name, secret], true)).toBeUndefined()
  expect(personalDataHint([], false)).toBeUndefined()
})

it('the whole sheet has no field that is kept out of sheets', () => {
  const fields = { name, mobile: text('手机号', { masked: 'mobile', hiddenIn: ['sheet'] }) }
  expect(sheetFieldsOf(fields)).toEqual([name])
})
