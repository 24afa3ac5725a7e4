import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FormFooter } from './use-saving.tsx'

const footerOf = (disabledReason?: string): string =>
  renderToStaticMarkup(
    <FormFooter
      form={{ dirty: true, keepsDraft: true }}
      busy={false}
      submit={() => {}}
      submitLabel="发送"
      disabledReason={disabledReason}
      leaving={false}
      onStay={() => {}}
      onLeave={() => {}}
      alignRight
    />,
  )

it('what cannot be sent says why beside its button', () => {
  expect(footerOf('余量不足')).toMatch(/role="status">余量不足<.*<button[^>]*disabled=""[^>]*>/)
  expect(footerOf()).not.toContain('disabled')
  expect(footerOf()).toContain('有未保存的修改')
})
