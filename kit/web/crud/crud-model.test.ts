import { expect, it } from 'vitest'
import { call, publicAccess } from '#kit/contract/call.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { castForTest } from '#kit/domain/fixtures.ts'
import { parseId } from '#kit/domain/id.ts'
import { formCallsOf, joinExtras, standardActions } from './crud-model.tsx'

it('what a list adds is beside what its entity declares, not in its place', () => {
  const named = (label: string) => ({
    actions: () => [{ label, run: () => undefined }],
    toolbar: [{ label, run: () => undefined }],
    batch: [{ label, run: () => undefined }],
    tabs: [{ key: label, label, body: () => null }],
  })
  const joined = joinExtras(named('通过'), named('查看企业'))
  const row = { id: parseId('1') }
  const labels = [joined.actions?.(row, 'list'), joined.toolbar, joined.batch, joined.tabs].map(list =>
    list?.map(entry => entry && entry.label),
  )
  expect(labels).toEqual(Array.from({ length: 4 }, () => ['通过', '查看企业']))
  expect(joinExtras({}, named('查看企业')).actions?.(row, 'list')).toHaveLength(1)
})

it('a form sends the one call of an entity that adds and edits by it', () => {
  const save = call({
    route: 'POST Thing/Save',
    title: '保存',
    needs: publicAccess,
    input: shape({}),
    output: noData,
  })
  const add = call({
    route: 'POST Thing/Add',
    title: '新增',
    needs: publicAccess,
    input: shape({}),
    output: noData,
  })
  expect(formCallsOf({ save })).toEqual({ add: save, edit: save })
  expect(formCallsOf({ add, save })).toEqual({ add, edit: save })
  expect(formCallsOf({})).toEqual({ add: undefined, edit: undefined })
})

it('the page of a form is not offered for a record that cannot be edited', () => {
  type Model = Parameters<typeof standardActions>[0]
  const model = castForTest<Model>({
    crud: { permissions: {} },
    options: {
      paths: { edit: '/things/edit' },
      form: {
        editDisabledReason: ({ state }: { state: string }) => (state === 'over' ? '已结束' : undefined),
      },
    },
  })
  const reasonOf = (state: string): unknown => {
    const { edit } = standardActions(model, castForTest({ id: parseId('1'), state }))
    return edit && edit.disabledReason
  }
  expect(reasonOf('over')).toBe('已结束')
  expect(reasonOf('open')).toBeUndefined()
})
