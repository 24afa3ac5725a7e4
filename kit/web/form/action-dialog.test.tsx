import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { text } from '#kit/contract/field.ts'
import { noData, recordIdField, shape } from '#kit/contract/shape.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { queryClient } from '../query.ts'
import { actionDialog } from './action-dialog.tsx'

vi.mock(import('./edit-dialog.tsx'), () => ({
  EditDialog: ({ draftKey }: { readonly draftKey: string | undefined }) => <>{draftKey ?? 'no draft'}</>,
}))

const close = call({
  route: 'PUT Room/Close',
  title: '关闭',
  needs: everyone,
  input: shape({ id: recordIdField, reason: text('原因') }),
  output: noData,
})

const draftOf = (form: { readonly danger?: true }): string => {
  const Dialog = actionDialog({
    call: close,
    title: () => '关闭',
    submitLabel: '关闭',
    keys: ['reason'],
    target: ({ id }: { readonly id: Id }) => ({ id }),
    doneText: () => '已关闭',
    ...form,
  })
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <Dialog record={{ id: parseId('7') }} onClose={() => {}} />
    </QueryClientProvider>,
  )
}

it('what cannot be undone keeps no draft: its confirmation is typed each time', () => {
  expect(draftOf({})).toContain('Room/Close')
  expect(draftOf({ danger: true })).toBe('no draft')
})
