import { expect, it } from 'vitest'
import { licencePlateKind, normalizePlate, plateRule } from './licence-plate.ts'

const ok = undefined

it('form rule plate (0§5)', () => {
  for (const [value, message] of [
    ['粤B12345', ok],
    ['粤BD12345', ok],
    ['粤BF12345', ok],
    ['粤BDA1234', ok],
    ['粤B12345D', ok],
    ['粤B12345F', ok],
    ['沪AGX1234', ok],
    ['粤Z1234港', ok],
    ['京A1234警', ok],
    ['粤B1234', '车牌号格式不正确，如 粤B12345，新能源 粤BD12345'],
    ['粤B1234I', '车牌号格式不正确，如 粤B12345，新能源 粤BD12345'],
    ['粤B12345L', '车牌号格式不正确，如 粤B12345，新能源 粤BD12345'],
    ['B123456', '车牌号格式不正确，如 粤B12345，新能源 粤BD12345'],
    ['粤b12345', '车牌号格式不正确，如 粤B12345，新能源 粤BD12345'],
    ['粤B1234567', '车牌号最多8个字符'],
  ] as const) {
    expect([value, plateRule.test(value)]).toEqual([value, message])
  }
})

it('keeps a plate in capitals without the dot', () => {
  expect(normalizePlate(' 粤b·１2345 ')).toBe('粤B12345')
})

it('knows the kinds of plates', () => {
  expect([
    licencePlateKind('粤BD12345'),
    licencePlateKind('粤B12345'),
    licencePlateKind('使123456'),
    licencePlateKind('B123456'),
  ]).toEqual(['newEnergy', 'ordinary', 'special', undefined])
})

it('stays quick on hostile input', () => {
  for (const value of ['a'.repeat(50_000), '9'.repeat(50_000), '一·'.repeat(25_000)]) {
    plateRule.test(value)
  }
})
