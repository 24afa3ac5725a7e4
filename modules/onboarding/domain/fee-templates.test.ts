import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { plannedBuildingNames, abbreviateNames } from './building-plan.ts'
import { feeTemplates, standardNameOf } from './fee-templates.ts'

it('names buildings from one number to another', () => {
  expect(plannedBuildingNames({ from: 1, to: 3, suffix: '栋' })).toEqual(['1栋', '2栋', '3栋'])
  expect(plannedBuildingNames({ from: 5, to: 5, suffix: '号楼' })).toEqual(['5号楼'])
  expect(plannedBuildingNames({ from: 3, to: 1, suffix: '栋' })).toEqual([])
})

it('shortens a long list of names', () => {
  expect(abbreviateNames(['1栋', '2栋'])).toBe('1栋、2栋')
  expect(abbreviateNames(plannedBuildingNames({ from: 1, to: 9, suffix: '栋' }))).toBe('1栋、2栋…9栋')
})

it('has templates with codes of their own, named with their cycle', () => {
  for (const key of ['key', 'itemCode', 'standardCode'] as const) {
    expect(new Set(feeTemplates.map(t => t[key])).size).toBe(feeTemplates.length)
  }
  const byKey = (key: string) => defined(feeTemplates.find(t => t.key === key))
  expect(standardNameOf(byKey('property'), 3)).toBe('物业费（每季度）')
  expect(standardNameOf(byKey('water'), 1)).toBe('水费')
})
