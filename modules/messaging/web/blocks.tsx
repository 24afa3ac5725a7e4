import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { smsBlocks } from '../contract/block.ts'

const { model } = crudPages(smsBlocks, {
  unit: '个号码',
  deletion: {
    label: '解除',
    consequences: ['解除后该号码重新接收短信；用户自己退订的，请先取得其同意'],
    reasons: ['用户要求恢复', '登记有误'],
  },
  columns: [
    { key: 'mobile', identity: true, width: 140 },
    { key: 'kind', width: 96 },
    { key: 'origin', width: 110 },
    { key: 'reason', grow: 1 },
    { key: 'operatorName', width: 110, hidePriority: 1 },
    { key: 'createTime', title: '登记时间', width: 150 },
  ],
  form: { groups: [{ keys: ['mobile', 'kind', { key: 'reason', wide: true }] }] },
})

/** 退订与黑名单: numbers that get no marketing, or nothing at all. */
export const Blocks = () => (
  <CrudList
    model={model}
    list={{
      embedded: true,
      pageSize: 15,
      keywordPlaceholder: '手机号',
      barFilters: ['kind', 'origin'],
      settingsKey: 'messaging/blocks',
    }}
  />
)
