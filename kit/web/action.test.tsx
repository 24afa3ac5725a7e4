import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FooterActions, type Action } from './action.tsx'

it('a footer has one ⋯ for all that does not fit', () => {
  const actions = Array.from({ length: 8 }, (_, i): Action => ({
    label: `操作${i}`,
    danger: i > 5,
    run: () => undefined,
  }))
  const drawn = renderToStaticMarkup(<FooterActions actions={actions} />)
  expect(drawn.split('更多操作')).toHaveLength(2)
})
