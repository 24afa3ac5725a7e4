import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { int } from '#kit/contract/field.ts'
import { filterKinds } from './filter-kinds.tsx'

const { Control } = filterKinds.int
const draw = (staffCountFrom: number, staffCountTo: number): string =>
  renderToStaticMarkup(
    <Control
      field={int('人数')}
      name="staffCount"
      value={{ staffCountFrom, staffCountTo }}
      onChange={() => undefined}
    />,
  )

it('a range of numbers shows both its ends', () => {
  const drawn = draw(12, 345)
  const values = [...drawn.matchAll(/<input[^>]*value="(\d*)"/g)].map(match => match[1])
  expect(values).toEqual(['12', '345'])
})

it('a range whose ends are exchanged says why nothing is found', () => {
  expect([draw(345, 12).includes('下限大于上限'), draw(12, 12).includes('下限大于上限')]).toEqual([
    true,
    false,
  ])
})
