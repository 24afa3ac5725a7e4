import { useMemo } from 'react'
import { parseId } from '#kit/domain/id.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { taskStandards, type TaskStandard } from '../contract/standard.ts'
import { paths } from '../module.ts'
import { StandardTree } from './standard-tree.tsx'

/** Which branch of the tree is shown, beside the filters of the list. */
function useBranch(): CrudExtras<TaskStandard, unknown> {
  const [value, setValue] = useAddressValue('under', { without: 'page' })
  const underId = parseId(value) || undefined
  return useMemo(
    () => ({
      list: {
        fixedFilter: underId === undefined ? {} : { underId },
        sidePanel: (
          <StandardTree
            chosen={underId}
            onChoose={id => setValue(id === undefined ? undefined : String(id))}
          />
        ),
      },
    }),
    [underId, setValue],
  )
}

/** 任务标准: what good work of a sort is, as a tree with its check items. */
export const pages = crudPages(taskStandards, {
  paths: { list: paths.standards },
  unit: '个任务标准',
  deletion: { consequences: ['有任务计划或下级标准的不能删除；不再使用请停用'] },
  columns: [
    { key: 'standardName', identity: true, grow: 2 },
    { key: 'parentName', grow: 1, hidePriority: 2 },
    'category',
    'itemCount',
    { key: 'cycle', grow: 1, hidePriority: 1 },
    { key: 'sort', hiddenByDefault: true },
    'state',
  ],
  useExtras: useBranch,
  list: {
    filters: ['category', 'state', 'parentId'],
    barFilters: ['category'],
    views: [
      { id: '', name: '启用', filter: { state: ['on'] } },
      { id: 'off', name: '停用', filter: { state: ['off'] } },
      { id: 'all', name: '全部', filter: { state: ['on', 'off'] } },
    ],
  },
  detail: [
    { title: '标准', keys: ['standardName', 'parentId', 'category', 'cycle', 'orderTypeId', 'state'] },
    { title: '检查项', keys: ['items'] },
  ],
  form: {
    presentation: 'drawer',
    groups: [
      { keys: ['standardName', 'parentId', 'category', 'cycle', 'orderTypeId', 'sort', 'state'] },
      { title: '检查项', keys: [{ key: 'items', wide: true }] },
    ],
  },
})
