import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { int } from '#kit/contract/field.ts'
import { filterKinds } from './filter-kinds.tsx'

it('a range of numbers shows both its ends', () => {
  const { Control } = filterKinds.int
  const drawn = renderToStaticMarkup(
    <Control
      field={int('人数')}
      name="staffCount"
      value={{ staffCountFrom: 12, staffCountTo: 345 }}
      onChange={() => undefined}
    />,
  )
  const values = [...drawn.matchAll(/<input[^>]*value="(\d*)"/g)].map(match => match[1])
  expect(values).toEqual(['12', '345'])
})
