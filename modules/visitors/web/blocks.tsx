import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { visitorBlocks, type VisitorBlock } from '../contract/block.ts'

const untilText = ({ expireDate }: VisitorBlock): string => expireDate ?? '永久'

const { model } = crudPages(visitorBlocks, {
  unit: '条黑名单',
  deletion: { label: '移出', reasons: ['已解除限制', '登记有误'] },
  columns: [
    { key: 'name', identity: true },
    { key: 'mobile', width: 148 },
    { key: 'certNo', width: 210, hidePriority: 1 },
    'plateNo',
    { key: 'reason', grow: 1 },
    { key: 'expireDate', render: untilText, text: untilText },
    { key: 'createTime', title: '加入时间', hidePriority: 2 },
  ],
  form: {
    presentation: 'dialog',
    groups: [{ keys: ['name', 'mobile', 'certNo', 'plateNo', 'expireDate', { key: 'reason', wide: true }] }],
  },
})

const views = [
  { id: '', name: '有效', filter: { onlyCurrent: true } },
  { id: 'all', name: '全部', filter: {} },
]

/** 访客黑名单: who is turned away at invitation, approval and gate (VIS-4). */
export const Blocks = () => (
  <CrudList
    model={model}
    list={{ embedded: true, pageSize: 15, views, keywordPlaceholder: '姓名、车牌', barFilters: [] }}
  />
)
