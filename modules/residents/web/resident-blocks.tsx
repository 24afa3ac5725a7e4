import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import {
  addResidentBlock,
  deleteResidentBlocks,
  listResidentBlocks,
  residentBlock,
  type ResidentBlock,
} from '../contract/block.ts'

const deleteAction = createReasonAction<ResidentBlock>(deleteResidentBlocks, {
  label: '移出',
  unit: '条黑名单',
  nameOf: b => b.name,
  reasonPresets: ['已解除限制', '登记有误'],
})

const listColumns = buildColumns(listResidentBlocks.output, [
  { key: 'name', identity: true },
  'mobile',
  'scope',
  { key: 'reason', grow: 1 },
  { key: 'expireDate', render: b => b.expireDate ?? '永久', text: b => b.expireDate ?? '永久' },
  { key: 'createTime', title: '加入时间', hidePriority: 1 },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'live', name: '有效', filter: { onlyCurrent: true } },
]

const groups = [
  {
    keys: [
      { key: 'userId', help: '非住户可不选' },
      'name',
      'mobile',
      'certNo',
      { key: 'scope', wide: true },
      'expireDate',
      { key: 'reason', wide: true },
    ],
  },
]

/** Who is kept out, from what, why and until when (BASE-15). */
export default function ResidentBlocksPage() {
  const form = useEdit({
    itemName: '黑名单',
    add: addResidentBlock,
    nameOf: (b: ResidentBlock) => b.name,
    groups,
    presentation: 'drawer',
  })
  return (
    <>
      <ListPage
        list={listResidentBlocks}
        itemName="黑名单"
        columns={listColumns}
        views={views}
        barFilters={['scope']}
        primaryAction={form.addAction}
        rowActions={b => [deleteAction.row(b)]}
        batchActions={[deleteAction.batch]}
        drawer={{
          title: b => b.name,
          historyEntity: residentBlock.name,
          actions: b => [deleteAction.row(b)],
        }}
      />
      {form.dialog}
    </>
  )
}
