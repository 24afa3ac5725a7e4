import { expect, it } from 'vitest'
import { licencePlateKind } from '../contract/licence-plate.ts'
import { firstKeys, isWholePlate, nextKeys } from './plate-keys.ts'

it('plates of every kind can be written by the keys', () => {
  const plates = ['使014578', '京O12345', '粤BD12345', '粤B12345D', '粤B1234学', '粤Z1234港', '沪A1234超']
  const provinces = firstKeys.filter(key => key !== '使').map(province => `${province}A12345`)
  for (const plate of [...plates, ...provinces]) {
    const [first = '', ...rest] = plate
    expect(licencePlateKind(plate)).toBeDefined()
    expect(firstKeys).toContain(first)
    expect(nextKeys).toEqual(expect.arrayContaining(rest))
    expect(isWholePlate(plate)).toBe(true)
  }
  expect(provinces).toHaveLength(31)
})
